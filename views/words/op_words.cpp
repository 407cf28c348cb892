// SPDX-License-Identifier: Apache-2.0
#include "views/words/op_words.h"

#include "core/analysis/module_facts.h"
#include "core/hlo/attributes.h"
#include "views/words/op_sentence.h"
#include "views/words/opcode_words.h"
#include "views/words/units.h"
#include "views/words/words_tr.h"

#include <array>
#include <set>

namespace hloscope {

namespace {

constexpr int kMaxContentNames = 40;

// libtpu gives this name to the computation of a fusion that does an all-reduce and keeps a slice of it.
constexpr std::string_view kReduceScatterName = "all-reduce-scatter";

QString indexText(const std::vector<int64_t>& index)
{
    if (index.empty())
        return {};
    QStringList parts;
    for (int64_t entry : index)
        parts << QString::number(entry);
    return QLatin1Char('{') + parts.join(QLatin1Char(',')) + QLatin1Char('}');
}

ValueWords describeValue(const Shape& shape, const std::vector<int64_t>& index, std::string_view platform)
{
    ValueWords words;
    words.index = indexText(index);
    words.shape = toQString(toString(shape, {.layouts = false}));
    if (shape.layout)
        words.layout = toQString(toString(*shape.layout));
    words.summary = valueSummary(shape, platform);
    words.value = &shape;
    return words;
}

void describeResults(const Shape& shape, std::string_view platform, OpWords& words)
{
    visitSubshapes(shape, [&](const std::vector<int64_t>& index, const Shape& part) {
        if (part.isTuple())
            return;
        if (words.results.size() < OpWords::kMaxParts)
            words.results.push_back(describeValue(part, index, platform));
        else
            ++words.hiddenResults;
    });
    if (words.results.empty() && words.hiddenResults == 0) // the empty tuple
        words.results.push_back(describeValue(shape, {}, platform));
}

int64_t valueBytes(const Shape& shape)
{
    if (!shape.isTuple())
        return paddedByteSize(shape);
    int64_t bytes = 0;
    visitSubshapes(shape, [&bytes](const std::vector<int64_t>&, const Shape& part) {
        if (!part.isTuple() && __builtin_add_overflow(bytes, paddedByteSize(part), &bytes))
            bytes = std::numeric_limits<int64_t>::max();
    });
    return bytes;
}

LinkWords describeLink(const HloModule& module, InstructionId id)
{
    LinkWords words;
    words.instruction = id;
    words.name = toQString(module.instruction(id).name);
    words.role = roleOf(module, id);
    const Shape& shape = module.shape(id);
    words.shape = toQString(toString(shape, {.layouts = false}));
    if (shape.elementType != PrimitiveType::Token)
        words.bytes = formatBytes(valueBytes(shape));
    return words;
}

// Ops that only name or pass on a value: their category would say nothing.
bool movesNothing(Opcode opcode)
{
    switch (opcode) {
    case Opcode::Bitcast:
    case Opcode::Constant:
    case Opcode::GetTupleElement:
    case Opcode::Parameter:
    case Opcode::Tuple:
        return true;
    default:
        return false;
    }
}

QString kindLine(const HloModule& module, InstructionId id, const OpWords& words, const FusionContents& contents)
{
    const HloInstruction& op = module.instruction(id);
    if (op.opcode == Opcode::Fusion) {
        const QString what = contents.isReduceScatter ? Words::tr("ReduceScatter fusion")
                                                      : Words::tr("%1 fusion").arg(words.categoryText);
        const auto kind = module.attribute(id, "kind");
        return kind ? QStringLiteral("%1, kind=%2").arg(what, toQString(*kind)) : what;
    }
    return movesNothing(op.opcode)
        ? toQString(op.opcodeText)
        : QStringLiteral("%1, %2").arg(toQString(op.opcodeText), words.categoryText.toLower());
}

void addContents(const FusionContents& contents, OpWords& words)
{
    const auto add = [&words](int count, OpCategory category, const QString& text) {
        if (count > 0)
            words.contents.push_back({category, count, text.arg(count)});
    };
    add(contents.matmuls, OpCategory::Matmul, Words::tr("%1 matmul"));
    add(contents.pointwise, OpCategory::Pointwise, Words::tr("%1 pointwise"));
    add(contents.reduces, OpCategory::Reduce, Words::tr("%1 reduce"));
    add(contents.dataMovement, OpCategory::DataMovement, Words::tr("%1 data movement"));
    add(contents.collectives, OpCategory::Collective, Words::tr("%1 collective"));
    add(contents.customCalls, OpCategory::CustomCall, Words::tr("%1 custom call"));
}

QString contentNames(const HloModule& module, InstructionId id)
{
    const std::vector<InstructionId> ops = pointwiseOps(module, id);
    QStringList names;
    for (InstructionId op : ops) {
        if (names.size() == kMaxContentNames)
            return Words::tr("%1 and %2 more")
                .arg(names.join(QStringLiteral(", ")), formatCount(static_cast<qint64>(ops.size()) - kMaxContentNames));
        names << toQString(module.instruction(op).opcodeText);
    }
    return names.join(QStringLiteral(", "));
}

QString calledRole(std::string_view key)
{
    if (key == "condition")
        return Words::tr("Condition");
    if (key == "body")
        return Words::tr("Body");
    if (key == "to_apply")
        return Words::tr("Combines with");
    if (key == "true_computation")
        return Words::tr("If true");
    if (key == "false_computation")
        return Words::tr("If false");
    if (key == "branch_computations")
        return Words::tr("Branch");
    return Words::tr("Called computation");
}

bool namesComputation(std::string_view value, std::string_view name)
{
    for (size_t at = value.find(name); at != std::string_view::npos; at = value.find(name, at + 1)) {
        const size_t end = at + name.size();
        const auto isPartOfName = [](char c) {
            return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '-';
        };
        if ((at == 0 || !isPartOfName(value[at - 1])) && (end == value.size() || !isPartOfName(value[end])))
            return true;
    }
    return false;
}

QString missingComputation(std::string_view name)
{
    if (name.substr(0, kReduceScatterName.size()) == kReduceScatterName)
        return Words::tr("not in this text; libtpu gives this name to an all-reduce followed by a slice, "
                         "which is a ReduceScatter");
    return Words::tr("not in this text");
}

void describeCalled(const HloModule& module, InstructionId id, bool isReduceScatter, OpWords& words)
{
    static constexpr std::array<std::string_view, 9> keys{"calls",
                                                          "condition",
                                                          "body",
                                                          "to_apply",
                                                          "true_computation",
                                                          "false_computation",
                                                          "branch_computations",
                                                          "called_computations",
                                                          "scatter"};
    for (ComputationId called : module.called(id)) {
        CalledWords entry;
        entry.computation = called;
        const std::string_view name = module.computation(called).name;
        entry.name = toQString(name);
        entry.role = Words::tr("Called computation");
        for (const Attribute& attribute : module.attributesOf(id)) {
            if (std::find(keys.begin(), keys.end(), attribute.key) != keys.end()
                && namesComputation(attribute.value, name)) {
                entry.role = calledRole(attribute.key);
                break;
            }
        }
        entry.meaning = computationMeaning(module, called, isReduceScatter);
        words.called.push_back(std::move(entry));
    }
    if (!words.called.empty())
        return;
    // A single instruction line names a computation that did not come with it.
    for (const std::string_view key : {std::string_view("calls"), std::string_view("to_apply")}) {
        const auto value = module.attribute(id, key);
        if (!value || value->empty() || value->front() == '{')
            continue;
        const std::string_view name = value->front() == '%' ? value->substr(1) : *value;
        words.called.push_back({{}, calledRole(key), toQString(name), missingComputation(name)});
    }
}

QString placeText(std::string_view file, int line)
{
    const size_t slash = file.find_last_of("/\\");
    const QString base = toQString(slash == std::string_view::npos ? file : file.substr(slash + 1));
    return line > 0 ? QStringLiteral("%1:%2").arg(base).arg(line) : base;
}

void describeSource(const HloModule& module, InstructionId id, OpWords& words)
{
    for (const StackFrame& frame : module.stack(id))
        words.stack.push_back(
            {toQString(frame.file), frame.line, placeText(frame.file, frame.line), toQString(frame.function)});
    if (!words.stack.empty()) {
        words.source = words.stack.front();
        return;
    }
    const OpMetadata metadata = module.metadata(id);
    if (!metadata.sourceFile.empty())
        words.source = SourceWords{toQString(metadata.sourceFile),
                                   metadata.sourceLine,
                                   placeText(metadata.sourceFile, metadata.sourceLine),
                                   {}};
}

void addNotes(const HloModule& module, InstructionId id, std::string_view platform, OpWords& words)
{
    const HloInstruction& op = module.instruction(id);
    if (op.opcode == Opcode::Fusion) {
        words.notes << (platform == "tpu"
                            ? Words::tr("A fusion is several ops compiled as one. On a TPU it holds at most one matrix "
                                        "multiplication, with pointwise ops around it.")
                            : Words::tr("A fusion is several ops compiled as one."));
        const auto kind = module.attribute(id, "kind");
        const QString meaning = kind ? fusionKindMeaning(*kind) : QString();
        if (!meaning.isEmpty())
            words.notes << Words::tr("%1: %2.").arg(toQString(*kind), meaning);
        return;
    }
    const QString meaning = opcodeMeaning(op.opcode);
    if (op.opcode != Opcode::Unknown && !words.sentence.startsWith(meaning.left(1).toUpper() + meaning.mid(1)))
        words.notes << Words::tr("%1: %2.").arg(toQString(op.opcodeText), meaning);
}

} // namespace

QStringList scopeParts(std::string_view opName)
{
    if (opName.find('/') == std::string_view::npos)
        return {};
    QStringList parts;
    int depth = 0;
    size_t begin = 0;
    for (size_t i = 0; i < opName.size(); ++i) {
        const char c = opName[i];
        if (c == '(' || c == '[' || c == '{')
            ++depth;
        else if (c == ')' || c == ']' || c == '}')
            --depth;
        if (c != '/' || depth > 0)
            continue;
        const std::string_view part = opName.substr(begin, i - begin);
        if (!part.empty() && part.find("->") == std::string_view::npos)
            parts << toQString(part);
        begin = i + 1;
    }
    return parts;
}

QString roleOf(const HloModule& module, InstructionId id)
{
    const OpMetadata metadata = module.metadata(id);
    const HloInstruction& op = module.instruction(id);
    if (op.opcode == Opcode::Parameter)
        return module.computation(op.computation).isEntry ? toQString(metadata.opName) : QString();
    const QStringList scope = scopeParts(metadata.opName);
    return scope.size() > 1 ? scope.last() : QString();
}

OpWords describeOp(const HloModule& module, InstructionId id)
{
    const HloInstruction& op = module.instruction(id);
    const std::string_view platform = platformOf(module);
    const FusionContents contents = fusionContents(module, id);
    OpWords words;
    words.name = toQString(op.name);
    words.category = categorize(module, id);
    words.categoryText = categoryName(words.category);
    words.kind = kindLine(module, id, words, contents);
    words.scope = scopeParts(module.metadata(id).opName).join(QStringLiteral(" / "));
    words.sentence = opSentence(module, id, contents);
    addNotes(module, id, platform, words);
    addContents(contents, words);
    words.contentNames = contentNames(module, id);
    describeResults(module.shape(id), platform, words);
    for (InstructionId operand : module.operands(id)) {
        if (operand.isValid())
            words.operands.push_back(describeLink(module, operand));
    }
    for (InstructionId user : module.users(id))
        words.users.push_back(describeLink(module, user));
    describeCalled(module, id, contents.isReduceScatter, words);
    describeSource(module, id, words);
    return words;
}

QStringList explainOp(const HloModule& module, InstructionId id)
{
    const OpWords words = describeOp(module, id);
    const std::string_view platform = platformOf(module);
    QStringList lines{QStringLiteral("%1: %2").arg(words.name, words.kind), words.sentence};
    lines += words.notes;
    if (!words.scope.isEmpty())
        lines << Words::tr("Scope: %1").arg(words.scope);
    for (const ValueWords& value : words.results) {
        lines << Words::tr("Result %1: %2")
                     .arg(value.index, value.shape + value.layout)
                     .replace(QStringLiteral(" :"), QStringLiteral(":"));
        if (value.value->isArray()) {
            const LayoutWords layout = describeLayout(*value.value, platform);
            for (const QString& line : layoutSentences(layout))
                lines << QStringLiteral("  ") + line;
            const QString meaning = memorySpaceMeaning(value.value->memorySpace(), platform);
            lines << QStringLiteral("  ")
                    + (meaning.isEmpty() ? Words::tr("Lives in %1.").arg(layout.space)
                                         : Words::tr("Lives in %1, %2.").arg(layout.space, meaning));
        }
    }
    for (const LinkWords& operand : words.operands)
        lines << Words::tr("Operand %1: %2, %3").arg(operand.name, operand.shape, operand.bytes);
    QStringList chips;
    for (const ContentWords& content : words.contents)
        chips << content.text;
    if (!chips.isEmpty())
        lines << Words::tr("Contains: %1").arg(chips.join(QStringLiteral(", ")));
    for (const CalledWords& called : words.called)
        lines << QStringLiteral("%1 %2: %3").arg(called.role, called.name, called.meaning);
    if (words.source)
        lines << Words::tr("Source: %1").arg(words.source->place);
    return lines;
}

} // namespace hloscope
