// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/timeline/minimap.h"
#include "views/timeline/ruler.h"
#include "views/timeline/timeline_style.h"

#include <QPainter>
#include <QRectF>

#include <vector>

namespace hloscope {

// Positions on the minimap, whose line shows the whole trace.
struct MinimapScale {
    double left = 0;
    double width = 1;
    double limit = 1; // picoseconds that the whole line stands for

    double xOf(double offset) const { return left + offset / limit * width; }
    double offsetAt(double x) const { return (x - left) / width * limit; }
};

// Columns coloured by their strongest category, as high as the busiest track is busy; below them the spans of the
// scopes as a thin line. Outside of the window it is dimmed; the window has a frame with two handles.
void paintMinimap(QPainter& painter, const QRectF& rect, const Minimap& map, const MinimapScale& scale,
                  const std::vector<std::pair<double, double>>& scopes, const TimeWindow& window, const Theme& theme);

// Labels and ticks; the upper `flags` pixels stay free.
void paintRuler(QPainter& painter, const QRectF& rect, const Ruler& ruler, TimelineStyle& style, double flags);

// The flag with the length of a range between its two edges.
void paintRangeFlag(QPainter& painter, const QRectF& rect, double from, double to, const QString& text,
                    TimelineStyle& style);

} // namespace hloscope
