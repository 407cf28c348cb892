// SPDX-License-Identifier: Apache-2.0
#include "core/memory/liveness.h"

#include "core/memory/saturating.h"
#include "core/tiling/physical_layout.h"

#include <algorithm>
#include <tuple>

namespace hloscope {

Expected<Liveness> Liveness::compute(const HloModule& module, Progress* progress)
{
    if (std::optional<Diagnostic> problem = checkCallGraph(module))
        return *std::move(problem);
    ModuleShapes shapes(module);
    const AsyncChains chains(module);
    FlattenedSchedule schedule = flattenSchedule(module, chains);
    Expected<Dataflow> dataflow = Dataflow::run(module, shapes, chains, progress);
    if (!dataflow)
        return dataflow.error();
    BufferSets sets(module, shapes, *dataflow);
    Liveness liveness(module, std::move(shapes), std::move(schedule), *std::move(dataflow), std::move(sets));
    liveness.collectDonated();
    liveness.computeRawRanges(chains);
    liveness.makeSetsDisjoint();
    return liveness;
}

Liveness::Liveness(const HloModule& module, ModuleShapes shapes, FlattenedSchedule schedule, Dataflow dataflow,
                   BufferSets sets)
    : m_module(&module)
    , m_shapes(std::move(shapes))
    , m_schedule(std::move(schedule))
    , m_dataflow(std::move(dataflow))
    , m_sets(std::move(sets))
    , m_ranges(m_dataflow.values().size())
{
}

const Shape& Liveness::shapeOf(ValueId value) const
{
    const Dataflow::Value& v = m_dataflow.values()[value];
    return *m_shapes.slots(v.instruction)[v.slot].shape;
}

bool Liveness::isEntryParameter(ValueId value) const
{
    const HloInstruction& creator = m_module->instruction(m_dataflow.values()[value].instruction);
    return creator.opcode == Opcode::Parameter && creator.computation == m_module->entry;
}

// The operand of a while is used where the body takes it over; a call uses nothing itself. -1 for no position.
int64_t Liveness::positionOfUse(InstructionId user) const
{
    switch (m_module->instruction(user).opcode) {
    case Opcode::Call:
        return -1;
    case Opcode::While: {
        const ComputationId body = whileParts(*m_module, user).body;
        if (!body.isValid())
            return m_schedule.position(user);
        const std::vector<InstructionId> parameters = m_module->parameters(body);
        return parameters.empty() || !parameters.front().isValid() ? m_schedule.position(user)
                                                                   : m_schedule.position(parameters.front());
    }
    default:
        return m_schedule.position(user);
    }
}

// For every instruction the position of its last user: of those that read the top of its result, and of those that read
// the elements inside too. Tuples read neither, get-tuple-element and copy only the top.
void Liveness::collectLastUses(std::vector<int64_t>& ofTop, std::vector<int64_t>& ofElements) const
{
    ofTop.assign(m_module->instructions.size(), -1);
    ofElements.assign(m_module->instructions.size(), -1);
    for (const InstructionId user : m_dataflow.instructions()) {
        const Opcode opcode = m_module->instruction(user).opcode;
        if (opcode == Opcode::Tuple || opcode == Opcode::Domain)
            continue;
        const int64_t position = positionOfUse(user);
        const bool readsElements = opcode != Opcode::GetTupleElement && opcode != Opcode::Copy;
        for (const InstructionId operand : m_module->operands(user)) {
            if (!operand.isValid())
                continue;
            ofTop[operand.index()] = std::max(ofTop[operand.index()], position);
            if (readsElements)
                ofElements[operand.index()] = std::max(ofElements[operand.index()], position);
        }
    }
}

void Liveness::computeRawRanges(const AsyncChains& chains)
{
    std::vector<int64_t> lastUseOfTop;
    std::vector<int64_t> lastUseOfElements;
    collectLastUses(lastUseOfTop, lastUseOfElements);
    for (ValueId value = 0; value < m_ranges.size(); ++value) {
        if (m_dataflow.values()[value].isLive && m_schedule.position(m_dataflow.values()[value].instruction) >= 0)
            m_ranges[value] = rawRange(value, chains, lastUseOfTop, lastUseOfElements);
    }
}

Liveness::Range Liveness::rawRange(ValueId value, const AsyncChains& chains, const std::vector<int64_t>& lastUseOfTop,
                                   const std::vector<int64_t>& lastUseOfElements) const
{
    const InstructionId id = m_dataflow.values()[value].instruction;
    const HloInstruction& creator = m_module->instruction(id);
    const FlattenedSchedule::Span span = m_schedule.spanOf[creator.computation.index()];
    Range range;
    range.begin = creator.opcode == Opcode::Parameter ? span.begin : m_schedule.position(id);
    if (isEntryParameter(value) && !isDonated(value)) {
        range.end = m_schedule.end();
        return range;
    }
    range.end = m_schedule.position(id);
    for (const Dataflow::Position& place : m_dataflow.positionsOf(value)) {
        const HloInstruction& holder = m_module->instruction(place.instruction);
        const int64_t position = m_schedule.position(place.instruction);
        if (position >= 0) {
            const bool isRoot = m_module->computation(holder.computation).root == place.instruction;
            range.end = std::max(range.end, isRoot ? m_schedule.spanOf[holder.computation.index()].end : position);
        }
        const auto& lastUse = place.slot == 0 ? lastUseOfTop : lastUseOfElements;
        range.end = std::max(range.end, lastUse[place.instruction.index()]);
    }
    const InstructionId asyncStart = m_schedule.asyncStartOf[creator.computation.index()];
    if (const AsyncChains::Chain* chain = asyncStart.isValid() ? chains.of(asyncStart) : nullptr) {
        range.begin = std::max(range.begin, m_schedule.position(asyncStart));
        range.end = std::max(range.end, m_schedule.position(chain->ops.back()));
    }
    return range;
}

bool Liveness::isDonated(ValueId value) const
{
    return std::ranges::binary_search(m_donated, value);
}

void Liveness::collectDonated()
{
    const std::vector<InstructionId> parameters = m_module->parameters(m_module->entry);
    for (const InputOutputAlias& alias : m_module->inputOutputAliases) {
        if (alias.parameter < 0 || static_cast<size_t>(alias.parameter) >= parameters.size())
            continue;
        const InstructionId parameter = parameters[static_cast<size_t>(alias.parameter)];
        if (!parameter.isValid())
            continue;
        const int64_t slot = m_shapes.slotOf(m_module->instruction(parameter).shape, alias.parameterIndex);
        const int64_t value = slot >= 0 ? m_dataflow.valueAt(parameter, static_cast<uint32_t>(slot)) : -1;
        if (value >= 0)
            m_donated.push_back(static_cast<ValueId>(value));
    }
    std::ranges::sort(m_donated);
}

// Values in one buffer follow each other: each ends at the latest where the next one begins, and lasts at least as long
// as the one before.
void Liveness::makeSetsDisjoint()
{
    struct Entry {
        ValueId set;
        ValueId value;
    };
    std::vector<Entry> order;
    for (ValueId value = 0; value < m_ranges.size(); ++value) {
        if (m_ranges[value].isKnown())
            order.push_back({m_sets.find(value), value});
    }
    std::ranges::sort(order, [this](const Entry& a, const Entry& b) {
        const Range& x = m_ranges[a.value];
        const Range& y = m_ranges[b.value];
        return std::tie(a.set, x.begin, x.end, a.value) < std::tie(b.set, y.begin, y.end, b.value);
    });
    for (size_t i = 1; i < order.size(); ++i) {
        if (order[i - 1].set != order[i].set)
            continue;
        Range& before = m_ranges[order[i - 1].value];
        Range& after = m_ranges[order[i].value];
        after.end = std::max(before.end, after.end);
        before.end = std::min(before.end, after.begin);
    }
}

// XLA's clock: a value counts with the size of its creator's whole result (8 bytes an element for a tuple), and what
// ends at a position still counts when the next one begins.
int64_t Liveness::peakPosition() const
{
    std::vector<int64_t> begins(static_cast<size_t>(m_schedule.end()) + 2, 0);
    std::vector<int64_t> ends(begins.size(), 0);
    for (ValueId value = 0; value < m_ranges.size(); ++value) {
        const Range& range = m_ranges[value];
        if (!range.isKnown())
            continue;
        const int64_t bytes = unpaddedByteSize(m_module->shape(m_dataflow.values()[value].instruction));
        int64_t& begin = begins[static_cast<size_t>(range.begin)];
        int64_t& end = ends[static_cast<size_t>(range.end) + 1];
        begin = addSaturated(begin, bytes);
        end = addSaturated(end, bytes);
    }
    int64_t inUse = 0;
    int64_t best = 0;
    int64_t position = 0;
    for (size_t time = 0; time < begins.size(); ++time) {
        inUse = addSaturated(inUse, begins[time]);
        if (inUse > best) {
            best = inUse;
            position = static_cast<int64_t>(time);
        }
        inUse = addSaturated(inUse, -ends[time]);
    }
    return position;
}

LiveRangeReport Liveness::report() const
{
    LiveRangeReport report;
    report.sequence = m_schedule.sequence;
    report.peakPosition = peakPosition();
    for (ValueId value = 0; value < m_ranges.size(); ++value) {
        const Range& range = m_ranges[value];
        if (!range.isKnown())
            continue;
        const Dataflow::Value& v = m_dataflow.values()[value];
        LiveRange line;
        line.buffer = {v.instruction, m_shapes.indexOf(m_module->instruction(v.instruction).shape, v.slot)};
        line.begin = range.begin;
        line.end = range.end;
        line.bytes = unpaddedByteSize(shapeOf(value));
        if (line.begin <= report.peakPosition && report.peakPosition <= line.end) {
            report.live.push_back(report.ranges.size());
            report.peakBytes = addSaturated(report.peakBytes, line.bytes);
        }
        report.ranges.push_back(std::move(line));
    }
    std::ranges::sort(report.live, [&](size_t a, size_t b) {
        const LiveRange& x = report.ranges[a];
        const LiveRange& y = report.ranges[b];
        if (x.bytes != y.bytes)
            return x.bytes > y.bytes;
        const std::string_view nameX = m_module->instruction(x.buffer.instruction).name;
        const std::string_view nameY = m_module->instruction(y.buffer.instruction).name;
        return nameX != nameY ? nameX < nameY : x.buffer.index < y.buffer.index;
    });
    return report;
}

} // namespace hloscope
