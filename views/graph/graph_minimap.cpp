// SPDX-License-Identifier: Apache-2.0
#include "views/graph/graph_minimap.h"

#include "views/common/theme.h"
#include "views/graph/graph_picture.h"

#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace hloscope {

namespace {

constexpr double kMaxWidth = 180;
constexpr double kMaxHeight = 150;
constexpr double kMinSide = 24;
constexpr double kRadius = 8;

} // namespace

GraphMinimap::GraphMinimap(QWidget* parent) : QWidget(parent)
{
    setCursor(Qt::ArrowCursor);
    setToolTip(tr("The whole graph; click to go there"));
    setAccessibleName(tr("Overview of the graph"));
    hide();
}

void GraphMinimap::setPicture(const GraphPicture& picture)
{
    m_pictureSize = picture.size;
    if (picture.isEmpty()) {
        hide();
        return;
    }
    m_scale =
        std::min(kMaxWidth / std::max(m_pictureSize.width(), 1.0), kMaxHeight / std::max(m_pictureSize.height(), 1.0));
    const QSizeF content = m_pictureSize * m_scale;
    resize(static_cast<int>(std::ceil(std::max(content.width(), kMinSide) + 2 * m_margin)),
           static_cast<int>(std::ceil(std::max(content.height(), kMinSide) + 2 * m_margin)));
    draw(picture);
}

void GraphMinimap::draw(const GraphPicture& picture)
{
    const Theme& colours = theme();
    m_nodes = QPixmap(size() * devicePixelRatioF());
    m_nodes.setDevicePixelRatio(devicePixelRatioF());
    m_nodes.fill(Qt::transparent);
    QPainter painter(&m_nodes);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(colours.borderStrong);
    painter.setBrush(colours.panel);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), kRadius, kRadius);
    for (size_t node = 0; node < picture.rects.size(); ++node) {
        const GraphNodeLook& look = picture.looks[node];
        if (look.form == GraphNodeLook::Form::Pill)
            continue;
        const QRectF& place = picture.rects[node];
        const QSizeF dot(std::max(place.width() * m_scale, 1.5), std::max(place.height() * m_scale, 1.5));
        painter.fillRect(QRectF(toMap(place.topLeft()), dot),
                         look.hasBand ? colours.fillOf(look.category) : colours.text3);
    }
    update();
}

void GraphMinimap::setVisibleArea(const QRectF& area)
{
    m_visible = area;
    const QRectF whole(QPointF(), m_pictureSize);
    setVisible(!whole.isEmpty() && !area.contains(whole));
    update();
}

void GraphMinimap::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.drawPixmap(0, 0, m_nodes);
    const QRectF frame = QRectF(toMap(m_visible.topLeft()), toMap(m_visible.bottomRight()))
                             .intersected(QRectF(rect()).adjusted(1, 1, -2, -2));
    painter.setPen(QPen(theme().accent, 1.5));
    painter.drawRect(frame);
}

void GraphMinimap::moveTo(QPointF place)
{
    emit moved((place - QPointF(m_margin, m_margin)) / m_scale);
}

void GraphMinimap::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton)
        moveTo(event->position());
}

void GraphMinimap::mouseMoveEvent(QMouseEvent* event)
{
    if (event->buttons().testFlag(Qt::LeftButton))
        moveTo(event->position());
}

// Not for the canvas below, whose pointer is elsewhere.
void GraphMinimap::wheelEvent(QWheelEvent* event)
{
    event->accept();
}

} // namespace hloscope
