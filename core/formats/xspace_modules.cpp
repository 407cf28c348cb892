// SPDX-License-Identifier: Apache-2.0
#include "core/formats/xspace_modules.h"

#include "xplane.pb.h"

#include <charconv>

namespace hloscope {
namespace {

// libtpu 0.0.37 spelled it with capitals.
bool isHloProtoStat(std::string_view name)
{
    return name == "Hlo Proto" || name == "HLO Proto";
}

std::optional<EmbeddedModule> embeddedModule(const XPlaneIndex& plane, const XPlaneIndex::EventMetadata& metadata,
                                             WireProblems& problems)
{
    EmbeddedModule module;
    std::optional<uint64_t> statedId;
    const auto setProto = [&module](std::string_view bytes, const WireReader& within) {
        module.hloProto = bytes;
        module.offset = within.bytesOffset() + static_cast<uint64_t>(bytes.data() - within.bytes().data());
    };
    WireReader reader(metadata.message.bytes, metadata.message.offset);
    while (reader.next()) {
        if (reader.is(proto::XEventMetadata::kNameFieldNumber, WireType::LengthDelimited)) {
            module.name = problems.text(reader.bytes());
        } else if (reader.is(proto::XEventMetadata::kMetadataFieldNumber, WireType::LengthDelimited)) {
            if (module.hloProto.empty())
                setProto(reader.bytes(), reader);
        } else if (reader.is(proto::XEventMetadata::kStatsFieldNumber, WireType::LengthDelimited)) {
            const XStat stat = decodeXStat(reader.bytes(), plane.statNames);
            if (isHloProtoStat(stat.name) && stat.kind == XStat::Kind::Bytes)
                setProto(stat.text, reader);
            else if (stat.name == "program_id")
                statedId = stat.integer();
        }
    }
    if (module.hloProto.empty())
        return {};
    module.programId = statedId ? statedId : parseProgramName(module.name).programId;
    if (!module.programId)
        module.programId = static_cast<uint64_t>(metadata.id);
    return module;
}

} // namespace

ProgramName parseProgramName(std::string_view text)
{
    const size_t open = text.rfind('(');
    if (open == std::string_view::npos || !text.ends_with(')'))
        return {text, {}};
    uint64_t id = 0;
    const char* const last = text.data() + text.size() - 1;
    const auto [end, error] = std::from_chars(text.data() + open + 1, last, id);
    if (error != std::errc() || end != last)
        return {text, {}};
    return {text.substr(0, open), id};
}

std::vector<EmbeddedModule> embeddedModules(const XPlaneIndex& plane, WireProblems& problems)
{
    std::vector<EmbeddedModule> modules;
    for (const XPlaneIndex::EventMetadata& metadata : plane.eventMetadata) {
        if (auto module = embeddedModule(plane, metadata, problems))
            modules.push_back(std::move(*module));
    }
    return modules;
}

ProgramTable::ProgramTable(std::vector<EmbeddedModule> modules, const ModuleOpener& open,
                           std::vector<std::shared_ptr<const HloModule>>& opened)
    : m_modules(std::move(modules)), m_openedIndex(m_modules.size())
{
    for (size_t i = 0; i < m_modules.size(); ++i) {
        if (m_modules[i].programId)
            m_byProgram.emplace(*m_modules[i].programId, i);
        m_byName[parseProgramName(m_modules[i].name).module].push_back(i);
        if (!open)
            continue;
        if (auto module = open(m_modules[i])) {
            m_openedIndex[i] = static_cast<uint32_t>(opened.size());
            opened.push_back(std::move(module));
        }
    }
}

ProgramTable::Program ProgramTable::find(std::optional<uint64_t> programId, std::string_view moduleName) const
{
    std::optional<size_t> index;
    if (programId) {
        if (const auto found = m_byProgram.find(*programId); found != m_byProgram.end())
            index = found->second;
    } else if (const auto found = m_byName.find(moduleName); found != m_byName.end() && found->second.size() == 1) {
        index = found->second.front();
    }
    if (!index)
        return {moduleName, {}};
    return {parseProgramName(m_modules[*index].name).module, m_openedIndex[*index]};
}

} // namespace hloscope
