// SPDX-License-Identifier: Apache-2.0
#include "core/hlo/attributes.h"
#include "core/tpu/call_graph.h"
#include "core/tpu/op_cost.h"

#include <charconv>

namespace hloscope {

namespace {

constexpr int kMaxDepth = 200; // of the expressions that are followed
constexpr int kMaxSteps = 20'000; // a value used twice at each level must not cost two to that power
constexpr int64_t kWhole = -1; // not an element of a tuple

// What a scalar is in terms of the loop's state: a constant, or an element of the state plus a constant.
struct Linear {
    int64_t element = kWhole; // kWhole: just the offset
    int64_t offset = 0;

    bool isConstant() const { return element == kWhole; }
};

// Where a parameter gets its value: from an operand of the fusion or call around it, or, without one, from the state.
struct Scope {
    InstructionId caller;
    const Scope* outer = nullptr;
};

class LoopReader {
public:
    LoopReader(const HloModule& module, InstructionId loop) : m_module(module), m_loop(loop) { }

    std::optional<int64_t> count();

private:
    std::optional<Linear> evaluate(InstructionId id, int64_t element, const Scope* scope, int depth);
    std::optional<Linear> evaluateSum(InstructionId id, const Scope* scope, int depth);
    std::optional<Linear> evaluateParameter(InstructionId id, int64_t element, const Scope* scope, int depth);
    // The side of the comparison before the first iteration, and what an iteration adds to it.
    struct Progression {
        int64_t start = 0;
        int64_t step = 0;
    };
    std::optional<Progression> progression(const Linear& side);
    std::optional<int64_t> countOf(std::string_view direction, __int128 start, __int128 step) const;

    const HloModule& m_module;
    InstructionId m_loop;
    ComputationId m_body;
    bool m_hasState = false; // parameters outside of any scope are the state of the loop
    int m_steps = 0;
};

std::optional<int64_t> integerLiteral(std::string_view text)
{
    int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

std::optional<int64_t> tupleIndex(const HloModule& module, InstructionId id)
{
    const auto text = module.attribute(id, "index");
    return text ? integerLiteral(*text) : std::nullopt;
}

std::optional<Linear> LoopReader::evaluateParameter(InstructionId id, int64_t element, const Scope* scope, int depth)
{
    if (scope) {
        const auto operands = m_module.operands(scope->caller);
        const int64_t number = m_module.parameterNumber(id);
        if (number < 0 || number >= static_cast<int64_t>(operands.size()))
            return std::nullopt;
        return evaluate(operands[static_cast<size_t>(number)], element, scope->outer, depth + 1);
    }
    if (!m_hasState || element == kWhole)
        return std::nullopt;
    return Linear{element, 0};
}

std::optional<Linear> LoopReader::evaluateSum(InstructionId id, const Scope* scope, int depth)
{
    const auto operands = m_module.operands(id);
    if (operands.size() != 2)
        return std::nullopt;
    auto left = evaluate(operands[0], kWhole, scope, depth + 1);
    auto right = evaluate(operands[1], kWhole, scope, depth + 1);
    if (!left || !right)
        return std::nullopt;
    if (m_module.instruction(id).opcode == Opcode::Subtract) {
        if (!right->isConstant() || right->offset == INT64_MIN)
            return std::nullopt;
        right->offset = -right->offset;
    }
    if (!left->isConstant() && !right->isConstant())
        return std::nullopt;
    Linear sum{left->isConstant() ? right->element : left->element, 0};
    if (__builtin_add_overflow(left->offset, right->offset, &sum.offset))
        return std::nullopt;
    return sum;
}

std::optional<Linear> LoopReader::evaluate(InstructionId id, int64_t element, const Scope* scope, int depth)
{
    if (!id.isValid() || depth > kMaxDepth || ++m_steps > kMaxSteps)
        return std::nullopt;
    const HloInstruction& instruction = m_module.instruction(id);
    const auto operands = m_module.operands(id);
    switch (instruction.opcode) {
    case Opcode::Constant: {
        const auto value = integerLiteral(instruction.payload);
        return value ? std::optional(Linear{kWhole, *value}) : std::nullopt;
    }
    case Opcode::Parameter:
        return evaluateParameter(id, element, scope, depth);
    case Opcode::GetTupleElement: {
        const auto index = tupleIndex(m_module, id);
        if (!index || *index < 0 || element != kWhole || operands.empty())
            return std::nullopt;
        return evaluate(operands[0], *index, scope, depth + 1);
    }
    case Opcode::Tuple:
        if (element < 0 || element >= static_cast<int64_t>(operands.size()))
            return std::nullopt;
        return evaluate(operands[static_cast<size_t>(element)], kWhole, scope, depth + 1);
    case Opcode::Fusion:
    case Opcode::Call: {
        const auto called = m_module.called(id);
        if (called.empty())
            return std::nullopt;
        const Scope inner{id, scope};
        return evaluate(m_module.computation(called[0]).root, element, &inner, depth + 1);
    }
    case Opcode::Add:
    case Opcode::Subtract:
        return element == kWhole ? evaluateSum(id, scope, depth) : std::nullopt;
    case Opcode::CopyStart: // its first element is the copy
        if (element > 0)
            return std::nullopt;
        [[fallthrough]];
    case Opcode::CopyDone:
        return operands.empty() ? std::nullopt : evaluate(operands[0], kWhole, scope, depth + 1);
    case Opcode::Bitcast:
    case Opcode::Broadcast: // scalars only meet trivial ones
    case Opcode::Convert:
    case Opcode::Copy:
    case Opcode::OptBarrier:
    case Opcode::Reshape:
        return operands.empty() ? std::nullopt : evaluate(operands[0], element, scope, depth + 1);
    default:
        return std::nullopt;
    }
}

std::optional<LoopReader::Progression> LoopReader::progression(const Linear& side)
{
    if (side.isConstant())
        return Progression{side.offset, 0};
    m_hasState = true;
    const auto next = evaluate(m_module.computation(m_body).root, side.element, nullptr, 0);
    if (!next || next->element != side.element)
        return std::nullopt;
    m_hasState = false;
    const auto operands = m_module.operands(m_loop);
    if (operands.empty())
        return std::nullopt;
    const auto initial = evaluate(operands[0], side.element, nullptr, 0);
    Progression result;
    if (!initial || !initial->isConstant() || __builtin_add_overflow(initial->offset, side.offset, &result.start))
        return std::nullopt;
    result.step = next->offset;
    return result;
}

// `start + n * step` against zero: the first n for which the comparison fails.
std::optional<int64_t> LoopReader::countOf(std::string_view direction, __int128 start, __int128 step) const
{
    if (direction == "GT" || direction == "GE") {
        start = -start;
        step = -step;
        direction = direction == "GT" ? "LT" : "LE";
    }
    if (direction == "LE") {
        start -= 1;
        direction = "LT";
    }
    if (direction == "LT") {
        if (start >= 0)
            return 0;
        if (step <= 0)
            return std::nullopt; // never ends
        const __int128 count = (-start + step - 1) / step;
        return count > INT64_MAX ? std::nullopt : std::optional(static_cast<int64_t>(count));
    }
    if (direction == "NE") {
        if (start == 0)
            return 0;
        if (step == 0 || start % step != 0 || -start / step < 0 || -start / step > INT64_MAX)
            return std::nullopt;
        return static_cast<int64_t>(-start / step);
    }
    if (direction == "EQ") {
        if (start != 0)
            return 0;
        return step != 0 ? std::optional<int64_t>(1) : std::nullopt;
    }
    return std::nullopt;
}

std::optional<int64_t> LoopReader::count()
{
    const auto computations = whileComputations(m_module, m_loop);
    if (!computations)
        return std::nullopt;
    m_body = computations->body;
    InstructionId root = m_module.computation(computations->condition).root;

    // The comparison may stand inside a fusion or two.
    std::vector<Scope> scopes;
    scopes.reserve(kMaxDepth);
    const Scope* scope = nullptr;
    while (root.isValid() && m_module.instruction(root).opcode != Opcode::Compare) {
        const Opcode opcode = m_module.instruction(root).opcode;
        const auto inner = m_module.called(root);
        if (scopes.size() >= kMaxDepth)
            return std::nullopt;
        if (opcode == Opcode::Fusion && !inner.empty()) {
            scopes.push_back(Scope{root, scope});
            scope = &scopes.back();
            root = m_module.computation(inner[0]).root;
        } else if ((opcode == Opcode::Copy || opcode == Opcode::Bitcast) && !m_module.operands(root).empty()) {
            root = m_module.operands(root)[0];
        } else {
            return std::nullopt;
        }
    }
    const auto operands = root.isValid() ? m_module.operands(root) : std::span<const InstructionId>();
    const auto direction = root.isValid() ? m_module.attribute(root, "direction") : std::nullopt;
    if (operands.size() != 2 || !direction)
        return std::nullopt;
    m_hasState = true;
    const auto left = evaluate(operands[0], kWhole, scope, 0);
    const auto right = evaluate(operands[1], kWhole, scope, 0);
    if (!left || !right)
        return std::nullopt;
    const auto from = progression(*left);
    const auto to = progression(*right);
    if (!from || !to)
        return std::nullopt;
    return countOf(*direction, static_cast<__int128>(from->start) - to->start,
                   static_cast<__int128>(from->step) - to->step);
}

} // namespace

std::optional<int64_t> tripCount(const HloModule& module, InstructionId whileOp)
{
    if (module.instruction(whileOp).opcode != Opcode::While)
        return std::nullopt;
    const auto config = module.attribute(whileOp, "backend_config");
    if (config && config->find("known_trip_count") != std::string_view::npos) {
        if (const auto known = parseTpuBackendConfig(*config).knownTripCount; known && *known >= 0)
            return known;
    }
    return LoopReader(module, whileOp).count();
}

} // namespace hloscope
