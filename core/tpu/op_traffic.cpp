// SPDX-License-Identifier: Apache-2.0
#include "core/tpu/op_traffic.h"

#include "core/tiling/physical_layout.h"
#include "core/tpu/tpu_config.h"

#include <algorithm>
#include <cmath>

namespace hloscope {

namespace {

constexpr int kMaxNesting = 100;
constexpr int kMaxVisited = 10'000; // uses of one parameter that are followed

// Follows a value to all its uses inside a fused computation.
class SliceReader {
public:
    explicit SliceReader(const HloModule& module) : m_module(module) { }

    // Bytes that are read of a value when every use takes a slice or overwrites it; nothing when all of it is read.
    std::optional<double> bytesRead(InstructionId value, int depth)
    {
        if (depth > kMaxNesting || ++m_visited > kMaxVisited || m_module.users(value).empty())
            return std::nullopt;
        double bytes = 0;
        for (InstructionId user : m_module.users(value)) {
            const std::optional<double> part = bytesReadBy(user, value, depth);
            if (!part)
                return std::nullopt;
            bytes += *part;
        }
        return bytes;
    }

private:
    std::optional<double> bytesReadBy(InstructionId user, InstructionId value, int depth)
    {
        const auto operands = m_module.operands(user);
        switch (m_module.instruction(user).opcode) {
        case Opcode::Slice:
        case Opcode::DynamicSlice:
            return operands[0] == value ? std::optional(paddedBytesOf(m_module.shape(user))) : std::nullopt;
        case Opcode::DynamicUpdateSlice:
            return operands[0] == value ? std::optional(0.0) : std::nullopt;
        case Opcode::Bitcast:
        case Opcode::Copy:
            return bytesRead(user, depth + 1);
        case Opcode::Fusion:
            return bytesReadInside(user, value, depth);
        default:
            return std::nullopt;
        }
    }

    std::optional<double> bytesReadInside(InstructionId fusion, InstructionId value, int depth)
    {
        const auto operands = m_module.operands(fusion);
        const auto called = m_module.called(fusion);
        if (called.empty())
            return std::nullopt;
        const std::vector<InstructionId> parameters = m_module.parameters(called[0]);
        double bytes = 0;
        for (size_t i = 0; i < operands.size(); ++i) {
            if (operands[i] != value)
                continue;
            if (i >= parameters.size() || !parameters[i].isValid())
                return std::nullopt;
            const std::optional<double> part = bytesRead(parameters[i], depth + 1);
            if (!part)
                return std::nullopt;
            bytes += *part;
        }
        return bytes;
    }

    const HloModule& m_module;
    int m_visited = 0;
};

void forEachArray(const Shape& shape, const std::function<void(const Shape&)>& visit)
{
    visitSubshapes(shape, [&](const std::vector<int64_t>&, const Shape& part) {
        if (part.isArray())
            visit(part);
    });
}

// Bytes of operand `index` of a plain op or fusion, or nothing when all of it is read.
std::optional<double> partlyRead(const HloModule& module, InstructionId id, size_t index,
                                 const std::vector<InstructionId>& parameters)
{
    if (index < parameters.size() && parameters[index].isValid())
        return SliceReader(module).bytesRead(parameters[index], 0);
    if (index != 0)
        return std::nullopt;
    switch (module.instruction(id).opcode) {
    case Opcode::Slice:
    case Opcode::DynamicSlice:
        return paddedBytesOf(module.shape(id));
    case Opcode::DynamicUpdateSlice:
        return 0.0;
    default:
        return std::nullopt;
    }
}

void addReads(const HloModule& module, InstructionId id, const std::optional<ContinuationRange>& range,
              OpTraffic& traffic)
{
    std::vector<InstructionId> parameters;
    const auto called = module.called(id);
    if (module.instruction(id).opcode == Opcode::Fusion && !called.empty())
        parameters = module.parameters(called[0]);
    const auto operands = module.operands(id);
    for (size_t i = 0; i < operands.size(); ++i) {
        if (range && !range->hasOperand(i))
            continue;
        const Shape& shape = module.shape(operands[i]);
        if (shape.isArray()) {
            const std::optional<double> part = partlyRead(module, id, i, parameters);
            traffic.reads.push_back({i, &shape, part.value_or(paddedBytesOf(shape))});
        } else {
            forEachArray(shape, [&](const Shape& leaf) { traffic.reads.push_back({i, &leaf, paddedBytesOf(leaf)}); });
        }
    }
}

// The update of a dynamic-update-slice, null for any other producer.
const Shape* updateOf(const HloModule& module, InstructionId producer)
{
    if (!producer.isValid() || module.instruction(producer).opcode != Opcode::DynamicUpdateSlice)
        return nullptr;
    const auto operands = module.operands(producer);
    return operands.size() > 1 ? &module.shape(operands[1]) : nullptr;
}

void addWrites(const HloModule& module, InstructionId id, const std::optional<ContinuationRange>& range,
               OpTraffic& traffic)
{
    const Shape& shape = module.shape(id);
    const auto called = module.called(id);
    InstructionId root = id;
    if (module.instruction(id).opcode == Opcode::Fusion && !called.empty())
        root = module.computation(called[0]).root;
    const bool isRootTuple = root.isValid() && module.instruction(root).opcode == Opcode::Tuple;
    const auto producers = isRootTuple ? module.operands(root) : std::span<const InstructionId>(&root, 1);
    const std::vector<int64_t> aliased =
        parseAliasedOutputs(module.attribute(id, "backend_config").value_or(""), module.operands(id).size());

    size_t index = 0;
    const auto add = [&](const Shape& array) {
        const size_t number = index++;
        if (range && shape.isTuple() && !range->hasOutput(number))
            return;
        const Shape* update = number < producers.size() ? updateOf(module, producers[number]) : nullptr;
        const bool isAliased = std::find(aliased.begin(), aliased.end(), static_cast<int64_t>(number)) != aliased.end();
        traffic.writes.push_back({&array, paddedBytesOf(update ? *update : array), update != nullptr, isAliased});
    };
    forEachArray(shape, add);
}

} // namespace

Memory memoryOf(const Shape& array)
{
    switch (array.memorySpace()) {
    case 0:
        return Memory::Hbm;
    case 1:
        return Memory::Vmem;
    case 3:
        return Memory::Cmem;
    case 5:
        return Memory::Host;
    default:
        return Memory::Scalar;
    }
}

double paddedBytesOf(const Shape& array)
{
    return static_cast<double>(paddedByteSize(array));
}

double registersOf(const Shape& array)
{
    const std::vector<int64_t> sizes = xlaPaddedDimensions(array);
    if (sizes.empty())
        return 1;
    if (sizes.size() == 1)
        return std::ceil(static_cast<double>(sizes[0]) / 1024);
    double registers = 1;
    for (size_t i = 0; i + 2 < sizes.size(); ++i)
        registers *= static_cast<double>(sizes[i]);
    registers *= std::ceil(static_cast<double>(sizes[sizes.size() - 2]) / 8);
    return registers * std::ceil(static_cast<double>(sizes.back()) / 128);
}

const ArrayWrite* OpTraffic::largestWrite() const
{
    const auto largest = std::max_element(writes.begin(), writes.end(), [](const ArrayWrite& a, const ArrayWrite& b) {
        return paddedBytesOf(*a.array) < paddedBytesOf(*b.array);
    });
    return largest == writes.end() ? nullptr : &*largest;
}

OpTraffic opTraffic(const HloModule& module, InstructionId id)
{
    OpTraffic traffic;
    const auto range = parseContinuation(module.attribute(id, "backend_config").value_or(""));
    addReads(module, id, range, traffic);
    addWrites(module, id, range, traffic);
    return traffic;
}

} // namespace hloscope
