// SPDX-License-Identifier: Apache-2.0
#include "views/tiling/layout_picture.h"

#include "views/tiling/offset_steps.h"
#include "views/words/layout_words.h"
#include "views/words/units.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace hloscope {

namespace {

struct Picture {
    Q_DECLARE_TR_FUNCTIONS(LayoutPicture)
};

constexpr double kMargin = 16;
constexpr double kGap = 16;
constexpr double kPadding = 16;
constexpr double kMinTextCell = 34;
constexpr double kMaxCell = 58;
constexpr double kMinCell = 4.5;
constexpr double kMaxGridHeight = 460;
constexpr double kMostGridHeight = 640;
constexpr double kTilesHeight = 168;
constexpr double kMinTile = 7;
constexpr double kTileGridHeight = 230; // of the elements below a card of tiles: about one tile
constexpr int64_t kMaxPathCells = 128;
constexpr int64_t kMaxStripRows = 6;
constexpr double kPathCell = 32;

QFont labelFont()
{
    return ThemeManager::instance().uiFont(11);
}

QFont cellFont()
{
    return ThemeManager::instance().monoFont(12);
}

double scaled(double px)
{
    return px * ThemeManager::instance().textScale() / 100.0;
}

AxisWindow windowOf(int64_t count, int64_t first, double origin, double cell, double room)
{
    const int64_t shown = std::clamp<int64_t>(static_cast<int64_t>(room / cell + 1e-6), 1, count);
    return {count, std::clamp<int64_t>(first, 0, count - shown), shown, origin, cell};
}

} // namespace

LayoutPicture::LayoutPicture(TilePicture tiles) : m_tiles(std::move(tiles)) { }

void LayoutPicture::setOuterIndex(size_t position, int64_t index)
{
    const std::optional<GridCell> cell = m_cursor ? m_tiles.cellAt(*m_cursor) : std::nullopt;
    m_tiles.setOuterIndex(position, index);
    if (cell)
        setCursor(m_tiles.offsetOf(*cell)); // the same place in the other slice
    revealCursor();
}

double LayoutPicture::cardHeaderHeight() const
{
    return scaled(36);
}

LayoutPicture::Card LayoutPicture::placeCard(double top, double bodyHeight) const
{
    Card card;
    const double header = cardHeaderHeight();
    card.rect = QRectF(kMargin, top, std::max(m_width - 2 * kMargin, 120.0), header + bodyHeight);
    card.body = card.rect.adjusted(kPadding, header, -kPadding, 0);
    return card;
}

double LayoutPicture::rowHeader(int64_t rows) const
{
    return QFontMetricsF(labelFont()).horizontalAdvance(QString::number(std::max<int64_t>(rows - 1, 0))) + 16;
}

double LayoutPicture::arrange(double width)
{
    m_width = width;
    double top = kMargin;
    top = arrangeTiles(top);
    top = arrangeGrid(top);
    top = arrangeStrip(top);
    m_height = top;
    return m_height;
}

double LayoutPicture::arrangeTiles(double top)
{
    m_tileCard = {};
    const int64_t rows = m_tiles.tileGridRows();
    const int64_t columns = m_tiles.tileGridColumns();
    const double room = m_width - 2 * (kMargin + kPadding) - rowHeader(rows);
    const bool gridShowsAll = static_cast<double>(m_tiles.columns()) * scaled(kMinTextCell) <= room
        && static_cast<double>(m_tiles.rows()) * scaled(26) <= kMaxGridHeight;
    if (rows * columns <= 1 || gridShowsAll)
        return top;
    const double cellWidth = std::clamp(room / static_cast<double>(columns), kMinTile, scaled(64.0));
    const double cellHeight = std::clamp(kTilesHeight / static_cast<double>(rows), kMinTile, scaled(28.0));
    const double numbers = scaled(20);
    m_tileGrid.columns = windowOf(columns, m_tileGrid.columns.first, 0, cellWidth, room);
    m_tileGrid.rows = windowOf(rows, m_tileGrid.rows.first, 0, cellHeight, kTilesHeight);
    m_tileCard = placeCard(top, scaled(34) + numbers + m_tileGrid.rows.length() + kPadding);
    m_tileGrid.columns.origin = m_tileCard.body.left() + rowHeader(rows);
    m_tileGrid.rows.origin = m_tileCard.body.top() + scaled(34) + numbers;
    return m_tileCard.rect.bottom() + kGap;
}

// Cells wide enough for their numbers where all of them fit; a whole tile across otherwise.
double LayoutPicture::defaultCellWidth(double available) const
{
    const double all = available / static_cast<double>(m_tiles.columns());
    if (all >= scaled(kMinTextCell))
        return std::min(all, scaled(kMaxCell));
    const double tile = available / static_cast<double>(std::min(m_tiles.tileColumns(), m_tiles.columns()));
    if (tile >= scaled(kMinTextCell))
        return std::min(tile, scaled(44.0));
    return std::max(tile, kMinCell);
}

double LayoutPicture::arrangeGrid(double top)
{
    const double left = rowHeader(m_tiles.rows());
    const double numbers = scaled(20);
    const double captions = scaled(34);
    const double inner = m_width - 2 * (kMargin + kPadding) - left;
    const int64_t cells = m_tiles.layout().paddedElements();
    const double pathWidth = static_cast<double>(m_tiles.columns()) * scaled(kPathCell);
    const bool hasPath = cells <= kMaxPathCells && m_tiles.outerDimensions().empty()
        && static_cast<double>(m_tiles.columns()) * scaled(kMinTextCell) + pathWidth + 2 * left + 48 <= inner;
    const double available = std::max(hasPath ? inner - pathWidth - 48 : inner, 40.0);
    m_fittingCell = defaultCellWidth(available);
    const double cell = std::clamp(m_fittingCell * m_zoom, kMinCell, scaled(kMaxCell));
    const double cellHeight = cell >= scaled(kMinTextCell) ? std::min(cell, scaled(44.0)) : scaled(18.0);
    m_grid.columns = windowOf(m_tiles.columns(), m_grid.columns.first, 0, cell, available);
    // Under a card of tiles whole tiles are shown, as many as fit into the height of one or two.
    const double tileHeight = cellHeight * static_cast<double>(std::min<int64_t>(m_tiles.tileRows(), 32));
    const double fitting = std::max(1.0, std::floor(kTileGridHeight / tileHeight)) * tileHeight;
    const double below = tileHeight > kMaxGridHeight ? kTileGridHeight * 1.4 : fitting; // a tile taller than the card
    const double gridRoom = m_tileCard.rect.isEmpty() ? std::clamp(tileHeight, kMaxGridHeight, kMostGridHeight) : below;
    m_grid.rows = windowOf(m_tiles.rows(), m_grid.rows.first, 0, cellHeight, gridRoom);
    m_gridCard = placeCard(top, captions + numbers + m_grid.rows.length() + kPadding + 4);
    m_grid.columns.origin = m_gridCard.body.left() + left;
    m_grid.rows.origin = m_gridCard.body.top() + captions + numbers;
    m_path = {};
    if (hasPath) {
        const double pathLeft = m_gridCard.body.right() - pathWidth - 8;
        m_path.columns = windowOf(m_tiles.columns(), 0, pathLeft, scaled(kPathCell), pathWidth + 1);
        m_path.rows = windowOf(m_tiles.rows(), 0, m_grid.rows.origin, std::min(cellHeight, scaled(kPathCell)), 1e6);
    }
    return m_gridCard.rect.bottom() + kGap;
}

double LayoutPicture::arrangeStrip(double top)
{
    const QFontMetricsF cellMetrics(cellFont());
    const QFontMetricsF labelMetrics(labelFont());
    int characters = 0;
    for (int64_t size : m_tiles.layout().shape().dimensions)
        characters += static_cast<int>(QString::number(std::max<int64_t>(size - 1, 0)).size()) + 1;
    const double textWidth = cellMetrics.horizontalAdvance(QLatin1Char('0')) * std::max(characters - 1, 2) + 12;
    const double room = m_width - 2 * (kMargin + kPadding);
    m_strip.total = m_tiles.layout().paddedElements();
    m_strip.cellWidth = std::clamp(textWidth, scaled(kMinTextCell), std::max(room / 4, scaled(kMinTextCell)));
    const int64_t fits = std::max<int64_t>(static_cast<int64_t>(room / m_strip.cellWidth), 1);
    const int64_t tile = m_tiles.elementsPerTile();
    const int64_t word = m_tiles.elementsPerWord();
    // Rows end where tiles end, or at least where words do.
    m_strip.perRow = m_tiles.isTiled() && tile <= fits ? fits / tile * tile : fits >= word ? fits / word * word : fits;
    m_strip.perRow = std::min(m_strip.perRow, m_strip.total);
    if (m_strip.perRow == m_strip.total)
        m_strip.cellWidth =
            std::min(room / static_cast<double>(m_strip.total), std::max(m_strip.cellWidth, scaled(kMaxCell)));
    m_strip.cellTop = labelMetrics.height() + 4;
    m_strip.cellHeight = scaled(32);
    const double rowHeight = m_strip.cellTop + m_strip.cellHeight + 9 + labelMetrics.height() + scaled(12);
    const int64_t rows = (m_strip.total + m_strip.perRow - 1) / m_strip.perRow;
    m_strip.rows = windowOf(rows, m_strip.rows.first, 0, rowHeight, rowHeight * kMaxStripRows);
    const double captions = scaled(36);
    m_stripCard = placeCard(top, captions + m_strip.rows.length() + 6);
    m_strip.left = m_stripCard.body.left();
    m_strip.rows.origin = m_stripCard.body.top() + captions;
    return m_stripCard.rect.bottom() + kMargin;
}

void LayoutPicture::setCursor(std::optional<int64_t> offset)
{
    if (offset && (*offset < 0 || *offset >= m_tiles.layout().paddedElements()))
        offset.reset();
    m_cursor = offset;
}

GridCell LayoutPicture::cursorTile() const
{
    const std::optional<GridCell> cell = m_cursor ? m_tiles.cellAt(*m_cursor) : std::nullopt;
    if (cell)
        return {cell->row / m_tiles.tileRows(), cell->column / m_tiles.tileColumns()};
    return {m_grid.rows.first / m_tiles.tileRows(), m_grid.columns.first / m_tiles.tileColumns()};
}

void LayoutPicture::revealCursor()
{
    if (!m_cursor)
        return;
    if (const auto cell = m_tiles.cellAt(*m_cursor)) {
        m_grid.rows.reveal(cell->row);
        m_grid.columns.reveal(cell->column);
    }
    const GridCell tile = cursorTile();
    m_tileGrid.rows.reveal(tile.row);
    m_tileGrid.columns.reveal(tile.column);
    m_strip.rows.centre(*m_cursor / m_strip.perRow);
}

void LayoutPicture::moveCursor(int64_t rows, int64_t columns)
{
    GridCell cell;
    if (const auto now = m_cursor ? m_tiles.cellAt(*m_cursor) : std::nullopt)
        cell = {std::clamp<int64_t>(now->row + rows, 0, m_tiles.rows() - 1),
                std::clamp<int64_t>(now->column + columns, 0, m_tiles.columns() - 1)};
    setCursor(m_tiles.offsetOf(cell));
    revealCursor();
}

void LayoutPicture::stepInMemory(int64_t elements)
{
    const int64_t last = m_tiles.layout().paddedElements() - 1;
    setCursor(m_cursor ? std::clamp<int64_t>(*m_cursor + elements, 0, last) : 0);
    revealCursor();
}

void LayoutPicture::zoom(double factor)
{
    // Within what cells can be, so that the step back is seen at once.
    m_zoom = factor == 1 ? 1 : std::clamp(m_zoom * factor, kMinCell / m_fittingCell, scaled(kMaxCell) / m_fittingCell);
    arrange(m_width);
    revealCursor();
}

LayoutPicture::Hit LayoutPicture::hitAt(QPointF point) const
{
    Hit hit;
    if (!m_tileCard.rect.isEmpty() && m_tileCard.rect.contains(point)) {
        hit.tile = m_tileGrid.at(point);
    } else if (m_gridCard.rect.contains(point)) {
        if (const auto cell = m_grid.at(point))
            hit.offset = m_tiles.offsetOf(*cell);
        else if (const auto onPath = m_path.rows.count > 0 ? m_path.at(point) : std::nullopt)
            hit.offset = m_tiles.offsetOf(*onPath);
    } else if (m_stripCard.rect.contains(point)) {
        hit.offset = m_strip.at(point);
    }
    return hit;
}

void LayoutPicture::openTile(GridCell tile)
{
    const GridCell corner{std::clamp<int64_t>(tile.row * m_tiles.tileRows(), 0, m_tiles.rows() - 1),
                          std::clamp<int64_t>(tile.column * m_tiles.tileColumns(), 0, m_tiles.columns() - 1)};
    setCursor(m_tiles.offsetOf(corner));
    m_grid.rows.first = corner.row;
    m_grid.columns.first = corner.column;
    m_strip.rows.first = *m_cursor / m_strip.perRow;
    arrange(m_width); // keeps the windows inside the array
}

QRectF LayoutPicture::cursorRect() const
{
    const std::optional<GridCell> cell = m_cursor ? m_tiles.cellAt(*m_cursor) : std::nullopt;
    return cell ? m_grid.rect(*cell) : QRectF();
}

void LayoutPicture::paintCard(QPainter& painter, const Card& card, const QString& title, const QString& summary,
                              const Theme& theme) const
{
    const double header = cardHeaderHeight();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.border, 1));
    painter.setBrush(theme.panel);
    painter.drawRoundedRect(card.rect.adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.drawLine(QPointF(card.rect.left(), card.rect.top() + header),
                     QPointF(card.rect.right() - 1, card.rect.top() + header));
    const QRectF line(card.rect.left() + kPadding, card.rect.top(), card.rect.width() - 2 * kPadding, header);
    const QFont titleFont = ThemeManager::instance().uiFont(13);
    painter.setFont(titleFont);
    painter.setPen(theme.text);
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, title);
    const QFont summaryFont = ThemeManager::instance().uiFont(12);
    const double room = line.width() - QFontMetricsF(titleFont).horizontalAdvance(title) - 24;
    painter.setFont(summaryFont);
    painter.setPen(theme.text2);
    painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter,
                     QFontMetricsF(summaryFont).elidedText(summary, Qt::ElideRight, room));
}

void LayoutPicture::paintCaption(QPainter& painter, QPointF at, double width, const QString& text,
                                 const Theme& theme) const
{
    const QFont font = ThemeManager::instance().uiFont(12);
    painter.setFont(font);
    painter.setPen(theme.text2);
    const double height = scaled(18);
    painter.drawText(QRectF(at, QSizeF(width, height)), Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetricsF(font).elidedText(text, Qt::ElideRight, width));
}

QString LayoutPicture::gridSummary() const
{
    const std::vector<int64_t>& sizes = m_tiles.layout().shape().dimensions;
    QString text = sizes.empty() ? Picture::tr("a single value") : dimensionsText(sizes);
    const auto& layout = m_tiles.layout().shape().layout;
    if (!layout || layout->tiles.empty())
        return Picture::tr("%1, no tiles").arg(text);
    for (size_t i = 0; i < layout->tiles.size(); ++i) {
        const QString tile = dimensionsText(layout->tiles[i].dimensions);
        text += i == 0 ? Picture::tr(", tile %1").arg(tile) : Picture::tr(", then %1").arg(tile);
    }
    return text;
}

QString LayoutPicture::stripSummary() const
{
    const PhysicalLayout& layout = m_tiles.layout();
    const std::vector<int64_t> origin(layout.shape().dimensions.size(), 0);
    const OffsetStep last = offsetSteps(layout, origin).back();
    const QString vector = vectorText(last.sizes, last.bars);
    return layout.paddedElements() == layout.elements()
        ? Picture::tr("%1, %2, no padding").arg(vector, formatBytes(layout.paddedBytes()))
        : Picture::tr("%1, %2 for %3")
              .arg(vector, formatBytes(layout.paddedBytes()), formatBytes(layout.unpaddedBytes()));
}

QString LayoutPicture::tilesSummary() const
{
    const int64_t rows = m_tiles.tileGridRows();
    const int64_t columns = m_tiles.tileGridColumns();
    const int64_t bytes = (m_tiles.elementsPerTile() * m_tiles.layout().elementBits() + 7) / 8;
    return Picture::tr("%1 × %2 tiles of %3").arg(formatCount(rows), formatCount(columns), formatBytes(bytes));
}

void LayoutPicture::paint(QPainter& painter, const Theme& theme) const
{
    const PaintStyle style{theme, labelFont(), cellFont(), m_label, m_cursor};
    const double captionTop = scaled(10);
    if (!m_tileCard.rect.isEmpty()) {
        paintCard(painter, m_tileCard, Picture::tr("Tiles"), tilesSummary(), theme);
        paintCaption(painter, m_tileCard.body.topLeft() + QPointF(0, captionTop), m_tileCard.body.width(),
                     Picture::tr("Each cell is one tile, numbered in memory order. A click shows its elements."),
                     theme);
        paintTileGrid(painter, m_tiles, m_tileGrid, cursorTile(), style);
    }
    paintCard(painter, m_gridCard, Picture::tr("Logical"), gridSummary(), theme);
    static constexpr const char* captions[] = {QT_TRANSLATE_NOOP("LayoutPicture", "Index of each element."),
                                               QT_TRANSLATE_NOOP("LayoutPicture", "Offset in memory of each element."),
                                               QT_TRANSLATE_NOOP("LayoutPicture", "First byte of each element.")};
    QString caption = Picture::tr(captions[static_cast<size_t>(m_label)]);
    const auto row = m_tiles.rowDimension();
    const auto column = m_tiles.columnDimension();
    if (row && column)
        caption += QLatin1Char(' ') + Picture::tr("Dimension %1 down, %2 across.").arg(*row).arg(*column);
    else if (m_tiles.isWrapped() && m_tiles.rows() > 1)
        caption += QLatin1Char(' ') + Picture::tr("The only dimension, in rows of %1.").arg(m_tiles.columns());
    const bool hasPath = m_path.rows.count > 0;
    const double captionWidth = hasPath ? m_path.columns.origin - m_gridCard.body.left() - 16 : m_gridCard.body.width();
    paintCaption(painter, m_gridCard.body.topLeft() + QPointF(0, captionTop), captionWidth, caption, theme);
    paintGrid(painter, m_tiles, m_grid, style);
    if (hasPath) {
        paintCaption(painter, {m_path.columns.origin, m_gridCard.body.top() + captionTop}, m_path.columns.length(),
                     Picture::tr("Path through memory"), theme);
        paintPath(painter, m_tiles, m_path, style);
    }
    paintCard(painter, m_stripCard, Picture::tr("Physical"), stripSummary(), theme);
    const QString words = m_tiles.elementsPerWord() > 1
        ? Picture::tr("Memory from left to right. Each cell shows its logical index, brackets are 32-bit words.")
        : Picture::tr("Memory from left to right. Each cell shows its logical index.");
    paintCaption(painter, m_stripCard.body.topLeft() + QPointF(0, captionTop), m_stripCard.body.width(), words, theme);
    paintStrip(painter, m_tiles, m_strip, style);
}

} // namespace hloscope
