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

enum class Timing : uint8_t { Best, Model, Hardware, Compiler };

struct ScopeTime {
    std::string scope; // "layer_0/mlp/up", from op_name
    int64_t selfPs = 0;
    int64_t totalPs = 0; // with the scopes below it
};

// One run of a scheduled module on one device. The trace has one plane per device with the lines "XLA Modules",
// "Name scopes", "XLA Ops", "Async XLA Ops" and "Collectives", and counters for HBM in use, MXU rate and HBM bandwidth.
struct Simulation {
    std::shared_ptr<const Trace> trace;
    int64_t totalPs = 0;
    int64_t peakHbmBytes = 0;
    std::optional<double> mfu; // model flops / (time x peak)
    std::vector<ScopeTime> scopes;
    int64_t opsWithoutTime = 0; // the total is at least `totalPs` when not 0
    std::vector<EventId> eventOf; // by InstructionId: first event on XLA Ops, invalid when it has none
};

struct SimulationOptions {
    Timing timing = Timing::Best;
    int64_t maxEvents = 2'000'000; // loops beyond this are cut, and the trace's problems say so
};

// `cost` belongs to the same module; `memory` may be null (no HBM counter then).
Expected<Simulation> simulate(std::shared_ptr<const HloModule> module, const ModuleCost& cost,
                              const MemoryReport* memory, const SimulationOptions& options = {},
                              Progress* progress = nullptr);

} // namespace hloscope
