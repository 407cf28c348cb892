// SPDX-License-Identifier: Apache-2.0
#include "core/formats/xspace_salvage.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <array>

namespace hloscope {
namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";
constexpr size_t kProbeBytes = 64u << 10;
constexpr size_t kMinReplacements = 8;

constexpr char kPlaneTag = '\x0a';
constexpr char kLineTag = '\x1a';
constexpr char kIdTag = '\x08';
constexpr char kNameTag = '\x12';

constexpr std::array<std::string_view, 5> kPlanePrefixes = {"/device:", "/host:", "/virtualdevice:", "#Chip",
                                                            "Task Environment"};

uint64_t countReplacements(std::string_view bytes)
{
    uint64_t count = 0;
    for (size_t at = bytes.find(kReplacement); at != std::string_view::npos;
         at = bytes.find(kReplacement, at + kReplacement.size()))
        ++count;
    return count;
}

// Cuts an unfinished UTF-8 sequence off the end.
std::string_view wholeCharacters(std::string_view bytes)
{
    size_t end = bytes.size();
    while (end > 0 && bytes.size() - end < 3 && (static_cast<uint8_t>(bytes[end - 1]) & 0xc0) == 0x80)
        --end;
    if (end > 0 && static_cast<uint8_t>(bytes[end - 1]) >= 0xc0)
        --end;
    return simdjson::validate_utf8(bytes.data(), bytes.size()) ? bytes : bytes.substr(0, end);
}

// Skips what is left of a varint: any number of replaced or accidentally valid bytes, then one below 128.
bool skipVarint(std::string_view bytes, size_t& at)
{
    constexpr size_t kLongest = 30; // ten replaced bytes
    const size_t limit = std::min(bytes.size(), at + kLongest + 1);
    while (at < limit && static_cast<uint8_t>(bytes[at]) >= 0x80)
        ++at;
    return at < limit && ++at < bytes.size();
}

bool isPrintable(char c)
{
    return c >= ' ' && c <= '~';
}

// The length of a name, with the name behind it. Text conversions also turn CR (13) into LF (10): then the longer one
// is right unless a field of a plane or line follows the shorter one.
size_t nameLength(std::string_view bytes, size_t at)
{
    constexpr std::string_view kTagsAfterName = "\x18\x1a\x22\x2a\x32\x48\x50\x5a";
    const auto length = static_cast<uint8_t>(bytes[at]);
    if (length != '\n' || bytes.size() - at <= '\r')
        return length;
    const std::string_view beyond = bytes.substr(at + 1 + '\n', '\r' - '\n');
    const bool isLonger = std::all_of(beyond.begin(), beyond.end(), isPrintable)
        && kTagsAfterName.find(beyond.front()) == std::string_view::npos;
    return isLonger ? '\r' : '\n';
}

// The name of the plane or line whose tag stands at `at`: a length, perhaps an id, then a short text.
std::string_view nameBehind(std::string_view bytes, size_t at)
{
    ++at;
    if (!skipVarint(bytes, at))
        return {};
    if (bytes[at] == kIdTag && (++at >= bytes.size() || !skipVarint(bytes, at)))
        return {};
    if (bytes[at] != kNameTag || at + 2 >= bytes.size())
        return {};
    const size_t length = nameLength(bytes, at + 1);
    const std::string_view name = bytes.substr(at + 2, length);
    if (length < 2 || length >= 0x80 || name.size() != length || !std::all_of(name.begin(), name.end(), isPrintable))
        return {};
    return name;
}

bool isPlaneName(std::string_view name)
{
    return std::any_of(kPlanePrefixes.begin(), kPlanePrefixes.end(),
                       [name](std::string_view prefix) { return name.starts_with(prefix); });
}

} // namespace

bool isMangledText(std::string_view bytes)
{
    const std::string_view probe = bytes.size() > kProbeBytes ? wholeCharacters(bytes.substr(0, kProbeBytes)) : bytes;
    return countReplacements(probe) >= kMinReplacements && simdjson::validate_utf8(probe.data(), probe.size());
}

Expected<XSpaceContents> salvageXSpace(const std::shared_ptr<const FileBytes>& file)
{
    const std::string_view bytes = file->bytes();
    TraceBuilder builder;
    builder.trace().name = nameOfFile(file->path());
    PlaneId plane;
    size_t lines = 0;
    for (size_t at = 0; at < bytes.size(); ++at) {
        if (bytes[at] != kPlaneTag && bytes[at] != kLineTag)
            continue;
        const std::string_view name = nameBehind(bytes, at);
        if (name.empty())
            continue;
        if (bytes[at] == kPlaneTag && isPlaneName(name)) {
            plane = builder.addPlane(std::string(name));
        } else if (bytes[at] == kLineTag && plane.isValid()) {
            builder.addTrack(plane, std::string(name));
            ++lines;
        } else {
            continue;
        }
        at = static_cast<size_t>(name.data() - bytes.data()) + name.size() - 1;
    }

    Diagnostic diagnostic = makeErrorAt(
        file->path(), bytes.find(kReplacement),
        fmt::format(
            "the file went through a text conversion that replaced {} bytes by U+FFFD, so the times and lengths "
            "in it are lost; names of {} planes and {} lines are left",
            countReplacements(bytes), builder.trace().planes.size(), lines));
    diagnostic.hint = "copy the profile again as a binary file";
    if (builder.trace().planes.empty())
        return diagnostic;
    diagnostic.severity = Severity::Warning;
    builder.trace().problems.add(std::move(diagnostic));
    return XSpaceContents{std::move(builder).build(), {}};
}

} // namespace hloscope
