// SPDX-License-Identifier: Apache-2.0
#include "core/hlo/op_category.h"

#include "core/hlo/shape_parser.h"
#include "core/hlo/text_cursor.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <string>

namespace hloscope {
namespace {

bool isMatmul(Opcode opcode)
{
    return opcode == Opcode::Convolution || opcode == Opcode::Dot || opcode == Opcode::RaggedDot
        || opcode == Opcode::ScaledDot;
}

bool isReduction(Opcode opcode)
{
    switch (opcode) {
    case Opcode::BatchNormGrad:
    case Opcode::BatchNormTraining:
    case Opcode::Reduce:
    case Opcode::ReduceWindow:
    case Opcode::Scan:
    case Opcode::SelectAndScatter:
    case Opcode::Topk:
        return true;
    default:
        return false;
    }
}

bool movesData(Opcode opcode)
{
    switch (opcode) {
    case Opcode::Concatenate:
    case Opcode::Copy:
    case Opcode::DynamicReshape:
    case Opcode::DynamicSlice:
    case Opcode::DynamicUpdateSlice:
    case Opcode::Gather:
    case Opcode::Pad:
    case Opcode::Reverse:
    case Opcode::Scatter:
    case Opcode::Slice:
    case Opcode::Sort:
    case Opcode::Transpose:
        return true;
    default:
        return false;
    }
}

// Ops without work of their own that only say how values and computations hang together.
bool isStructure(Opcode opcode)
{
    switch (opcode) {
    case Opcode::AddDependency:
    case Opcode::AfterAll:
    case Opcode::Call:
    case Opcode::Conditional:
    case Opcode::Domain:
    case Opcode::GetTupleElement:
    case Opcode::OptBarrier:
    case Opcode::Parameter:
    case Opcode::PartitionId:
    case Opcode::ReplicaId:
    case Opcode::Tuple:
    case Opcode::While:
        return true;
    default:
        return false;
    }
}

OpCategory categoryOfOpcode(Opcode opcode)
{
    if (isCollective(opcode))
        return OpCategory::Collective;
    if (isMatmul(opcode))
        return OpCategory::Matmul;
    if (isReduction(opcode))
        return OpCategory::Reduce;
    if (movesData(opcode))
        return OpCategory::DataMovement;
    if (isStructure(opcode))
        return OpCategory::ControlFlow;
    switch (opcode) {
    case Opcode::Bitcast:
    case Opcode::Reshape:
    case Opcode::SetDimensionSize:
        return OpCategory::DataMovement;
    case Opcode::AsyncStart:
    case Opcode::AsyncUpdate:
    case Opcode::AsyncDone:
    case Opcode::CopyStart:
    case Opcode::CopyDone:
        return OpCategory::AsyncDma;
    case Opcode::CustomCall:
    case Opcode::Cholesky:
    case Opcode::Fft:
    case Opcode::TriangularSolve:
        return OpCategory::CustomCall;
    case Opcode::Infeed:
    case Opcode::Outfeed:
    case Opcode::Send:
    case Opcode::SendDone:
    case Opcode::Recv:
    case Opcode::RecvDone:
        return OpCategory::Host;
    default:
        return OpCategory::Pointwise;
    }
}

// Saturates: computations that call each other many times over multiply their contents.
void addTo(int& sum, int value)
{
    if (__builtin_add_overflow(sum, value, &sum))
        sum = std::numeric_limits<int>::max();
}

void addTo(FusionContents& sum, const FusionContents& part)
{
    addTo(sum.matmuls, part.matmuls);
    addTo(sum.pointwise, part.pointwise);
    addTo(sum.reduces, part.reduces);
    addTo(sum.dataMovement, part.dataMovement);
    addTo(sum.collectives, part.collectives);
    addTo(sum.customCalls, part.customCalls);
    sum.isReduceScatter = sum.isReduceScatter || part.isReduceScatter;
}

// Follows the result of an all-reduce through ops that keep its elements to a dynamic-slice that cuts it.
bool isCutByDynamicSlice(const HloModule& module, InstructionId allReduce)
{
    constexpr int kLongestChain = 8;
    std::vector<InstructionId> reached{allReduce};
    for (int step = 0; step < kLongestChain && !reached.empty(); ++step) {
        std::vector<InstructionId> next;
        for (const InstructionId id : reached) {
            for (const InstructionId user : module.users(id)) {
                const Opcode opcode = module.instruction(user).opcode;
                if (opcode == Opcode::DynamicSlice && module.operands(user).front() == id)
                    return true;
                if (opcode == Opcode::Bitcast || opcode == Opcode::Reshape || opcode == Opcode::Convert
                    || opcode == Opcode::Copy || opcode == Opcode::Transpose)
                    next.push_back(user);
            }
        }
        reached = std::move(next);
    }
    return false;
}

void countOp(const HloModule& module, InstructionId id, FusionContents& contents)
{
    const Opcode opcode = module.instruction(id).opcode;
    if (isMatmul(opcode)) {
        addTo(contents.matmuls, 1);
    } else if (isCollective(opcode)) {
        addTo(contents.collectives, 1);
        contents.isReduceScatter =
            contents.isReduceScatter || (opcode == Opcode::AllReduce && isCutByDynamicSlice(module, id));
    } else if (opcode == Opcode::CustomCall) {
        addTo(contents.customCalls, 1);
    } else if (isReduction(opcode)) {
        addTo(contents.reduces, 1);
    } else if (movesData(opcode)) {
        addTo(contents.dataMovement, 1);
    } else if (isElementwise(opcode)) {
        addTo(contents.pointwise, 1);
    }
}

// Whether the called computations are part of the op itself; the bodies of reductions and loops are not.
bool holdsItsCallees(Opcode opcode)
{
    return opcode == Opcode::Fusion || opcode == Opcode::Call || opcode == Opcode::AsyncStart
        || opcode == Opcode::AsyncUpdate || opcode == Opcode::AsyncDone;
}

// Done and update ops need not name the computation; their start does.
InstructionId startOfAsync(const HloModule& module, InstructionId id)
{
    for (;;) {
        const HloInstruction& op = module.instruction(id);
        const bool leadsBack = op.opcode == Opcode::AsyncDone || op.opcode == Opcode::AsyncUpdate;
        if (!leadsBack || !op.called.empty() || op.operands.empty())
            return id;
        id = module.operands(id).front();
    }
}

using ContentsOf = std::map<ComputationId, FusionContents>;

// Contents of a computation with everything it holds, each computation looked at once. Callees stand in front of their
// callers, so this ends.
const FusionContents& contentsOf(const HloModule& module, ComputationId id, ContentsOf& known)
{
    // An explicit stack: nesting comes from the file.
    std::vector<ComputationId> open{id};
    while (!open.empty()) {
        const ComputationId current = open.back();
        FusionContents contents;
        bool complete = known.count(current) == 0;
        if (!complete) {
            open.pop_back();
            continue;
        }
        const IndexRange range = module.computation(current).instructions;
        for (uint32_t i = range.begin; i < range.end(); ++i) {
            countOp(module, InstructionId(i), contents);
            if (!holdsItsCallees(module.instructions[i].opcode))
                continue;
            for (const ComputationId callee : module.called(InstructionId(i))) {
                const auto found = known.find(callee);
                if (found != known.end()) {
                    addTo(contents, found->second);
                } else {
                    complete = false;
                    open.push_back(callee);
                }
            }
        }
        if (complete) {
            known.emplace(current, contents);
            open.pop_back();
        }
    }
    return known.at(id);
}

OpCategory strongest(const FusionContents& contents)
{
    if (contents.collectives > 0)
        return OpCategory::Collective;
    if (contents.customCalls > 0)
        return OpCategory::CustomCall;
    if (contents.matmuls > 0)
        return OpCategory::Matmul;
    if (contents.reduces > 0)
        return OpCategory::Reduce;
    if (contents.dataMovement > 0)
        return OpCategory::DataMovement;
    return OpCategory::Pointwise;
}

struct NameRule {
    std::string_view text;
    OpCategory category;
};

// XProf's hlo_category where it is not an opcode.
constexpr std::array<NameRule, 19> kXprofCategories{{
    {"convolution fusion", OpCategory::Matmul},
    {"convolution base-dilated", OpCategory::Matmul},
    {"convolution window-dilated", OpCategory::Matmul},
    {"all-reduce fusion", OpCategory::Collective},
    {"all-gather fusion", OpCategory::Collective},
    {"all-reduce-scatter fusion", OpCategory::Collective},
    {"gather fusion", OpCategory::DataMovement},
    {"scatter fusion", OpCategory::DataMovement},
    {"data formatting", OpCategory::DataMovement},
    {"input fusion", OpCategory::Reduce},
    {"loop fusion", OpCategory::Pointwise},
    {"output fusion", OpCategory::Pointwise},
    {"megacore fusion", OpCategory::Pointwise},
    {"non-fusion elementwise", OpCategory::Pointwise},
    {"custom fusion", OpCategory::CustomCall},
    {"host send", OpCategory::Host},
    {"host send-done", OpCategory::Host},
    {"host recv", OpCategory::Host},
    {"host recv-done", OpCategory::Host},
}};

// What names of instructions contain, strongest first; `_` counts as `-`.
constexpr std::array<NameRule, 33> kNameParts{{
    {"all-reduce", OpCategory::Collective},
    {"all-gather", OpCategory::Collective},
    {"all-to-all", OpCategory::Collective},
    {"reduce-scatter", OpCategory::Collective},
    {"collective", OpCategory::Collective},
    {"psum", OpCategory::Collective},
    {"ppermute", OpCategory::Collective},
    {"custom-call", OpCategory::CustomCall},
    {"convolution", OpCategory::Matmul},
    {"dot-general", OpCategory::Matmul},
    {"matmul", OpCategory::Matmul},
    {"conv-general", OpCategory::Matmul},
    {"infeed", OpCategory::Host},
    {"outfeed", OpCategory::Host},
    {"copy-start", OpCategory::AsyncDma},
    {"copy-done", OpCategory::AsyncDma},
    {"slice-start", OpCategory::AsyncDma},
    {"slice-done", OpCategory::AsyncDma},
    {"async-start", OpCategory::AsyncDma},
    {"async-done", OpCategory::AsyncDma},
    {"while", OpCategory::ControlFlow},
    {"conditional", OpCategory::ControlFlow},
    {"reduce-precision", OpCategory::Pointwise},
    {"reduce", OpCategory::Reduce},
    {"copy", OpCategory::DataMovement},
    {"transpose", OpCategory::DataMovement},
    {"slice", OpCategory::DataMovement},
    {"concatenate", OpCategory::DataMovement},
    {"gather", OpCategory::DataMovement},
    {"scatter", OpCategory::DataMovement},
    {"bitcast", OpCategory::DataMovement},
    {"reshape", OpCategory::DataMovement},
    {"sort", OpCategory::DataMovement},
}};

// `%fusion.3 = bf16[8]{0} fusion(...)`: the opcode, or nothing for other text.
std::string_view opcodeOfLine(std::string_view line)
{
    const size_t equals = line.find(" = ");
    if (equals == std::string_view::npos)
        return {};
    TextCursor cursor(line.substr(equals + 3));
    if (!skipShape(cursor))
        return {};
    return cursor.takeName();
}

bool looksLikeInstructionName(std::string_view name)
{
    return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
        return TextClass::is(c, TextClass::Name) && (c < 'A' || c > 'Z');
    });
}

OpCategory categoryOfInstructionName(std::string_view name)
{
    if (name.starts_with('%'))
        name.remove_prefix(1);
    if (const std::string_view opcode = opcodeOfLine(name); !opcode.empty()) {
        if (opcode != "fusion" && opcodeFromName(opcode) != Opcode::Unknown)
            return categoryOfOpcode(opcodeFromName(opcode));
        name = name.substr(0, name.find(' '));
    }
    if (!looksLikeInstructionName(name))
        return OpCategory::Host;
    std::string plain(name);
    std::replace(plain.begin(), plain.end(), '_', '-');
    const Opcode exact = opcodeFromName(plain.substr(0, plain.find('.')));
    if (exact != Opcode::Unknown)
        return categoryOfOpcode(exact);
    for (const NameRule& rule : kNameParts) {
        if (plain.find(rule.text) != std::string::npos)
            return rule.category;
    }
    return plain == "idle" ? OpCategory::Idle : OpCategory::Pointwise;
}

} // namespace

FusionContents fusionContents(const HloModule& module, InstructionId id)
{
    const InstructionId start = startOfAsync(module, id);
    FusionContents contents;
    if (!holdsItsCallees(module.instruction(start).opcode))
        return contents;
    ContentsOf known;
    for (const ComputationId callee : module.called(start))
        addTo(contents, contentsOf(module, callee, known));
    return contents;
}

OpCategory categorize(const HloModule& module, InstructionId id)
{
    const Opcode opcode = module.instruction(id).opcode;
    if (opcode == Opcode::Fusion)
        return strongest(fusionContents(module, id));
    const bool isAsync = opcode == Opcode::AsyncStart || opcode == Opcode::AsyncUpdate || opcode == Opcode::AsyncDone;
    if (isAsync && fusionContents(module, id).collectives > 0)
        return OpCategory::Collective;
    return categoryOfOpcode(opcode);
}

OpCategory categorizeByName(std::string_view hloCategory, std::string_view name)
{
    for (const NameRule& rule : kXprofCategories) {
        if (rule.text == hloCategory)
            return rule.category;
    }
    const Opcode opcode = opcodeFromName(hloCategory);
    if (opcode != Opcode::Unknown && opcode != Opcode::Fusion)
        return categoryOfOpcode(opcode);
    if (hloCategory == "idle" || hloCategory == "IDLE")
        return OpCategory::Idle;
    return categoryOfInstructionName(name);
}

} // namespace hloscope
