// SPDX-License-Identifier: Apache-2.0
#include "core/hlo/body_parser.h"

// The lists of an instruction: operands and attributes.
namespace hloscope {
namespace {

constexpr int kMaxDepth = 500;
constexpr size_t kIndexInterval = 5;

// Counts a level of nesting for as long as it lives.
class Nesting {
public:
    explicit Nesting(int& depth) : m_depth(++depth) { }
    ~Nesting() { --m_depth; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

    bool isTooDeep() const { return m_depth > kMaxDepth; }

private:
    int& m_depth;
};

} // namespace

bool BodyParser::operands(OpenComputation& open, HloInstruction& op)
{
    const char* const start = m_cursor.pos();
    const size_t first = m_operands.size();
    m_cursor.advance(1);
    if (m_cursor.take(')'))
        return true;
    do {
        m_cursor.skipBlanks();
        if (m_operands.size() - first == kIndexInterval)
            m_module.style.operandIndexComments = m_cursor.pos()[-1] == '/';
        if (!operand(open, op)) {
            if (op.opcode != Opcode::Unknown)
                return false;
            // Nobody knows what stands in the list of an unknown opcode.
            m_operands.resize(first);
            m_cursor.seek(start);
            return payload(op);
        }
    } while (m_cursor.take(','));
    return m_cursor.take(')') || m_reader.fail(m_cursor.pos(), "malformed operand list", "',' or ')'");
}

bool BodyParser::operand(OpenComputation& open, HloInstruction& op)
{
    ShapeId type = m_builder.unknownShape();
    const char* at = m_cursor.pos();
    bool hasShape = false;
    if (*at != '%' && startsShape()) {
        op.flags |= HloInstruction::HasOperandShapes;
        hasShape = true;
        if (!shape(type))
            return false;
        m_cursor.skipBlanks();
        at = m_cursor.pos();
    }
    const bool percent = m_cursor.peekRaw() == '%';
    if (percent)
        m_cursor.advance(1);
    const std::string_view name = percent ? m_cursor.takeNameRest() : m_cursor.takeNameRaw();
    if (name.empty()) {
        const char next = m_cursor.peek();
        if (!hasShape || (next != ',' && next != ')'))
            return op.opcode != Opcode::Unknown && m_reader.fail(at, "malformed operand", "an operand");
        m_operands.push_back(standIn(open, {}, type));
        return true;
    }
    if (m_cursor.peekRaw() == '(' && !percent)
        return inlineOperand(open, name, type, hasShape);
    m_operands.push_back(namedOperand(open, name, type, at));
    return true;
}

InstructionId BodyParser::namedOperand(OpenComputation& open, std::string_view name, ShapeId type, const char* at)
{
    InstructionId id = open.find(name);
    if (!id.isValid()) {
        if (!m_lenientNames && name != "null")
            m_reader.fail(at, "the operand " + std::string(name) + " is not defined in front of its user");
        id = standIn(open, name, type);
    }
    // `%t#1#0` takes element {1,0} of a tuple.
    while (m_cursor.peekRaw() == '#' && TextClass::is(m_cursor.peekRaw(1), TextClass::Digit)) {
        m_cursor.advance(1);
        const std::string_view index = m_cursor.takeNameRest();
        id = tupleElement(open, id, {name.data(), static_cast<size_t>(m_cursor.pos() - name.data())}, index);
    }
    return id;
}

InstructionId BodyParser::tupleElement(OpenComputation& open, InstructionId tuple, std::string_view name,
                                       std::string_view index)
{
    const InstructionId known = open.find(name);
    if (known.isValid())
        return known;
    HloInstruction op;
    op.name = name;
    op.opcode = Opcode::GetTupleElement;
    op.opcodeText = opcodeName(op.opcode);
    op.line = m_reader.lines.line();
    op.flags = HloInstruction::IsInline;
    op.shape = m_builder.unknownShape();
    const Shape& whole = m_module.shapes[open.instructions()[tuple.index()].shape.index()];
    TextCursor number(index);
    if (const Shape* element = whole.at({number.takeInt().value_or(-1)}))
        op.shape = m_builder.shape(Shape(*element));
    op.operands = {static_cast<uint32_t>(m_module.operandPool.size()), 1};
    m_module.operandPool.push_back(tuple);
    op.attributes = {static_cast<uint32_t>(m_module.attributePool.size()), 1};
    m_module.attributePool.push_back({"index", index});
    open.add(op);
    return InstructionId(open.instructions().size() - 1);
}

// `negate(add(%p, %q))`: an instruction without a name and attributes.
bool BodyParser::inlineOperand(OpenComputation& open, std::string_view opcode, ShapeId type, bool hasShape)
{
    const Nesting nesting(m_depth);
    if (nesting.isTooDeep())
        return m_reader.fail(opcode.data(), "instructions are nested too deeply");
    const Marks mine = marks();
    HloInstruction op;
    op.line = m_reader.lines.line();
    op.flags = HloInstruction::IsInline;
    op.shape = type;
    if (hasShape)
        op.flags |= HloInstruction::HasResultShape;
    m_cursor.seek(opcode.data());
    if (!opcodeAndOperands(open, op)) {
        drop(mine);
        return false;
    }
    op.name = m_builder.keep(std::string(opcode) + ".inline." + std::to_string(m_inlineNames++));
    commit(open, op, mine, opcode.data());
    m_operands.push_back(InstructionId(open.instructions().size() - 1));
    return true;
}

bool BodyParser::attributes(HloInstruction& op)
{
    while (m_cursor.take(',')) {
        if (!attribute(op))
            return false;
    }
    return true;
}

bool BodyParser::attribute(HloInstruction& op)
{
    m_cursor.skipBlanks();
    const char* const start = m_cursor.pos();
    Attribute attribute;
    attribute.key = m_cursor.takeNameRaw();
    if (attribute.key.empty() || m_cursor.peekRaw() != '=') {
        m_cursor.seek(start);
        return m_reader.fail(start, "malformed attribute of " + std::string(op.name), "'name=value'");
    }
    m_cursor.advance(1);
    const AttributeKind kind = attributeKind(attribute.key);
    if (kind == AttributeKind::Unknown)
        m_module.problems.count("unknown attribute " + std::string(attribute.key.substr(0, 60)));
    if (kind == AttributeKind::Computations) {
        if (!computations(attribute.value))
            return false;
    } else if (!plainValue(attribute.value, kind)) {
        return false;
    }
    m_attributes.push_back(attribute);
    return true;
}

bool BodyParser::plainValue(std::string_view& value, AttributeKind kind)
{
    const char* const start = m_cursor.pos();
    const std::optional<std::string_view> found = takeAttributeValue(m_cursor, kind);
    if (!found || swallowsInstruction(*found)) {
        m_cursor.seek(start);
        if (!found)
            m_cursor.boundToLine();
        return m_reader.fail(start, "a bracket or quote of the value is not closed on this line");
    }
    value = *found;
    return true;
}

// A bracket that was forgotten is "closed" by one further down. The lines in between then look like instructions.
bool BodyParser::swallowsInstruction(std::string_view value) const
{
    const char* const end = value.data() + value.size();
    const char* newline = m_reader.lines.lineEnd();
    while (newline < end) {
        if (newline >= value.data()
            && isInstructionStart(TextCursor(std::string_view(newline, static_cast<size_t>(m_cursor.end() - newline)))))
            return true;
        const std::string_view rest(newline + 1, static_cast<size_t>(end - newline - 1));
        const size_t next = rest.find('\n');
        if (next == std::string_view::npos)
            return false;
        newline += 1 + next;
    }
    return false;
}

// `%f`, `%f, %g`, `{%f, %g}`, or bodies in place of names.
bool BodyParser::computations(std::string_view& value)
{
    const char* const begin = (m_cursor.skipBlanks(), m_cursor.pos());
    const auto finish = [&] {
        value = std::string_view(begin, static_cast<size_t>(m_cursor.pos() - begin));
        return true;
    };
    if (m_cursor.peekRaw() == '{') {
        TextCursor inside = m_cursor;
        inside.advance(1);
        if (isInstructionStart(inside))
            return inlineBody() && finish();
        m_cursor.advance(1);
        if (m_cursor.take('}'))
            return finish();
        do {
            if (!(m_cursor.peek() == '{' ? inlineBody() : computationName()))
                return false;
        } while (m_cursor.take(','));
        return m_cursor.take('}') ? finish() : m_reader.fail(m_cursor.pos(), "malformed list", "',' or '}'");
    }
    if (!computationName())
        return false;
    for (;;) {
        finish();
        const char* const behindName = m_cursor.pos();
        // A name behind the comma belongs to the list, a `key=` does not.
        if (m_cursor.take(',')) {
            TextCursor look = m_cursor;
            look.skipBlanks();
            look.take('%');
            if (!look.takeNameRest().empty() && look.peekRaw() != '=') {
                computationName();
                continue;
            }
        }
        m_cursor.seek(behindName);
        return true;
    }
}

bool BodyParser::computationName()
{
    m_cursor.skipBlanks();
    const char* const at = m_cursor.pos();
    if (m_cursor.peekRaw() == '%')
        m_cursor.advance(1);
    const std::string_view name = m_cursor.takeNameRest();
    if (name.empty())
        return m_reader.fail(at, "malformed call", "the name of a computation");
    m_called.push_back({m_builder.findComputation(name), name});
    return true;
}

bool BodyParser::inlineBody()
{
    const Nesting nesting(m_depth);
    if (nesting.isTooDeep())
        return m_reader.fail(m_cursor.pos(), "computations are nested too deeply");
    HloComputation header;
    header.line = m_reader.lines.line();
    header.isInline = true;
    const char* const start = m_cursor.pos();
    m_cursor.advance(1);
    std::vector<HloInstruction> instructions;
    NameTable names;
    OpenComputation nested(instructions, names);
    body(nested, End::Brace);
    if (instructions.empty())
        return m_reader.fail(start, "the computation is empty");
    header.name = m_builder.keep("inline_computation." + std::to_string(m_inlineNames++));
    const std::string_view name = header.name;
    m_called.push_back({m_builder.addNested(std::move(instructions), header), name});
    return true;
}

} // namespace hloscope
