// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/memory/memory_report.h"
#include "core/support/expected.h"
#include "core/support/progress.h"
#include "core/tpu/op_cost.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hloscope {

// Best: the compiler's estimate where there is one, else the model's. Hardware: the model without the compiler's
// pessimism; the same as Model for now.
enum class Timing : uint8_t { Best, Model, Hardware, Compiler };

struct ScopeTime {
    std::string scope; // "layer_0/mlp/up", see name_scope.h; empty for what lies in no scope
    int64_t selfPs = 0;
    int64_t totalPs = 0; // with the scopes below it
};

// One run of a module on one device. The core takes the ops one after another in schedule order (program order where
// there is no schedule); transfers that start ops begin run beside it, and a done op holds the core until its transfer
// has ended.
//
// The trace has one plane with the lines "XLA Modules", "Name scopes" and "XLA Ops" and, where there is something on
// them, "Async XLA Ops" (transfers) and "Collectives" (what the links do: transfers over them, and synchronous
// collectives, which stand on "XLA Ops" too, since the core waits for them). While, conditional and call are events
// around what they run. Counters: "HBM in use", "MXU rate" (of matmul operations) and "HBM bandwidth". Its problems say
// what was assumed: branches taken, unknown trip counts, loops shown as one block.
struct Simulation {
    std::shared_ptr<const Trace> trace;
    int64_t totalPs = 0; // until the last unit is done
    int64_t peakHbmBytes = 0; // of the memory report
    std::optional<double> mfu; // operations of matmuls / (time x published bf16 peak)
    std::vector<ScopeTime> scopes; // time of the core by scope, parents before children, in order of appearance
    int64_t opsWithoutTime = 0; // instructions that run and have no known time: the total is at least `totalPs` then
    std::vector<EventId> eventOf; // by InstructionId: first event of an op line that shows it, invalid when it has none
};

struct SimulationOptions {
    Timing timing = Timing::Best;
    // Loops that do not fit are shown as one block each. Straight-line code is never cut.
    int64_t maxEvents = 2'000'000;
};

// `cost` and `memory` belong to the same module; `memory` may be null (no HBM counter then). Errors: a cyclic call
// graph, no entry computation, costs of another module, cancel.
Expected<Simulation> simulate(const std::shared_ptr<const HloModule>& module, const ModuleCost& cost,
                              const MemoryReport* memory, const SimulationOptions& options = {},
                              Progress* progress = nullptr);

} // namespace hloscope
