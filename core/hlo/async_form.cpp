// SPDX-License-Identifier: Apache-2.0
#include "core/hlo/async_form.h"

#include <algorithm>

namespace hloscope {
namespace {

// The start that an update or done leads back to.
InstructionId startOf(const HloModule& module, InstructionId id)
{
    for (;;) {
        const HloInstruction& op = module.instruction(id);
        if ((op.opcode != Opcode::AsyncDone && op.opcode != Opcode::AsyncUpdate) || op.operands.empty())
            return id;
        id = module.operands(id).front();
    }
}

std::string_view suffixOf(Opcode opcode)
{
    return opcode == Opcode::AsyncStart ? "-start" : opcode == Opcode::AsyncUpdate ? "-update" : "-done";
}

} // namespace

bool belongsToAsyncOp(std::string_view key)
{
    constexpr std::string_view kKeys[] = {"async_execution_thread",
                                          "sharding",
                                          "frontend_attributes",
                                          "control-predecessors",
                                          "statistics",
                                          "origin",
                                          "metadata",
                                          "backend_config"};
    return std::find(std::begin(kKeys), std::end(kKeys), key) != std::end(kKeys);
}

bool isExpressedBySugar(const HloModule& module, ComputationId id)
{
    const HloComputation& computation = module.computation(id);
    const IndexRange range = computation.instructions;
    for (uint32_t i = range.begin; i < range.end(); ++i) {
        if (InstructionId(i) != computation.root && module.instructions[i].opcode != Opcode::Parameter)
            return false;
    }
    const std::vector<InstructionId> callers = module.callers(id);
    return !callers.empty() && std::all_of(callers.begin(), callers.end(), [&](InstructionId caller) {
        return module.instruction(caller).opcode == Opcode::AsyncStart;
    });
}

AsyncLine sugaredLine(const HloModule& module, InstructionId id)
{
    const HloInstruction& op = module.instruction(id);
    const std::span<const Attribute> own = module.attributesOf(id);
    AsyncLine line{std::string(op.opcodeText), {own.begin(), own.end()}, {}};
    const InstructionId start = startOf(module, id);
    const std::span<const ComputationId> called = module.called(start);
    if (op.isSugaredAsync() || called.empty() || !isExpressedBySugar(module, called[0]))
        return line;
    const InstructionId wrapped = module.computation(called[0]).root;
    line.opcode.assign(opcodeName(module.instruction(wrapped).opcode)).append(suffixOf(op.opcode));
    if (op.opcode != Opcode::AsyncStart)
        return line;
    line.attributes.clear();
    // The thread first, then what the wrapped op says, then what is left of the start.
    for (const Attribute& attribute : own) {
        if (attribute.key == "async_execution_thread")
            line.attributes.push_back(attribute);
    }
    for (const Attribute& attribute : module.attributesOf(wrapped)) {
        if (attribute.key != "metadata" && attribute.key != "backend_config")
            line.attributes.push_back(attribute);
    }
    for (const Attribute& attribute : own) {
        if (attribute.key != "async_execution_thread" && attribute.key != "calls")
            line.attributes.push_back(attribute);
    }
    return line;
}

AsyncLine plainLine(const HloModule& module, InstructionId id)
{
    const HloInstruction& op = module.instruction(id);
    AsyncLine line{std::string(opcodeName(op.opcode)), {}, {}};
    const std::span<const ComputationId> called = module.called(id);
    if (op.isSugaredAsync() && !called.empty())
        line.calls = '%' + std::string(module.computation(called[0]).name);
    bool callsPlaced = line.calls.empty();
    const auto placeCalls = [&] {
        if (!callsPlaced)
            line.attributes.push_back({"calls", line.calls});
        callsPlaced = true;
    };
    for (const Attribute& attribute : module.attributesOf(id)) {
        if (op.isSugaredAsync() && !belongsToAsyncOp(attribute.key))
            continue;
        if (attribute.key != "async_execution_thread")
            placeCalls();
        line.attributes.push_back(attribute);
    }
    placeCalls();
    return line;
}

} // namespace hloscope
