// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/tiling/layout_picture.h"

#include <QWidget>

#include <memory>
#include <optional>

namespace hloscope {

// Paints a LayoutPicture and turns mouse and keys into movements of its cursor. Arrows move by one element, Page Up and
// Page Down by a tile, Home and End to the ends of memory, `,` and `.` along memory, + and - zoom, Space asks to walk.
class LayoutCanvas : public QWidget {
    Q_OBJECT

public:
    explicit LayoutCanvas(QWidget* parent = nullptr);

    // Null leaves the canvas empty.
    void setPicture(std::unique_ptr<LayoutPicture> picture);
    LayoutPicture* picture() const { return m_picture.get(); }
    void setCellLabel(CellLabel label);
    void setOuterIndex(size_t position, int64_t index);
    // One element further in memory; false at the end.
    bool walk();

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {200, 120}; }

signals:
    void cursorChanged(); // of the picture
    void walkRequested();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void arrange();
    void paintEmpty(QPainter& painter) const;
    void setCursorOffset(std::optional<int64_t> offset);
    bool moveByKey(const QKeyEvent& event);

    std::unique_ptr<LayoutPicture> m_picture;
    CellLabel m_label = CellLabel::Offset;
    std::optional<int64_t> m_pinned; // cursor set by click or key: comes back when the pointer leaves
};

} // namespace hloscope
