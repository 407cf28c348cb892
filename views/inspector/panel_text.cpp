// SPDX-License-Identifier: Apache-2.0
#include "views/inspector/panel_text.h"

#include "views/common/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QTextBoundaryFinder>

#include <algorithm>
#include <cmath>

namespace hloscope {

namespace {

constexpr QChar kBreakHere(0x200B);
constexpr double kLeading = 3; // between lines, unscaled

QColor inkOf(PanelTextStyle::Ink ink)
{
    switch (ink) {
    case PanelTextStyle::Ink::Text:
        return theme().text;
    case PanelTextStyle::Ink::Secondary:
        return theme().text2;
    case PanelTextStyle::Ink::Tertiary:
        return theme().text3;
    case PanelTextStyle::Ink::Accent:
        return theme().accent;
    case PanelTextStyle::Ink::Warning:
        return theme().warning;
    }
    return theme().text;
}

} // namespace

PanelText::PanelText(const QString& text, const PanelTextStyle& style, QWidget* parent)
    : QWidget(parent), m_style(style)
{
    setFocusPolicy(Qt::ClickFocus);
    setCursor(Qt::IBeamCursor);
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    m_layout.setCacheEnabled(true);
    connect(&ThemeManager::instance(), &ThemeManager::changed, this, &PanelText::applyTheme);
    applyTheme();
    setText(text);
}

void PanelText::applyTheme()
{
    const ThemeManager& manager = ThemeManager::instance();
    m_layout.setFont(m_style.mono ? manager.monoFont(m_style.px, m_style.bold)
                                  : manager.uiFont(m_style.px, m_style.bold));
    QTextOption option(m_style.align);
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    m_layout.setTextOption(option);
    m_arrangedWidth = -1;
    updateGeometry();
    update();
}

void PanelText::setText(const QString& text)
{
    if (text == m_text && m_arrangedWidth >= 0)
        return;
    m_text = text;
    QString broken = QString(text).replace(QLatin1Char('\n'), QChar::LineSeparator);
    if (m_style.mono)
        broken.replace(QLatin1Char(','), QString(QLatin1Char(',')) + kBreakHere); // shapes break between dimensions
    m_layout.setText(broken);
    setAccessibleName(text);
    m_anchor = m_end = 0;
    m_arrangedWidth = -1;
    updateGeometry();
    update();
}

double PanelText::arrange(int width) const
{
    if (width == m_arrangedWidth)
        return m_height;
    const double leading = ThemeManager::instance().scaled(kLeading);
    m_layout.beginLayout();
    double y = 0;
    for (QTextLine line = m_layout.createLine(); line.isValid(); line = m_layout.createLine()) {
        line.setLineWidth(std::max(width, 1));
        line.setPosition({0, y});
        y += line.height() + leading;
    }
    m_layout.endLayout();
    m_arrangedWidth = width;
    m_height = std::ceil(y);
    return m_height;
}

int PanelText::heightForWidth(int width) const
{
    return static_cast<int>(arrange(width));
}

QSize PanelText::sizeHint() const
{
    const QFontMetricsF metrics(m_layout.font());
    const int width = static_cast<int>(std::ceil(metrics.horizontalAdvance(m_layout.text()))) + 2;
    return {width, static_cast<int>(std::ceil(metrics.height() + ThemeManager::instance().scaled(kLeading)))};
}

QSize PanelText::minimumSizeHint() const
{
    // A handful of letters: what is longer wraps.
    const QFontMetricsF metrics(m_layout.font());
    const double few = metrics.averageCharWidth() * 6;
    return {static_cast<int>(std::min<double>(few, sizeHint().width())), sizeHint().height()};
}

QString PanelText::selectedText() const
{
    QString text = m_layout.text().mid(std::min(m_anchor, m_end), std::abs(m_end - m_anchor));
    return text.remove(kBreakHere).replace(QChar::LineSeparator, QLatin1Char('\n'));
}

void PanelText::selectAll()
{
    m_anchor = 0;
    m_end = static_cast<int>(m_layout.text().size());
    update();
}

void PanelText::paintEvent(QPaintEvent*)
{
    arrange(width());
    QPainter painter(this);
    painter.setPen(inkOf(m_style.ink));
    QList<QTextLayout::FormatRange> selections;
    if (m_anchor != m_end) {
        QTextLayout::FormatRange range;
        range.start = std::min(m_anchor, m_end);
        range.length = std::abs(m_end - m_anchor);
        range.format.setBackground(theme().selection);
        range.format.setForeground(theme().text);
        selections << range;
    }
    m_layout.draw(&painter, {0, 0}, selections);
}

int PanelText::positionAt(QPoint point) const
{
    arrange(width());
    for (int i = 0; i < m_layout.lineCount(); ++i) {
        const QTextLine line = m_layout.lineAt(i);
        if (point.y() < line.y() + line.height() || i + 1 == m_layout.lineCount())
            return line.xToCursor(point.x());
    }
    return 0;
}

void PanelText::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return;
    m_end = positionAt(event->pos());
    if (!(event->modifiers() & Qt::ShiftModifier))
        m_anchor = m_end;
    update();
}

void PanelText::mouseMoveEvent(QMouseEvent* event)
{
    if (event->buttons() & Qt::LeftButton) {
        m_end = positionAt(event->pos());
        update();
    }
}

void PanelText::mouseDoubleClickEvent(QMouseEvent* event)
{
    QTextBoundaryFinder finder(QTextBoundaryFinder::Word, m_layout.text());
    finder.setPosition(positionAt(event->pos()));
    m_anchor = static_cast<int>(finder.isAtBoundary() ? finder.position() : finder.toPreviousBoundary());
    m_end = static_cast<int>(finder.toNextBoundary());
    if (m_end < 0)
        m_end = static_cast<int>(m_layout.text().size());
    update();
}

void PanelText::keyPressEvent(QKeyEvent* event)
{
    if (event->matches(QKeySequence::Copy) && m_anchor != m_end)
        copy();
    else if (event->matches(QKeySequence::SelectAll))
        selectAll();
    else
        QWidget::keyPressEvent(event);
}

void PanelText::focusOutEvent(QFocusEvent* event)
{
    if (event->reason() != Qt::PopupFocusReason && event->reason() != Qt::ActiveWindowFocusReason) {
        m_anchor = m_end = 0;
        update();
    }
    QWidget::focusOutEvent(event);
}

void PanelText::contextMenuEvent(QContextMenuEvent* event)
{
    if (m_anchor == m_end) {
        event->ignore(); // the panel offers to copy everything
        return;
    }
    QMenu menu(this);
    menu.addAction(tr("Copy"), this, &PanelText::copy);
    menu.exec(event->globalPos());
}

void PanelText::copy() const
{
    QApplication::clipboard()->setText(selectedText());
}

} // namespace hloscope
