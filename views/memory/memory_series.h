// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/memory/memory_report.h"
#include "core/trace/trace.h"

#include <array>
#include <cstdint>
#include <vector>

namespace hloscope {

// Bytes of each kind at one position.
using MemoryStack = std::array<int64_t, kBufferKindCount>;

int64_t sumOf(const MemoryStack& stack);

// Memory in use by kind, as a step function over positions of the schedule.
struct MemorySeries {
    std::vector<MemoryStack> stacks; // by position
    std::vector<double> x; // where each position begins, one more than positions: its number, or picoseconds

    double xBegin() const { return x.empty() ? 0 : x.front(); }
    double xEnd() const { return x.empty() ? 0 : x.back(); }
    // The position whose step holds x, clamped to the ends; 0 when empty.
    int64_t positionAt(double value) const;
};

// What the buffers of one space add up to. O(buffers + positions).
MemorySeries memorySeries(const MemoryReport& report, const MemorySpace& space);
// Moves the positions to the time at which their instruction begins in a simulated trace; positions without an event
// (parameters, bitcasts) take no time. `eventOf` is Simulation::eventOf.
void placeInTime(MemorySeries& series, const MemoryReport& report, const Trace& trace,
                 const std::vector<EventId>& eventOf);

// A stretch of the chart with one height.
struct MemoryStep {
    double begin = 0;
    double end = 0;
    MemoryStack stack{};
};

// At most `columns` steps for the whole series: where several positions fall into one column, the one with the most
// bytes stands for all, so that no peak is lost. Neighbours with equal stacks are joined.
std::vector<MemoryStep> reduceToColumns(const MemorySeries& series, int columns);

} // namespace hloscope
