// SPDX-License-Identifier: Apache-2.0
#include "views/tables/range_statistics.h"

#include "views/timeline/label_cache.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace hloscope {

namespace {

constexpr size_t kPollEvery = 1 << 16;

// The first event of each kind that touches the range, and how many have no duration.
class FirstEvents {
public:
    FirstEvents(const Trace& trace, int64_t begin, int64_t end)
        : m_trace(trace), m_begin(begin), m_end(end), m_first(trace.kinds.size())
    {
    }

    bool addTrack(const Track& track, const Progress* progress)
    {
        const auto first = m_trace.begins.begin() + track.events.begin;
        const auto last = first + track.events.count;
        const auto inside = static_cast<size_t>(std::lower_bound(first, last, m_begin) - m_trace.begins.begin());
        // What began before the range and reaches into it.
        uint32_t open = inside > track.events.begin ? static_cast<uint32_t>(inside - 1) : Trace::kNoParent;
        for (; open != Trace::kNoParent; open = m_trace.parents[open]) {
            if (m_trace.begins[open] + m_trace.durations[open] > m_begin)
                add(open);
        }
        for (size_t i = inside; i < track.events.end() && m_trace.begins[i] < m_end; ++i) {
            if (i % kPollEvery == 0 && progress != nullptr && progress->isCancelled())
                return false;
            add(i);
            m_withoutTime += m_trace.durations[i] == 0 ? 1 : 0;
        }
        return true;
    }

    uint64_t withoutTime() const { return m_withoutTime; }
    EventId of(size_t kind) const { return m_first[kind]; }

private:
    void add(size_t event)
    {
        EventId& first = m_first[m_trace.eventKinds[event]];
        if (!first.isValid() || m_trace.begins[event] < m_trace.begin(first))
            first = EventId(event);
    }

    const Trace& m_trace;
    int64_t m_begin;
    int64_t m_end;
    std::vector<EventId> m_first; // by kind
    uint64_t m_withoutTime = 0;
};

} // namespace

RangeStatistics rangeStatistics(std::shared_ptr<const Trace> trace, std::vector<TrackId> tracks, int64_t beginPs,
                                int64_t endPs, const Progress* progress)
{
    RangeStatistics result{std::move(trace), std::move(tracks), beginPs, endPs, {}, 0, 0, 0, 0};
    if (!result.trace || result.tracks.empty() || beginPs >= endPs)
        return result;
    const Trace& source = *result.trace;
    FirstEvents firsts(source, beginPs, endPs);
    for (const TrackId track : result.tracks) {
        if (!firsts.addTrack(source.tracks[track.index()], progress))
            return result;
    }
    result.eventsWithoutTime = firsts.withoutTime();

    std::unordered_map<std::string_view, size_t> rowOf;
    for (OpStatistics& sums : statisticsOfRange(source, result.tracks, beginPs, endPs)) {
        result.events += sums.occurrences;
        result.totalPs += sums.totalPs;
        result.selfPs += sums.selfPs;
        result.rows.push_back({std::move(sums), {}, {}});
    }
    for (size_t i = 0; i < result.rows.size(); ++i)
        rowOf.emplace(result.rows[i].sums.key, i);
    for (size_t kind = 0; kind < source.kinds.size(); ++kind) {
        const EventId first = firsts.of(kind);
        const auto row = first.isValid() ? rowOf.find(source.kinds[kind].name) : rowOf.end();
        if (row == rowOf.end())
            continue;
        RangeStatistics::Row& target = result.rows[row->second];
        target.label = shortLabel(source.kinds[kind]);
        if (!target.first.isValid() || source.begin(first) < source.begin(target.first))
            target.first = first;
    }
    return result;
}

} // namespace hloscope
