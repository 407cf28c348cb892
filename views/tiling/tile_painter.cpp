// SPDX-License-Identifier: Apache-2.0
#include "views/tiling/tile_painter.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace hloscope {

namespace {

struct Painted {
    Q_DECLARE_TR_FUNCTIONS(TilePainter)
};

constexpr double kTileEdge = 1.5;
constexpr double kHatchStep = 6;
constexpr double kOutlineFrom = 14; // inner tiles of cells at least this wide are outlined
constexpr double kGapFrom = 9; // cells narrower than this are drawn without gaps
constexpr double kTextMargin = 4;
constexpr double kTear = 4; // depth of a torn edge
constexpr double kTearPeriod = 14;

// Red would be the usual colour for the outlines of inner tiles; the palette's error colour is the red that is legible
// on both grounds.
QColor innerEdge(const Theme& theme)
{
    return theme.error;
}

struct TileSpan {
    int64_t begin = 0;
    int64_t end = 0;
};

// The tiles along an axis that the window touches, cut to the window.
std::vector<TileSpan> tilesIn(const AxisWindow& axis, int64_t tile)
{
    std::vector<TileSpan> spans;
    for (int64_t begin = axis.first; begin < axis.end();) {
        const int64_t end = std::min((begin / tile + 1) * tile, axis.end());
        spans.push_back({begin, end});
        begin = end;
    }
    return spans;
}

void paintTints(QPainter& painter, const TilePicture& picture, const GridGeometry& geometry, const Theme& theme)
{
    for (const TileSpan& rows : tilesIn(geometry.rows, picture.tileRows())) {
        for (const TileSpan& columns : tilesIn(geometry.columns, picture.tileColumns())) {
            const GridCell first{rows.begin, columns.begin};
            const QRectF rect(geometry.rect(first).topLeft(),
                              QPointF(geometry.columns.position(columns.end), geometry.rows.position(rows.end)));
            painter.fillRect(rect, theme.tileTints[static_cast<size_t>(picture.tintOf(first))]);
        }
    }
}

void paintPadding(QPainter& painter, const TilePicture& picture, const GridGeometry& geometry, const Theme& theme)
{
    for (int64_t row = geometry.rows.first; row < geometry.rows.end(); ++row) {
        int64_t begin = -1;
        for (int64_t column = geometry.columns.first; column <= geometry.columns.end(); ++column) {
            const bool padding = column < geometry.columns.end() && picture.isPadding({row, column});
            if (padding && begin < 0)
                begin = column;
            if (padding || begin < 0)
                continue;
            const QRectF rect(geometry.columns.position(begin), geometry.rows.position(row),
                              static_cast<double>(column - begin) * geometry.columns.cell, geometry.rows.cell);
            painter.fillRect(rect, theme.view);
            paintHatch(painter, rect, theme.borderStrong);
            begin = -1;
        }
    }
}

void paintCellGaps(QPainter& painter, const GridGeometry& geometry, const Theme& theme)
{
    painter.setPen(QPen(theme.view, 1));
    const QRectF frame = geometry.frame();
    if (geometry.columns.cell >= kGapFrom / 2) {
        for (int64_t column = geometry.columns.first + 1; column < geometry.columns.end(); ++column) {
            const double x = geometry.columns.position(column);
            painter.drawLine(QPointF(x, frame.top()), QPointF(x, frame.bottom()));
        }
    }
    if (geometry.rows.cell >= kGapFrom / 2) {
        for (int64_t row = geometry.rows.first + 1; row < geometry.rows.end(); ++row) {
            const double y = geometry.rows.position(row);
            painter.drawLine(QPointF(frame.left(), y), QPointF(frame.right(), y));
        }
    }
}

// In cells too small for outlines the inner tiles are ruled with lines.
void ruleInnerTiles(QPainter& painter, const TilePicture& picture, const GridGeometry& geometry, const Theme& theme)
{
    painter.setPen(QPen(theme.text3, 1));
    const QRectF frame = geometry.frame();
    const auto rule = [&painter](const AxisWindow& axis, int64_t inner, const auto& line) {
        if (inner <= 1 || axis.cell * static_cast<double>(inner) < kGapFrom)
            return;
        for (int64_t at = (axis.first / inner + 1) * inner; at < axis.end(); at += inner)
            painter.drawLine(line(axis.position(at)));
    };
    rule(geometry.rows, picture.innerRows(), [&frame](double y) { return QLineF(frame.left(), y, frame.right(), y); });
    rule(geometry.columns, picture.innerColumns(),
         [&frame](double x) { return QLineF(x, frame.top(), x, frame.bottom()); });
}

void paintInnerTiles(QPainter& painter, const TilePicture& picture, const GridGeometry& geometry, const Theme& theme)
{
    if (picture.innerRows() * picture.innerColumns() <= 1)
        return;
    if (geometry.columns.cell < kOutlineFrom) {
        ruleInnerTiles(painter, picture, geometry, theme);
        return;
    }
    painter.save();
    painter.setClipRect(geometry.frame());
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(innerEdge(theme), 1));
    painter.setBrush(Qt::NoBrush);
    const int64_t firstRow = geometry.rows.first / picture.innerRows() * picture.innerRows();
    const int64_t firstColumn = geometry.columns.first / picture.innerColumns() * picture.innerColumns();
    for (int64_t row = firstRow; row < geometry.rows.end(); row += picture.innerRows()) {
        for (int64_t column = firstColumn; column < geometry.columns.end(); column += picture.innerColumns()) {
            const QRectF rect(geometry.columns.position(column), geometry.rows.position(row),
                              geometry.columns.cell * static_cast<double>(picture.innerColumns()),
                              geometry.rows.cell * static_cast<double>(picture.innerRows()));
            painter.drawRoundedRect(rect.adjusted(2.5, 2.5, -2.5, -2.5), 3, 3);
        }
    }
    painter.restore();
}

// The other elements of the word that the cursor is in.
void paintWord(QPainter& painter, const TilePicture& picture, const GridGeometry& geometry, int64_t cursor,
               const Theme& theme)
{
    const int64_t word = picture.elementsPerWord();
    QColor soft = theme.accent;
    soft.setAlphaF(0.3F);
    for (int64_t offset = cursor / word * word; offset < (cursor / word + 1) * word; ++offset) {
        const auto cell = picture.cellAt(offset);
        if (cell && offset != cursor && geometry.shows(*cell))
            painter.fillRect(geometry.rect(*cell), soft);
    }
}

void paintTileEdges(QPainter& painter, const TilePicture& picture, const GridGeometry& geometry, const Theme& theme)
{
    painter.setPen(QPen(theme.text2, kTileEdge));
    const QRectF frame = geometry.frame();
    for (const TileSpan& columns : tilesIn(geometry.columns, picture.tileColumns())) {
        if (columns.begin % picture.tileColumns() == 0 || !geometry.columns.isCutAtStart())
            painter.drawLine(QPointF(geometry.columns.position(columns.begin), frame.top()),
                             QPointF(geometry.columns.position(columns.begin), frame.bottom()));
    }
    for (const TileSpan& rows : tilesIn(geometry.rows, picture.tileRows())) {
        if (rows.begin % picture.tileRows() == 0 || !geometry.rows.isCutAtStart())
            painter.drawLine(QPointF(frame.left(), geometry.rows.position(rows.begin)),
                             QPointF(frame.right(), geometry.rows.position(rows.begin)));
    }
    if (!geometry.columns.isCutAtEnd())
        painter.drawLine(frame.topRight(), frame.bottomRight());
    if (!geometry.rows.isCutAtEnd())
        painter.drawLine(frame.bottomLeft(), frame.bottomRight());
}

// The outer edges of what is shown, save where it goes on.
void paintFrame(QPainter& painter, const GridGeometry& geometry, const Theme& theme)
{
    painter.setPen(QPen(theme.text2, kTileEdge));
    const QRectF frame = geometry.frame();
    if (!geometry.columns.isCutAtStart())
        painter.drawLine(frame.topLeft(), frame.bottomLeft());
    if (!geometry.columns.isCutAtEnd())
        painter.drawLine(frame.topRight(), frame.bottomRight());
    if (!geometry.rows.isCutAtStart())
        painter.drawLine(frame.topLeft(), frame.topRight());
    if (!geometry.rows.isCutAtEnd())
        painter.drawLine(frame.bottomLeft(), frame.bottomRight());
}

// A wavy edge in the ground's colour where the picture goes on beyond what is shown.
void paintTears(QPainter& painter, const GridGeometry& geometry, const QColor& ground)
{
    const QRectF frame = geometry.frame();
    painter.setRenderHint(QPainter::Antialiasing);
    const auto wave = [&painter, &ground](QPointF from, QPointF along, double length, QPointF inward) {
        QPainterPath path(from);
        const int steps = std::max(2, static_cast<int>(length / kTearPeriod));
        for (int i = 0; i < steps; ++i) {
            const double at = length * (i + 0.5) / steps;
            path.quadTo(from + along * at + inward * (2 * kTear), from + along * (length * (i + 1) / steps));
        }
        path.closeSubpath();
        painter.fillPath(path, ground);
    };
    if (geometry.columns.isCutAtEnd())
        wave(frame.topRight() + QPointF(1, 0), {0, 1}, frame.height(), {-1, 0});
    if (geometry.columns.isCutAtStart())
        wave(frame.topLeft() - QPointF(1, 0), {0, 1}, frame.height(), {1, 0});
    if (geometry.rows.isCutAtEnd())
        wave(frame.bottomLeft() + QPointF(0, 1), {1, 0}, frame.width(), {0, -1});
    if (geometry.rows.isCutAtStart())
        wave(frame.topLeft() - QPointF(0, 1), {1, 0}, frame.width(), {0, 1});
    painter.setRenderHint(QPainter::Antialiasing, false);
}

// Every how many-th number fits.
int64_t labelStep(double cell, double width)
{
    static constexpr int64_t steps[] = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024};
    for (int64_t step : steps) {
        if (static_cast<double>(step) * cell >= width + 6)
            return step;
    }
    return 1024;
}

// Numbers outside the grid. Skips those that would touch the highlighted one.
void paintAxisNumbers(QPainter& painter, const GridGeometry& geometry, std::optional<GridCell> cursor,
                      const PaintStyle& style)
{
    const QFontMetricsF metrics(style.label);
    const auto widest = [&metrics](const AxisWindow& axis) {
        return metrics.horizontalAdvance(QString::number(std::max<int64_t>(axis.end() - 1, 0)));
    };
    painter.setFont(style.label);
    const QRectF frame = geometry.frame();
    const AxisWindow& columns = geometry.columns;
    const double width = widest(columns);
    const int64_t step = labelStep(columns.cell, width);
    const auto drawColumn = [&](int64_t column, const QColor& colour) {
        painter.setPen(colour);
        painter.drawText(QRectF(columns.position(column) + columns.cell / 2 - 40, frame.top() - metrics.height() - 4,
                                80, metrics.height()),
                         Qt::AlignCenter, QString::number(column));
    };
    for (int64_t column = (columns.first + step - 1) / step * step; column < columns.end(); column += step) {
        const bool touches = cursor && column != cursor->column
            && std::abs(static_cast<double>(column - cursor->column)) * columns.cell < width + 4;
        if (!touches)
            drawColumn(column, cursor && cursor->column == column ? style.theme.text : style.theme.text3);
    }
    if (cursor && cursor->column >= columns.first && cursor->column < columns.end() && cursor->column % step != 0)
        drawColumn(cursor->column, style.theme.text);

    const AxisWindow& rows = geometry.rows;
    const int64_t rowStep = labelStep(rows.cell, metrics.height() - 6);
    const auto drawRow = [&](int64_t row, const QColor& colour) {
        painter.setPen(colour);
        painter.drawText(
            QRectF(frame.left() - 88, rows.position(row) + rows.cell / 2 - metrics.height() / 2, 80, metrics.height()),
            Qt::AlignRight | Qt::AlignVCenter, QString::number(row));
    };
    for (int64_t row = (rows.first + rowStep - 1) / rowStep * rowStep; row < rows.end(); row += rowStep)
        drawRow(row, cursor && cursor->row == row ? style.theme.text : style.theme.text3);
    if (cursor && cursor->row >= rows.first && cursor->row < rows.end() && cursor->row % rowStep != 0 && rowStep > 2)
        drawRow(cursor->row, style.theme.text);
}

void paintCellTexts(QPainter& painter, const TilePicture& picture, const GridGeometry& geometry,
                    const PaintStyle& style)
{
    const QFontMetricsF metrics(style.cell);
    if (geometry.rows.cell < metrics.height() || geometry.columns.cell < metrics.averageCharWidth() + kTextMargin)
        return;
    painter.setFont(style.cell);
    for (int64_t row = geometry.rows.first; row < geometry.rows.end(); ++row) {
        for (int64_t column = geometry.columns.first; column < geometry.columns.end(); ++column) {
            const GridCell cell{row, column};
            const QRectF rect = geometry.rect(cell);
            if (picture.isPadding(cell)) {
                painter.setPen(style.theme.text3);
                if (rect.width() > 8)
                    painter.drawText(rect, Qt::AlignCenter, QStringLiteral("\u00b7"));
                continue;
            }
            const QString text = cellText(picture, picture.offsetOf(cell), style.content);
            if (metrics.horizontalAdvance(text) > rect.width() - kTextMargin)
                continue;
            const bool lit = style.cursor && picture.offsetOf(cell) == *style.cursor;
            painter.setPen(lit ? style.theme.onAccent : style.theme.text);
            painter.drawText(rect, Qt::AlignCenter, text);
        }
    }
}

void paintBracket(QPainter& painter, double left, double right, double top)
{
    painter.drawPolyline(QPolygonF({{left, top}, {left, top + 4}, {right, top + 4}, {right, top}}));
}

QString byteRange(const TilePicture& picture, int64_t firstElement, int64_t elements)
{
    const int64_t bits = picture.layout().elementBits();
    const int64_t begin = firstElement * bits / 8;
    const int64_t end = std::max(begin, ((firstElement + elements) * bits + 7) / 8 - 1);
    return QStringLiteral("%1\u2009\u2013\u2009%2").arg(begin).arg(end);
}

// The part of one row of the strip, elements [begin, end).
void paintStripRow(QPainter& painter, const TilePicture& picture, const StripGeometry& geometry, int64_t begin,
                   int64_t end, const PaintStyle& style)
{
    const Theme& theme = style.theme;
    const QFontMetricsF cellMetrics(style.cell);
    const QFontMetricsF labelMetrics(style.label);
    const double offsetWidth = labelMetrics.horizontalAdvance(QString::number(end));
    const int64_t step = labelStep(geometry.cellWidth, offsetWidth);
    for (int64_t offset = begin; offset < end; ++offset) {
        const QRectF rect = geometry.rect(offset);
        const bool lit = style.cursor == offset;
        const bool padding = !picture.indexAt(offset).has_value();
        painter.fillRect(rect,
                         lit           ? theme.accent
                             : padding ? theme.view
                                       : theme.tileTints[static_cast<size_t>(picture.tintAt(offset))]);
        if (padding && !lit)
            paintHatch(painter, rect, theme.borderStrong);
        painter.setFont(style.label);
        if (lit || (offset - begin) % step == 0) {
            painter.setPen(lit ? theme.text : theme.text3);
            painter.drawText(QRectF(rect.left() - 40, rect.top() - labelMetrics.height() - 2, rect.width() + 80,
                                    labelMetrics.height()),
                             Qt::AlignCenter, QString::number(offset));
        }
        const QString text = padding ? QStringLiteral("\u00b7") : indexText(picture, offset);
        if (cellMetrics.horizontalAdvance(text) <= rect.width() - 2) {
            painter.setFont(style.cell);
            painter.setPen(lit ? theme.onAccent : padding ? theme.text3 : theme.text);
            painter.drawText(rect, Qt::AlignCenter, text);
        }
        if (offset > begin) {
            painter.setPen(QPen(theme.view, 1));
            painter.drawLine(rect.topLeft(), rect.bottomLeft());
        }
    }
}

void paintStripMarks(QPainter& painter, const TilePicture& picture, const StripGeometry& geometry, int64_t begin,
                     int64_t end, const PaintStyle& style)
{
    const Theme& theme = style.theme;
    const QFontMetricsF metrics(style.label);
    const int64_t word = picture.elementsPerWord();
    if (word > 1 && geometry.cellWidth * static_cast<double>(word) >= 10) {
        for (int64_t first = begin / word * word; first < end; first += word) {
            const bool lit = style.cursor && *style.cursor / word == first / word;
            painter.setPen(QPen(lit ? theme.accent : theme.borderStrong, lit ? kTileEdge : 1));
            const QRectF from = geometry.rect(std::max(first, begin));
            const QRectF to = geometry.rect(std::min(first + word, end) - 1);
            paintBracket(painter, from.left() + 3, to.right() - 3, from.bottom() + 3);
        }
    }
    const int64_t tile = picture.elementsPerTile();
    painter.setFont(style.label);
    for (int64_t first = begin; first < end;) {
        const int64_t last = std::min((first / tile + 1) * tile, end);
        const QRectF rect = geometry.rect(first).united(geometry.rect(last - 1));
        painter.setPen(QPen(theme.text2, kTileEdge));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect);
        const QString bytes = byteRange(picture, first, last - first);
        const QString text = picture.isTiled() ? Painted::tr("tile %1: bytes %2").arg(picture.tileAt(first)).arg(bytes)
                                               : Painted::tr("bytes %1").arg(bytes);
        if (metrics.horizontalAdvance(text) <= rect.width() + 8) {
            painter.setPen(theme.text3);
            painter.drawText(QRectF(rect.left() - 4, rect.bottom() + 9, rect.width() + 8, metrics.height()),
                             Qt::AlignCenter, text);
        }
        first = last;
    }
}

} // namespace

std::optional<int64_t> AxisWindow::at(double position) const
{
    if (position < origin || position >= origin + length() || cell <= 0)
        return std::nullopt;
    return std::min(first + static_cast<int64_t>((position - origin) / cell), end() - 1);
}

void AxisWindow::reveal(int64_t index)
{
    if (index < first)
        first = std::max<int64_t>(index, 0);
    else if (index >= end())
        first = std::max<int64_t>(std::min(index, count - 1) - shown + 1, 0);
}

void AxisWindow::centre(int64_t index)
{
    if (index < first || index >= end())
        first = std::clamp<int64_t>(index - shown / 2, 0, std::max<int64_t>(count - shown, 0));
}

std::optional<GridCell> GridGeometry::at(QPointF point) const
{
    const auto row = rows.at(point.y());
    const auto column = columns.at(point.x());
    if (!row || !column)
        return std::nullopt;
    return GridCell{*row, *column};
}

QRectF StripGeometry::rect(int64_t offset) const
{
    return {left + static_cast<double>(offset % perRow) * cellWidth, rows.position(offset / perRow) + cellTop,
            cellWidth, cellHeight};
}

std::optional<int64_t> StripGeometry::at(QPointF point) const
{
    const auto row = rows.at(point.y());
    if (!row || cellWidth <= 0 || point.x() < left || point.x() >= left + static_cast<double>(perRow) * cellWidth)
        return std::nullopt;
    const double y = point.y() - rows.position(*row);
    if (y < cellTop || y > cellTop + cellHeight)
        return std::nullopt;
    const int64_t offset = *row * perRow + static_cast<int64_t>((point.x() - left) / cellWidth);
    return offset < total ? std::optional(offset) : std::nullopt;
}

QString indexText(const TilePicture& picture, int64_t offset)
{
    const auto index = picture.indexAt(offset);
    if (!index)
        return QStringLiteral("\u00b7");
    QStringList parts;
    for (int64_t entry : *index)
        parts << QString::number(entry);
    return parts.isEmpty() ? QStringLiteral("()") : parts.join(QLatin1Char(','));
}

QString cellText(const TilePicture& picture, int64_t offset, CellLabel label)
{
    switch (label) {
    case CellLabel::Index:
        return indexText(picture, offset);
    case CellLabel::Offset:
        return QString::number(offset);
    case CellLabel::Byte: {
        const int64_t bits = offset * picture.layout().elementBits();
        return bits % 8 == 0 ? QString::number(bits / 8) : QStringLiteral("%1.%2").arg(bits / 8).arg(bits % 8);
    }
    }
    return {};
}

void paintHatch(QPainter& painter, const QRectF& rect, const QColor& colour)
{
    painter.save();
    painter.setClipRect(rect, Qt::IntersectClip);
    painter.setPen(QPen(colour, 1));
    // Lines on one common raster, so that neighbouring hatched cells join.
    const double low = std::floor((rect.left() + rect.top()) / kHatchStep) * kHatchStep;
    for (double sum = low; sum <= rect.right() + rect.bottom(); sum += kHatchStep)
        painter.drawLine(QPointF(sum - rect.top(), rect.top()), QPointF(sum - rect.bottom(), rect.bottom()));
    painter.restore();
}

void paintGrid(QPainter& painter, const TilePicture& picture, const GridGeometry& geometry, const PaintStyle& style)
{
    const std::optional<GridCell> cursor = style.cursor ? picture.cellAt(*style.cursor) : std::nullopt;
    paintTints(painter, picture, geometry, style.theme);
    paintPadding(painter, picture, geometry, style.theme);
    paintCellGaps(painter, geometry, style.theme);
    if (cursor) {
        if (picture.elementsPerWord() > 1)
            paintWord(painter, picture, geometry, *style.cursor, style.theme);
        if (geometry.shows(*cursor))
            painter.fillRect(geometry.rect(*cursor), style.theme.accent);
    }
    paintInnerTiles(painter, picture, geometry, style.theme);
    paintCellTexts(painter, picture, geometry, style);
    paintTileEdges(painter, picture, geometry, style.theme);
    paintTears(painter, geometry, style.theme.panel);
    paintAxisNumbers(painter, geometry, cursor, style);
}

void paintTileGrid(QPainter& painter, const TilePicture& picture, const GridGeometry& geometry, GridCell current,
                   const PaintStyle& style)
{
    const QFontMetricsF metrics(style.label);
    painter.setFont(style.label);
    const bool hasRoom =
        geometry.columns.cell >= metrics.averageCharWidth() + kTextMargin && geometry.rows.cell >= metrics.height();
    for (int64_t row = geometry.rows.first; row < geometry.rows.end(); ++row) {
        for (int64_t column = geometry.columns.first; column < geometry.columns.end(); ++column) {
            const GridCell corner{row * picture.tileRows(), column * picture.tileColumns()};
            const GridCell last{std::min(corner.row + picture.tileRows(), picture.rows()) - 1,
                                std::min(corner.column + picture.tileColumns(), picture.columns()) - 1};
            const QRectF rect = geometry.rect({row, column}).adjusted(0, 0, -1, -1);
            painter.fillRect(rect, style.theme.tileTints[static_cast<size_t>(picture.tintOf(corner))]);
            if (picture.isPadding(last))
                paintHatch(painter, rect, style.theme.borderStrong);
            if (!hasRoom)
                continue;
            const QString number = QString::number(picture.tileAt(picture.offsetOf(corner)));
            if (metrics.horizontalAdvance(number) + 4 <= rect.width() && metrics.height() <= rect.height()) {
                painter.setPen(style.theme.text2);
                painter.drawText(rect, Qt::AlignCenter, number);
            }
        }
    }
    paintFrame(painter, geometry, style.theme);
    paintTears(painter, geometry, style.theme.panel);
    painter.setBrush(Qt::NoBrush);
    if (geometry.shows(current)) {
        painter.setPen(QPen(style.theme.accent, 2));
        painter.drawRect(geometry.rect(current).adjusted(0, 0, -1, -1));
    }
    paintAxisNumbers(painter, geometry, current, style);
}

void paintStrip(QPainter& painter, const TilePicture& picture, const StripGeometry& geometry, const PaintStyle& style)
{
    for (int64_t row = geometry.rows.first; row < geometry.rows.end(); ++row) {
        const int64_t begin = row * geometry.perRow;
        const int64_t end = std::min(begin + geometry.perRow, geometry.total);
        if (begin >= end)
            return;
        paintStripRow(painter, picture, geometry, begin, end, style);
        paintStripMarks(painter, picture, geometry, begin, end, style);
    }
}

void paintPath(QPainter& painter, const TilePicture& picture, const GridGeometry& geometry, const PaintStyle& style)
{
    const Theme& theme = style.theme;
    paintTints(painter, picture, geometry, theme);
    paintPadding(painter, picture, geometry, theme);
    paintCellGaps(painter, geometry, theme);
    paintTileEdges(painter, picture, geometry, theme);
    std::optional<QPointF> previous;
    int64_t previousTile = 0;
    for (int64_t offset = 0; offset < picture.layout().paddedElements(); ++offset) {
        const auto cell = picture.cellAt(offset);
        if (!cell || picture.isPadding(*cell))
            continue;
        const QPointF centre = geometry.rect(*cell).center();
        const int64_t tile = picture.tileAt(offset);
        painter.setRenderHint(QPainter::Antialiasing);
        if (previous) {
            const bool jumps = tile != previousTile;
            painter.setPen(
                QPen(jumps ? theme.text3 : theme.text2, jumps ? 1 : 1.5, jumps ? Qt::DashLine : Qt::SolidLine));
            painter.drawLine(*previous, centre);
        }
        const bool lit = style.cursor == offset;
        painter.setPen(lit ? Qt::NoPen : QPen(theme.text2, 1));
        painter.setBrush(lit ? theme.accent : offset == 0 ? theme.panel : theme.text2);
        const double radius = lit ? 5 : offset == 0 ? 4 : 1.5;
        painter.drawEllipse(centre, radius, radius);
        previous = centre;
        previousTile = tile;
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void paintMiniTiles(QPainter& painter, const QRectF& rect, const Shape& shape, const Theme& theme)
{
    const Expected<TilePicture> picture = TilePicture::create(shape);
    if (!picture)
        return;
    constexpr int64_t kMost = 4;
    const int64_t rows = std::min<int64_t>(picture->isTiled() ? picture->tileGridRows() : picture->rows(), kMost);
    const int64_t columns =
        std::min<int64_t>(picture->isTiled() ? picture->tileGridColumns() : picture->columns(), kMost);
    const GridGeometry grid{{columns, 0, columns, rect.left(), rect.width() / static_cast<double>(columns)},
                            {rows, 0, rows, rect.top(), rect.height() / static_cast<double>(rows)}};
    painter.fillRect(rect, theme.view);
    // Where the last tiles hold padding, hatch what of them is empty.
    const auto hatchEnd = [&](int64_t used, int64_t padded, bool across) {
        if (used >= padded)
            return;
        const double share = static_cast<double>(padded - used) / static_cast<double>(padded);
        QRectF part = rect;
        if (across)
            part.setLeft(rect.right() - std::max(3.0, rect.width() * share));
        else
            part.setTop(rect.bottom() - std::max(3.0, rect.height() * share));
        paintHatch(painter, part, theme.borderStrong);
    };
    const std::vector<int64_t>& sizes = shape.dimensions;
    if (picture->isWrapped()) {
        hatchEnd(picture->layout().elements(), picture->rows() * picture->columns(), picture->rows() == 1);
    } else {
        const auto row = picture->rowDimension();
        const auto column = picture->columnDimension();
        hatchEnd(row ? sizes[static_cast<size_t>(*row)] : 1, picture->rows(), false);
        hatchEnd(column ? sizes[static_cast<size_t>(*column)] : 1, picture->columns(), true);
    }
    QColor lit = theme.accent;
    lit.setAlphaF(0.45F);
    painter.fillRect(grid.rect({0, 0}), lit);
    painter.setPen(QPen(theme.borderStrong, 1));
    for (int64_t column = 0; column <= columns; ++column)
        painter.drawLine(QPointF(grid.columns.position(column), rect.top()),
                         QPointF(grid.columns.position(column), rect.bottom()));
    for (int64_t row = 0; row <= rows; ++row)
        painter.drawLine(QPointF(rect.left(), grid.rows.position(row)), QPointF(rect.right(), grid.rows.position(row)));
    painter.setPen(QPen(theme.accent, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(grid.rect({0, 0}));
}

} // namespace hloscope
