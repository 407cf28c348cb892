// SPDX-License-Identifier: Apache-2.0
#include "core/tpu/op_pricing.h"

#include "core/tpu/collective_cost.h"
#include "core/tpu/tpu_config.h"
#include "core/tpu/value_size.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace hloscope {

namespace {

constexpr double kPicoseconds = 1e12;
constexpr double kScalarCycles = 16; // an instruction of the scalar unit with its loads
constexpr double kSortSlots = 4; // compare, two selects and a shuffle per register and pass
constexpr double kVectorElements = 1024;

// Ops that only say how values hang together.
bool isFree(Opcode opcode)
{
    switch (opcode) {
    case Opcode::AddDependency:
    case Opcode::AfterAll:
    case Opcode::AllGatherDone:
    case Opcode::AllReduceDone:
    case Opcode::AsyncDone:
    case Opcode::AsyncUpdate:
    case Opcode::Bitcast:
    case Opcode::CollectivePermuteDone:
    case Opcode::Constant:
    case Opcode::CopyDone:
    case Opcode::Domain:
    case Opcode::GetTupleElement:
    case Opcode::OptBarrier:
    case Opcode::Parameter:
    case Opcode::PartitionId:
    case Opcode::RecvDone:
    case Opcode::ReplicaId:
    case Opcode::SendDone:
    case Opcode::Tuple:
    case Opcode::While: // the computations of these three have the time
    case Opcode::Call:
    case Opcode::Conditional:
        return true;
    default:
        return false;
    }
}

// Custom calls that stand for no work: they join or annotate buffers.
constexpr std::array kFreeTargets = {
    std::string_view("AllocateBuffer"),       std::string_view("AssumeGatherIndicesInBound"),
    std::string_view("ConcatBitcast"),        std::string_view("Sharding"),
    std::string_view("SPMDFullToShardShape"), std::string_view("SPMDShardToFullShape"),
};

// Ops that libtpu expands before code generation, and whose cost nobody has taken apart.
bool isUnmodelled(Opcode opcode)
{
    switch (opcode) {
    case Opcode::Cholesky:
    case Opcode::Fft:
    case Opcode::RaggedDot:
    case Opcode::Scan:
    case Opcode::ScaledDot:
    case Opcode::Topk:
    case Opcode::TriangularSolve:
    case Opcode::Unknown:
        return true;
    default:
        return false;
    }
}

bool isTransfer(Opcode opcode)
{
    return opcode == Opcode::Slice || opcode == Opcode::DynamicSlice || opcode == Opcode::Copy
        || opcode == Opcode::DynamicUpdateSlice;
}

double logPasses(double length)
{
    const double steps = std::ceil(std::log2(std::max(2.0, length)));
    return steps * (steps + 1) / 2;
}

// The unit that takes longest; waiting if that is most of it.
BoundBy boundOf(const OpCost& cost)
{
    struct Unit {
        double time;
        BoundBy bound;
    };
    const std::array units = {Unit{cost.mxuPs, BoundBy::Mxu}, Unit{cost.hbmPs, BoundBy::Hbm},
                              Unit{cost.iciPs, BoundBy::Ici}, Unit{cost.vpuPs, BoundBy::Vpu},
                              Unit{cost.vmemPs, BoundBy::Vmem}};
    const Unit longest =
        *std::max_element(units.begin(), units.end(), [](const Unit& a, const Unit& b) { return a.time < b.time; });
    if (longest.time <= 0)
        return BoundBy::None;
    const bool canWait = longest.bound == BoundBy::Hbm || longest.bound == BoundBy::Ici;
    return canWait && cost.latencyPs > longest.time / 2 ? BoundBy::Latency : longest.bound;
}

} // namespace

OpPricing::OpPricing(const HloModule& module, const ChipSpec& chip)
    : m_module(module), m_chip(chip), m_constants(timingConstants(chip))
{
}

void OpPricing::priceFree(OpCost& cost) const
{
    cost.modelPs = 0;
    cost.boundBy = BoundBy::None;
}

void OpPricing::priceUnknown(OpCost& cost) const
{
    cost.modelPs.reset();
    cost.boundBy = BoundBy::Unknown;
}

void OpPricing::setCycles(const OpCycles& cycles, OpCost& cost) const
{
    const double ps = m_constants.picosecondsPerCycle;
    cost.mxuPs = cycles.mxu * ps;
    cost.vpuPs = cycles.vector * ps;
    cost.hbmPs = cycles.hbm * ps;
    cost.vmemPs = cycles.vmem * ps;
    cost.latencyPs = cycles.latency * ps;
    cost.modelPs = cycles.total * ps;
    cost.boundBy = boundOf(cost);
}

// All operands and results are single elements: work of the scalar unit.
bool OpPricing::isScalarOp(InstructionId id) const
{
    const auto isSingle = [](const Shape& shape) { return shape.isArray() && elementsOf(shape) <= 1; };
    const auto operands = m_module.operands(id);
    return isSingle(m_module.shape(id)) && std::all_of(operands.begin(), operands.end(), [&](InstructionId operand) {
               return isSingle(m_module.shape(operand));
           });
}

bool OpPricing::isIndexed(InstructionId id) const
{
    const Opcode opcode = m_module.instruction(id).opcode;
    if (opcode == Opcode::Gather || opcode == Opcode::Scatter)
        return true;
    const auto called = m_module.called(id);
    if (opcode != Opcode::Fusion || called.empty() || m_module.attribute(id, "kind") != "kCustom")
        return false;
    const IndexRange body = m_module.computation(called[0]).instructions;
    for (uint32_t i = body.begin; i < body.end(); ++i) {
        if (m_module.instructions[i].opcode == Opcode::Gather || m_module.instructions[i].opcode == Opcode::Scatter)
            return true;
    }
    return false;
}

void OpPricing::addTraffic(InstructionId id, OpCost& cost) const
{
    const OpTraffic traffic = opTraffic(m_module, id);
    for (const ArrayRead& read : traffic.reads) {
        const Memory memory = memoryOf(*read.array);
        if (memory == Memory::Hbm)
            cost.hbmReadBytes += read.bytes;
        else if (memory == Memory::Vmem || memory == Memory::Cmem)
            cost.vmemReadBytes += read.bytes;
    }
    for (const ArrayWrite& write : traffic.writes) {
        const Memory memory = memoryOf(*write.array);
        if (memory == Memory::Hbm)
            cost.hbmWriteBytes += write.bytes;
        else if (memory == Memory::Vmem || memory == Memory::Cmem)
            cost.vmemWriteBytes += write.bytes;
    }
}

void OpPricing::priceCompute(InstructionId id, const TpuBackendConfig& config, OpCost& cost) const
{
    const OpTraffic traffic = opTraffic(m_module, id);
    const Windows windows(config);
    if (const auto matmul = matmulCycles(m_module, id, traffic, windows, m_constants)) {
        setCycles(*matmul, cost);
        return;
    }
    setCycles(loopCycles(m_module, id, traffic, windows, m_constants), cost);
}

void OpPricing::priceIndexed(OpCost& cost) const
{
    OpCycles cycles;
    cycles.latency = m_constants.latencyCycles;
    cycles.hbm =
        cycles.latency + (m_constants.hbmBytesPerCycle > 0 ? cost.xla.bytesAccessed / m_constants.hbmBytesPerCycle : 0);
    cycles.total = cycles.hbm + m_constants.windowCycles;
    setCycles(cycles, cost);
}

void OpPricing::priceSort(InstructionId id, OpCost& cost) const
{
    const auto operands = m_module.operands(id);
    if (operands.empty() || !m_module.shape(operands[0]).isArray())
        return priceUnknown(cost);
    const Shape& keys = m_module.shape(operands[0]);
    double length = 1;
    if (const auto text = m_module.attribute(id, "dimensions")) {
        for (int64_t dimension : parseIntList(*text).value_or(std::vector<int64_t>())) {
            if (dimension >= 0 && dimension < keys.rank())
                length = static_cast<double>(keys.dimensions[static_cast<size_t>(dimension)]);
        }
    }
    OpCycles cycles;
    for (InstructionId operand : operands)
        cycles.vector += logPasses(length) * kSortSlots * m_constants.slotCycles * registersOf(m_module.shape(operand));
    const double bytes = cost.hbmReadBytes + cost.hbmWriteBytes;
    if (bytes > 0 && m_constants.hbmBytesPerCycle > 0) {
        cycles.latency = 2 * m_constants.latencyCycles;
        cycles.hbm = cycles.latency + bytes / m_constants.hbmBytesPerCycle;
    }
    cycles.total = cycles.vector + cycles.hbm;
    setCycles(cycles, cost);
}

void OpPricing::priceCustomCall(InstructionId id, OpCost& cost) const
{
    const std::string target = unquote(m_module.attribute(id, "custom_call_target").value_or(""));
    if (std::find(kFreeTargets.begin(), kFreeTargets.end(), target) != kFreeTargets.end())
        return priceFree(cost);
    const auto estimate = parseKernelEstimate(m_module.attribute(id, "backend_config").value_or(""));
    if (!estimate || (estimate->flops <= 0 && estimate->bytesAccessed <= 0 && estimate->transcendentals <= 0))
        return priceUnknown(cost);
    OpCycles cycles;
    cycles.mxu = estimate->flops / m_constants.matmulFlopsPerCycle();
    cycles.vector = estimate->transcendentals / kVectorElements;
    if (m_constants.hbmBytesPerCycle > 0)
        cycles.hbm = estimate->bytesAccessed / m_constants.hbmBytesPerCycle;
    cycles.total = std::max({cycles.mxu, cycles.vector, cycles.hbm});
    setCycles(cycles, cost);
}

void OpPricing::priceHostTransfer(double bytes, OpCost& cost) const
{
    if (!m_chip.pcieBytesPerSecond.hasValue() || *m_chip.pcieBytesPerSecond <= 0)
        return priceUnknown(cost);
    cost.modelPs = bytes / *m_chip.pcieBytesPerSecond * kPicoseconds;
    cost.boundBy = BoundBy::Host;
}

void OpPricing::priceTransfer(const Shape& from, const Shape& to, OpCost& cost) const
{
    const double bytes = std::min(paddedBytesOf(from), paddedBytesOf(to));
    const Memory source = memoryOf(from);
    const Memory target = memoryOf(to);
    cost.hbmReadBytes = source == Memory::Hbm ? bytes : 0;
    cost.hbmWriteBytes = target == Memory::Hbm ? bytes : 0;
    cost.vmemReadBytes = source == Memory::Vmem || source == Memory::Cmem ? bytes : 0;
    cost.vmemWriteBytes = target == Memory::Vmem || target == Memory::Cmem ? bytes : 0;
    if (source == Memory::Host || target == Memory::Host)
        return priceHostTransfer(bytes, cost);
    OpCycles cycles;
    cycles.latency = m_constants.latencyCycles;
    cycles.hbm = cycles.latency;
    if (m_constants.hbmBytesPerCycle > 0)
        cycles.hbm += (cost.hbmReadBytes + cost.hbmWriteBytes) / m_constants.hbmBytesPerCycle;
    cycles.total = cycles.hbm;
    setCycles(cycles, cost);
}

void OpPricing::priceCollective(InstructionId id, OpCost& cost) const
{
    const auto collective = collectiveOf(m_module, id);
    const auto time = collective ? collectiveTime(*collective, m_chip) : std::nullopt;
    if (!time)
        return priceUnknown(cost);
    cost.iciBytes = time->sentBytes;
    cost.iciPs = time->seconds() * kPicoseconds;
    cost.latencyPs = time->latencySeconds * kPicoseconds;
    if (m_constants.hbmBytesPerCycle > 0)
        cost.hbmPs =
            (cost.hbmReadBytes + cost.hbmWriteBytes) / m_constants.hbmBytesPerCycle * m_constants.picosecondsPerCycle;
    cost.modelPs = std::max(cost.iciPs, cost.hbmPs);
    cost.boundBy = boundOf(cost);
}

// What runs behind an async-start, as long as it is one transfer or one collective. Computations of several ops are
// summed by the caller.
void OpPricing::priceAsyncStart(InstructionId id, OpCost& cost) const
{
    if (collectiveOf(m_module, id)) {
        addTraffic(id, cost);
        return priceCollective(id, cost);
    }
    const auto called = m_module.called(id);
    const InstructionId root = called.empty() ? InstructionId() : m_module.computation(called[0]).root;
    if (!root.isValid() || !isTransfer(m_module.instruction(root).opcode) || m_module.operands(root).empty())
        return priceUnknown(cost);
    const size_t source = m_module.instruction(root).opcode == Opcode::DynamicUpdateSlice ? 1 : 0;
    if (m_module.operands(root).size() <= source)
        return priceUnknown(cost);
    priceTransfer(m_module.shape(m_module.operands(root)[source]), m_module.shape(root), cost);
}

void OpPricing::price(InstructionId id, OpCost& cost) const
{
    const HloInstruction& instruction = m_module.instruction(id);
    const auto operands = m_module.operands(id);
    const Opcode opcode = instruction.opcode;
    TpuBackendConfig config;
    if (const auto text = m_module.attribute(id, "backend_config"))
        config = parseTpuBackendConfig(*text);
    cost.compilerCycles = config.estimatedCycles;
    if (cost.compilerCycles && m_chip.clockHz.hasValue())
        cost.compilerPs = static_cast<double>(*cost.compilerCycles) / *m_chip.clockHz * kPicoseconds;

    if (isFree(opcode))
        return priceFree(cost);
    switch (opcode) {
    case Opcode::AsyncStart:
        return priceAsyncStart(id, cost);
    case Opcode::CopyStart:
        if (operands.empty() || !m_module.shape(id).isTuple() || m_module.shape(id).elements.empty())
            return priceUnknown(cost);
        return priceTransfer(m_module.shape(operands[0]), m_module.shape(id).elements[0], cost);
    case Opcode::Infeed:
    case Opcode::Recv:
        return priceHostTransfer(ValueSizes::leafBytes(m_module.shape(id)), cost);
    case Opcode::Outfeed:
    case Opcode::Send:
        return priceHostTransfer(operands.empty() ? 0 : ValueSizes::leafBytes(m_module.shape(operands[0])), cost);
    default:
        break;
    }
    addTraffic(id, cost);
    if (collectiveOf(m_module, id))
        return priceCollective(id, cost);
    if (opcode == Opcode::CustomCall)
        return priceCustomCall(id, cost);
    if (isUnmodelled(opcode))
        return priceUnknown(cost);
    if (isIndexed(id))
        return priceIndexed(cost);
    if (opcode == Opcode::Sort)
        return priceSort(id, cost);
    if (isScalarOp(id)) {
        OpCycles cycles;
        cycles.vector = cycles.total = kScalarCycles;
        setCycles(cycles, cost);
        return;
    }
    priceCompute(id, config, cost);
}

} // namespace hloscope
