// SPDX-License-Identifier: Apache-2.0
#include "core/tpu/vector_work.h"

#include "core/hlo/attributes.h"
#include "core/tiling/physical_layout.h"
#include "core/tpu/op_traffic.h"

#include <algorithm>
#include <cmath>

namespace hloscope {

namespace {

constexpr int kMaxNesting = 100;
constexpr int kMaxVisited = 100'000;

class FusionWalk {
public:
    FusionWalk(const HloModule& module, const std::function<void(InstructionId)>& visit)
        : m_module(module), m_visit(visit)
    {
    }

    void walk(ComputationId body, int depth)
    {
        if (depth > kMaxNesting)
            return;
        const IndexRange range = m_module.computation(body).instructions;
        for (uint32_t i = range.begin; i < range.end() && ++m_visited <= kMaxVisited; ++i) {
            const InstructionId id(i);
            const auto called = m_module.called(id);
            if (m_module.instruction(id).opcode == Opcode::Fusion && !called.empty())
                walk(called[0], depth + 1);
            else
                m_visit(id);
        }
    }

private:
    const HloModule& m_module;
    const std::function<void(InstructionId)>& m_visit;
    int m_visited = 0;
};

// Ops that take one vector instruction per register.
bool isOneSlot(Opcode opcode)
{
    switch (opcode) {
    case Opcode::Abs:
    case Opcode::Add:
    case Opcode::And:
    case Opcode::Ceil:
    case Opcode::Clamp:
    case Opcode::Compare:
    case Opcode::Convert:
    case Opcode::Floor:
    case Opcode::Iota:
    case Opcode::Maximum:
    case Opcode::Minimum:
    case Opcode::Multiply:
    case Opcode::Negate:
    case Opcode::Not:
    case Opcode::Or:
    case Opcode::Select:
    case Opcode::ShiftLeft:
    case Opcode::ShiftRightArithmetic:
    case Opcode::ShiftRightLogical:
    case Opcode::Sign:
    case Opcode::Subtract:
    case Opcode::Xor:
        return true;
    default:
        return false;
    }
}

// Cycles per register of the ops that take longer, from probes on v5e and v6e; 0 for all others.
double specialCycles(Opcode opcode)
{
    switch (opcode) {
    case Opcode::Exponential:
    case Opcode::ExponentialMinusOne:
    case Opcode::Divide:
    case Opcode::Remainder:
    case Opcode::Rsqrt:
    case Opcode::Sqrt:
    case Opcode::Tanh:
        return 0.5;
    case Opcode::Power:
        return 0.625;
    case Opcode::Log:
    case Opcode::LogPlusOne:
        return 0.75;
    case Opcode::Logistic:
        return 0.875;
    case Opcode::Cbrt:
        return 2;
    case Opcode::Erf:
        return 4.25;
    case Opcode::Sine:
    case Opcode::Cosine:
    case Opcode::Tan:
        return 32.5;
    default:
        return 0;
    }
}

// Cycles of spreading a value over the lanes; along sublanes and larger dimensions it costs nothing.
double laneBroadcastCycles(const HloModule& module, InstructionId id, const TimingConstants& constants,
                           double windowLanes)
{
    const Shape& shape = module.shape(id);
    const auto text = module.attribute(id, "dimensions");
    const std::vector<int64_t> kept =
        text ? parseIntList(*text).value_or(std::vector<int64_t>()) : std::vector<int64_t>();
    if (kept.empty() || !shape.layout || shape.layout->minorToMajor.empty()
        || std::find(kept.begin(), kept.end(), shape.layout->minorToMajor[0]) != kept.end())
        return 0;
    const std::vector<int64_t> sizes = xlaPaddedDimensions(shape);
    double lanes = std::max(1.0, std::ceil(static_cast<double>(sizes.back()) / 128));
    if (windowLanes > 0)
        lanes = std::min(lanes, windowLanes);
    const double perRow = constants.laneBroadcastCycles * (shape.elementType == PrimitiveType::Pred ? 2 : 1);
    return perRow * registersOf(shape) / lanes;
}

} // namespace

void visitFused(const HloModule& module, InstructionId id, const std::function<void(InstructionId)>& visit)
{
    const auto called = module.called(id);
    if (module.instruction(id).opcode == Opcode::Fusion && !called.empty())
        FusionWalk(module, visit).walk(called[0], 0);
    else
        visit(id);
}

VectorWork vectorWork(const HloModule& module, InstructionId id, const TimingConstants& constants, double windowLanes)
{
    VectorWork work;
    visitFused(module, id, [&](InstructionId inner) {
        const Opcode opcode = module.instruction(inner).opcode;
        const Shape& shape = module.shape(inner);
        const Shape* array = &shape;
        if (shape.isTuple() && !shape.elements.empty())
            array = &shape.elements.front();
        if (!array->isArray())
            return;
        if (isOneSlot(opcode)) {
            work.arithmetic += constants.slotCycles * registersOf(*array);
        } else if (opcode == Opcode::Reduce && !module.operands(inner).empty()) {
            work.arithmetic += constants.slotCycles * registersOf(module.shape(module.operands(inner)[0]));
        } else if (opcode == Opcode::Broadcast) {
            work.special += laneBroadcastCycles(module, inner, constants, windowLanes);
        } else if (const double cycles = specialCycles(opcode); cycles > 0) {
            work.special += cycles * registersOf(*array);
        }
    });
    return work;
}

} // namespace hloscope
