// SPDX-License-Identifier: Apache-2.0
#include "core/hlo/hlo_module.h"

#include "core/hlo/attributes.h"
#include "core/hlo/text_cursor.h"

#include <algorithm>
#include <charconv>

namespace hloscope {
namespace {

constexpr size_t kMaxStackDepth = 500;

template <class T> std::span<const T> slice(const std::vector<T>& pool, IndexRange range)
{
    return std::span(pool).subspan(range.begin, range.count);
}

std::optional<std::string_view> findAttribute(std::span<const Attribute> attributes, std::string_view key)
{
    for (const Attribute& attribute : attributes) {
        if (attribute.key == key)
            return attribute.value;
    }
    return std::nullopt;
}

// The value of an instruction in a list of pairs sorted by instruction.
template <class Id> Id lookUp(const std::vector<std::pair<InstructionId, Id>>& pairs, InstructionId key)
{
    const auto found = std::lower_bound(pairs.begin(), pairs.end(), key,
                                        [](const auto& pair, InstructionId id) { return pair.first < id; });
    return found != pairs.end() && found->first == key ? found->second : Id();
}

} // namespace

std::span<const InstructionId> HloModule::operands(InstructionId id) const
{
    return slice(operandPool, instruction(id).operands);
}

std::span<const InstructionId> HloModule::users(InstructionId id) const
{
    return slice(userPool, instruction(id).users);
}

std::span<const ComputationId> HloModule::called(InstructionId id) const
{
    return slice(calledPool, instruction(id).called);
}

std::span<const Attribute> HloModule::attributesOf(InstructionId id) const
{
    return slice(attributePool, instruction(id).attributes);
}

std::optional<std::string_view> HloModule::attribute(InstructionId id, std::string_view key) const
{
    return findAttribute(attributesOf(id), key);
}

std::optional<std::string_view> HloModule::moduleAttribute(std::string_view key) const
{
    return findAttribute(attributes, key);
}

std::vector<InstructionId> HloModule::parameters(ComputationId id) const
{
    const IndexRange range = computation(id).instructions;
    std::vector<InstructionId> result;
    for (uint32_t i = range.begin; i < range.end(); ++i) {
        const int64_t number = parameterNumber(InstructionId(i));
        // More parameters than instructions cannot be: such a number is nonsense.
        if (number < 0 || number >= range.count)
            continue;
        if (static_cast<size_t>(number) >= result.size())
            result.resize(static_cast<size_t>(number) + 1);
        result[static_cast<size_t>(number)] = InstructionId(i);
    }
    return result;
}

std::vector<InstructionId> HloModule::callers(ComputationId id) const
{
    std::vector<InstructionId> result;
    auto it = std::lower_bound(m_callers.begin(), m_callers.end(), std::pair(id, InstructionId(0)));
    for (; it != m_callers.end() && it->first == id; ++it)
        result.push_back(it->second);
    return result;
}

InstructionId HloModule::findInstruction(std::string_view wanted, ComputationId inside) const
{
    const uint32_t index =
        m_instructionByName.find(wanted, hashName(wanted), [this](uint32_t i) { return instructions[i].name; });
    const InstructionId found = index != NameTable::kNone ? InstructionId(index) : InstructionId();
    if (!inside.isValid() || !found.isValid() || instruction(found).computation == inside)
        return found;
    const IndexRange range = computation(inside).instructions;
    for (uint32_t i = range.begin; i < range.end(); ++i) {
        if (instructions[i].name == wanted)
            return InstructionId(i);
    }
    return {};
}

ComputationId HloModule::findComputation(std::string_view wanted) const
{
    const uint32_t index =
        m_computationByName.find(wanted, hashName(wanted), [this](uint32_t i) { return computations[i].name; });
    return index != NameTable::kNone ? ComputationId(index) : ComputationId();
}

OpMetadata HloModule::metadata(InstructionId id) const
{
    const std::optional<std::string_view> text = attribute(id, "metadata");
    return text ? parseOpMetadata(*text) : OpMetadata();
}

std::vector<StackFrame> HloModule::stack(InstructionId id) const
{
    std::vector<StackFrame> frames;
    StackFrameId next = metadata(id).stackFrame;
    while (next.isValid() && next.index() < stackFrames.size() && frames.size() < kMaxStackDepth) {
        frames.push_back(stackFrames[next.index()]);
        next = frames.back().parent;
    }
    return frames;
}

const Sharding* HloModule::sharding(InstructionId id) const
{
    const ShardingId found = lookUp(m_shardingOf, id);
    return found.isValid() ? &shardings[found.index()] : nullptr;
}

const ReplicaGroups* HloModule::replicaGroups(InstructionId id) const
{
    const ReplicaGroupsId found = lookUp(m_replicaGroupsOf, id);
    return found.isValid() ? &replicaGroupLists[found.index()] : nullptr;
}

int64_t HloModule::parameterNumber(InstructionId id) const
{
    const HloInstruction& op = instruction(id);
    int64_t number = -1;
    if (op.opcode != Opcode::Parameter)
        return -1;
    const auto result = std::from_chars(op.payload.data(), op.payload.data() + op.payload.size(), number);
    return result.ec == std::errc() && number >= 0 ? number : -1;
}

void HloModule::finish()
{
    indexNames();
    indexUsers();
    indexCallers();
    indexParsedAttributes();
}

void HloModule::indexNames()
{
    m_instructionByName = NameTable();
    m_instructionByName.reserve(instructions.size());
    const auto instructionName = [this](uint32_t i) { return instructions[i].name; };
    for (uint32_t i = 0; i < instructions.size(); ++i) {
        const std::string_view text = instructions[i].name;
        m_instructionByName.insert(text, hashName(text), i, instructionName);
    }
    m_computationByName = NameTable();
    m_computationByName.reserve(computations.size());
    const auto computationName = [this](uint32_t i) { return computations[i].name; };
    for (uint32_t i = 0; i < computations.size(); ++i) {
        const std::string_view text = computations[i].name;
        m_computationByName.insert(text, hashName(text), i, computationName);
    }
}

// Two passes over the operands: count the users of each instruction, then fill. `lastUser` leaves out the second
// mention of the same user, as in add(x, x).
void HloModule::indexUsers()
{
    constexpr uint32_t kNobody = UINT32_MAX;
    std::vector<uint32_t> lastUser(instructions.size(), kNobody);
    for (HloInstruction& op : instructions)
        op.users = {};
    for (uint32_t i = 0; i < instructions.size(); ++i) {
        for (const InstructionId operand : operands(InstructionId(i))) {
            if (std::exchange(lastUser[operand.index()], i) != i)
                ++instructions[operand.index()].users.count;
        }
    }
    uint32_t total = 0;
    for (HloInstruction& op : instructions) {
        op.users.begin = total;
        total += std::exchange(op.users.count, 0);
    }
    userPool.resize(total);
    std::fill(lastUser.begin(), lastUser.end(), kNobody);
    for (uint32_t i = 0; i < instructions.size(); ++i) {
        for (const InstructionId operand : operands(InstructionId(i))) {
            if (std::exchange(lastUser[operand.index()], i) == i)
                continue;
            IndexRange& range = instructions[operand.index()].users;
            userPool[range.end()] = InstructionId(i);
            ++range.count;
        }
    }
}

void HloModule::indexCallers()
{
    m_callers.clear();
    for (uint32_t i = 0; i < instructions.size(); ++i) {
        for (const ComputationId callee : called(InstructionId(i)))
            m_callers.emplace_back(callee, InstructionId(i));
    }
    std::sort(m_callers.begin(), m_callers.end());
    m_callers.erase(std::unique(m_callers.begin(), m_callers.end()), m_callers.end());
}

// Reads the values of one attribute, each distinct text once.
template <class Value, class Id, class Parse>
static void indexAttribute(HloModule& module, std::string_view key, std::vector<Value>& values,
                           std::vector<std::pair<InstructionId, Id>>& byInstruction, const Parse& parse)
{
    std::vector<std::string_view> texts;
    std::vector<Id> ids;
    NameTable known;
    values.clear();
    byInstruction.clear();
    for (uint32_t i = 0; i < module.instructions.size(); ++i) {
        const HloInstruction& op = module.instructions[i];
        for (uint32_t a = op.attributes.begin; a < op.attributes.end(); ++a) {
            const Attribute& attribute = module.attributePool[a];
            if (attribute.key != key)
                continue;
            const auto next = static_cast<uint32_t>(texts.size());
            texts.push_back(attribute.value);
            const uint32_t found =
                known.insert(attribute.value, hashName(attribute.value), next, [&](uint32_t t) { return texts[t]; });
            if (found != next) {
                texts.pop_back();
            } else if (auto value = parse(attribute.value)) {
                ids.emplace_back(values.size());
                values.push_back(std::move(*value));
            } else {
                ids.emplace_back();
                Diagnostic diagnostic = value.error();
                diagnostic.file = module.source != nullptr ? module.source->path() : std::string();
                diagnostic.severity = Severity::Warning;
                diagnostic.message += " of " + std::string(op.name);
                diagnostic.line = op.line;
                diagnostic.column = 0;
                module.problems.add(std::move(diagnostic));
            }
            if (ids[found].isValid())
                byInstruction.emplace_back(InstructionId(i), ids[found]);
        }
    }
}

namespace {

// A few characters can stand for very many devices, so the sum of them is limited for a module.
class DeviceBudget {
public:
    bool isUsedUp() const { return m_left == 0; }
    void spend(const Sharding& sharding)
    {
        spend(sharding.devices.size() + sharding.mesh.deviceIds.size());
        for (const Sharding& element : sharding.elements)
            spend(element);
    }
    void spend(const ReplicaGroups& groups) { spend(groups.mesh.deviceIds.size()); }

private:
    void spend(size_t devices) { m_left -= std::min(m_left, devices); }

    size_t m_left = size_t(1) << 24;
};

template <class Value>
Expected<Value> parseWithin(DeviceBudget& budget, Expected<Value> (*parse)(std::string_view), std::string_view text)
{
    if (budget.isUsedUp())
        return makeError("", "too many devices in the shardings of this module to read that");
    Expected<Value> value = parse(text);
    if (value)
        budget.spend(*value);
    return value;
}

} // namespace

void HloModule::indexParsedAttributes()
{
    DeviceBudget budget;
    indexAttribute(*this, "sharding", shardings, m_shardingOf,
                   [&](std::string_view text) { return parseWithin(budget, parseSharding, text); });
    indexAttribute(*this, "replica_groups", replicaGroupLists, m_replicaGroupsOf,
                   [&](std::string_view text) { return parseWithin(budget, parseReplicaGroups, text); });
}

} // namespace hloscope
