// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hlo/hlo_module.h"
#include "core/support/expected.h"
#include "core/support/progress.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hloscope {

// A value that XLA's buffer analysis knows by its defining instruction and the tuple index inside its result.
struct BufferName {
    InstructionId instruction;
    std::vector<int64_t> index;

    bool operator==(const BufferName&) const = default;
};
// `fusion.3{}`, `while.2{0,1}`.
std::string toString(const HloModule& module, const BufferName& name);

// From the position that writes the value to the last that reads it, both inclusive.
struct LiveRange {
    BufferName buffer;
    int64_t begin = 0;
    int64_t end = 0;
    int64_t bytes = 0; // logical, without tile padding, as in live-range.txt
};

// XLA's HloLiveRange over the flattened schedule: the computations that while, conditional, call and async-start run
// are put just before the calling instruction. Equal to `live-range.txt` of an XLA dump.
struct LiveRangeReport {
    std::vector<InstructionId> sequence; // instruction at each position
    std::vector<LiveRange> ranges;
    int64_t peakPosition = 0;
    int64_t peakBytes = 0; // sum of `live`
    std::vector<size_t> live; // indices into ranges, largest first
};

// Errors: a module that is not scheduled, a cyclic call graph, cancel.
Expected<LiveRangeReport> computeLiveRanges(const HloModule& module, Progress* progress = nullptr);

} // namespace hloscope
