// SPDX-License-Identifier: Apache-2.0
#include "views/graph/graph_canvas.h"

#include "views/common/theme.h"
#include "views/graph/graph_minimap.h"
#include "views/graph/graph_painter.h"

#include <QApplication>
#include <QFontMetricsF>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace hloscope {

namespace {

constexpr double kMargin = 24; // px kept free around a picture
constexpr double kKeyStep = 48; // px
constexpr double kZoomStep = 1.25;

} // namespace

GraphCanvas::GraphCanvas(QWidget* parent) : QWidget(parent), m_minimap(new GraphMinimap(this))
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setMinimumSize(160, 120);
    setAccessibleName(tr("Graph"));
    connect(m_minimap, &GraphMinimap::moved, this,
            [this](QPointF centre) { setOrigin(centre - QPointF(width(), height()) / 2 / m_scale); });
}

void GraphCanvas::setPicture(GraphPicture picture, std::optional<size_t> anchor, Placement placement)
{
    std::optional<QPointF> place;
    if (anchor && placement == Placement::AsBefore && !m_picture.isEmpty() && m_picture.module == picture.module) {
        const auto before = m_picture.nodeOf(picture.scene.nodes[*anchor].instruction);
        if (before && rect().contains(nodeOnScreen(*before).center().toPoint()))
            place = nodeOnScreen(*before).center();
    }
    m_picture = std::move(picture);
    m_minimap->setPicture(m_picture);
    placeMinimap();
    m_selected.reset();
    m_hovered.reset();
    if (!anchor)
        showTop();
    else if (place)
        setOrigin(m_picture.rects[*anchor].center() - *place / m_scale);
    else
        centreOn(*anchor);
    update();
}

void GraphCanvas::setLooks(std::vector<GraphNodeLook> looks)
{
    m_picture.looks = std::move(looks);
    m_minimap->setPicture(m_picture);
    update();
}

void GraphCanvas::clear()
{
    m_picture = GraphPicture();
    m_minimap->setPicture(m_picture);
    m_selected.reset();
    m_hovered.reset();
    update();
}

void GraphCanvas::setSelected(std::optional<size_t> node)
{
    if (m_selected == node)
        return;
    m_selected = node;
    update();
}

QRectF GraphCanvas::nodeOnScreen(size_t node) const
{
    const QRectF& rect = m_picture.rects[node];
    return {toScreen(rect.topLeft()), rect.size() * m_scale};
}

void GraphCanvas::ensureVisible(size_t node)
{
    const QRectF place = nodeOnScreen(node);
    const QRectF room = QRectF(rect()).adjusted(kMargin, kMargin, -kMargin, -kMargin);
    if (room.contains(place))
        return;
    if (!QRectF(rect()).intersects(place) || place.width() > room.width() || place.height() > room.height()) {
        centreOn(node);
        return;
    }
    const double dx = std::min(0.0, place.left() - room.left()) + std::max(0.0, place.right() - room.right());
    const double dy = std::min(0.0, place.top() - room.top()) + std::max(0.0, place.bottom() - room.bottom());
    setOrigin(m_origin + QPointF(dx, dy) / m_scale);
}

void GraphCanvas::showTop(std::optional<size_t> node)
{
    const QPointF middle = QPointF(width(), height()) / 2 / m_scale;
    const QPointF place = node ? m_picture.rects[*node].center() : QPointF(m_picture.size.width() / 2, 0);
    setOrigin(QPointF(place.x() - middle.x(), std::max(place.y() - middle.y(), -kMargin / m_scale)));
}

void GraphCanvas::centreOn(size_t node)
{
    setOrigin(m_picture.rects[node].center() - QPointF(width(), height()) / 2 / m_scale);
}

std::pair<double, QPointF> GraphCanvas::fitting(QSizeF area) const
{
    const QSizeF room(std::max(area.width() - 2 * kMargin, 1.0), std::max(area.height() - 2 * kMargin, 1.0));
    const double fit = std::min(room.width() / std::max(m_picture.size.width(), 1.0),
                                room.height() / std::max(m_picture.size.height(), 1.0));
    const double scale = std::clamp(fit, kMinScale, 1.0);
    return {scale,
            QPointF(m_picture.size.width() - area.width() / scale, m_picture.size.height() - area.height() / scale)
                / 2};
}

void GraphCanvas::showAll()
{
    const auto [scale, origin] = fitting(size());
    m_scale = scale;
    setOrigin(origin);
}

void GraphCanvas::setScale(double scale, QPointF fixed)
{
    const QPointF point = toPicture(fixed);
    m_scale = std::clamp(scale, kMinScale, kMaxScale);
    setOrigin(point - fixed / m_scale);
}

void GraphCanvas::setBusy(bool isBusy)
{
    m_isBusy = isBusy;
    update();
}

// A part of the picture always stays in sight.
void GraphCanvas::setOrigin(QPointF origin)
{
    const QSizeF area = QSizeF(size()) / m_scale;
    const double keep = 80 / m_scale;
    m_origin.setX(
        std::clamp(origin.x(), keep - area.width(), std::max(m_picture.size.width() - keep, keep - area.width())));
    m_origin.setY(
        std::clamp(origin.y(), keep - area.height(), std::max(m_picture.size.height() - keep, keep - area.height())));
    // Whole pixels keep the outlines crisp.
    m_origin = QPointF(std::round(m_origin.x() * m_scale), std::round(m_origin.y() * m_scale)) / m_scale;
    m_minimap->setVisibleArea(QRectF(m_origin, QSizeF(size()) / m_scale));
    update();
    emit viewChanged();
}

void GraphCanvas::placeMinimap()
{
    constexpr int kGap = 8;
    m_minimap->move(width() - m_minimap->width() - kGap, height() - m_minimap->height() - kGap);
}

void GraphCanvas::pan(QPointF pixels)
{
    setOrigin(m_origin + pixels / m_scale);
}

void GraphCanvas::setHovered(std::optional<size_t> node)
{
    if (m_hovered == node)
        return;
    m_hovered = node;
    setCursor(node ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
}

bool GraphCanvas::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto node = m_picture.nodeAt(toPicture(help->pos()));
    if (!node || !m_picture.module) {
        QToolTip::hideText();
        event->ignore();
        return true;
    }
    QToolTip::showText(help->globalPos(), describeNode(*m_picture.module, m_picture.scene.nodes[*node]), this,
                       nodeOnScreen(*node).toAlignedRect());
    return true;
}

void GraphCanvas::paintPicture(QPainter& painter, const QRectF& area, double scale, QPointF origin) const
{
    painter.save();
    painter.setClipRect(area, Qt::IntersectClip);
    painter.fillRect(area, theme().view);
    painter.translate(area.topLeft());
    painter.scale(scale, scale);
    painter.translate(-origin);
    paintGraph(painter, m_picture, theme(), {scale, QRectF(origin, area.size() / scale), m_selected, m_hovered});
    painter.restore();
}

void GraphCanvas::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    if (m_picture.isEmpty()) {
        painter.fillRect(rect(), theme().view);
    } else {
        paintPicture(painter, rect(), m_scale, m_origin);
        paintLegend(painter);
    }
    paintFrame(painter);
}

// What the coloured edges mean, while an op of the picture is selected.
void GraphCanvas::paintLegend(QPainter& painter) const
{
    if (!m_selected)
        return;
    const Theme& colours = theme();
    const QFont font = ThemeManager::instance().uiFont(11);
    const QFontMetricsF metrics(font);
    painter.setFont(font);
    struct Entry {
        QString text;
        QColor colour;
        bool isPill;
    };
    const Entry entries[]{{tr("operands of the selection"), colours.accent, false},
                          {tr("users"), colours.text, false},
                          {tr("not shown"), colours.text3, true}};
    double total = 2;
    for (const Entry& entry : entries)
        total += 18 + 6 + metrics.horizontalAdvance(entry.text) + 18;
    const QRectF ground(8.5, std::floor(height() - metrics.height() - 16) + 0.5, std::ceil(total),
                        std::ceil(metrics.height()) + 8);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(colours.border);
    painter.setBrush(colours.panel);
    painter.drawRoundedRect(ground, 5, 5);
    double x = ground.left() + 10;
    const double y = std::round(ground.center().y()) + 0.5;
    for (const Entry& entry : entries) {
        QPen pen(entry.colour, entry.isPill ? 1 : 1.8);
        painter.setBrush(Qt::NoBrush);
        if (entry.isPill) {
            pen.setDashPattern({3, 3});
            painter.setPen(pen);
            painter.drawRoundedRect(QRectF(x, y - 5, 18, 10), 5, 5);
        } else {
            painter.setPen(pen);
            painter.drawLine(QPointF(x, y), QPointF(x + 18, y));
        }
        x += 18 + 6;
        painter.setPen(colours.text2);
        painter.drawText(QPointF(x, y + (metrics.ascent() - metrics.descent()) / 2), entry.text);
        x += metrics.horizontalAdvance(entry.text) + 18;
    }
}

void GraphCanvas::paintFrame(QPainter& painter) const
{
    painter.setRenderHint(QPainter::Antialiasing, false);
    if (m_isBusy)
        painter.fillRect(0, 0, width(), 2, theme().accent);
    if (hasFocus()) {
        painter.setPen(theme().accent);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(1, 1, -2, -2));
    }
}

void GraphCanvas::resizeEvent(QResizeEvent* event)
{
    placeMinimap();
    if (!event->oldSize().isValid() || m_picture.isEmpty())
        return;
    // What was in the middle stays there.
    const QSize grown = event->size() - event->oldSize();
    setOrigin(m_origin - QPointF(grown.width(), grown.height()) / 2 / m_scale);
}

void GraphCanvas::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton) {
        event->ignore();
        return;
    }
    m_pressedAt = event->position();
    m_lastDrag = event->position();
    m_isDragging = event->button() == Qt::MiddleButton;
}

void GraphCanvas::mouseMoveEvent(QMouseEvent* event)
{
    if (!m_pressedAt) {
        setHovered(m_picture.nodeAt(toPicture(event->position())));
        return;
    }
    if (!m_isDragging && (event->position() - *m_pressedAt).manhattanLength() < QApplication::startDragDistance())
        return;
    m_isDragging = true;
    setHovered(std::nullopt);
    setCursor(Qt::ClosedHandCursor);
    pan(m_lastDrag - event->position());
    m_lastDrag = event->position();
}

void GraphCanvas::mouseReleaseEvent(QMouseEvent* event)
{
    const bool isClick = m_pressedAt && !m_isDragging && event->button() == Qt::LeftButton;
    m_pressedAt.reset();
    m_isDragging = false;
    setCursor(Qt::ArrowCursor);
    if (!isClick)
        return;
    if (const auto node = m_picture.nodeAt(toPicture(event->position())))
        emit clicked(*node);
}

void GraphCanvas::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return;
    if (const auto node = m_picture.nodeAt(toPicture(event->position())))
        emit activated(*node);
}

void GraphCanvas::leaveEvent(QEvent*)
{
    setHovered(std::nullopt);
}

void GraphCanvas::wheelEvent(QWheelEvent* event)
{
    const bool isTouchpad = !event->pixelDelta().isNull();
    const bool zooms = event->modifiers().testFlag(Qt::ControlModifier)
        || (!isTouchpad && !event->modifiers().testFlag(Qt::ShiftModifier));
    if (zooms) {
        const double notches = event->angleDelta().y() / 120.0;
        setScale(m_scale * std::pow(kZoomStep, notches), event->position());
    } else if (isTouchpad) {
        pan(-QPointF(event->pixelDelta()));
    } else {
        // Some platforms turn Shift+wheel into horizontal steps themselves.
        const int delta = event->angleDelta().x() != 0 ? event->angleDelta().x() : event->angleDelta().y();
        pan(QPointF(-delta / 120.0 * kKeyStep, 0));
    }
    event->accept();
}

bool GraphCanvas::panWithKey(int key, bool isFast)
{
    const double step = isFast ? kKeyStep * 4 : kKeyStep;
    switch (key) {
    case Qt::Key_Left:
    case Qt::Key_A:
        pan({-step, 0});
        return true;
    case Qt::Key_Right:
    case Qt::Key_D:
        pan({step, 0});
        return true;
    case Qt::Key_Up:
        pan({0, -step});
        return true;
    case Qt::Key_Down:
        pan({0, step});
        return true;
    default:
        return false;
    }
}

bool GraphCanvas::zoomWithKey(int key)
{
    const QPointF pointer = mapFromGlobal(QCursor::pos());
    const QPointF fixed = underMouse() ? pointer : QPointF(width(), height()) / 2;
    switch (key) {
    case Qt::Key_W:
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        setScale(m_scale * kZoomStep, fixed);
        return true;
    case Qt::Key_S:
    case Qt::Key_Minus:
        setScale(m_scale / kZoomStep, fixed);
        return true;
    case Qt::Key_0:
        setScale(1, fixed);
        return true;
    default:
        return false;
    }
}

void GraphCanvas::keyPressEvent(QKeyEvent* event)
{
    if (event->modifiers().testFlag(Qt::ControlModifier) || event->modifiers().testFlag(Qt::AltModifier)) {
        event->ignore();
        return;
    }
    const bool isShift = event->modifiers().testFlag(Qt::ShiftModifier);
    if (panWithKey(event->key(), isShift) || zoomWithKey(event->key()))
        return;
    if (event->key() == Qt::Key_F) {
        if (isShift || !m_selected)
            showAll();
        else
            centreOn(*m_selected);
    } else if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && m_selected) {
        emit activated(*m_selected);
    } else if (event->key() == Qt::Key_Backspace) {
        emit ascendRequested();
    } else {
        event->ignore();
    }
}

} // namespace hloscope
