// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hlo/shape.h"
#include "core/support/expected.h"
#include "core/tiling/physical_layout.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace hloscope {

struct GridCell {
    int64_t row = 0;
    int64_t column = 0;

    bool operator==(const GridCell&) const = default;
};

// An array as a grid of cells with its padding, and the way from cells to memory and back. Holds no cells: each answer
// is computed from the layout, so that an array of any size costs the same.
//
// Rows and columns are the two dimensions that run fastest in memory, in their logical order; the others are fixed at
// an index that can be changed. An array with one dimension is wrapped into rows (of 128 where it is tiled in multiples
// of the 128 lanes). Where a tile has more dimensions than the array, the missing ones are put in front with size one,
// so that the padding of a scalar is seen too.
class TilePicture {
public:
    // Errors: those of PhysicalLayout, and an array without elements, of which there is nothing to draw.
    static Expected<TilePicture> create(const Shape& shape);

    const PhysicalLayout& layout() const { return m_layout; }

    int64_t rows() const { return m_rows; } // with padding
    int64_t columns() const { return m_columns; } // with padding
    bool isWrapped() const { return m_wrapsOneDimension; }
    // Logical dimension that runs down or across; nothing where the array has no such dimension.
    std::optional<int64_t> rowDimension() const;
    std::optional<int64_t> columnDimension() const;
    // First-level tiles in the grid; one that covers everything for arrays without tiles.
    int64_t tileRows() const { return m_tileRows; }
    int64_t tileColumns() const { return m_tileColumns; }
    int64_t tileGridRows() const { return (m_rows + m_tileRows - 1) / m_tileRows; }
    int64_t tileGridColumns() const { return (m_columns + m_tileColumns - 1) / m_tileColumns; }
    bool isTiled() const { return m_isTiled; }
    // Extent of the last tile level inside the first, for its outlines; {1, 1} without one.
    int64_t innerRows() const { return m_innerRows; }
    int64_t innerColumns() const { return m_innerColumns; }

    // Dimensions that are neither row nor column, and where they stand.
    const std::vector<int64_t>& outerDimensions() const { return m_outerDimensions; }
    int64_t outerIndex(size_t position) const { return m_base[outerSlot(position)]; }
    void setOuterIndex(size_t position, int64_t index); // clamped to the dimension

    bool isPadding(GridCell cell) const;
    // Elements from the start of the array; for padding cells too.
    int64_t offsetOf(GridCell cell) const;
    // Logical index, nothing for padding.
    std::optional<std::vector<int64_t>> indexOf(GridCell cell) const;
    // The cell of a logical index; the outer dimensions of the picture do not matter.
    GridCell cellOf(const std::vector<int64_t>& index) const;
    // The cell of a place in memory, when that lies in the slice that is shown.
    std::optional<GridCell> cellAt(int64_t offset) const;
    // Logical index of a place in memory, nothing for padding.
    std::optional<std::vector<int64_t>> indexAt(int64_t offset) const { return m_layout.indexAt(offset); }

    // First-level tiles in memory order.
    int64_t elementsPerTile() const { return m_elementsPerTile; }
    int64_t tileAt(int64_t offset) const { return offset / m_elementsPerTile; }
    // Which of `tints` colours the tile of a cell has: neighbours differ.
    int tintOf(GridCell cell, int tints = 4) const;
    int tintAt(int64_t offset, int tints = 4) const;
    // Elements that share one 32-bit word: 2 for bf16, 8 for packed s4; 1 for 32 bits and more.
    int64_t elementsPerWord() const;
    // Digits of an offset in the final vector of dimensions, and what each counts.
    struct Digit {
        int64_t value = 0;
        int64_t size = 1;
        int64_t weight = 1; // elements
    };
    std::vector<Digit> digitsOf(int64_t offset) const;

private:
    TilePicture(PhysicalLayout layout, PhysicalLayout padded);
    void chooseDimensions();
    void measureTiles();
    size_t outerSlot(size_t position) const;
    std::vector<int64_t> extendedIndex(GridCell cell) const;

    PhysicalLayout m_layout;
    PhysicalLayout m_padded; // dimensions rounded up to whole tiles, ones in front: has an offset for every cell
    size_t m_prepended = 0; // dimensions that only m_padded has
    std::vector<int64_t> m_extents; // of m_padded
    std::vector<int64_t> m_base; // index into m_padded with rows and columns at 0
    std::vector<int64_t> m_outerDimensions; // logical numbers
    size_t m_rowSlot = 0; // dimensions of m_padded
    size_t m_columnSlot = 0;
    bool m_hasRowDimension = false;
    bool m_wrapsOneDimension = false;
    bool m_isTiled = false;
    int64_t m_rows = 1;
    int64_t m_columns = 1;
    int64_t m_tileRows = 1;
    int64_t m_tileColumns = 1;
    int64_t m_innerRows = 1;
    int64_t m_innerColumns = 1;
    int64_t m_elementsPerTile = 1;
};

} // namespace hloscope
