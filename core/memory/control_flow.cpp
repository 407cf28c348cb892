// SPDX-License-Identifier: Apache-2.0
#include "core/memory/control_flow.h"

#include <algorithm>
#include <charconv>

namespace hloscope {

namespace {

ComputationId namedComputation(const HloModule& module, InstructionId id, std::string_view key)
{
    std::optional<std::string_view> name = module.attribute(id, key);
    if (!name)
        return {};
    if (name->starts_with('%'))
        name->remove_prefix(1);
    const ComputationId found = module.findComputation(*name);
    const auto called = module.called(id);
    return std::ranges::find(called, found) != called.end() ? found : ComputationId();
}

// The same type and dimensions; layouts do not count.
bool isCompatible(const Shape& a, const Shape& b)
{
    if (a.elementType != b.elementType || a.elements.size() != b.elements.size() || a.dimensions != b.dimensions)
        return false;
    for (size_t i = 0; i < a.elements.size(); ++i) {
        if (!isCompatible(a.elements[i], b.elements[i]))
            return false;
    }
    return true;
}

struct CallGraphCheck {
    static constexpr int kOpen = -1;

    const HloModule& module;
    std::vector<int> heights; // by ComputationId: levels of calls below and with it, 0 when not seen yet
    std::optional<Diagnostic> problem;

    int heightOf(ComputationId id, int depth)
    {
        int& height = heights[id.index()];
        if (height > 0)
            return height;
        height = kOpen;
        int levels = 1;
        const IndexRange range = module.computation(id).instructions;
        for (uint32_t i = range.begin; i < range.end() && !problem; ++i) {
            for (const ComputationId callee : module.called(InstructionId(i))) {
                if (heights[callee.index()] == kOpen) {
                    report(i, "the computation '" + std::string(module.computation(callee).name) + "' calls itself");
                    break;
                }
                // The depth bounds our own recursion, the height what was already seen from elsewhere.
                levels = std::max(levels, depth < kMaxCallDepth ? heightOf(callee, depth + 1) + 1 : kMaxCallDepth + 1);
                if (levels > kMaxCallDepth && !problem)
                    report(i, "computations call each other deeper than 500 levels");
                if (problem)
                    break;
            }
        }
        return heights[id.index()] = levels;
    }

    void report(uint32_t instruction, std::string message)
    {
        problem = makeError(module.source ? module.source->path() : std::string(), std::move(message));
        problem->line = module.instructions[instruction].line;
        problem->column = problem->line > 0 ? 1 : 0;
    }
};

} // namespace

WhileParts whileParts(const HloModule& module, InstructionId whileOp)
{
    WhileParts parts{namedComputation(module, whileOp, "condition"), namedComputation(module, whileOp, "body")};
    const auto called = module.called(whileOp);
    // Modules read from protobuf have no attribute text: there the condition comes second.
    if (!parts.condition.isValid() && !parts.body.isValid() && called.size() == 2)
        parts = {called[1], called[0]};
    return parts;
}

bool runsComputations(Opcode opcode)
{
    return opcode == Opcode::While || opcode == Opcode::Conditional || opcode == Opcode::Call
        || opcode == Opcode::AsyncStart;
}

std::vector<ComputationId> runComputations(const HloModule& module, InstructionId id)
{
    const auto called = module.called(id);
    switch (module.instruction(id).opcode) {
    case Opcode::While: {
        const WhileParts parts = whileParts(module, id);
        std::vector<ComputationId> order;
        for (const ComputationId part : {parts.condition, parts.body}) {
            if (part.isValid())
                order.push_back(part);
        }
        return order;
    }
    case Opcode::Conditional: {
        const ComputationId onTrue = namedComputation(module, id, "true_computation");
        const ComputationId onFalse = namedComputation(module, id, "false_computation");
        if (onTrue.isValid() && onFalse.isValid())
            return {onTrue, onFalse};
        return {called.begin(), called.end()};
    }
    case Opcode::Call:
    case Opcode::AsyncStart:
        if (called.empty())
            return {};
        return {called.front()};
    default:
        return {};
    }
}

std::optional<Diagnostic> checkCallGraph(const HloModule& module)
{
    CallGraphCheck check{module, std::vector<int>(module.computations.size(), 0), std::nullopt};
    for (size_t i = 0; i < module.computations.size() && !check.problem; ++i)
        check.heightOf(ComputationId(i), 1);
    return check.problem;
}

int64_t tupleElementIndex(const HloModule& module, InstructionId id)
{
    const std::optional<std::string_view> text = module.attribute(id, "index");
    int64_t index = 0;
    if (text)
        std::from_chars(text->data(), text->data() + text->size(), index);
    return index;
}

bool AsyncChains::Chain::isFinished(const HloModule& module) const
{
    return module.instruction(ops.back()).opcode == Opcode::AsyncDone;
}

AsyncChains::AsyncChains(const HloModule& module) : m_module(module)
{
    const auto continues = [&module](InstructionId user, InstructionId previous) {
        const Opcode opcode = module.instruction(user).opcode;
        if (opcode != Opcode::AsyncUpdate && opcode != Opcode::AsyncDone)
            return false;
        const auto operands = module.operands(user);
        return !operands.empty() && operands.front() == previous;
    };
    for (uint32_t i = 0; i < module.instructions.size(); ++i) {
        if (module.instructions[i].opcode != Opcode::AsyncStart || module.called(InstructionId(i)).empty())
            continue;
        if (m_chainOf.empty())
            m_chainOf.assign(module.instructions.size(), -1);
        Chain chain{{InstructionId(i)}, module.called(InstructionId(i)).front()};
        m_chainOf[i] = static_cast<int32_t>(m_chains.size());
        for (bool grows = true; grows;) {
            grows = false;
            const InstructionId last = chain.ops.back();
            for (const InstructionId user : module.users(last)) {
                if (continues(user, last) && m_chainOf[user.index()] < 0) {
                    m_chainOf[user.index()] = static_cast<int32_t>(m_chains.size());
                    chain.ops.push_back(user);
                    grows = module.instruction(user).opcode != Opcode::AsyncDone;
                    break;
                }
            }
        }
        m_chains.push_back(std::move(chain));
    }
}

const AsyncChains::Chain* AsyncChains::of(InstructionId id) const
{
    if (m_chainOf.empty() || m_chainOf[id.index()] < 0)
        return nullptr;
    return &m_chains[static_cast<size_t>(m_chainOf[id.index()])];
}

std::vector<InstructionId> AsyncChains::boundOperands(InstructionId id) const
{
    std::vector<InstructionId> bound;
    const Chain* chain = of(id);
    if (!chain)
        return bound;
    for (const InstructionId op : chain->ops) {
        const auto operands = m_module.operands(op);
        const size_t skipped = m_module.instruction(op).opcode == Opcode::AsyncStart ? 0 : 1;
        if (operands.size() > skipped)
            bound.insert(bound.end(), operands.begin() + static_cast<ptrdiff_t>(skipped), operands.end());
        if (op == id)
            break;
    }
    return bound;
}

InstructionId AsyncChains::firstFullyBound(const Chain& chain) const
{
    for (const InstructionId op : chain.ops) {
        if (isFullyBound(op, chain))
            return op;
    }
    return {};
}

// Element {0} of the op's tuple must be the parameters of the wrapped computation, element {1} its result. A done has
// no such tuple: the one of its operand and its own shape stand in.
bool AsyncChains::isFullyBound(InstructionId id, const Chain& chain) const
{
    const bool isDone = m_module.instruction(id).opcode == Opcode::AsyncDone;
    const Shape& context = m_module.shape(isDone ? m_module.operands(id).front() : id);
    if (!context.isTuple() || context.elements.size() < 2)
        return false;
    const std::vector<InstructionId> parameters = m_module.parameters(chain.wrapped);
    const Shape& bound = context.elements[0];
    if (!bound.isTuple() || bound.elements.size() != parameters.size())
        return false;
    for (size_t i = 0; i < parameters.size(); ++i) {
        if (!parameters[i].isValid() || !isCompatible(bound.elements[i], m_module.shape(parameters[i])))
            return false;
    }
    const InstructionId root = m_module.computation(chain.wrapped).root;
    return root.isValid() && isCompatible(isDone ? m_module.shape(id) : context.elements[1], m_module.shape(root));
}

} // namespace hloscope
