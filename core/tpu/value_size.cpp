// SPDX-License-Identifier: Apache-2.0
#include "core/tpu/value_size.h"

#include "core/tiling/physical_layout.h"

#include <algorithm>
#include <cmath>

namespace hloscope {

namespace {

constexpr double kTablePointerBytes = 4;
constexpr double kScalarBytes = 4096;
constexpr int64_t kSyncFlagSpace = 2;
constexpr int64_t kScalarSpace = 4;
constexpr double kDefaultTableUnit = 512; // chips without a known unit

} // namespace

std::vector<int64_t> paddedLogicalDimensions(const Shape& array)
{
    std::vector<int64_t> sizes = array.dimensions;
    const std::vector<int64_t> padded = xlaPaddedDimensions(array);
    const size_t rank = sizes.size();
    if (padded.size() < rank)
        return sizes;
    const size_t first = padded.size() - rank;
    for (size_t i = 0; i < rank; ++i) {
        size_t logical = i;
        if (array.layout && array.layout->minorToMajor.size() == rank)
            logical = static_cast<size_t>(array.layout->minorToMajor[rank - 1 - i]);
        if (logical < rank)
            sizes[logical] = padded[first + i];
    }
    return sizes;
}

double elementsOf(const Shape& array)
{
    if (!array.isArray())
        return 0;
    double product = 1;
    for (int64_t size : array.dimensions)
        product *= static_cast<double>(std::max<int64_t>(size, 0));
    return product;
}

double ValueSizes::arrayBytes(const Shape& array)
{
    if (array.elementType == PrimitiveType::Token)
        return 0;
    const bool isTiled = array.layout && !array.layout->tiles.empty();
    const bool isFlag = array.memorySpace() == kSyncFlagSpace || array.memorySpace() == kScalarSpace;
    if (!isTiled && (array.dimensions.empty() || (isFlag && elementsOf(array) != 0)))
        return kScalarBytes;
    return static_cast<double>(paddedByteSize(array));
}

double ValueSizes::leafBytes(const Shape& shape)
{
    if (!shape.isTuple())
        return arrayBytes(shape);
    double sum = 0;
    visitSubshapes(shape, [&](const std::vector<int64_t>&, const Shape& part) {
        if (!part.isTuple())
            sum += arrayBytes(part);
    });
    return sum;
}

double ValueSizes::table(size_t entries) const
{
    return std::ceil(static_cast<double>(entries) * kTablePointerBytes / m_tableUnit) * m_tableUnit;
}

ValueSizes::ValueSizes(const HloModule& module, const ChipSpec& chip)
    : m_module(module), m_tableUnit(chip.compilerTupleTableBytes.value.value_or(kDefaultTableUnit))
{
    for (const Shape& shape : module.shapes) {
        const double leaves = leafBytes(shape);
        m_written.push_back(leaves);
        m_read.push_back(shape.isTuple() ? table(shape.elements.size()) : leaves);
    }
}

} // namespace hloscope
