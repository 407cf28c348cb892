// SPDX-License-Identifier: Apache-2.0
#include "core/trace/level_of_detail.h"

#include <algorithm>
#include <limits>

namespace hloscope {
namespace {

// How far `time` lies behind the last multiple of `maxRun`.
int64_t sinceCut(int64_t time, int64_t maxRun)
{
    const int64_t within = time % maxRun;
    return within < 0 ? within + maxRun : within;
}

// First time after `time` at which a run is cut.
int64_t cutAfter(int64_t time, int64_t maxRun)
{
    const int64_t left = maxRun - sinceCut(time, maxRun);
    return time > std::numeric_limits<int64_t>::max() - left ? std::numeric_limits<int64_t>::max() : time + left;
}

// Last time up to `time` at which a run is cut.
int64_t cutBefore(int64_t time, int64_t maxRun)
{
    const int64_t within = sinceCut(time, maxRun);
    return time < std::numeric_limits<int64_t>::min() + within ? std::numeric_limits<int64_t>::min() : time - within;
}

// First position in [from, count) for which `holds` is false; `holds` is true, then false. Looks near `from` first.
template <class Predicate> size_t gallop(size_t from, size_t count, Predicate holds)
{
    size_t step = 1;
    size_t low = from;
    size_t high = from;
    while (high < count && holds(high)) {
        low = high + 1;
        high = step < count - high ? high + step : count;
        step *= 2;
    }
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (holds(middle))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

} // namespace

LevelOfDetail::LevelOfDetail(const Trace& trace, TrackId track, uint8_t depth)
{
    const Track& row = trace.tracks[track.index()];
    m_firstEvent = row.events.begin;
    for (uint32_t i = row.events.begin; i < row.events.end(); ++i) {
        if (trace.depths[i] == depth)
            m_events.push_back(i);
    }
    buildTree(trace);
}

std::vector<LevelOfDetail> LevelOfDetail::ofTrack(const Trace& trace, TrackId track)
{
    const Track& row = trace.tracks[track.index()];
    std::vector<LevelOfDetail> levels(row.depth);
    for (uint32_t i = row.events.begin; row.depth > 1 && i < row.events.end(); ++i)
        levels[trace.depths[i]].m_events.push_back(i);
    if (row.depth == 1) {
        levels[0].m_firstEvent = row.events.begin;
        levels[0].m_count = row.events.count;
    }
    for (LevelOfDetail& level : levels)
        level.buildTree(trace);
    return levels;
}

void LevelOfDetail::buildTree(const Trace& trace)
{
    if (!m_events.empty()) {
        m_count = m_events.size();
        m_firstEvent = m_events.front();
        if (m_events.back() - m_events.front() == m_count - 1)
            m_events = {};
        m_events.shrink_to_fit();
    }
    if (m_count == 0)
        return;
    bool overlaps = false;
    for (size_t i = 1; i < m_count && !overlaps; ++i)
        overlaps = beginAt(trace, i) < beginAt(trace, i - 1) + durationAt(trace, i - 1);
    if (overlaps) {
        std::vector<int64_t> ends(m_count);
        int64_t last = std::numeric_limits<int64_t>::min();
        for (size_t i = 0; i < m_count; ++i)
            ends[i] = last = std::max(last, beginAt(trace, i) + durationAt(trace, i));
        m_ends = std::move(ends);
    }

    Busy sum{};
    m_sums.reserve(m_count / kSumStep + 1);
    std::vector<int64_t> nodes;
    nodes.reserve(m_count / kFanOut + 1);
    for (size_t i = 0; i < m_count; ++i) {
        if (i % kSumStep == 0)
            m_sums.push_back(sum);
        addBusy(trace, i, sum);
        const int64_t obstacle = obstacleAt(trace, i);
        if (i % kFanOut == 0)
            nodes.push_back(obstacle);
        else
            nodes.back() = std::max(nodes.back(), obstacle);
    }
    while (nodes.size() > 1) {
        std::vector<int64_t> above;
        above.reserve(nodes.size() / kFanOut + 1);
        for (size_t i = 0; i < nodes.size(); i += kFanOut)
            above.push_back(
                *std::max_element(nodes.begin() + static_cast<std::ptrdiff_t>(i),
                                  nodes.begin() + static_cast<std::ptrdiff_t>(std::min(i + kFanOut, nodes.size()))));
        m_obstacles.push_back(std::move(nodes));
        nodes = std::move(above);
    }
}

size_t LevelOfDetail::memoryBytes() const
{
    size_t bytes =
        m_events.capacity() * sizeof(uint32_t) + m_ends.capacity() * sizeof(int64_t) + m_sums.capacity() * sizeof(Busy);
    for (const auto& level : m_obstacles)
        bytes += level.capacity() * sizeof(int64_t);
    return bytes;
}

int64_t LevelOfDetail::endAt(const Trace& trace, size_t position) const
{
    return m_ends.empty() ? beginAt(trace, position) + durationAt(trace, position) : m_ends[position];
}

// What keeps an event from being drawn together with the one before it: its own size or the gap between them.
int64_t LevelOfDetail::obstacleAt(const Trace& trace, size_t position) const
{
    const int64_t duration = durationAt(trace, position);
    return position == 0 ? duration : std::max(duration, beginAt(trace, position) - endAt(trace, position - 1));
}

void LevelOfDetail::addBusy(const Trace& trace, size_t position, Busy& busy) const
{
    const uint32_t id = event(position);
    busy[static_cast<size_t>(trace.kinds[trace.eventKinds[id]].category)] += static_cast<uint64_t>(trace.durations[id]);
}

size_t LevelOfDetail::firstTouching(const Trace& trace, int64_t time) const
{
    return gallop(0, m_count, [&](size_t position) {
        const int64_t end = endAt(trace, position);
        return end < time || (end == time && durationAt(trace, position) > 0);
    });
}

size_t LevelOfDetail::firstBeginningAt(const Trace& trace, int64_t time, size_t from) const
{
    return gallop(from, m_count, [&](size_t position) { return beginAt(trace, position) < time; });
}

// First position in [from, to) whose obstacle is at least `width`, else `to`. Climbs the tree over subtrees without
// one, then descends.
size_t LevelOfDetail::nextObstacle(const Trace& trace, size_t from, size_t to, int64_t width) const
{
    size_t position = from;
    while (position < to) {
        size_t level = 0; // 0: an event, k: a node of m_obstacles[k - 1]
        size_t span = 1;
        while (level < m_obstacles.size() && position % (span * kFanOut) == 0
               && m_obstacles[level][position / (span * kFanOut)] < width) {
            ++level;
            span *= kFanOut;
        }
        if (level == 0 && obstacleAt(trace, position) >= width)
            return position;
        position += span;
    }
    return to;
}

// Last position in [to, from] whose obstacle is at least `width`, else `to`.
size_t LevelOfDetail::previousObstacle(const Trace& trace, size_t from, size_t to, int64_t width) const
{
    size_t position = from + 1; // one behind what is looked at
    while (position > to) {
        size_t level = 0;
        size_t span = 1;
        while (level < m_obstacles.size() && position % (span * kFanOut) == 0
               && m_obstacles[level][position / (span * kFanOut) - 1] < width) {
            ++level;
            span *= kFanOut;
        }
        if (level == 0 && obstacleAt(trace, position - 1) >= width)
            return position - 1;
        position = position - to > span ? position - span : to;
    }
    return to;
}

// Where the mark begins that holds this position.
size_t LevelOfDetail::runBegin(const Trace& trace, size_t position, int64_t minWidth, int64_t maxRun) const
{
    if (durationAt(trace, position) >= minWidth)
        return position;
    const int64_t cut = cutBefore(beginAt(trace, position), maxRun);
    size_t low = 0;
    size_t high = position;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (beginAt(trace, middle) < cut)
            low = middle + 1;
        else
            high = middle;
    }
    const size_t obstacle = previousObstacle(trace, position, low, minWidth);
    return durationAt(trace, obstacle) >= minWidth ? obstacle + 1 : obstacle;
}

// One behind the last event of the mark that begins at this position.
size_t LevelOfDetail::runEnd(const Trace& trace, size_t position, int64_t minWidth, int64_t maxRun) const
{
    if (durationAt(trace, position) >= minWidth)
        return position + 1;
    const int64_t cut = cutAfter(beginAt(trace, position), maxRun);
    return nextObstacle(trace, position + 1, firstBeginningAt(trace, cut, position + 1), minWidth);
}

LevelOfDetail::Mark LevelOfDetail::markOf(const Trace& trace, size_t first, size_t last) const
{
    Busy busy{};
    if (last - first <= kSumStep) {
        for (size_t i = first; i < last; ++i)
            addBusy(trace, i, busy);
    } else {
        Busy before = m_sums[first / kSumStep];
        for (size_t i = first - first % kSumStep; i < first; ++i)
            addBusy(trace, i, before);
        const size_t sampled = std::min(last / kSumStep, m_sums.size() - 1);
        busy = m_sums[sampled];
        for (size_t i = sampled * kSumStep; i < last; ++i)
            addBusy(trace, i, busy);
        for (size_t category = 0; category < kOpCategoryCount; ++category)
            busy[category] -= before[category];
    }
    Mark mark;
    mark.begin = beginAt(trace, first);
    mark.end = last - first == 1 ? mark.begin + durationAt(trace, first) : endAt(trace, last - 1);
    mark.count = static_cast<uint32_t>(last - first);
    mark.event = EventId(event(first));
    for (size_t category = 0; category < kOpCategoryCount; ++category) {
        mark.busyByCategory[category] = static_cast<int64_t>(busy[category]);
        mark.busy += mark.busyByCategory[category];
    }
    return mark;
}

void LevelOfDetail::query(const Trace& trace, int64_t begin, int64_t end, int64_t minWidth, int64_t maxRun,
                          std::vector<Mark>& marks) const
{
    minWidth = std::max<int64_t>(minWidth, 1);
    maxRun = std::max<int64_t>(maxRun, 1);
    const size_t touching = firstTouching(trace, begin);
    if (touching >= m_count || begin >= end)
        return;
    size_t position = runBegin(trace, touching, minWidth, maxRun);
    while (position < m_count && beginAt(trace, position) < end) {
        const size_t next = runEnd(trace, position, minWidth, maxRun);
        const Mark mark = markOf(trace, position, next);
        if (next > touching && mark.end >= begin)
            marks.push_back(mark);
        position = next;
    }
}

} // namespace hloscope
