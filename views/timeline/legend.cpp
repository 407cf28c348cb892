// SPDX-License-Identifier: Apache-2.0
#include "views/timeline/legend.h"

#include "views/common/theme.h"
#include "views/words/opcode_words.h"
#include "views/words/units.h"

#include <QFontMetrics>
#include <QPainter>

#include <algorithm>

namespace hloscope {

namespace {

constexpr int kSwatch = 9;
constexpr int kSwatchGap = 7;
constexpr int kGap = 16;
constexpr int kMoreWidth = 30; // "+2"

QFont legendFont()
{
    return ThemeManager::instance().uiFont(12);
}

} // namespace

CategoryLegend::CategoryLegend(QWidget* parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    setAccessibleName(tr("Categories"));
    connect(&ThemeManager::instance(), &ThemeManager::changed, this, [this] {
        updateGeometry();
        update();
    });
}

void CategoryLegend::setTimes(const std::array<int64_t, kOpCategoryCount>& times)
{
    m_times = times;
    m_categories.clear();
    QStringList lines;
    for (size_t i = 0; i < kOpCategoryCount; ++i) {
        const auto category = static_cast<OpCategory>(i);
        if (times[i] <= 0 || category == OpCategory::Idle)
            continue;
        m_categories.push_back(category);
        lines << tr("%1: %2").arg(categoryName(category), formatTime(times[i]));
    }
    setToolTip(lines.join(QLatin1Char('\n')));
    setAccessibleDescription(lines.join(QStringLiteral(", ")));
    updateGeometry();
    update();
}

int CategoryLegend::widthOf(OpCategory category) const
{
    return kSwatch + kSwatchGap + QFontMetrics(legendFont()).horizontalAdvance(categoryName(category)) + kGap;
}

int CategoryLegend::widthOf(const std::vector<OpCategory>& categories) const
{
    int width = 0;
    for (const OpCategory category : categories)
        width += widthOf(category);
    return width;
}

std::vector<OpCategory> CategoryLegend::shownIn(int width) const
{
    std::vector<OpCategory> shown = m_categories;
    while (!shown.empty() && widthOf(shown) + (shown.size() < m_categories.size() ? kMoreWidth : 0) > width) {
        const auto timeOf = [this](OpCategory category) { return m_times[static_cast<size_t>(category)]; };
        shown.erase(std::ranges::min_element(shown, {}, timeOf));
    }
    return shown;
}

QSize CategoryLegend::sizeHint() const
{
    return {widthOf(m_categories), ThemeManager::instance().scaled(24)};
}

QSize CategoryLegend::minimumSizeHint() const
{
    return {0, ThemeManager::instance().scaled(24)};
}

void CategoryLegend::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(legendFont());
    const Theme& colours = theme();
    const std::vector<OpCategory> shown = shownIn(width());
    const size_t hidden = m_categories.size() - shown.size();
    // Right-aligned, so that it stays where it is while the text at the left changes.
    int x = width() - widthOf(shown) - (hidden > 0 ? kMoreWidth : 0) + kGap;
    for (const OpCategory category : shown) {
        const QRectF square(x - 0.5, height() / 2 - kSwatch / 2 - 0.5, kSwatch, kSwatch);
        painter.setPen(colours.isDark() ? QPen(Qt::NoPen) : QPen(colours.ink[static_cast<size_t>(category)], 1));
        painter.setBrush(colours.fillOf(category));
        painter.drawRoundedRect(square, 2, 2);
        painter.setPen(colours.text2);
        const int textX = x + kSwatch + kSwatchGap;
        painter.drawText(QRect(textX, 0, width() - textX, height()), Qt::AlignLeft | Qt::AlignVCenter,
                         categoryName(category));
        x += widthOf(category);
    }
    if (hidden > 0) {
        painter.setPen(colours.text3);
        painter.drawText(QRect(x, 0, kMoreWidth, height()), Qt::AlignLeft | Qt::AlignVCenter,
                         QStringLiteral("+%1").arg(hidden));
    }
}

} // namespace hloscope
