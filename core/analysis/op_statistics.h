// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/trace.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hloscope {

// Events of one name over a whole trace.
struct OpStatistics {
    std::string key;
    OpCategory category = OpCategory::Host;
    uint64_t occurrences = 0;
    int64_t totalPs = 0;
    int64_t selfPs = 0; // without what is nested inside on the same track
};

// Counts every event of every track of every plane under its metadata name; largest total first.
std::vector<OpStatistics> statisticsByName(const Trace& trace);

// The same for a range of time over some tracks, for the selection table: events that touch the range count with the
// part of them that lies inside. `tracks` empty means all.
std::vector<OpStatistics> statisticsOfRange(const Trace& trace, const std::vector<TrackId>& tracks, int64_t beginPs,
                                            int64_t endPs);

} // namespace hloscope
