// SPDX-License-Identifier: Apache-2.0
#include "views/timeline/trace_index.h"

namespace hloscope {

TraceIndex::TraceIndex(std::shared_ptr<const Trace> trace)
    : m_trace(std::move(trace))
    , m_tracks(std::make_unique<TrackSlot[]>(m_trace->tracks.size()))
    , m_counters(std::make_unique<CounterSlot[]>(m_trace->counters.size()))
{
}

const LevelOfDetail* TraceIndex::level(TrackId track, size_t depth)
{
    TrackSlot& slot = m_tracks[track.index()];
    std::call_once(slot.once, [&] { slot.levels = LevelOfDetail::ofTrack(*m_trace, track); });
    return depth < slot.levels.size() ? &slot.levels[depth] : nullptr;
}

const CounterIndex& TraceIndex::counter(CounterId counter)
{
    CounterSlot& slot = m_counters[counter.index()];
    std::call_once(slot.once, [&] { slot.index = CounterIndex(m_trace->counters[counter.index()]); });
    return slot.index;
}

} // namespace hloscope
