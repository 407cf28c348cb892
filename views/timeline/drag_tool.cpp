// SPDX-License-Identifier: Apache-2.0
#include "views/timeline/drag_tool.h"

#include <algorithm>
#include <cmath>

namespace hloscope {

namespace {

constexpr double kDragDistance = 4;
constexpr double kEdgeReach = 4;
constexpr double kHandleReach = 6;

} // namespace

DragTool::DragTool(TimelineController& controller) : m_controller(controller) { }

MinimapScale DragTool::minimapScale(const TimelineLayout& layout) const
{
    return {layout.minimap.left(), layout.minimap.width(), m_controller.limit()};
}

bool DragTool::isOnRangeEdge(double x, const TimelineLayout& layout, bool& isBegin) const
{
    const auto& range = m_controller.range();
    if (!range)
        return false;
    const TimeScale scale = m_controller.scale(layout.left());
    const double toBegin = std::abs(scale.xOf(range->begin) - x);
    const double toEnd = std::abs(scale.xOf(range->end) - x);
    isBegin = toBegin < toEnd;
    return std::min(toBegin, toEnd) <= kEdgeReach;
}

DragTool::Kind DragTool::kindAt(const QPointF& at, const TimelineLayout& layout) const
{
    if (layout.minimap.contains(at)) {
        const MinimapScale scale = minimapScale(layout);
        const TimeWindow& window = m_controller.target();
        const double toBegin = std::abs(scale.xOf(window.begin) - at.x());
        const double toEnd = std::abs(scale.xOf(window.end) - at.x());
        if (std::min(toBegin, toEnd) > kHandleReach)
            return Kind::WindowMove;
        return toBegin < toEnd ? Kind::WindowBegin : Kind::WindowEnd;
    }
    if (!layout.rows.contains(at) && !layout.ruler.contains(at))
        return Kind::None;
    bool isBegin = false;
    return isOnRangeEdge(at.x(), layout, isBegin) ? Kind::RangeEdge : Kind::Undecided;
}

void DragTool::press(const QPointF& at, Qt::MouseButton button, const TimelineLayout& layout)
{
    cancel();
    m_press = at;
    m_pressWindow = m_controller.target();
    m_pressScroll = m_controller.scroll();
    m_pressRowY = at.y() - layout.rows.top() + m_pressScroll;
    m_isOnRuler = layout.ruler.contains(at);
    if (button == Qt::MiddleButton) {
        m_kind = layout.rows.contains(at) || m_isOnRuler ? Kind::Pan : Kind::None;
        return;
    }
    if (button != Qt::LeftButton)
        return;
    m_kind = kindAt(at, layout);
    if (m_kind == Kind::RangeEdge) {
        bool isBegin = false;
        isOnRangeEdge(at.x(), layout, isBegin);
        m_anchor = isBegin ? m_controller.range()->end : m_controller.range()->begin;
        m_tracks = m_controller.rangeTracks();
    } else if (m_kind == Kind::WindowMove) {
        const MinimapScale scale = minimapScale(layout);
        const double offset = scale.offsetAt(at.x());
        // A press beside the window brings it there.
        if (offset < m_pressWindow.begin || offset > m_pressWindow.end) {
            m_controller.show(panned(m_pressWindow, offset - (m_pressWindow.begin + m_pressWindow.end) / 2));
            m_pressWindow = m_controller.target();
        }
    }
}

void DragTool::move(const QPointF& to, const TimelineLayout& layout)
{
    switch (m_kind) {
    case Kind::None:
        return;
    case Kind::Undecided:
        if ((to - m_press).manhattanLength() < kDragDistance)
            return;
        m_kind = Kind::Range;
        m_anchor = m_controller.scale(layout.left()).timeAt(m_press.x());
        dragRange(to, layout);
        return;
    case Kind::Range:
    case Kind::RangeEdge:
        dragRange(to, layout);
        return;
    case Kind::WindowMove:
    case Kind::WindowBegin:
    case Kind::WindowEnd:
        dragWindow(to, layout);
        return;
    case Kind::Pan: {
        const double perPixel = m_pressWindow.span() / std::max(layout.rows.width(), 1.0);
        m_controller.show(panned(m_pressWindow, (m_press.x() - to.x()) * perPixel), false);
        m_controller.setScroll(m_pressScroll + m_press.y() - to.y());
        return;
    }
    }
}

void DragTool::dragRange(const QPointF& to, const TimelineLayout& layout)
{
    const TimeScale scale = m_controller.scale(layout.left());
    const double x = std::clamp(to.x(), layout.rows.left(), layout.rows.right());
    const int64_t last = m_controller.origin() + static_cast<int64_t>(m_controller.limit());
    const int64_t time = std::clamp(scale.timeAt(x), m_controller.origin(), last);
    const TimeRange range{std::min(m_anchor, time), std::max(m_anchor, time)};
    if (m_kind == Kind::RangeEdge) {
        m_controller.setRange(range, m_tracks);
        return;
    }
    if (m_isOnRuler) {
        m_controller.setRange(range);
        return;
    }
    const double rowY = to.y() - layout.rows.top() + m_controller.scroll();
    m_controller.setRange(range, m_controller.tracksBetween(std::min(m_pressRowY, rowY), std::max(m_pressRowY, rowY)));
}

void DragTool::dragWindow(const QPointF& to, const TimelineLayout& layout)
{
    const MinimapScale scale = minimapScale(layout);
    const double by = scale.offsetAt(to.x()) - scale.offsetAt(m_press.x());
    TimeWindow window = m_pressWindow;
    if (m_kind == Kind::WindowMove) {
        window = panned(window, by);
    } else {
        (m_kind == Kind::WindowBegin ? window.begin : window.end) += by;
        if (window.begin > window.end)
            std::swap(window.begin, window.end);
        window.begin = std::max(window.begin, 0.0);
        window.end = std::min(window.end, m_controller.limit());
    }
    m_controller.show(window, false);
}

DragTool::Kind DragTool::release()
{
    return std::exchange(m_kind, Kind::None);
}

void DragTool::cancel()
{
    m_kind = Kind::None;
    m_tracks.clear();
}

} // namespace hloscope
