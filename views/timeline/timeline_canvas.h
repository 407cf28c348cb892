// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/common/worker.h"
#include "views/timeline/drag_tool.h"
#include "views/timeline/hover_card.h"
#include "views/timeline/key_motion.h"
#include "views/timeline/timeline_controller.h"
#include "views/timeline/timeline_painter.h"

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>

#include <memory>
#include <optional>

QT_FORWARD_DECLARE_CLASS(QNativeGestureEvent)
QT_FORWARD_DECLARE_CLASS(QScrollBar)

namespace hloscope {

// The painted timeline: minimap, ruler, row headers and rows. Turns input into calls of the controller and shows its
// state.
class TimelineCanvas : public QWidget {
    Q_OBJECT

public:
    // The hover card is shown over `cardParent`, an ancestor with room for it.
    TimelineCanvas(TimelineController& controller, QWidget* cardParent, QWidget* parent = nullptr);
    ~TimelineCanvas() override;

    TimelineLayout timelineLayout() const;
    const TimelineHover& hover() const { return m_hover; }
    HoverCard& card() { return *m_card; }
    // Handles a key that another part of the view did not want. False when it means nothing here.
    bool handleKey(const QKeyEvent& event);
    void handleKeyRelease(const QKeyEvent& event);
    // Tells the controller the size of the plot, also while the widget is not shown.
    void updateGeometryOfRows();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    void applyTheme();
    void updateScrollBar();
    void updateHover();
    void hideCard();
    void showCard();
    void fillCard();
    void requestDetails(EventId event);
    void describe();

    void click(const QPointF& at);
    std::optional<size_t> groupHeaderAt(const QPointF& at) const;
    TimelineHit hitAt(const QPointF& at) const;
    // Time that stays in place when zooming: that under the pointer, or the middle.
    double zoomAnchor() const;
    void moveBy(Motion motion, double steps, bool isFast, bool isAnimated);
    void glide();
    void stopGlide();
    void nativeGesture(const QNativeGestureEvent& gesture);

    TimelineController& m_controller;
    std::unique_ptr<TimelineStyle> m_style;
    TimelineHover m_hover;
    DragTool m_drag;
    bool m_isPressedInHeader = false;
    QScrollBar* m_scrollBar;
    HoverCard* m_card;
    QTimer m_cardTimer;
    EventId m_detailsOf; // event that m_details is about, or that is being looked up
    std::optional<EventDetails> m_details;
    Motion m_held = Motion::None;
    bool m_isHeldFast = false;
    QElapsedTimer m_heldFor;
    double m_lastGlideMs = 0;
    QTimer m_glideTimer;
    std::unique_ptr<Worker> m_detailsWorker;
};

} // namespace hloscope
