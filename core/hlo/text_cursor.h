// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace hloscope {

// What a byte may be in HLO text.
struct TextClass {
    enum Bit : uint8_t {
        Letter = 1, // starts a name: A-Z a-z _
        Digit = 2,
        Name = 4, // goes on in a name: letters, digits, _ . -
        Blank = 8,
    };
    static const std::array<uint8_t, 256> table;

    static bool is(char c, uint8_t bits) { return (table[static_cast<unsigned char>(c)] & bits) != 0; }
};

// A read position in HLO text, with the few scans that the readers of text and attribute values need. The text need not
// end with a NUL byte. Blanks and comments (`/* */`, `// ...`) are skipped in front of what a function looks for.
class TextCursor {
public:
    explicit TextCursor(std::string_view text)
        : m_begin(text.data()), m_pos(text.data()), m_end(text.data() + text.size())
    {
    }

    const char* pos() const { return m_pos; }
    const char* end() const { return m_end; }
    size_t offset() const { return static_cast<size_t>(m_pos - m_begin); }
    void seek(const char* pos) { m_pos = pos; }
    void advance(size_t count) { m_pos += count; }

    // The next byte as it stands, NUL at the end.
    char peekRaw(size_t ahead = 0) const { return ahead < static_cast<size_t>(m_end - m_pos) ? m_pos[ahead] : '\0'; }
    void skipBlanks()
    {
        while (m_pos < m_end) {
            if (TextClass::is(*m_pos, TextClass::Blank))
                ++m_pos;
            else if (*m_pos != '/' || !skipComment())
                return;
        }
    }
    char peek()
    {
        skipBlanks();
        return peekRaw();
    }
    bool atEnd()
    {
        skipBlanks();
        return m_pos == m_end;
    }
    // Skips `c` when it comes next.
    bool take(char c)
    {
        if (peek() != c || m_pos == m_end)
            return false;
        ++m_pos;
        return true;
    }
    bool take(std::string_view word);
    // The name at the position: a letter or `_`, then letters, digits, `_`, `.`, `-`. Empty when there is none. No
    // blanks are skipped in front.
    std::string_view takeNameRaw()
    {
        if (m_pos == m_end || !TextClass::is(*m_pos, TextClass::Letter))
            return {};
        return takeNameRest();
    }
    std::string_view takeName()
    {
        skipBlanks();
        return takeNameRaw();
    }
    // Any run of name characters, also when it starts with a digit.
    std::string_view takeNameRest()
    {
        const char* const begin = m_pos;
        while (m_pos < m_end && TextClass::is(*m_pos, TextClass::Name))
            ++m_pos;
        return {begin, static_cast<size_t>(m_pos - begin)};
    }
    // A whole number with an optional minus; nothing when there is none or it does not fit (the position stays).
    std::optional<int64_t> takeInt();
    // A quoted string with its quotes, from the position on. Empty when there is none or it does not end.
    std::string_view takeString();
    // Moves from an opening bracket behind the one that closes it; false, without a move, when there is none. Quoted
    // strings and comments are skipped; single quotes count as quotes only on demand. Only brackets of the same kind
    // count.
    bool skipBracket(bool singleQuotes = false);
    // From now on brackets and strings must be closed on the line where they open. A reader sets this when one was not
    // closed at all: otherwise every further one could cost a search to the end of the text.
    void boundToLine() { m_boundToLine = true; }

private:
    bool skipComment();
    const char* searchLimit() const;

    const char* m_begin;
    const char* m_pos;
    const char* m_end;
    bool m_boundToLine = false;
};

// 32 bits of a name's hash; equal names give equal values within one run of the program.
uint32_t hashName(std::string_view name);

} // namespace hloscope
