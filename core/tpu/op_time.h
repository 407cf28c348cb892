// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hlo/attributes.h"
#include "core/hlo/hlo_module.h"
#include "core/tpu/op_traffic.h"
#include "core/tpu/timing_constants.h"
#include "core/tpu/vector_work.h"

#include <vector>

namespace hloscope {

// Cycles of one execution of an op on the core, and the parts behind them. The parts overlap, so they do not add up.
struct OpCycles {
    double total = 0;
    double mxu = 0;
    double vector = 0;
    double hbm = 0; // stream through HBM, latencies included
    double vmem = 0;
    double latency = 0; // share of `hbm` that is waiting
};

// How libtpu cuts an op: from window_config of its backend_config. Bounds count registers of (8, 128) in the last two
// entries and single elements in front of them.
struct Windows {
    explicit Windows(const TpuBackendConfig& config);

    bool isKnown = false; // false: no window_config, as before code generation
    double iterations = 1;
    double outputRegisters = 0; // of one window, 0 when unknown
    double outputLanes = 0; // last entry of the output window
    double contractionSteps = 1; // of a matrix op
    const TpuBackendConfig& config;

    // Bytes of a window of that array, or nothing when the bound is unknown.
    static std::optional<double> bytes(const std::vector<int64_t>& bound, const Shape& array);
};

// Convolutions and dots, alone or inside a fusion with what is fused to them (facts: the window model of libtpu's cost
// estimates). Windows of inputs and outputs stream beside the matrix unit, double buffered; the first window in and the
// last one out are exposed. Nothing when the op holds no matrix product.
std::optional<OpCycles> matmulCycles(const HloModule& module, InstructionId id, const OpTraffic& traffic,
                                     const Windows& windows, const TimingConstants& constants);

// Everything else that runs on the vector unit: elementwise ops, reductions, copies, slices. libtpu prices such a loop
// without overlap of reading, writing and latency; only the arithmetic of the last window shows.
OpCycles loopCycles(const HloModule& module, InstructionId id, const OpTraffic& traffic, const Windows& windows,
                    const TimingConstants& constants);

// How often a result goes over the bus: libtpu reads, merges and writes tiles of narrow types, unless the result lies
// over an operand.
double writePasses(const ArrayWrite& write, const TimingConstants& constants);

} // namespace hloscope
