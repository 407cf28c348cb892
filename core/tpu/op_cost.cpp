// SPDX-License-Identifier: Apache-2.0
#include "core/tpu/op_cost.h"

#include "core/tpu/call_graph.h"
#include "core/tpu/op_pricing.h"
#include "core/tpu/xla_cost.h"

#include <algorithm>
#include <unordered_map>

namespace hloscope {

std::string_view boundByName(BoundBy bound)
{
    switch (bound) {
    case BoundBy::Mxu:
        return "mxu";
    case BoundBy::Vpu:
        return "vpu";
    case BoundBy::Hbm:
        return "hbm";
    case BoundBy::Vmem:
        return "vmem";
    case BoundBy::Ici:
        return "ici";
    case BoundBy::Dcn:
        return "dcn";
    case BoundBy::Host:
        return "host";
    case BoundBy::Latency:
        return "latency";
    case BoundBy::None:
        return "none";
    case BoundBy::Unknown:
        break;
    }
    return "unknown";
}

namespace {

constexpr double kMaxOccurrences = 1e18; // nested loops of a hostile file multiply
constexpr uint32_t kPollInterval = 256; // instructions between two looks at the progress

class CostAnalysis {
public:
    CostAnalysis(const HloModule& module, const ChipSpec& chip, Progress* progress)
        : m_module(module), m_order(callOrder(module)), m_pricing(module, chip), m_progress(progress)
    {
        m_cost.chip = &chip;
        m_cost.ops.resize(module.instructions.size());
        m_cost.occurrences.assign(module.computations.size(), 0);
        m_cost.cyclicCalls = m_order.cyclicCalls;
    }

    ModuleCost run(const ChipSpec& chip)
    {
        if (!m_module.entry.isValid())
            return std::move(m_cost);
        takeXlaCosts(chip);
        findRunning();
        if (priceAll())
            sum();
        return std::move(m_cost);
    }

private:
    // How a computation comes to run: on the core, or beside it behind an async-start.
    enum class Lane : uint8_t { None, Beside, Core };
    struct Times {
        double model = 0;
        double compiler = 0;
    };

    void takeXlaCosts(const ChipSpec& chip);
    void findRunning();
    void spread(InstructionId id);
    void mark(InstructionId caller, ComputationId callee, double occurrences, Lane lane);
    bool priceAll();
    void sum();
    Times timesOf(ComputationId id) const;
    Times calledTimes(InstructionId id) const;
    bool isCounted(InstructionId id) const;
    std::optional<int64_t> trips(InstructionId id) const;

    const HloModule& m_module;
    CallOrder m_order;
    OpPricing m_pricing;
    Progress* m_progress;
    ModuleCost m_cost;
    mutable std::unordered_map<uint32_t, std::optional<int64_t>> m_trips; // by InstructionId
    std::vector<Lane> m_lanes; // by ComputationId
    std::vector<Times> m_times; // by ComputationId, of one run
};

std::optional<int64_t> CostAnalysis::trips(InstructionId id) const
{
    const auto key = static_cast<uint32_t>(id.index());
    const auto known = m_trips.find(key);
    return known != m_trips.end() ? known->second : m_trips.emplace(key, tripCount(m_module, id)).first->second;
}

void CostAnalysis::takeXlaCosts(const ChipSpec& chip)
{
    const XlaCostAnalysis analysis(m_module, chip, m_order);
    for (size_t i = 0; i < m_cost.ops.size(); ++i)
        m_cost.ops[i].xla = analysis.of(InstructionId(i));
    m_cost.total = analysis.of(m_module.entry);
}

void CostAnalysis::mark(InstructionId caller, ComputationId callee, double occurrences, Lane lane)
{
    if (!m_order.isForward(m_module.instruction(caller).computation, callee))
        return;
    double& known = m_cost.occurrences[callee.index()];
    if (lane == Lane::Core)
        known = std::min(known + occurrences, kMaxOccurrences);
    m_lanes[callee.index()] = std::max(m_lanes[callee.index()], lane);
}

void CostAnalysis::spread(InstructionId id)
{
    const HloInstruction& instruction = m_module.instruction(id);
    const Lane lane = m_lanes[instruction.computation.index()];
    const double occurrences = m_cost.occurrences[instruction.computation.index()];
    switch (instruction.opcode) {
    case Opcode::While:
        if (const auto loop = whileComputations(m_module, id)) {
            const auto count = static_cast<double>(trips(id).value_or(1));
            mark(id, loop->body, occurrences * count, lane);
            mark(id, loop->condition, occurrences * (count + 1), lane);
        }
        break;
    case Opcode::Call:
    case Opcode::Conditional:
        for (ComputationId callee : m_module.called(id))
            mark(id, callee, occurrences, lane);
        break;
    case Opcode::AsyncStart:
        for (ComputationId callee : m_module.called(id))
            mark(id, callee, 0, Lane::Beside);
        break;
    default:
        break;
    }
}

// Callers before callees, so that a computation is complete when it hands its count on.
void CostAnalysis::findRunning()
{
    m_lanes.assign(m_module.computations.size(), Lane::None);
    m_lanes[m_module.entry.index()] = Lane::Core;
    m_cost.occurrences[m_module.entry.index()] = 1;
    for (auto id = m_order.calleesFirst.rbegin(); id != m_order.calleesFirst.rend(); ++id) {
        if (m_lanes[id->index()] == Lane::None)
            continue;
        const IndexRange range = m_module.computation(*id).instructions;
        for (uint32_t i = range.begin; i < range.end(); ++i)
            spread(InstructionId(i));
    }
}

// False when cancelled.
bool CostAnalysis::priceAll()
{
    for (size_t i = 0; i < m_cost.ops.size(); ++i) {
        if (m_progress && i % kPollInterval == 0) {
            m_progress->report(Progress::Phase::Analysing,
                               static_cast<double>(i) / static_cast<double>(m_cost.ops.size()));
            if (m_progress->isCancelled())
                return false;
        }
        const InstructionId id(i);
        if (m_lanes[m_module.instruction(id).computation.index()] != Lane::None)
            m_pricing.price(id, m_cost.ops[i]);
    }
    return true;
}

// Transfers of async pairs run beside the core.
bool CostAnalysis::isCounted(InstructionId id) const
{
    switch (m_module.instruction(id).opcode) {
    case Opcode::AllGatherStart:
    case Opcode::AllReduceStart:
    case Opcode::AsyncStart:
    case Opcode::CollectivePermuteStart:
    case Opcode::CopyStart:
        return false;
    default:
        return true;
    }
}

CostAnalysis::Times CostAnalysis::calledTimes(InstructionId id) const
{
    Times times;
    const ComputationId caller = m_module.instruction(id).computation;
    const auto add = [&](ComputationId callee, double runs) {
        if (!m_order.isForward(caller, callee))
            return;
        times.model += m_times[callee.index()].model * runs;
        times.compiler += m_times[callee.index()].compiler * runs;
    };
    switch (m_module.instruction(id).opcode) {
    case Opcode::While:
        if (const auto loop = whileComputations(m_module, id)) {
            const auto count = static_cast<double>(trips(id).value_or(1));
            add(loop->body, count);
            add(loop->condition, count + 1);
        }
        break;
    case Opcode::Call:
    case Opcode::AsyncStart:
        for (ComputationId callee : m_module.called(id))
            add(callee, 1);
        break;
    case Opcode::Conditional:
        for (ComputationId callee : m_module.called(id)) {
            if (!m_order.isForward(caller, callee))
                continue;
            times.model = std::max(times.model, m_times[callee.index()].model);
            times.compiler = std::max(times.compiler, m_times[callee.index()].compiler);
        }
        break;
    default:
        break;
    }
    return times;
}

CostAnalysis::Times CostAnalysis::timesOf(ComputationId id) const
{
    Times times;
    const IndexRange range = m_module.computation(id).instructions;
    for (uint32_t i = range.begin; i < range.end(); ++i) {
        const InstructionId instruction(i);
        if (!isCounted(instruction))
            continue;
        const Times called = calledTimes(instruction);
        times.model += m_cost.ops[i].modelPs.value_or(0) + called.model;
        times.compiler += m_cost.ops[i].compilerPs.value_or(0) + called.compiler;
    }
    return times;
}

void CostAnalysis::sum()
{
    m_times.resize(m_module.computations.size());
    for (ComputationId id : m_order.calleesFirst) {
        if (m_lanes[id.index()] == Lane::None)
            continue;
        const IndexRange range = m_module.computation(id).instructions;
        for (uint32_t i = range.begin; i < range.end(); ++i) {
            OpCost& cost = m_cost.ops[i];
            const HloInstruction& instruction = m_module.instructions[i];
            // An async computation of several ops takes as long as they do together.
            if (instruction.opcode == Opcode::AsyncStart && !cost.modelPs
                && !m_module.called(InstructionId(i)).empty()) {
                const double time = calledTimes(InstructionId(i)).model;
                if (time > 0)
                    cost.modelPs = time;
            }
            if (instruction.opcode == Opcode::While && !trips(InstructionId(i))) {
                cost.modelPs.reset();
                cost.boundBy = BoundBy::Unknown;
            }
            // The second that XLA takes off for an unpriced call does not get through an async-start.
            const bool isOnCore = m_lanes[id.index()] == Lane::Core;
            m_cost.unpricedOps += isOnCore && cost.xla.isUnpriced;
            m_cost.unknownOps += isOnCore && !cost.modelPs;
        }
        m_times[id.index()] = timesOf(id);
    }
    m_cost.modelPs = m_times[m_module.entry.index()].model;
    m_cost.compilerPs = m_times[m_module.entry.index()].compiler;
}

} // namespace

ModuleCost analyseCost(const HloModule& module, const ChipSpec& chip, Progress* progress)
{
    return CostAnalysis(module, chip, progress).run(chip);
}

} // namespace hloscope
