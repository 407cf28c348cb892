// SPDX-License-Identifier: Apache-2.0
#include "core/hlo/text_reader.h"

#include <algorithm>
#include <cstring>

namespace hloscope {
namespace {

constexpr size_t kQuotedLength = 40;

std::string quoteWhatStandsAt(const char* at, const char* end)
{
    if (at >= end)
        return "the end of the text";
    TextCursor cursor(std::string_view(at, static_cast<size_t>(end - at)));
    if (*at == '%')
        cursor.advance(1);
    cursor.takeNameRest();
    size_t length = std::max<size_t>(cursor.offset(), 1);
    if (*at == '\n')
        return "the end of the line";
    length = std::min(length, kQuotedLength);
    return '\'' + std::string(at, length) + '\'';
}

} // namespace

void LineCounter::moveTo(const char* pos)
{
    while (m_lineEnd < pos) {
        ++m_line;
        findLineEnd(m_lineEnd + 1);
    }
}

void LineCounter::findLineEnd(const char* from)
{
    const void* newline = std::memchr(from, '\n', static_cast<size_t>(m_end - from));
    m_lineEnd = newline != nullptr ? static_cast<const char*>(newline) : m_end;
}

TextReader::TextReader(HloModule& target, std::string_view source, Progress* reporter)
    : module(target), builder(target), text(source), cursor(source), lines(source), progress(reporter)
{
}

void TextReader::report(Severity severity, const char* at, std::string message, std::string expected, std::string found)
{
    Diagnostic diagnostic;
    diagnostic.severity = severity;
    diagnostic.message = std::move(message);
    diagnostic.expected = std::move(expected);
    diagnostic.found = std::move(found);
    // Counting lines again for each of very many problems would take quadratic time; only the first ones are listed.
    if (module.problems.diagnostics().size() < Problems::kMaxDiagnostics) {
        diagnostic.file = module.source->path();
        const char* const begin = text.data();
        diagnostic.line = static_cast<uint32_t>(std::count(begin, at, '\n') + 1);
        const size_t newline = std::string_view(begin, static_cast<size_t>(at - begin)).rfind('\n');
        const char* const lineStart = newline != std::string_view::npos ? begin + newline + 1 : begin;
        diagnostic.column = static_cast<uint32_t>(at - lineStart + 1);
    }
    module.problems.add(std::move(diagnostic));
}

bool TextReader::fail(const char* at, std::string message, std::string expected)
{
    std::string found = expected.empty() ? std::string() : quoteWhatStandsAt(at, cursor.end());
    report(Severity::Error, at, std::move(message), std::move(expected), std::move(found));
    return false;
}

void TextReader::warn(const char* at, std::string message)
{
    report(Severity::Warning, at, std::move(message), {}, {});
}

void TextReader::failOnLine(uint32_t line, std::string message)
{
    Diagnostic diagnostic = makeError(module.source->path(), std::move(message));
    diagnostic.line = line;
    diagnostic.column = 1;
    module.problems.add(std::move(diagnostic));
}

bool TextReader::failShape(std::string_view shape, ShapeError error)
{
    report(Severity::Error, shape.data() + std::min(error.offset, shape.size()), std::move(error.message),
           std::move(error.expected), std::move(error.found));
    return false;
}

bool TextReader::cancelled()
{
    if (progress == nullptr)
        return false;
    isCancelled = isCancelled || progress->isCancelled();
    progress->report(Progress::Phase::Parsing,
                     static_cast<double>(cursor.offset()) / static_cast<double>(std::max<size_t>(text.size(), 1)));
    return isCancelled;
}

bool isInstructionStart(TextCursor cursor)
{
    cursor.skipBlanks();
    const char* const start = cursor.pos();
    if (cursor.takeNameRaw() == "ROOT" && cursor.peek() != '=')
        cursor.skipBlanks();
    else
        cursor.seek(start);
    cursor.take('%');
    if (cursor.takeNameRest().empty() || cursor.peek() != '=')
        return false;
    // An attribute, `key=value`, has no blank there.
    const char* const equals = cursor.pos();
    return *start == '%' || TextClass::is(equals[-1], TextClass::Blank);
}

bool isComputationStart(TextCursor cursor)
{
    cursor.skipBlanks();
    if (cursor.take("ENTRY"))
        return true;
    cursor.take('%');
    if (cursor.takeNameRest().empty())
        return false;
    if (cursor.peek() == '{')
        return true;
    if (cursor.peekRaw() != '(')
        return false;
    cursor.boundToLine();
    return cursor.skipBracket() && cursor.take("->");
}

} // namespace hloscope
