// SPDX-License-Identifier: Apache-2.0
#include "core/hlo/body_parser.h"

#include "core/hlo/async_form.h"
#include "core/hlo/call_order.h"

#include <algorithm>

namespace hloscope {
namespace {

constexpr uint32_t kInstructionsPerCheck = 2048;

// `slice-start`, `negate-done`: the word for an async op whose wrapped computation is left out. The opcode is that of
// the wrapped op.
struct SugaredOpcode {
    Opcode async = Opcode::Unknown;
    Opcode wrapped = Opcode::Unknown;
};

SugaredOpcode sugaredOpcode(std::string_view word)
{
    constexpr std::pair<std::string_view, Opcode> kSuffixes[] = {
        {"-start", Opcode::AsyncStart}, {"-update", Opcode::AsyncUpdate}, {"-done", Opcode::AsyncDone}};
    for (const auto& [suffix, async] : kSuffixes) {
        if (!word.ends_with(suffix))
            continue;
        const Opcode wrapped = opcodeFromName(word.substr(0, word.size() - suffix.size()));
        if (wrapped != Opcode::Unknown)
            return {async, wrapped};
    }
    return {};
}

std::string_view trimmed(const char* begin, const char* end)
{
    while (begin < end && TextClass::is(*begin, TextClass::Blank))
        ++begin;
    while (end > begin && TextClass::is(end[-1], TextClass::Blank))
        --end;
    return {begin, static_cast<size_t>(end - begin)};
}

} // namespace

void BodyParser::body(OpenComputation& open, End end)
{
    for (;;) {
        if (++m_readSinceCheck % kInstructionsPerCheck == 0 && m_reader.cancelled())
            return;
        const char next = m_cursor.peek();
        const char* const start = m_cursor.pos();
        if (start == m_cursor.end()) {
            if (end == End::Brace)
                m_reader.fail(start, "the computation is not closed", "'}'");
            return;
        }
        if (end == End::Brace && next == '}') {
            m_cursor.advance(1);
            return;
        }
        m_missingBrace = false;
        if (instruction(open))
            continue;
        if (!m_missingBrace)
            recover(start);
        if (m_missingBrace)
            return;
    }
}

// Moves to the next line that looks like an instruction or the end of the body.
void BodyParser::recover(const char* start)
{
    // What was wrong may already be the beginning of the next line.
    const std::string_view read(start, static_cast<size_t>(m_cursor.pos() - start));
    if (read.find('\n') != std::string_view::npos && (m_cursor.peek() == '}' || isInstructionStart(m_cursor)))
        return;
    for (;;) {
        const std::string_view rest(m_cursor.pos(), static_cast<size_t>(m_cursor.end() - m_cursor.pos()));
        const size_t newline = rest.find('\n');
        m_cursor.advance(newline != std::string_view::npos ? newline + 1 : rest.size());
        TextCursor look = m_cursor;
        const char next = look.peek();
        if (look.atEnd() || next == '}' || isInstructionStart(look))
            return;
        if (isComputationStart(look) || look.take("HloModule")) {
            m_missingBrace = true;
            return;
        }
    }
}

bool BodyParser::instruction(OpenComputation& open)
{
    const char* const start = m_cursor.pos();
    m_reader.lines.moveTo(start);
    HloInstruction op;
    op.line = m_reader.lines.line();
    if (*start == 'R' && m_cursor.takeNameRaw() == "ROOT" && m_cursor.peek() != '=')
        op.flags |= HloInstruction::IsRoot;
    else
        m_cursor.seek(start);
    if (m_cursor.peekRaw() == '%')
        m_cursor.advance(1);
    const char* const nameStart = m_cursor.pos();
    op.name = m_cursor.takeNameRest();
    if (op.name.empty())
        return m_reader.fail(nameStart, "malformed instruction", "a name");
    if (!m_cursor.take('=')) {
        if (isComputationStart(TextCursor(std::string_view(start, static_cast<size_t>(m_cursor.end() - start))))) {
            m_cursor.seek(start);
            m_missingBrace = true;
            return m_reader.fail(start, "the computation above is not closed", "'}'");
        }
        return m_reader.fail(m_cursor.pos(), "malformed instruction", "'='");
    }
    const Marks mine = marks();
    op.shape = m_builder.unknownShape();
    if (!result(op) || !opcodeAndOperands(open, op)) {
        drop(mine);
        // Its users are not to blame.
        standIn(open, op.name, op.shape);
        return false;
    }
    const bool complete = attributes(op);
    commit(open, op, mine, nameStart);
    return complete;
}

bool BodyParser::result(HloInstruction& op)
{
    if (!startsShape())
        return true;
    op.flags |= HloInstruction::HasResultShape;
    return shape(op.shape);
}

// A parenthesis, or a word with `[` behind it; `b(` opens a buffer shape.
bool BodyParser::startsShape()
{
    if (m_cursor.peek() == '(')
        return true;
    TextCursor look = m_cursor;
    const std::string_view word = look.takeNameRaw();
    return !word.empty() && (look.peekRaw() == '[' || (word == "b" && look.peekRaw() == '('));
}

bool BodyParser::shape(ShapeId& id)
{
    const char* const start = m_cursor.pos();
    if (!skipShape(m_cursor)) {
        m_cursor.boundToLine();
        return m_reader.fail(start, "a bracket of the shape is not closed");
    }
    const std::string_view text(start, static_cast<size_t>(m_cursor.pos() - start));
    ShapeError error;
    const ShapeId found = m_builder.shape(text, error);
    if (!found.isValid())
        return m_reader.failShape(text, std::move(error));
    if (!error.message.empty())
        m_reader.warn(start, std::move(error.message));
    id = found;
    return true;
}

bool BodyParser::opcodeAndOperands(OpenComputation& open, HloInstruction& op)
{
    m_cursor.skipBlanks();
    const char* const start = m_cursor.pos();
    op.opcodeText = m_cursor.takeNameRaw();
    if (op.opcodeText.empty())
        return m_reader.fail(start, "malformed instruction", "an opcode");
    if (m_cursor.peek() != '(')
        return m_reader.fail(m_cursor.pos(), "malformed instruction", "'(' behind the opcode");
    op.opcode = opcodeFromName(op.opcodeText);
    if (op.opcode == Opcode::Unknown) {
        op.opcode = sugaredOpcode(op.opcodeText).async;
        if (op.opcode != Opcode::Unknown)
            op.flags |= HloInstruction::IsSugaredAsync;
        else
            m_module.problems.count("unknown opcode " + std::string(op.opcodeText.substr(0, 60)));
    }
    if (op.opcode == Opcode::Parameter || op.opcode == Opcode::Constant)
        return payload(op);
    return operands(open, op);
}

bool BodyParser::payload(HloInstruction& op)
{
    const char* const open = m_cursor.pos();
    if (!m_cursor.skipBracket()) {
        m_cursor.boundToLine();
        return m_reader.fail(open, "'(' is not closed");
    }
    op.payload = trimmed(open + 1, m_cursor.pos() - 1);
    return true;
}

void BodyParser::drop(const Marks& marks)
{
    m_operands.resize(marks.operands);
    m_attributes.resize(marks.attributes);
    m_called.resize(marks.called);
}

void BodyParser::commit(OpenComputation& open, HloInstruction& op, const Marks& marks, const char* at)
{
    const auto moveTo = [](auto& pool, auto& scratch, size_t begin) {
        const IndexRange range{static_cast<uint32_t>(pool.size()), static_cast<uint32_t>(scratch.size() - begin)};
        pool.insert(pool.end(), scratch.begin() + static_cast<ptrdiff_t>(begin), scratch.end());
        scratch.resize(begin);
        return range;
    };
    op.operands = moveTo(m_module.operandPool, m_operands, marks.operands);
    op.attributes = moveTo(m_module.attributePool, m_attributes, marks.attributes);
    if (op.opcode == Opcode::AsyncStart && op.isSugaredAsync())
        wrapSugaredAsync(open, op, marks);
    op.called = commitCalls(marks);
    if (!open.add(op))
        m_reader.fail(at, "the name " + std::string(op.name) + " is defined twice in this computation");
}

IndexRange BodyParser::commitCalls(const Marks& marks)
{
    const IndexRange range{static_cast<uint32_t>(m_module.calledPool.size()),
                           static_cast<uint32_t>(m_called.size() - marks.called)};
    for (size_t i = marks.called; i < m_called.size(); ++i) {
        if (!m_called[i].id.isValid())
            m_forwardCalls.push_back({static_cast<uint32_t>(m_module.calledPool.size()), m_called[i].name});
        m_module.calledPool.push_back(m_called[i].id);
    }
    m_called.resize(marks.called);
    return range;
}

// `slice-start(%x), slice={[0:4]}` calls a computation that the text does not show: parameters and the one wrapped op.
void BodyParser::wrapSugaredAsync(OpenComputation& open, HloInstruction& op, const Marks& marks)
{
    HloInstruction wrapped;
    wrapped.line = op.line;
    wrapped.opcode = sugaredOpcode(op.opcodeText).wrapped;
    wrapped.opcodeText = opcodeName(wrapped.opcode);
    wrapped.name = m_builder.keep(std::string(op.name) + ".wrapped");
    wrapped.flags = HloInstruction::IsRoot | HloInstruction::HasResultShape;
    // The result of an async start is (operands, result, context...).
    const Shape& result = m_module.shapes[op.shape.index()];
    wrapped.shape =
        result.isTuple() && result.elements.size() > 1 ? m_builder.shape(Shape(result.elements[1])) : op.shape;

    std::vector<HloInstruction> body;
    for (uint32_t i = 0; i < op.operands.count; ++i) {
        HloInstruction& parameter = body.emplace_back();
        parameter.line = op.line;
        parameter.opcode = Opcode::Parameter;
        parameter.opcodeText = opcodeName(Opcode::Parameter);
        parameter.payload = m_builder.keep(std::to_string(i));
        parameter.name = m_builder.keep(i == 0 ? "async_param" : "async_param." + std::to_string(i));
        parameter.shape = open.instructions()[m_module.operandPool[op.operands.begin + i].index()].shape;
        parameter.flags = HloInstruction::HasResultShape;
    }
    wrapped.operands = {static_cast<uint32_t>(m_module.operandPool.size()), op.operands.count};
    for (uint32_t i = 0; i < op.operands.count; ++i)
        m_module.operandPool.push_back(InstructionId(i));
    HloComputation header;
    header.isImplicit = true;
    header.line = op.line;
    header.name = m_builder.keep("async_wrapped." + std::string(op.name));
    wrapped.attributes.begin = static_cast<uint32_t>(m_module.attributePool.size());
    for (uint32_t i = op.attributes.begin; i < op.attributes.end(); ++i) {
        const Attribute attribute = m_module.attributePool[i];
        if (attribute.key == "async_execution_thread" && attribute.value.size() > 2)
            header.executionThread = attribute.value.substr(1, attribute.value.size() - 2);
        if (!belongsToAsyncOp(attribute.key) || attribute.key == "metadata")
            m_module.attributePool.push_back(attribute);
    }
    wrapped.attributes.count = static_cast<uint32_t>(m_module.attributePool.size()) - wrapped.attributes.begin;
    wrapped.called = commitCalls(marks);
    body.push_back(wrapped);
    m_called.push_back({m_builder.addNested(std::move(body), header), header.name});
}

InstructionId BodyParser::standIn(OpenComputation& open, std::string_view name, ShapeId shape)
{
    HloInstruction op;
    op.name = name;
    op.shape = shape;
    op.flags = HloInstruction::IsInline;
    op.line = m_reader.lines.line();
    open.add(op);
    return InstructionId(open.instructions().size() - 1);
}

void BodyParser::resolveForwardCalls()
{
    for (const ForwardCall& call : m_forwardCalls) {
        const ComputationId id = m_builder.findComputation(call.name);
        m_module.calledPool[call.poolIndex] = id;
        if (!id.isValid() && !m_lenientNames)
            m_reader.fail(call.name.data(), "the computation " + std::string(call.name) + " is not defined");
    }
    if (m_forwardCalls.empty())
        return;
    for (const InstructionId id : orderByCalls(m_module)) {
        const HloInstruction& op = m_module.instruction(id);
        m_reader.failOnLine(op.line, "the call of " + std::string(op.name) + " leads back to itself");
    }
}

} // namespace hloscope
