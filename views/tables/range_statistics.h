// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/analysis/op_statistics.h"
#include "core/support/progress.h"

#include <QString>

#include <memory>
#include <vector>

namespace hloscope {

// What a range of time over some tracks holds, summed by name.
struct RangeStatistics {
    struct Row {
        OpStatistics sums;
        QString label; // the op's own name where the key is a whole HLO line
        EventId first; // the first of these events that touches the range
    };

    std::shared_ptr<const Trace> trace;
    std::vector<TrackId> tracks;
    int64_t beginPs = 0;
    int64_t endPs = 0;
    std::vector<Row> rows; // largest total first
    uint64_t events = 0;
    uint64_t eventsWithoutTime = 0; // instants, and ops that nothing is known about
    int64_t totalPs = 0;
    int64_t selfPs = 0;
};

// Looks at every event that touches the range: for a worker.
RangeStatistics rangeStatistics(std::shared_ptr<const Trace> trace, std::vector<TrackId> tracks, int64_t beginPs,
                                int64_t endPs, const Progress* progress = nullptr);

} // namespace hloscope
