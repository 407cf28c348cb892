// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/trace.h"

#include <cstdint>
#include <vector>

namespace hloscope {

// What a counter did within one bucket of time.
struct CounterSpan {
    int64_t time = 0; // of its first change in the bucket, picoseconds
    double first = 0; // value from then on
    double least = 0;
    double most = 0;
    double last = 0; // value at the end of the bucket
};

// Problem: draw a step function of n values into w pixels in a time that depends on w, and show every spike.
// Method: a tree of fan-out 16 over (least, most); each bucket finds its values by bisection and sums them in the tree.
// Cost: O(w log n) per query. Values that are not finite count as 0.
class CounterIndex {
public:
    CounterIndex() = default;
    explicit CounterIndex(const Counter& counter);

    double most() const { return m_most; }
    // Buckets of length `step` (at least 1) that hold a change, from `begin` to `end`; appended in order. Buckets start
    // at multiples of `step`, so that they stay where they are when the range moves.
    void query(const Counter& counter, int64_t begin, int64_t end, int64_t step, std::vector<CounterSpan>& spans) const;

    // The value in force at a time, 0 before the first.
    static double valueAt(const Counter& counter, int64_t time);

private:
    struct Range {
        double least;
        double most;
    };
    static constexpr size_t kFanOut = 16;
    Range rangeOf(const Counter& counter, size_t first, size_t last) const;

    double m_most = 0;
    std::vector<std::vector<Range>> m_levels; // m_levels[k][i] holds kFanOut^(k+1) values
};

} // namespace hloscope
