// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hlo/hlo_module.h"
#include "core/tpu/chip_spec.h"

#include <cstdint>
#include <vector>

namespace hloscope {

// Dimensions in logical order, padded to the first tile of the layout.
std::vector<int64_t> paddedLogicalDimensions(const Shape& array);
// Product of the dimensions as a double, which cannot overflow; 0 for what is no array.
double elementsOf(const Shape& array);

// How many bytes libtpu's cost analysis charges for a value. Read off its answers for some 400 programs:
// - an array is its size padded to the first tile, whatever memory it lies in;
// - a scalar without a tile and an array in a flag or scalar memory (S(2), S(4)) are 4096 bytes;
// - a tuple that is read is its pointer table, four bytes an entry, rounded up to a size of the chip;
// - a tuple that is written is the sum of its leaves.
class ValueSizes {
public:
    ValueSizes(const HloModule& module, const ChipSpec& chip);

    // Bytes for reading the value of an instruction.
    double read(InstructionId id) const { return m_read[m_module.instruction(id).shape.index()]; }
    // Bytes for writing it.
    double written(InstructionId id) const { return m_written[m_module.instruction(id).shape.index()]; }
    // The pointer table of a tuple with so many entries.
    double table(size_t entries) const;

    static double arrayBytes(const Shape& array);
    static double leafBytes(const Shape& shape); // sum over the arrays in it

private:
    const HloModule& m_module;
    double m_tableUnit;
    std::vector<double> m_read; // by ShapeId
    std::vector<double> m_written; // by ShapeId
};

} // namespace hloscope
