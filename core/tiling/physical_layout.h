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
    // Without a layout in the shape: row-major, no tiles. Dynamic dimensions count at their bound. Cuts (`SC(...)`)
    // spread the pieces over several memories; offsets are those of the whole array, only xlaBytes() looks at a piece.
    // Errors: not an array, a layout that does not fit the shape, an unbounded dimension, sizes that overflow.
    static Expected<PhysicalLayout> create(const Shape& shape);

    const Shape& shape() const { return m_shape; }
    // Sizes of the final vector, most major first; their product is the element count with padding (before L(n)).
    const std::vector<int64_t>& physicalDimensions() const { return m_physical; }
    // Dimensions in logical order, rounded up to the first tile. Dimensions that a `*` merges keep their size.
    const std::vector<int64_t>& paddedDimensions() const { return m_padded; }

    int64_t elementBits() const { return m_elementBits; } // E(n), else the natural width
    int64_t elements() const { return m_elements; } // logical
    int64_t paddedElements() const { return m_paddedElements; } // all tile levels and tail padding
    int64_t unpaddedBytes() const { return m_unpaddedBytes; }
    int64_t paddedBytes() const { return m_paddedBytes; }
    // XLA's own size, from the first tile only; differs from paddedBytes() where an inner tile does not divide the
    // outer.
    int64_t xlaBytes() const { return m_xlaBytes; }
    double expansion() const; // paddedElements / elements, 1 for empty arrays

    // Offset in elements of a logical index (one entry per dimension, within bounds). O(rank + tile levels).
    int64_t offsetOf(std::span<const int64_t> index) const;
    // Logical index of the element at an offset, nothing for padding.
    std::optional<std::vector<int64_t>> indexAt(int64_t offset) const;

private:
    // One tile: what it does to the vector of dimensions in front of it.
    struct Level {
        size_t prepended = 0; // dimensions of size 1 put in front
        size_t untouched = 0; // leading dimensions that the tile does not reach
        std::vector<int64_t> before; // sizes with those, most major first
        std::vector<bool> merged; // per entry of `before`: merged into the next one by a `*`
        std::vector<int64_t> tile; // sizes of the tile, without the `*`
        std::vector<int64_t> tiled; // the sizes that it divides, as many as `tile` has
    };

    PhysicalLayout() = default;
    std::optional<Diagnostic> takeOrder();
    std::optional<Diagnostic> addLevel(const Tile& tile);
    std::optional<Diagnostic> takeSizes();

    Shape m_shape;
    std::vector<int64_t> m_order; // logical dimensions from major to minor
    std::vector<Level> m_levels;
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
// for tokens and for what has no size (unbounded dimensions, an invalid type); for tuples the pointer table,
// `pointerBytes` an element; one pointer for opaque values. Saturates instead of overflowing.
int64_t paddedByteSize(const Shape& shape, int64_t pointerBytes = 8);
// Dimensions from major to minor, rounded up to the first tile (ones in front where the tile is longer than the shape)
// and with the largest piece of a cut dimension: what XLA's sizes are made of. Their product does not hold L(n).
std::vector<int64_t> xlaPaddedDimensions(const Shape& shape);
// Logical bytes: dimensions times element width, no padding; tuples as above.
int64_t unpaddedByteSize(const Shape& shape, int64_t pointerBytes = 8);

} // namespace hloscope
