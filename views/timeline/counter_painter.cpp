// SPDX-License-Identifier: Apache-2.0
#include "views/timeline/counter_painter.h"

#include "views/words/units.h"

#include <QPainterPath>

#include <algorithm>
#include <array>
#include <cmath>

namespace hloscope {

namespace {

constexpr double kTopMargin = 0.22; // shares of the row
constexpr double kBottomMargin = 0.1;
constexpr double kAreaOpacity = 0.22;
// A limit more than this many times above what is used would press the curve flat: bytes are read off the curve, rates
// against their limit.
constexpr double kMaxCapacityRatio = 1.5;
constexpr double kMaxRateRatio = 6;

constexpr size_t kMaxSmoothSteps = 150;

struct Scaled {
    double size = 1;
    QString unit;
};

Scaled unitOf(Counter::Unit unit, double most)
{
    static constexpr std::array<const char*, 6> kSi{"", "k", "M", "G", "T", "P"};
    static constexpr std::array<const char*, 5> kBinary{"B", "KiB", "MiB", "GiB", "TiB"};
    Scaled scaled;
    if (unit == Counter::Unit::Fraction)
        return {0.01, QStringLiteral("%")};
    const bool isBinary = unit == Counter::Unit::Bytes;
    const double step = isBinary ? 1024 : 1000;
    size_t power = 0;
    while (unit != Counter::Unit::None && power + 1 < (isBinary ? kBinary.size() : kSi.size())
           && most >= scaled.size * step) {
        scaled.size *= step;
        ++power;
    }
    if (isBinary)
        scaled.unit = QString::fromLatin1(kBinary[power]);
    else if (unit == Counter::Unit::BytesPerSecond)
        scaled.unit = QString::fromLatin1(kSi[power]) + QStringLiteral("B/s");
    else if (unit == Counter::Unit::FlopsPerSecond)
        scaled.unit = QString::fromLatin1(kSi[power]) + QStringLiteral("FLOP/s");
    return scaled;
}

double niceAbove(double value)
{
    if (!(value > 0))
        return 1;
    const double power = std::pow(10, std::floor(std::log10(value)));
    for (const double digit : {1.0, 2.0, 2.5, 5.0, 10.0}) {
        if (value <= digit * power * (1 + 1e-9))
            return digit * power;
    }
    return 10 * power;
}

QString tickLabel(double value)
{
    if (value != 0 && (std::abs(value) >= 1e6 || std::abs(value) < 1e-3))
        return QString::number(value, 'g', 3);
    return QString::number(value, 'f', value == std::floor(value) ? 0 : std::abs(value) < 1 ? 2 : 1);
}

// A value that holds from one position to the next, and how far it swung where it begins.
struct Step {
    double begin;
    double end;
    double y; // of the value
    double top; // of the swing, with what was before
    double bottom;
};

// What a strip draws between two positions.
void addSteps(std::vector<Step>& steps, const Strip& strip, const TimeScale& scale, const CounterAxis& axis,
              const QRectF& rect, double left, double right)
{
    const auto y = [&](double value) { return counterY(axis, rect, value); };
    const auto& spans = strip.counterSpans;
    auto span = std::ranges::upper_bound(spans, scale.timeAt(left), {}, &CounterSpan::time);
    double before = y(span == spans.begin() ? strip.counterBefore : std::prev(span)->last);
    steps.push_back({left, right, before, before, before});
    for (; span != spans.end() && scale.xOf(span->time) < right; ++span) {
        const double x = std::round(scale.xOf(span->time) * 2) / 2;
        const double last = y(span->last);
        steps.back().end = x;
        steps.push_back(
            {x, right, last, std::min({before, last, y(span->most)}), std::max({before, last, y(span->least)})});
        before = last;
    }
}

// A smooth line, for as many steps as can be told apart.
void drawAsPath(QPainter& painter, const std::vector<Step>& steps, double base, const QColor& line, const QColor& area)
{
    QPainterPath path(QPointF(steps.front().begin, steps.front().y));
    double before = steps.front().y;
    for (const Step& step : steps) {
        path.lineTo(step.begin, before);
        if (step.top < std::min(before, step.y)) // a spike
            path.lineTo(step.begin, step.top);
        if (step.bottom > std::max(before, step.y))
            path.lineTo(step.begin, step.bottom);
        path.lineTo(step.begin, step.y);
        path.lineTo(step.end, step.y);
        before = step.y;
    }
    QPainterPath shape = path;
    shape.lineTo(steps.back().end, base);
    shape.lineTo(steps.front().begin, base);
    shape.closeSubpath();
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.fillPath(shape, area);
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.strokePath(path, QPen(line, 1.5, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin));
    painter.setRenderHint(QPainter::Antialiasing, false);
}

// Whole pixels, for steps as dense as the columns of the screen: stroking such a path takes longer than a frame.
void drawAsColumns(QPainter& painter, const std::vector<Step>& steps, double base, const QColor& line,
                   const QColor& area)
{
    std::vector<QRect> areas;
    std::vector<QRect> lines;
    const int bottom = static_cast<int>(base);
    for (const Step& step : steps) {
        const int from = static_cast<int>(std::floor(step.begin));
        const int to = static_cast<int>(std::floor(step.end));
        const int y = static_cast<int>(step.y);
        if (to > from) {
            areas.emplace_back(from, y, to - from, std::max(bottom - y, 0));
            lines.emplace_back(from, y, to - from, to - from > 2 ? 2 : 1);
        }
        const int top = static_cast<int>(step.top);
        lines.emplace_back(from, top, 1, static_cast<int>(step.bottom) - top + 1);
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(Qt::NoPen);
    painter.setBrush(area);
    painter.drawRects(areas.data(), static_cast<int>(areas.size()));
    painter.setBrush(line);
    painter.drawRects(lines.data(), static_cast<int>(lines.size()));
}

} // namespace

CounterAxis CounterAxis::of(const Counter& counter, double most, bool isTall)
{
    CounterAxis axis;
    const bool isFraction = counter.unit == Counter::Unit::Fraction;
    const double ratio = counter.unit == Counter::Unit::Bytes ? kMaxCapacityRatio : kMaxRateRatio;
    const bool usesLimit = counter.limit && std::isfinite(*counter.limit) && *counter.limit > 0
        && *counter.limit <= ratio * std::max(most, 1e-300);
    if (usesLimit)
        axis.limit = counter.limit;
    const double top = std::max(most, usesLimit ? *counter.limit : 0.0);
    const Scaled scaled = unitOf(counter.unit, usesLimit ? *counter.limit : top);
    axis.unit = scaled.unit;
    axis.ticks.push_back({0, QStringLiteral("0")});
    if (usesLimit || (isFraction && top <= 1)) {
        axis.most = isFraction && !usesLimit ? 1.0 : top;
        const double marked = usesLimit ? *counter.limit : axis.most;
        axis.ticks.push_back({marked, tickLabel(marked / scaled.size)});
        return axis;
    }
    // Room for two or three round numbers.
    const double step = niceAbove(top / scaled.size / (isTall ? 2.5 : 1.5));
    axis.most = std::max(top, step * scaled.size);
    for (double value = step; value * scaled.size <= axis.most * (1 + 1e-9) && axis.ticks.size() < 4; value += step)
        axis.ticks.push_back({value * scaled.size, tickLabel(value)});
    return axis;
}

QString formatCounterValue(const Counter& counter, double value)
{
    switch (counter.unit) {
    case Counter::Unit::Bytes:
        return formatBytes(static_cast<qint64>(std::clamp(value, -9e18, 9e18)));
    case Counter::Unit::BytesPerSecond:
        return formatRate(value, QStringLiteral("B/s"));
    case Counter::Unit::FlopsPerSecond:
        return formatRate(value, QStringLiteral("FLOP/s"));
    case Counter::Unit::Fraction:
        return formatPercent(value);
    case Counter::Unit::None:
        break;
    }
    return QString::number(value, 'g', 6);
}

QColor counterColour(const Counter& counter, const Theme& theme)
{
    switch (counter.unit) {
    case Counter::Unit::FlopsPerSecond:
        return theme.wordOf(OpCategory::Matmul);
    case Counter::Unit::BytesPerSecond:
        return theme.wordOf(OpCategory::DataMovement);
    case Counter::Unit::Bytes:
        return theme.isDark() ? theme.buffer[static_cast<size_t>(BufferKind::Activations)]
                              : theme.buffer[static_cast<size_t>(BufferKind::Residual)];
    case Counter::Unit::Fraction:
        return theme.wordOf(OpCategory::Pointwise);
    case Counter::Unit::None:
        break;
    }
    return theme.text2;
}

double counterY(const CounterAxis& axis, const QRectF& rect, double value)
{
    const double top = rect.top() + rect.height() * kTopMargin;
    const double bottom = rect.bottom() - rect.height() * kBottomMargin;
    const double share = std::clamp(value / axis.most, 0.0, 1.2);
    return std::round((bottom - (bottom - top) * share) * 2) / 2;
}

void paintCounter(QPainter& painter, const Counter& counter, const CounterAxis& axis,
                  const std::vector<std::shared_ptr<const Strip>>& strips, const TimeScale& scale, const QRectF& rect,
                  const Theme& theme)
{
    const double base = counterY(axis, rect, 0);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(theme.grid);
    for (const CounterAxis::Tick& tick : axis.ticks) {
        const double y = std::floor(counterY(axis, rect, tick.value)) + 0.5;
        if (tick.value <= axis.most)
            painter.drawLine(QPointF(rect.left(), y), QPointF(rect.right(), y));
    }

    // Outside of the fine strip the coarse one fills in.
    std::vector<Step> steps;
    if (!strips.empty()) {
        const Strip& fine = *strips.back();
        const bool hasCoarse = strips.size() > 1;
        const double from = hasCoarse ? std::clamp(scale.xOf(fine.begin), rect.left(), rect.right()) : rect.left();
        const double to = hasCoarse ? std::clamp(scale.xOf(fine.end), from, rect.right()) : rect.right();
        if (from > rect.left())
            addSteps(steps, *strips.front(), scale, axis, rect, rect.left(), from);
        addSteps(steps, fine, scale, axis, rect, from, to);
        if (to < rect.right())
            addSteps(steps, *strips.front(), scale, axis, rect, to, rect.right());
    }
    if (!steps.empty()) {
        const QColor colour = counterColour(counter, theme);
        QColor area = colour;
        area.setAlphaF(static_cast<float>(kAreaOpacity));
        if (steps.size() <= kMaxSmoothSteps)
            drawAsPath(painter, steps, base, colour, area);
        else
            drawAsColumns(painter, steps, base, colour, area);
    }
    if (axis.limit) {
        QPen pen(theme.error, 1, Qt::CustomDashLine);
        pen.setDashPattern({4, 3});
        painter.setPen(pen);
        const double y = std::floor(counterY(axis, rect, *axis.limit)) + 0.5;
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.drawLine(QPointF(rect.left(), y), QPointF(rect.right(), y));
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

} // namespace hloscope
