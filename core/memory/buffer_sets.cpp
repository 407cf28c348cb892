// SPDX-License-Identifier: Apache-2.0
#include "core/memory/buffer_sets.h"

#include "core/hlo/attributes.h"

#include <algorithm>
#include <numeric>

namespace hloscope {

InPlacePairs::InPlacePairs(const HloModule& module, const ModuleShapes& shapes) : m_module(module), m_shapes(shapes) { }

std::vector<InPlacePair> InPlacePairs::of(InstructionId id)
{
    const HloInstruction& instruction = m_module.instruction(id);
    const auto variadic = [this, id](uint32_t count) {
        std::vector<InPlacePair> pairs;
        for (uint32_t i = 0; i < count; ++i) {
            const int64_t slot = count == 1 ? 0 : m_shapes.childSlot(m_module.instruction(id).shape, 0, i);
            if (slot >= 0)
                pairs.push_back({i, 0, static_cast<uint32_t>(slot)});
        }
        return pairs;
    };
    switch (instruction.opcode) {
    case Opcode::DynamicUpdateSlice:
    case Opcode::SetDimensionSize:
        return {{0, 0, 0}};
    case Opcode::Scatter: // operands, indices, updates
        return variadic(instruction.operands.count > 0 ? (instruction.operands.count - 1) / 2 : 0);
    case Opcode::AllReduceStart:
        return variadic(instruction.operands.count);
    case Opcode::RaggedAllToAll:
        return {{1, 0, 0}};
    case Opcode::Fusion: {
        std::vector<InPlacePair> pairs = ofFusedComputation(id);
        const std::vector<InPlacePair> declared = declaredAliases(id);
        pairs.insert(pairs.end(), declared.begin(), declared.end());
        return pairs;
    }
    case Opcode::CustomCall:
    case Opcode::AsyncStart:
    case Opcode::AsyncUpdate:
        return declaredAliases(id);
    default:
        return {};
    }
}

std::vector<InPlacePair> InPlacePairs::declaredAliases(InstructionId id) const
{
    std::vector<InPlacePair> pairs;
    const std::optional<std::string_view> text = m_module.attribute(id, "output_to_operand_aliasing");
    if (!text)
        return pairs;
    const auto operands = m_module.operands(id);
    for (const OutputOperandAlias& alias :
         parseOutputOperandAliasing(*text).value_or(std::vector<OutputOperandAlias>())) {
        if (alias.operand < 0 || static_cast<size_t>(alias.operand) >= operands.size())
            continue;
        const InstructionId operand = operands[static_cast<size_t>(alias.operand)];
        if (!operand.isValid())
            continue;
        const int64_t output = m_shapes.slotOf(m_module.instruction(id).shape, alias.outputIndex);
        const int64_t input = m_shapes.slotOf(m_module.instruction(operand).shape, alias.operandIndex);
        if (output >= 0 && input >= 0) {
            pairs.push_back(
                {static_cast<uint32_t>(alias.operand), static_cast<uint32_t>(input), static_cast<uint32_t>(output)});
        }
    }
    return pairs;
}

const std::vector<InPlacePair>& InPlacePairs::ofFusedComputation(InstructionId fusion)
{
    static const std::vector<InPlacePair> kNone;
    const auto called = m_module.called(fusion);
    if (called.empty())
        return kNone;
    const uint32_t key = static_cast<uint32_t>(called.front().index());
    if (const auto known = m_ofComputation.find(key); known != m_ofComputation.end())
        return known->second;
    std::vector<InPlacePair> pairs = searchFusedComputation(fusion);
    return m_ofComputation.emplace(key, std::move(pairs)).first->second;
}

std::vector<InPlacePair> InPlacePairs::searchFusedComputation(InstructionId fusion)
{
    std::vector<InPlacePair> pairs;
    const InstructionId root = m_module.computation(m_module.called(fusion).front()).root;
    const auto slots = m_shapes.slots(fusion);
    if (!root.isValid() || m_shapes.slots(root).size() != slots.size())
        return pairs;
    for (uint32_t slot = 0; slot < slots.size(); ++slot) {
        if (slots[slot].isTuple())
            continue;
        const Place source = skipIndirections(root, slot);
        if (!source.instruction.isValid())
            continue;
        const bool isFusion = m_module.instruction(source.instruction).opcode == Opcode::Fusion;
        for (const InPlacePair& inner : isFusion ? ofFusedComputation(source.instruction) : of(source.instruction)) {
            if (inner.outputSlot != source.slot)
                continue;
            const auto operands = m_module.operands(source.instruction);
            if (inner.operand >= operands.size())
                continue;
            const Place origin = traceToSource({operands[inner.operand], inner.operandSlot});
            if (!origin.instruction.isValid())
                continue;
            const int64_t parameter = m_module.parameterNumber(origin.instruction);
            if (parameter >= 0)
                pairs.push_back({static_cast<uint32_t>(parameter), origin.slot, slot});
        }
    }
    return pairs;
}

// From the operand of an in-place op back to where its buffer comes from, through at most one in-place fusion.
InPlacePairs::Place InPlacePairs::traceToSource(Place from)
{
    Place place = skipIndirections(from.instruction, from.slot);
    if (!place.instruction.isValid() || m_module.instruction(place.instruction).opcode != Opcode::Fusion)
        return place;
    for (const InPlacePair& pair : of(place.instruction)) {
        const auto operands = m_module.operands(place.instruction);
        if (pair.outputSlot == place.slot && pair.operand < operands.size())
            return skipIndirections(operands[pair.operand], pair.operandSlot);
    }
    return place;
}

// Looks through tuple, then get-tuple-element, then (arrays only) bitcast.
InPlacePairs::Place InPlacePairs::skipIndirections(InstructionId id, uint32_t slot) const
{
    size_t steps = m_module.instructions.size(); // operand cycles of broken files end here
    const auto opcodeIs = [this, &id, &steps](Opcode opcode) {
        return id.isValid() && steps-- > 0 && m_module.instruction(id).opcode == opcode;
    };
    const auto operand = [this, &id](size_t number) {
        const auto operands = m_module.operands(id);
        return number < operands.size() ? operands[number] : InstructionId();
    };
    while (opcodeIs(Opcode::Tuple) && slot != 0) {
        const auto slots = m_shapes.slots(id);
        uint32_t top = slot;
        while (slots[top].parent != 0)
            top = slots[top].parent;
        const InstructionId element = operand(slots[top].ordinal);
        if (!element.isValid() || m_shapes.slots(element).size() != slots[top].count)
            return {};
        slot -= top;
        id = element;
    }
    while (opcodeIs(Opcode::GetTupleElement)) {
        const InstructionId tuple = operand(0);
        const int64_t element = tuple.isValid()
            ? m_shapes.childSlot(m_module.instruction(tuple).shape, 0, tupleElementIndex(m_module, id))
            : -1;
        if (element < 0)
            return {};
        const uint32_t inner = static_cast<uint32_t>(element) + slot;
        if (inner >= m_shapes.slots(tuple).size())
            return {};
        slot = inner;
        id = tuple;
    }
    while (slot == 0 && opcodeIs(Opcode::Bitcast))
        id = operand(0);
    return {id, slot};
}

BufferSets::BufferSets(const HloModule& module, const ModuleShapes& shapes, const Dataflow& dataflow)
    : m_parent(dataflow.values().size())
{
    std::iota(m_parent.begin(), m_parent.end(), ValueId(0));
    const InstructionId result = module.entryComputation().root;
    const std::vector<InstructionId> parameters = module.parameters(module.entry);
    for (const InputOutputAlias& alias : module.inputOutputAliases) {
        if (alias.parameter < 0 || static_cast<size_t>(alias.parameter) >= parameters.size() || !result.isValid())
            continue;
        const InstructionId parameter = parameters[static_cast<size_t>(alias.parameter)];
        if (!parameter.isValid())
            continue;
        const int64_t output = shapes.slotOf(module.instruction(result).shape, alias.outputIndex);
        const int64_t input = shapes.slotOf(module.instruction(parameter).shape, alias.parameterIndex);
        if (output >= 0 && input >= 0) {
            join(dataflow.valueAt(result, static_cast<uint32_t>(output)),
                 dataflow.valueAt(parameter, static_cast<uint32_t>(input)));
        }
    }
    InPlacePairs inPlace(module, shapes);
    for (const InstructionId id : dataflow.instructions()) {
        const HloInstruction& instruction = module.instruction(id);
        if (instruction.opcode == Opcode::While)
            joinWhile(module, shapes, dataflow, id);
        if (instruction.opcode == Opcode::Conditional) {
            for (const ComputationId branch : runComputations(module, id))
                joinSlots(shapes, dataflow, module.computation(branch).root, id);
        }
        const auto operands = module.operands(id);
        for (const InPlacePair& pair : inPlace.of(id)) {
            if (pair.operand >= operands.size() || !operands[pair.operand].isValid()
                || pair.operandSlot >= shapes.slots(operands[pair.operand]).size()
                || pair.outputSlot >= shapes.slots(id).size())
                continue;
            join(dataflow.valueAt(operands[pair.operand], pair.operandSlot), dataflow.valueAt(id, pair.outputSlot));
        }
    }
    for (ValueId value = 0; value < m_parent.size(); ++value)
        m_parent[value] = root(value);
}

// The initial value, the body's result and what the parameters merge live where the loop's value lives. A parameter
// element that merges nothing carries the initial value and is in that set already.
void BufferSets::joinWhile(const HloModule& module, const ModuleShapes& shapes, const Dataflow& dataflow,
                           InstructionId id)
{
    const uint32_t count = static_cast<uint32_t>(shapes.slots(id).size());
    if (!module.operands(id).empty())
        joinSlots(shapes, dataflow, module.operands(id).front(), id);
    const WhileParts parts = whileParts(module, id);
    if (parts.body.isValid())
        joinSlots(shapes, dataflow, module.computation(parts.body).root, id);
    for (const ComputationId part : runComputations(module, id)) {
        for (const InstructionId parameter : module.parameters(part)) {
            if (!parameter.isValid() || shapes.slots(parameter).size() != count)
                continue;
            for (uint32_t slot = 0; slot < count; ++slot) {
                const int64_t value = dataflow.valueAt(parameter, slot);
                if (value >= 0 && dataflow.values()[static_cast<ValueId>(value)].instruction == parameter)
                    join(value, dataflow.valueAt(id, slot));
            }
        }
    }
}

// Every element of `a` shares with the same element of `b`.
void BufferSets::joinSlots(const ModuleShapes& shapes, const Dataflow& dataflow, InstructionId a, InstructionId b)
{
    if (!a.isValid() || shapes.slots(a).size() != shapes.slots(b).size())
        return;
    for (uint32_t slot = 0; slot < shapes.slots(b).size(); ++slot)
        join(dataflow.valueAt(a, slot), dataflow.valueAt(b, slot));
}

void BufferSets::join(int64_t a, int64_t b)
{
    if (a >= 0 && b >= 0)
        m_parent[root(static_cast<ValueId>(a))] = root(static_cast<ValueId>(b));
}

ValueId BufferSets::root(ValueId value)
{
    while (m_parent[value] != value) {
        m_parent[value] = m_parent[m_parent[value]];
        value = m_parent[value];
    }
    return value;
}

} // namespace hloscope
