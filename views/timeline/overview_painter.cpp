// SPDX-License-Identifier: Apache-2.0
#include "views/timeline/overview_painter.h"

#include <algorithm>
#include <cmath>

namespace hloscope {

namespace {

constexpr double kBandTop = 0.3; // of the minimap's height
constexpr double kBandHeight = 0.37;
constexpr double kScopeTop = 0.75;
constexpr double kLeastHeight = 2; // of a column with any work
constexpr double kDimmed = 0.62;

void paintColumns(QPainter& painter, const QRectF& rect, const Minimap& map, const MinimapScale& scale,
                  const Theme& theme)
{
    const double top = std::round(rect.top() + rect.height() * kBandTop);
    const double height = std::round(rect.height() * kBandHeight);
    std::array<std::vector<QRectF>, kOpCategoryCount> bands;
    const double perColumn = scale.width / static_cast<double>(map.columns.size());
    for (size_t i = 0; i < map.columns.size(); ++i) {
        const Minimap::Column& column = map.columns[i];
        if (column.isEmpty())
            continue;
        const auto width = static_cast<double>(std::max<int64_t>(map.columnBegin(i + 1) - map.columnBegin(i), 1));
        const double busy = std::max(kLeastHeight, std::round(height * static_cast<double>(column.busy) / width));
        bands[static_cast<size_t>(column.strongest())].emplace_back(scale.left + static_cast<double>(i) * perColumn,
                                                                    top + height - busy, perColumn, busy);
    }
    painter.setPen(Qt::NoPen);
    for (size_t i = 0; i < bands.size(); ++i) {
        painter.setBrush(theme.isDark() ? mixed(theme.fill[i], theme.view, 0.1) : theme.fill[i]);
        painter.drawRects(bands[i].data(), static_cast<int>(bands[i].size()));
    }
}

} // namespace

void paintMinimap(QPainter& painter, const QRectF& rect, const Minimap& map, const MinimapScale& scale,
                  const std::vector<std::pair<double, double>>& scopes, const TimeWindow& window, const Theme& theme)
{
    painter.save();
    painter.setClipRect(rect);
    painter.setRenderHint(QPainter::Antialiasing, false);
    paintColumns(painter, rect, map, scale, theme);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.borderStrong);
    for (const auto& [begin, end] : scopes) {
        const double from = std::round(scale.xOf(begin));
        painter.drawRect(QRectF(from, std::round(rect.top() + rect.height() * kScopeTop),
                                std::max(std::round(scale.xOf(end)) - from - 1, 1.0), 3));
    }

    const double from = std::clamp(scale.xOf(window.begin), rect.left(), rect.right() - 2);
    const double to = std::clamp(scale.xOf(window.end), from + 2, rect.right());
    QColor veil = theme.panel;
    veil.setAlphaF(static_cast<float>(kDimmed));
    painter.setBrush(veil);
    painter.drawRect(QRectF(rect.left(), rect.top(), std::floor(from) - rect.left(), rect.height()));
    painter.drawRect(QRectF(std::ceil(to), rect.top(), rect.right() - std::ceil(to), rect.height()));

    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.accent, 1.5));
    const QRectF frame(from, rect.top() + 2, to - from, rect.height() - 4);
    painter.drawRoundedRect(frame.adjusted(0.75, 0.75, -0.75, -0.75), 3, 3);
    if (frame.width() > 16) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.accent);
        const double height = rect.height() * kBandHeight;
        const double top = rect.top() + rect.height() * kBandTop;
        painter.drawRoundedRect(QRectF(frame.left() + 0.5, top, 4, height), 1.5, 1.5);
        painter.drawRoundedRect(QRectF(frame.right() - 4.5, top, 4, height), 1.5, 1.5);
    }
    painter.restore();
}

void paintRuler(QPainter& painter, const QRectF& rect, const Ruler& ruler, TimelineStyle& style, double flags)
{
    painter.save();
    painter.setClipRect(rect);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setFont(style.small.font());
    const double bottom = rect.bottom() - 1;
    const double baseline = rect.top() + flags + style.small.baselineIn(rect.height() - flags - 4);
    for (const RulerTick& tick : ruler.ticks) {
        const double x = std::floor(tick.x) + 0.5;
        painter.setPen(style.theme.borderStrong);
        painter.drawLine(QPointF(x, bottom - (tick.isMajor() ? 6 : 3)), QPointF(x, bottom));
        if (!tick.isMajor())
            continue;
        painter.setPen(style.theme.text2);
        painter.drawText(QPointF(x + 4, baseline), tick.label);
    }
    painter.restore();
}

void paintRangeFlag(QPainter& painter, const QRectF& rect, double from, double to, const QString& text,
                    TimelineStyle& style)
{
    const Theme& theme = style.theme;
    painter.save();
    painter.setClipRect(rect);
    const double middleY = rect.center().y();
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(theme.accent);
    painter.drawLine(QPointF(from, std::floor(middleY) + 0.5), QPointF(to, std::floor(middleY) + 0.5));
    const double width = style.small.width(text) + 24;
    // The flag stays in view while any part of the range is.
    const double left = std::clamp((std::max(from, rect.left()) + std::min(to, rect.right())) / 2 - width / 2,
                                   rect.left(), std::max(rect.left(), rect.right() - width));
    const QRectF flag(std::round(left), rect.top() + 1, width, rect.height() - 2);
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.accent);
    painter.drawRoundedRect(flag, 3, 3);
    painter.setPen(theme.onAccent);
    painter.setFont(style.small.font());
    painter.drawText(QPointF(flag.left() + 12, flag.top() + style.small.baselineIn(flag.height())), text);
    painter.restore();
}

} // namespace hloscope
