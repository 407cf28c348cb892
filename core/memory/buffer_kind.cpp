// SPDX-License-Identifier: Apache-2.0
#include "core/memory/buffer_kind.h"

#include "core/hlo/op_category.h"

#include <algorithm>
#include <array>
#include <set>

namespace hloscope {

namespace {

constexpr int kMaxCopies = 8; // copies of copies that are followed back to a parameter
constexpr size_t kMaxReach = 256; // instructions looked at on the way from a parameter to a matmul

constexpr std::array<std::string_view, 24> kStateWords{
    "params", "param",     "parameters", "weights",   "weight",    "w",           "variables", "vars",
    "model",  "state",     "opt",        "opt_state", "optimizer", "train_state", "kernel",    "kernels",
    "bias",   "embedding", "embeddings", "emb",       "scale",     "gamma",       "beta",      "mu"};
constexpr std::array<std::string_view, 26> kDataWords{
    "x",    "y",         "batch",       "input",   "inputs", "data",    "token",    "tokens", "tok",
    "ids",  "labels",    "label",       "targets", "target", "example", "examples", "rng",    "key",
    "mask", "positions", "segment_ids", "lengths", "image",  "images",  "args",     "kwargs"};

template <size_t N> bool contains(const std::array<std::string_view, N>& words, std::string_view word)
{
    return std::ranges::find(words, word) != words.end();
}

// "params[0]['layers'].q" -> params, 0, layers, q
std::vector<std::string_view> pathParts(std::string_view path)
{
    constexpr std::string_view kSeparators = "[]'\"\\.";
    std::vector<std::string_view> parts;
    size_t begin = path.find_first_not_of(kSeparators);
    while (begin != std::string_view::npos) {
        const size_t end = std::min(path.find_first_of(kSeparators, begin), path.size());
        parts.push_back(path.substr(begin, end - begin));
        begin = path.find_first_not_of(kSeparators, end);
    }
    return parts;
}

// Ops whose result still is the parameter, in another place, order or type.
bool movesOnly(Opcode opcode)
{
    switch (opcode) {
    case Opcode::AllGather:
    case Opcode::AllGatherStart:
    case Opcode::AllGatherDone:
    case Opcode::AsyncStart:
    case Opcode::AsyncUpdate:
    case Opcode::AsyncDone:
    case Opcode::Bitcast:
    case Opcode::BitcastConvert:
    case Opcode::Convert:
    case Opcode::Copy:
    case Opcode::CopyDone:
    case Opcode::CopyStart:
    case Opcode::DynamicSlice:
    case Opcode::GetTupleElement:
    case Opcode::OptBarrier:
    case Opcode::Reshape:
    case Opcode::Slice:
    case Opcode::Transpose:
        return true;
    default:
        return false;
    }
}

// Breadth first from a parameter through what only moves it, into fusions, to matmuls.
bool reachesKernelOperand(const HloModule& module, InstructionId parameter)
{
    std::vector<InstructionId> queue{parameter};
    std::set<InstructionId> seen{parameter};
    const auto add = [&](InstructionId id) {
        if (id.isValid() && queue.size() < kMaxReach && seen.insert(id).second)
            queue.push_back(id);
    };
    for (size_t i = 0; i < queue.size(); ++i) {
        for (const InstructionId user : module.users(queue[i])) {
            const HloInstruction& op = module.instruction(user);
            const auto operands = module.operands(user);
            if (op.opcode == Opcode::Convolution || op.opcode == Opcode::Dot) {
                if (operands.size() > 1 && operands[1] == queue[i] && operands[0] != queue[i])
                    return true;
            } else if (op.opcode == Opcode::Fusion && !module.called(user).empty()) {
                const auto parameters = module.parameters(module.called(user).front());
                for (size_t k = 0; k < operands.size() && k < parameters.size(); ++k) {
                    if (operands[k] == queue[i])
                        add(parameters[k]);
                }
            } else if (movesOnly(op.opcode)) {
                add(user);
            }
        }
        // Out of a fused computation that only moves.
        const HloComputation& computation = module.computation(module.instruction(queue[i]).computation);
        if (computation.root == queue[i] && !computation.isEntry) {
            for (const InstructionId caller : module.callers(module.instruction(queue[i]).computation)) {
                if (module.instruction(caller).opcode == Opcode::Fusion && module.shape(caller).isArray())
                    add(caller);
            }
        }
    }
    return false;
}

// Users that hand a value on and do not look at it.
bool isTransparent(Opcode opcode)
{
    switch (opcode) {
    case Opcode::AddDependency:
    case Opcode::AllGatherDone:
    case Opcode::AllReduceDone:
    case Opcode::AsyncDone:
    case Opcode::AsyncUpdate:
    case Opcode::Bitcast:
    case Opcode::Call:
    case Opcode::CollectivePermuteDone:
    case Opcode::Conditional:
    case Opcode::CopyDone:
    case Opcode::Domain:
    case Opcode::GetTupleElement:
    case Opcode::OptBarrier:
    case Opcode::Tuple:
    case Opcode::While:
        return true;
    default:
        return false;
    }
}

} // namespace

std::optional<BufferKind> parameterKindByName(std::string_view opName)
{
    const std::vector<std::string_view> parts = pathParts(opName);
    if (parts.empty() || opName.find('/') != std::string_view::npos)
        return std::nullopt;
    if (std::ranges::any_of(parts, [](std::string_view part) { return contains(kStateWords, part); }))
        return BufferKind::Weights;
    if (contains(kDataWords, parts.front()))
        return BufferKind::Input;
    if (parts.size() > 1)
        return BufferKind::Weights;
    return std::nullopt;
}

BufferKinds::BufferKinds(const Liveness& liveness) : m_liveness(liveness), m_module(liveness.module())
{
    indexReads();
}

void BufferKinds::indexReads()
{
    const std::vector<InstructionId>& sequence = m_liveness.schedule().sequence;
    m_matmulsBefore.assign(sequence.size() + 1, 0);
    m_reads.resize(m_module.instructions.size());
    for (size_t position = 0; position < sequence.size(); ++position) {
        const InstructionId id = sequence[position];
        const bool isMatmul = categorize(m_module, id) == OpCategory::Matmul;
        m_matmulsBefore[position + 1] = m_matmulsBefore[position] + (isMatmul ? 1 : 0);
        if (isTransparent(m_module.instruction(id).opcode))
            continue;
        for (const InstructionId operand : m_module.operands(id)) {
            Reads& reads = m_reads[operand.index()];
            if (reads.first < 0)
                reads.first = static_cast<int64_t>(position);
            reads.last = static_cast<int64_t>(position);
            if (isMatmul)
                m_matmulReads[static_cast<uint32_t>(operand.index())].push_back(static_cast<int64_t>(position));
        }
    }
}

BufferKind BufferKinds::ofStatic(std::span<const ValueId> values)
{
    for (const ValueId value : values) {
        if (m_liveness.isEntryParameter(value))
            return kindOfParameter(value);
    }
    const bool hasConstant = std::ranges::any_of(values, [this](ValueId value) {
        const InstructionId creator = m_liveness.dataflow().values()[value].instruction;
        return m_module.instruction(creator).opcode == Opcode::Constant;
    });
    return hasConstant ? BufferKind::Weights : BufferKind::Output;
}

BufferKind BufferKinds::ofTemporary(ValueId value, bool isInLoop)
{
    if (const std::optional<BufferKind> kind = kindOfSource(value))
        return *kind;
    if (isInLoop)
        return BufferKind::Residual;
    if (isWrittenByCollective(value))
        return BufferKind::Collective;
    return isReadAgainAfterMatmul(value) ? BufferKind::Residual : BufferKind::Activations;
}

// The kind of the parameter that a copy or a prefetch was made from.
std::optional<BufferKind> BufferKinds::kindOfSource(ValueId value)
{
    for (int step = 0; step < kMaxCopies; ++step) {
        const Dataflow::Value& v = m_liveness.dataflow().values()[value];
        const HloInstruction& creator = m_module.instruction(v.instruction);
        const bool isPrefetch = creator.opcode == Opcode::CopyStart && v.slot == 1;
        const bool isSlice = creator.opcode == Opcode::Slice
            && m_liveness.schedule().asyncStartOf[creator.computation.index()].isValid();
        const bool isJoin = creator.opcode == Opcode::CustomCall
            && m_module.attribute(v.instruction, "custom_call_target") == "\"ConcatBitcast\"";
        if ((creator.opcode != Opcode::Copy && !isPrefetch && !isSlice && !isJoin) || creator.operands.empty())
            return std::nullopt;
        const int64_t source = m_liveness.dataflow().valueAt(m_module.operands(v.instruction).front(), 0);
        if (source < 0)
            return std::nullopt;
        value = static_cast<ValueId>(source);
        if (m_liveness.isEntryParameter(value))
            return kindOfParameter(value);
    }
    return std::nullopt;
}

BufferKind BufferKinds::kindOfParameter(ValueId value)
{
    const auto [entry, isNew] = m_parameterKinds.try_emplace(value, BufferKind::Input);
    if (!isNew)
        return entry->second;
    const InstructionId id = m_liveness.dataflow().values()[value].instruction;
    if (const std::optional<BufferKind> byName = parameterKindByName(m_module.metadata(id).opName))
        entry->second = *byName;
    else if (m_liveness.isDonated(value) || reachesKernelOperand(m_module, id))
        entry->second = BufferKind::Weights;
    return entry->second;
}

bool BufferKinds::isCarried(ValueId value) const
{
    const Dataflow::Value& v = m_liveness.dataflow().values()[value];
    if (!v.isPhi)
        return false;
    const HloInstruction& creator = m_module.instruction(v.instruction);
    if (creator.opcode == Opcode::While)
        return true;
    if (creator.opcode != Opcode::Parameter)
        return false;
    return std::ranges::any_of(m_module.callers(creator.computation), [this](InstructionId caller) {
        return m_module.instruction(caller).opcode == Opcode::While;
    });
}

bool BufferKinds::isWrittenByCollective(ValueId value)
{
    const InstructionId creator = m_liveness.dataflow().values()[value].instruction;
    const auto [entry, isNew] = m_isCollective.try_emplace(static_cast<uint32_t>(creator.index()), false);
    if (isNew)
        entry->second = categorize(m_module, creator) == OpCategory::Collective;
    return entry->second;
}

bool BufferKinds::isReadAgainAfterMatmul(ValueId value) const
{
    Reads reads;
    std::vector<int64_t> ownMatmuls;
    for (const Dataflow::Position& place : m_liveness.dataflow().positionsOf(value)) {
        const Reads& here = m_reads[place.instruction.index()];
        if (here.first < 0)
            continue;
        reads.first = reads.first < 0 ? here.first : std::min(reads.first, here.first);
        reads.last = std::max(reads.last, here.last);
        if (const auto found = m_matmulReads.find(static_cast<uint32_t>(place.instruction.index()));
            found != m_matmulReads.end())
            ownMatmuls.insert(ownMatmuls.end(), found->second.begin(), found->second.end());
    }
    if (reads.last - reads.first < 2)
        return false;
    std::ranges::sort(ownMatmuls);
    ownMatmuls.erase(std::unique(ownMatmuls.begin(), ownMatmuls.end()), ownMatmuls.end());
    const int64_t own = std::ranges::count_if(
        ownMatmuls, [&reads](int64_t position) { return position > reads.first && position < reads.last; });
    const int64_t all =
        m_matmulsBefore[static_cast<size_t>(reads.last)] - m_matmulsBefore[static_cast<size_t>(reads.first) + 1];
    return all > own;
}

} // namespace hloscope
