// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/memory/live_range.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hloscope {

// What a buffer is for, as the memory chart stacks it.
enum class BufferKind : uint8_t { Weights, Input, Output, Residual, Activations, Collective };
constexpr size_t kBufferKindCount = 6;

// A buffer in one memory space with its padded size: one or several values that share it.
struct Buffer {
    BufferName name; // the first value in it
    BufferKind kind = BufferKind::Activations;
    int64_t space = 0; // S(n)
    int64_t bytes = 0; // with tile padding
    int64_t begin = 0; // positions in LiveRangeReport::sequence, inclusive
    int64_t end = 0;
    bool isStatic = false; // parameter, constant or output: held for the whole program
};

// Bytes in use in one memory space at every position of the flattened schedule.
struct MemorySpace {
    int64_t space = 0;
    std::vector<size_t> buffers; // indices into MemoryReport::buffers
    std::vector<int64_t> curve; // bytes, by position
    int64_t peakBytes = 0;
    int64_t peakPosition = 0;
    std::vector<size_t> liveAtPeak; // indices into MemoryReport::buffers, largest first
};

// Memory over the schedule of a module. XLA's own account of logical bytes is `liveRanges`; `spaces` counts padded
// bytes per memory space; `totalPeakBytes` estimates `memory_analysis().peak_memory_in_bytes`.
struct MemoryReport {
    LiveRangeReport liveRanges;
    std::vector<Buffer> buffers;
    std::vector<MemorySpace> spaces; // HBM (0) first
    int64_t totalPeakBytes = 0;

    // Buffers alive at a position of one space, largest first.
    std::vector<size_t> liveAt(const MemorySpace& space, int64_t position) const;
};

Expected<MemoryReport> analyseMemory(const HloModule& module, Progress* progress = nullptr);

} // namespace hloscope
