// SPDX-License-Identifier: Apache-2.0
#include "core/tpu/matmul_geometry.h"
#include "core/tpu/op_time.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace hloscope {

namespace {

constexpr int kMaxNesting = 100;
constexpr double kSublanes = 8;
constexpr double kSmallSideInput = 1e5; // bytes; side inputs below this are fetched once
constexpr double kVmemResultUnit = 2048; // bytes that vmemOutputCycles stands for
constexpr double kMaxPadding = 1.5; // partial windows beyond this are a mistake of reading the bounds

enum class Role : uint8_t { Side, Input, Kernel };

// The product that a fusion is built around, and which operand of the fusion feeds which side of it.
struct Product {
    InstructionId op;
    std::map<size_t, Role> roles;
};

using OuterOperands = std::set<size_t>;

// Looks for the product in a fused computation, those directly inside first.
class ProductFinder {
public:
    explicit ProductFinder(const HloModule& module) : m_module(module) { }

    std::optional<Product> find(ComputationId body, const std::vector<OuterOperands>& outerOf, int depth)
    {
        if (depth > kMaxNesting)
            return std::nullopt;
        const IndexRange range = m_module.computation(body).instructions;
        for (uint32_t i = range.begin; i < range.end(); ++i) {
            const Opcode opcode = m_module.instructions[i].opcode;
            if (opcode == Opcode::Convolution || opcode == Opcode::Dot)
                return productAt(InstructionId(i), outerOf);
        }
        for (uint32_t i = range.begin; i < range.end(); ++i) {
            const InstructionId id(i);
            const auto called = m_module.called(id);
            if (m_module.instruction(id).opcode != Opcode::Fusion || called.empty() || !m_seen.insert(called[0]).second)
                continue;
            std::vector<OuterOperands> inner;
            for (InstructionId operand : m_module.operands(id))
                inner.push_back(sources(operand, outerOf));
            if (auto product = find(called[0], inner, depth + 1))
                return product;
        }
        return std::nullopt;
    }

private:
    Product productAt(InstructionId op, const std::vector<OuterOperands>& outerOf) const
    {
        Product product;
        product.op = op;
        const auto operands = m_module.operands(op);
        for (size_t side = 0; side < std::min<size_t>(operands.size(), 2); ++side) {
            for (size_t outer : sources(operands[side], outerOf))
                product.roles.emplace(outer, side == 0 ? Role::Input : Role::Kernel);
        }
        return product;
    }

    // Operands of the outermost fusion that a value depends on.
    OuterOperands sources(InstructionId value, const std::vector<OuterOperands>& outerOf) const
    {
        OuterOperands result;
        std::set<InstructionId> seen;
        std::vector<InstructionId> stack{value};
        while (!stack.empty()) {
            const InstructionId id = stack.back();
            stack.pop_back();
            if (!id.isValid() || !seen.insert(id).second)
                continue;
            if (m_module.instruction(id).opcode == Opcode::Parameter) {
                const int64_t number = m_module.parameterNumber(id);
                if (number >= 0 && static_cast<size_t>(number) < outerOf.size())
                    result.insert(outerOf[static_cast<size_t>(number)].begin(),
                                  outerOf[static_cast<size_t>(number)].end());
                continue;
            }
            const auto operands = m_module.operands(id);
            stack.insert(stack.end(), operands.begin(), operands.end());
        }
        return result;
    }

    const HloModule& m_module;
    std::set<ComputationId> m_seen;
};

std::optional<Product> findProduct(const HloModule& module, InstructionId id)
{
    const Opcode opcode = module.instruction(id).opcode;
    if (opcode == Opcode::Convolution || opcode == Opcode::Dot)
        return Product{id, {{0, Role::Input}, {1, Role::Kernel}}};
    const auto called = module.called(id);
    if (opcode != Opcode::Fusion || called.empty())
        return std::nullopt;
    std::vector<OuterOperands> outerOf(module.operands(id).size());
    for (size_t i = 0; i < outerOf.size(); ++i)
        outerOf[i].insert(i);
    return ProductFinder(module).find(called[0], outerOf, 0);
}

// The product as one matrix multiplication that is repeated `batch` times.
struct Multiplication {
    double batch = 1;
    double rows = 1;
    double columns = 1;
    double contracted = 1;
};

Multiplication multiplicationOf(const MatmulGeometry& geometry)
{
    Multiplication result;
    double positions = 1;
    double taps = 1;
    for (const MatmulGeometry::Spatial& dimension : geometry.spatial) {
        if (dimension.isBatch() || dimension.isOutputSpread()) {
            result.batch *= static_cast<double>(dimension.valid);
            continue;
        }
        const auto kernel = static_cast<double>(dimension.kernel);
        if (kernel > 0)
            positions *= std::max(1.0, static_cast<double>(dimension.valid) / kernel);
        taps *= kernel;
    }
    result.rows = geometry.rows * positions;
    result.columns = geometry.columns;
    result.contracted = geometry.contracted * taps;
    return result;
}

// Cycles of the matrix unit: every tile of the held side is loaded once, and the streamed side passes it in rows of
// eight; a tile cannot be exchanged faster than weightTileCycles.
double productCycles(const Multiplication& product, double rate, const TimingConstants& constants)
{
    const double size = constants.mxuSize;
    const double tiles = product.batch * std::ceil(product.columns / size) * std::ceil(product.contracted / size);
    const double rows = std::ceil(std::ceil(product.rows) / kSublanes) * kSublanes;
    return tiles * std::max(rows / constants.mxus / rate, constants.weightTileCycles);
}

// One stream of windows into the core.
struct Stream {
    double bytes = 0; // of one window
    double windows = 1;
};

class MatmulModel {
public:
    MatmulModel(const HloModule& module, InstructionId id, const OpTraffic& traffic, const Windows& windows,
                const TimingConstants& constants, Product product, MatmulGeometry geometry)
        : m_module(module)
        , m_id(id)
        , m_traffic(traffic)
        , m_windows(windows)
        , m_constants(constants)
        , m_product(std::move(product))
        , m_geometry(std::move(geometry))
        , m_outputRegisters(registersOf(module.shape(m_product.op)))
    {
    }

    OpCycles cycles() const;

private:
    double padding() const;
    double mxuCycles() const;
    double producerCycles() const;
    std::optional<Stream> streamOf(const ArrayRead& read) const;
    double outputBytes() const;
    double vmemOutputCycles() const;
    double outputSteps() const;
    OpCycles withWindows(OpCycles parts) const;
    OpCycles withoutWindows(OpCycles parts) const;

    const HloModule& m_module;
    InstructionId m_id;
    const OpTraffic& m_traffic;
    const Windows& m_windows;
    const TimingConstants& m_constants;
    Product m_product;
    MatmulGeometry m_geometry;
    double m_outputRegisters;
};

// Windows at the edge are charged whole.
double MatmulModel::padding() const
{
    const double windowed =
        m_windows.iterations / m_windows.contractionSteps * std::max(1.0, m_windows.outputRegisters);
    return std::clamp(windowed / std::max(1.0, m_outputRegisters), 1.0, kMaxPadding);
}

double MatmulModel::mxuCycles() const
{
    const double rate = m_constants.matmulRate(m_geometry.inputType)
        / (m_geometry.isHighestPrecision ? m_constants.highestPrecisionPasses : 1);
    const Multiplication asWritten = multiplicationOf(m_geometry);
    Multiplication swapped = asWritten;
    std::swap(swapped.rows, swapped.columns);
    // Which side stays in the array follows from the emitter; without one, the cheaper way is taken.
    if (m_windows.config.emitter.find("OutputBatchInLanes") != std::string::npos)
        return productCycles(swapped, rate, m_constants);
    const double cycles = productCycles(asWritten, rate, m_constants);
    return m_windows.config.emitter.empty() ? std::min(cycles, productCycles(swapped, rate, m_constants)) : cycles;
}

// Other products that are fused in and feed this one.
double MatmulModel::producerCycles() const
{
    double cycles = 0;
    visitFused(m_module, m_id, [&](InstructionId inner) {
        if (inner == m_product.op)
            return;
        if (const auto geometry = matmulGeometry(m_module, inner))
            cycles +=
                productCycles(multiplicationOf(*geometry), m_constants.matmulRate(geometry->inputType), m_constants);
    });
    return cycles;
}

std::optional<Stream> MatmulModel::streamOf(const ArrayRead& read) const
{
    const Memory memory = memoryOf(*read.array);
    if ((memory != Memory::Hbm && memory != Memory::Host)
        || m_module.shape(m_module.operands(m_id)[read.operand]).isTuple())
        return std::nullopt;
    const auto known = m_product.roles.find(read.operand);
    const Role role = known == m_product.roles.end() ? Role::Side : known->second;
    const double iterations = m_windows.iterations;
    if (role == Role::Side) {
        const double windows = read.bytes > kSmallSideInput ? iterations : 1;
        return Stream{read.bytes / windows, windows};
    }
    const auto& bound = role == Role::Input ? m_windows.config.inputWindowBounds : m_windows.config.kernelWindowBounds;
    const double window = Windows::bytes(bound, *read.array).value_or(read.bytes);
    const double distinct = std::max(1.0, std::ceil(read.bytes / std::max(window, 1.0) * 0.999));
    if (distinct == 1)
        return Stream{read.bytes, 1};
    // The input changes at every step, the kernel only when the contraction is cut too.
    const auto& bounds = m_windows.config.iterationBounds;
    const bool isCut = m_geometry.spatial.empty() && bounds.size() >= 3 && bounds[2] > 1;
    return Stream{std::min(window, read.bytes), role == Role::Input || isCut ? iterations : distinct};
}

double MatmulModel::outputBytes() const
{
    double bytes = 0;
    for (const ArrayWrite& write : m_traffic.writes) {
        const double passes = writePasses(write, m_constants);
        const Memory memory = memoryOf(*write.array);
        if (memory == Memory::Hbm || memory == Memory::Host)
            bytes += write.bytes * passes;
        else if (!m_constants.hasFreeVmem)
            bytes += write.bytes * (passes - 1);
    }
    return bytes;
}

double MatmulModel::vmemOutputCycles() const
{
    if (!m_constants.hasFreeVmem)
        return 0;
    double cycles = 0;
    for (const ArrayWrite& write : m_traffic.writes) {
        const Memory memory = memoryOf(*write.array);
        if (memory != Memory::Hbm && memory != Memory::Host)
            cycles += m_constants.vmemOutputCycles * paddedBytesOf(*write.array) / kVmemResultUnit;
    }
    return cycles;
}

// Windows of the result that are written: with a contraction in several steps only every so many iterations.
double MatmulModel::outputSteps() const
{
    const auto& bounds = m_windows.config.iterationBounds;
    if (!m_geometry.spatial.empty() || bounds.size() < 3)
        return m_windows.iterations;
    return std::max(1.0, std::floor(m_windows.iterations / static_cast<double>(std::max<int64_t>(1, bounds[2]))));
}

OpCycles MatmulModel::withWindows(OpCycles parts) const
{
    const double iterations = m_windows.iterations;
    const double latency = m_constants.latencyCycles;
    const double rate = m_constants.hbmBytesPerCycle;
    const auto transfer = [&](double bytes) { return rate > 0 ? bytes / rate : 0.0; };

    double compute = std::max(parts.mxu, parts.vector) / iterations;
    if (m_windows.contractionSteps > 1)
        compute +=
            m_constants.accumulateCycles * m_windows.contractionSteps * m_outputRegisters * padding() / iterations;
    compute += vmemOutputCycles() / iterations;

    double streamed = 0; // bytes per iteration, of what changes
    double first = 0; // bytes of the first windows
    bool hasInput = false;
    for (const ArrayRead& read : m_traffic.reads) {
        if (const auto stream = streamOf(read)) {
            hasInput = true;
            first += stream->bytes;
            if (stream->windows > 1)
                streamed += stream->bytes * stream->windows / iterations;
        }
    }
    const double steps = outputSteps();
    const double written = outputBytes() / steps;
    const double in = (streamed > 0 ? latency : 0) + transfer(streamed);
    const double out = (written > 0 ? latency : 0) + transfer(written);
    const double fill = (hasInput ? latency : 0) + transfer(first);

    parts.total = fill + out + (hasInput || written > 0 ? m_constants.matmulFixedCycles : 0);
    if (iterations == 1)
        parts.total += compute;
    else
        parts.total += std::max(compute, in) + std::max(compute, out)
            + (iterations - 2) * std::max(compute, in + out * steps / iterations);

    parts.latency = (streamed > 0 ? iterations : hasInput ? 1 : 0) * latency + (written > 0 ? steps : 0) * latency;
    parts.hbm = parts.latency + transfer(std::max(first, streamed * iterations) + outputBytes());
    parts.vmem = vmemOutputCycles();
    return parts;
}

// Without windows: all parts overlap perfectly.
OpCycles MatmulModel::withoutWindows(OpCycles parts) const
{
    double bytes = outputBytes();
    bool usesHbm = bytes > 0;
    for (const ArrayRead& read : m_traffic.reads) {
        const Memory memory = memoryOf(*read.array);
        if (memory == Memory::Hbm || memory == Memory::Host) {
            bytes += read.bytes;
            usesHbm = true;
        }
    }
    parts.latency = usesHbm ? 2 * m_constants.latencyCycles : 0; // the first window in and the last one out
    parts.hbm = parts.latency + (m_constants.hbmBytesPerCycle > 0 ? bytes / m_constants.hbmBytesPerCycle : 0);
    parts.total = std::max({parts.mxu, parts.vector, parts.hbm - parts.latency}) + parts.latency
        + (usesHbm ? m_constants.matmulFixedCycles : 0);
    return parts;
}

OpCycles MatmulModel::cycles() const
{
    const VectorWork work = vectorWork(m_module, m_id, m_constants, 0);
    OpCycles parts;
    parts.mxu = mxuCycles() * padding() + producerCycles();
    parts.vector = work.total() * padding();
    return m_windows.isKnown ? withWindows(parts) : withoutWindows(parts);
}

} // namespace

std::optional<OpCycles> matmulCycles(const HloModule& module, InstructionId id, const OpTraffic& traffic,
                                     const Windows& windows, const TimingConstants& constants)
{
    // These emitters use a product of ones to slide a window over the array: vector work.
    if (windows.config.emitter.starts_with("EmitReduceWindow"))
        return std::nullopt;
    std::optional<Product> product = findProduct(module, id);
    if (!product)
        return std::nullopt;
    std::optional<MatmulGeometry> geometry = matmulGeometry(module, product->op);
    if (!geometry)
        return std::nullopt;
    return MatmulModel(module, id, traffic, windows, constants, std::move(*product), std::move(*geometry)).cycles();
}

} // namespace hloscope
