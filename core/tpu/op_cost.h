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

// Cost of one execution of one instruction.
struct OpCost {
    XlaCost xla;
    double hbmReadBytes = 0;
    double hbmWriteBytes = 0;
    double vmemReadBytes = 0;
    double vmemWriteBytes = 0;
    double iciBytes = 0; // bytes that one device sends

    // Times of the units, picoseconds; the model's time is their maximum plus fixed costs.
    double mxuPs = 0;
    double vpuPs = 0;
    double hbmPs = 0;
    double vmemPs = 0;
    double iciPs = 0;
    std::optional<double> modelPs; // nothing where the model knows nothing
    std::optional<int64_t> compilerCycles; // libtpu's estimate
    std::optional<double> compilerPs;
    BoundBy boundBy = BoundBy::None;
};

// Costs of all instructions of a module on one chip.
struct ModuleCost {
    const ChipSpec* chip = nullptr;
    std::vector<OpCost> ops; // by InstructionId
    std::vector<double> occurrences; // by ComputationId: how often it runs in one run of the entry; 0 for fused bodies
    XlaCost total; // as XLA sums it: while bodies once, unpriced calls left out
    int64_t unpricedOps = 0;
    int64_t unknownOps = 0; // entry-level ops without a model time
    double modelPs = 0; // with trip counts
    double compilerPs = 0; // ops that have an estimate, with trip counts

    const OpCost& of(InstructionId id) const { return ops[id.index()]; }
};

ModuleCost analyseCost(const HloModule& module, const ChipSpec& chip, Progress* progress = nullptr);

// How often a while loop runs: known_trip_count, else from its condition, initial value and step. Nothing when that
// cannot be told.
std::optional<int64_t> tripCount(const HloModule& module, InstructionId whileOp);

} // namespace hloscope
