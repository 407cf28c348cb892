// SPDX-License-Identifier: Apache-2.0
#include "core/hlo/json_text.h"

#include "core/hlo/text_cursor.h"

#include <algorithm>
#include <vector>

namespace hloscope {
namespace {

constexpr int kMaxDepth = 500;

class JsonSorter {
public:
    explicit JsonSorter(std::string_view text) : m_cursor(text) { }

    std::optional<std::string> sorted()
    {
        std::string out;
        if (!value(out, 0) || !atEnd())
            return std::nullopt;
        return out;
    }

private:
    // Comments are no part of JSON, so blanks are skipped by hand.
    char peek()
    {
        while (TextClass::is(m_cursor.peekRaw(), TextClass::Blank))
            m_cursor.advance(1);
        return m_cursor.peekRaw();
    }
    bool atEnd() { return peek() == '\0' && m_cursor.pos() == m_cursor.end(); }
    bool take(char c)
    {
        if (peek() != c || m_cursor.pos() == m_cursor.end())
            return false;
        m_cursor.advance(1);
        return true;
    }

    bool value(std::string& out, int depth)
    {
        if (depth > kMaxDepth)
            return false;
        switch (peek()) {
        case '{':
            return object(out, depth);
        case '[':
            return array(out, depth);
        case '"':
            return string(out);
        default:
            return word(out);
        }
    }

    bool string(std::string& out)
    {
        if (peek() != '"')
            return false;
        const std::string_view text = m_cursor.takeString();
        out += text;
        return !text.empty();
    }

    // A number, `true`, `false` or `null`.
    bool word(std::string& out)
    {
        const size_t before = out.size();
        while (TextClass::is(m_cursor.peekRaw(), TextClass::Name) || m_cursor.peekRaw() == '+') {
            out += m_cursor.peekRaw();
            m_cursor.advance(1);
        }
        return out.size() > before;
    }

    bool array(std::string& out, int depth)
    {
        take('[');
        out += '[';
        if (take(']')) {
            out += ']';
            return true;
        }
        for (;;) {
            if (!value(out, depth + 1))
                return false;
            if (take(']')) {
                out += ']';
                return true;
            }
            if (!take(','))
                return false;
            out += ',';
        }
    }

    bool object(std::string& out, int depth)
    {
        take('{');
        std::vector<std::pair<std::string, std::string>> members;
        if (!take('}')) {
            do {
                auto& [key, content] = members.emplace_back();
                if (!string(key) || !take(':') || !value(content, depth + 1))
                    return false;
            } while (take(','));
            if (!take('}'))
                return false;
        }
        std::stable_sort(members.begin(), members.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
        out += '{';
        for (size_t i = 0; i < members.size(); ++i)
            out.append(i > 0 ? "," : "").append(members[i].first).append(":").append(members[i].second);
        out += '}';
        return true;
    }

    TextCursor m_cursor;
};

} // namespace

std::optional<std::string> sortedJson(std::string_view text)
{
    return JsonSorter(text).sorted();
}

} // namespace hloscope
