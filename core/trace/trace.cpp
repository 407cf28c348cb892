// SPDX-License-Identifier: Apache-2.0
#include "core/trace/trace.h"

#include "core/trace/nesting.h"

#include <algorithm>
#include <numeric>

namespace hloscope {
namespace {

constexpr size_t kMaxEvents = UINT32_MAX - 1;

// Longer first on ties, so that a parent comes before the children that begin with it.
bool comesBefore(const Trace& trace, size_t a, size_t b)
{
    if (trace.begins[a] != trace.begins[b])
        return trace.begins[a] < trace.begins[b];
    return trace.durations[a] > trace.durations[b];
}

// column[first + i] = old column[order[i]]
template <class T> void permute(std::vector<T>& column, size_t first, const std::vector<uint32_t>& order)
{
    std::vector<T> moved(order.size());
    for (size_t i = 0; i < order.size(); ++i)
        moved[i] = column[order[i]];
    if (first == 0 && order.size() == column.size())
        column.swap(moved);
    else
        std::copy(moved.begin(), moved.end(), column.begin() + static_cast<std::ptrdiff_t>(first));
}

void permuteEvents(Trace& trace, size_t first, const std::vector<uint32_t>& order)
{
    permute(trace.begins, first, order);
    permute(trace.durations, first, order);
    permute(trace.eventKinds, first, order);
    permute(trace.argumentReferences, first, order);
}

} // namespace

std::vector<Argument> Trace::arguments(EventId id) const
{
    const uint64_t reference = argumentReferences[id.index()];
    if (reference == kNoArguments || argumentSource == nullptr)
        return {};
    return argumentSource->decode(reference);
}

const HloModule* Trace::moduleOf(const EventKind& kind) const
{
    if (kind.moduleIndex)
        return *kind.moduleIndex < modules.size() ? modules[*kind.moduleIndex].get() : nullptr;
    return module.get();
}

TrackId Trace::trackOf(EventId id) const
{
    const auto after = std::upper_bound(m_trackByEvent.begin(), m_trackByEvent.end(), id.index(),
                                        [](size_t event, const auto& entry) { return event < entry.first; });
    return after == m_trackByEvent.begin() ? TrackId() : TrackId(std::prev(after)->second);
}

EventId Trace::eventAt(TrackId track, int64_t time) const
{
    const IndexRange range = tracks[track.index()].events;
    const auto first = begins.begin() + range.begin;
    const auto last = first + range.count;
    const auto after = std::upper_bound(first, last, time);
    if (after == first)
        return {};
    // The last event that began holds the answer or has it among its ancestors: an event that covers `time` and began
    // earlier holds everything between that has ended.
    EventId id(static_cast<size_t>(after - begins.begin()) - 1);
    while (id.isValid()) {
        if (end(id) > time || (duration(id) == 0 && begin(id) == time))
            return id;
        id = parentOf(id);
    }
    return {};
}

EventId Trace::parentOf(EventId id) const
{
    const uint32_t parent = parents[id.index()];
    return parent == kNoParent ? EventId() : EventId(parent);
}

int64_t Trace::selfDuration(EventId id) const
{
    const IndexRange range = tracks[trackOf(id).index()].events;
    const int64_t last = end(id);
    int64_t self = duration(id);
    int64_t coveredUntil = begin(id);
    for (size_t i = id.index() + 1; i < range.end() && begins[i] < last; ++i) {
        if (parents[i] != id.index())
            continue;
        const int64_t childEnd = begins[i] + durations[i];
        self -= std::max<int64_t>(0, childEnd - std::max(begins[i], coveredUntil));
        coveredUntil = std::max(coveredUntil, childEnd);
    }
    return self;
}

TraceBuilder::TraceBuilder() : m_trace(std::make_shared<Trace>()) { }

PlaneId TraceBuilder::addPlane(std::string name)
{
    m_trace->planes.push_back({std::move(name), {}});
    return PlaneId(m_trace->planes.size() - 1);
}

TrackId TraceBuilder::addTrack(PlaneId plane, std::string name, int64_t lineId)
{
    Track track;
    track.plane = plane;
    track.name = std::move(name);
    track.lineId = lineId;
    m_trace->tracks.push_back(std::move(track));
    return TrackId(m_trace->tracks.size() - 1);
}

EventKindId TraceBuilder::addKind(EventKind kind)
{
    m_trace->kinds.push_back(std::move(kind));
    return EventKindId(m_trace->kinds.size() - 1);
}

void TraceBuilder::addEvent(TrackId track, EventKindId kind, int64_t beginPs, int64_t durationPs,
                            uint64_t argumentReference)
{
    Trace& trace = *m_trace;
    if (trace.begins.size() >= kMaxEvents) {
        ++m_beyondLimit;
        return;
    }
    if (durationPs < 0) {
        ++m_negativeDurations;
        durationPs = 0;
    }
    const int64_t begin = std::clamp(beginPs, -Trace::kMaxTime, Trace::kMaxTime);
    const int64_t duration = std::min(durationPs, Trace::kMaxTime - begin);
    if (begin != beginPs || duration != durationPs)
        ++m_clampedTimes;
    const auto index = static_cast<uint32_t>(trace.begins.size());
    if (m_runs.empty() || m_runs.back().track != track.index())
        m_runs.push_back({static_cast<uint32_t>(track.index()), index});
    trace.begins.push_back(begin);
    trace.durations.push_back(duration);
    trace.eventKinds.push_back(static_cast<uint32_t>(kind.index()));
    trace.argumentReferences.push_back(argumentReference);
}

// Brings the events of each track together, in the order of the tracks.
void TraceBuilder::placeTracks()
{
    Trace& trace = *m_trace;
    const auto total = static_cast<uint32_t>(trace.begins.size());
    const auto runEnd = [&](size_t i) { return i + 1 < m_runs.size() ? m_runs[i + 1].first : total; };
    for (size_t i = 0; i < m_runs.size(); ++i)
        trace.tracks[m_runs[i].track].events.count += runEnd(i) - m_runs[i].first;
    uint32_t next = 0;
    for (Track& track : trace.tracks) {
        track.events.begin = next;
        next += track.events.count;
    }
    const auto isAfter = [](const Run& a, const Run& b) { return a.track >= b.track; };
    if (std::adjacent_find(m_runs.begin(), m_runs.end(), isAfter) == m_runs.end())
        return;
    std::vector<uint32_t> order(total);
    std::vector<uint32_t> free;
    for (const Track& track : trace.tracks)
        free.push_back(track.events.begin);
    for (size_t i = 0; i < m_runs.size(); ++i) {
        uint32_t& place = free[m_runs[i].track];
        for (uint32_t event = m_runs[i].first; event < runEnd(i); ++event)
            order[place++] = event;
    }
    m_runs = {};
    permuteEvents(trace, 0, order);
}

void TraceBuilder::sortTrack(const Track& track)
{
    const size_t first = track.events.begin;
    const size_t last = track.events.end();
    bool sorted = true;
    for (size_t i = first + 1; i < last && sorted; ++i)
        sorted = !comesBefore(*m_trace, i, i - 1);
    if (sorted)
        return;
    std::vector<uint32_t> order(last - first);
    std::iota(order.begin(), order.end(), static_cast<uint32_t>(first));
    std::stable_sort(order.begin(), order.end(),
                     [this](uint32_t a, uint32_t b) { return comesBefore(*m_trace, a, b); });
    permuteEvents(*m_trace, first, order);
}

std::shared_ptr<const Trace> TraceBuilder::build(Progress* progress) &&
{
    Trace& trace = *m_trace;
    placeTracks();
    trace.begins.shrink_to_fit();
    trace.durations.shrink_to_fit();
    trace.eventKinds.shrink_to_fit();
    trace.argumentReferences.shrink_to_fit();
    trace.depths.resize(trace.begins.size());
    trace.parents.resize(trace.begins.size());
    bool any = false;
    for (size_t i = 0; i < trace.tracks.size(); ++i) {
        Track& track = trace.tracks[i];
        if (track.events.empty())
            continue;
        if (progress != nullptr) {
            if (progress->isCancelled())
                return nullptr;
            progress->report(Progress::Phase::Indexing,
                             static_cast<double>(track.events.begin) / static_cast<double>(trace.begins.size()));
        }
        trace.m_trackByEvent.emplace_back(track.events.begin, static_cast<uint32_t>(i));
        sortTrack(track);
        const int64_t lastEnd = assignNesting(trace, track);
        const int64_t firstBegin = trace.begins[track.events.begin];
        trace.m_span = any ? std::pair(std::min(trace.m_span.first, firstBegin), std::max(trace.m_span.second, lastEnd))
                           : std::pair(firstBegin, lastEnd);
        any = true;
    }
    trace.problems.count("events with a negative duration, shown as instants", m_negativeDurations);
    trace.problems.count("events more than 26 days from the start of the session, moved there", m_clampedTimes);
    trace.problems.count("events beyond the limit of 2^32, left out", m_beyondLimit);
    return std::move(m_trace);
}

} // namespace hloscope
