// SPDX-License-Identifier: Apache-2.0
#include "core/formats/xspace_arguments.h"

#include "xplane.pb.h"

#include <algorithm>

namespace hloscope {

std::vector<XStat> decodeXStats(std::string_view message, uint32_t statsField, const XStatNames& names)
{
    std::vector<XStat> stats;
    WireReader reader(message);
    while (reader.next()) {
        if (reader.is(statsField, WireType::LengthDelimited))
            stats.push_back(decodeXStat(reader.bytes(), names));
    }
    return stats;
}

XSpaceArguments::XSpaceArguments(std::shared_ptr<const FileBytes> file, std::vector<XPlaneIndex> planes)
    : m_file(std::move(file)), m_planes(std::move(planes))
{
}

const XPlaneIndex* XSpaceArguments::planeAt(uint64_t offset) const
{
    const auto after =
        std::upper_bound(m_planes.begin(), m_planes.end(), offset,
                         [](uint64_t at, const XPlaneIndex& plane) { return at < plane.message.offset; });
    if (after == m_planes.begin())
        return nullptr;
    const XPlaneIndex& plane = *std::prev(after);
    return offset - plane.message.offset < plane.message.bytes.size() ? &plane : nullptr;
}

std::vector<Argument> XSpaceArguments::decode(uint64_t reference) const
{
    const XPlaneIndex* plane = planeAt(reference);
    if (plane == nullptr)
        return {};
    WireReader field(plane->message.bytes.substr(static_cast<size_t>(reference - plane->message.offset)));
    if (!field.next() || !field.is(proto::XLine::kEventsFieldNumber, WireType::LengthDelimited))
        return {};
    const std::string_view event = field.bytes();
    int64_t metadataId = 0;
    WireReader reader(event);
    while (reader.next()) {
        if (reader.is(proto::XEvent::kMetadataIdFieldNumber, WireType::Varint))
            metadataId = reader.signedValue();
    }

    std::vector<XStat> stats = decodeXStats(event, proto::XEvent::kStatsFieldNumber, plane->statNames);
    if (const auto* metadata = plane->findEventMetadata(metadataId)) {
        const size_t own = stats.size();
        for (const XStat& stat :
             decodeXStats(metadata->message.bytes, proto::XEventMetadata::kStatsFieldNumber, plane->statNames)) {
            const auto ownEnd = stats.begin() + static_cast<std::ptrdiff_t>(own);
            const bool isOverridden = std::any_of(stats.begin(), ownEnd, [&stat](const XStat& other) {
                return other.name == stat.name && (!stat.name.empty() || other.nameId == stat.nameId);
            });
            if (!isOverridden)
                stats.push_back(stat);
        }
    }
    std::vector<Argument> arguments;
    arguments.reserve(stats.size());
    for (const XStat& stat : stats)
        arguments.push_back(stat.toArgument());
    return arguments;
}

} // namespace hloscope
