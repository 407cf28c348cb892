// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/op_statistics.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>
#include <unordered_map>

namespace hloscope {
namespace {

// Durations come from files: a sum must not overflow, however silly they are.
int64_t saturatingAdd(int64_t a, int64_t b)
{
    int64_t sum = 0;
    if (!__builtin_add_overflow(a, b, &sum))
        return sum;
    return b > 0 ? std::numeric_limits<int64_t>::max() : std::numeric_limits<int64_t>::min();
}

struct Sums {
    uint64_t occurrences = 0;
    int64_t totalPs = 0;
    int64_t selfPs = 0;
};

// Sums per kind over events that are visited in the order of their track, parents before children.
class KindSums {
public:
    KindSums(const Trace& trace, int64_t begin, int64_t end)
        : m_trace(trace), m_begin(begin), m_end(end), m_sums(trace.kinds.size())
    {
    }

    void add(size_t event)
    {
        const int64_t begin = std::max(m_begin, m_trace.begins[event]);
        const int64_t end = std::min(m_end, m_trace.begins[event] + m_trace.durations[event]);
        Sums& sums = m_sums[m_trace.eventKinds[event]];
        ++sums.occurrences;
        sums.totalPs = saturatingAdd(sums.totalPs, end - begin);
        sums.selfPs = saturatingAdd(sums.selfPs, end - begin);
        const uint32_t parent = m_trace.parents[event];
        if (parent == Trace::kNoParent)
            return;
        // Children of one parent may overlap each other; what they cover counts once.
        Covered& covered = m_covered[m_trace.depths[parent]];
        if (covered.parent != parent)
            covered = {parent, begin};
        if (end > covered.until) {
            Sums& above = m_sums[m_trace.eventKinds[parent]];
            above.selfPs = saturatingAdd(above.selfPs, -(end - std::max(begin, covered.until)));
            covered.until = end;
        }
    }

    void add(const Aggregate& aggregate)
    {
        Sums& sums = m_sums[aggregate.kind.index()];
        sums.occurrences += aggregate.occurrences;
        sums.totalPs = saturatingAdd(sums.totalPs, aggregate.durationPs);
        sums.selfPs = saturatingAdd(sums.selfPs, aggregate.durationPs);
    }

    std::vector<OpStatistics> rowsByName() const
    {
        std::vector<OpStatistics> rows;
        std::unordered_map<std::string_view, size_t> rowOf;
        for (size_t i = 0; i < m_sums.size(); ++i) {
            if (m_sums[i].occurrences == 0)
                continue;
            const EventKind& kind = m_trace.kinds[i];
            const auto [found, isNew] = rowOf.try_emplace(kind.name, rows.size());
            if (isNew)
                rows.push_back({kind.name, kind.category, 0, 0, 0});
            OpStatistics& row = rows[found->second];
            row.occurrences += m_sums[i].occurrences;
            row.totalPs = saturatingAdd(row.totalPs, m_sums[i].totalPs);
            row.selfPs = saturatingAdd(row.selfPs, m_sums[i].selfPs);
        }
        std::sort(rows.begin(), rows.end(), [](const OpStatistics& a, const OpStatistics& b) {
            return a.totalPs != b.totalPs ? a.totalPs > b.totalPs : a.key < b.key;
        });
        return rows;
    }

private:
    struct Covered {
        uint32_t parent = Trace::kNoParent;
        int64_t until = 0;
    };
    const Trace& m_trace;
    int64_t m_begin;
    int64_t m_end;
    std::vector<Sums> m_sums; // by kind
    std::array<Covered, 256> m_covered; // by depth of the parent
};

// Events that began before the range and reach into it, outermost first.
std::vector<size_t> openAt(const Trace& trace, const Track& track, size_t firstInside, int64_t begin)
{
    std::vector<size_t> open;
    const auto reaches = [&](size_t event) { return trace.begins[event] + trace.durations[event] > begin; };
    if (track.overlaps) {
        for (size_t event = track.events.begin; event < firstInside; ++event) {
            if (reaches(event))
                open.push_back(event);
        }
        return open;
    }
    uint32_t event = firstInside > track.events.begin ? static_cast<uint32_t>(firstInside - 1) : Trace::kNoParent;
    for (; event != Trace::kNoParent; event = trace.parents[event]) {
        if (reaches(event))
            open.push_back(event);
    }
    std::reverse(open.begin(), open.end());
    return open;
}

void addTrack(const Trace& trace, const Track& track, int64_t begin, int64_t end, KindSums& sums)
{
    const auto first = trace.begins.begin() + track.events.begin;
    const auto last = first + track.events.count;
    const auto inside = static_cast<size_t>(std::lower_bound(first, last, begin) - trace.begins.begin());
    for (const size_t event : openAt(trace, track, inside, begin))
        sums.add(event);
    for (size_t event = inside; event < track.events.end() && trace.begins[event] < end; ++event)
        sums.add(event);
}

} // namespace

std::vector<OpStatistics> statisticsByName(const Trace& trace)
{
    KindSums sums(trace, -Trace::kMaxTime, Trace::kMaxTime);
    for (size_t event = 0; event < trace.eventCount(); ++event)
        sums.add(event);
    for (const Aggregate& aggregate : trace.aggregates)
        sums.add(aggregate);
    return sums.rowsByName();
}

std::vector<OpStatistics> statisticsOfRange(const Trace& trace, const std::vector<TrackId>& tracks, int64_t beginPs,
                                            int64_t endPs)
{
    KindSums sums(trace, beginPs, endPs);
    if (beginPs >= endPs)
        return {};
    if (tracks.empty()) {
        for (const Track& track : trace.tracks)
            addTrack(trace, track, beginPs, endPs, sums);
    }
    for (const TrackId id : tracks)
        addTrack(trace, trace.tracks[id.index()], beginPs, endPs, sums);
    return sums.rowsByName();
}

} // namespace hloscope
