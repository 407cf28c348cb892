// SPDX-License-Identifier: Apache-2.0
#include "views/tiling/offset_steps.h"

#include <algorithm>

namespace hloscope {

namespace {

int64_t ceilDivide(int64_t value, int64_t divisor)
{
    return value / divisor + (value % divisor != 0 ? 1 : 0);
}

// `*` entries of a tile: their dimension is merged into the next more minor one, here and in the vector.
void mergeDimensions(std::vector<int64_t>& tile, OffsetStep& step, size_t begin)
{
    for (size_t i = 0; i + 1 < tile.size();) {
        if (tile[i] != Tile::kCombine) {
            ++i;
            continue;
        }
        const size_t at = begin + i;
        step.index[at + 1] += step.index[at] * step.sizes[at + 1];
        step.sizes[at + 1] *= step.sizes[at];
        step.index.erase(step.index.begin() + static_cast<ptrdiff_t>(at));
        step.sizes.erase(step.sizes.begin() + static_cast<ptrdiff_t>(at));
        tile.erase(tile.begin() + static_cast<ptrdiff_t>(i));
    }
}

OffsetStep applyTile(const OffsetStep& before, const Tile& tile)
{
    OffsetStep step;
    step.tile = tile;
    step.sizes = before.sizes;
    step.index = before.index;
    while (step.sizes.size() < tile.dimensions.size()) {
        step.sizes.insert(step.sizes.begin(), 1);
        step.index.insert(step.index.begin(), 0);
    }
    const size_t begin = step.sizes.size() - tile.dimensions.size();
    const size_t prepended = step.sizes.size() - before.sizes.size();
    for (size_t bar : before.bars) {
        if (bar + prepended <= begin) // a bar that the tile reaches across is gone
            step.bars.push_back(bar + prepended);
    }
    std::vector<int64_t> sizes = tile.dimensions;
    mergeDimensions(sizes, step, begin);
    std::vector<int64_t> inner;
    for (size_t i = 0; i < sizes.size(); ++i) {
        inner.push_back(step.index[begin + i] % sizes[i]);
        step.index[begin + i] /= sizes[i];
        step.sizes[begin + i] = ceilDivide(step.sizes[begin + i], sizes[i]);
    }
    step.bars.push_back(step.sizes.size());
    step.sizes.insert(step.sizes.end(), sizes.begin(), sizes.end());
    step.index.insert(step.index.end(), inner.begin(), inner.end());
    return step;
}

} // namespace

QString vectorText(const std::vector<int64_t>& values, const std::vector<size_t>& bars)
{
    QString text = QStringLiteral("(");
    for (size_t i = 0; i < values.size(); ++i) {
        if (i > 0)
            text += std::find(bars.begin(), bars.end(), i) != bars.end() ? QStringLiteral(" | ") : QStringLiteral(", ");
        text += QString::number(values[i]);
    }
    return text + QLatin1Char(')');
}

std::vector<OffsetStep> offsetSteps(const PhysicalLayout& layout, std::span<const int64_t> index)
{
    const Shape& shape = layout.shape();
    OffsetStep first;
    const size_t rank = shape.dimensions.size();
    for (size_t i = 0; i < rank; ++i) {
        const size_t dimension = shape.layout ? static_cast<size_t>(shape.layout->minorToMajor[rank - 1 - i]) : i;
        first.sizes.push_back(shape.dimensions[dimension]);
        first.index.push_back(index[dimension]);
    }
    std::vector<OffsetStep> steps{std::move(first)};
    if (shape.layout) {
        for (const Tile& tile : shape.layout->tiles)
            steps.push_back(applyTile(steps.back(), tile));
    }
    return steps;
}

} // namespace hloscope
