// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QPixmap>
#include <QRectF>
#include <QWidget>

namespace hloscope {

class GraphPicture;

// The whole picture in a corner of the canvas, with a frame around what is in sight. Click or drag moves the frame.
// Hidden while everything is in sight.
class GraphMinimap : public QWidget {
    Q_OBJECT

public:
    explicit GraphMinimap(QWidget* parent = nullptr);

    // After a new picture; takes a size that fits it.
    void setPicture(const GraphPicture& picture);
    // In picture coordinates.
    void setVisibleArea(const QRectF& area);

signals:
    void moved(QPointF centre); // in picture coordinates

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    QPointF toMap(QPointF point) const { return point * m_scale + QPointF(m_margin, m_margin); }
    void moveTo(QPointF place);
    void draw(const GraphPicture& picture);

    const double m_margin = 6; // px around the picture
    QPixmap m_nodes;
    QSizeF m_pictureSize;
    QRectF m_visible;
    double m_scale = 1;
};

} // namespace hloscope
