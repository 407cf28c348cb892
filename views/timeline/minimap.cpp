// SPDX-License-Identifier: Apache-2.0
#include "views/timeline/minimap.h"

#include <algorithm>

namespace hloscope {

namespace {

constexpr size_t kPollEvery = 1 << 16;

// Time per column and category of one track, with whole columns kept as differences until sum() is called.
class ColumnTimes {
public:
    explicit ColumnTimes(std::vector<int64_t> bounds)
        : m_bounds(std::move(bounds)), m_partial(m_bounds.size() - 1), m_whole(m_bounds.size())
    {
    }

    size_t count() const { return m_partial.size(); }

    void clear()
    {
        std::ranges::fill(m_partial, Times{});
        std::ranges::fill(m_whole, Counts{});
        m_cursor = 0;
    }

    // Spans come in order of time.
    void add(size_t category, int64_t begin, int64_t end)
    {
        begin = std::max(begin, m_bounds.front());
        end = std::min(end, m_bounds.back());
        if (begin >= end)
            return;
        if (m_bounds[m_cursor + 1] <= begin)
            m_cursor = columnOf(begin);
        if (end <= m_bounds[m_cursor + 1]) {
            m_partial[m_cursor][category] += end - begin;
            return;
        }
        m_partial[m_cursor][category] += m_bounds[m_cursor + 1] - begin;
        const size_t last = columnOf(end - 1);
        ++m_whole[m_cursor + 1][category];
        --m_whole[last][category];
        m_partial[last][category] += end - m_bounds[last];
        m_cursor = last;
    }

    // Adds this track to the columns.
    void sumInto(Minimap& map) const
    {
        Counts open{};
        for (size_t i = 0; i < count(); ++i) {
            const int64_t width = m_bounds[i + 1] - m_bounds[i];
            int64_t busy = 0;
            for (size_t category = 0; category < kOpCategoryCount; ++category) {
                open[category] += m_whole[i][category];
                const int64_t time = m_partial[i][category] + (open[category] > 0 ? width : 0);
                busy += time;
                map.columns[i].time[category] += time;
                map.time[category] += time;
            }
            map.columns[i].busy = std::max(map.columns[i].busy, busy);
        }
    }

private:
    using Times = std::array<int64_t, kOpCategoryCount>;
    using Counts = std::array<int32_t, kOpCategoryCount>;

    size_t columnOf(int64_t time) const
    {
        const auto after =
            std::upper_bound(m_bounds.begin() + static_cast<std::ptrdiff_t>(m_cursor), m_bounds.end(), time);
        return std::min(static_cast<size_t>(after - m_bounds.begin()) - 1, count() - 1);
    }

    std::vector<int64_t> m_bounds;
    std::vector<Times> m_partial;
    std::vector<Counts> m_whole;
    size_t m_cursor = 0;
};

// Cuts one track into spans of its innermost event.
bool addTrack(const Trace& trace, const Track& track, ColumnTimes& times, const Progress* progress)
{
    struct Open {
        int64_t end;
        size_t category;
    };
    std::vector<Open> open;
    int64_t now = trace.begins[track.events.begin];
    const auto advance = [&](int64_t to) {
        while (!open.empty() && open.back().end <= to) {
            times.add(open.back().category, now, open.back().end);
            now = std::max(now, open.back().end);
            open.pop_back();
        }
        if (!open.empty())
            times.add(open.back().category, now, to);
        now = std::max(now, to);
    };
    for (uint32_t i = track.events.begin; i < track.events.end(); ++i) {
        if (i % kPollEvery == 0 && progress != nullptr && progress->isCancelled())
            return false;
        advance(trace.begins[i]);
        const size_t category = static_cast<size_t>(trace.kinds[trace.eventKinds[i]].category);
        open.push_back({trace.begins[i] + trace.durations[i], category});
    }
    while (!open.empty())
        advance(open.back().end);
    return true;
}

} // namespace

OpCategory Minimap::Column::strongest() const
{
    return static_cast<OpCategory>(std::ranges::max_element(time) - time.begin());
}

int64_t Minimap::columnBegin(size_t i) const
{
    // Without the product span * i, which could overflow.
    const auto count = static_cast<int64_t>(std::max<size_t>(columns.size(), 1));
    const int64_t at = static_cast<int64_t>(i);
    const int64_t span = end - begin;
    return begin + span / count * at + span % count * at / count;
}

Minimap buildMinimap(const Trace& trace, const std::vector<TrackId>& tracks, size_t columns, const Progress* progress)
{
    Minimap map;
    std::tie(map.begin, map.end) = trace.span();
    map.columns.resize(std::max<size_t>(columns, 1));
    std::vector<int64_t> bounds(map.columns.size() + 1);
    for (size_t i = 0; i < bounds.size(); ++i)
        bounds[i] = map.columnBegin(i);
    ColumnTimes times(std::move(bounds));
    for (const TrackId id : tracks) {
        const Track& track = trace.tracks[id.index()];
        if (track.events.empty())
            continue;
        times.clear();
        if (!addTrack(trace, track, times, progress))
            return {};
        times.sumInto(map);
    }
    return map;
}

} // namespace hloscope
