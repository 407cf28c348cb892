// SPDX-License-Identifier: Apache-2.0
#include "core/hlo/hlo_text.h"

#include "core/hlo/async_form.h"
#include "core/hlo/json_text.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace hloscope {
namespace {

constexpr size_t kIndexInterval = 5;
constexpr uint32_t kLongBody = 5; // longer ones may repeat their name behind the closing brace

class ModulePrinter {
public:
    ModulePrinter(const HloModule& module, const HloPrintOptions& options)
        : m_module(module)
        , m_options(options)
        , m_style(options.form == HloTextForm::Source ? module.style : HloTextStyle())
    {
        m_shapeText.indexComments = m_style.tupleIndexComments;
    }

    std::string module(HloTextMap* map);
    std::string computation(ComputationId id);
    std::string instruction(InstructionId id);

private:
    bool isPrinted(ComputationId id) const;
    std::vector<ComputationId> computationsInOrder() const;
    void printHeader();
    void printComputation(ComputationId id);
    void printBody(ComputationId id, size_t indent);
    void printSignature(ComputationId id);
    void printInstruction(InstructionId id, size_t indent);
    void printOperands(const HloInstruction& op);
    void printOperand(InstructionId id, bool withShape);
    bool isWanted(std::string_view key) const;
    std::optional<AsyncLine> asyncLine(InstructionId id) const;
    void printAttributes(std::span<const Attribute> attributes);
    void printName(std::string_view name);
    void printNumber(uint64_t number);
    const std::string& shapeText(ShapeId id, bool layouts);
    void endLine();

    const HloModule& m_module;
    HloPrintOptions m_options;
    HloTextStyle m_style;
    ShapeText m_shapeText;
    std::string m_out;
    HloTextMap* m_map = nullptr;
    uint32_t m_line = 0;
    std::array<std::vector<std::string>, 2> m_shapes; // printed shapes by id, without and with layouts
};

std::string ModulePrinter::module(HloTextMap* map)
{
    m_map = map;
    if (m_map != nullptr) {
        m_map->lineOfInstruction.assign(m_module.instructions.size(), UINT32_MAX);
        m_map->lineOfComputation.assign(m_module.computations.size(), UINT32_MAX);
    }
    m_out.reserve(m_module.source != nullptr ? m_module.source->bytes().size() + 256 : 0);
    if (m_module.style.isBareInstructions) {
        printBody(m_module.entry, 0);
        return std::move(m_out);
    }
    if (m_style.hasHeader)
        printHeader();
    for (const ComputationId id : computationsInOrder()) {
        printComputation(id);
        endLine();
        endLine();
    }
    if (!m_style.endsWithBlankLine)
        m_out.pop_back();
    return std::move(m_out);
}

bool ModulePrinter::isPrinted(ComputationId id) const
{
    const HloComputation& computation = m_module.computation(id);
    switch (m_options.form) {
    case HloTextForm::Source:
        return !computation.isImplicit && !computation.isInline;
    case HloTextForm::Xla:
        return !isExpressedBySugar(m_module, id);
    case HloTextForm::Dump:
        break;
    }
    return true;
}

// As the text has them: they were moved when it had callers in front of their callees.
std::vector<ComputationId> ModulePrinter::computationsInOrder() const
{
    std::vector<ComputationId> order;
    order.reserve(m_module.computations.size());
    for (size_t i = 0; i < m_module.computations.size(); ++i) {
        if (isPrinted(ComputationId(i)))
            order.emplace_back(i);
    }
    std::stable_sort(order.begin(), order.end(), [this](ComputationId a, ComputationId b) {
        return m_module.computation(a).line < m_module.computation(b).line;
    });
    return order;
}

std::string ModulePrinter::computation(ComputationId id)
{
    printComputation(id);
    endLine();
    return std::move(m_out);
}

std::string ModulePrinter::instruction(InstructionId id)
{
    printInstruction(id, 0);
    return std::move(m_out);
}

void ModulePrinter::endLine()
{
    m_out += '\n';
    ++m_line;
}

void ModulePrinter::printName(std::string_view name)
{
    if (m_style.percent)
        m_out += '%';
    m_out += name;
}

void ModulePrinter::printNumber(uint64_t number)
{
    std::array<char, 24> buffer;
    const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number);
    m_out.append(buffer.data(), result.ptr);
}

// Many instructions share a shape, so each one is put into words once.
const std::string& ModulePrinter::shapeText(ShapeId id, bool layouts)
{
    std::vector<std::string>& known = m_shapes[layouts ? 1 : 0];
    if (known.empty())
        known.resize(m_module.shapes.size());
    std::string& text = known[id.index()];
    if (text.empty()) {
        ShapeText options = m_shapeText;
        options.layouts = layouts;
        appendShape(text, m_module.shapes[id.index()], options);
    }
    return text;
}

void ModulePrinter::printHeader()
{
    m_out += "HloModule ";
    m_out += m_module.name;
    for (const Attribute& attribute : m_module.attributes) {
        m_out += ", ";
        m_out += attribute.key;
        m_out += '=';
        m_out += attribute.value;
    }
    m_line += static_cast<uint32_t>(std::count(m_out.begin(), m_out.end(), '\n'));
    endLine();
    endLine();
    if (m_module.stackFrameText.empty() || !m_options.metadata)
        return;
    m_out += m_module.stackFrameText;
    m_line += static_cast<uint32_t>(std::count(m_module.stackFrameText.begin(), m_module.stackFrameText.end(), '\n'));
    endLine();
    endLine();
    endLine();
}

void ModulePrinter::printSignature(ComputationId id)
{
    m_out += '(';
    bool first = true;
    for (const InstructionId parameter : m_module.parameters(id)) {
        if (!parameter.isValid())
            continue;
        if (!first)
            m_out += ", ";
        first = false;
        m_out += m_module.instruction(parameter).name;
        m_out += ": ";
        m_out += shapeText(m_module.instruction(parameter).shape, false);
    }
    m_out += ") -> ";
    m_out += shapeText(m_module.instruction(m_module.computation(id).root).shape, false);
    m_out += ' ';
}

void ModulePrinter::printComputation(ComputationId id)
{
    const HloComputation& computation = m_module.computation(id);
    if (m_map != nullptr)
        m_map->lineOfComputation[id.index()] = m_line;
    if (computation.isEntry && m_style.marksEntry)
        m_out += "ENTRY ";
    if (!computation.name.empty()) {
        printName(computation.name);
        m_out += ' ';
    }
    if (computation.hasSignature || m_options.form != HloTextForm::Source)
        printSignature(id);
    m_out += '{';
    endLine();
    printBody(id, 2);
    m_out += '}';
    if (!computation.executionThread.empty()) {
        m_out += ", execution_thread=\"";
        m_out += computation.executionThread;
        m_out += '"';
    }
    if (m_style.namesClosedBodies && computation.instructions.count > kLongBody) {
        m_out += " // ";
        m_out += computation.name;
    }
}

void ModulePrinter::printBody(ComputationId id, size_t indent)
{
    const IndexRange range = m_module.computation(id).instructions;
    for (uint32_t i = range.begin; i < range.end(); ++i) {
        if (m_module.instructions[i].isInline())
            continue;
        if (m_map != nullptr)
            m_map->lineOfInstruction[i] = m_line;
        printInstruction(InstructionId(i), indent);
        endLine();
    }
}

void ModulePrinter::printInstruction(InstructionId id, size_t indent)
{
    const HloInstruction& op = m_module.instruction(id);
    m_out.append(indent, ' ');
    if (op.isRoot())
        m_out += "ROOT ";
    printName(op.name);
    m_out += " = ";
    if ((op.flags & HloInstruction::HasResultShape) != 0) {
        m_out += shapeText(op.shape, true);
        m_out += ' ';
    }
    if (const std::optional<AsyncLine> line = asyncLine(id)) {
        m_out += line->opcode;
        printOperands(op);
        printAttributes(line->attributes);
        return;
    }
    m_out += op.opcodeText;
    printOperands(op);
    printAttributes(m_module.attributesOf(id));
}

// Nothing for ops that print as they stand in the text.
std::optional<AsyncLine> ModulePrinter::asyncLine(InstructionId id) const
{
    const Opcode opcode = m_module.instruction(id).opcode;
    const bool isAsync = opcode == Opcode::AsyncStart || opcode == Opcode::AsyncUpdate || opcode == Opcode::AsyncDone;
    if (!isAsync || m_options.form == HloTextForm::Source)
        return std::nullopt;
    return m_options.form == HloTextForm::Xla ? sugaredLine(m_module, id) : plainLine(m_module, id);
}

void ModulePrinter::printOperands(const HloInstruction& op)
{
    m_out += '(';
    if (!op.payload.empty()) {
        m_out += op.payload;
        m_out += ')';
        return;
    }
    const bool asInSource = m_options.form == HloTextForm::Source;
    const bool withShapes =
        m_options.operandShapes || (asInSource && (op.flags & HloInstruction::HasOperandShapes) != 0);
    for (uint32_t i = 0; i < op.operands.count; ++i) {
        if (i > 0)
            m_out += ", ";
        if (i > 0 && i % kIndexInterval == 0 && m_style.operandIndexComments) {
            m_out += "/*index=";
            printNumber(i);
            m_out += "*/";
        }
        printOperand(m_module.operandPool[op.operands.begin + i], withShapes);
    }
    m_out += ')';
}

void ModulePrinter::printOperand(InstructionId id, bool withShape)
{
    const HloInstruction& operand = m_module.instruction(id);
    const bool isNested =
        operand.isInline() && !operand.opcodeText.empty() && operand.name.find('#') == std::string_view::npos;
    if (isNested ? (operand.flags & HloInstruction::HasResultShape) != 0 : withShape) {
        m_out += shapeText(operand.shape, true);
        if (isNested || !operand.name.empty())
            m_out += ' ';
    }
    if (isNested) {
        m_out += operand.opcodeText;
        printOperands(operand);
    } else if (!operand.name.empty()) {
        printName(operand.name);
    }
}

bool ModulePrinter::isWanted(std::string_view key) const
{
    return (m_options.metadata || key != "metadata") && (m_options.backendConfig || key != "backend_config");
}

void ModulePrinter::printAttributes(std::span<const Attribute> attributes)
{
    for (const Attribute& attribute : attributes) {
        if (!isWanted(attribute.key))
            continue;
        m_out += ", ";
        m_out += attribute.key;
        m_out += '=';
        if (m_options.form == HloTextForm::Dump && attribute.key == "backend_config") {
            if (const std::optional<std::string> sorted = sortedJson(attribute.value)) {
                m_out += *sorted;
                continue;
            }
        }
        m_out += attribute.value;
    }
}

} // namespace

std::string printModule(const HloModule& module, const HloPrintOptions& options, HloTextMap* map)
{
    return ModulePrinter(module, options).module(map);
}

std::string printComputation(const HloModule& module, ComputationId id, const HloPrintOptions& options)
{
    return ModulePrinter(module, options).computation(id);
}

std::string printInstruction(const HloModule& module, InstructionId id, const HloPrintOptions& options)
{
    return ModulePrinter(module, options).instruction(id);
}

} // namespace hloscope
