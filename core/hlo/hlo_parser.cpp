// SPDX-License-Identifier: Apache-2.0
#include "core/hlo/attributes.h"
#include "core/hlo/body_parser.h"
#include "core/hlo/frame_tables.h"
#include "core/hlo/hlo_text.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace hloscope {
namespace {

// Reads the outermost level of a file: the header line, the frame tables and the computations.
class FileParser {
public:
    explicit FileParser(TextReader& reader)
        : m_reader(reader), m_cursor(reader.cursor), m_module(reader.module), m_bodies(reader)
    {
    }

    void read();

private:
    void header();
    bool headerAttribute();
    void takeHeaderValue(const Attribute& attribute);
    void bareInstructions();
    bool computation();
    bool signature(HloComputation& header);
    void executionThread(HloComputation& header);
    void skipLine();
    void skipFurtherModules();
    void chooseEntry();
    void findEntry();

    TextReader& m_reader;
    TextCursor& m_cursor;
    HloModule& m_module;
    BodyParser m_bodies;
    ComputationId m_entry;
};

void FileParser::read()
{
    m_module.style.hasHeader = m_cursor.take("HloModule");
    if (m_module.style.hasHeader)
        header();
    readFrameTables(m_reader);
    if (!m_module.style.hasHeader && !isComputationStart(m_cursor) && isInstructionStart(m_cursor))
        bareInstructions();
    while (!m_cursor.atEnd() && !m_reader.cancelled()) {
        TextCursor look = m_cursor;
        if (look.take("HloModule"))
            break;
        if (!computation())
            skipLine();
    }
    skipFurtherModules();
    chooseEntry();
    m_bodies.resolveForwardCalls();
    findEntry();
}

void FileParser::header()
{
    while (m_cursor.peekRaw() == ' ')
        m_cursor.advance(1);
    const char* const begin = m_cursor.pos();
    while (m_cursor.pos() != m_cursor.end() && m_cursor.peekRaw() != ','
           && !TextClass::is(m_cursor.peekRaw(), TextClass::Blank))
        m_cursor.advance(1);
    m_module.name = std::string_view(begin, static_cast<size_t>(m_cursor.pos() - begin));
    while (m_cursor.take(',')) {
        if (!headerAttribute()) {
            skipLine();
            break;
        }
    }
}

bool FileParser::headerAttribute()
{
    Attribute attribute;
    m_cursor.skipBlanks();
    const char* const start = m_cursor.pos();
    attribute.key = m_cursor.takeNameRaw();
    if (attribute.key.empty() || m_cursor.peekRaw() != '=')
        return m_reader.fail(start, "malformed attribute of the module", "'name=value'");
    m_cursor.advance(1);
    const AttributeKind kind = attributeKind(attribute.key);
    if (kind == AttributeKind::Unknown)
        m_module.problems.count("unknown attribute " + std::string(attribute.key.substr(0, 60)));
    const char* const valueStart = m_cursor.pos();
    const std::optional<std::string_view> value = takeAttributeValue(m_cursor, kind);
    if (!value) {
        m_cursor.seek(valueStart);
        m_cursor.boundToLine();
        return m_reader.fail(valueStart, "a bracket or quote of the value is not closed");
    }
    attribute.value = *value;
    m_module.attributes.push_back(attribute);
    takeHeaderValue(attribute);
    return true;
}

void FileParser::takeHeaderValue(const Attribute& attribute)
{
    const auto number = [&](int64_t& target) {
        TextCursor cursor(attribute.value);
        const std::optional<int64_t> value = cursor.takeInt();
        if (value && *value >= 1)
            target = *value;
        else
            m_reader.fail(attribute.value.data(), "malformed attribute of the module", "a positive number");
    };
    if (attribute.key == "is_scheduled") {
        m_module.isScheduled = attribute.value == "true";
    } else if (attribute.key == "replica_count") {
        number(m_module.replicaCount);
    } else if (attribute.key == "num_partitions") {
        number(m_module.numPartitions);
    } else if (attribute.key == "input_output_alias") {
        if (auto aliases = parseInputOutputAlias(attribute.value))
            m_module.inputOutputAliases = std::move(*aliases);
        else
            m_reader.fail(attribute.value.data(), "malformed attribute of the module", "a list of aliases");
    }
}

// One or more instructions without anything around them, as one finds them in a chat or a profile.
void FileParser::bareInstructions()
{
    m_bodies.setLenientNames(true);
    HloComputation entry;
    entry.isEntry = true;
    entry.line = 1;
    m_module.style.isBareInstructions = true;
    OpenComputation open(m_module.instructions, m_reader.builder.scope());
    m_bodies.body(open, BodyParser::End::Text);
    if (open.count() > 0)
        m_entry = m_reader.builder.addComputation(open, entry);
}

bool FileParser::computation()
{
    HloComputation header;
    m_cursor.skipBlanks();
    const char* const start = m_cursor.pos();
    m_reader.lines.moveTo(start);
    header.line = m_reader.lines.line();
    if (m_cursor.takeNameRaw() == "ENTRY" && m_cursor.peek() != '=')
        header.isEntry = true;
    else
        m_cursor.seek(start);
    m_cursor.take('%');
    header.name = m_cursor.takeNameRest();
    if (!signature(header))
        return false;
    if (!m_cursor.take('{'))
        return m_reader.fail(m_cursor.pos(), "malformed head of a computation", "'{'");
    if (!header.name.empty() && m_reader.builder.findComputation(header.name).isValid())
        m_reader.fail(start, "the computation " + std::string(header.name) + " is defined twice");
    OpenComputation open(m_module.instructions, m_reader.builder.scope());
    m_bodies.body(open, BodyParser::End::Brace);
    executionThread(header);
    if (open.count() == 0) {
        m_reader.fail(start, "the computation is empty");
        return true;
    }
    const ComputationId id = m_reader.builder.addComputation(open, header);
    if (header.isEntry && m_entry.isValid())
        m_reader.fail(start, "a second entry computation");
    else if (header.isEntry)
        m_entry = id;
    return true;
}

// `(a: f32[4], b: s32[]) -> f32[4]`. It repeats what the body says, so only its presence is kept.
bool FileParser::signature(HloComputation& header)
{
    if (m_cursor.peek() != '(')
        return true;
    const char* const open = m_cursor.pos();
    if (!m_cursor.skipBracket()) {
        m_cursor.boundToLine();
        return m_reader.fail(open, "'(' is not closed");
    }
    if (!m_cursor.take("->"))
        return m_reader.fail(m_cursor.pos(), "malformed head of a computation", "'->'");
    m_cursor.skipBlanks();
    const char* const result = m_cursor.pos();
    if (!skipShape(m_cursor)) {
        m_cursor.seek(result);
        return m_reader.fail(result, "malformed head of a computation", "the shape of the result");
    }
    header.hasSignature = true;
    return true;
}

void FileParser::executionThread(HloComputation& header)
{
    const char* const start = m_cursor.pos();
    if (m_cursor.take(',') && m_cursor.take("execution_thread=")) {
        const std::string_view text = m_cursor.takeString();
        if (text.size() >= 2) {
            header.executionThread = text.substr(1, text.size() - 2);
            return;
        }
    }
    m_cursor.seek(start);
}

void FileParser::skipLine()
{
    const std::string_view rest(m_cursor.pos(), static_cast<size_t>(m_cursor.end() - m_cursor.pos()));
    const size_t newline = rest.find('\n');
    m_cursor.advance(newline != std::string_view::npos ? newline + 1 : rest.size());
}

void FileParser::skipFurtherModules()
{
    uint64_t modules = 0;
    std::string_view rest(m_cursor.pos(), static_cast<size_t>(m_cursor.end() - m_cursor.pos()));
    if (m_reader.isCancelled)
        return;
    while (!rest.empty()) {
        if (rest.starts_with("HloModule"))
            ++modules;
        const size_t newline = rest.find('\n');
        rest.remove_prefix(newline != std::string_view::npos ? newline + 1 : rest.size());
    }
    m_module.problems.count("further module in the file", modules);
}

// The computation that is marked, else the last one.
void FileParser::chooseEntry()
{
    if (m_module.computations.empty())
        return;
    if (!m_entry.isValid()) {
        m_entry = ComputationId(m_module.computations.size() - 1);
        m_module.style.marksEntry = false;
    }
    for (HloComputation& computation : m_module.computations)
        computation.isEntry = false;
    m_module.computations[m_entry.index()].isEntry = true;
}

void FileParser::findEntry()
{
    for (size_t i = 0; i < m_module.computations.size(); ++i) {
        if (m_module.computations[i].isEntry)
            m_module.entry = ComputationId(i);
    }
}

void detectStyle(HloModule& module)
{
    const std::string_view bytes = module.source->bytes();
    module.style.namesClosedBodies = bytes.find("\n} // ") != std::string_view::npos;
    module.style.endsWithBlankLine = !bytes.ends_with('\n') || bytes.ends_with("\n\n");
    // Names in XLA's text are written with or without `%` throughout.
    for (const HloInstruction& op : module.instructions) {
        const bool isInSource = op.name.data() > bytes.data() && op.name.data() < bytes.data() + bytes.size();
        if (op.isInline() || !isInSource)
            continue;
        module.style.percent = op.name.data()[-1] == '%';
        return;
    }
}

Diagnostic nothingRead(const HloModule& module)
{
    if (!module.problems.diagnostics().empty())
        return module.problems.diagnostics().front();
    Diagnostic diagnostic = makeError(module.source->path(), "no computation in this text");
    diagnostic.expected = "a computation, 'ENTRY name { ... }'";
    diagnostic.line = 1;
    diagnostic.column = 1;
    return diagnostic;
}

// Roughly how many instructions the text holds, so that the arrays need not grow step by step.
size_t countLines(std::string_view text)
{
    return static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
}

} // namespace

Expected<std::shared_ptr<const HloModule>> parseHloText(std::shared_ptr<const FileBytes> source, Progress* progress)
{
    const std::string_view text = source->bytes();
    if (text.size() >= std::numeric_limits<uint32_t>::max())
        return makeError(source->path(), "the text is larger than 4 GiB");
    auto module = std::make_shared<HloModule>();
    module->source = std::move(source);
    const size_t lines = countLines(text);
    module->instructions.reserve(lines);
    module->operandPool.reserve(2 * lines);
    module->attributePool.reserve(2 * lines);
    TextReader reader(*module, text, progress);
    FileParser(reader).read();
    if (reader.isCancelled)
        return makeError(module->source->path(), "reading was cancelled");
    if (module->computations.empty())
        return nothingRead(*module);
    detectStyle(*module);
    module->finish();
    return std::shared_ptr<const HloModule>(std::move(module));
}

// A text proto has `name {` too, so a body must begin with an instruction.
static bool startsLikeHloText(TextCursor cursor)
{
    if (isInstructionStart(cursor))
        return true;
    TextCursor look = cursor;
    if (look.take("HloModule"))
        return !TextClass::is(look.peekRaw(), TextClass::Name);
    if (!isComputationStart(cursor))
        return false;
    if (cursor.take("ENTRY"))
        return true;
    cursor.take('%');
    cursor.takeNameRest();
    return cursor.peek() == '(' || (cursor.take('{') && isInstructionStart(cursor));
}

bool looksLikeHloText(std::string_view bytes)
{
    constexpr size_t kLinesToTry = 200;
    constexpr size_t kBytesThatAreText = 4096;
    if (bytes.substr(0, kBytesThatAreText).find('\0') != std::string_view::npos)
        return false;
    if (startsLikeHloText(TextCursor(bytes)))
        return true;
    for (size_t line = 0; line < kLinesToTry && !bytes.empty(); ++line) {
        if (bytes.starts_with("HloModule ") || bytes.starts_with("HloModule,"))
            return true;
        const size_t newline = bytes.find('\n');
        bytes.remove_prefix(newline != std::string_view::npos ? newline + 1 : bytes.size());
    }
    return false;
}

} // namespace hloscope
