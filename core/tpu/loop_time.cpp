// SPDX-License-Identifier: Apache-2.0
#include "core/tpu/op_time.h"
#include "core/tpu/value_size.h"

#include <algorithm>
#include <numeric>

namespace hloscope {

namespace {

constexpr double kBitsOfWord = 32;
constexpr double kRegisterElements = 1024;
constexpr double kReduceRegisterBytes = 4096; // results of reductions are held in 32 bits

double bitsPerElement(const Shape& array)
{
    if (array.layout && array.layout->elementSizeBits > 0)
        return static_cast<double>(array.layout->elementSizeBits);
    return std::max(1, naturalBits(array.elementType));
}

// A copy that moves elements between dimensions.
struct Relayout {
    bool exchangesLanes = false; // another dimension becomes the fastest one
    bool reorders = false; // same fastest dimension, other order
    bool retiles = false;
};

Relayout relayoutOf(const HloModule& module, InstructionId id)
{
    Relayout result;
    const auto operands = module.operands(id);
    if (module.instruction(id).opcode != Opcode::Copy || operands.empty())
        return result;
    const Shape& from = module.shape(operands[0]);
    const Shape& to = module.shape(id);
    if (!from.isArray() || !to.isArray() || !from.layout || !to.layout)
        return result;
    const std::vector<int64_t>& before = from.layout->minorToMajor;
    const std::vector<int64_t>& after = to.layout->minorToMajor;
    if (before.empty() || after.empty())
        return result;
    result.exchangesLanes = before[0] != after[0];
    result.reorders = !result.exchangesLanes && before != after;
    result.retiles = from.layout->tiles != to.layout->tiles;
    return result;
}

// Bus traffic of a loop as the compiler counts it, in bytes at HBM rate, and register moves from VMEM.
struct LoopStream {
    double bytes = 0;
    double vmemCycles = 0;
    bool readsHbm = false;
    bool writesHbm = false;
    bool isOffChip = false; // any DMA, so that windows pay its latency
};

class LoopModel {
public:
    LoopModel(const HloModule& module, InstructionId id, const OpTraffic& traffic, const Windows& windows,
              const TimingConstants& constants)
        : m_module(module)
        , m_id(id)
        , m_traffic(traffic)
        , m_windows(windows)
        , m_constants(constants)
        , m_relayout(relayoutOf(module, id))
    {
        const ArrayWrite* largest = traffic.largestWrite();
        m_largest = largest ? largest->array : nullptr;
        m_registers = m_largest ? registersOf(*m_largest) : 1;
    }

    OpCycles cycles() const;

private:
    void addRead(const ArrayRead& read, LoopStream& stream) const;
    double writtenBytes(const ArrayWrite& write) const;
    LoopStream stream() const;
    double partialWindows() const;
    VectorWork vectorOps() const;
    bool holdsReduce() const;

    const HloModule& m_module;
    InstructionId m_id;
    const OpTraffic& m_traffic;
    const Windows& m_windows;
    const TimingConstants& m_constants;
    Relayout m_relayout;
    const Shape* m_largest = nullptr;
    double m_registers = 1;
};

bool LoopModel::holdsReduce() const
{
    bool found = false;
    visitFused(m_module, m_id,
               [&](InstructionId inner) { found |= m_module.instruction(inner).opcode == Opcode::Reduce; });
    return found;
}

void LoopModel::addRead(const ArrayRead& read, LoopStream& stream) const
{
    const double bits = bitsPerElement(*read.array);
    switch (memoryOf(*read.array)) {
    case Memory::Hbm:
    case Memory::Host:
        stream.bytes += read.bytes;
        stream.readsHbm = true;
        break;
    case Memory::Cmem: {
        // Priced as HBM, but for the exchange of lanes, which has a rate of its own.
        const bool isOwnRate = m_relayout.exchangesLanes && m_constants.cmemBytesPerCycle > 0;
        stream.bytes +=
            isOwnRate ? read.bytes * m_constants.hbmBytesPerCycle / m_constants.cmemBytesPerCycle : read.bytes;
        stream.readsHbm |= !isOwnRate;
        break;
    }
    case Memory::Vmem: {
        if (m_module.instruction(m_id).opcode == Opcode::Copy)
            break; // copies out of VMEM read for free
        const double registers = read.bytes / (kRegisterElements * bits / 8);
        if (m_constants.hasFreeVmem)
            stream.vmemCycles += registers * (bits >= kBitsOfWord ? 0.5 : bits == 16 ? 0.125 : 0);
        else if (bits >= 16)
            stream.bytes += read.bytes; // the estimate is older than the choice of the memory
        break;
    }
    case Memory::Scalar:
        break;
    }
}

double LoopModel::writtenBytes(const ArrayWrite& write) const
{
    const double bits = bitsPerElement(*write.array);
    const Memory memory = memoryOf(*write.array);
    if (m_relayout.exchangesLanes) {
        const double words = write.bytes * kBitsOfWord / bits; // lanes are exchanged in words of 32 bits
        if (memory == Memory::Cmem && m_constants.cmemBytesPerCycle > 0)
            return words * m_constants.hbmBytesPerCycle / m_constants.cmemBytesPerCycle;
        return memory == Memory::Hbm || memory == Memory::Host ? words : 0;
    }
    const double passes = writePasses(write, m_constants);
    switch (memory) {
    case Memory::Hbm:
    case Memory::Host:
    case Memory::Cmem:
        return write.bytes * passes;
    case Memory::Vmem:
        return write.bytes * (passes - 1); // merging is charged even there
    case Memory::Scalar:
        break;
    }
    return 0;
}

LoopStream LoopModel::stream() const
{
    LoopStream stream;
    for (const ArrayRead& read : m_traffic.reads)
        addRead(read, stream);
    double written = 0;
    for (const ArrayWrite& write : m_traffic.writes) {
        written += writtenBytes(write);
        const Memory memory = memoryOf(*write.array);
        stream.writesHbm |= memory == Memory::Hbm || memory == Memory::Host;
    }
    // The result of a reduction is charged with a window as large as its input.
    const double windowed = m_windows.iterations * std::max(1.0, m_windows.outputRegisters);
    if (windowed > 2 * m_registers && holdsReduce())
        written = std::max(written, windowed * kReduceRegisterBytes);
    stream.bytes += written;
    stream.isOffChip = stream.bytes > 0;
    // Copies between two CMEM buffers that exchange lanes wait for no DMA.
    if (m_relayout.exchangesLanes && m_constants.cmemBytesPerCycle > 0 && !stream.readsHbm && !stream.writesHbm)
        stream.isOffChip = false;
    return stream;
}

// Windows at the edge are charged whole.
double LoopModel::partialWindows() const
{
    const double windowed = m_windows.iterations * m_windows.outputRegisters;
    if (windowed <= m_registers || windowed >= 3 * m_registers)
        return 1;
    return windowed / m_registers;
}

VectorWork LoopModel::vectorOps() const
{
    // Windows of ops with an emitter are cut along other dimensions.
    const double lanes = m_windows.config.emitter.empty() ? m_windows.outputLanes : 0;
    VectorWork work = vectorWork(m_module, m_id, m_constants, lanes);
    const double largest = m_largest ? elementsOf(*m_largest) : 0;
    double streams = static_cast<double>(m_traffic.writes.size());
    std::optional<size_t> counted;
    for (const ArrayRead& read : m_traffic.reads) {
        if (counted != read.operand && elementsOf(*read.array) >= largest / 2)
            ++streams;
        counted = read.operand;
    }
    work.arithmetic += m_constants.slotCycles * streams * m_registers; // loads and stores
    return work;
}

OpCycles LoopModel::cycles() const
{
    const double iterations = m_windows.iterations;
    const LoopStream moved = stream();
    const VectorWork work = vectorOps();
    OpCycles result;
    result.vector = work.total();
    result.vmem = moved.vmemCycles;
    result.latency = moved.isOffChip ? iterations * m_constants.latencyCycles : 0;
    result.hbm = result.latency
        + (m_constants.hbmBytesPerCycle > 0 ? moved.bytes * partialWindows() / m_constants.hbmBytesPerCycle : 0);
    result.total = iterations * m_constants.windowCycles + result.hbm + result.vmem + result.vector / iterations;

    if (m_constants.isVectorBound) {
        const double arithmetic = work.arithmetic * (1 + 1 / iterations) + iterations * m_constants.windowCycles;
        result.total = std::max(result.total, arithmetic);
    }
    if (m_relayout.exchangesLanes && moved.readsHbm && moved.writesHbm) {
        const double waits = iterations * m_constants.transposeLatencies * m_constants.latencyCycles;
        result.latency += waits;
        result.hbm += waits;
        result.total +=
            waits + iterations * m_constants.transposeWindowCycles + m_constants.transposeRegisterCycles * m_registers;
    } else if (m_relayout.reorders && m_relayout.retiles && m_largest) {
        const double cycles =
            bitsPerElement(*m_largest) >= kBitsOfWord ? m_constants.retileCycles32 : m_constants.retileCycles16;
        result.vector += cycles * m_registers;
        result.total += cycles * m_registers;
    }
    return result;
}

} // namespace

Windows::Windows(const TpuBackendConfig& source) : config(source)
{
    isKnown = !config.iterationBounds.empty();
    for (int64_t bound : config.iterationBounds)
        iterations *= static_cast<double>(std::max<int64_t>(bound, 1));
    if (!config.outputWindowBounds.empty()) {
        outputRegisters = 1;
        for (int64_t bound : config.outputWindowBounds)
            outputRegisters *= static_cast<double>(std::max<int64_t>(bound, 1));
        outputLanes = static_cast<double>(std::max<int64_t>(config.outputWindowBounds.back(), 1));
    }
    // Columns, rows, the spatial dimensions of the output, those of the kernel, and the contracted features.
    const size_t bounds = config.iterationBounds.size();
    if (bounds >= 3) {
        for (size_t i = 2 + (bounds - 3) / 2; i < bounds; ++i)
            contractionSteps *= static_cast<double>(std::max<int64_t>(config.iterationBounds[i], 1));
    }
}

std::optional<double> Windows::bytes(const std::vector<int64_t>& bound, const Shape& array)
{
    if (bound.empty())
        return std::nullopt;
    double registers = 1;
    for (int64_t size : bound)
        registers *= static_cast<double>(std::max<int64_t>(size, 1));
    return registers * kRegisterElements * bitsPerElement(array) / 8;
}

double writePasses(const ArrayWrite& write, const TimingConstants& constants)
{
    if (write.isAliased && !write.isUpdate && !constants.mergesInPlace)
        return 1;
    const double bits = bitsPerElement(*write.array);
    return bits >= kBitsOfWord ? 1 : bits >= 16 ? 3 : 5;
}

OpCycles loopCycles(const HloModule& module, InstructionId id, const OpTraffic& traffic, const Windows& windows,
                    const TimingConstants& constants)
{
    return LoopModel(module, id, traffic, windows, constants).cycles();
}

} // namespace hloscope
