// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hlo/module_builder.h"
#include "core/hlo/text_cursor.h"
#include "core/support/progress.h"

#include <string>
#include <string_view>
#include <vector>

namespace hloscope {

// Knows the line of a position that only moves forward.
class LineCounter {
public:
    explicit LineCounter(std::string_view text) : m_end(text.data() + text.size()) { findLineEnd(text.data()); }
    void moveTo(const char* pos);
    uint32_t line() const { return m_line; } // from 1
    const char* lineEnd() const { return m_lineEnd; } // the line break, or the end of the text

private:
    void findLineEnd(const char* from);

    const char* m_end;
    const char* m_lineEnd = nullptr;
    uint32_t m_line = 1;
};

// What the parts of the text parser share: the text, the module that grows, and the list of problems.
struct TextReader {
    TextReader(HloModule& module, std::string_view text, Progress* progress);

    // Reports what is wrong at `at`. The text found there is quoted when something was expected. Gives false, so that a
    // reading function can end with it.
    bool fail(const char* at, std::string message, std::string expected = {});
    void warn(const char* at, std::string message);
    // For what has no place of its own in the text.
    void failOnLine(uint32_t line, std::string message);
    bool failShape(std::string_view text, ShapeError error);
    // Reports progress and gives true when the reader shall stop.
    bool cancelled();

    HloModule& module;
    ModuleBuilder builder;
    std::string_view text;
    TextCursor cursor;
    LineCounter lines;
    Progress* progress;
    bool isCancelled = false;

private:
    void report(Severity severity, const char* at, std::string message, std::string expected, std::string found);
};

// True when a `name =` stands at the position, with or without `ROOT` and `%`.
bool isInstructionStart(TextCursor cursor);
// True when the head of a computation stands there: `ENTRY`, or a name in front of `{` or a parameter list.
bool isComputationStart(TextCursor cursor);

} // namespace hloscope
