// SPDX-License-Identifier: Apache-2.0
#include "views/timeline/timeline_style.h"

#include <QImage>

namespace hloscope {

QColor mixed(const QColor& a, const QColor& b, double shareOfB)
{
    const auto mix = [shareOfB](int x, int y) { return qRound(x + (y - x) * shareOfB); };
    return QColor(mix(a.red(), b.red()), mix(a.green(), b.green()), mix(a.blue(), b.blue()));
}

namespace {

QBrush dotted(const QColor& colour)
{
    QImage dots(2, 1, QImage::Format_ARGB32_Premultiplied);
    dots.fill(Qt::transparent);
    dots.setPixelColor(0, 0, colour);
    return QBrush(dots);
}

} // namespace

TimelineStyle::TimelineStyle(const ThemeManager& manager)
    : theme(manager.theme())
    , scopeRun(mixed(theme.borderStrong, theme.text3, 0.3))
    , badge(theme.isDark() ? mixed(theme.view, theme.raised, 0.5) : theme.view)
    , dots(dotted(theme.text2))
    , name(manager.uiFont(11.5))
    , small(manager.uiFont(11))
    , header(manager.uiFont(13))
    , caption(manager.uiFont(12))
{
    for (size_t i = 0; i < kOpCategoryCount; ++i) {
        run[i] = theme.isDark() ? mixed(theme.fill[i], theme.view, 0.27) : mixed(theme.fill[i], theme.ink[i], 0.4);
        edge[i] = theme.isDark() ? mixed(theme.fill[i], theme.view, 0.7) : theme.ink[i];
    }
}

} // namespace hloscope
