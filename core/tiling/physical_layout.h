// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hlo/shape.h"
#include "core/support/expected.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace hloscope {

// Where the elements of one array lie in memory: index -> offset for any order and any nesting of tiles.
//
// The dimensions are put from major to minor; each tile then cuts the minor-most dimensions d_i into ceil(d_i / t_i)
// tiles of t_i, which makes the vector longer, and the next tile works on that longer vector. The offset is the
// row-major position in the final vector. Source: XLA's "Tiled layout" documentation.
class PhysicalLayout {
public:
    // Without a layout in the shape: row-major, no tiles. Errors: not an array, a layout that does not fit the shape, an
    // unbounded dimension, sizes that overflow.
    static Expected<PhysicalLayout> create(const Shape& shape);

    const Shape& shape() const { return m_shape; }
    // Sizes of the final vector, most major first; their product is the element count with padding.
    const std::vector<int64_t>& physicalDimensions() const { return m_physical; }
    // Dimensions in logical order, rounded up to the first tile.
    const std::vector<int64_t>& paddedDimensions() const { return m_padded; }

    int64_t elementBits() const { return m_elementBits; }
    int64_t elements() const { return m_elements; } // logical
    int64_t paddedElements() const { return m_paddedElements; } // all tile levels and tail padding
    int64_t unpaddedBytes() const { return m_unpaddedBytes; }
    int64_t paddedBytes() const { return m_paddedBytes; }
    // XLA's own size, from the first tile only; differs from paddedBytes() where an inner tile does not divide the outer.
    int64_t xlaBytes() const { return m_xlaBytes; }
    double expansion() const; // paddedElements / elements, 1 for empty arrays

    // Offset in elements of a logical index (one entry per dimension, within bounds). O(rank + tile levels).
    int64_t offsetOf(std::span<const int64_t> index) const;
    // Logical index of the element at an offset, nothing for padding.
    std::optional<std::vector<int64_t>> indexAt(int64_t offset) const;

private:
    PhysicalLayout() = default;

    Shape m_shape;
    std::vector<int64_t> m_order; // logical dimensions from major to minor
    std::vector<int64_t> m_physical;
    std::vector<int64_t> m_padded;
    int64_t m_elementBits = 0;
    int64_t m_elements = 0;
    int64_t m_paddedElements = 0;
    int64_t m_unpaddedBytes = 0;
    int64_t m_paddedBytes = 0;
    int64_t m_xlaBytes = 0;
};

// Bytes of an array with tile padding as XLA's allocator counts them (xlaBytes; the largest piece under SC(...)). Zero
// for tokens; for tuples the pointer table, `pointerBytes` an element. Saturates instead of overflowing.
int64_t paddedByteSize(const Shape& shape, int64_t pointerBytes = 8);
// Logical bytes: dimensions times element width, no padding; tuples as above.
int64_t unpaddedByteSize(const Shape& shape, int64_t pointerBytes = 8);

} // namespace hloscope
