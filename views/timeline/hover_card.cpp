// SPDX-License-Identifier: Apache-2.0
#include "views/timeline/hover_card.h"

#include "views/common/theme.h"

#include <QFontMetrics>
#include <QPainter>

#include <algorithm>

namespace hloscope {

namespace {

constexpr int kPadding = 12;
constexpr int kRowGap = 3;
constexpr int kColumnGap = 24;
constexpr int kMinWidth = 220;
constexpr int kMaxWidth = 380;
constexpr int kSwatch = 11;
constexpr int kPointerGap = 14;

} // namespace

HoverCard::HoverCard(QWidget* parent) : QWidget(parent)
{
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    hide();
}

void HoverCard::setText(const HoverText& text)
{
    if (text == m_text)
        return;
    m_text = text;
    resize(arrange(nullptr));
    update();
}

void HoverCard::showAt(const QPoint& pointer)
{
    resize(arrange(nullptr));
    const QSize room = parentWidget()->size();
    QPoint at = pointer + QPoint(kPointerGap, kPointerGap);
    if (at.x() + width() > room.width())
        at.setX(pointer.x() - kPointerGap - width());
    if (at.y() + height() > room.height())
        at.setY(pointer.y() - kPointerGap - height());
    move(std::max(at.x(), 0), std::max(at.y(), 0));
    show();
    raise();
}

QSize HoverCard::arrange(QPainter* painter) const
{
    const ThemeManager& manager = ThemeManager::instance();
    const Theme& theme = manager.theme();
    const QFont titleFont = manager.monoFont(13, true);
    const QFont bodyFont = manager.uiFont(12);
    const QFont footerFont = manager.uiFont(11);
    const QFontMetrics title(titleFont);
    const QFontMetrics body(bodyFont);
    const QFontMetrics footer(footerFont);

    int wanted =
        kSwatch + 8 + title.horizontalAdvance(m_text.title) + kColumnGap + body.horizontalAdvance(m_text.duration);
    for (const auto& [label, value] : m_text.rows)
        wanted = std::max(wanted, body.horizontalAdvance(label) + kColumnGap + body.horizontalAdvance(value));
    const int inner = std::clamp(wanted, kMinWidth, kMaxWidth);
    const QRect wide(0, 0, inner, 1000);
    const auto draw = [&](const QRect& rect, int flags, const QFont& font, const QColor& colour, const QString& text) {
        if (painter == nullptr)
            return;
        painter->setFont(font);
        painter->setPen(colour);
        painter->drawText(rect, flags, text);
    };

    int y = kPadding;
    const QRect titleRow(kPadding, y, inner, std::max(title.height(), body.height()));
    if (painter != nullptr) {
        painter->setPen(
            QPen(theme.isDark() ? theme.fillOf(m_text.category) : theme.ink[static_cast<size_t>(m_text.category)], 1));
        painter->setBrush(theme.fillOf(m_text.category));
        painter->drawRoundedRect(QRectF(kPadding + 0.5, titleRow.center().y() - kSwatch / 2 + 0.5, kSwatch, kSwatch), 3,
                                 3);
    }
    const int durationWidth = body.horizontalAdvance(m_text.duration);
    const int titleRoom = inner - kSwatch - 8 - kColumnGap / 2 - durationWidth;
    draw(titleRow.adjusted(kSwatch + 8, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, titleFont, theme.text,
         title.elidedText(m_text.title, Qt::ElideMiddle, titleRoom));
    draw(titleRow, Qt::AlignRight | Qt::AlignVCenter, bodyFont, theme.text, m_text.duration);
    y = titleRow.bottom() + 1 + kRowGap;

    if (!m_text.subtitle.isEmpty()) {
        const int flags = Qt::AlignLeft | Qt::TextWrapAnywhere | Qt::TextWordWrap;
        const int height = body.boundingRect(wide, flags, m_text.subtitle).height();
        draw(QRect(kPadding, y, inner, height), flags, bodyFont, theme.text2, m_text.subtitle);
        y += height + kRowGap;
    }
    y += kRowGap;
    for (const auto& [label, value] : m_text.rows) {
        const QRect row(kPadding, y, inner, body.height());
        const int valueRoom = inner - kColumnGap / 2 - body.horizontalAdvance(label);
        draw(row, Qt::AlignLeft | Qt::AlignVCenter, bodyFont, theme.text2, label);
        draw(row, Qt::AlignRight | Qt::AlignVCenter, bodyFont, theme.text,
             body.elidedText(value, Qt::ElideMiddle, std::max(valueRoom, 40)));
        y += body.height() + kRowGap;
    }
    if (!m_text.footer.isEmpty()) {
        y += kRowGap + 1;
        if (painter != nullptr)
            painter->fillRect(QRect(kPadding, y, inner, 1), theme.border);
        y += kRowGap + 4;
        const int height = footer.boundingRect(wide, Qt::TextWordWrap, m_text.footer).height();
        draw(QRect(kPadding, y, inner, height), Qt::TextWordWrap, footerFont, theme.text3, m_text.footer);
        y += height;
    }
    return {inner + 2 * kPadding, y + kPadding - kRowGap};
}

void HoverCard::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(theme().borderStrong);
    painter.setBrush(theme().raised);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);
    arrange(&painter);
}

} // namespace hloscope
