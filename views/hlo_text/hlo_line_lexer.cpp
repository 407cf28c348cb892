// SPDX-License-Identifier: Apache-2.0
#include "views/hlo_text/hlo_line_lexer.h"

#include <algorithm>
#include <array>

namespace hloscope {

namespace {

// Values longer than this are folded: literals and signatures of whole models would otherwise fill screens.
constexpr size_t kLongValue = 300;

bool isNameChar(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.'
        || c == '-';
}

bool isNameStart(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '%';
}

constexpr std::array<std::string_view, 12> kComputationKeys{"body",
                                                            "branch_computations",
                                                            "called_computations",
                                                            "calls",
                                                            "condition",
                                                            "false_computation",
                                                            "select",
                                                            "scatter",
                                                            "to_apply",
                                                            "update",
                                                            "true_computation",
                                                            "async_computation"};

bool contains(const std::array<std::string_view, 12>& keys, std::string_view key)
{
    return std::find(keys.begin(), keys.end(), key) != keys.end();
}

class Lexer {
public:
    explicit Lexer(std::string_view line) : m_line(line) { }

    std::vector<HloLineToken> run()
    {
        skipBlanks();
        if (startsWithWord("HloModule"))
            moduleHeader();
        else if (startsWithWord("ENTRY") || looksLikeComputation())
            computationHeader();
        else
            instruction();
        return std::move(m_tokens);
    }

private:
    bool atEnd() const { return m_at >= m_line.size(); }
    char peek(size_t ahead = 0) const { return m_at + ahead < m_line.size() ? m_line[m_at + ahead] : '\0'; }
    void skipBlanks()
    {
        while (!atEnd() && (peek() == ' ' || peek() == '\t'))
            ++m_at;
    }

    bool startsWithWord(std::string_view word) const
    {
        const std::string_view rest = m_line.substr(std::min(m_at, m_line.size()));
        return rest.substr(0, word.size()) == word && (rest.size() == word.size() || !isNameChar(rest[word.size()]));
    }

    // A line that opens a body and defines nothing: `%body (p: f32[]) -> f32[] {` or `body {`.
    bool looksLikeComputation() const
    {
        const size_t last = m_line.find_last_not_of(" \t\r");
        return last != std::string_view::npos && m_line[last] == '{' && isNameStart(peek())
            && m_line.find(" = ") == std::string_view::npos;
    }

    void add(size_t begin, size_t end, HloTokenKind kind)
    {
        if (begin >= end)
            return;
        HloLineToken token{static_cast<uint32_t>(begin), static_cast<uint32_t>(end), kind};
        // `metadata={...}, backend_config={...}` become one chip.
        if (kind == HloTokenKind::Fold && !m_tokens.empty() && m_tokens.back().kind == HloTokenKind::Fold
            && m_tokens.back().end == token.begin)
            m_tokens.back().end = token.end;
        else
            m_tokens.push_back(token);
    }

    size_t nameEnd(size_t from) const
    {
        size_t end = from < m_line.size() && m_line[from] == '%' ? from + 1 : from;
        while (end < m_line.size() && isNameChar(m_line[end]))
            ++end;
        return end;
    }

    // Behind a quoted string that begins at `from`.
    size_t stringEnd(size_t from) const
    {
        const char quote = m_line[from];
        for (size_t i = from + 1; i < m_line.size(); ++i) {
            if (m_line[i] == '\\')
                ++i;
            else if (m_line[i] == quote)
                return i + 1;
        }
        return m_line.size();
    }

    // Behind the bracket that closes the one at `from`; the end of the line when none does.
    size_t bracketEnd(size_t from) const
    {
        int depth = 0;
        for (size_t i = from; i < m_line.size();) {
            const char c = m_line[i];
            if (c == '"' || c == '\'') {
                i = stringEnd(i);
                continue;
            }
            if (c == '(' || c == '{' || c == '[')
                ++depth;
            else if ((c == ')' || c == '}' || c == ']') && --depth == 0)
                return i + 1;
            ++i;
        }
        return m_line.size();
    }

    bool comment()
    {
        if (peek() != '/' || peek(1) != '*')
            return false;
        const size_t close = m_line.find("*/", m_at + 2);
        const size_t end = close == std::string_view::npos ? m_line.size() : close + 2;
        add(m_at, end, HloTokenKind::Comment);
        m_at = end;
        return true;
    }

    // An element type with dimensions, then maybe a layout. Tuples are entered by their parts.
    bool arrayShape()
    {
        size_t end = m_at;
        while (end < m_line.size()
               && ((m_line[end] >= 'a' && m_line[end] <= 'z') || (m_line[end] >= '0' && m_line[end] <= '9')))
            ++end;
        if (end == m_at || end >= m_line.size() || m_line[end] != '[')
            return false;
        end = bracketEnd(end);
        add(m_at, end, HloTokenKind::Shape);
        m_at = end;
        if (peek() == '{' && (peek(1) == ':' || peek(1) == '}' || (peek(1) >= '0' && peek(1) <= '9'))) {
            end = bracketEnd(m_at);
            add(m_at, end, HloTokenKind::Layout);
            m_at = end;
        }
        return true;
    }

    // A shape at the start of an instruction's right side.
    void resultShape()
    {
        if (peek() != '(') {
            arrayShape();
            return;
        }
        const size_t end = bracketEnd(m_at);
        while (m_at < end) {
            if (!comment() && !arrayShape())
                ++m_at;
        }
    }

    void instruction()
    {
        if (startsWithWord("ROOT")) {
            add(m_at, m_at + 4, HloTokenKind::Keyword);
            m_at += 4;
            skipBlanks();
        }
        if (!isNameStart(peek()))
            return;
        const size_t end = nameEnd(m_at);
        const size_t equals = m_line.find_first_not_of(" \t", end);
        if (equals == std::string_view::npos || m_line[equals] != '=')
            return;
        add(m_at, end, HloTokenKind::Name);
        m_at = equals + 1;
        skipBlanks();
        resultShape();
        skipBlanks();
        const size_t opcodeEnd = nameEnd(m_at);
        const std::string_view opcode = m_line.substr(m_at, opcodeEnd - m_at);
        add(m_at, opcodeEnd, HloTokenKind::Opcode);
        m_at = opcodeEnd;
        if (peek() == '(')
            operands(opcode == "constant" || opcode == "parameter");
        attributes();
    }

    void operands(bool isPayload)
    {
        const size_t end = bracketEnd(m_at);
        const size_t close = end > m_at + 1 && m_line[end - 1] == ')' ? end - 1 : end;
        ++m_at;
        if (isPayload) {
            add(m_at, close, close - m_at > kLongValue ? HloTokenKind::Fold : HloTokenKind::Value);
            m_at = end;
            return;
        }
        while (m_at < close) {
            if (comment() || arrayShape())
                continue;
            if (isNameStart(peek())) {
                const size_t nameStop = std::min(nameEnd(m_at), close);
                add(m_at, nameStop, HloTokenKind::Operand);
                m_at = std::max(nameStop, m_at + 1);
            } else {
                ++m_at;
            }
        }
        m_at = end;
    }

    // True when an attribute `key=` starts at the position.
    bool isKeyAt(size_t at) const
    {
        if (at >= m_line.size() || !isNameStart(m_line[at]) || m_line[at] == '%')
            return false;
        const size_t end = nameEnd(at);
        return end < m_line.size() && m_line[end] == '=';
    }

    // Behind a value: at the comma in front of the next key. A bare comma may belong to the value (`calls=%a, %b`).
    size_t valueEnd(size_t from) const
    {
        for (size_t i = from; i < m_line.size();) {
            const char c = m_line[i];
            if (c == '"' || c == '\'') {
                i = stringEnd(i);
            } else if (c == '(' || c == '{' || c == '[') {
                i = bracketEnd(i);
            } else if (c == ',') {
                const size_t next = m_line.find_first_not_of(" \t", i + 1);
                if (next != std::string_view::npos && isKeyAt(next))
                    return i;
                ++i;
            } else {
                ++i;
            }
        }
        return m_line.size();
    }

    void names(size_t end, HloTokenKind kind)
    {
        while (m_at < end) {
            if (comment())
                continue;
            if (isNameStart(peek())) {
                const size_t stop = std::min(nameEnd(m_at), end);
                add(m_at, stop, kind);
                m_at = std::max(stop, m_at + 1);
            } else {
                ++m_at;
            }
        }
    }

    void attributes()
    {
        while (!atEnd()) {
            const size_t comma = m_at;
            const size_t begin = m_line.find_first_not_of(", \t", m_at);
            if (begin == std::string_view::npos)
                return;
            if (!isKeyAt(begin)) {
                m_at = valueEnd(begin);
                if (m_at == comma)
                    return;
                continue;
            }
            attribute(comma, begin);
        }
    }

    void attribute(size_t comma, size_t begin)
    {
        const size_t keyEnd = nameEnd(begin);
        const std::string_view key = m_line.substr(begin, keyEnd - begin);
        const size_t value = keyEnd + 1;
        const size_t end = valueEnd(value);
        m_at = end;
        if (key == "metadata" || key == "backend_config") {
            add(comma, end, HloTokenKind::Fold);
            return;
        }
        add(begin, value, HloTokenKind::Key);
        if (end - value > kLongValue) {
            add(value, end, HloTokenKind::Fold);
        } else if (contains(kComputationKeys, key)) {
            m_at = value;
            names(end, HloTokenKind::ComputationName);
        } else if (key == "control-predecessors") {
            m_at = value;
            names(end, HloTokenKind::Operand);
        } else {
            add(value, end, HloTokenKind::Value);
        }
    }

    void moduleHeader()
    {
        add(m_at, m_at + 9, HloTokenKind::Keyword);
        m_at += 9;
        skipBlanks();
        const size_t end = std::min(m_line.find_first_of(", \t", m_at), m_line.size());
        add(m_at, end, HloTokenKind::Name);
        m_at = end;
        attributes();
    }

    void computationHeader()
    {
        if (startsWithWord("ENTRY")) {
            add(m_at, m_at + 5, HloTokenKind::Keyword);
            m_at += 5;
            skipBlanks();
        }
        const size_t end = nameEnd(m_at);
        add(m_at, end, HloTokenKind::ComputationName);
        m_at = end;
        skipBlanks();
        const size_t close = peek() == '(' ? bracketEnd(m_at) : m_at;
        if (close - m_at > kLongValue) {
            add(m_at + 1, close - 1, HloTokenKind::Fold);
            m_at = close;
        }
        while (!atEnd()) {
            if (comment() || arrayShape())
                continue;
            const size_t word = nameEnd(m_at);
            m_at = std::max(word, m_at + 1);
        }
    }

    std::string_view m_line;
    size_t m_at = 0;
    std::vector<HloLineToken> m_tokens;
};

} // namespace

std::vector<HloLineToken> lexHloLine(std::string_view line)
{
    return Lexer(line).run();
}

} // namespace hloscope
