// SPDX-License-Identifier: Apache-2.0
#include "views/memory/memory_chart.h"

#include "views/common/theme.h"
#include "views/memory/buffer_table_model.h"
#include "views/words/units.h"

#include <QAreaSeries>
#include <QChart>
#include <QGraphicsLayout>
#include <QKeyEvent>
#include <QLineSeries>
#include <QMouseEvent>
#include <QPainter>
#include <QValueAxis>

#include <algorithm>
#include <cmath>

namespace hloscope {

namespace {

constexpr double kLeftMargin = 72;
constexpr double kRightMargin = 20;
constexpr double kTopMargin = 20;
constexpr double kBottomMargin = 34;
// Room above the plot for the capacity when the axis is broken.
constexpr double kBreakHeight = 34;
constexpr double kMaxCapacityRatio = 1.5;
constexpr int kMaxTicks = 6;

double binaryTickStep(double top)
{
    double step = 1;
    while (top / step > kMaxTicks)
        step *= 2;
    return step;
}

double decimalTickStep(double width)
{
    if (width <= 0)
        return 1;
    const double magnitude = std::pow(10.0, std::floor(std::log10(width / 10)));
    for (const double factor : {1.0, 2.0, 5.0, 10.0}) {
        if (width / (magnitude * factor) <= 10)
            return magnitude * factor;
    }
    return magnitude * 10;
}

} // namespace

MemoryChart::MemoryChart(QWidget* parent)
    : QChartView(new QChart, parent), m_xAxis(new QValueAxis(this)), m_yAxis(new QValueAxis(this))
{
    chart()->legend()->hide();
    chart()->setBackgroundRoundness(0);
    chart()->layout()->setContentsMargins(0, 0, 0, 0);
    chart()->setMargins(QMargins());
    setFrameShape(QFrame::NoFrame);
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setMinimumHeight(160);
    setAccessibleName(tr("Memory over the program"));
    setAccessibleDescription(tr("Left and right choose a position, Home and End the first and the last, P the peak."));
    for (QValueAxis* axis : {m_xAxis, m_yAxis}) {
        axis->setLabelsVisible(false);
        axis->setLineVisible(false);
    }
    m_yAxis->setTickType(QValueAxis::TicksDynamic);
    m_xAxis->setGridLineVisible(false);
    chart()->addAxis(m_xAxis, Qt::AlignBottom);
    chart()->addAxis(m_yAxis, Qt::AlignLeft);
    connect(&ThemeManager::instance(), &ThemeManager::changed, this, &MemoryChart::rebuild);
    rebuild();
}

void MemoryChart::setContent(Content content)
{
    m_content = std::move(content);
    m_hovered.reset();
    rebuild();
}

void MemoryChart::setPosition(int64_t position)
{
    m_position = position;
    viewport()->update();
}

void MemoryChart::applyTheme()
{
    chart()->setBackgroundBrush(theme().view);
    chart()->setBackgroundPen(Qt::NoPen);
    setBackgroundBrush(theme().view);
    m_yAxis->setGridLinePen(QPen(theme().grid, 1));
}

void MemoryChart::rebuild()
{
    applyTheme();
    chart()->removeAllSeries();
    const MemorySeries& series = m_content.series;
    int64_t peak = 0;
    for (const MemoryStack& stack : series.stacks)
        peak = std::max(peak, sumOf(stack));
    const double capacity = m_content.capacityBytes.value_or(0);
    m_isAxisBroken = capacity > static_cast<double>(peak) * kMaxCapacityRatio;
    m_yTop = std::max(1.0, static_cast<double>(peak) * 1.12);
    if (capacity > 0 && !m_isAxisBroken)
        m_yTop = std::max(m_yTop, capacity * 1.08);

    m_xAxis->setRange(series.xBegin(), std::max(series.xEnd(), series.xBegin() + 1));
    // Qt Charts makes an item per tick at each of these calls: never a range with the fine ticks of another one.
    m_yAxis->setTickInterval(std::max(m_yAxis->tickInterval(), binaryTickStep(m_yTop)));
    m_yAxis->setRange(0, m_yTop);
    m_yAxis->setTickInterval(binaryTickStep(m_yTop));
    const double top = kTopMargin + (m_isAxisBroken ? kBreakHeight : 0);
    chart()->setPlotArea(QRectF(kLeftMargin, top, std::max(10.0, width() - kLeftMargin - kRightMargin),
                                std::max(10.0, height() - top - kBottomMargin)));

    const auto steps = reduceToColumns(series, static_cast<int>(chart()->plotArea().width()));
    // Lines between the kinds would hide most of many narrow steps.
    constexpr size_t kMaxSeparatedSteps = 200;
    const QPen separator = steps.size() <= kMaxSeparatedSteps ? QPen(theme().view, 1) : QPen(Qt::NoPen);
    std::vector<double> base(steps.size(), 0.0);
    for (size_t kind = 0; kind < kBufferKindCount && !steps.empty(); ++kind) {
        QList<QPointF> lower;
        QList<QPointF> upper;
        bool isSeen = false;
        for (size_t i = 0; i < steps.size(); ++i) {
            const double bottom = base[i];
            base[i] += static_cast<double>(steps[i].stack[kind]);
            isSeen = isSeen || steps[i].stack[kind] > 0;
            lower << QPointF(steps[i].begin, bottom) << QPointF(steps[i].end, bottom);
            upper << QPointF(steps[i].begin, base[i]) << QPointF(steps[i].end, base[i]);
        }
        if (!isSeen)
            continue;
        auto* upperLine = new QLineSeries;
        auto* lowerLine = new QLineSeries;
        upperLine->append(upper);
        lowerLine->append(lower);
        auto* area = new QAreaSeries(upperLine, lowerLine);
        upperLine->setParent(area);
        lowerLine->setParent(area);
        area->setBrush(theme().buffer[kind]);
        area->setPen(separator);
        chart()->addSeries(area);
        area->attachAxis(m_xAxis);
        area->attachAxis(m_yAxis);
    }
    viewport()->update();
}

double MemoryChart::toX(double value) const
{
    const QRectF plot = chart()->plotArea();
    const double width = std::max(1.0, m_xAxis->max() - m_xAxis->min());
    return plot.left() + (value - m_xAxis->min()) / width * plot.width();
}

double MemoryChart::toY(double bytes) const
{
    const QRectF plot = chart()->plotArea();
    return plot.bottom() - bytes / m_yTop * plot.height();
}

int64_t MemoryChart::positionUnder(const QPointF& point) const
{
    const QRectF plot = chart()->plotArea();
    const double share = (point.x() - plot.left()) / plot.width();
    return m_content.series.positionAt(m_xAxis->min() + share * (m_xAxis->max() - m_xAxis->min()));
}

QPointF MemoryChart::pointOf(int64_t position) const
{
    const auto& x = m_content.series.x;
    if (position < 0 || position + 1 >= static_cast<int64_t>(x.size()))
        return {};
    const auto i = static_cast<size_t>(position);
    return {toX((x[i] + x[i + 1]) / 2), chart()->plotArea().center().y()};
}

void MemoryChart::drawForeground(QPainter* painter, const QRectF&)
{
    if (m_content.series.stacks.empty())
        return;
    const QRectF plot = chart()->plotArea();
    painter->setRenderHint(QPainter::Antialiasing, false);
    drawAxes(*painter, plot);
    drawCapacity(*painter, plot);
    drawPosition(*painter, plot);
    drawPeak(*painter, plot);
    drawHover(*painter, plot);
    if (hasFocus()) {
        painter->setPen(QPen(theme().accent, 1));
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(QRectF(rect()).adjusted(1, 1, -2, -2));
    }
}

void MemoryChart::drawAxes(QPainter& painter, const QRectF& plot) const
{
    painter.setFont(ThemeManager::instance().uiFont(11));
    painter.setPen(theme().text3);
    const double yStep = m_yAxis->tickInterval();
    const auto yTicks = static_cast<int>(m_yTop / yStep);
    for (int tick = 0; tick <= yTicks; ++tick) {
        const double value = tick * yStep;
        const QRectF label(0, toY(value) - 9, plot.left() - 8, 18);
        painter.drawText(label, Qt::AlignRight | Qt::AlignVCenter,
                         value > 0 ? formatBytes(std::llround(value)) : QStringLiteral("0"));
    }
    const double xStep = std::max(m_content.isTime ? 1e-9 : 1.0, decimalTickStep(m_xAxis->max() - m_xAxis->min()));
    const double firstTick = std::ceil(m_xAxis->min() / xStep);
    const auto xTicks = static_cast<int>(m_xAxis->max() / xStep - firstTick);
    for (int tick = 0; tick <= xTicks; ++tick) {
        const double value = (firstTick + tick) * xStep;
        const double x = toX(value);
        painter.drawLine(QPointF(x, plot.bottom()), QPointF(x, plot.bottom() + 4));
        const QString text = m_content.isTime ? formatTime(std::llround(value)) : formatCount(std::llround(value));
        // The last label must not leave the widget.
        const double left = std::min(x - 40, static_cast<double>(width()) - 80);
        painter.drawText(QRectF(left, plot.bottom() + 5, 80, 16), Qt::AlignCenter, text);
    }
    const QString title = m_content.isTime ? tr("simulated time") : tr("position in the schedule");
    painter.drawText(QRectF(plot.left(), plot.bottom() + 18, plot.width(), 16), Qt::AlignRight | Qt::AlignVCenter,
                     title);
}

void MemoryChart::drawCapacity(QPainter& painter, const QRectF& plot) const
{
    if (!m_content.capacityBytes)
        return;
    const double y = m_isAxisBroken ? plot.top() - kBreakHeight + 10 : toY(*m_content.capacityBytes);
    painter.setPen(QPen(theme().error, 1.5));
    painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
    painter.setFont(ThemeManager::instance().uiFont(11));
    painter.drawText(QRectF(plot.left() + 8, y - 17, plot.width() - 16, 16), Qt::AlignLeft | Qt::AlignVCenter,
                     m_content.capacityLabel);
    if (!m_isAxisBroken)
        return;
    // Two strokes say that the axis is not to scale here.
    painter.setPen(QPen(theme().text3, 1));
    painter.setRenderHint(QPainter::Antialiasing);
    for (const double shift : {0.0, 4.0})
        painter.drawLine(QPointF(plot.left() - 5, y + 15 + shift), QPointF(plot.left() + 5, y + 11 + shift));
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void MemoryChart::drawPosition(QPainter& painter, const QRectF& plot) const
{
    const auto& series = m_content.series;
    if (m_position < 0 || m_position >= static_cast<int64_t>(series.stacks.size()))
        return;
    const auto i = static_cast<size_t>(m_position);
    double left = toX(series.x[i]);
    double right = toX(series.x[i + 1]);
    if (right - left < 3) {
        const double middle = (left + right) / 2;
        left = middle - 1.5;
        right = middle + 1.5;
    }
    const double top = toY(static_cast<double>(sumOf(series.stacks[i])));
    painter.setPen(QPen(theme().text, 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(left, top, right - left, plot.bottom() - top));
}

void MemoryChart::drawPeak(QPainter& painter, const QRectF& plot) const
{
    const auto& series = m_content.series;
    if (m_content.peakPosition < 0 || m_content.peakPosition >= static_cast<int64_t>(series.stacks.size()))
        return;
    const auto i = static_cast<size_t>(m_content.peakPosition);
    const QPointF peak(pointOf(m_content.peakPosition).x(), toY(static_cast<double>(sumOf(series.stacks[i]))));
    const QFont font = ThemeManager::instance().uiFont(11);
    const double width = QFontMetricsF(font).horizontalAdvance(m_content.peakLabel) + 20;
    const double left = std::clamp(peak.x() - width / 2, plot.left(), std::max(plot.left(), plot.right() - width));
    const QRectF box(left, std::max(2.0, peak.y() - 32), width, 20);
    painter.setPen(QPen(theme().text2, 1));
    painter.drawLine(QPointF(peak.x(), box.bottom()), peak);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme().borderStrong, 1));
    painter.setBrush(theme().raised);
    painter.drawRoundedRect(box, 5, 5);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setFont(font);
    painter.setPen(theme().text);
    painter.drawText(box, Qt::AlignCenter, m_content.peakLabel);
}

void MemoryChart::drawHover(QPainter& painter, const QRectF& plot) const
{
    if (!m_hovered)
        return;
    const auto& series = m_content.series;
    const double x = pointOf(*m_hovered).x();
    painter.setPen(QPen(theme().text3, 1, Qt::DashLine));
    painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));

    const MemoryStack& stack = series.stacks[static_cast<size_t>(*m_hovered)];
    QStringList lines{tr("Position %1: %2").arg(formatCount(*m_hovered), formatExactBytes(sumOf(stack)))};
    for (size_t kind = 0; kind < kBufferKindCount; ++kind) {
        if (stack[kind] > 0)
            lines << QStringLiteral("%1  %2").arg(bufferKindName(static_cast<BufferKind>(kind)),
                                                  formatBytes(stack[kind]));
    }
    const QFont font = ThemeManager::instance().uiFont(11);
    const QFontMetricsF metrics(font);
    double width = 0;
    for (const QString& line : lines)
        width = std::max(width, metrics.horizontalAdvance(line));
    const double height = metrics.height() * static_cast<double>(lines.size());
    QRectF box(x + 12, plot.top() + 12, width + 20, height + 14);
    if (box.right() > plot.right())
        box.moveRight(x - 12);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme().borderStrong, 1));
    painter.setBrush(theme().raised);
    painter.drawRoundedRect(box, 8, 8);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setFont(font);
    for (qsizetype i = 0; i < lines.size(); ++i) {
        painter.setPen(i == 0 ? theme().text : theme().text2);
        painter.drawText(QPointF(box.left() + 10, box.top() + 7 + metrics.ascent() + metrics.height() * i), lines[i]);
    }
}

void MemoryChart::resizeEvent(QResizeEvent* event)
{
    QChartView::resizeEvent(event);
    rebuild();
}

void MemoryChart::choose(int64_t position)
{
    if (m_content.series.stacks.empty())
        return;
    emit positionChosen(std::clamp<int64_t>(position, 0, static_cast<int64_t>(m_content.series.stacks.size()) - 1));
}

void MemoryChart::mousePressEvent(QMouseEvent* event)
{
    setFocus(Qt::MouseFocusReason);
    if (event->button() == Qt::LeftButton)
        choose(positionUnder(event->position()));
}

void MemoryChart::mouseMoveEvent(QMouseEvent* event)
{
    const bool isInside = chart()->plotArea().contains(event->position()) && !m_content.series.stacks.empty();
    m_hovered = isInside ? std::optional(positionUnder(event->position())) : std::nullopt;
    if ((event->buttons() & Qt::LeftButton) != 0 && isInside)
        choose(*m_hovered);
    viewport()->update();
}

void MemoryChart::leaveEvent(QEvent*)
{
    m_hovered.reset();
    viewport()->update();
}

void MemoryChart::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Left:
        choose(m_position - 1);
        break;
    case Qt::Key_Right:
        choose(m_position + 1);
        break;
    case Qt::Key_Home:
        choose(0);
        break;
    case Qt::Key_End:
        choose(static_cast<int64_t>(m_content.series.stacks.size()) - 1);
        break;
    case Qt::Key_P:
        choose(m_content.peakPosition);
        break;
    default:
        QChartView::keyPressEvent(event);
    }
}

} // namespace hloscope
