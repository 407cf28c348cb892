// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/timeline/counter_painter.h"
#include "views/timeline/event_painter.h"
#include "views/timeline/overview_painter.h"
#include "views/timeline/timeline_controller.h"

#include <QPainter>
#include <QRectF>

#include <optional>

namespace hloscope {

// Where the parts of the timeline stand in the widget.
struct TimelineLayout {
    QRectF minimap; // plot parts, without the row headers at their left
    QRectF ruler;
    QRectF rows;
    double width = 0; // of the widget
    double height = 0;

    static TimelineLayout of(const QSizeF& size, const TimelineMetrics& metrics, double scrollBarWidth);
    double left() const { return rows.left(); }
};

// What the pointer is at.
struct TimelineHover {
    std::optional<QPointF> pointer; // in the widget
    TimelineHit hit;
};

// Paints one frame from the state of the controller. Reads only what has been prepared: strips, minimap, rows.
class TimelinePainter {
public:
    TimelinePainter(QPainter& painter, const TimelineController& controller, const TimelineLayout& layout,
                    TimelineStyle& style, const TimelineHover& hover);

    void paint();

    // Header row that stays on top while its rows scroll: its group and the y where it stands in the widget.
    static std::optional<std::pair<size_t, double>> stickyGroup(const TimelineController& controller,
                                                                const TimelineLayout& layout);

private:
    void paintGrounds();
    void paintGrid(const Ruler& ruler);
    void paintRow(const TimelineRow& row);
    void paintGroup(const TimelineRow& row, double y);
    void paintTrack(const TimelineRow& row, double y);
    void paintCounterRow(const TimelineRow& row, double y);
    void paintHeader(const TimelineRow& row, double y);
    void paintCounterHeader(const TimelineRow& row, double y, const CounterAxis& axis, double most);
    void paintHighlights();
    void paintRange();
    void paintOverviewHeaders(const Ruler& ruler);
    void drawText(LabelCache& font, const QColor& colour, double x, double baseline, const QString& text);
    double toWidget(double rowY) const { return m_layout.rows.top() + rowY - m_controller.scroll(); }

    QPainter& m_painter;
    const TimelineController& m_controller;
    const Trace& m_trace;
    const TimelineLayout& m_layout;
    TimelineStyle& m_style;
    const Theme& m_theme;
    const TimelineHover& m_hover;
    TimeScale m_scale;
    EventPainter m_events;
    std::vector<TrackId> m_rangeTracks; // sorted
};

} // namespace hloscope
