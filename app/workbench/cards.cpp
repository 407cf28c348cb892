// SPDX-License-Identifier: Apache-2.0
#include "app/workbench/cards.h"

#include "app/workbench/navigator_model.h"
#include "views/common/icons.h"
#include "views/common/theme.h"

#include <QDir>
#include <QFileInfo>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <utility>

namespace hloscope {

namespace {

constexpr double kStripArea = 84;
constexpr double kTextArea = 76;
constexpr int kPadding = 12;
constexpr double kRadius = 8;
constexpr double kRecentHeight = 40;

void paintFocus(QPainter& painter, const QWidget* widget, const QRectF& frame, double radius)
{
    if (!widget->hasFocus())
        return;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme().accent, 2));
    painter.drawRoundedRect(frame.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
}

void paintLine(QPainter& painter, const QRectF& area, const QFont& font, const QColor& colour, const QString& text)
{
    painter.setFont(font);
    painter.setPen(colour);
    const QString shown = painter.fontMetrics().elidedText(text, Qt::ElideMiddle, static_cast<int>(area.width()));
    painter.drawText(area, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, shown);
}

} // namespace

SampleCard::SampleCard(Sample sample, QWidget* parent) : QAbstractButton(parent), m_sample(std::move(sample))
{
    setText(m_sample.title);
    setAccessibleName(m_sample.title + QStringLiteral(", ") + m_sample.subtitle);
    setToolTip(m_sample.path);
    setCursor(Qt::PointingHandCursor);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void SampleCard::setSummary(SampleSummary summary)
{
    m_summary = std::move(summary);
    setAccessibleDescription(m_summary->figures);
    update();
}

QSize SampleCard::sizeHint() const
{
    const ThemeManager& manager = ThemeManager::instance();
    return {manager.scaled(200), static_cast<int>(kStripArea) + manager.scaled(kTextArea)};
}

void SampleCard::paintEvent(QPaintEvent*)
{
    const ThemeManager& manager = ThemeManager::instance();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF frame = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    painter.setPen(underMouse() ? theme().borderStrong : theme().border);
    painter.setBrush(theme().panel);
    painter.drawRoundedRect(frame, kRadius, kRadius);
    painter.drawLine(QPointF(frame.left(), kStripArea), QPointF(frame.right(), kStripArea));

    const double width = frame.width() - 2 * kPadding;
    if (m_summary) {
        paintStrip(painter, {frame.left() + kPadding, 18, width, 26});
        paintMix(painter, {frame.left() + kPadding, 58, width, 7});
    }
    const double line = manager.scaled(20);
    QRectF text(frame.left() + kPadding, kStripArea + 7, width, line);
    paintLine(painter, text, manager.uiFont(13), theme().text, m_sample.title);
    text.translate(0, line);
    paintLine(painter, text, manager.uiFont(12), theme().text2, m_sample.subtitle);
    text.translate(0, line);
    paintLine(painter, text, manager.uiFont(11), theme().text3, m_summary ? m_summary->figures : tr("reading\u2026"));
    paintFocus(painter, this, frame, kRadius);
}

void SampleCard::paintStrip(QPainter& painter, const QRectF& area) const
{
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme().idle);
    painter.drawRoundedRect(area, 2, 2);
    for (const SampleSummary::Block& block : m_summary->blocks) {
        const double left = area.left() + block.begin * area.width();
        const double wide = (block.end - block.begin) * area.width();
        // A gap between blocks that have room for it, none lost between those that have not.
        const double shown = std::max(wide > 3 ? wide - 1 : wide, 0.5);
        painter.setBrush(theme().fillOf(block.category));
        // Pale fills vanish on white without an outline; a narrow block would be nothing but outline.
        painter.setPen(theme().isDark() || shown < 6 ? QPen(Qt::NoPen) : QPen(theme().wordOf(block.category), 1));
        painter.drawRoundedRect(QRectF(left, area.top(), shown, area.height()), shown > 4 ? 2 : 0, shown > 4 ? 2 : 0);
    }
}

void SampleCard::paintMix(QPainter& painter, const QRectF& area) const
{
    QPainterPath clip;
    clip.addRoundedRect(area, 3, 3);
    painter.save();
    painter.setClipPath(clip);
    painter.fillRect(area, theme().idle);
    double left = area.left();
    for (size_t i = 0; i < kOpCategoryCount; ++i) {
        const double wide = m_summary->share[i] * area.width();
        painter.fillRect(QRectF(left, area.top(), wide, area.height()), theme().fillOf(static_cast<OpCategory>(i)));
        left += wide;
    }
    painter.restore();
}

RecentRow::RecentRow(QString path, QString when, QWidget* parent)
    : QAbstractButton(parent)
    , m_path(std::move(path))
    , m_name(displayNameOf(m_path))
    , m_folder(QDir::toNativeSeparators(QFileInfo(m_path).absolutePath()))
    , m_when(std::move(when))
    , m_isFolder(QFileInfo(m_path).isDir())
{
    setText(m_name);
    setAccessibleName(m_name);
    setToolTip(m_path);
    setCursor(Qt::PointingHandCursor);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

QSize RecentRow::sizeHint() const
{
    const ThemeManager& manager = ThemeManager::instance();
    return {manager.scaled(200), manager.scaled(kRecentHeight)};
}

void RecentRow::paintEvent(QPaintEvent*)
{
    const ThemeManager& manager = ThemeManager::instance();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF frame = QRectF(rect()).adjusted(1, 0, -1, 0);
    if (underMouse())
        painter.fillRect(frame, theme().selectionSoft);
    const QString name = m_isFolder ? QStringLiteral("folder") : QStringLiteral("file");
    painter.drawPixmap(QPointF(frame.left() + 14, frame.center().y() - 8),
                       iconPixmap(name, 16, theme().text2, devicePixelRatioF()));
    QRectF row = frame.adjusted(40, 0, -14, 0);
    painter.setFont(manager.uiFont(11));
    painter.setPen(underMouse() ? theme().text2 : theme().text3);
    painter.drawText(row, Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine, m_when);
    row.setRight(row.right() - painter.fontMetrics().horizontalAdvance(m_when) - 10);
    const QRectF top(row.left(), row.top() + 3, row.width(), row.height() / 2 - 2);
    paintLine(painter, top, manager.uiFont(12), theme().text, m_name);
    paintLine(painter, top.translated(0, row.height() / 2 - 3), manager.uiFont(11), theme().text2, m_folder);
    paintFocus(painter, this, frame, 5);
}

} // namespace hloscope
