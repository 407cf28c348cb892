// SPDX-License-Identifier: Apache-2.0
#include "views/timeline/row_model.h"

#include "views/words/units.h"
#include "views/words/words_tr.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string_view>

namespace hloscope {

namespace {

struct RowWords {
    Q_DECLARE_TR_FUNCTIONS(RowWords)
};

// Lines whose events hold ops instead of being ops; they stay grey so that colour keeps meaning work.
// "_counters_" holds the samples of counters, which have rows of their own.
constexpr std::array<std::string_view, 8> kScopeLines{
    "XLA Modules",          "Steps",       "Layers",      "Name scopes",
    "Framework Name Scope", "Source code", "Source Code", "_counters_"};
// More events than this are not looked through to see whether any of them has a duration.
constexpr uint32_t kMaxNoTimeEvents = 100'000;

TrackStyle styleOfTrack(const Trace& trace, const Track& track)
{
    if (std::ranges::find(kScopeLines, track.name) != kScopeLines.end())
        return TrackStyle::Scopes;
    if (track.name != "Collectives" || track.events.count > kMaxNoTimeEvents)
        return TrackStyle::Ops;
    const auto first = trace.durations.begin() + track.events.begin;
    const bool hasTime = std::any_of(first, first + track.events.count, [](int64_t d) { return d > 0; });
    return hasTime ? TrackStyle::Ops : TrackStyle::NoTime;
}

// Devices first, then hosts, then what describes them; otherwise as in the file.
int rankOf(const Plane& plane)
{
    const std::string_view name = plane.name;
    if (name.starts_with("/device:"))
        return 0;
    return name.starts_with("/host:") ? 2 : 1;
}

QString nameOf(const Track& track)
{
    return track.name.empty() ? RowWords::tr("Line %1").arg(track.lineId) : toQString(track.name);
}

QString unitNote(const Counter& counter)
{
    switch (counter.unit) {
    case Counter::Unit::Bytes:
        return QStringLiteral("B");
    case Counter::Unit::BytesPerSecond:
        return QStringLiteral("B/s");
    case Counter::Unit::FlopsPerSecond:
        return QStringLiteral("FLOP/s");
    case Counter::Unit::Fraction:
        return QStringLiteral("%");
    case Counter::Unit::None:
        break;
    }
    return {};
}

} // namespace

TimelineMetrics TimelineMetrics::scaledBy(int textScalePercent)
{
    TimelineMetrics m;
    for (double* size : {&m.minimap, &m.ruler, &m.flags, &m.header, &m.group, &m.op, &m.opBlock, &m.nested,
                         &m.nestedBlock, &m.scope, &m.scopeBlock, &m.counter, &m.tallCounter})
        *size = std::round(*size * textScalePercent / 100.0);
    return m;
}

int TimelineRow::levelAt(double atY) const
{
    if (levelHeight <= 0)
        return 0;
    return std::clamp(static_cast<int>((atY - y) / levelHeight), 0, std::max(depth - 1, 0));
}

void RowModel::setTrace(std::shared_ptr<const Trace> trace)
{
    m_trace = std::move(trace);
    m_groups.clear();
    m_contents.clear();
    m_styles.clear();
    if (m_trace)
        collectGroups();
    layOut();
}

void RowModel::collectGroups()
{
    const Trace& trace = *m_trace;
    struct PlaneContent {
        Content content;
        qint64 events = 0;
        int emptyTracks = 0;
    };
    std::vector<PlaneContent> planes(trace.planes.size());
    for (size_t i = 0; i < trace.tracks.size(); ++i) {
        const Track& track = trace.tracks[i];
        m_styles.push_back(styleOfTrack(trace, track));
        if (track.plane.index() >= planes.size())
            continue;
        PlaneContent& plane = planes[track.plane.index()];
        plane.events += track.events.count;
        if (track.events.empty())
            ++plane.emptyTracks;
        else
            plane.content.tracks.emplace_back(i);
    }
    for (size_t i = 0; i < trace.counters.size(); ++i) {
        const Counter& counter = trace.counters[i];
        if (counter.plane.index() < planes.size() && !counter.times.empty())
            planes[counter.plane.index()].content.counters.emplace_back(i);
    }

    std::vector<size_t> order(planes.size());
    std::iota(order.begin(), order.end(), size_t(0));
    std::ranges::stable_sort(order, {}, [&trace](size_t i) { return rankOf(trace.planes[i]); });
    for (const size_t i : order) {
        PlaneContent& plane = planes[i];
        if (plane.content.tracks.empty() && plane.content.counters.empty() && plane.emptyTracks == 0)
            continue;
        TimelineGroup group;
        group.plane = PlaneId(i);
        group.name = toQString(trace.planes[i].name);
        group.note = trace.isSimulated ? RowWords::tr("simulated, %1 events").arg(formatCount(plane.events))
                                       : RowWords::tr("%1 events").arg(formatCount(plane.events));
        if (plane.emptyTracks > 0)
            group.note += RowWords::tr(", %n empty line(s) hidden", nullptr, plane.emptyTracks);
        m_groups.push_back(std::move(group));
        m_contents.push_back(std::move(plane.content));
    }
}

void RowModel::setMetrics(const TimelineMetrics& metrics)
{
    m_metrics = metrics;
    layOut();
}

void RowModel::setCollapsed(size_t group, bool isCollapsed)
{
    if (group >= m_groups.size() || m_groups[group].isCollapsed == isCollapsed)
        return;
    m_groups[group].isCollapsed = isCollapsed;
    layOut();
}

void RowModel::layOut()
{
    m_rows.clear();
    m_rowOfTrack.assign(m_trace ? m_trace->tracks.size() : 0, kNoRow);
    for (size_t i = 0; i < m_groups.size(); ++i)
        addGroupRows(i);
    double y = 0;
    for (size_t i = 0; i < m_rows.size(); ++i) {
        m_rows[i].y = y;
        y += m_rows[i].height;
        if (m_rows[i].kind == RowKind::Track)
            m_rowOfTrack[m_rows[i].track.index()] = static_cast<uint32_t>(i);
    }
}

void RowModel::addGroupRows(size_t group)
{
    TimelineRow header;
    header.group = group;
    header.height = m_metrics.group;
    header.name = m_groups[group].name;
    header.note = m_groups[group].note;
    m_rows.push_back(std::move(header));
    if (m_groups[group].isCollapsed)
        return;
    for (const TrackId track : m_contents[group].tracks)
        m_rows.push_back(trackRow(group, track));
    for (const CounterId counter : m_contents[group].counters)
        m_rows.push_back(counterRow(group, counter));
}

TimelineRow RowModel::trackRow(size_t group, TrackId id) const
{
    const Track& track = m_trace->tracks[id.index()];
    TimelineRow row;
    row.kind = RowKind::Track;
    row.group = group;
    row.track = id;
    row.style = m_styles[id.index()];
    row.depth = std::max<int>(track.depth, 1);
    row.name = nameOf(track);
    row.note = row.style == TrackStyle::NoTime ? RowWords::tr("no time") : formatCount(track.events.count);
    if (row.style == TrackStyle::NoTime) {
        // Marks without a length nest in nothing; those that coincide are counted at one place.
        row.depth = 1;
        row.levelHeight = m_metrics.group;
        row.blockHeight = m_metrics.scopeBlock;
    } else if (row.style == TrackStyle::Scopes) {
        row.levelHeight = m_metrics.scope;
        row.blockHeight = m_metrics.scopeBlock;
    } else {
        row.levelHeight = row.depth == 1 ? m_metrics.op : m_metrics.nested;
        row.blockHeight = row.depth == 1 ? m_metrics.opBlock : m_metrics.nestedBlock;
    }
    row.height = row.levelHeight * row.depth + (row.depth > 1 ? 2 : 0);
    return row;
}

TimelineRow RowModel::counterRow(size_t group, CounterId id) const
{
    const Counter& counter = m_trace->counters[id.index()];
    TimelineRow row;
    row.kind = RowKind::Counter;
    row.group = group;
    row.counter = id;
    row.height = counter.unit == Counter::Unit::Bytes ? m_metrics.tallCounter : m_metrics.counter;
    row.name = toQString(counter.name);
    row.note = unitNote(counter);
    return row;
}

const TimelineRow* RowModel::rowAt(double y) const
{
    if (y < 0 || y >= height())
        return nullptr;
    const auto after = std::ranges::upper_bound(m_rows, y, {}, &TimelineRow::y);
    return &*std::prev(after);
}

const TimelineRow* RowModel::rowOf(TrackId track) const
{
    if (!track.isValid() || track.index() >= m_rowOfTrack.size() || m_rowOfTrack[track.index()] == kNoRow)
        return nullptr;
    return &m_rows[m_rowOfTrack[track.index()]];
}

const TimelineRow* RowModel::rowOf(CounterId counter) const
{
    const auto found =
        std::ranges::find_if(m_rows, [counter](const TimelineRow& row) { return row.counter == counter; });
    return counter.isValid() && found != m_rows.end() ? &*found : nullptr;
}

size_t RowModel::groupOf(TrackId track) const
{
    if (!m_trace || !track.isValid() || track.index() >= m_trace->tracks.size())
        return m_groups.size();
    const PlaneId plane = m_trace->tracks[track.index()].plane;
    const auto found = std::ranges::find(m_groups, plane, &TimelineGroup::plane);
    return static_cast<size_t>(found - m_groups.begin());
}

std::pair<size_t, size_t> RowModel::rowsBetween(double top, double bottom) const
{
    const auto first = std::ranges::upper_bound(m_rows, top, {}, &TimelineRow::bottom);
    const auto last = std::ranges::lower_bound(m_rows, bottom, {}, &TimelineRow::y);
    const auto begin = static_cast<size_t>(first - m_rows.begin());
    return {begin, std::max(begin, static_cast<size_t>(last - m_rows.begin()))};
}

} // namespace hloscope
