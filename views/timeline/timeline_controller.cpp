// SPDX-License-Identifier: Apache-2.0
#include "views/timeline/timeline_controller.h"

#include "views/common/workspace.h"

#include <QScopedValueRollback>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace hloscope {

namespace {

constexpr double kAnimationMilliseconds = 160;
constexpr int kFrameMilliseconds = 8;
// Shares of the window: of an event that is in focus at least and at most, and of one that fills the window.
constexpr double kLeastFocus = 0.05;
constexpr double kMostFocus = 0.6;
constexpr double kFill = 0.9;
constexpr size_t kMaxSavedViews = 32;

bool isNear(const TimeWindow& a, const TimeWindow& b)
{
    const double tolerance = 1e-6 * b.span();
    return std::abs(a.begin - b.begin) <= tolerance && std::abs(a.end - b.end) <= tolerance;
}

} // namespace

TimelineController::TimelineController(Workspace& workspace, Selection& selection, QObject* parent)
    : QObject(parent), m_workspace(workspace), m_selection(selection), m_geometry(this)
{
    m_timer.setInterval(kFrameMilliseconds);
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, &TimelineController::animate);
    connect(&selection, &Selection::changed, this, &TimelineController::followSelection);
    connect(&workspace, &Workspace::moduleChanged, this, &TimelineController::followSelection);
    connect(&workspace, &Workspace::closed, this, &TimelineController::followSelection);
    m_rows.setMetrics(m_metrics);
    followSelection();
}

void TimelineController::setMetrics(const TimelineMetrics& metrics)
{
    m_metrics = metrics;
    m_rows.setMetrics(metrics);
    setScroll(m_scroll);
    requestGeometry();
    emit rowsChanged();
}

void TimelineController::setPlotSize(double width, double height)
{
    if (width == m_plotWidth && height == m_plotHeight)
        return;
    m_plotWidth = width;
    m_plotHeight = height;
    setScroll(m_scroll);
    requestGeometry();
}

double TimelineController::limit() const
{
    if (!m_trace)
        return kMinWindowSpan;
    const auto [begin, end] = m_trace->span();
    return std::max(static_cast<double>(end - begin), kMinWindowSpan);
}

void TimelineController::zoomAt(double offset, double factor, bool isAnimated)
{
    show(zoomed(m_target, offset, factor), isAnimated);
}

void TimelineController::panBy(double windows, bool isAnimated)
{
    show(panned(m_target, windows * m_target.span()), isAnimated);
}

void TimelineController::show(const TimeWindow& window, bool isAnimated)
{
    m_target = clamped(window, limit());
    m_from = m_window;
    requestGeometry();
    if (!isAnimated || m_isMotionReduced) {
        m_timer.stop();
        m_window = m_target;
        emit viewChanged();
        return;
    }
    m_clock.start();
    if (!m_timer.isActive())
        m_timer.start();
}

void TimelineController::animate()
{
    const double done = static_cast<double>(m_clock.nsecsElapsed()) / 1e6 / kAnimationMilliseconds;
    m_window = done >= 1 ? m_target : interpolated(m_from, m_target, easeOutCubic(done));
    if (done >= 1)
        m_timer.stop();
    emit viewChanged();
}

std::optional<std::pair<double, double>> TimelineController::focusedTimes() const
{
    if (m_event.isValid())
        return std::pair(static_cast<double>(m_trace->begin(m_event) - origin()),
                         static_cast<double>(m_trace->end(m_event) - origin()));
    if (m_range)
        return std::pair(static_cast<double>(m_range->begin - origin()), static_cast<double>(m_range->end - origin()));
    return std::nullopt;
}

void TimelineController::focusSelection()
{
    if (!m_trace)
        return;
    const auto times = focusedTimes();
    if (!times) {
        showAll();
        return;
    }
    const double length = times->second - times->first;
    const double middle = (times->first + times->second) / 2;
    const auto around = [&](double span) { return clamped({middle - span / 2, middle + span / 2}, limit()); };
    const double shortest = length / kMostFocus;
    const double longest = length > 0 ? length / kLeastFocus : m_target.span();
    const TimeWindow centred = around(std::clamp(m_target.span(), shortest, longest));
    if (m_event.isValid())
        revealRow(m_event);
    const TimeWindow fit = around(std::max(length / kFill, kMinWindowSpan));
    show(isNear(m_target, centred) || isNear(m_target, fit) ? fit : centred);
}

void TimelineController::zoomToTimes(int64_t begin, int64_t end)
{
    const double length = std::max(static_cast<double>(end - begin), kMinWindowSpan);
    const double margin = length * (1 / kFill - 1) / 2;
    const double from = static_cast<double>(begin - origin());
    show({from - margin, from + length + margin});
}

double TimelineController::maxScroll() const
{
    return std::max(0.0, m_rows.height() - m_plotHeight);
}

void TimelineController::setScroll(double y)
{
    const double wanted = std::round(std::clamp(y, 0.0, maxScroll()));
    if (wanted == m_scroll)
        return;
    m_scroll = wanted;
    requestGeometry();
    emit viewChanged();
}

void TimelineController::toggleGroup(size_t group)
{
    if (group >= m_rows.groups().size())
        return;
    m_rows.setCollapsed(group, !m_rows.groups()[group].isCollapsed);
    setScroll(m_scroll);
    requestGeometry();
    emit rowsChanged();
}

TimelineHit TimelineController::hitAt(double x, double y, double left) const
{
    TimelineHit hit;
    hit.row = m_rows.rowAt(y);
    if (hit.row == nullptr || hit.row->kind != RowKind::Track)
        return hit;
    hit.level = hit.row->levelAt(y);
    const TimeScale timeScale = scale(left);
    const StripKey key{hit.row->track, {}, static_cast<uint16_t>(hit.level)};
    const double reach = hit.row->style == TrackStyle::NoTime ? 6 : 2;
    const auto strips = m_geometry.strips(key, m_window, m_plotWidth);
    for (auto strip = strips.rbegin(); strip != strips.rend() && !hit.mark; ++strip) {
        const int64_t time = timeScale.timeAt(x);
        if ((*strip)->begin > time || (*strip)->end < time)
            continue;
        if (const LevelOfDetail::Mark* mark = markAt(**strip, timeScale, x, reach))
            hit.mark = *mark;
        break;
    }
    return hit;
}

EventId TimelineController::selectedEvent() const
{
    return m_event;
}

TrackId TimelineController::selectedTrack() const
{
    return m_event.isValid() ? m_trace->trackOf(m_event) : TrackId();
}

void TimelineController::selectEvent(EventId event)
{
    if (!m_trace || !event.isValid())
        return;
    const QScopedValueRollback guard(m_isOwnSelection, true);
    m_selection.selectEvent(m_trace, event);
}

void TimelineController::clearEvent()
{
    if (m_trace && m_event.isValid())
        m_selection.selectTrace(m_trace);
}

void TimelineController::stepEvent(int direction)
{
    if (!m_trace)
        return;
    const Trace& trace = *m_trace;
    if (!m_event.isValid()) {
        const auto [first, last] = m_rows.rowsBetween(m_scroll, m_scroll + m_plotHeight);
        for (size_t i = first; i < last; ++i) {
            const TimelineRow& row = m_rows.rows()[i];
            if (row.kind != RowKind::Track || row.style == TrackStyle::Scopes)
                continue;
            const TimeScale timeScale = scale(0);
            const auto strip = m_geometry.best({row.track, {}, 0}, m_window, m_plotWidth);
            if (!strip)
                continue;
            const auto mark = firstMarkFrom(*strip, timeScale.timeAt(0));
            if (mark == strip->marks.end())
                continue;
            m_selection.selectEvent(m_trace, mark->event);
            return;
        }
        return;
    }
    const IndexRange range = trace.tracks[trace.trackOf(m_event).index()].events;
    const auto first = trace.depths.begin() + range.begin;
    const auto here = trace.depths.begin() + static_cast<std::ptrdiff_t>(m_event.index());
    const uint8_t depth = *here;
    // One byte per event: ten million are searched within a frame.
    if (direction > 0) {
        const auto next = std::find(here + 1, first + range.count, depth);
        if (next != first + range.count)
            m_selection.selectEvent(m_trace, EventId(static_cast<size_t>(next - trace.depths.begin())));
    } else {
        const auto before = std::find(std::make_reverse_iterator(here), std::make_reverse_iterator(first), depth);
        if (before.base() != first)
            m_selection.selectEvent(m_trace, EventId(static_cast<size_t>(before.base() - trace.depths.begin()) - 1));
    }
}

void TimelineController::revealRow(EventId event)
{
    const TrackId track = m_trace->trackOf(event);
    const size_t group = m_rows.groupOf(track);
    if (group < m_rows.groups().size() && m_rows.groups()[group].isCollapsed)
        toggleGroup(group);
    const TimelineRow* row = m_rows.rowOf(track);
    if (row == nullptr)
        return;
    const int level = std::min<int>(m_trace->depths[event.index()], row->depth - 1);
    const double top = row->y + level * row->levelHeight;
    const double bottom = top + std::max(row->levelHeight, row->depth == 1 ? row->height : 0);
    // The header of the group stays at the top while its rows scroll below it.
    if (top - m_metrics.group < m_scroll)
        setScroll(top - m_metrics.group);
    else if (bottom > m_scroll + m_plotHeight)
        setScroll(bottom - m_plotHeight);
}

void TimelineController::reveal(EventId event)
{
    if (!m_trace || !event.isValid())
        return;
    revealRow(event);
    if (m_plotWidth < 1)
        return;
    const double begin = static_cast<double>(m_trace->begin(event) - origin());
    const double end = static_cast<double>(m_trace->end(event) - origin());
    const double length = end - begin;
    TimeWindow wanted = m_target;
    if (length > 0 && length / m_target.span() * m_plotWidth < kMinMarkPixels)
        wanted = zoomed(wanted, begin, kLeastFocus * m_target.span() / length);
    const double middle = (begin + end) / 2;
    const double margin = std::min(wanted.span() * 0.02, 8 * wanted.span() / m_plotWidth);
    const bool isVisible = end > wanted.begin + margin && begin < wanted.end - margin;
    if (!isVisible || !(wanted == m_target)) {
        const double at = length < wanted.span() ? middle : begin + wanted.span() * 0.4;
        wanted = {at - wanted.span() / 2, at + wanted.span() / 2};
        show(wanted);
    }
}

std::vector<TrackId> TimelineController::summedTracks() const
{
    if (!m_rangeTracks.empty())
        return m_rangeTracks;
    std::vector<TrackId> tracks;
    for (size_t group = 0; group < m_rows.groups().size(); ++group) {
        for (const TrackId track : m_rows.tracksOf(group)) {
            if (m_rows.styleOf(track) != TrackStyle::Scopes)
                tracks.push_back(track);
        }
    }
    return tracks;
}

void TimelineController::setRange(std::optional<TimeRange> range, std::vector<TrackId> tracks)
{
    if (!m_trace || (range == m_range && tracks == m_rangeTracks))
        return;
    m_range = range;
    m_rangeTracks = range ? std::move(tracks) : std::vector<TrackId>();
    m_selection.selectRange(range);
    emit rangeChanged();
}

std::vector<TrackId> TimelineController::tracksBetween(double top, double bottom) const
{
    std::vector<TrackId> tracks;
    const auto [first, last] = m_rows.rowsBetween(top, bottom);
    for (size_t i = first; i < last; ++i) {
        const TimelineRow& row = m_rows.rows()[i];
        if (row.kind == RowKind::Track)
            tracks.push_back(row.track);
        else if (row.kind == RowKind::Group && (m_rows.groups()[row.group].isCollapsed || last - first == 1))
            tracks.insert(tracks.end(), m_rows.tracksOf(row.group).begin(), m_rows.tracksOf(row.group).end());
    }
    const auto isScope = [this](TrackId track) { return m_rows.styleOf(track) == TrackStyle::Scopes; };
    if (!std::ranges::all_of(tracks, isScope))
        std::erase_if(tracks, isScope);
    return tracks;
}

bool TimelineController::clearStep()
{
    if (m_range) {
        setRange(std::nullopt);
        return true;
    }
    if (!m_event.isValid())
        return false;
    clearEvent();
    return true;
}

GeometryRequest TimelineController::geometryRequest() const
{
    GeometryRequest request;
    request.window = m_target;
    request.width = m_plotWidth;
    const auto addStrips = [&](double top, double bottom) {
        const auto [first, last] = m_rows.rowsBetween(top, bottom);
        for (size_t i = first; i < last; ++i) {
            const TimelineRow& row = m_rows.rows()[i];
            if (row.kind == RowKind::Counter)
                request.strips.push_back({{}, row.counter, 0});
            if (row.kind != RowKind::Track)
                continue;
            const int firstLevel = row.levelAt(top);
            const int lastLevel = row.levelAt(bottom);
            for (int level = firstLevel; level <= lastLevel; ++level)
                request.strips.push_back({row.track, {}, static_cast<uint16_t>(level)});
        }
    };
    addStrips(m_scroll, m_scroll + m_plotHeight);
    // Half a page on either side, for the wheel.
    addStrips(m_scroll + m_plotHeight, m_scroll + m_plotHeight * 1.5);
    addStrips(m_scroll - m_plotHeight / 2, m_scroll);
    if (m_scopeTrack.isValid())
        request.strips.push_back({m_scopeTrack, {}, 0});
    return request;
}

std::vector<TrackId> TimelineController::minimapTracks() const
{
    std::vector<TrackId> devices;
    std::vector<TrackId> all;
    for (size_t group = 0; group < m_rows.groups().size(); ++group) {
        const Plane& plane = m_trace->planes[m_rows.groups()[group].plane.index()];
        const bool isDevice = std::string_view(plane.name).starts_with("/device:");
        for (const TrackId track : m_rows.tracksOf(group)) {
            if (m_rows.styleOf(track) != TrackStyle::Ops)
                continue;
            all.push_back(track);
            if (isDevice)
                devices.push_back(track);
        }
    }
    return devices.empty() ? all : devices;
}

TrackId TimelineController::findScopeTrack() const
{
    for (const std::string_view name : {"Layers", "Steps", "Name scopes", "XLA Modules"}) {
        for (size_t group = 0; group < m_rows.groups().size(); ++group) {
            for (const TrackId track : m_rows.tracksOf(group)) {
                if (m_trace->tracks[track.index()].name == name)
                    return track;
            }
        }
    }
    return {};
}

void TimelineController::requestGeometry()
{
    if (!m_trace || m_plotWidth < 1 || m_plotHeight < 1)
        return;
    m_geometry.request(geometryRequest());
    m_geometry.requestMinimap(minimapTracks(), static_cast<size_t>(m_plotWidth));
}

void TimelineController::buildGeometryNow()
{
    if (!m_trace || m_plotWidth < 1)
        return;
    m_geometry.buildNow(geometryRequest());
    m_geometry.buildMinimapNow(minimapTracks(), static_cast<size_t>(m_plotWidth));
}

void TimelineController::followSelection()
{
    const SelectionState& state = m_selection.state();
    std::shared_ptr<const Trace> trace = state.trace;
    if (!trace && state.module) {
        const ModuleEntry* entry = m_workspace.entry(state.module.get());
        if (entry != nullptr && entry->simulation)
            trace = entry->simulation->trace;
    }
    if (trace != m_trace)
        setTrace(std::move(trace));

    const std::optional<TimeRange> range = m_trace ? state.range : std::nullopt;
    if (range != m_range) {
        m_range = range;
        m_rangeTracks.clear();
        emit rangeChanged();
    }
    EventId event = state.trace == m_trace ? state.event : EventId();
    if (event.isValid() && (!m_trace || event.index() >= m_trace->eventCount()))
        event = {};
    if (event != m_event) {
        m_event = event;
        if (!m_isOwnSelection)
            reveal(event);
        emit eventChanged();
    }
}

void TimelineController::setTrace(std::shared_ptr<const Trace> trace)
{
    saveView();
    m_trace = std::move(trace);
    m_event = {};
    m_range.reset();
    m_rangeTracks.clear();
    m_timer.stop();
    m_scroll = 0;
    m_geometry.setTrace(m_trace);
    m_rows.setTrace(m_trace);
    m_scopeTrack = m_trace ? findScopeTrack() : TrackId();
    m_window = m_target = m_from = {0, limit()};
    restoreView();
    requestGeometry();
    emit traceChanged();
    emit rowsChanged();
    emit rangeChanged();
    emit viewChanged();
}

// Going back to a trace shows it as it was left.
void TimelineController::saveView()
{
    std::erase_if(m_savedViews, [this](const SavedView& view) {
        const auto trace = view.trace.lock();
        return !trace || trace == m_trace;
    });
    if (!m_trace)
        return;
    SavedView view{m_trace, m_target, m_scroll, {}};
    for (const TimelineGroup& group : m_rows.groups())
        view.collapsed.push_back(group.isCollapsed);
    m_savedViews.push_back(std::move(view));
    if (m_savedViews.size() > kMaxSavedViews)
        m_savedViews.erase(m_savedViews.begin());
}

void TimelineController::restoreView()
{
    for (const SavedView& view : m_savedViews) {
        if (!m_trace || view.trace.lock() != m_trace)
            continue;
        for (size_t i = 0; i < view.collapsed.size(); ++i)
            m_rows.setCollapsed(i, view.collapsed[i]);
        m_window = m_target = clamped(view.window, limit());
        m_scroll = std::clamp(view.scroll, 0.0, maxScroll());
    }
}

} // namespace hloscope
