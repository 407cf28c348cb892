// SPDX-License-Identifier: Apache-2.0
#include "core/tpu/collective_cost.h"

#include "core/tpu/tpu_config.h"
#include "core/tpu/value_size.h"

#include <algorithm>

namespace hloscope {

namespace {

std::optional<CollectiveKind> kindOf(Opcode opcode)
{
    switch (opcode) {
    case Opcode::AllGather:
    case Opcode::AllGatherStart:
        return CollectiveKind::AllGather;
    case Opcode::AllReduce:
    case Opcode::AllReduceStart:
        return CollectiveKind::AllReduce;
    case Opcode::ReduceScatter:
        return CollectiveKind::ReduceScatter;
    case Opcode::AllToAll:
    case Opcode::RaggedAllToAll:
        return CollectiveKind::AllToAll;
    case Opcode::CollectivePermute:
    case Opcode::CollectivePermuteStart:
        return CollectiveKind::Permute;
    case Opcode::CollectiveBroadcast:
        return CollectiveKind::Broadcast;
    default:
        return std::nullopt;
    }
}

double operandBytes(const HloModule& module, InstructionId id)
{
    double bytes = 0;
    for (InstructionId operand : module.operands(id))
        bytes += ValueSizes::leafBytes(module.shape(operand));
    return bytes;
}

double movedBytes(const HloModule& module, InstructionId id, CollectiveKind kind, int64_t groupSize)
{
    // Each member brings one part of the whole there.
    const bool isInParts = kind == CollectiveKind::AllGather || kind == CollectiveKind::AllToAll;
    return operandBytes(module, id) * (isInParts ? static_cast<double>(groupSize) : 1);
}

// Everyone takes part where the text names no groups.
int64_t groupSizeOf(const HloModule& module, InstructionId id)
{
    const int64_t partitions = std::max<int64_t>(1, module.numPartitions);
    const int64_t replicas = std::max<int64_t>(1, module.replicaCount);
    int64_t devices = 0;
    if (__builtin_mul_overflow(partitions, replicas, &devices))
        devices = partitions;
    const ReplicaGroups* groups = module.replicaGroups(id);
    return std::max<int64_t>(1, groups ? groups->sizeOfGroups(devices) : devices);
}

// Axes from the algorithm that libtpu chose, if they make up the group.
std::vector<int64_t> axesOf(const HloModule& module, InstructionId id, InstructionId outer, int64_t groupSize)
{
    for (InstructionId source : {outer, id}) {
        const auto config = module.attribute(source, "backend_config");
        if (!config)
            continue;
        std::vector<int64_t> axes = parseCollectiveAxes(*config);
        double product = 1;
        for (int64_t size : axes)
            product *= static_cast<double>(size);
        if (!axes.empty() && product == static_cast<double>(groupSize))
            return axes;
    }
    return {};
}

Collective describe(const HloModule& module, InstructionId id, InstructionId outer, CollectiveKind kind)
{
    Collective result;
    result.kind = kind;
    result.groupSize = groupSizeOf(module, id);
    result.bytes = movedBytes(module, id, kind, result.groupSize);
    result.axes = axesOf(module, id, outer, result.groupSize);
    return result;
}

bool isSlicedAfterwards(const HloModule& module, InstructionId id)
{
    const auto users = module.users(id);
    return std::any_of(users.begin(), users.end(),
                       [&](InstructionId user) { return module.instruction(user).opcode == Opcode::DynamicSlice; });
}

double hopsOf(const std::vector<int64_t>& axes, bool wraps)
{
    int64_t hops = 0;
    for (int64_t size : axes)
        hops += wraps ? size / 2 : size - 1;
    return static_cast<double>(hops);
}

} // namespace

std::optional<Collective> collectiveOf(const HloModule& module, InstructionId id)
{
    const HloInstruction& instruction = module.instruction(id);
    if (const auto kind = kindOf(instruction.opcode))
        return describe(module, id, id, *kind);
    const bool isCustomFusion = instruction.opcode == Opcode::Fusion && module.attribute(id, "kind") == "kCustom";
    const auto called = module.called(id);
    if (called.empty() || (!isCustomFusion && instruction.opcode != Opcode::AsyncStart))
        return std::nullopt;
    if (parseContinuation(module.attribute(id, "backend_config").value_or("")))
        return std::nullopt;
    const IndexRange body = module.computation(called[0]).instructions;
    for (uint32_t i = body.begin; i < body.end(); ++i) {
        const InstructionId inner(i);
        auto kind = kindOf(module.instruction(inner).opcode);
        if (!kind)
            continue;
        if (*kind == CollectiveKind::AllReduce && isCustomFusion && isSlicedAfterwards(module, inner))
            kind = CollectiveKind::ReduceScatter;
        return describe(module, inner, id, *kind);
    }
    return std::nullopt;
}

bool axisWraps(const ChipSpec& chip, int64_t size)
{
    if (chip.torusDimensions == 3)
        return size >= 4 && size % 4 == 0;
    return size == (chip.id == "v3" ? 32 : 16);
}

std::optional<CollectiveTime> collectiveTime(const Collective& collective, const ChipSpec& chip)
{
    CollectiveTime time;
    const auto members = static_cast<double>(collective.groupSize);
    if (collective.groupSize <= 1 && collective.kind != CollectiveKind::Permute)
        return time; // alone in its group: nothing moves
    if (!chip.iciLinkBytesPerSecond.hasValue() || *chip.iciLinkBytesPerSecond <= 0)
        return std::nullopt;
    const double link = *chip.iciLinkBytesPerSecond;
    const double hop = chip.iciHopSeconds.value.value_or(0);
    const std::vector<int64_t> axes =
        collective.axes.empty() ? std::vector<int64_t>{collective.groupSize} : collective.axes;
    const bool wraps = std::all_of(axes.begin(), axes.end(), [&](int64_t size) { return axisWraps(chip, size); });
    const double rate = link * (wraps ? 2 : 1) * static_cast<double>(axes.size());
    const double share = (members - 1) / members;

    time.latencySeconds = hop * hopsOf(axes, wraps);
    switch (collective.kind) {
    case CollectiveKind::AllGather:
    case CollectiveKind::ReduceScatter:
        time.sentBytes = collective.bytes * share;
        time.bandwidthSeconds = time.sentBytes / rate;
        break;
    case CollectiveKind::AllReduce:
        time.sentBytes = 2 * collective.bytes * share;
        time.bandwidthSeconds = time.sentBytes / rate;
        time.latencySeconds *= 2;
        break;
    case CollectiveKind::AllToAll:
        time.sentBytes = collective.bytes / members * share;
        time.bandwidthSeconds = collective.bytes / (4 * rate);
        break;
    case CollectiveKind::Permute:
        time.sentBytes = collective.bytes;
        time.bandwidthSeconds = collective.bytes / link;
        time.latencySeconds = hop;
        break;
    case CollectiveKind::Broadcast:
        time.sentBytes = collective.bytes;
        time.bandwidthSeconds = collective.bytes / link;
        break;
    }
    return time;
}

} // namespace hloscope
