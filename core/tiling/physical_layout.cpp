// SPDX-License-Identifier: Apache-2.0
#include "core/tiling/physical_layout.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

namespace hloscope {

namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
// Ranks and tiles beyond this do not occur; the bound keeps a hostile layout from growing the vector without end.
constexpr size_t kMaxDimensions = 1024;

Diagnostic badLayout(std::string message)
{
    return makeError("", std::move(message));
}

int64_t ceilDivide(int64_t value, int64_t divisor)
{
    return value / divisor + (value % divisor != 0 ? 1 : 0);
}

int64_t saturatingMultiply(int64_t a, int64_t b)
{
    int64_t product = 0;
    return __builtin_mul_overflow(a, b, &product) ? kMax : product;
}

int64_t saturatingRoundUp(int64_t value, int64_t multiple)
{
    return multiple <= 1 ? value : saturatingMultiply(ceilDivide(value, multiple), multiple);
}

// Nothing when the product does not fit. A zero anywhere makes the product zero.
std::optional<int64_t> productOf(std::span<const int64_t> sizes)
{
    if (std::find(sizes.begin(), sizes.end(), 0) != sizes.end())
        return 0;
    int64_t product = 1;
    for (int64_t size : sizes) {
        if (__builtin_mul_overflow(product, size, &product))
            return std::nullopt;
    }
    return product;
}

int64_t saturatingProduct(std::span<const int64_t> sizes)
{
    return productOf(sizes).value_or(kMax);
}

int64_t bitsOf(const Shape& shape)
{
    if (shape.layout && shape.layout->elementSizeBits > 0)
        return shape.layout->elementSizeBits;
    return naturalBits(shape.elementType);
}

// ceil(elements * bits / 8), saturating.
int64_t bytesOf(int64_t elements, int64_t bits)
{
    const auto total = static_cast<__int128>(elements) * bits;
    const __int128 bytes = total / 8 + (total % 8 != 0 ? 1 : 0);
    return bytes > kMax ? kMax : static_cast<int64_t>(bytes);
}

std::vector<int64_t> majorToMinor(const Shape& shape)
{
    const size_t rank = shape.dimensions.size();
    std::vector<int64_t> order(rank);
    // A scalar and a layout of the wrong length both end up row-major here; create() refuses the latter.
    if (shape.layout && shape.layout->minorToMajor.size() == rank) {
        std::copy(shape.layout->minorToMajor.rbegin(), shape.layout->minorToMajor.rend(), order.begin());
    } else {
        for (size_t i = 0; i < rank; ++i)
            order[i] = static_cast<int64_t>(i);
    }
    return order;
}

// Size of the largest piece when the dimension is cut at the given indices.
int64_t largestPiece(int64_t size, const std::vector<int64_t>& cuts)
{
    int64_t largest = 0;
    int64_t last = 0;
    for (int64_t cut : cuts) {
        if (cut < last || cut > size)
            return size;
        largest = std::max(largest, cut - last);
        last = cut;
    }
    return std::max(largest, size - last);
}

bool hasSize(const Shape& shape)
{
    return std::all_of(shape.dimensions.begin(), shape.dimensions.end(), [](int64_t size) { return size >= 0; });
}

} // namespace

std::vector<int64_t> xlaPaddedDimensions(const Shape& shape)
{
    std::vector<int64_t> sizes;
    for (int64_t dimension : majorToMinor(shape)) {
        const auto index = static_cast<size_t>(dimension);
        sizes.push_back(index < shape.dimensions.size() ? std::max<int64_t>(shape.dimensions[index], 0) : 1);
    }
    if (!shape.layout)
        return sizes;
    for (const SplitConfig& split : shape.layout->splits) {
        const auto index = static_cast<size_t>(split.dimension);
        if (index < sizes.size())
            sizes[index] = largestPiece(sizes[index], split.indices);
    }
    if (shape.layout->tiles.empty())
        return sizes;
    const std::vector<int64_t>& tile = shape.layout->tiles.front().dimensions;
    if (tile.size() > kMaxDimensions)
        return sizes;
    if (tile.size() > sizes.size())
        sizes.insert(sizes.begin(), tile.size() - sizes.size(), 1);
    const size_t offset = sizes.size() - tile.size();
    for (size_t i = 0; i < tile.size(); ++i) {
        int64_t& size = sizes[offset + i];
        if (tile[i] == Tile::kCombine && i + 1 < tile.size()) {
            sizes[offset + i + 1] = saturatingMultiply(size, sizes[offset + i + 1]);
            size = 1;
        } else if (tile[i] > 0) {
            size = saturatingRoundUp(size, tile[i]);
        }
    }
    return sizes;
}

std::optional<Diagnostic> PhysicalLayout::takeOrder()
{
    const size_t rank = m_shape.dimensions.size();
    if (rank > kMaxDimensions)
        return badLayout(fmt::format("array with {} dimensions", rank));
    for (int64_t size : m_shape.dimensions) {
        if (size == Shape::kUnbounded)
            return badLayout("an array with an unbounded dimension has no size");
        if (size < 0)
            return badLayout(fmt::format("negative dimension {}", size));
    }
    m_order = majorToMinor(m_shape);
    if (!m_shape.layout)
        return std::nullopt;
    if (m_shape.layout->minorToMajor.size() != rank)
        return badLayout(fmt::format("layout orders {} dimensions of an array of rank {}",
                                     m_shape.layout->minorToMajor.size(), rank));
    std::vector<bool> seen(rank);
    for (int64_t dimension : m_order) {
        if (dimension < 0 || dimension >= m_shape.rank() || seen[static_cast<size_t>(dimension)])
            return badLayout("layout order is not a permutation of the dimensions");
        seen[static_cast<size_t>(dimension)] = true;
    }
    return std::nullopt;
}

std::optional<Diagnostic> PhysicalLayout::addLevel(const Tile& tile)
{
    Level level;
    if (m_physical.size() + tile.dimensions.size() > kMaxDimensions)
        return badLayout("layout with too many tiles");
    for (int64_t size : tile.dimensions) {
        if (size != Tile::kCombine && size <= 0)
            return badLayout(fmt::format("tile of size {}", size));
    }
    if (!tile.dimensions.empty() && tile.dimensions.back() == Tile::kCombine)
        return badLayout("a tile cannot end with *");

    level.before = m_physical;
    if (tile.dimensions.size() > m_physical.size()) {
        level.prepended = tile.dimensions.size() - m_physical.size();
        level.before.insert(level.before.begin(), level.prepended, 1);
    }
    level.untouched = level.before.size() - tile.dimensions.size();
    level.merged.assign(level.before.size(), false);
    std::vector<int64_t> next(level.before.begin(), level.before.begin() + static_cast<ptrdiff_t>(level.untouched));
    int64_t merged = 1;
    for (size_t i = 0; i < tile.dimensions.size(); ++i) {
        const size_t at = level.untouched + i;
        if (__builtin_mul_overflow(merged, level.before[at], &merged))
            return badLayout("size of the array overflows");
        if (tile.dimensions[i] == Tile::kCombine) {
            level.merged[at] = true;
            continue;
        }
        level.tile.push_back(tile.dimensions[i]);
        level.tiled.push_back(merged);
        next.push_back(ceilDivide(merged, tile.dimensions[i]));
        merged = 1;
    }
    next.insert(next.end(), level.tile.begin(), level.tile.end());
    m_physical = std::move(next);
    m_levels.push_back(std::move(level));
    return std::nullopt;
}

std::optional<Diagnostic> PhysicalLayout::takeSizes()
{
    m_elementBits = bitsOf(m_shape);
    const std::optional<int64_t> elements = productOf(m_shape.dimensions);
    const std::optional<int64_t> padded = productOf(m_physical);
    if (!elements || !padded)
        return badLayout("size of the array overflows");
    m_elements = *elements;
    m_paddedElements = saturatingRoundUp(*padded, m_shape.layout ? m_shape.layout->tailPaddingElements : 1);
    m_unpaddedBytes = bytesOf(m_elements, m_elementBits);
    m_paddedBytes = bytesOf(m_paddedElements, m_elementBits);
    m_xlaBytes = paddedByteSize(m_shape);
    if (m_paddedElements == kMax || m_paddedBytes == kMax || m_xlaBytes == kMax)
        return badLayout("size of the array overflows");

    m_padded = m_shape.dimensions;
    if (m_levels.empty())
        return std::nullopt;
    const Tile& tile = m_shape.layout->tiles.front();
    for (size_t fromMinor = 0; fromMinor < std::min(tile.dimensions.size(), m_order.size()); ++fromMinor) {
        const size_t entry = tile.dimensions.size() - 1 - fromMinor;
        const bool isMerged =
            tile.dimensions[entry] == Tile::kCombine || (entry > 0 && tile.dimensions[entry - 1] == Tile::kCombine);
        int64_t& size = m_padded[static_cast<size_t>(m_order[m_order.size() - 1 - fromMinor])];
        if (!isMerged)
            size = saturatingRoundUp(size, tile.dimensions[entry]);
    }
    return std::nullopt;
}

Expected<PhysicalLayout> PhysicalLayout::create(const Shape& shape)
{
    if (!shape.isArray())
        return badLayout("only an array has a physical layout");
    PhysicalLayout result;
    result.m_shape = shape;
    if (auto error = result.takeOrder())
        return *error;
    for (int64_t dimension : result.m_order)
        result.m_physical.push_back(shape.dimensions[static_cast<size_t>(dimension)]);
    if (shape.layout) {
        for (const Tile& tile : shape.layout->tiles) {
            if (auto error = result.addLevel(tile))
                return *error;
        }
    }
    if (auto error = result.takeSizes())
        return *error;
    return result;
}

double PhysicalLayout::expansion() const
{
    return m_elements == 0 ? 1.0 : static_cast<double>(m_paddedElements) / static_cast<double>(m_elements);
}

int64_t PhysicalLayout::offsetOf(std::span<const int64_t> index) const
{
    std::vector<int64_t> position;
    position.reserve(m_physical.size());
    for (int64_t dimension : m_order)
        position.push_back(index[static_cast<size_t>(dimension)]);
    for (const Level& level : m_levels) {
        position.insert(position.begin(), level.prepended, 0);
        std::vector<int64_t> next(position.begin(), position.begin() + static_cast<ptrdiff_t>(level.untouched));
        std::vector<int64_t> inner;
        int64_t merged = 0;
        for (size_t i = level.untouched; i < position.size(); ++i) {
            merged = merged * level.before[i] + position[i];
            if (level.merged[i])
                continue;
            const int64_t tile = level.tile[inner.size()];
            next.push_back(merged / tile);
            inner.push_back(merged % tile);
            merged = 0;
        }
        next.insert(next.end(), inner.begin(), inner.end());
        position = std::move(next);
    }
    int64_t offset = 0;
    for (size_t i = 0; i < position.size(); ++i)
        offset = offset * m_physical[i] + position[i];
    return offset;
}

std::optional<std::vector<int64_t>> PhysicalLayout::indexAt(int64_t offset) const
{
    if (offset < 0 || offset >= m_paddedElements)
        return std::nullopt;
    std::vector<int64_t> position(m_physical.size());
    for (size_t i = position.size(); i-- > 0;) {
        position[i] = offset % m_physical[i];
        offset /= m_physical[i];
    }
    if (offset != 0) // behind the last tile: tail padding
        return std::nullopt;

    for (auto level = m_levels.rbegin(); level != m_levels.rend(); ++level) {
        const size_t rank = level->tile.size();
        const size_t tiles = position.size() - 2 * rank; // where the tile numbers begin
        std::vector<int64_t> previous(level->before.size());
        std::copy(position.begin(), position.begin() + static_cast<ptrdiff_t>(tiles), previous.begin());
        size_t at = previous.size();
        for (size_t i = rank; i-- > 0;) {
            const int64_t merged = position[tiles + i] * level->tile[i] + position[tiles + rank + i];
            if (merged >= level->tiled[i])
                return std::nullopt;
            previous[--at] = merged;
            while (at > 0 && level->merged[at - 1]) { // undo the merging, minor part first
                previous[at - 1] = previous[at] / level->before[at];
                previous[at] %= level->before[at];
                --at;
            }
        }
        previous.erase(previous.begin(), previous.begin() + static_cast<ptrdiff_t>(level->prepended));
        position = std::move(previous);
    }

    std::vector<int64_t> index(position.size());
    for (size_t i = 0; i < position.size(); ++i)
        index[static_cast<size_t>(m_order[i])] = position[i];
    return index;
}

int64_t paddedByteSize(const Shape& shape, int64_t pointerBytes)
{
    switch (shape.elementType) {
    case PrimitiveType::Tuple:
        return saturatingMultiply(static_cast<int64_t>(shape.elements.size()), pointerBytes);
    case PrimitiveType::Opaque:
        return pointerBytes;
    case PrimitiveType::Buffer:
        return shape.elements.empty() ? 0 : paddedByteSize(shape.elements.front(), pointerBytes);
    default:
        break;
    }
    if (!shape.isArray() || !hasSize(shape))
        return 0;
    const int64_t elements = saturatingRoundUp(saturatingProduct(xlaPaddedDimensions(shape)),
                                               shape.layout ? shape.layout->tailPaddingElements : 1);
    return bytesOf(elements, bitsOf(shape));
}

int64_t unpaddedByteSize(const Shape& shape, int64_t pointerBytes)
{
    switch (shape.elementType) {
    case PrimitiveType::Tuple:
        return saturatingMultiply(static_cast<int64_t>(shape.elements.size()), pointerBytes);
    case PrimitiveType::Opaque:
        return pointerBytes;
    case PrimitiveType::Buffer:
        return shape.elements.empty() ? 0 : unpaddedByteSize(shape.elements.front(), pointerBytes);
    default:
        break;
    }
    if (!shape.isArray() || !hasSize(shape))
        return 0;
    return bytesOf(saturatingProduct(shape.dimensions), bitsOf(shape));
}

} // namespace hloscope
