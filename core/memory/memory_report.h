// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/memory/live_range.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hloscope {

// What a buffer is for, as the memory chart stacks it. The first rule that holds decides.
//
//   Weights      an entry parameter that holds the model's state, or a constant; see buffer_kind.h for how parameters
//                are told apart. A copy or prefetch of such a parameter too.
//   Input        any other entry parameter, and its copies
//   Output       the result of the program, unless it takes over a parameter's buffer
//   Residual     carried from one iteration of a loop to the next
//   Collective   written by a collective
//   Residual     read, then kept while a matmul runs that does not read it, then read again: a residual stream, or an
//                activation that waits for the backward pass
//   Activations  everything else
enum class BufferKind : uint8_t { Weights, Input, Output, Residual, Activations, Collective };
constexpr size_t kBufferKindCount = 6;

// A value in one memory space with its padded size, for as long as it has its place. Values that share a place in HBM
// (in-place ops, loops) follow each other without a gap, so that the buffers alive at a position add up to the bytes in
// use. Parameters, constants and outputs are one buffer each with all values that share it.
struct Buffer {
    BufferName name;
    BufferKind kind = BufferKind::Activations;
    int64_t space = 0; // S(n)
    int64_t bytes = 0; // with tile padding
    int64_t begin = 0; // positions in LiveRangeReport::sequence, inclusive
    int64_t end = 0; // the number of positions for what outlives the program
    bool isStatic = false; // parameter, constant or output: held for the whole program
    std::vector<size_t> values; // indices into LiveRangeReport::ranges, by begin
};

// Bytes in use in one memory space at every position of the flattened schedule.
struct MemorySpace {
    int64_t space = 0;
    std::vector<size_t> buffers; // indices into MemoryReport::buffers
    std::vector<int64_t> curve; // bytes, by position
    int64_t staticBytes = 0; // part of every point of the curve
    int64_t peakBytes = 0;
    int64_t peakPosition = 0; // the first of the highest
    std::vector<size_t> liveAtPeak; // indices into MemoryReport::buffers, largest first
};

// Memory over the schedule of a module. XLA's own account of logical bytes is `liveRanges`; `spaces` counts padded
// bytes per memory space; `totalPeakBytes` estimates `memory_analysis().peak_memory_in_bytes`: what is static in all
// spaces and the highest need for temporaries of any one space.
//
// Without a BufferAssignment this is an estimate. It shares buffers where XLA must (loops, branches, donation, in-place
// ops) and where `aliasing_operands` in backend_config says that it did. Tuple tables count for the outputs only, in
// units of 512 bytes.
struct MemoryReport {
    LiveRangeReport liveRanges;
    std::vector<Buffer> buffers; // largest first, then by name as XLA lists them
    std::vector<MemorySpace> spaces; // HBM (0) first, then by number
    int64_t totalPeakBytes = 0;
    bool isScheduled = true; // false: the module has no schedule, program order stands in for it

    // Buffers alive at a position of one space, largest first.
    std::vector<size_t> liveAt(const MemorySpace& space, int64_t position) const;
};

// Errors: a cyclic call graph, a module without an entry or too large to follow, cancel.
Expected<MemoryReport> analyseMemory(const HloModule& module, Progress* progress = nullptr);

} // namespace hloscope
