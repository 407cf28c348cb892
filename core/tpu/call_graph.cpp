// SPDX-License-Identifier: Apache-2.0
#include "core/tpu/call_graph.h"

namespace hloscope {

namespace {

enum class State : uint8_t { New, Open, Done };

struct Frame {
    ComputationId computation;
    std::vector<ComputationId> callees;
    size_t next = 0;
};

Frame frameFor(const HloModule& module, ComputationId id)
{
    Frame frame{id, {}, 0};
    const IndexRange range = module.computation(id).instructions;
    for (uint32_t i = range.begin; i < range.end(); ++i) {
        const std::span<const ComputationId> called = module.called(InstructionId(i));
        frame.callees.insert(frame.callees.end(), called.begin(), called.end());
    }
    return frame;
}

} // namespace

std::optional<WhileComputations> whileComputations(const HloModule& module, InstructionId id)
{
    const auto called = module.called(id);
    if (module.instruction(id).opcode != Opcode::While || called.size() != 2)
        return std::nullopt;
    // The text may name them in either order.
    std::string_view body = module.attribute(id, "body").value_or("");
    if (body.starts_with('%'))
        body.remove_prefix(1);
    const bool isBodyFirst = module.computation(called[0]).name == body;
    return WhileComputations{called[isBodyFirst ? 1 : 0], called[isBodyFirst ? 0 : 1]};
}

CallOrder callOrder(const HloModule& module)
{
    const size_t count = module.computations.size();
    CallOrder order;
    order.rank.assign(count, 0);
    std::vector<State> states(count, State::New);
    std::vector<Frame> stack;
    const auto enter = [&](ComputationId id) {
        states[id.index()] = State::Open;
        stack.push_back(frameFor(module, id));
    };
    for (size_t start = 0; start < count; ++start) {
        if (states[start] == State::New)
            enter(ComputationId(start));
        while (!stack.empty()) {
            Frame& frame = stack.back();
            if (frame.next == frame.callees.size()) {
                states[frame.computation.index()] = State::Done;
                order.rank[frame.computation.index()] = static_cast<uint32_t>(order.calleesFirst.size());
                order.calleesFirst.push_back(frame.computation);
                stack.pop_back();
                continue;
            }
            const ComputationId callee = frame.callees[frame.next++];
            if (!callee.isValid())
                continue;
            if (states[callee.index()] == State::Open)
                ++order.cyclicCalls;
            else if (states[callee.index()] == State::New)
                enter(callee); // invalidates `frame`
        }
    }
    return order;
}

} // namespace hloscope
