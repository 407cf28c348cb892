// SPDX-License-Identifier: Apache-2.0
#include "views/words/op_sentence.h"

#include "core/hlo/attributes.h"
#include "views/words/opcode_words.h"
#include "views/words/units.h"
#include "views/words/words_tr.h"

#include <algorithm>
#include <functional>

namespace hloscope {

namespace {

// Nested calls deeper than this do not occur in real modules; the bound keeps a cyclic file from looping.
constexpr int kMaxDepth = 50;
constexpr int kMaxSteps = 1000;

QString nameOf(const HloModule& module, InstructionId id)
{
    return toQString(module.instruction(id).name);
}

QString typeOf(const Shape& shape)
{
    return toQString(primitiveTypeName(shape.elementType));
}

QString shapeOf(const Shape& shape)
{
    return toQString(toString(shape, {.layouts = false}));
}

bool isMatmul(Opcode opcode)
{
    return opcode == Opcode::Convolution || opcode == Opcode::Dot || opcode == Opcode::RaggedDot
        || opcode == Opcode::ScaledDot;
}

int64_t dimensionOf(const Shape& shape, int64_t dimension)
{
    return dimension >= 0 && dimension < shape.rank() ? shape.dimensions[static_cast<size_t>(dimension)] : 1;
}

// TPU code writes batched and transposed matrix products as convolutions whose windows cover a whole dimension, start
// outside of it or step over dilated zeros. Only where input, window and output all have room does a window slide.
bool windowSlides(const HloModule& module, InstructionId id)
{
    const auto windowText = module.attribute(id, "window");
    const auto labelText = module.attribute(id, "dim_labels");
    if (!windowText || !labelText || module.operands(id).empty())
        return false;
    const auto window = parseWindow(*windowText);
    const auto labels = parseDimLabels(*labelText);
    if (!window || !labels)
        return false;
    const Shape& input = module.shape(module.operands(id).front());
    const Shape& output = module.shape(id);
    const size_t count = std::min({window->size(), labels->inputSpatial.size(), labels->outputSpatial.size()});
    for (size_t i = 0; i < count; ++i) {
        if ((*window)[i].size > 1 && (*window)[i].baseDilation == 1 && dimensionOf(input, labels->inputSpatial[i]) > 1
            && dimensionOf(output, labels->outputSpatial[i]) > 1)
            return true;
    }
    return false;
}

// The calls from the op that was asked about down to where the walk is.
using CallPath = std::vector<InstructionId>;

std::optional<std::pair<InstructionId, CallPath>> findInside(const HloModule& module, InstructionId id, CallPath path)
{
    if (isMatmul(module.instruction(id).opcode))
        return std::pair{id, std::move(path)};
    if (path.size() >= kMaxDepth || module.instruction(id).opcode != Opcode::Fusion)
        return std::nullopt;
    path.push_back(id);
    for (ComputationId called : module.called(id)) {
        const IndexRange range = module.computation(called).instructions;
        for (uint32_t i = range.begin; i < range.end(); ++i) {
            if (auto found = findInside(module, InstructionId(i), path))
                return found;
        }
    }
    return std::nullopt;
}

bool keepsValues(Opcode opcode)
{
    return opcode == Opcode::Bitcast || opcode == Opcode::Copy || opcode == Opcode::Convert
        || opcode == Opcode::Transpose || opcode == Opcode::Reshape;
}

bool onlyRearranges(const HloModule& module, InstructionId fusion)
{
    for (ComputationId called : module.called(fusion)) {
        const IndexRange range = module.computation(called).instructions;
        for (uint32_t i = range.begin; i < range.end(); ++i) {
            const Opcode opcode = module.instructions[i].opcode;
            if (opcode != Opcode::Parameter && !keepsValues(opcode))
                return false;
        }
    }
    return true;
}

// Follows a value outwards to an operand of the outermost call, through ops that only rearrange or convert it.
InstructionId traceOut(const HloModule& module, InstructionId id, CallPath path)
{
    for (int step = 0; step < kMaxSteps && !path.empty(); ++step) {
        const HloInstruction& at = module.instruction(id);
        const auto operands = module.operands(id);
        if (at.opcode == Opcode::Parameter) {
            const int64_t number = module.parameterNumber(id);
            const auto outer = module.operands(path.back());
            if (number < 0 || number >= static_cast<int64_t>(outer.size()))
                return {};
            id = outer[static_cast<size_t>(number)];
            path.pop_back();
        } else if ((keepsValues(at.opcode) || (at.opcode == Opcode::Fusion && onlyRearranges(module, id)))
                   && operands.size() == 1) {
            id = operands.front();
        } else {
            return {};
        }
    }
    return path.empty() ? id : InstructionId();
}

QString matmulSentence(const HloModule& module, const MatmulFacts& facts)
{
    const bool hasLeft = facts.left.isValid();
    const bool hasRight = facts.right.isValid();
    if (facts.slides) {
        return hasLeft && hasRight
            ? Words::tr("Convolves %1 with the kernel %2.").arg(nameOf(module, facts.left), nameOf(module, facts.right))
            : Words::tr("A convolution.");
    }
    if (hasLeft && hasRight)
        return Words::tr("Matrix product of %1 and %2.").arg(nameOf(module, facts.left), nameOf(module, facts.right));
    if (hasLeft || hasRight)
        return Words::tr("Matrix product of %1 and a value that is computed on the way.")
            .arg(nameOf(module, hasLeft ? facts.left : facts.right));
    return Words::tr("Matrix product of two values that are computed on the way.");
}

QString fusionSentence(const HloModule& module, InstructionId id, const FusionContents& contents)
{
    const auto operands = module.operands(id);
    const QString first = operands.empty() ? QString() : nameOf(module, operands.front());
    if (contents.isReduceScatter)
        return Words::tr("Adds up %1 over the devices of each group and leaves every device its own part: "
                         "an all-reduce followed by a slice, which is a ReduceScatter.")
            .arg(first);
    const QString between = QLatin1Char(' ') + Words::tr("The values in between are never stored.");
    if (contents.collectives > 0)
        return Words::tr("Moves data between devices, together with the ops around the transfer.");
    if (contents.customCalls > 0)
        return Words::tr("Runs a custom call together with the ops around it.");
    if (contents.matmuls > 0) {
        const auto matmul = findMatmul(module, id);
        QString text = matmul ? matmulSentence(module, *matmul) : Words::tr("A matrix multiplication.");
        if (contents.pointwise + contents.reduces > 0)
            text += QLatin1Char(' ')
                + Words::tr("The other ops run in the same pass; the values in between are never stored.");
        return text;
    }
    if (contents.reduces > 0 && contents.pointwise > 0)
        return Words::tr("Computes elements and folds them in the same pass.") + between;
    if (contents.reduces > 0)
        return Words::tr("Folds dimensions away, for example by adding up.");
    if (contents.pointwise > 1)
        return Words::tr("Works through its data once, element by element, with %1 pointwise ops.")
                   .arg(contents.pointwise)
            + between;
    if (contents.pointwise == 1) {
        const auto ops = pointwiseOps(module, id);
        if (!ops.empty())
            return opSentence(module, ops.front(), {});
    }
    if (contents.dataMovement > 0)
        return Words::tr("Moves data into another order or place; nothing is computed.");
    return Words::tr("Reads the same bytes under another shape or layout.");
}

// "dimension 2: 4096 → 8192"
QString grownDimension(const Shape& from, const Shape& to)
{
    if (!from.isArray() || !to.isArray() || from.rank() != to.rank())
        return {};
    for (size_t i = 0; i < from.dimensions.size(); ++i) {
        if (from.dimensions[i] != to.dimensions[i])
            return Words::tr("dimension %1: %2 → %3")
                .arg(i)
                .arg(formatCount(from.dimensions[i]), formatCount(to.dimensions[i]));
    }
    return {};
}

QString groupWords(const HloModule& module, InstructionId id)
{
    const ReplicaGroups* groups = module.replicaGroups(id);
    if (!groups)
        return {};
    const int64_t devices = module.replicaCount * module.numPartitions;
    const int64_t size = groups->sizeOfGroups(devices);
    if (size == 1)
        return Words::tr("Each device is a group of its own.");
    return size > 0 ? Words::tr("Groups of %1 devices.").arg(size) : QString();
}

QString collectiveSentence(const HloModule& module, InstructionId id)
{
    const HloInstruction& op = module.instruction(id);
    const auto operands = module.operands(id);
    if (operands.empty())
        return {};
    const QString first = nameOf(module, operands.front());
    QString text;
    switch (op.opcode) {
    case Opcode::AllGather:
    case Opcode::AllGatherStart: {
        text = Words::tr("Collects the parts of %1 from all devices of a group, so that each has the whole").arg(first);
        const QString grown = grownDimension(module.shape(operands.front()), module.shape(id));
        text += grown.isEmpty() ? QStringLiteral(".") : QStringLiteral(" (%1).").arg(grown);
        break;
    }
    case Opcode::AllReduce:
    case Opcode::AllReduceStart:
        text =
            Words::tr("Combines %1 over all devices of a group, element by element; each gets the result.").arg(first);
        break;
    case Opcode::ReduceScatter:
        text = Words::tr("Combines %1 over all devices of a group; each keeps its own part of the result.").arg(first);
        break;
    case Opcode::AllToAll:
        text = Words::tr("Each device of a group sends a different block of %1 to each of the others.").arg(first);
        break;
    default:
        return {};
    }
    const QString groups = groupWords(module, id);
    return groups.isEmpty() ? text : text + QLatin1Char(' ') + groups;
}

QString copySentence(const HloModule& module, InstructionId id)
{
    const auto operands = module.operands(id);
    if (operands.empty())
        return {};
    const Shape& from = module.shape(operands.front());
    Shape to = module.shape(id);
    if (module.instruction(id).opcode == Opcode::CopyStart && !to.elements.empty())
        to = Shape(to.elements.front()); // (destination, source, context)
    const QString name = nameOf(module, operands.front());
    if (!from.layout || !to.layout)
        return Words::tr("Copies %1.").arg(name);
    if (from.memorySpace() != to.memorySpace())
        return Words::tr("Copies %1 from memory space %2 to %3.")
            .arg(name)
            .arg(from.memorySpace())
            .arg(to.memorySpace());
    if (from.layout->minorToMajor != to.layout->minorToMajor || from.layout->tiles != to.layout->tiles)
        return Words::tr("Copies %1 into another layout: %2 → %3.")
            .arg(name, toQString(toString(*from.layout)), toQString(toString(*to.layout)));
    return Words::tr("Copies %1; the layout stays the same.").arg(name);
}

QString parameterSentence(const HloModule& module, InstructionId id)
{
    const HloInstruction& op = module.instruction(id);
    const int64_t number = module.parameterNumber(id);
    if (!module.computation(op.computation).isEntry)
        return Words::tr("Argument %1 of the computation %2.")
            .arg(number)
            .arg(toQString(module.computation(op.computation).name));
    const OpMetadata metadata = module.metadata(id);
    if (!metadata.opName.empty())
        return Words::tr("Argument %1 of the program, %2.").arg(number).arg(toQString(metadata.opName));
    return Words::tr("Argument %1 of the program.").arg(number);
}

QString binarySentence(const HloModule& module, InstructionId id)
{
    const auto operands = module.operands(id);
    if (operands.size() != 2)
        return {};
    const QString a = nameOf(module, operands[0]);
    const QString b = nameOf(module, operands[1]);
    switch (module.instruction(id).opcode) {
    case Opcode::Add:
        return Words::tr("Adds %1 and %2, element by element.").arg(a, b);
    case Opcode::Subtract:
        return Words::tr("Subtracts %2 from %1, element by element.").arg(a, b);
    case Opcode::Multiply:
        return Words::tr("Multiplies %1 and %2, element by element.").arg(a, b);
    case Opcode::Divide:
        return Words::tr("Divides %1 by %2, element by element.").arg(a, b);
    case Opcode::Maximum:
        return Words::tr("Takes the larger of %1 and %2, element by element.").arg(a, b);
    case Opcode::Minimum:
        return Words::tr("Takes the smaller of %1 and %2, element by element.").arg(a, b);
    default:
        return {};
    }
}

QString plainSentence(const HloModule& module, InstructionId id)
{
    const HloInstruction& op = module.instruction(id);
    const auto operands = module.operands(id);
    const bool hasOperand = !operands.empty();
    switch (op.opcode) {
    case Opcode::Parameter:
        return parameterSentence(module, id);
    case Opcode::Copy:
    case Opcode::CopyStart:
        return copySentence(module, id);
    case Opcode::Convert:
        return hasOperand
            ? Words::tr("Converts %1 from %2 to %3.")
                  .arg(nameOf(module, operands[0]), typeOf(module.shape(operands[0])), typeOf(module.shape(id)))
            : QString();
    case Opcode::GetTupleElement:
        return hasOperand
            ? Words::tr("Part %1 of the tuple %2. Nothing moves.")
                  .arg(toQString(module.attribute(id, "index").value_or("?")), nameOf(module, operands[0]))
            : QString();
    case Opcode::Bitcast:
    case Opcode::Reshape:
    case Opcode::Transpose:
        return hasOperand ? Words::tr("%1 as %2: %3.")
                                .arg(nameOf(module, operands[0]), shapeOf(module.shape(id)), opcodeMeaning(op.opcode))
                          : QString();
    case Opcode::CustomCall:
        return Words::tr("Runs code that XLA only knows by its name, %1.")
            .arg(toQString(unquote(module.attribute(id, "custom_call_target").value_or("?"))));
    default:
        return binarySentence(module, id);
    }
}

QString opCount(uint32_t count)
{
    return count == 1 ? Words::tr("1 op") : Words::tr("%1 ops").arg(formatCount(count));
}

QString capitalised(QString text)
{
    if (!text.isEmpty())
        text[0] = text[0].toUpper();
    return text;
}

} // namespace

std::optional<MatmulFacts> findMatmul(const HloModule& module, InstructionId id)
{
    const auto found = findInside(module, id, {});
    if (!found)
        return std::nullopt;
    const auto& [op, path] = *found;
    MatmulFacts facts;
    facts.op = op;
    facts.slides = module.instruction(op).opcode == Opcode::Convolution && windowSlides(module, op);
    const auto operands = module.operands(op);
    if (operands.size() >= 2) {
        facts.left = path.empty() ? operands[0] : traceOut(module, operands[0], path);
        facts.right = path.empty() ? operands[1] : traceOut(module, operands[1], path);
    }
    return facts;
}

std::vector<InstructionId> pointwiseOps(const HloModule& module, InstructionId id)
{
    std::vector<InstructionId> ops;
    const std::function<void(InstructionId, int)> visit = [&](InstructionId caller, int depth) {
        if (depth > kMaxDepth)
            return;
        for (ComputationId called : module.called(caller)) {
            const IndexRange range = module.computation(called).instructions;
            for (uint32_t i = range.begin; i < range.end(); ++i) {
                const Opcode opcode = module.instructions[i].opcode;
                if (opcode == Opcode::Fusion)
                    visit(InstructionId(i), depth + 1);
                else if (isElementwise(opcode))
                    ops.emplace_back(i);
            }
        }
    };
    if (module.instruction(id).opcode == Opcode::Fusion)
        visit(id, 0);
    return ops;
}

QString opSentence(const HloModule& module, InstructionId id, const FusionContents& contents)
{
    const HloInstruction& op = module.instruction(id);
    QString text;
    if (op.opcode == Opcode::Fusion)
        text = fusionSentence(module, id, contents);
    else if (isMatmul(op.opcode))
        text = matmulSentence(module, findMatmul(module, id).value_or(MatmulFacts{}));
    else if (isCollective(op.opcode))
        text = collectiveSentence(module, id);
    else
        text = plainSentence(module, id);
    if (!text.isEmpty())
        return text;
    if (op.opcode == Opcode::Unknown)
        return Words::tr("%1 is an opcode that Hloscope does not know.").arg(toQString(op.opcodeText));
    return capitalised(opcodeMeaning(op.opcode)) + QLatin1Char('.');
}

QString computationMeaning(const HloModule& module, ComputationId id, bool isReduceScatter)
{
    const HloComputation& computation = module.computation(id);
    const IndexRange range = computation.instructions;
    if (isReduceScatter)
        return Words::tr("%1 ops: an all-reduce followed by a slice, which is a ReduceScatter").arg(range.count);
    // A body of parameters and one op is what reduces and sorts are given: name the op.
    const HloInstruction* only = nullptr;
    for (uint32_t i = range.begin; i < range.end(); ++i) {
        if (module.instructions[i].opcode == Opcode::Parameter)
            continue;
        if (only)
            return opCount(range.count);
        only = &module.instructions[i];
    }
    return only ? toQString(only->opcodeText) : opCount(range.count);
}

} // namespace hloscope
