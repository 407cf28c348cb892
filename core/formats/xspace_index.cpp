// SPDX-License-Identifier: Apache-2.0
#include "core/formats/xspace_index.h"

#include "xplane.pb.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>

namespace hloscope {
namespace {

constexpr int kMapKey = 1;
constexpr int kMapValue = 2;

struct MapEntry {
    int64_t key = 0;
    WireSlice value;
    bool isWhole = true;
};

MapEntry readMapEntry(const WireReader& field)
{
    MapEntry entry;
    entry.isWhole = !field.isCutOff();
    WireReader reader(field.bytes(), field.bytesOffset());
    while (reader.next()) {
        if (reader.is(kMapKey, WireType::Varint))
            entry.key = reader.signedValue();
        else if (reader.is(kMapValue, WireType::LengthDelimited))
            entry.value = {reader.bytes(), reader.bytesOffset()};
    }
    entry.isWhole = entry.isWhole && reader.error() == WireReader::Error::None;
    return entry;
}

void addEventMetadata(const WireReader& field, XPlaneIndex& plane, WireProblems& problems)
{
    const MapEntry entry = readMapEntry(field);
    if (!entry.isWhole) {
        problems.warnAt(field.fieldOffset(), fmt::format("event metadata {} is damaged and left out", entry.key));
        return;
    }
    const auto [found, isNew] = plane.eventMetadataById.try_emplace(entry.key, plane.eventMetadata.size());
    if (isNew) {
        plane.eventMetadata.push_back({entry.key, entry.value});
        return;
    }
    problems.count("event metadata with an id that another one has, the last one counts");
    plane.eventMetadata[found->second].message = entry.value;
}

void addStatMetadata(const WireReader& field, XPlaneIndex& plane, WireProblems& problems)
{
    const MapEntry entry = readMapEntry(field);
    if (!entry.isWhole) {
        problems.warnAt(field.fieldOffset(), fmt::format("stat metadata {} is damaged and left out", entry.key));
        return;
    }
    std::string_view name;
    WireReader reader(entry.value.bytes, entry.value.offset);
    while (reader.next()) {
        if (reader.is(proto::XStatMetadata::kNameFieldNumber, WireType::LengthDelimited))
            name = reader.bytes();
        else if (reader.field() > proto::XStatMetadata::kDescriptionFieldNumber)
            problems.countUnknown(reader, "XStatMetadata");
    }
    problems.check(reader, "a stat metadata");
    if (!plane.statNames.insert_or_assign(entry.key, name).second)
        problems.count("stat metadata with an id that another one has, the last one counts");
}

} // namespace

std::optional<uint64_t> XStat::integer() const
{
    if (kind == Kind::Unsigned || kind == Kind::Signed)
        return bits;
    uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (kind == Kind::Text && !text.empty() && error == std::errc() && end == text.data() + text.size())
        return value;
    return {};
}

Argument XStat::toArgument() const
{
    Argument argument;
    argument.name = name.empty() ? fmt::format("#{}", nameId) : toValidUtf8(name);
    switch (kind) {
    case Kind::None:
        break;
    case Kind::Double:
        argument.number = std::bit_cast<double>(bits);
        argument.value = fmt::format("{}", *argument.number);
        break;
    case Kind::Unsigned:
        argument.number = static_cast<double>(bits);
        argument.value = fmt::format("{}", bits);
        break;
    case Kind::Signed:
        argument.number = static_cast<double>(static_cast<int64_t>(bits));
        argument.value = fmt::format("{}", static_cast<int64_t>(bits));
        break;
    case Kind::Text:
        argument.value = toValidUtf8(text);
        break;
    case Kind::Bytes:
        argument.value = fmt::format("<{} bytes>", text.size());
        break;
    }
    return argument;
}

XStat decodeXStat(std::string_view bytes, const XStatNames& names)
{
    XStat stat;
    const auto nameOf = [&names](int64_t id) {
        const auto found = names.find(id);
        return found == names.end() ? std::string_view() : found->second;
    };
    WireReader reader(bytes);
    while (reader.next()) {
        if (reader.is(proto::XStat::kMetadataIdFieldNumber, WireType::Varint)) {
            stat.nameId = reader.signedValue();
        } else if (reader.is(proto::XStat::kDoubleValueFieldNumber, WireType::Fixed64)) {
            stat.kind = XStat::Kind::Double;
            stat.bits = reader.value();
        } else if (reader.is(proto::XStat::kUint64ValueFieldNumber, WireType::Varint)) {
            stat.kind = XStat::Kind::Unsigned;
            stat.bits = reader.value();
        } else if (reader.is(proto::XStat::kInt64ValueFieldNumber, WireType::Varint)) {
            stat.kind = XStat::Kind::Signed;
            stat.bits = reader.value();
        } else if (reader.is(proto::XStat::kStrValueFieldNumber, WireType::LengthDelimited)) {
            stat.kind = XStat::Kind::Text;
            stat.text = reader.bytes();
        } else if (reader.is(proto::XStat::kBytesValueFieldNumber, WireType::LengthDelimited)) {
            stat.kind = XStat::Kind::Bytes;
            stat.text = reader.bytes();
        } else if (reader.is(proto::XStat::kRefValueFieldNumber, WireType::Varint)) {
            stat.kind = XStat::Kind::Text;
            stat.text = nameOf(reader.signedValue());
        }
    }
    stat.name = nameOf(stat.nameId);
    return stat;
}

const XPlaneIndex::EventMetadata* XPlaneIndex::findEventMetadata(int64_t metadataId) const
{
    const auto found = eventMetadataById.find(metadataId);
    return found == eventMetadataById.end() ? nullptr : &eventMetadata[found->second];
}

std::string nameOfFile(std::string_view path)
{
    path.remove_prefix(path.rfind('/') + 1);
    return std::string(path.substr(0, path.find(".xplane.pb")));
}

XPlaneIndex indexXPlane(WireSlice message, WireProblems& problems)
{
    XPlaneIndex plane;
    plane.message = message;
    WireReader reader(message.bytes, message.offset);
    while (reader.next()) {
        const bool isMessage = reader.type() == WireType::LengthDelimited;
        if (reader.is(proto::XPlane::kIdFieldNumber, WireType::Varint))
            plane.id = reader.signedValue();
        else if (isMessage && reader.field() == proto::XPlane::kNameFieldNumber)
            plane.name = reader.bytes();
        else if (isMessage && reader.field() == proto::XPlane::kLinesFieldNumber)
            plane.lines.push_back({reader.bytes(), reader.bytesOffset()});
        else if (isMessage && reader.field() == proto::XPlane::kEventMetadataFieldNumber)
            addEventMetadata(reader, plane, problems);
        else if (isMessage && reader.field() == proto::XPlane::kStatMetadataFieldNumber)
            addStatMetadata(reader, plane, problems);
        else if (isMessage && reader.field() == proto::XPlane::kStatsFieldNumber)
            plane.stats.push_back({reader.bytes(), reader.bytesOffset()});
        else
            problems.countUnknown(reader, "XPlane");
    }
    problems.check(reader, fmt::format("the plane '{}'", toValidUtf8(plane.name)));
    return plane;
}

} // namespace hloscope
