// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/support/progress.h"
#include "core/trace/trace.h"

#include <array>
#include <cstdint>
#include <vector>

namespace hloscope {

// The whole trace in columns of equal time.
struct Minimap {
    struct Column {
        int64_t busy = 0; // picoseconds in which the busiest of the tracks runs something
        std::array<int64_t, kOpCategoryCount> time{}; // picoseconds by category of the innermost event, over all tracks

        bool isEmpty() const { return busy == 0; }
        OpCategory strongest() const;
    };

    int64_t begin = 0;
    int64_t end = 0;
    std::vector<Column> columns;
    std::array<int64_t, kOpCategoryCount> time{}; // of all columns together

    // Where column i starts; columns.size() gives the end.
    int64_t columnBegin(size_t i) const;
};

// Exact: every column sums what lies between its two bounds. One pass over the events of the tracks and O(columns) per
// track; columns that an event covers from end to end are counted as one difference. Empty on cancel.
Minimap buildMinimap(const Trace& trace, const std::vector<TrackId>& tracks, size_t columns,
                     const Progress* progress = nullptr);

} // namespace hloscope
