// SPDX-License-Identifier: Apache-2.0
#include "core/memory/post_order.h"

#include <algorithm>

namespace hloscope {

namespace {

enum class Mark : uint8_t { None, Open, Done };

// Names in `control-predecessors={%a, %b}`.
void appendControlPredecessors(const HloModule& module, InstructionId id, ComputationId inside,
                               std::vector<InstructionId>& out)
{
    std::optional<std::string_view> text = module.attribute(id, "control-predecessors");
    if (!text)
        return;
    constexpr std::string_view kSeparators = "{}, %";
    size_t begin = text->find_first_not_of(kSeparators);
    while (begin != std::string_view::npos) {
        const size_t end = std::min(text->find_first_of(kSeparators, begin), text->size());
        const InstructionId found = module.findInstruction(text->substr(begin, end - begin), inside);
        if (found.isValid() && module.instruction(found).computation == inside)
            out.push_back(found);
        begin = text->find_first_not_of(kSeparators, end);
    }
}

} // namespace

std::vector<InstructionId> postOrder(const HloModule& module, ComputationId id)
{
    const IndexRange range = module.computation(id).instructions;
    std::vector<Mark> marks(range.count, Mark::None);
    std::vector<InstructionId> order;
    order.reserve(range.count);
    std::vector<InstructionId> stack;
    std::vector<InstructionId> predecessors;
    for (uint32_t i = range.begin; i < range.end(); ++i) {
        if (module.instructions[i].users.count > 0)
            continue;
        stack.push_back(InstructionId(i));
        while (!stack.empty()) {
            const InstructionId top = stack.back();
            Mark& mark = marks[top.index() - range.begin];
            if (mark != Mark::None) {
                stack.pop_back();
                if (mark == Mark::Open) {
                    mark = Mark::Done;
                    order.push_back(top);
                }
                continue;
            }
            mark = Mark::Open;
            const auto operands = module.operands(top);
            predecessors.assign(operands.rbegin(), operands.rend());
            appendControlPredecessors(module, top, id, predecessors);
            for (const InstructionId predecessor : predecessors) {
                if (module.instruction(predecessor).computation == id
                    && marks[predecessor.index() - range.begin] != Mark::Done)
                    stack.push_back(predecessor);
            }
        }
    }
    return order;
}

} // namespace hloscope
