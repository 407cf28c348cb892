// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hlo/shape.h"
#include "core/tiling/physical_layout.h"

#include <QString>
#include <QStringList>

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace hloscope {

// `S(n)` in words. The numbers mean something only with the platform of platformOf(): "tpu" names HBM, VMEM, sync
// flags, CMEM, SMEM, host and scalars; elsewhere only device and host memory have a name. Others stay "S(8)".
QString memorySpaceName(int64_t space, std::string_view platform = "tpu");
// What that memory is, as a phrase; empty for numbers without a name.
QString memorySpaceMeaning(int64_t space, std::string_view platform = "tpu");

// One tile level and what it does.
struct TileWords {
    QString notation; // "T(8,128)", "(2,1)"
    QString meaning; // "tiles of 8 × 128, here 128 × 2 of them"
};

// A layout taken apart. Parts that do not apply are empty.
struct LayoutWords {
    QString element; // "bf16, 2 bytes an element"
    QString order; // "Dimension 2 runs fastest, along the 128 lanes. ..."
    std::vector<TileWords> tiles;
    QString size; // "64 MiB, no padding"
    QString padding; // why there is padding, a sentence
    QString space; // memorySpaceName()
    QString problem; // why sizes are missing: a layout that does not fit its shape, for example
    bool isPadded = false;
};

// For an array; anything else gives only `element` ("token", "tuple of 3").
LayoutWords describeLayout(const Shape& shape, std::string_view platform = "tpu");
// The same as lines of text, one fact each.
QStringList layoutSentences(const LayoutWords& words);

// "8 × 128"
QString dimensionsText(std::span<const int64_t> sizes);
// "2 bytes", "4 bits"
QString elementSizeText(int64_t bits);
// "1.6 times" of an expansion; three digits.
QString timesText(double factor);
// "64 MiB, HBM, no padding" for an array, "2 arrays, 512.5 MiB" for a tuple, "no data" for a token.
QString valueSummary(const Shape& shape, std::string_view platform = "tpu");

} // namespace hloscope
