// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/timeline/timeline_controller.h"
#include "views/timeline/timeline_painter.h"

#include <QPointF>
#include <Qt>

namespace hloscope {

// What dragging does: on the rows and the ruler it selects a range, at the edge of a range it moves that edge, on the
// minimap it moves or resizes the window, with the middle button it pans. Knows no widget; positions are those of the
// layout it is given.
class DragTool {
public:
    enum class Kind { None, Undecided, Range, RangeEdge, WindowMove, WindowBegin, WindowEnd, Pan };

    explicit DragTool(TimelineController& controller);

    // What a press at this place would start; for the shape of the pointer.
    Kind kindAt(const QPointF& at, const TimelineLayout& layout) const;
    void press(const QPointF& at, Qt::MouseButton button, const TimelineLayout& layout);
    void move(const QPointF& to, const TimelineLayout& layout);
    // What was dragged; Undecided for a click.
    Kind release();
    void cancel();
    Kind kind() const { return m_kind; }

private:
    bool isOnRangeEdge(double x, const TimelineLayout& layout, bool& isBegin) const;
    void dragRange(const QPointF& to, const TimelineLayout& layout);
    void dragWindow(const QPointF& to, const TimelineLayout& layout);
    MinimapScale minimapScale(const TimelineLayout& layout) const;

    TimelineController& m_controller;
    Kind m_kind = Kind::None;
    QPointF m_press;
    double m_pressRowY = 0; // in the rows, which may scroll meanwhile
    TimeWindow m_pressWindow;
    double m_pressScroll = 0;
    int64_t m_anchor = 0; // the end of the range that stays
    std::vector<TrackId> m_tracks; // of the range whose edge is moved
    bool m_isOnRuler = false;
};

} // namespace hloscope
