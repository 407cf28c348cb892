// SPDX-License-Identifier: Apache-2.0
#include "core/hlo/attributes.h"
#include "core/tiling/physical_layout.h"
#include "core/tpu/tpu_config.h"
#include "core/tpu/xla_cost.h"

#include <algorithm>

// Fusions, and the gathers and scatters that libtpu turns into custom fusions.
namespace hloscope {

namespace {

constexpr int kMaxNesting = 100; // of fusions in fusions
constexpr double kSmallConstantElements = 8; // constants up to this size are part of the code

std::vector<int64_t> dimensionList(const HloModule& module, InstructionId id, std::string_view key)
{
    const auto text = module.attribute(id, key);
    return text ? parseIntList(*text).value_or(std::vector<int64_t>()) : std::vector<int64_t>();
}

bool contains(const std::vector<int64_t>& list, size_t value)
{
    return std::find(list.begin(), list.end(), static_cast<int64_t>(value)) != list.end();
}

// Bytes of a window of that size in the layout of the table, whole tiles.
double windowBytes(const Shape& table, const std::vector<int64_t>& sizes)
{
    Shape window = table;
    window.dimensions = sizes;
    window.dynamic.clear();
    return static_cast<double>(paddedByteSize(window));
}

// Product of the padded dimensions that are not listed.
double paddedProductWithout(const Shape& array, const std::vector<int64_t>& leftOut)
{
    const std::vector<int64_t> sizes = paddedLogicalDimensions(array);
    double product = 1;
    for (size_t i = 0; i < sizes.size(); ++i) {
        if (!contains(leftOut, i))
            product *= static_cast<double>(sizes[i]);
    }
    return product;
}

InstructionId findDirectly(const HloModule& module, ComputationId body, Opcode first, Opcode second)
{
    const IndexRange range = module.computation(body).instructions;
    for (uint32_t i = range.begin; i < range.end(); ++i) {
        const Opcode opcode = module.instructions[i].opcode;
        if (opcode == first || opcode == second)
            return InstructionId(i);
    }
    return {};
}

} // namespace

// Each gathered slice is charged with all tiles of the table that it may touch.
XlaCost XlaCostAnalysis::gather(InstructionId id) const
{
    const auto operands = m_module.operands(id);
    XlaCost cost;
    if (operands.size() < 2 || !m_module.shape(id).isArray())
        return cost;
    const double slices = paddedProductWithout(m_module.shape(id), dimensionList(m_module, id, "offset_dims"));
    const double table = slices * windowBytes(m_module.shape(operands[0]), dimensionList(m_module, id, "slice_sizes"));
    cost.bytesAccessed = m_sizes.written(id) + table + m_sizes.read(operands[1]);
    return cost;
}

// Target and result are charged with all tiles that an updated window may touch, updates and indices with their size.
XlaCost XlaCostAnalysis::scatter(InstructionId id) const
{
    const auto operands = m_module.operands(id);
    XlaCost cost;
    if (operands.size() < 3)
        return cost;
    const size_t targets = (operands.size() - 1) / 2;
    const std::vector<int64_t> updateWindow = dimensionList(m_module, id, "update_window_dims");
    std::vector<int64_t> inserted = dimensionList(m_module, id, "inserted_window_dims");
    const std::vector<int64_t> batching = dimensionList(m_module, id, "input_batching_dims");
    inserted.insert(inserted.end(), batching.begin(), batching.end());
    cost.bytesAccessed = m_sizes.read(operands[targets]);
    for (size_t i = 0; i < targets; ++i) {
        const InstructionId updates = operands[targets + 1 + i];
        const Shape& target = m_module.shape(operands[i]);
        const Shape& update = m_module.shape(updates);
        std::vector<int64_t> window(target.dimensions.size(), 1);
        size_t next = 0;
        for (size_t j = 0; j < window.size(); ++j) {
            if (contains(inserted, j) || next >= updateWindow.size())
                continue;
            const auto from = static_cast<size_t>(updateWindow[next++]);
            if (from < update.dimensions.size())
                window[j] = update.dimensions[from];
        }
        const double touched = paddedProductWithout(update, updateWindow) * windowBytes(target, window);
        cost.bytesAccessed += 2 * touched + m_sizes.read(updates);
    }
    const double updated = elementsOf(m_module.shape(operands[targets + 1]));
    cost.flops = scaledByCallee(id, updated, &XlaCost::flops);
    cost.transcendentals = scaledByCallee(id, updated, &XlaCost::transcendentals);
    return cost;
}

XlaCost XlaCostAnalysis::fusion(InstructionId id)
{
    const auto called = m_module.called(id);
    XlaCost cost;
    if (called.empty() || !m_order.isForward(m_module.instruction(id).computation, called[0])) {
        cost.bytesAccessed = defaultBytes(id);
        return cost;
    }
    const ComputationId body = called[0];
    if (m_module.attribute(id, "kind") == "kCustom") {
        const InstructionId inner = findDirectly(m_module, body, Opcode::Gather, Opcode::Scatter);
        if (inner.isValid())
            return m_module.instruction(inner).opcode == Opcode::Gather ? gather(inner) : scatter(inner);
    }

    cost.flops = of(body).flops;
    cost.transcendentals = of(body).transcendentals;
    cost.bytesAccessed = fusionOutputBytes(id, body);
    const IndexRange range = m_module.computation(body).instructions;
    for (uint32_t i = range.begin; i < range.end(); ++i) {
        const InstructionId inner(i);
        if (m_module.instruction(inner).opcode == Opcode::Constant
            && elementsOf(m_module.shape(inner)) > kSmallConstantElements)
            cost.bytesAccessed += m_sizes.read(inner);
    }
    const auto own = parseContinuation(m_module.attribute(id, "backend_config").value_or(""));
    const std::vector<InstructionId> parameters = m_module.parameters(body);
    for (size_t i = 0; i < parameters.size(); ++i) {
        if (parameters[i].isValid() && (!own || own->hasOperand(i)))
            cost.bytesAccessed += parameterBytes(parameters[i], 0);
    }
    return cost;
}

double XlaCostAnalysis::fusionOutputBytes(InstructionId fusion, ComputationId body) const
{
    const Shape& shape = m_module.shape(fusion);
    const InstructionId root = m_module.computation(body).root;
    // An update in place writes no more than the update.
    const auto written = [&](InstructionId producer, const Shape& part) {
        const auto operands = m_module.operands(producer);
        if (m_module.instruction(producer).opcode == Opcode::DynamicUpdateSlice && operands.size() > 1)
            return m_sizes.read(operands[1]);
        return ValueSizes::leafBytes(part);
    };
    if (!root.isValid())
        return m_sizes.written(fusion);
    if (!shape.isTuple())
        return written(root, shape);
    const auto range = parseContinuation(m_module.attribute(fusion, "backend_config").value_or(""));
    const auto producers = m_module.operands(root);
    const bool isTuple =
        m_module.instruction(root).opcode == Opcode::Tuple && producers.size() == shape.elements.size();
    double bytes = 0;
    for (size_t i = 0; i < shape.elements.size(); ++i) {
        if (!range || range->hasOutput(i))
            bytes += written(isTuple ? producers[i] : root, shape.elements[i]);
    }
    return bytes;
}

// What is read of operand `operand` of a fusion inside a fusion. If that operand is what the inner fusion is built on,
// slices taken from its result count as slices of the operand.
double XlaCostAnalysis::nestedParameterBytes(InstructionId user, size_t operand, int depth)
{
    const auto called = m_module.called(user);
    if (called.empty() || !m_order.isForward(m_module.instruction(user).computation, called[0]))
        return m_sizes.read(m_module.operands(user)[operand]);
    const std::vector<InstructionId> parameters = m_module.parameters(called[0]);
    const InstructionId root = m_module.computation(called[0]).root;
    if (operand >= parameters.size() || !parameters[operand].isValid() || !root.isValid())
        return m_sizes.read(m_module.operands(user)[operand]);
    const InstructionId parameter = parameters[operand];
    const auto rootOperands = m_module.operands(root);
    const bool isSimple = rootOperands.empty() || rootOperands[0] == parameter;

    double bytes = 0;
    bool isCounted = false;
    const auto countOnce = [&](double amount) {
        if (!isCounted)
            bytes += amount;
        isCounted = true;
    };
    for (InstructionId next : m_module.users(user)) {
        const Opcode opcode = m_module.instruction(next).opcode;
        const bool isFirstOperand = m_module.operands(next)[0] == user;
        if (isSimple && opcode == Opcode::Slice) {
            bytes += m_sizes.read(next);
        } else if (isSimple && opcode == Opcode::DynamicSlice) {
            if (isFirstOperand)
                bytes += m_sizes.read(next);
            else
                countOnce(m_sizes.read(user));
        } else if (isSimple && opcode == Opcode::DynamicUpdateSlice) {
            if (!isFirstOperand)
                countOnce(m_sizes.read(user));
        } else if (!isCounted) {
            countOnce(parameterBytes(parameter, depth + 1));
        }
    }
    return bytes;
}

double XlaCostAnalysis::parameterBytes(InstructionId parameter, int depth)
{
    const auto key = static_cast<uint32_t>(parameter.index());
    if (const auto known = m_parameterBytes.find(key); known != m_parameterBytes.end())
        return known->second;
    const double full = m_sizes.read(parameter);
    if (depth > kMaxNesting)
        return full;

    double bytes = 0;
    bool isCounted = false;
    for (InstructionId user : m_module.users(parameter)) {
        const Opcode opcode = m_module.instruction(user).opcode;
        const auto operands = m_module.operands(user);
        if (opcode == Opcode::Fusion) {
            for (size_t i = 0; i < operands.size(); ++i) {
                if (operands[i] == parameter)
                    bytes += nestedParameterBytes(user, i, depth);
            }
        } else if (opcode == Opcode::Slice || (opcode == Opcode::DynamicSlice && operands[0] == parameter)) {
            bytes += m_sizes.read(user);
        } else if (opcode == Opcode::DynamicUpdateSlice && operands[0] == parameter) {
            continue; // overwritten in place
        } else if (opcode == Opcode::Broadcast || opcode == Opcode::Reshape) {
            bytes += full;
        } else if (!isCounted) {
            isCounted = true;
            bytes += full;
        }
    }
    m_parameterBytes[key] = bytes;
    return bytes;
}

} // namespace hloscope
