// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/tiling/tile_painter.h"
#include "views/tiling/tile_picture.h"

#include <QRectF>
#include <QString>

#include <optional>

class QPainter;

namespace hloscope {

// The whole picture of one layout: cards for the tiles of a big array, for the logical grid with the path through
// memory, and for memory itself. Arranges itself for a width and shows the part of each grid that has room around the
// cursor, so that the cost of painting depends on the picture's size and not on the array's.
class LayoutPicture {
public:
    explicit LayoutPicture(TilePicture tiles);

    const TilePicture& tiles() const { return m_tiles; }
    void setOuterIndex(size_t position, int64_t index);

    CellLabel cellLabel() const { return m_label; }
    void setCellLabel(CellLabel label) { m_label = label; }
    // Places the cards; the height they need.
    double arrange(double width);
    double height() const { return m_height; }
    void paint(QPainter& painter, const Theme& theme) const;

    // The element that lights up in all cards, as an offset in memory.
    std::optional<int64_t> cursor() const { return m_cursor; }
    void setCursor(std::optional<int64_t> offset);
    // Scrolls grids and strip so that they show the cursor.
    void revealCursor();
    // Moves the cursor in the logical grid, padding included; starts at the first element.
    void moveCursor(int64_t rows, int64_t columns);
    // Moves it in memory order; stops at both ends.
    void stepInMemory(int64_t elements);
    // Wider or narrower cells of the logical grid; 1 goes back to what fits.
    void zoom(double factor);

    struct Hit {
        std::optional<int64_t> offset; // of an element or padding cell
        std::optional<GridCell> tile; // in the card of the tiles
    };
    Hit hitAt(QPointF point) const;
    // Shows the elements of a tile and puts the cursor on its first one.
    void openTile(GridCell tile);
    // Where the cursor is drawn in the logical grid, for keeping it in view; empty when it is not.
    QRectF cursorRect() const;

private:
    struct Card {
        QRectF rect; // empty when the card is left out
        QRectF body;
    };
    double cardHeaderHeight() const;
    Card placeCard(double top, double bodyHeight) const;
    double arrangeTiles(double top);
    double arrangeGrid(double top);
    double arrangeStrip(double top);
    double defaultCellWidth(double available) const;
    double rowHeader(int64_t rows) const;
    void paintCard(QPainter& painter, const Card& card, const QString& title, const QString& summary,
                   const Theme& theme) const;
    void paintCaption(QPainter& painter, QPointF at, double width, const QString& text, const Theme& theme) const;
    QString gridSummary() const;
    QString stripSummary() const;
    QString tilesSummary() const;
    GridCell cursorTile() const;

    TilePicture m_tiles;
    CellLabel m_label = CellLabel::Offset;
    std::optional<int64_t> m_cursor;
    double m_zoom = 1;
    double m_fittingCell = 1; // width of a cell at zoom 1
    double m_width = 0;
    double m_height = 0;
    Card m_tileCard;
    Card m_gridCard;
    Card m_stripCard;
    GridGeometry m_tileGrid;
    GridGeometry m_grid;
    GridGeometry m_path; // no rows when left out
    StripGeometry m_strip;
};

} // namespace hloscope
