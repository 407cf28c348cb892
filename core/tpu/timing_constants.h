// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hlo/shape.h"
#include "core/tpu/chip_spec.h"

#include <cstdint>

namespace hloscope {

// What the model of an op's time knows about a chip beside the chip table: how libtpu's compiler prices windows, vector
// work and the matrix unit. Everything is in cycles of `clockHz`, bytes, or registers of 8 x 128 elements.
//
// Where the figures come from: small programs that isolate one cost each, compiled by libtpu 0.0.52 and compared with
// the cycles it estimates (v5e and v6e: probes; the other chips: the one-op programs of the same kind). None is fitted
// to a large program. They describe the compiler's view, not a measurement.
struct TimingConstants {
    double clockHz = 0; // of the cycles below
    // How long a model cycle lasts: the compiler's cycle is spread over the chip table's clock, so that the model's
    // times and `estimated_cycles / clock` can be compared.
    double picosecondsPerCycle = 0;

    double hbmBytesPerCycle = 0; // what the compiler counts on, below the published peak on most chips
    double latencyCycles = 0; // of one DMA, paid for each window of a loop
    double windowCycles = 16; // control of one window
    double cmemBytesPerCycle = 0; // v4: CMEM while lanes are exchanged; 0 on chips without CMEM

    int mxus = 1;
    int mxuSize = 128;
    double weightTileCycles = 0; // least time between two tiles of weights, all arrays together
    double matmulFixedCycles = 107; // start and end of a matrix op that uses HBM
    double accumulateCycles = 1.1; // per output register and step over K: partial sums read and written
    double highestPrecisionPasses = 6; // f32 with precision "highest" is made of so many bf16 products
    bool hasFastInt8 = false; // twice the bf16 rate
    bool hasFastE5m2 = false;
    bool hasFastE4m3 = false;

    double slotCycles = 0.25; // one vector instruction on one register
    bool isVectorBound = false; // one slot a cycle: arithmetic can take longer than the transfers of its window
    double laneBroadcastCycles = 8; // per row of registers
    bool hasFreeVmem = false; // VMEM operands are priced by register; else as if they came from HBM
    double vmemOutputCycles = 0.5; // per 2 KiB of a matrix result kept in VMEM, where hasFreeVmem

    bool mergesInPlace = false; // narrow results are merged even where they lie over an operand

    int transposeLatencies = 1; // more DMA latencies per window when a copy exchanges lanes and sublanes, HBM to HBM
    double transposeWindowCycles = 81;
    double transposeRegisterCycles = 0;
    double retileCycles32 = 4.9; // per register when a copy changes the order of the dimensions and the tile
    double retileCycles16 = 3.0;

    // Relative rate of the matrix unit: 2 for the fast narrow types, 1 for bf16 and what is converted to it.
    double matmulRate(PrimitiveType type) const;
    double matmulFlopsPerCycle() const; // bf16
};

TimingConstants timingConstants(const ChipSpec& chip);

} // namespace hloscope
