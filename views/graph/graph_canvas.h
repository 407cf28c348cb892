// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/graph/graph_picture.h"

#include <QPointF>
#include <QWidget>

#include <optional>

namespace hloscope {

class GraphMinimap;

// The painted area: shows a picture, pans and zooms it, and tells which node was clicked. It knows nothing of what the
// nodes mean.
//
// Pointer: drag pans, wheel zooms at the pointer (a touchpad pans, with Ctrl it zooms), Shift+wheel pans sideways.
// Keys: arrows or A/D pan (Shift faster), W/S or +/- zoom, 0 is 100 %, F shows the selected node, Shift+F everything.
class GraphCanvas : public QWidget {
    Q_OBJECT

public:
    static constexpr double kMinScale = 0.05;
    static constexpr double kMaxScale = 4;

    explicit GraphCanvas(QWidget* parent = nullptr);

    const GraphPicture& picture() const { return m_picture; }
    enum class Placement : uint8_t { Middle, AsBefore };
    // Shows the picture with `anchor` in the middle, or where the same op stood in the picture before if it was visible
    // there. Without an anchor the top of the picture is shown.
    void setPicture(GraphPicture picture, std::optional<size_t> anchor, Placement placement);
    // New words in the same geometry.
    void setLooks(std::vector<GraphNodeLook> looks);
    void clear();

    std::optional<size_t> selected() const { return m_selected; }
    void setSelected(std::optional<size_t> node);
    // Scrolls just as far as is needed; to the middle if the node was out of sight.
    void ensureVisible(size_t node);
    void centreOn(size_t node);
    // The node, or else the middle of the width, but nothing of the ground above the picture.
    void showTop(std::optional<size_t> node = std::nullopt);
    // 100 % unless everything fits only when smaller.
    void showAll();

    double scale() const { return m_scale; }
    // `fixed` is a point of the widget that keeps its place.
    void setScale(double scale, QPointF fixed);
    void setBusy(bool isBusy);

    QPointF toScreen(QPointF point) const { return (point - m_origin) * m_scale; }
    QPointF toPicture(QPointF point) const { return point / m_scale + m_origin; }
    QRectF nodeOnScreen(size_t node) const;

    // The picture as it is shown, for an area of any size.
    void paintPicture(QPainter& painter, const QRectF& area, double scale, QPointF origin) const;
    // Scale and origin with which the picture fits an area, at most 100 %.
    std::pair<double, QPointF> fitting(QSizeF area) const;
    QPointF origin() const { return m_origin; }

signals:
    void clicked(size_t node);
    void activated(size_t node); // double click or Enter
    void ascendRequested(); // Backspace
    void viewChanged(); // panned or zoomed

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void setOrigin(QPointF origin);
    void placeMinimap();
    void pan(QPointF pixels);
    void setHovered(std::optional<size_t> node);
    void paintLegend(QPainter& painter) const;
    void paintFrame(QPainter& painter) const;
    bool panWithKey(int key, bool isFast);
    bool zoomWithKey(int key);

    GraphPicture m_picture;
    GraphMinimap* m_minimap;
    std::optional<size_t> m_selected;
    std::optional<size_t> m_hovered;
    double m_scale = 1;
    QPointF m_origin; // picture point at the top left corner of the widget
    std::optional<QPointF> m_pressedAt;
    QPointF m_lastDrag;
    bool m_isDragging = false;
    bool m_isBusy = false;
};

} // namespace hloscope
