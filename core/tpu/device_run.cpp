// SPDX-License-Identifier: Apache-2.0
#include "core/tpu/device_run.h"

#include <algorithm>

namespace hloscope {

namespace {

constexpr uint64_t kPollInterval = 65536; // steps between two looks at the cancel flag

int64_t later(int64_t time, int64_t duration)
{
    return time > Trace::kMaxTime - duration ? Trace::kMaxTime : time + duration;
}

} // namespace

DeviceRun::DeviceRun(const HloModule& module, DeviceSteps& steps, int64_t maxEvents, Progress* progress)
    : m_module(module)
    , m_steps(steps)
    , m_maxEvents(static_cast<double>(maxEvents))
    , m_progress(progress)
    , m_transferEnd(module.instructions.size(), -1)
    , m_summaries(module.computations.size())
    , m_summaryRuns(module.computations.size(), 0)
    , m_corePs(module.instructions.size(), 0)
{
}

bool DeviceRun::run()
{
    runComputation(m_module.entry, m_maxEvents);
    spreadSummaries();
    return !m_isCancelled;
}

int64_t DeviceRun::totalPs() const
{
    return std::max(m_clock.now, *std::ranges::max_element(m_clock.laneFree));
}

// `budget`: events that this run may make. What its steps need when all containers are closed is taken off first, so
// that the same containers are closed in every iteration of a loop around them.
void DeviceRun::runComputation(ComputationId id, double budget)
{
    const std::vector<DeviceStep>& steps = m_steps.of(id);
    double spare = std::max(0.0, budget - m_steps.closedEvents(id));
    for (const DeviceStep& step : steps) {
        if (m_progress && ++m_stepCount % kPollInterval == 0 && m_progress->isCancelled())
            m_isCancelled = true;
        if (m_isCancelled)
            return;
        switch (step.placement.role) {
        case OpRole::Free:
            break;
        case OpRole::Run:
            occupyCore(step, DeviceEvent::Kind::Op, step.duration);
            break;
        case OpRole::RunCollective:
            occupyCore(step, DeviceEvent::Kind::Collective, step.duration);
            break;
        case OpRole::Start:
            m_transfers.push_back({step.id, step.placement.start, beginTransfer(m_clock, step), step.duration,
                                   DeviceEvent::Kind::Transfer, step.placement.lane});
            break;
        case OpRole::Done:
            if (const int64_t wait = stall(m_clock, step); wait > 0)
                occupyCore(step, DeviceEvent::Kind::Stall, wait);
            break;
        case OpRole::While:
        case OpRole::Conditional:
        case OpRole::Call: {
            const double before = eventCount();
            runContainer(step, spare);
            spare = std::max(0.0, spare - (eventCount() - before - 1));
            break;
        }
        }
    }
}

void DeviceRun::runContainer(const DeviceStep& step, double budget)
{
    double all = 0;
    double closed = 0;
    for (const ComputationId callee : step.callees) {
        all += m_steps.allEvents(callee);
        closed += m_steps.closedEvents(callee);
    }
    const double trips = static_cast<double>(step.trips);
    const bool fits = std::max(all, 1.0) * trips <= budget;
    const bool isCut = !fits && std::max(closed, 1.0) * trips > budget;
    const size_t event = m_coreEvents.size();
    const int64_t begin = m_clock.now;
    m_coreEvents.push_back(
        {step.id, step.id, begin, 0, isCut ? DeviceEvent::Kind::CutLoop : DeviceEvent::Kind::Container, Lane::Core});
    if (isCut)
        cut(step, event);
    else
        expand(step, budget / std::max(trips, 1.0));
    m_coreEvents[event].duration = m_clock.now - begin;
}

void DeviceRun::expand(const DeviceStep& step, double budgetPerTrip)
{
    const double share = budgetPerTrip / static_cast<double>(std::max<size_t>(step.callees.size(), 1));
    for (int64_t trip = 0; trip < step.trips && !m_isCancelled; ++trip) {
        for (const ComputationId callee : step.callees)
            runComputation(callee, share);
    }
    // The condition is looked at once more than the body runs.
    if (step.placement.role == OpRole::While && step.callees.size() > 1)
        runComputation(step.callees.front(), share);
}

void DeviceRun::cut(const DeviceStep& step, size_t event)
{
    const double trips = static_cast<double>(step.trips);
    CutWork work{event, 0, 0};
    double ps = 0;
    for (const ComputationId callee : step.callees) {
        const Summary& summary = summaryOf(callee);
        const bool isCondition = step.placement.role == OpRole::While && callee != step.callees.back();
        const double runs = isCondition ? trips + 1 : trips;
        ps += summary.ps * runs;
        work.matmulFlops += summary.matmulFlops * runs;
        work.hbmBytes += summary.hbmBytes * runs;
        m_summaryRuns[callee.index()] += runs;
    }
    m_clock.now = later(m_clock.now, static_cast<int64_t>(std::min(ps, static_cast<double>(Trace::kMaxTime))));
    m_matmulFlops += work.matmulFlops;
    m_cutWork.push_back(work);
    const std::string name(m_module.instruction(step.id).name);
    m_steps.note(step.id,
                 step.trips == 1
                     ? "what '" + name + "' runs is shown as one block"
                     : "the " + std::to_string(step.trips) + " iterations of '" + name + "' are shown as one block");
}

void DeviceRun::occupyCore(const DeviceStep& step, DeviceEvent::Kind kind, int64_t duration)
{
    m_coreEvents.push_back({step.id, step.id, m_clock.now, duration, kind, Lane::Core});
    m_corePs[step.id.index()] += static_cast<double>(duration);
    m_matmulFlops += step.matmulFlops;
    m_clock.now = later(m_clock.now, duration);
}

int64_t DeviceRun::beginTransfer(Clock& clock, const DeviceStep& step)
{
    int64_t& free = clock.laneFree[static_cast<size_t>(step.placement.lane)];
    const int64_t begin = std::max(clock.now, free);
    free = later(begin, step.duration);
    m_transferEnd[step.placement.start.index()] = free;
    return begin;
}

int64_t DeviceRun::stall(const Clock& clock, const DeviceStep& step) const
{
    return std::max<int64_t>(0, m_transferEnd[step.placement.start.index()] - clock.now);
}

const DeviceRun::Summary& DeviceRun::summaryOf(ComputationId id)
{
    std::optional<Summary>& known = m_summaries[id.index()];
    if (known)
        return *known;
    Summary summary;
    Clock clock;
    for (const DeviceStep& step : m_steps.of(id))
        addStep(summary, clock, step);
    summary.ps = static_cast<double>(clock.now);
    m_summaryOrder.push_back(id);
    known = std::move(summary);
    return *known;
}

// Inner containers move the clock like ops, so that transfers go on beside them.
void DeviceRun::addStep(Summary& summary, Clock& clock, const DeviceStep& step)
{
    switch (step.placement.role) {
    case OpRole::Start:
        beginTransfer(clock, step);
        summary.hbmBytes += step.hbmBytes;
        return;
    case OpRole::Run:
    case OpRole::RunCollective:
    case OpRole::Done: {
        const int64_t duration = step.placement.role == OpRole::Done ? stall(clock, step) : step.duration;
        clock.now = later(clock.now, duration);
        summary.opPs.emplace_back(step.id, static_cast<double>(duration));
        summary.matmulFlops += step.matmulFlops;
        summary.hbmBytes += step.hbmBytes;
        return;
    }
    default:
        break;
    }
    for (const ComputationId callee : step.callees) {
        const Summary& inner = summaryOf(callee);
        const bool isCondition = step.placement.role == OpRole::While && callee != step.callees.back();
        const double runs = static_cast<double>(step.trips) + (isCondition ? 1 : 0);
        const double ps = inner.ps * runs;
        summary.matmulFlops += inner.matmulFlops * runs;
        summary.hbmBytes += inner.hbmBytes * runs;
        summary.calls.emplace_back(callee, runs);
        clock.now = later(clock.now, static_cast<int64_t>(std::min(ps, static_cast<double>(Trace::kMaxTime))));
    }
}

// Gives every op inside cut containers its time.
void DeviceRun::spreadSummaries()
{
    for (auto id = m_summaryOrder.rbegin(); id != m_summaryOrder.rend(); ++id) {
        const double runs = m_summaryRuns[id->index()];
        const Summary& summary = *m_summaries[id->index()];
        for (const auto& [callee, times] : summary.calls)
            m_summaryRuns[callee.index()] += times * runs;
        for (const auto& [instruction, ps] : summary.opPs)
            m_corePs[instruction.index()] += ps * runs;
    }
}

} // namespace hloscope
