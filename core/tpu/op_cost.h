// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hlo/hlo_module.h"
#include "core/support/progress.h"
#include "core/tpu/chip_spec.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace hloscope {

enum class BoundBy : uint8_t { Mxu, Vpu, Hbm, Vmem, Ici, Dcn, Host, Latency, None, Unknown };
// "mxu", "hbm", ...: the words of the JSON output.
std::string_view boundByName(BoundBy bound);

// What XLA's cost analysis counts for one instruction.
struct XlaCost {
    double flops = 0;
    double transcendentals = 0;
    double bytesAccessed = 0;
    double optimalSeconds = 0;
    bool isUnpriced = false; // a custom call that XLA cannot price; its -1 is left out of all sums
};

// Cost of one execution of one instruction. Ops of fused computations and of reducers have only `xla`: their time is
// that of the op around them.
//
// The model's time is in the compiler's currency, so that it can be held against its estimates: bandwidths and
// latencies are those that libtpu counts on, cycles last 1 / clockHz of the chip table. A start op has the time of its
// transfer, its done op none. While, call and conditional have no time of their own; their computations do.
struct OpCost {
    XlaCost xla;
    double hbmReadBytes = 0; // padded sizes, slices where only slices are read
    double hbmWriteBytes = 0;
    double vmemReadBytes = 0; // v4: CMEM too
    double vmemWriteBytes = 0;
    double iciBytes = 0; // bytes that one device sends

    // Times of the units, picoseconds. They overlap: the model's time is their maximum plus what cannot be hidden.
    double mxuPs = 0;
    double vpuPs = 0;
    double hbmPs = 0; // latencies of the transfers included
    double vmemPs = 0;
    double iciPs = 0; // latencies of the hops included
    double latencyPs = 0; // share of hbmPs or iciPs that is waiting
    std::optional<double> modelPs; // nothing where the model knows nothing
    std::optional<int64_t> compilerCycles; // libtpu's estimate
    std::optional<double> compilerPs;
    BoundBy boundBy = BoundBy::None;
};

// Costs of all instructions of a module on one chip. Linear in the module.
struct ModuleCost {
    const ChipSpec* chip = nullptr;
    std::vector<OpCost> ops; // by InstructionId
    // By ComputationId: how often it runs in one run of the entry. Loops multiply (a loop whose count cannot be told
    // counts once), each branch of a conditional counts like the conditional itself. 0 for what runs inside another op:
    // bodies of fusions and reductions, and computations behind an async-start.
    std::vector<double> occurrences;
    XlaCost total; // as XLA sums it: while bodies once, unpriced calls left out
    int64_t unpricedOps = 0; // calls for which XLA has taken off a second each
    int64_t unknownOps = 0; // ops that run and have no model time, loops without a count among them
    // Time of the core with trip counts and the most expensive branch of each conditional. Transfers of async pairs run
    // beside it and are not in it.
    double modelPs = 0;
    double compilerPs = 0; // the same of the ops that have an estimate
    size_t cyclicCalls = 0; // calls that lead back to their caller, which are not followed

    const OpCost& of(InstructionId id) const { return ops[id.index()]; }
};

// When cancelled, what is not reached yet keeps empty costs.
ModuleCost analyseCost(const HloModule& module, const ChipSpec& chip, Progress* progress = nullptr);

// How often a while loop runs: known_trip_count, else from its condition, initial value and step. Nothing when that
// cannot be told.
std::optional<int64_t> tripCount(const HloModule& module, InstructionId whileOp);

} // namespace hloscope
