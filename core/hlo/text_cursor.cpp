// SPDX-License-Identifier: Apache-2.0
#include "core/hlo/text_cursor.h"

#include <charconv>
#include <cstring>

namespace hloscope {
namespace {

constexpr std::array<uint8_t, 256> makeClasses()
{
    std::array<uint8_t, 256> classes{};
    for (unsigned c = 'a'; c <= 'z'; ++c)
        classes[c] = TextClass::Letter | TextClass::Name;
    for (unsigned c = 'A'; c <= 'Z'; ++c)
        classes[c] = TextClass::Letter | TextClass::Name;
    for (unsigned c = '0'; c <= '9'; ++c)
        classes[c] = TextClass::Digit | TextClass::Name;
    classes['_'] = TextClass::Letter | TextClass::Name;
    classes['.'] = TextClass::Name;
    classes['-'] = TextClass::Name;
    for (const unsigned char c : {' ', '\t', '\r', '\n', '\v', '\f'})
        classes[c] = TextClass::Blank;
    return classes;
}

uint64_t load64(const char* from)
{
    uint64_t value = 0;
    std::memcpy(&value, from, sizeof value);
    return value;
}

uint64_t mix(uint64_t a, uint64_t b)
{
    const auto product = static_cast<unsigned __int128>(a) * b;
    return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

// The end of a quoted string: the byte behind the closing quote, or null.
const char* skipString(const char* from, const char* limit)
{
    const char quote = *from;
    const char* p = from + 1;
    while (p < limit) {
        const auto* close = static_cast<const char*>(std::memchr(p, quote, static_cast<size_t>(limit - p)));
        if (close == nullptr)
            return nullptr;
        const char* run = close;
        while (run > p && run[-1] == '\\')
            --run;
        // An even number of backslashes in front are escaped backslashes, so the quote is the real one.
        if ((close - run) % 2 == 0)
            return close + 1;
        p = close + 1;
    }
    return nullptr;
}

} // namespace

const std::array<uint8_t, 256> TextClass::table = makeClasses();

bool TextCursor::skipComment()
{
    const size_t left = static_cast<size_t>(m_end - m_pos);
    if (left < 2)
        return false;
    if (m_pos[1] == '/') {
        const auto* newline = static_cast<const char*>(std::memchr(m_pos, '\n', left));
        m_pos = newline != nullptr ? newline : m_end;
        return true;
    }
    if (m_pos[1] != '*')
        return false;
    const size_t close = std::string_view(m_pos + 2, left - 2).find("*/");
    m_pos = close != std::string_view::npos ? m_pos + 2 + close + 2 : m_end;
    return true;
}

bool TextCursor::take(std::string_view word)
{
    skipBlanks();
    if (static_cast<size_t>(m_end - m_pos) < word.size() || std::string_view(m_pos, word.size()) != word)
        return false;
    m_pos += word.size();
    return true;
}

std::optional<int64_t> TextCursor::takeInt()
{
    skipBlanks();
    int64_t value = 0;
    const auto result = std::from_chars(m_pos, m_end, value);
    if (result.ec != std::errc() || result.ptr == m_pos)
        return std::nullopt;
    m_pos = result.ptr;
    return value;
}

const char* TextCursor::searchLimit() const
{
    if (!m_boundToLine)
        return m_end;
    const void* newline = std::memchr(m_pos, '\n', static_cast<size_t>(m_end - m_pos));
    return newline != nullptr ? static_cast<const char*>(newline) : m_end;
}

std::string_view TextCursor::takeString()
{
    skipBlanks();
    if (m_pos == m_end || (*m_pos != '"' && *m_pos != '\''))
        return {};
    const char* const close = skipString(m_pos, searchLimit());
    if (close == nullptr)
        return {};
    const std::string_view text(m_pos, static_cast<size_t>(close - m_pos));
    m_pos = close;
    return text;
}

bool TextCursor::skipBracket(bool singleQuotes)
{
    const char open = *m_pos;
    const char close = open == '(' ? ')' : open == '[' ? ']' : '}';
    const char* const limit = searchLimit();
    size_t depth = 0;
    for (const char* p = m_pos; p < limit;) {
        const char c = *p;
        if (c == open) {
            ++depth;
        } else if (c == close) {
            if (--depth == 0) {
                m_pos = p + 1;
                return true;
            }
        } else if (c == '"' || (singleQuotes && c == '\'')) {
            p = skipString(p, limit);
            if (p == nullptr)
                return false;
            continue;
        } else if (c == '/' && p + 1 < limit && p[1] == '*') {
            const size_t end = std::string_view(p + 2, static_cast<size_t>(limit - p - 2)).find("*/");
            if (end == std::string_view::npos)
                return false;
            p += end + 4;
            continue;
        }
        ++p;
    }
    return false;
}

uint32_t hashName(std::string_view name)
{
    constexpr uint64_t kFirst = 0x9e3779b97f4a7c15u;
    constexpr uint64_t kSecond = 0xd6e8feb86659fd93u;
    uint64_t hash = kFirst ^ name.size();
    const char* p = name.data();
    size_t left = name.size();
    if (left >= 8) {
        for (; left > 8; left -= 8, p += 8)
            hash = mix(hash ^ load64(p), kSecond);
        hash = mix(hash ^ load64(p + left - 8), kSecond);
    } else if (left > 0) {
        uint64_t tail = 0;
        std::memcpy(&tail, p, left);
        hash = mix(hash ^ tail, kSecond);
    }
    return static_cast<uint32_t>(hash ^ (hash >> 32));
}

} // namespace hloscope
