// SPDX-License-Identifier: Apache-2.0
#include "core/memory/dataflow_propagation.h"

#include "core/memory/post_order.h"

#include <algorithm>

namespace hloscope {

namespace {

constexpr uint32_t kLast = 1u << 31; // added to a priority
constexpr size_t kPollInterval = 4096; // updates between two looks at the cancel flag

// Opcodes whose result is their operand, at every index.
bool forwardsOperand(Opcode opcode)
{
    return opcode == Opcode::Bitcast || opcode == Opcode::OptBarrier || opcode == Opcode::Domain
        || opcode == Opcode::AddDependency || opcode == Opcode::AllReduceDone;
}

bool isAsync(Opcode opcode)
{
    return opcode == Opcode::AsyncStart || opcode == Opcode::AsyncUpdate || opcode == Opcode::AsyncDone;
}

Diagnostic problemOf(const HloModule& module, std::string message)
{
    return makeError(module.source ? module.source->path() : std::string(), std::move(message));
}

} // namespace

DataflowPropagation::DataflowPropagation(const HloModule& module, const ModuleShapes& shapes, const AsyncChains& chains,
                                         Dataflow& dataflow)
    : m_module(module)
    , m_shapes(shapes)
    , m_chains(chains)
    , m_dataflow(dataflow)
    , m_isStep(module.computations.size(), false)
    , m_callers(module.computations.size())
    , m_parameters(module.computations.size())
    , m_postOrder(module.computations.size())
    , m_priority(module.instructions.size(), UINT32_MAX)
    , m_isQueued(module.instructions.size(), false)
{
}

std::optional<Diagnostic> DataflowPropagation::run(Progress* progress)
{
    if (!m_module.entry.isValid())
        return problemOf(m_module, "the module has no entry computation");
    collectComputations(m_module.entry);
    for (size_t i = 0; i < m_isStep.size(); ++i) {
        if (!m_isStep[i])
            continue;
        m_postOrder[i] = postOrder(m_module, ComputationId(i));
        m_dataflow.m_instructions.insert(m_dataflow.m_instructions.end(), m_postOrder[i].begin(), m_postOrder[i].end());
    }
    if (!allocateSlots())
        return problemOf(m_module, "the tuples of this module have too many elements to follow");
    createValues();
    std::fill(m_isStep.begin(), m_isStep.end(), false);
    numberInstructions(m_module.entry);
    for (const InstructionId id : m_dataflow.m_instructions)
        enqueue(id);
    for (size_t updates = 0; !m_queue.empty(); ++updates) {
        if (progress && updates % kPollInterval == 0 && progress->isCancelled())
            return problemOf(m_module, "cancelled");
        const InstructionId id(m_queue.top().second);
        m_queue.pop();
        m_isQueued[id.index()] = false;
        m_visitedSlots += slotCount(id) + m_module.instruction(id).operands.count;
        if (m_visitedSlots > Dataflow::kMaxUpdates)
            return problemOf(m_module, "the values of this module's loops and calls take too long to follow");
        if (update(id))
            enqueueReaders(id);
    }
    return std::nullopt;
}

void DataflowPropagation::collectComputations(ComputationId id)
{
    m_isStep[id.index()] = true;
    const IndexRange range = m_module.computation(id).instructions;
    for (uint32_t i = range.begin; i < range.end(); ++i) {
        for (const ComputationId callee : runComputations(m_module, InstructionId(i))) {
            std::vector<InstructionId>& callers = m_callers[callee.index()];
            if (callers.empty() || callers.back() != InstructionId(i))
                callers.push_back(InstructionId(i));
            if (!m_isStep[callee.index()])
                collectComputations(callee);
        }
    }
}

// Callees are numbered before their callers. Parameters with several callers come after everything else: each of their
// updates looks at all callers, and one that changes should not set it off before the others have been seen.
void DataflowPropagation::numberInstructions(ComputationId id)
{
    m_isStep[id.index()] = true;
    for (const InstructionId instruction : m_postOrder[id.index()]) {
        for (const ComputationId callee : runComputations(m_module, instruction)) {
            if (!m_isStep[callee.index()])
                numberInstructions(callee);
        }
        const bool isShared =
            m_callers[id.index()].size() > 1 && m_module.instruction(instruction).opcode == Opcode::Parameter;
        m_priority[instruction.index()] = m_nextPriority++ + (isShared ? kLast : 0);
    }
}

bool DataflowPropagation::allocateSlots()
{
    size_t count = 0;
    for (const InstructionId id : m_dataflow.m_instructions) {
        m_dataflow.m_base[id.index()] = static_cast<uint32_t>(count);
        count += slotCount(id);
        if (count > Dataflow::kMaxSlots)
            return false;
    }
    m_dataflow.m_sets.assign(count, Dataflow::kNone);
    return true;
}

void DataflowPropagation::createValues()
{
    for (const InstructionId id : m_dataflow.m_instructions) {
        for (uint32_t slot = 0; slot < slotCount(id); ++slot) {
            if (createsValue(id, slot))
                m_dataflow.set(id, slot) = newValue(id, slot, false);
        }
    }
    m_phis.firstPhi = static_cast<ValueId>(m_dataflow.m_values.size());
}

ValueId DataflowPropagation::newValue(InstructionId id, uint32_t slot, bool isPhi)
{
    Dataflow::Value value;
    value.instruction = id;
    value.slot = slot;
    value.isPhi = isPhi;
    m_dataflow.m_values.push_back(value);
    return static_cast<ValueId>(m_dataflow.m_values.size() - 1);
}

bool DataflowPropagation::createsValue(InstructionId id, uint32_t slot) const
{
    const auto slots = m_shapes.slots(id);
    const bool isTuple = slots[slot].isTuple();
    int depth = 0;
    int64_t first = -1; // first element of the index, -1 for {}
    for (uint32_t at = slot; at != 0; at = slots[at].parent) {
        ++depth;
        first = slots[at].ordinal;
    }
    const HloInstruction& instruction = m_module.instruction(id);
    if (forwardsOperand(instruction.opcode))
        return false;
    switch (instruction.opcode) {
    case Opcode::While:
    case Opcode::Call:
    case Opcode::Conditional:
    case Opcode::GetTupleElement:
    case Opcode::CopyDone:
        return false;
    case Opcode::Parameter:
        return flowCallersOf(instruction.computation).empty();
    case Opcode::Copy:
    case Opcode::Tuple:
        return depth == 0;
    case Opcode::AsyncStart:
    case Opcode::AsyncUpdate:
        return !m_chains.of(id) || isTuple || first > 1;
    case Opcode::AsyncDone:
        return !m_chains.of(id) || isTuple;
    case Opcode::CopyStart:
        return first != 1;
    case Opcode::AllGatherStart:
        return isTuple || first == 1;
    case Opcode::AllGatherDone:
    case Opcode::CollectivePermuteDone:
        return depth == 0 && isTuple;
    case Opcode::CollectivePermuteStart:
        return depth == 0 || (depth == 1 && first >= 1) || (depth == 2 && first == 1);
    case Opcode::Send:
        return first != 0;
    case Opcode::RecvDone:
        return depth == 0 || (depth == 1 && first == 1);
    default:
        return true;
    }
}

InstructionId DataflowPropagation::operand(InstructionId id, size_t number) const
{
    const auto operands = m_module.operands(id);
    return number < operands.size() ? operands[number] : InstructionId();
}

int64_t DataflowPropagation::child(InstructionId id, int64_t slot, int64_t element) const
{
    if (!id.isValid() || slot < 0)
        return -1;
    return m_shapes.childSlot(m_module.instruction(id).shape, static_cast<uint32_t>(slot), element);
}

const std::vector<InstructionId>& DataflowPropagation::parametersOf(ComputationId id)
{
    std::vector<InstructionId>& parameters = m_parameters[id.index()];
    if (parameters.empty())
        parameters = m_module.parameters(id);
    return parameters;
}

// Passes on a sub-shape with everything below it. Shapes that do not fit (a broken file) pass on nothing.
bool DataflowPropagation::copySlots(InstructionId to, int64_t toSlot, InstructionId from, int64_t fromSlot,
                                    bool withoutTop)
{
    if (!from.isValid() || toSlot < 0 || fromSlot < 0 || !m_dataflow.hasInstruction(from))
        return false;
    const uint32_t target = static_cast<uint32_t>(toSlot);
    const uint32_t source = static_cast<uint32_t>(fromSlot);
    const uint32_t count = m_shapes.slots(to)[target].count;
    if (m_shapes.slots(from)[source].count != count)
        return false;
    bool changed = false;
    for (uint32_t i = withoutTop ? 1 : 0; i < count; ++i) {
        uint32_t& set = m_dataflow.set(to, target + i);
        const uint32_t value = m_dataflow.set(from, source + i);
        changed |= set != value;
        set = value;
    }
    return changed;
}

// Passes on the arrays in a sub-shape, not its tuples.
bool DataflowPropagation::copyArrays(InstructionId to, int64_t toSlot, InstructionId from, int64_t fromSlot,
                                     bool compatibleOnly)
{
    if (!from.isValid() || toSlot < 0 || fromSlot < 0 || !m_dataflow.hasInstruction(from))
        return false;
    const auto targets = m_shapes.slots(to).subspan(static_cast<size_t>(toSlot));
    const auto sources = m_shapes.slots(from).subspan(static_cast<size_t>(fromSlot));
    if (targets.front().count != sources.front().count)
        return false;
    bool changed = false;
    for (uint32_t i = 0; i < sources.front().count; ++i) {
        const Shape& shape = *sources[i].shape;
        if (shape.isTuple() || targets[i].isTuple())
            continue;
        if (compatibleOnly
            && (shape.elementType != targets[i].shape->elementType || shape.dimensions != targets[i].shape->dimensions))
            continue;
        uint32_t& set = m_dataflow.set(to, static_cast<uint32_t>(toSlot) + i);
        const uint32_t value = m_dataflow.set(from, static_cast<uint32_t>(fromSlot) + i);
        changed |= set != value;
        set = value;
    }
    return changed;
}

// Takes over what the sources of an instruction hold now; true if that changed anything.
bool DataflowPropagation::update(InstructionId id)
{
    const HloInstruction& instruction = m_module.instruction(id);
    const InstructionId first = operand(id, 0);
    if (forwardsOperand(instruction.opcode))
        return copySlots(id, 0, first, 0);
    switch (instruction.opcode) {
    case Opcode::Copy:
        return copySlots(id, 0, first, 0, true);
    case Opcode::GetTupleElement:
        return copySlots(id, 0, first, child(first, 0, tupleElementIndex(m_module, id)));
    case Opcode::Tuple: {
        bool changed = false;
        for (size_t i = 0; i < instruction.operands.count; ++i)
            changed |= copySlots(id, child(id, 0, static_cast<int64_t>(i)), operand(id, i), 0);
        return changed;
    }
    case Opcode::Call: {
        const auto callees = runComputations(m_module, id);
        return !callees.empty() && copySlots(id, 0, m_module.computation(callees.front()).root, 0);
    }
    case Opcode::While: {
        const ComputationId body = whileParts(m_module, id).body;
        return body.isValid() && mergePhi(id, {m_module.computation(body).root, first});
    }
    case Opcode::Conditional: {
        std::vector<InstructionId> roots;
        for (const ComputationId branch : runComputations(m_module, id))
            roots.push_back(m_module.computation(branch).root);
        return mergePhi(id, roots);
    }
    case Opcode::Parameter:
        return updateParameter(id);
    case Opcode::AsyncStart:
    case Opcode::AsyncUpdate:
    case Opcode::AsyncDone:
        return updateAsync(id);
    case Opcode::CopyStart:
        return copySlots(id, child(id, 0, 1), first, 0);
    case Opcode::CopyDone:
        return copySlots(id, 0, first, child(first, 0, 0));
    case Opcode::AllGatherStart: {
        bool changed = false;
        const int64_t inputs = child(id, 0, 0);
        for (size_t i = 0; i < instruction.operands.count; ++i) {
            const int64_t slot = instruction.operands.count == 1 ? inputs : child(id, inputs, static_cast<int64_t>(i));
            changed |= copySlots(id, slot, operand(id, i), 0);
        }
        return changed;
    }
    case Opcode::AllGatherDone:
    case Opcode::CollectivePermuteDone:
        return copyArrays(id, 0, first, child(first, 0, 1), false);
    case Opcode::CollectivePermuteStart:
        return updatePermuteStart(id);
    case Opcode::Send:
        return copySlots(id, child(id, 0, 0), first, 0);
    case Opcode::RecvDone:
        return copySlots(id, child(id, 0, 0), first, child(first, 0, 0));
    default:
        return false;
    }
}

bool DataflowPropagation::updatePermuteStart(InstructionId id)
{
    const InstructionId first = operand(id, 0);
    const int64_t inputs = child(id, 0, 0);
    if (!first.isValid() || inputs < 0)
        return false;
    bool changed = false;
    const Shape& source = m_module.shape(first);
    if (source.isTuple()) {
        for (size_t i = 0; i < source.elements.size(); ++i) {
            const int64_t element = static_cast<int64_t>(i);
            changed |= copySlots(id, child(id, inputs, element), first, child(first, 0, element));
        }
        return changed;
    }
    if (!m_shapes.slots(id)[static_cast<size_t>(inputs)].isTuple())
        return copySlots(id, inputs, first, 0);
    for (size_t i = 0; i < m_module.operands(id).size(); ++i)
        changed |= copySlots(id, child(id, inputs, static_cast<int64_t>(i)), operand(id, i), 0);
    return changed;
}

bool DataflowPropagation::updateAsync(InstructionId id)
{
    const AsyncChains::Chain* chain = m_chains.of(id);
    if (!chain)
        return false;
    const bool isDone = m_module.instruction(id).opcode == Opcode::AsyncDone;
    bool changed = false;
    if (!isDone) {
        const int64_t inputs = child(id, 0, 0);
        int64_t number = 0;
        for (const InstructionId bound : m_chains.boundOperands(id))
            changed |= copyArrays(id, child(id, inputs, number++), bound, 0, false);
    }
    const InstructionId root = m_module.computation(chain->wrapped).root;
    return copyArrays(id, isDone ? 0 : child(id, 0, 1), root, 0, true) || changed;
}

bool DataflowPropagation::updateParameter(InstructionId id)
{
    const ComputationId computation = m_module.instruction(id).computation;
    const int64_t number = m_module.parameterNumber(id);
    if (number < 0)
        return false;
    std::vector<InstructionId> sources;
    bool needsPhi = false;
    for (const InstructionId caller : flowCallersOf(computation)) {
        switch (m_module.instruction(caller).opcode) {
        case Opcode::Call:
            sources.push_back(operand(caller, static_cast<size_t>(number)));
            break;
        case Opcode::While: {
            needsPhi = true;
            sources.push_back(operand(caller, 0));
            const ComputationId body = whileParts(m_module, caller).body;
            if (body.isValid() && m_module.computation(body).root != id)
                sources.push_back(m_module.computation(body).root);
            break;
        }
        case Opcode::Conditional: {
            needsPhi = true;
            size_t branch = 0;
            for (const ComputationId candidate : runComputations(m_module, caller)) {
                ++branch;
                if (candidate == computation)
                    sources.push_back(operand(caller, branch));
            }
            break;
        }
        default:
            if (const AsyncChains::Chain* chain = m_chains.of(caller)) {
                const auto bound = m_chains.boundOperands(chain->ops.back());
                if (static_cast<size_t>(number) < bound.size())
                    sources.push_back(bound[static_cast<size_t>(number)]);
            }
        }
    }
    m_visitedSlots += sources.size() * slotCount(id);
    if (needsPhi)
        return mergePhi(id, sources);
    return uniteCallers(id, sources);
}

// A computation that is called from several places holds, without a phi, what any of them passes.
bool DataflowPropagation::uniteCallers(InstructionId id, const std::vector<InstructionId>& sources)
{
    if (sources.size() == 1)
        return copySlots(id, 0, sources.front(), 0);
    bool changed = false;
    for (uint32_t slot = 0; slot < slotCount(id) && !sources.empty(); ++slot) {
        std::vector<ValueId> ids;
        for (const InstructionId source : sources) {
            if (!source.isValid() || slot >= slotCount(source))
                continue;
            const auto members = m_dataflow.at(source, slot);
            ids.insert(ids.end(), members.begin(), members.end());
        }
        m_visitedSlots += ids.size();
        const uint32_t set = m_dataflow.internSet(std::move(ids));
        changed |= m_dataflow.set(id, slot) != set;
        m_dataflow.set(id, slot) = set;
    }
    return changed;
}

bool DataflowPropagation::mergePhi(InstructionId id, const std::vector<InstructionId>& sources)
{
    bool changed = false;
    for (uint32_t slot = 0; slot < slotCount(id); ++slot) {
        std::vector<ValueId> inputs;
        for (const InstructionId source : sources) {
            if (!source.isValid() || slotCount(source) != slotCount(id))
                continue;
            const auto members = m_dataflow.at(source, slot);
            inputs.insert(inputs.end(), members.begin(), members.end());
        }
        changed |= mergePhiSlot(id, slot, std::move(inputs));
    }
    return changed;
}

bool DataflowPropagation::mergePhiSlot(InstructionId id, uint32_t slot, std::vector<ValueId> inputs)
{
    uint32_t& set = m_dataflow.set(id, slot);
    if (inputs.empty())
        return false;
    if (inputs.size() == 1) {
        const bool changed = set != inputs.front();
        set = inputs.front();
        return changed;
    }
    std::ranges::sort(inputs);
    inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
    const bool isSingle = set != Dataflow::kNone && (set & Dataflow::kManyBit) == 0;
    if (isSingle && m_phis.isPhi(set) && m_dataflow.m_values[set].instruction == id
        && m_dataflow.m_values[set].slot == slot) {
        // The phi stays the same value: what it merges does not concern its readers.
        m_phis.inputs[set - m_phis.firstPhi] = std::move(inputs);
        return false;
    }
    const ValueId phi = newValue(id, slot, true);
    m_phis.inputs.push_back(std::move(inputs));
    set = phi;
    return true;
}

void DataflowPropagation::enqueue(InstructionId id)
{
    if (m_isQueued[id.index()] || !m_dataflow.hasInstruction(id))
        return;
    m_isQueued[id.index()] = true;
    m_queue.emplace(m_priority[id.index()], static_cast<uint32_t>(id.index()));
}

void DataflowPropagation::enqueueParameters(ComputationId id)
{
    for (const InstructionId parameter : parametersOf(id)) {
        if (parameter.isValid())
            enqueue(parameter);
    }
}

void DataflowPropagation::enqueueReaders(InstructionId id)
{
    for (const InstructionId user : m_module.users(id)) {
        enqueue(user);
        if (isAsync(m_module.instruction(user).opcode)) {
            if (const AsyncChains::Chain* chain = m_chains.of(user))
                enqueueParameters(chain->wrapped);
            continue;
        }
        for (const ComputationId callee : runComputations(m_module, user))
            enqueueParameters(callee);
    }
    const HloInstruction& instruction = m_module.instruction(id);
    if (m_module.computation(instruction.computation).root != id)
        return;
    for (const InstructionId caller : flowCallersOf(instruction.computation)) {
        if (const AsyncChains::Chain* chain = m_chains.of(caller)) {
            for (const InstructionId op : chain->ops)
                enqueue(op);
            continue;
        }
        enqueue(caller);
        if (m_module.instruction(caller).opcode == Opcode::While) {
            for (const ComputationId part : runComputations(m_module, caller))
                enqueueParameters(part);
        }
    }
}

} // namespace hloscope
