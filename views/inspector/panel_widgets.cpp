// SPDX-License-Identifier: Apache-2.0
#include "views/inspector/panel_widgets.h"

#include "views/common/theme.h"
#include "views/tiling/tile_painter.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace hloscope {

namespace {

constexpr int kSectionPadding = 10;
constexpr int kChipGap = 4;

int scaled(double px)
{
    return ThemeManager::instance().scaled(px);
}

} // namespace

PanelSection::PanelSection(const QString& caption, QWidget* parent) : QWidget(parent), m_body(new QVBoxLayout(this))
{
    m_body->setContentsMargins(14, kSectionPadding, 14, kSectionPadding);
    m_body->setSpacing(2);
    connect(&ThemeManager::instance(), &ThemeManager::changed, this, qOverload<>(&QWidget::update));
    if (!caption.isEmpty()) {
        addText(caption, {PanelTextStyle::Ink::Secondary, 11});
        m_body->addSpacing(2);
        setAccessibleName(caption);
    }
}

PanelText* PanelSection::addText(const QString& text, const PanelTextStyle& style)
{
    auto* label = new PanelText(text, style, this);
    m_body->addWidget(label);
    return label;
}

PanelText* PanelSection::addRow(const QString& label, const QString& value, const QString& toolTip)
{
    return addPanelRow(m_body, label, value, toolTip);
}

PanelText* addPanelRow(QVBoxLayout* column, const QString& label, const QString& value, const QString& toolTip)
{
    auto* row = new QHBoxLayout;
    row->setSpacing(12);
    auto* right = new PanelText(value, {.align = Qt::AlignRight});
    right->setToolTip(toolTip);
    right->setAccessibleName(QStringLiteral("%1: %2").arg(label, value));
    row->addWidget(new PanelText(label, {PanelTextStyle::Ink::Secondary}), 0, Qt::AlignTop);
    row->addWidget(right, 1);
    column->addLayout(row);
    return right;
}

void PanelSection::setLineVisible(bool visible)
{
    m_hasLine = visible;
    update();
}

void PanelSection::paintEvent(QPaintEvent*)
{
    if (!m_hasLine)
        return;
    QPainter painter(this);
    painter.fillRect(QRect(0, 0, width(), 1), theme().border);
}

PanelLink::PanelLink(const QString& text, bool mono, QWidget* parent) : QWidget(parent), m_text(text), m_mono(mono)
{
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setAccessibleName(text);
    connect(&ThemeManager::instance(), &ThemeManager::changed, this, [this] {
        updateGeometry();
        update();
    });
}

QFont PanelLink::textFont() const
{
    return m_mono ? ThemeManager::instance().monoFont(12) : ThemeManager::instance().uiFont(12);
}

QSize PanelLink::sizeHint() const
{
    const QFontMetricsF metrics(textFont());
    return {static_cast<int>(std::ceil(metrics.horizontalAdvance(m_text))) + 6,
            static_cast<int>(std::ceil(metrics.height())) + 4};
}

QSize PanelLink::minimumSizeHint() const
{
    const QFontMetricsF metrics(textFont());
    return {std::min(sizeHint().width(), static_cast<int>(metrics.horizontalAdvance(QLatin1Char('m')) * 8)),
            sizeHint().height()};
}

void PanelLink::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    QFont font = textFont();
    font.setUnderline(m_isHovered);
    painter.setFont(font);
    painter.setPen(theme().accent);
    const QRect inner = rect().adjusted(1, 0, -1, 0);
    painter.drawText(inner, Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetrics(font).elidedText(m_text, Qt::ElideMiddle, inner.width()));
    if (hasFocus()) {
        painter.setPen(QPen(theme().accent, 1));
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    }
}

void PanelLink::resizeEvent(QResizeEvent* event)
{
    const bool isCut = QFontMetrics(textFont()).horizontalAdvance(m_text) > width() - 4;
    setToolTip(isCut ? m_text : QString());
    QWidget::resizeEvent(event);
}

void PanelLink::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && rect().contains(event->pos()))
        emit activated();
}

void PanelLink::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Space)
        emit activated();
    else if (event->matches(QKeySequence::Copy))
        QApplication::clipboard()->setText(m_text);
    else
        QWidget::keyPressEvent(event);
}

void PanelLink::enterEvent(QEnterEvent*)
{
    m_isHovered = true;
    update();
}

void PanelLink::leaveEvent(QEvent*)
{
    m_isHovered = false;
    update();
}

void PanelLink::contextMenuEvent(QContextMenuEvent* event)
{
    QMenu menu(this);
    menu.addAction(tr("Copy name"), this, [this] { QApplication::clipboard()->setText(m_text); });
    menu.exec(event->globalPos());
}

CategoryChip::CategoryChip(OpCategory category, const QString& text, QWidget* parent)
    : QWidget(parent), m_category(category), m_text(text)
{
    setAccessibleName(text);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(&ThemeManager::instance(), &ThemeManager::changed, this, [this] {
        updateGeometry();
        update();
    });
}

QSize CategoryChip::sizeHint() const
{
    const QFontMetrics metrics(ThemeManager::instance().uiFont(12));
    return {metrics.horizontalAdvance(m_text) + 12, metrics.height() + 2};
}

void CategoryChip::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(theme().fillOf(m_category));
    painter.setPen(theme().isDark() ? Qt::NoPen : QPen(theme().wordOf(m_category), 1));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    painter.setFont(ThemeManager::instance().uiFont(12));
    painter.setPen(theme().onFill);
    painter.drawText(rect(), Qt::AlignCenter, m_text);
}

ChipRow::ChipRow(QWidget* parent) : QWidget(parent)
{
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void ChipRow::add(QWidget* chip)
{
    chip->setParent(this);
    m_chips.push_back(chip);
    updateGeometry();
}

int ChipRow::arrange(int width, bool place) const
{
    int x = 0;
    int y = 0;
    int rowHeight = 0;
    for (QWidget* chip : m_chips) {
        const QSize size = chip->sizeHint();
        if (x > 0 && x + size.width() > width) {
            x = 0;
            y += rowHeight + kChipGap;
            rowHeight = 0;
        }
        if (place)
            chip->setGeometry(x, y, std::min(size.width(), width), size.height());
        x += size.width() + kChipGap;
        rowHeight = std::max(rowHeight, size.height());
    }
    return y + rowHeight;
}

int ChipRow::heightForWidth(int width) const
{
    return arrange(width, false);
}

QSize ChipRow::sizeHint() const
{
    return {200, arrange(10'000, false)};
}

void ChipRow::resizeEvent(QResizeEvent*)
{
    arrange(width(), true);
}

CategorySquare::CategorySquare(OpCategory category, QWidget* parent) : QWidget(parent), m_category(category)
{
    setFixedSize(scaled(12), scaled(12));
    connect(&ThemeManager::instance(), &ThemeManager::changed, this, [this] {
        setFixedSize(scaled(12), scaled(12));
        update();
    });
}

void CategorySquare::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(theme().fillOf(m_category));
    painter.setPen(theme().isDark() ? Qt::NoPen : QPen(theme().wordOf(m_category), 1));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 2, 2);
}

MiniTiles::MiniTiles(const Shape& shape, QWidget* parent) : QWidget(parent), m_shape(shape)
{
    setFixedSize(92, 48);
    setAccessibleName(tr("Picture of the tiles"));
    connect(&ThemeManager::instance(), &ThemeManager::changed, this, qOverload<>(&QWidget::update));
}

void MiniTiles::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    paintMiniTiles(painter, QRectF(rect()).adjusted(0.5, 1.5, -1.5, -1.5), m_shape, theme());
}

ShareBar::ShareBar(OpCategory category, double share, QWidget* parent)
    : QWidget(parent), m_category(category), m_share(std::clamp(share, 0.0, 1.0))
{
    setFixedHeight(8);
    connect(&ThemeManager::instance(), &ThemeManager::changed, this, qOverload<>(&QWidget::update));
}

void ShareBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme().idle);
    painter.drawRoundedRect(rect(), 2, 2);
    painter.setBrush(theme().fillOf(m_category));
    painter.setPen(theme().isDark() ? Qt::NoPen : QPen(theme().wordOf(m_category), 1));
    painter.drawRoundedRect(QRectF(0.5, 0.5, std::max(3.0, width() * m_share) - 1, height() - 1), 2, 2);
}

} // namespace hloscope
