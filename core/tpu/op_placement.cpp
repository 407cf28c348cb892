// SPDX-License-Identifier: Apache-2.0
#include "core/tpu/op_placement.h"

#include "core/hlo/op_category.h"

namespace hloscope {

namespace {

constexpr int64_t kHostSpace = 5; // S(5): pinned host memory

bool touchesHost(const Shape& shape)
{
    if (!shape.isTuple())
        return shape.memorySpace() == kHostSpace;
    for (const Shape& element : shape.elements) {
        if (touchesHost(element))
            return true;
    }
    return false;
}

bool isHostTransfer(const HloModule& module, InstructionId id)
{
    return module.attribute(id, "is_host_transfer") == "true";
}

Lane laneOfAsync(const HloModule& module, const AsyncChains::Chain& chain)
{
    std::string_view thread = module.computation(chain.wrapped).executionThread;
    if (thread.empty())
        thread = module.attribute(chain.ops.front(), "async_execution_thread").value_or(std::string_view());
    if (thread.find("sparsecore") != std::string_view::npos)
        return Lane::SparseCore;
    if (thread.find("host") != std::string_view::npos || touchesHost(module.shape(chain.ops.front())))
        return Lane::Host;
    return categorize(module, chain.ops.front()) == OpCategory::Collective ? Lane::Ici : Lane::Dma;
}

OpPlacement placeAsync(const HloModule& module, const AsyncChains& chains, InstructionId id)
{
    const AsyncChains::Chain* chain = chains.of(id);
    if (!chain) {
        return {module.instruction(id).opcode == Opcode::AsyncDone ? OpRole::Done : OpRole::Free, Lane::Core, {}};
    }
    if (module.instruction(id).opcode == Opcode::AsyncDone)
        return {OpRole::Done, Lane::Core, chain->ops.front()};
    // A start that gets its operands later begins with the update that brings them.
    const InstructionId bound = chains.firstFullyBound(*chain);
    const InstructionId first = bound.isValid() ? bound : chain->ops.front();
    if (first != id)
        return {OpRole::Free, Lane::Core, {}};
    return {OpRole::Start, laneOfAsync(module, *chain), chain->ops.front()};
}

OpPlacement placeDone(const HloModule& module, InstructionId id, Opcode startOpcode)
{
    const auto operands = module.operands(id);
    const bool isKnown = !operands.empty() && module.instruction(operands.front()).opcode == startOpcode;
    return {OpRole::Done, Lane::Core, isKnown ? operands.front() : InstructionId()};
}

} // namespace

OpPlacement placementOf(const HloModule& module, const AsyncChains& chains, InstructionId id)
{
    switch (module.instruction(id).opcode) {
    case Opcode::AddDependency:
    case Opcode::AfterAll:
    case Opcode::Bitcast:
    case Opcode::Constant:
    case Opcode::Domain:
    case Opcode::GetTupleElement:
    case Opcode::OptBarrier:
    case Opcode::Parameter:
    case Opcode::Tuple:
        return {};
    case Opcode::While:
        return {OpRole::While, Lane::Core, {}};
    case Opcode::Conditional:
        return {OpRole::Conditional, Lane::Core, {}};
    case Opcode::Call:
        return {OpRole::Call, Lane::Core, {}};
    case Opcode::AsyncStart:
    case Opcode::AsyncUpdate:
    case Opcode::AsyncDone:
        return placeAsync(module, chains, id);
    case Opcode::CopyStart:
        return {OpRole::Start, touchesHost(module.shape(id)) ? Lane::Host : Lane::Dma, id};
    case Opcode::AllGatherStart:
    case Opcode::AllReduceStart:
    case Opcode::CollectivePermuteStart:
        return {OpRole::Start, Lane::Ici, id};
    case Opcode::Send:
    case Opcode::Recv:
        return {OpRole::Start, isHostTransfer(module, id) ? Lane::Host : Lane::Ici, id};
    case Opcode::CopyDone:
        return placeDone(module, id, Opcode::CopyStart);
    case Opcode::AllGatherDone:
        return placeDone(module, id, Opcode::AllGatherStart);
    case Opcode::AllReduceDone:
        return placeDone(module, id, Opcode::AllReduceStart);
    case Opcode::CollectivePermuteDone:
        return placeDone(module, id, Opcode::CollectivePermuteStart);
    case Opcode::SendDone:
        return placeDone(module, id, Opcode::Send);
    case Opcode::RecvDone:
        return placeDone(module, id, Opcode::Recv);
    default:
        return {categorize(module, id) == OpCategory::Collective ? OpRole::RunCollective : OpRole::Run, Lane::Core, {}};
    }
}

} // namespace hloscope
