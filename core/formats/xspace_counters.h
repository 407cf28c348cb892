// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/xspace_index.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

namespace hloscope {

// Makes counters of the events of the line `_counters_`: each is a sample whose name is that of the counter and whose
// first numeric stat is the value, which holds until the next sample.
class XPlaneCounters {
public:
    explicit XPlaneCounters(const XPlaneIndex& plane) : m_plane(plane) { }

    void add(EventKindId kind, int64_t timePs, std::string_view event);
    // Appends the counters to the trace, in the order of the kinds.
    void finish(PlaneId plane, Trace& trace);

private:
    struct Sample {
        int64_t time;
        double value;
    };
    struct Samples {
        std::string_view statName;
        std::vector<Sample> samples;
    };
    const XPlaneIndex& m_plane;
    std::map<size_t, Samples> m_samples; // by kind
};

} // namespace hloscope
