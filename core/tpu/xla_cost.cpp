// SPDX-License-Identifier: Apache-2.0
#include "core/tpu/xla_cost.h"

#include "core/hlo/attributes.h"
#include "core/tpu/matmul_geometry.h"
#include "core/tpu/tpu_config.h"
#include "core/tpu/xla_traversal.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace hloscope {

namespace {

constexpr double kUnpriced = -1; // what XLA writes for a call that it does not know

const Shape& firstArray(const Shape& shape)
{
    const Shape* part = &shape;
    while (part->isTuple() && !part->elements.empty())
        part = &part->elements.front();
    return *part;
}

double elementsOfLeaves(const Shape& shape)
{
    double sum = 0;
    visitSubshapes(shape, [&](const std::vector<int64_t>&, const Shape& part) { sum += elementsOf(part); });
    return sum;
}

double ceilLog2(double value)
{
    return value > 1 ? std::ceil(std::log2(value)) : 0;
}

bool isFree(Opcode opcode)
{
    switch (opcode) {
    case Opcode::Parameter:
    case Opcode::Constant:
    case Opcode::GetTupleElement:
    case Opcode::AfterAll:
    case Opcode::Bitcast:
    case Opcode::Domain:
    case Opcode::AddDependency:
        return true;
    default:
        return false;
    }
}

// Elementwise ops of which XLA counts one flop per element of the result.
bool isOneFlop(Opcode opcode)
{
    return isElementwise(opcode) && !isTranscendental(opcode) && opcode != Opcode::Copy && opcode != Opcode::Map;
}

double windowVolume(const std::vector<WindowDimension>& window)
{
    double volume = 1;
    for (const WindowDimension& dimension : window)
        volume *= static_cast<double>(dimension.size);
    return volume;
}

std::vector<WindowDimension> windowOf(const HloModule& module, InstructionId id)
{
    const auto text = module.attribute(id, "window");
    return text ? parseWindow(*text).value_or(std::vector<WindowDimension>()) : std::vector<WindowDimension>();
}

double roundedToFloat(double value)
{
    return static_cast<double>(static_cast<float>(value));
}

} // namespace

XlaCostAnalysis::XlaCostAnalysis(const HloModule& module, const ChipSpec& chip, const CallOrder& order, XlaSums sums)
    : m_module(module)
    , m_order(order)
    , m_sizes(module, chip)
    , m_sums(sums)
    , m_flopsPerSecond(chip.compilerFlopsPerSecond.value.value_or(chip.bf16FlopsPerSecond.value.value_or(0)))
    , m_bytesPerSecond(chip.compilerHbmBytesPerSecond.value.value_or(chip.hbmBytesPerSecond.value.value_or(0)))
    , m_transcendentalsPerSecond(chip.compilerTranscendentalsPerSecond.value.value_or(0))
    , m_leastSeconds(chip.compilerLeastOpSeconds.value.value_or(0))
    , m_instructions(module.instructions.size())
    , m_computations(module.computations.size())
{
    for (ComputationId computation : order.calleesFirst) {
        XlaCost sum;
        const auto account = [&](InstructionId id) {
            m_instructions[id.index()] = analyse(id);
            add(sum, m_instructions[id.index()]);
        };
        const IndexRange range = module.computation(computation).instructions;
        if (sums == XlaSums::AsXla) {
            for (InstructionId id : xlaTraversal(module, computation))
                account(id);
        } else {
            for (uint32_t i = range.begin; i < range.end(); ++i)
                account(InstructionId(i));
        }
        m_computations[computation.index()] = sum;
    }
}

void XlaCostAnalysis::add(XlaCost& sum, const XlaCost& part) const
{
    for (double XlaCost::*figure :
         {&XlaCost::flops, &XlaCost::transcendentals, &XlaCost::bytesAccessed, &XlaCost::optimalSeconds}) {
        double& total = sum.*figure;
        total = m_sums == XlaSums::AsXla ? roundedToFloat(total + roundedToFloat(part.*figure)) : total + part.*figure;
    }
}

XlaCost XlaCostAnalysis::withTime(XlaCost cost) const
{
    const auto seconds = [](double amount, double rate) { return rate > 0 ? amount / rate : 0.0; };
    cost.optimalSeconds =
        std::max({seconds(cost.flops, m_flopsPerSecond), seconds(cost.bytesAccessed, m_bytesPerSecond),
                  seconds(cost.transcendentals, m_transcendentalsPerSecond), m_leastSeconds});
    return cost;
}

double XlaCostAnalysis::defaultBytes(InstructionId id) const
{
    double bytes = m_sizes.written(id);
    for (InstructionId operand : m_module.operands(id))
        bytes += m_sizes.read(operand);
    return bytes;
}

double XlaCostAnalysis::scaledByCallee(InstructionId id, double count, double XlaCost::*figure) const
{
    const auto called = m_module.called(id);
    if (called.empty() || !m_order.isForward(m_module.instruction(id).computation, called[0]))
        return 0;
    return count * (of(called[0]).*figure);
}

XlaCost XlaCostAnalysis::analyse(InstructionId id)
{
    const HloInstruction& instruction = m_module.instruction(id);
    const auto operands = m_module.operands(id);
    const auto readOperand = [&](size_t index) { return index < operands.size() ? m_sizes.read(operands[index]) : 0; };
    if (isFree(instruction.opcode))
        return {};

    XlaCost cost;
    switch (instruction.opcode) {
    case Opcode::While:
    case Opcode::Call:
    case Opcode::Conditional:
        return analyseCalls(id);
    case Opcode::AsyncStart:
        return withTime(analyseCalls(id));
    case Opcode::CustomCall:
        return customCall(id);
    case Opcode::Fusion:
        return withTime(fusion(id));
    case Opcode::Gather:
        return withTime(gather(id));
    case Opcode::Scatter:
        return withTime(scatter(id));
    case Opcode::Tuple:
        cost.bytesAccessed = m_sizes.table(operands.size());
        return withTime(cost);
    case Opcode::Slice:
        cost.bytesAccessed = 2 * m_sizes.written(id);
        break;
    case Opcode::DynamicSlice:
        cost.bytesAccessed = 2 * m_sizes.written(id) + readOperand(1);
        break;
    case Opcode::DynamicUpdateSlice:
        cost.bytesAccessed = 2 * readOperand(1) + readOperand(2);
        break;
    case Opcode::Cholesky:
        cost.bytesAccessed = (m_sizes.written(id) + readOperand(0)) / 2;
        break;
    case Opcode::TriangularSolve:
        cost.bytesAccessed = m_sizes.written(id) + readOperand(0) / 2 + readOperand(1);
        break;
    case Opcode::Infeed:
        cost.bytesAccessed = m_sizes.written(id);
        break;
    case Opcode::Outfeed:
        cost.bytesAccessed = operands.empty() ? 0 : m_sizes.written(operands[0]);
        break;
    default:
        cost.bytesAccessed = defaultBytes(id);
        break;
    }
    cost.flops = flopsOf(id);
    cost.transcendentals = transcendentalsOf(id);
    return withTime(cost);
}

double XlaCostAnalysis::flopsOf(InstructionId id) const
{
    const HloInstruction& instruction = m_module.instruction(id);
    const auto operands = m_module.operands(id);
    const Shape& output = firstArray(m_module.shape(id));
    const auto operandElements = [&](size_t index) {
        return index < operands.size() ? elementsOf(firstArray(m_module.shape(operands[index]))) : 0.0;
    };
    if (isOneFlop(instruction.opcode))
        return elementsOf(output);
    switch (instruction.opcode) {
    case Opcode::Convolution:
    case Opcode::Dot: {
        const auto geometry = matmulGeometry(m_module, id);
        return geometry ? geometry->flops() : 0;
    }
    case Opcode::Reduce:
        return scaledByCallee(id, operandElements(0) - elementsOf(output), &XlaCost::flops);
    case Opcode::ReduceWindow:
        return scaledByCallee(id, reduceWindowSteps(id), &XlaCost::flops);
    case Opcode::Map:
        return scaledByCallee(id, elementsOf(output), &XlaCost::flops);
    case Opcode::SelectAndScatter: {
        const auto called = m_module.called(id);
        if (called.size() < 2)
            return 0;
        const double steps = windowVolume(windowOf(m_module, id)) - 1;
        return operandElements(1) * (steps * of(called[0]).flops + of(called[1]).flops);
    }
    case Opcode::AllReduce:
    case Opcode::AllReduceStart:
        return elementsOfLeaves(m_module.shape(id));
    case Opcode::Sort:
        return operandElements(0) * ceilLog2(operandElements(0));
    case Opcode::Fft: {
        double logs = 1;
        const auto lengths = m_module.attribute(id, "fft_length");
        for (int64_t length :
             lengths ? parseIntList(*lengths).value_or(std::vector<int64_t>()) : std::vector<int64_t>())
            logs *= length > 0 ? std::bit_width(static_cast<uint64_t>(length)) - 1 : 0;
        return 8 * logs * operandElements(0);
    }
    case Opcode::Cholesky:
        return output.dimensions.empty() ? 0 : elementsOf(output) * static_cast<double>(output.dimensions.back()) / 3;
    case Opcode::TriangularSolve:
        return operands.empty() || m_module.shape(operands[0]).dimensions.empty()
            ? 0
            : 2 * operandElements(1) * static_cast<double>(m_module.shape(operands[0]).dimensions.back());
    default:
        return 0;
    }
}

double XlaCostAnalysis::transcendentalsOf(InstructionId id) const
{
    const Opcode opcode = m_module.instruction(id).opcode;
    const auto operands = m_module.operands(id);
    const double outputs = elementsOf(firstArray(m_module.shape(id)));
    if (isTranscendental(opcode))
        return outputs;
    switch (opcode) {
    case Opcode::Reduce:
        return operands.empty() ? 0
                                : scaledByCallee(id, elementsOf(firstArray(m_module.shape(operands[0]))) - outputs,
                                                 &XlaCost::transcendentals);
    case Opcode::ReduceWindow:
        return scaledByCallee(id, reduceWindowSteps(id), &XlaCost::transcendentals);
    case Opcode::Map:
        return scaledByCallee(id, outputs, &XlaCost::transcendentals);
    case Opcode::Rng:
    case Opcode::RngBitGenerator:
        return elementsOfLeaves(m_module.shape(id));
    default:
        return 0;
    }
}

// Applications of the reducer. Where the one window dimension reaches over the whole padded input (a reduction whose
// result is spread out again), XLA counts the cheap way to do that.
double XlaCostAnalysis::reduceWindowSteps(InstructionId id) const
{
    const Shape& shape = m_module.shape(id);
    const std::vector<WindowDimension> window = windowOf(m_module, id);
    const double outputs = elementsOf(firstArray(shape));
    const double plain = (windowVolume(window) - 1) * outputs;
    if (shape.isTuple() || window.size() != shape.dimensions.size())
        return plain;
    const auto isWide = [](const WindowDimension& dimension) { return dimension.size != 1; };
    const auto isPadded = [](const WindowDimension& dimension) {
        return dimension.paddingLow != 0 || dimension.paddingHigh != 0;
    };
    if (std::count_if(window.begin(), window.end(), isWide) != 1
        || std::count_if(window.begin(), window.end(), isPadded) != 1)
        return plain;
    const auto wide = static_cast<size_t>(std::find_if(window.begin(), window.end(), isWide) - window.begin());
    const WindowDimension& dimension = window[wide];
    const int64_t span = shape.dimensions[wide];
    const bool reachesAll = dimension.paddingLow > 0 && dimension.paddingLow == dimension.paddingHigh
        && dimension.paddingLow == span - 1 && dimension.size == 2 * dimension.paddingLow + 1;
    if (!reachesAll)
        return plain;
    return std::floor(outputs / static_cast<double>(span)) + static_cast<double>(span) - 1;
}

XlaCost XlaCostAnalysis::analyseCalls(InstructionId id) const
{
    const HloInstruction& instruction = m_module.instruction(id);
    XlaCost cost;
    bool isFirst = true;
    for (ComputationId called : m_module.called(id)) {
        if (!m_order.isForward(instruction.computation, called))
            continue;
        const XlaCost& callee = of(called);
        for (double XlaCost::*figure :
             {&XlaCost::flops, &XlaCost::transcendentals, &XlaCost::bytesAccessed, &XlaCost::optimalSeconds}) {
            if (instruction.opcode == Opcode::Conditional)
                cost.*figure = isFirst ? callee.*figure : std::max(cost.*figure, callee.*figure);
            else
                cost.*figure += callee.*figure;
        }
        isFirst = false;
    }
    return cost;
}

XlaCost XlaCostAnalysis::customCall(InstructionId id) const
{
    const auto operands = m_module.operands(id);
    const std::string target = unquote(m_module.attribute(id, "custom_call_target").value_or(""));
    XlaCost cost;
    if (target == "AllocateBuffer")
        return cost;
    if (target.starts_with("TopK") && !operands.empty()) {
        const Shape& input = firstArray(m_module.shape(operands[0]));
        const double inputs = elementsOf(input);
        const double rowLength =
            input.dimensions.empty() ? 1 : static_cast<double>(std::max<int64_t>(1, input.dimensions.back()));
        const double kept = std::floor(elementsOf(firstArray(m_module.shape(id))) * rowLength / std::max(1.0, inputs));
        cost.flops = inputs * std::max(1.0, kept); // one comparison per input and kept element
        cost.bytesAccessed = defaultBytes(id);
        return withTime(cost);
    }
    if (target == "tpu_custom_call") {
        const auto estimate = parseKernelEstimate(m_module.attribute(id, "backend_config").value_or(""));
        if (!estimate)
            return cost;
        cost.flops = estimate->flops;
        cost.transcendentals = estimate->transcendentals;
        cost.bytesAccessed = estimate->bytesAccessed;
        const bool isEmpty = cost.flops == 0 && cost.transcendentals == 0 && cost.bytesAccessed == 0;
        return isEmpty ? cost : withTime(cost);
    }
    cost.isUnpriced = true;
    if (m_sums == XlaSums::AsXla)
        cost.flops = cost.bytesAccessed = cost.optimalSeconds = kUnpriced;
    return cost;
}

} // namespace hloscope
