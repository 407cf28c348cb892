// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/timeline/geometry.h"
#include "views/timeline/timeline_style.h"

#include <QPainter>
#include <QString>

#include <optional>
#include <vector>

namespace hloscope {

// The vertical axis of a counter: from 0 to a round number, or to the limit where that is near enough to be useful.
struct CounterAxis {
    struct Tick {
        double value = 0;
        QString label;
    };

    double most = 1; // value at the top
    std::optional<double> limit; // drawn as a dashed line; none when it lies far above what is used
    QString unit; // "GiB", "TFLOP/s"; empty for plain numbers
    std::vector<Tick> ticks; // from 0 upwards

    static CounterAxis of(const Counter& counter, double most, bool isTall);
};

// A value with the unit of its counter: "2.13 GiB", "22.45 TFLOP/s".
QString formatCounterValue(const Counter& counter, double value);

// Colour of the line and, at 22 %, of the area.
QColor counterColour(const Counter& counter, const Theme& theme);

// Draws the step line with its area into `rect`, the plot of the row. The strips are those of GeometryStore::strips().
void paintCounter(QPainter& painter, const Counter& counter, const CounterAxis& axis,
                  const std::vector<std::shared_ptr<const Strip>>& strips, const TimeScale& scale, const QRectF& rect,
                  const Theme& theme);

// Position of a value in the plot of a row.
double counterY(const CounterAxis& axis, const QRectF& rect, double value);

} // namespace hloscope
