// SPDX-License-Identifier: Apache-2.0
#include "core/hlo/call_order.h"

namespace hloscope {
namespace {

enum class Mark : uint8_t { New, Open, Done };

// Depth-first walk over the calls with a stack of its own, as the depth comes from the file.
class CallWalk {
public:
    explicit CallWalk(HloModule& module) : m_module(module), m_marks(module.computations.size(), Mark::New) { }

    // Computations in the order in which they are completed: callees first.
    std::vector<ComputationId> order()
    {
        for (size_t i = 0; i < m_module.computations.size(); ++i)
            visit(ComputationId(i));
        return std::move(m_order);
    }
    std::vector<InstructionId> circular() { return std::move(m_circular); }

private:
    struct Step {
        ComputationId computation;
        uint32_t instruction; // the next one to look at
        uint32_t call; // and which of its calls
    };

    void visit(ComputationId id)
    {
        if (m_marks[id.index()] != Mark::New)
            return;
        std::vector<Step> stack;
        enter(stack, id);
        while (!stack.empty()) {
            Step& step = stack.back();
            const IndexRange range = m_module.computation(step.computation).instructions;
            if (step.instruction == range.end()) {
                m_marks[step.computation.index()] = Mark::Done;
                m_order.push_back(step.computation);
                stack.pop_back();
                continue;
            }
            const IndexRange calls = m_module.instructions[step.instruction].called;
            if (step.call == calls.count) {
                ++step.instruction;
                step.call = 0;
                continue;
            }
            ComputationId& callee = m_module.calledPool[calls.begin + step.call++];
            if (!callee.isValid())
                continue;
            if (m_marks[callee.index()] == Mark::Open) {
                m_circular.emplace_back(step.instruction);
                callee = {};
            } else if (m_marks[callee.index()] == Mark::New) {
                enter(stack, callee);
            }
        }
    }

    void enter(std::vector<Step>& stack, ComputationId id)
    {
        m_marks[id.index()] = Mark::Open;
        stack.push_back({id, m_module.computation(id).instructions.begin, 0});
    }

    HloModule& m_module;
    std::vector<Mark> m_marks;
    std::vector<ComputationId> m_order;
    std::vector<InstructionId> m_circular;
};

void dropInvalidCalls(HloModule& module)
{
    for (HloInstruction& op : module.instructions) {
        uint32_t kept = 0;
        for (uint32_t i = op.called.begin; i < op.called.end(); ++i) {
            if (module.calledPool[i].isValid())
                module.calledPool[op.called.begin + kept++] = module.calledPool[i];
        }
        op.called.count = kept;
    }
}

// Moves the computations, with their instructions, into the given order.
std::vector<uint32_t> permute(HloModule& module, const std::vector<ComputationId>& order)
{
    std::vector<ComputationId> newId(order.size());
    std::vector<uint32_t> newInstruction(module.instructions.size());
    std::vector<HloComputation> computations;
    std::vector<HloInstruction> instructions;
    computations.reserve(order.size());
    instructions.reserve(module.instructions.size());
    for (size_t i = 0; i < order.size(); ++i) {
        newId[order[i].index()] = ComputationId(i);
        HloComputation computation = module.computation(order[i]);
        const IndexRange old = computation.instructions;
        computation.instructions.begin = static_cast<uint32_t>(instructions.size());
        for (uint32_t k = old.begin; k < old.end(); ++k) {
            newInstruction[k] = static_cast<uint32_t>(instructions.size());
            instructions.push_back(module.instructions[k]);
            instructions.back().computation = ComputationId(i);
        }
        computation.root = InstructionId(newInstruction[computation.root.index()]);
        computations.push_back(computation);
    }
    module.computations = std::move(computations);
    module.instructions = std::move(instructions);
    for (const HloInstruction& op : module.instructions) {
        for (uint32_t i = op.operands.begin; i < op.operands.end(); ++i)
            module.operandPool[i] = InstructionId(newInstruction[module.operandPool[i].index()]);
        for (uint32_t i = op.called.begin; i < op.called.end(); ++i)
            module.calledPool[i] = newId[module.calledPool[i].index()];
    }
    return newInstruction;
}

} // namespace

std::vector<InstructionId> orderByCalls(HloModule& module)
{
    CallWalk walk(module);
    const std::vector<ComputationId> order = walk.order();
    std::vector<InstructionId> circular = walk.circular();
    dropInvalidCalls(module);
    bool inOrder = true;
    for (size_t i = 0; i < order.size(); ++i)
        inOrder = inOrder && order[i].index() == i;
    if (inOrder)
        return circular;
    const std::vector<uint32_t> newInstruction = permute(module, order);
    for (InstructionId& id : circular)
        id = InstructionId(newInstruction[id.index()]);
    return circular;
}

} // namespace hloscope
