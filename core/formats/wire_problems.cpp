// SPDX-License-Identifier: Apache-2.0
#include "core/formats/wire_problems.h"

#include <fmt/format.h>
#include <simdjson.h>

namespace hloscope {
namespace {

// Length of the valid UTF-8 sequence at the start of `bytes`, 0 when there is none.
size_t sequenceLength(std::string_view bytes)
{
    for (const size_t length : {1, 2, 3, 4}) {
        if (length <= bytes.size() && simdjson::validate_utf8(bytes.data(), length))
            return length;
    }
    return 0;
}

} // namespace

std::string toValidUtf8(std::string_view bytes)
{
    if (simdjson::validate_utf8(bytes.data(), bytes.size()))
        return std::string(bytes);
    std::string text;
    text.reserve(bytes.size() + bytes.size() / 2);
    while (!bytes.empty()) {
        const size_t length = sequenceLength(bytes);
        if (length == 0)
            text += "\xef\xbf\xbd";
        else
            text += bytes.substr(0, length);
        bytes.remove_prefix(length == 0 ? 1 : length);
    }
    return text;
}

void WireProblems::check(const WireReader& reader, std::string_view what)
{
    switch (reader.error()) {
    case WireReader::Error::None:
        return;
    case WireReader::Error::CutOff:
        if (isAtCut(reader))
            return;
        warnAt(reader.errorOffset(), fmt::format("{} ends in the middle of a field", what),
               "the file may be cut off or damaged");
        return;
    case WireReader::Error::BadNumber:
        warnAt(reader.errorOffset(), fmt::format("{} has a number of more than 64 bits", what), "the file is damaged");
        return;
    case WireReader::Error::BadTag:
        warnAt(reader.errorOffset(), fmt::format("{} has a field that cannot be, the rest of it is skipped", what),
               "the file is damaged");
        return;
    }
}

void WireProblems::warnAt(uint64_t offset, std::string message, std::string hint)
{
    Diagnostic diagnostic = makeErrorAt(m_file, offset, std::move(message));
    diagnostic.severity = Severity::Warning;
    diagnostic.hint = std::move(hint);
    m_problems.add(std::move(diagnostic));
}

std::string WireProblems::text(std::string_view bytes)
{
    if (!simdjson::validate_utf8(bytes.data(), bytes.size()))
        count("texts that are not UTF-8");
    return toValidUtf8(bytes);
}

void WireProblems::finish()
{
    for (const auto& [key, times] : m_unknown)
        count(fmt::format("unknown field {} of wire type {} in {}", key.second >> 3, key.second & 7, key.first), times);
    m_unknown.clear();
}

} // namespace hloscope
