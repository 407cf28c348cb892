// SPDX-License-Identifier: Apache-2.0
// What keys, wheel, mouse and touchpad do on the canvas.
#include "views/timeline/timeline_canvas.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace hloscope {

namespace {

constexpr double kWheelNotch = 120; // eighths of a degree
constexpr double kZoomPerNotch = 1.25;
constexpr double kPanPerNotch = 0.1; // windows
constexpr double kScrollPerNotch = 60; // pixels

} // namespace

double TimelineCanvas::zoomAnchor() const
{
    const TimelineLayout layout = timelineLayout();
    const TimeWindow& window = m_controller.target();
    double share = 0.5;
    if (m_hover.pointer && m_hover.pointer->x() >= layout.left() && m_hover.pointer->x() <= layout.rows.right())
        share = (m_hover.pointer->x() - layout.left()) / layout.rows.width();
    return window.begin + share * window.span();
}

void TimelineCanvas::moveBy(Motion motion, double steps, bool isFast, bool isAnimated)
{
    const double amount = steps * (isFast ? MotionStep::kFast : 1);
    switch (motion) {
    case Motion::ZoomIn:
        m_controller.zoomAt(zoomAnchor(), std::pow(MotionStep::kZoomFactor, amount), isAnimated);
        break;
    case Motion::ZoomOut:
        m_controller.zoomAt(zoomAnchor(), std::pow(MotionStep::kZoomFactor, -amount), isAnimated);
        break;
    case Motion::PanLeft:
        m_controller.panBy(-MotionStep::kPanWindows * amount, isAnimated);
        break;
    case Motion::PanRight:
        m_controller.panBy(MotionStep::kPanWindows * amount, isAnimated);
        break;
    case Motion::ScrollUp:
        m_controller.setScroll(m_controller.scroll() - MotionStep::kScrollPixels * amount);
        break;
    case Motion::ScrollDown:
        m_controller.setScroll(m_controller.scroll() + MotionStep::kScrollPixels * amount);
        break;
    case Motion::None:
        break;
    }
}

bool TimelineCanvas::handleKey(const QKeyEvent& event)
{
    if (!m_controller.trace())
        return false;
    const Motion motion = motionOf(event);
    if (motion != Motion::None) {
        // The glide replaces the keyboard's own repetition, which is slow and jerky.
        if (event.isAutoRepeat())
            return true;
        moveBy(motion, 1, event.modifiers() & Qt::ShiftModifier, true);
        m_held = motion;
        m_isHeldFast = event.modifiers() & Qt::ShiftModifier;
        m_heldFor.start();
        m_lastGlideMs = 0;
        m_glideTimer.start();
        return true;
    }
    if (event.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier))
        return false;
    switch (event.key()) {
    case Qt::Key_F:
        if (!event.isAutoRepeat())
            m_controller.focusSelection();
        return true;
    case Qt::Key_0:
        m_controller.showAll();
        return true;
    case Qt::Key_Home:
        m_controller.show(panned(m_controller.target(), -m_controller.limit()));
        return true;
    case Qt::Key_End:
        m_controller.show(panned(m_controller.target(), m_controller.limit()));
        return true;
    case Qt::Key_PageUp:
        m_controller.setScroll(m_controller.scroll() - m_controller.plotHeight());
        return true;
    case Qt::Key_PageDown:
        m_controller.setScroll(m_controller.scroll() + m_controller.plotHeight());
        return true;
    case Qt::Key_Period:
        m_controller.stepEvent(1);
        return true;
    case Qt::Key_Comma:
        m_controller.stepEvent(-1);
        return true;
    case Qt::Key_Escape:
        return m_controller.clearStep();
    default:
        return false;
    }
}

void TimelineCanvas::keyPressEvent(QKeyEvent* event)
{
    if (!handleKey(*event))
        QWidget::keyPressEvent(event);
}

void TimelineCanvas::handleKeyRelease(const QKeyEvent& event)
{
    if (!event.isAutoRepeat() && motionOf(event) == m_held)
        stopGlide();
}

void TimelineCanvas::keyReleaseEvent(QKeyEvent* event)
{
    handleKeyRelease(*event);
    QWidget::keyReleaseEvent(event);
}

void TimelineCanvas::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    update();
}

void TimelineCanvas::focusOutEvent(QFocusEvent* event)
{
    stopGlide();
    QWidget::focusOutEvent(event);
    update();
}

void TimelineCanvas::glide()
{
    if (m_held == Motion::None)
        return;
    const double held = static_cast<double>(m_heldFor.nsecsElapsed()) / 1e6;
    const double steps = glideSteps(held, held - m_lastGlideMs);
    m_lastGlideMs = held;
    if (steps > 0)
        moveBy(m_held, steps, m_isHeldFast, false);
}

void TimelineCanvas::stopGlide()
{
    m_held = Motion::None;
    m_glideTimer.stop();
}

void TimelineCanvas::wheelEvent(QWheelEvent* event)
{
    if (!m_controller.trace())
        return;
    m_hover.pointer = event->position();
    const QPointF notches = QPointF(event->angleDelta()) / kWheelNotch;
    // A touchpad sends many small steps, which need no easing.
    const bool isAnimated = std::abs(notches.y()) >= 1 && event->pixelDelta().isNull();
    if (event->modifiers() & Qt::ControlModifier) {
        m_controller.zoomAt(zoomAnchor(), std::pow(kZoomPerNotch, notches.y()), isAnimated);
    } else if (event->modifiers() & Qt::ShiftModifier) {
        const double by = notches.y() != 0 ? notches.y() : notches.x();
        m_controller.panBy(-by * kPanPerNotch, isAnimated);
    } else {
        if (notches.x() != 0)
            m_controller.panBy(-notches.x() * kPanPerNotch, false);
        const double pixels = event->pixelDelta().isNull() ? notches.y() * kScrollPerNotch : event->pixelDelta().y();
        if (pixels != 0)
            m_controller.setScroll(m_controller.scroll() - pixels);
    }
    updateHover();
    event->accept();
}

bool TimelineCanvas::event(QEvent* event)
{
    if (event->type() == QEvent::NativeGesture && m_controller.trace()) {
        nativeGesture(*static_cast<QNativeGestureEvent*>(event));
        return true;
    }
    // The release of a key that is held goes to another window.
    if (event->type() == QEvent::WindowDeactivate)
        stopGlide();
    return QWidget::event(event);
}

void TimelineCanvas::nativeGesture(const QNativeGestureEvent& gesture)
{
    if (gesture.gestureType() != Qt::ZoomNativeGesture)
        return;
    m_hover.pointer = gesture.position();
    m_controller.zoomAt(zoomAnchor(), std::max(1 + gesture.value(), 0.1), false);
}

std::optional<size_t> TimelineCanvas::groupHeaderAt(const QPointF& at) const
{
    const TimelineLayout layout = timelineLayout();
    if (at.y() < layout.rows.top() || at.x() >= layout.rows.right())
        return std::nullopt;
    if (const auto sticky = TimelinePainter::stickyGroup(m_controller, layout)) {
        if (at.y() < sticky->second + m_controller.metrics().group)
            return sticky->first;
    }
    const TimelineRow* row = m_controller.rows().rowAt(at.y() - layout.rows.top() + m_controller.scroll());
    return row != nullptr && row->kind == RowKind::Group ? std::optional(row->group) : std::nullopt;
}

void TimelineCanvas::mousePressEvent(QMouseEvent* event)
{
    if (!m_controller.trace())
        return;
    m_hover.pointer = event->position();
    m_drag.press(event->position(), event->button(), timelineLayout());
    m_isPressedInHeader = event->button() == Qt::LeftButton && event->position().x() < timelineLayout().left();
    if (m_drag.kind() == DragTool::Kind::Pan)
        setCursor(Qt::ClosedHandCursor);
    hideCard();
}

void TimelineCanvas::mouseMoveEvent(QMouseEvent* event)
{
    if (!m_controller.trace())
        return;
    m_hover.pointer = event->position();
    const TimelineLayout layout = timelineLayout();
    if (event->buttons() != Qt::NoButton) {
        m_drag.move(event->position(), layout);
    } else {
        switch (m_drag.kindAt(event->position(), layout)) {
        case DragTool::Kind::RangeEdge:
        case DragTool::Kind::WindowBegin:
        case DragTool::Kind::WindowEnd:
            setCursor(Qt::SplitHCursor);
            break;
        default:
            unsetCursor();
        }
    }
    updateHover();
    // Counters show their value at the pointer, so every move counts.
    update();
    if (m_card->isVisible())
        showCard();
}

void TimelineCanvas::mouseReleaseEvent(QMouseEvent* event)
{
    if (!m_controller.trace())
        return;
    m_hover.pointer = event->position();
    const DragTool::Kind kind = m_drag.release();
    unsetCursor();
    if (event->button() == Qt::LeftButton && (kind == DragTool::Kind::Undecided || m_isPressedInHeader))
        click(event->position());
    m_isPressedInHeader = false;
    updateHover();
}

void TimelineCanvas::click(const QPointF& at)
{
    const TimelineLayout layout = timelineLayout();
    if (const auto group = groupHeaderAt(at)) {
        m_controller.toggleGroup(*group);
        return;
    }
    if (at.x() < layout.left() || !layout.rows.contains(at))
        return;
    const TimelineHit hit = hitAt(at);
    if (!hit.mark) {
        m_controller.clearEvent();
    } else if (hit.mark->isRun()) {
        m_controller.setRange(TimeRange{hit.mark->begin, hit.mark->end}, {hit.row->track});
    } else {
        m_controller.selectEvent(hit.mark->event);
    }
}

void TimelineCanvas::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (!m_controller.trace() || event->button() != Qt::LeftButton)
        return;
    // The release that follows is not another click.
    m_drag.cancel();
    const QPointF at = event->position();
    const TimelineLayout layout = timelineLayout();
    if (const auto group = groupHeaderAt(at)) {
        m_controller.toggleGroup(*group);
        return;
    }
    const auto& range = m_controller.range();
    if (layout.ruler.contains(at) && range) {
        m_controller.zoomToTimes(range->begin, range->end);
        return;
    }
    const TimelineHit hit = hitAt(at);
    if (hit.mark)
        m_controller.zoomToTimes(hit.mark->begin, hit.mark->end);
}

void TimelineCanvas::leaveEvent(QEvent*)
{
    m_hover.pointer.reset();
    updateHover();
    hideCard();
    update();
}

} // namespace hloscope
