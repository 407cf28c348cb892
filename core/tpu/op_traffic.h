// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hlo/hlo_module.h"

#include <optional>
#include <vector>

namespace hloscope {

enum class Memory : uint8_t { Hbm, Vmem, Cmem, Scalar, Host };
// By the number in the layout, S(n). Semaphores and scalar memories are `Scalar`.
Memory memoryOf(const Shape& array);

// Size with padding to the first tile, as a double.
double paddedBytesOf(const Shape& array);
// Registers of 8 x 128 elements that the array fills; partial ones count as whole.
double registersOf(const Shape& array);

// One array that an op reads.
struct ArrayRead {
    size_t operand = 0;
    const Shape* array = nullptr;
    double bytes = 0; // of the slices, where nothing but slices are taken
};

// One array that an op writes.
struct ArrayWrite {
    const Shape* array = nullptr;
    double bytes = 0; // padded; of the update only for an update in place
    bool isUpdate = false;
    bool isAliased = false; // lies over an operand
};

// What an op moves in and out. Buffers of a collective that rides along in a fusion are left out.
struct OpTraffic {
    std::vector<ArrayRead> reads;
    std::vector<ArrayWrite> writes;

    const ArrayWrite* largestWrite() const; // null when nothing is written
};

OpTraffic opTraffic(const HloModule& module, InstructionId id);

} // namespace hloscope
