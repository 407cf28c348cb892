// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tiling/physical_layout.h"

#include <QString>

#include <cstdint>
#include <span>
#include <vector>

namespace hloscope {

// How the offset of an element comes about, one step per tile level: what the layout panel writes out and what
// PhysicalLayout::offsetOf() computes in one go.
struct OffsetStep {
    Tile tile; // no dimensions in the first step, which only puts the dimensions in order
    std::vector<int64_t> sizes; // the vector after this step, most major first
    std::vector<int64_t> index; // of the element, as many entries
    std::vector<size_t> bars; // entries at which the inside of a tile begins, ascending
};

// "(2, 2 | 1, 4 | 2, 1)"
QString vectorText(const std::vector<int64_t>& values, const std::vector<size_t>& bars);

// `index` is a logical index within the bounds of the layout's shape.
std::vector<OffsetStep> offsetSteps(const PhysicalLayout& layout, std::span<const int64_t> index);

} // namespace hloscope
