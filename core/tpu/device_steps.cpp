// SPDX-License-Identifier: Apache-2.0
#include "core/tpu/device_steps.h"

#include "core/hlo/op_category.h"

#include <algorithm>
#include <cmath>

namespace hloscope {

namespace {

int64_t toPicoseconds(double ps)
{
    if (!(ps > 0))
        return 0;
    return ps >= static_cast<double>(Trace::kMaxTime) ? Trace::kMaxTime : std::llround(ps);
}

std::optional<double> timeOf(const OpCost& cost, Timing timing)
{
    switch (timing) {
    case Timing::Best:
        return cost.compilerPs ? cost.compilerPs : cost.modelPs;
    case Timing::Compiler:
        return cost.compilerPs;
    case Timing::Model:
    case Timing::Hardware:
        return cost.modelPs;
    }
    return std::nullopt;
}

} // namespace

DeviceSteps::DeviceSteps(const HloModule& module, const AsyncChains& chains, const ModuleCost& cost, Timing timing)
    : m_module(module)
    , m_chains(chains)
    , m_cost(cost)
    , m_timing(timing)
    , m_steps(module.computations.size())
    , m_allEvents(module.computations.size(), -1)
{
}

void DeviceSteps::note(InstructionId id, std::string message)
{
    Diagnostic diagnostic = makeError(m_module.source ? m_module.source->path() : std::string(), std::move(message));
    diagnostic.severity = Severity::Warning;
    diagnostic.line = m_module.instruction(id).line;
    diagnostic.column = diagnostic.line > 0 ? 1 : 0;
    m_problems.add(std::move(diagnostic));
}

const std::vector<DeviceStep>& DeviceSteps::of(ComputationId id)
{
    std::optional<std::vector<DeviceStep>>& steps = m_steps[id.index()];
    if (steps)
        return *steps;
    steps.emplace();
    const IndexRange range = m_module.computation(id).instructions;
    for (uint32_t i = range.begin; i < range.end(); ++i) {
        if (std::optional<DeviceStep> step = makeStep(InstructionId(i)))
            steps->push_back(*std::move(step));
    }
    return *steps;
}

std::optional<DeviceStep> DeviceSteps::makeStep(InstructionId id)
{
    DeviceStep step;
    step.id = id;
    step.placement = placementOf(m_module, m_chains, id);
    switch (step.placement.role) {
    case OpRole::Free:
        return std::nullopt;
    case OpRole::Run:
    case OpRole::RunCollective:
        if (!setTime(step, id))
            return std::nullopt;
        break;
    case OpRole::Start:
        setTime(step, step.placement.start);
        break;
    case OpRole::Done:
        if (!step.placement.start.isValid()) {
            m_problems.count("done ops whose start is not in sight, which wait for nothing");
            return std::nullopt;
        }
        break;
    case OpRole::While:
        step.callees = runComputations(m_module, id);
        setTrips(step);
        break;
    case OpRole::Conditional:
        chooseBranch(step);
        break;
    case OpRole::Call:
        step.callees = runComputations(m_module, id);
        break;
    }
    return step;
}

// False for an op that takes no time: one that the model prices at nothing, whatever the compiler leaves out.
bool DeviceSteps::setTime(DeviceStep& step, InstructionId costed)
{
    const OpCost& cost = m_cost.of(costed);
    const std::optional<double> time = timeOf(cost, m_timing);
    const bool isNothing = cost.modelPs && *cost.modelPs <= 0;
    step.duration = toPicoseconds(time.value_or(0));
    if (step.duration == 0 && isNothing)
        return false;
    if (!time)
        ++m_withoutTime;
    if (categorize(m_module, costed) == OpCategory::Matmul)
        step.matmulFlops = cost.xla.flops;
    step.hbmBytes = cost.hbmReadBytes + cost.hbmWriteBytes;
    return true;
}

void DeviceSteps::setTrips(DeviceStep& step)
{
    const std::optional<int64_t> trips = tripCount(m_module, step.id);
    step.trips = trips ? std::max<int64_t>(0, *trips) : 1;
    if (!trips) {
        note(step.id,
             "nothing says how often the loop '" + std::string(m_module.instruction(step.id).name)
                 + "' runs, one iteration is shown");
    }
}

void DeviceSteps::chooseBranch(DeviceStep& step)
{
    step.callees = runComputations(m_module, step.id);
    if (step.callees.size() > 1) {
        note(step.id,
             "the first of " + std::to_string(step.callees.size()) + " branches of '"
                 + std::string(m_module.instruction(step.id).name) + "' is taken");
        step.callees.resize(1);
    }
}

double DeviceSteps::allEvents(ComputationId id)
{
    if (m_allEvents[id.index()] >= 0)
        return m_allEvents[id.index()];
    double events = 0;
    for (const DeviceStep& step : of(id)) {
        double inner = 0;
        for (const ComputationId callee : step.callees)
            inner += allEvents(callee);
        // An empty loop body still takes a turn, so that no loop is endless.
        events += 1 + std::max(inner, 1.0) * static_cast<double>(step.trips);
    }
    return m_allEvents[id.index()] = events;
}

} // namespace hloscope
