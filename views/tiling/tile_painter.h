// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/common/theme.h"
#include "views/tiling/tile_picture.h"

#include <QFont>
#include <QRectF>

#include <optional>

class QPainter;

namespace hloscope {

enum class CellLabel : uint8_t { Index, Offset, Byte };

// A run of equally wide cells along one axis: the part of `count` cells that has room.
struct AxisWindow {
    int64_t count = 0;
    int64_t first = 0;
    int64_t shown = 0;
    double origin = 0; // of cell `first`
    double cell = 0;

    double position(int64_t index) const { return origin + static_cast<double>(index - first) * cell; }
    double length() const { return static_cast<double>(shown) * cell; }
    int64_t end() const { return first + shown; }
    bool isCutAtStart() const { return first > 0; }
    bool isCutAtEnd() const { return end() < count; }
    std::optional<int64_t> at(double position) const;
    // Moves the window as little as needed so that it shows the cell.
    void reveal(int64_t index);
    // The same, but puts a cell that was out of sight into the middle.
    void centre(int64_t index);
};

struct GridGeometry {
    AxisWindow columns;
    AxisWindow rows;

    QRectF frame() const { return {columns.origin, rows.origin, columns.length(), rows.length()}; }
    QRectF rect(GridCell cell) const
    {
        return {columns.position(cell.column), rows.position(cell.row), columns.cell, rows.cell};
    }
    std::optional<GridCell> at(QPointF point) const;
    bool shows(GridCell cell) const
    {
        return cell.row >= rows.first && cell.row < rows.end() && cell.column >= columns.first
            && cell.column < columns.end();
    }
};

// Memory from left to right, wrapped into rows of `perRow` elements.
struct StripGeometry {
    AxisWindow rows; // rows.cell is the height of a row with its labels
    int64_t perRow = 1;
    int64_t total = 0; // elements with padding
    double left = 0;
    double cellWidth = 0;
    double cellTop = 0; // below the top of a row
    double cellHeight = 0;

    QRectF rect(int64_t offset) const;
    std::optional<int64_t> at(QPointF point) const; // offset
};

// How things are drawn now.
struct PaintStyle {
    const Theme& theme;
    QFont label; // numbers beside the cells
    QFont cell; // numbers inside
    CellLabel content = CellLabel::Offset;
    std::optional<int64_t> cursor; // offset of the element that lights up
};

QString cellText(const TilePicture& picture, int64_t offset, CellLabel label);
// "3,5"; nothing but a dot for padding.
QString indexText(const TilePicture& picture, int64_t offset);

// Cells tinted by tile, padding hatched, tile edges, numbers where they fit, row and column numbers outside.
void paintGrid(QPainter& painter, const TilePicture& picture, const GridGeometry& geometry, const PaintStyle& style);
// The first-level tiles as cells, with their number in memory order where it fits. `current` is framed.
void paintTileGrid(QPainter& painter, const TilePicture& picture, const GridGeometry& geometry, GridCell current,
                   const PaintStyle& style);
void paintStrip(QPainter& painter, const TilePicture& picture, const StripGeometry& geometry, const PaintStyle& style);
// A line through the cells in memory order: dashed from tile to tile, a ring at offset 0.
void paintPath(QPainter& painter, const TilePicture& picture, const GridGeometry& geometry, const PaintStyle& style);

// A thumbnail of the tiles of a shape: at most 4 x 4 of them, the first one lit, padding hatched. Nothing for shapes
// that have no picture.
void paintMiniTiles(QPainter& painter, const QRectF& rect, const Shape& shape, const Theme& theme);

// 45 degree lines, as padding and gaps are marked everywhere.
void paintHatch(QPainter& painter, const QRectF& rect, const QColor& colour);

} // namespace hloscope
