// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/trace.h"

#include <array>
#include <cstdint>
#include <vector>

namespace hloscope {

// Problem: draw one track of n events into w pixels in a time that depends on w, not on n, without losing work that is
// narrower than a pixel.
//
// Method: the events of one track and depth form a sequence of disjoint spans sorted by time. Over it stands a tree of
// fan-out 16 whose nodes hold the first begin, the last end, the count, the busy time and the busy time per category of
// their leaves. A query walks the sequence from the left edge: an event of at least `minWidth` is given as it is; a
// narrower one opens a run that swallows its successors while the gaps stay below `minWidth`, up to `maxRun`. Runs are
// summed from the tree, so that a run over k events costs O(log k).
//
// Cost: O(w log n) per query, n/15 nodes of memory.
class LevelOfDetail {
public:
    // What is drawn as one mark: a single event, or a run of events too narrow to be drawn one by one.
    struct Mark {
        int64_t begin = 0; // picoseconds
        int64_t end = 0;
        uint32_t count = 0; // events in it
        EventId event; // the event, or the first of the run
        int64_t busy = 0; // picoseconds covered by events
        std::array<int64_t, kOpCategoryCount> busyByCategory{}; // sums to busy

        bool isRun() const { return count > 1; }
    };

    LevelOfDetail() = default;
    // Index over the events of `track` at nesting depth `depth`.
    LevelOfDetail(const Trace& trace, TrackId track, uint8_t depth);

    // Marks that touch [begin, end). `minWidth` is the time of the narrowest event that is drawn alone, `maxRun` the
    // longest run.
    void query(const Trace& trace, int64_t begin, int64_t end, int64_t minWidth, int64_t maxRun,
               std::vector<Mark>& marks) const;
    size_t eventCount() const { return m_events.size(); }

private:
    struct Node {
        int64_t busy = 0;
        std::array<int64_t, kOpCategoryCount> busyByCategory{};
    };
    static constexpr size_t kFanOut = 16;

    Node sum(const Trace& trace, size_t first, size_t last) const;

    std::vector<uint32_t> m_events; // event ids in time order
    std::vector<std::vector<Node>> m_levels; // m_levels[k][i] sums kFanOut^(k+1) events
};

} // namespace hloscope
