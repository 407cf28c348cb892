// SPDX-License-Identifier: Apache-2.0
#include "core/tpu/xla_traversal.h"

#include <algorithm>

namespace hloscope {

namespace {

// Instructions of the same computation that `control-predecessors={%a, %b}` names.
std::vector<InstructionId> controlPredecessors(const HloModule& module, InstructionId id)
{
    std::vector<InstructionId> result;
    std::string_view names = module.attribute(id, "control-predecessors").value_or("");
    for (size_t begin = names.find_first_not_of("{}, %"); begin != std::string_view::npos;
         begin = names.find_first_not_of("{}, %")) {
        names.remove_prefix(begin);
        const size_t end = std::min(names.size(), names.find_first_of("}, "));
        result.push_back(module.findInstruction(names.substr(0, end), module.instruction(id).computation));
        names.remove_prefix(end);
    }
    return result;
}

class Traversal {
public:
    Traversal(const HloModule& module, ComputationId id)
        : m_range(module.computation(id).instructions)
        , m_predecessors(m_range.count)
        , m_states(m_range.count, State::New)
    {
        for (uint32_t i = 0; i < m_range.count; ++i) {
            const InstructionId instruction(m_range.begin + i);
            const auto operands = module.operands(instruction);
            m_predecessors[i] = controlPredecessors(module, instruction);
            m_predecessors[i].insert(m_predecessors[i].begin(), operands.begin(), operands.end());
            std::erase_if(m_predecessors[i], [&](InstructionId other) { return !isInside(other); });
        }
    }

    std::vector<InstructionId> run(InstructionId root)
    {
        std::vector<bool> isUsed(m_range.count);
        for (const std::vector<InstructionId>& list : m_predecessors) {
            for (InstructionId other : list)
                isUsed[local(other)] = true;
        }
        for (uint32_t i = 0; i < m_range.count; ++i) {
            const InstructionId instruction(m_range.begin + i);
            if (!isUsed[i] && instruction != root)
                visitFrom(instruction);
        }
        if (isInside(root))
            visitFrom(root);
        return std::move(m_order);
    }

private:
    enum class State : uint8_t { New, Open, Done };

    bool isInside(InstructionId id) const
    {
        return id.isValid() && id.index() >= m_range.begin && id.index() < m_range.end();
    }
    size_t local(InstructionId id) const { return id.index() - m_range.begin; }

    void visitFrom(InstructionId start)
    {
        std::vector<InstructionId> stack{start};
        while (!stack.empty()) {
            const InstructionId current = stack.back();
            State& state = m_states[local(current)];
            if (state == State::New) {
                state = State::Open;
                const std::vector<InstructionId>& before = m_predecessors[local(current)];
                std::copy_if(before.rbegin(), before.rend(), std::back_inserter(stack),
                             [&](InstructionId other) { return m_states[local(other)] == State::New; });
                continue;
            }
            stack.pop_back();
            if (state == State::Open) {
                state = State::Done;
                m_order.push_back(current);
            }
        }
    }

    IndexRange m_range;
    std::vector<std::vector<InstructionId>> m_predecessors; // by position in the computation
    std::vector<State> m_states;
    std::vector<InstructionId> m_order;
};

} // namespace

std::vector<InstructionId> xlaTraversal(const HloModule& module, ComputationId id)
{
    return Traversal(module, id).run(module.computation(id).root);
}

} // namespace hloscope
