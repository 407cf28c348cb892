// SPDX-License-Identifier: Apache-2.0
#include "views/tiling/tile_picture.h"

#include <algorithm>

namespace hloscope {

namespace {

constexpr int64_t kLanes = 128;
constexpr int64_t kUntiledRow = 16; // width of the rows that an untiled vector is wrapped into
constexpr int64_t kWordBits = 32;

bool hasMergedDimensions(const Tile& tile)
{
    return std::find(tile.dimensions.begin(), tile.dimensions.end(), Tile::kCombine) != tile.dimensions.end();
}

// The same array with dimensions of size one in front, at least `rank` in all; they are the most major in memory too.
Shape withLeadingDimensions(const Shape& shape, size_t rank)
{
    Shape extended = shape;
    if (!extended.layout) {
        extended.layout.emplace();
        for (int64_t i = shape.rank() - 1; i >= 0; --i)
            extended.layout->minorToMajor.push_back(i);
    }
    const size_t have = shape.dimensions.size();
    if (rank <= have)
        return extended;
    const auto missing = static_cast<int64_t>(rank - have);
    extended.dimensions.insert(extended.dimensions.begin(), static_cast<size_t>(missing), 1);
    extended.dynamic.clear();
    for (int64_t& dimension : extended.layout->minorToMajor)
        dimension += missing;
    for (int64_t i = missing - 1; i >= 0; --i)
        extended.layout->minorToMajor.push_back(i);
    return extended;
}

} // namespace

Expected<TilePicture> TilePicture::create(const Shape& shape)
{
    Expected<PhysicalLayout> layout = PhysicalLayout::create(shape);
    if (!layout)
        return layout.error();
    if (layout->elements() == 0)
        return makeError("", "an array without elements");
    const bool hasTiles = shape.layout && !shape.layout->tiles.empty();
    const size_t tileRank = hasTiles ? shape.layout->tiles.front().dimensions.size() : 0;
    Shape extended = withLeadingDimensions(shape, std::max<size_t>(tileRank, 1));
    const Expected<PhysicalLayout> measured = PhysicalLayout::create(extended);
    if (!measured)
        return measured.error();
    extended.dimensions = measured->paddedDimensions();
    Expected<PhysicalLayout> padded = PhysicalLayout::create(extended);
    if (!padded)
        return padded.error();
    return TilePicture(std::move(*layout), std::move(*padded));
}

TilePicture::TilePicture(PhysicalLayout layout, PhysicalLayout padded)
    : m_layout(std::move(layout))
    , m_padded(std::move(padded))
    , m_prepended(m_padded.shape().dimensions.size() - m_layout.shape().dimensions.size())
    , m_extents(m_padded.shape().dimensions)
    , m_base(m_extents.size(), 0)
{
    chooseDimensions();
    measureTiles();
}

void TilePicture::chooseDimensions()
{
    const std::vector<int64_t>& order = m_padded.shape().layout->minorToMajor;
    m_columnSlot = static_cast<size_t>(order[0]);
    m_hasRowDimension = order.size() > 1;
    if (m_hasRowDimension) {
        m_rowSlot = static_cast<size_t>(order[1]);
        // Rows and columns keep their logical places: a column-major matrix is not drawn transposed.
        if (m_rowSlot > m_columnSlot)
            std::swap(m_rowSlot, m_columnSlot);
        m_rows = m_extents[m_rowSlot];
    }
    m_columns = m_extents[m_columnSlot];
    for (size_t slot = m_prepended; slot < m_extents.size(); ++slot) {
        if (slot != m_columnSlot && (!m_hasRowDimension || slot != m_rowSlot))
            m_outerDimensions.push_back(static_cast<int64_t>(slot - m_prepended));
    }
    m_wrapsOneDimension = !m_hasRowDimension;
}

void TilePicture::measureTiles()
{
    const std::vector<Tile>& tiles = m_padded.shape().layout->tiles;
    m_isTiled = !tiles.empty() && !tiles.front().dimensions.empty();
    int64_t minorTile = m_columns; // along the fastest dimension
    int64_t secondTile = m_rows;
    m_elementsPerTile = std::max<int64_t>(m_padded.paddedElements(), 1);
    if (m_isTiled && !hasMergedDimensions(tiles.front())) {
        const std::vector<int64_t>& tile = tiles.front().dimensions;
        minorTile = tile.back();
        if (tile.size() > 1)
            secondTile = tile[tile.size() - 2];
        else if (m_hasRowDimension)
            secondTile = 1; // the tile does not reach the rows
    }
    if (m_isTiled) {
        m_elementsPerTile = 1;
        for (int64_t size : tiles.front().dimensions)
            m_elementsPerTile *= size == Tile::kCombine ? 1 : size;
    }
    if (m_wrapsOneDimension) {
        const int64_t total = m_columns;
        const int64_t width = m_isTiled ? (minorTile % kLanes == 0 ? kLanes : minorTile) : kUntiledRow;
        m_columns = std::min(width, total);
        m_rows = (total + m_columns - 1) / m_columns;
        m_tileColumns = m_columns;
        m_tileRows = m_isTiled ? std::max<int64_t>(minorTile / m_columns, 1) : m_rows;
    } else {
        const bool columnIsMinor = static_cast<int64_t>(m_columnSlot) == m_padded.shape().layout->minorToMajor.front();
        m_tileColumns = std::min(columnIsMinor ? minorTile : secondTile, m_columns);
        m_tileRows = std::min(columnIsMinor ? secondTile : minorTile, m_rows);
    }
    if (tiles.size() < 2 || tiles.back().dimensions.size() != 2 || hasMergedDimensions(tiles.back()))
        return;
    const std::vector<int64_t>& inner = tiles.back().dimensions;
    const bool columnIsMinor =
        m_wrapsOneDimension || static_cast<int64_t>(m_columnSlot) == m_padded.shape().layout->minorToMajor.front();
    m_innerRows = std::min(columnIsMinor ? inner[0] : inner[1], m_tileRows);
    m_innerColumns = std::min(columnIsMinor ? inner[1] : inner[0], m_tileColumns);
}

std::optional<int64_t> TilePicture::rowDimension() const
{
    if (m_wrapsOneDimension || m_rowSlot < m_prepended)
        return std::nullopt;
    return static_cast<int64_t>(m_rowSlot - m_prepended);
}

std::optional<int64_t> TilePicture::columnDimension() const
{
    if (m_columnSlot < m_prepended)
        return std::nullopt;
    return static_cast<int64_t>(m_columnSlot - m_prepended);
}

size_t TilePicture::outerSlot(size_t position) const
{
    return static_cast<size_t>(m_outerDimensions[position]) + m_prepended;
}

void TilePicture::setOuterIndex(size_t position, int64_t index)
{
    const int64_t size = m_layout.shape().dimensions[static_cast<size_t>(m_outerDimensions[position])];
    m_base[outerSlot(position)] = std::clamp<int64_t>(index, 0, size - 1);
}

std::vector<int64_t> TilePicture::extendedIndex(GridCell cell) const
{
    std::vector<int64_t> index = m_base;
    if (m_wrapsOneDimension) {
        index[m_columnSlot] = std::min(cell.row * m_columns + cell.column, m_extents[m_columnSlot] - 1);
    } else {
        index[m_rowSlot] = cell.row;
        index[m_columnSlot] = cell.column;
    }
    return index;
}

bool TilePicture::isPadding(GridCell cell) const
{
    // The other dimensions stand within their sizes: only rows and columns can be outside.
    const std::vector<int64_t>& sizes = m_layout.shape().dimensions;
    const auto sizeOf = [&](size_t slot) { return slot < m_prepended ? 1 : sizes[slot - m_prepended]; };
    if (m_wrapsOneDimension)
        return cell.row * m_columns + cell.column >= sizeOf(m_columnSlot);
    return cell.row >= sizeOf(m_rowSlot) || cell.column >= sizeOf(m_columnSlot);
}

int64_t TilePicture::offsetOf(GridCell cell) const
{
    return m_padded.offsetOf(extendedIndex(cell));
}

std::optional<std::vector<int64_t>> TilePicture::indexOf(GridCell cell) const
{
    if (isPadding(cell))
        return std::nullopt;
    std::vector<int64_t> index = extendedIndex(cell);
    index.erase(index.begin(), index.begin() + static_cast<ptrdiff_t>(m_prepended));
    return index;
}

GridCell TilePicture::cellOf(const std::vector<int64_t>& index) const
{
    const auto at = [&](size_t slot) { return slot < m_prepended ? 0 : index[slot - m_prepended]; };
    if (m_wrapsOneDimension)
        return {at(m_columnSlot) / m_columns, at(m_columnSlot) % m_columns};
    return {at(m_rowSlot), at(m_columnSlot)};
}

std::optional<GridCell> TilePicture::cellAt(int64_t offset) const
{
    const auto index = m_padded.indexAt(offset);
    if (!index)
        return std::nullopt;
    for (size_t i = 0; i < index->size(); ++i) {
        const bool isOuter = i != m_columnSlot && (!m_hasRowDimension || i != m_rowSlot);
        if (isOuter && (*index)[i] != m_base[i])
            return std::nullopt;
    }
    if (m_wrapsOneDimension)
        return GridCell{(*index)[m_columnSlot] / m_columns, (*index)[m_columnSlot] % m_columns};
    return GridCell{(*index)[m_rowSlot], (*index)[m_columnSlot]};
}

int TilePicture::tintOf(GridCell cell, int tints) const
{
    const int64_t row = cell.row / m_tileRows;
    const int64_t column = cell.column / m_tileColumns;
    // Numbering along the rows would give a column of tiles one colour where the row length is a multiple of `tints`.
    const int64_t shift = tileGridColumns() % tints == 0 ? row : 0;
    return static_cast<int>((row * tileGridColumns() + column + shift) % tints);
}

int TilePicture::tintAt(int64_t offset, int tints) const
{
    if (const auto cell = cellAt(offset))
        return tintOf(*cell, tints);
    return static_cast<int>(tileAt(offset) % tints);
}

int64_t TilePicture::elementsPerWord() const
{
    const int64_t bits = m_layout.elementBits();
    return bits > 0 && bits < kWordBits && kWordBits % bits == 0 ? kWordBits / bits : 1;
}

std::vector<TilePicture::Digit> TilePicture::digitsOf(int64_t offset) const
{
    const std::vector<int64_t>& sizes = m_layout.physicalDimensions();
    std::vector<Digit> digits(sizes.size());
    int64_t weight = 1;
    for (size_t i = sizes.size(); i-- > 0;) {
        digits[i] = {offset / weight % sizes[i], sizes[i], weight};
        weight *= sizes[i];
    }
    return digits;
}

} // namespace hloscope
