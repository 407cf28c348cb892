// SPDX-License-Identifier: Apache-2.0
#include "core/formats/file_probe.h"

#include "core/formats/wire_reader.h"
#include "core/formats/xspace_salvage.h"
#include "core/hlo/hlo_text.h"

#include <simdjson.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace hloscope {
namespace {

constexpr size_t kProbeBytes = 64u << 10;
constexpr size_t kMaxFields = 24; // of one message
constexpr int kMaxDepth = 3;

enum class Value : uint8_t { Number, Fixed, Text, Bytes, Message };

struct Field;
using Schema = std::span<const Field>;

// A field of a message that may stand in a file of a kind.
struct Field {
    uint32_t number;
    Value value;
    Schema message = {};
};

using enum Value;

constexpr Field kXStat[] = {{1, Number}, {2, Fixed}, {3, Number}, {4, Number}, {5, Bytes}, {6, Bytes}, {7, Number}};
constexpr Field kXEvent[] = {{1, Number}, {2, Number}, {3, Number}, {4, Message, kXStat}, {5, Number}};
constexpr Field kXLine[] = {{1, Number}, {2, Text},    {3, Number}, {4, Message, kXEvent},
                            {9, Number}, {10, Number}, {11, Text}};
constexpr Field kMapEntry[] = {{1, Number}, {2, Bytes}};
constexpr Field kXPlane[] = {
    {1, Number},         {2, Text}, {3, Message, kXLine}, {4, Message, kMapEntry}, {5, Message, kMapEntry},
    {6, Message, kXStat}};
constexpr Field kXSpace[] = {{1, Message, kXPlane}, {2, Text}, {3, Text}, {4, Text}};

constexpr Field kComputation[] = {{1, Text}, {2, Bytes}, {4, Bytes}, {5, Number}, {6, Number}};
constexpr Field kHloModule[] = {{1, Text},  {2, Text}, {3, Message, kComputation}, {4, Bytes}, {5, Number}, {6, Number},
                                {7, Bytes}, {8, Bytes}};
constexpr Field kHloProto[] = {{1, Message, kHloModule}, {3, Bytes}};
constexpr Field kHloSnapshot[] = {{1, Message, kHloProto}, {2, Bytes}, {3, Bytes}, {4, Text}};

constexpr Field kTracePacket[] = {{1, Bytes},   {2, Bytes},   {6, Bytes},   {8, Number}, {10, Number},
                                  {11, Bytes},  {12, Bytes},  {13, Number}, {33, Bytes}, {36, Bytes},
                                  {41, Number}, {42, Number}, {43, Bytes},  {44, Bytes}, {50, Bytes},
                                  {58, Number}, {59, Bytes},  {60, Bytes},  {87, Number}};
constexpr Field kPerfetto[] = {{1, Message, kTracePacket}};

constexpr Field kValueType[] = {{1, Number}, {2, Number}};
constexpr Field kSample[] = {{1, Bytes}, {2, Bytes}, {3, Bytes}};
constexpr Field kLocation[] = {{1, Number}, {2, Number}, {3, Number}, {4, Bytes}, {5, Number}};
constexpr Field kFunction[] = {{1, Number}, {2, Number}, {3, Number}, {4, Number}, {5, Number}};
constexpr Field kHeapProfile[] = {{1, Message, kValueType},
                                  {2, Message, kSample},
                                  {3, Bytes},
                                  {4, Message, kLocation},
                                  {5, Message, kFunction},
                                  {6, Bytes},
                                  {9, Number},
                                  {10, Number},
                                  {11, Message, kValueType},
                                  {12, Number},
                                  {13, Number},
                                  {14, Number}};

struct Score {
    int known = 0;
    int unknown = 0;

    double share() const { return known == 0 ? 0.0 : static_cast<double>(known) / (known + unknown); }
};

bool isText(std::string_view bytes)
{
    const auto isControl = [](char c) { return static_cast<uint8_t>(c) < 0x20 && c != '\n' && c != '\t' && c != '\r'; };
    return simdjson::validate_utf8(bytes.data(), bytes.size()) && std::none_of(bytes.begin(), bytes.end(), isControl);
}

bool fits(const WireReader& reader, const Field& field)
{
    switch (field.value) {
    case Number:
        return reader.type() == WireType::Varint;
    case Fixed:
        return reader.type() == WireType::Fixed64;
    case Text:
        return reader.type() == WireType::LengthDelimited && (reader.isCutOff() || isText(reader.bytes()));
    case Bytes:
    case Message:
        return reader.type() == WireType::LengthDelimited;
    }
    return false;
}

Score compare(std::string_view bytes, Schema schema, int depth)
{
    Score score;
    WireReader reader(bytes);
    for (size_t i = 0; i < kMaxFields && reader.next(); ++i) {
        const auto field =
            std::find_if(schema.begin(), schema.end(), [&](const Field& f) { return f.number == reader.field(); });
        if (field == schema.end() || !fits(reader, *field)) {
            ++score.unknown;
            continue;
        }
        ++score.known;
        if (field->value == Message && depth < kMaxDepth) {
            const Score inner = compare(reader.bytes(), field->message, depth + 1);
            score.known += inner.known;
            score.unknown += inner.unknown;
        }
    }
    if (reader.error() == WireReader::Error::BadNumber || reader.error() == WireReader::Error::BadTag)
        ++score.unknown;
    return score;
}

ContentKind probeWire(std::string_view bytes)
{
    constexpr double kEnough = 0.75;
    constexpr std::array<std::pair<ContentKind, Schema>, 6> kKinds = {{
        {ContentKind::XSpace, kXSpace},
        {ContentKind::HloProto, kHloProto},
        {ContentKind::HloModuleProto, kHloModule},
        {ContentKind::HloSnapshot, kHloSnapshot},
        {ContentKind::PerfettoTrace, kPerfetto},
        {ContentKind::HeapProfile, kHeapProfile},
    }};
    ContentKind best = ContentKind::Other;
    double bestShare = kEnough;
    for (const auto& [kind, schema] : kKinds) {
        const Score score = compare(bytes, schema, 0);
        if (score.known >= 2 && score.share() > bestShare) {
            best = kind;
            bestShare = score.share();
        }
    }
    return best;
}

bool isChromeTrace(std::string_view probe)
{
    const size_t start = probe.find_first_not_of(" \t\r\n\xef\xbb\xbf");
    if (start == std::string_view::npos || (probe[start] != '{' && probe[start] != '['))
        return false;
    return probe.find("\"traceEvents\"") != std::string_view::npos || probe.find("\"ph\"") != std::string_view::npos;
}

} // namespace

ContentKind probeContent(std::string_view bytes)
{
    if (bytes.empty())
        return ContentKind::Empty;
    const std::string_view probe = bytes.substr(0, kProbeBytes);
    if (isChromeTrace(probe))
        return ContentKind::ChromeTrace;
    if (looksLikeHloText(bytes))
        return ContentKind::HloText;
    if (isMangledText(bytes)) {
        const bool hasPlane =
            bytes.find("/host:") != std::string_view::npos || bytes.find("/device:") != std::string_view::npos;
        return hasPlane ? ContentKind::XSpace : ContentKind::MangledBinary;
    }
    return probeWire(bytes);
}

std::string_view describeOther(std::string_view bytes)
{
    using namespace std::string_view_literals;
    constexpr std::array<std::pair<std::string_view, std::string_view>, 19> kMagics = {{
        {"\x89PNG"sv, "a PNG picture"sv},
        {"\xff\xd8\xff"sv, "a JPEG picture"sv},
        {"GIF8"sv, "a GIF picture"sv},
        {"%PDF"sv, "a PDF document"sv},
        {"\x7f"
         "ELF"sv,
         "an ELF program or library"sv},
        {"PK\x03\x04"sv, "a ZIP archive"sv},
        {"MZ"sv, "a Windows program"sv},
        {"\xcf\xfa\xed\xfe"sv, "a macOS program"sv},
        {"SQLite format 3"sv, "an SQLite database"sv},
        {"\xfd"
         "7zXZ"sv,
         "an xz file"sv},
        {"BZh"sv, "a bzip2 file"sv},
        {"\x83\xaf\x70\xd1"sv, "a Riegeli file"sv},
        {"ML\xefR"sv, "MLIR bytecode"sv},
        {"BC\xc0\xde"sv, "LLVM bitcode"sv},
        {"<!DOCTYPE"sv, "an HTML page"sv},
        {"<html"sv, "an HTML page"sv},
        {"<?xml"sv, "an XML document"sv},
        {"version https://git-lfs"sv, "a Git LFS pointer, not the file itself"sv},
        {"module @"sv, "MLIR text"sv},
    }};
    for (const auto& [magic, description] : kMagics) {
        if (bytes.starts_with(magic))
            return description;
    }
    if (bytes.size() > 262 && bytes.substr(257, 5) == "ustar")
        return "a tar archive";
    const std::string_view probe = bytes.substr(0, kProbeBytes);
    const size_t start = probe.find_first_not_of(" \t\r\n");
    if (!isText(probe.substr(0, probe.size() - std::min<size_t>(probe.size(), 3))))
        return "binary data";
    if (start != std::string_view::npos && (probe[start] == '{' || probe[start] == '['))
        return "JSON";
    if (probe.find("stablehlo.") != std::string_view::npos || probe.find("mhlo.") != std::string_view::npos)
        return "MLIR text";
    return "text";
}

} // namespace hloscope
