// SPDX-License-Identifier: Apache-2.0
#include "core/tpu/simulation.h"

#include "core/memory/control_flow.h"
#include "core/tpu/device_run.h"
#include "core/tpu/device_steps.h"
#include "core/tpu/simulated_trace.h"

namespace hloscope {

namespace {

constexpr double kPsPerSecond = 1e12;

Diagnostic problemOf(const HloModule& module, std::string message)
{
    return makeError(module.source ? module.source->path() : std::string(), std::move(message));
}

std::optional<double> flopsUtilisation(const DeviceRun& run, const ChipSpec& chip)
{
    const double seconds = static_cast<double>(run.totalPs()) / kPsPerSecond;
    if (!chip.bf16FlopsPerSecond.hasValue() || seconds <= 0)
        return std::nullopt;
    return run.matmulFlops() / (seconds * *chip.bf16FlopsPerSecond);
}

} // namespace

Expected<Simulation> simulate(const std::shared_ptr<const HloModule>& module, const ModuleCost& cost,
                              const MemoryReport* memory, const SimulationOptions& options, Progress* progress)
{
    if (!module->entry.isValid())
        return problemOf(*module, "the module has no entry computation");
    if (!cost.chip || cost.ops.size() != module->instructions.size())
        return problemOf(*module, "the costs belong to another module");
    if (std::optional<Diagnostic> problem = checkCallGraph(*module))
        return *std::move(problem);

    const AsyncChains chains(*module);
    DeviceSteps steps(*module, chains, cost, options.timing);
    DeviceRun run(*module, steps, options.maxEvents, progress);
    if (!run.run())
        return problemOf(*module, "cancelled");

    Problems problems = steps.problems();
    if (!module->isScheduled)
        problems.count("modules without a schedule, run in program order");
    SimulatedTrace trace(module, cost, memory, run, problems);
    Simulation result;
    result.trace = trace.build(progress);
    if (!result.trace)
        return problemOf(*module, "cancelled");
    result.totalPs = run.totalPs();
    result.peakHbmBytes = memory && !memory->spaces.empty() ? memory->spaces.front().peakBytes : 0;
    result.mfu = flopsUtilisation(run, *cost.chip);
    result.scopes = trace.scopeTimes();
    result.opsWithoutTime = steps.withoutTime();
    result.eventOf = firstEvents(*module, chains, *result.trace);
    return result;
}

} // namespace hloscope
