// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/level_of_detail.h"
#include "core/trace/trace.h"
#include "views/timeline/counter_index.h"

#include <memory>
#include <mutex>
#include <vector>

namespace hloscope {

// The level-of-detail indices of one trace, each built when it is first asked for. May be used from any thread; two
// threads that ask for the same track wait for one build.
class TraceIndex {
public:
    explicit TraceIndex(std::shared_ptr<const Trace> trace);

    const Trace& trace() const { return *m_trace; }
    // Null when the track is not that deep.
    const LevelOfDetail* level(TrackId track, size_t depth);
    const CounterIndex& counter(CounterId counter);

private:
    struct TrackSlot {
        std::once_flag once;
        std::vector<LevelOfDetail> levels;
    };
    struct CounterSlot {
        std::once_flag once;
        CounterIndex index;
    };

    std::shared_ptr<const Trace> m_trace;
    std::unique_ptr<TrackSlot[]> m_tracks;
    std::unique_ptr<CounterSlot[]> m_counters;
};

} // namespace hloscope
