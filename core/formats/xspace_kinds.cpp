// SPDX-License-Identifier: Apache-2.0
#include "core/formats/xspace_kinds.h"

#include "xplane.pb.h"

#include <fmt/format.h>

#include <algorithm>

namespace hloscope {
namespace {

// "%fusion.12 = bf16[8]{0} fusion(...)" -> "fusion.12"
std::string_view instructionName(std::string_view hloLine)
{
    if (hloLine.starts_with('%'))
        hloLine.remove_prefix(1);
    return hloLine.substr(0, hloLine.find(" = "));
}

} // namespace

size_t XPlaneKinds::OpHash::operator()(const Op& op) const
{
    const size_t name = std::hash<std::string_view>()(op.name);
    const size_t module = std::hash<std::string_view>()(op.module);
    return name ^ (module * 31) ^ (static_cast<size_t>(op.programId.value_or(0)) * 0x9e3779b97f4a7c15u);
}

XPlaneKinds::XPlaneKinds(const XPlaneIndex& plane, const ProgramTable& programs, TraceBuilder& builder,
                         WireProblems& problems)
    : m_plane(plane)
    , m_programs(programs)
    , m_builder(builder)
    , m_problems(problems)
    , m_isDevice(!plane.name.starts_with("/host:"))
{
    for (const auto& [id, name] : plane.statNames) {
        if (name == "hlo_op" || name == "hlo_module" || name == "program_id")
            m_opStats.push_back(id);
    }
    m_dense.resize(2 * plane.eventMetadata.size() + 64);
}

void XPlaneKinds::setLine(std::string_view name)
{
    m_isOpLine = m_isDevice && (name == "XLA Ops" || name == "Async XLA Ops" || name == "Sparse Core Ops");
}

XPlaneKinds::Entry& XPlaneKinds::entryOf(int64_t metadataId)
{
    if (metadataId >= 0 && static_cast<uint64_t>(metadataId) < m_dense.size())
        return m_dense[static_cast<size_t>(metadataId)];
    return m_sparse[metadataId];
}

EventKindId XPlaneKinds::kindOf(int64_t metadataId, std::string_view event)
{
    Entry& entry = entryOf(metadataId);
    if (entry.isDecided && !entry.isPerOp)
        return entry.kind;
    const Op op = m_opStats.empty() ? Op() : opOf(event);
    if (!entry.isDecided) {
        entry.isDecided = true;
        entry.isPerOp = op.isSet();
    } else if (entry.op == op) {
        return entry.kind;
    }
    EventKindId& kind = entry.kinds[op];
    if (!kind.isValid())
        kind = addKind(metadataId, op);
    entry.kind = kind;
    entry.op = op;
    return kind;
}

XPlaneKinds::Op XPlaneKinds::opOf(std::string_view event) const
{
    Op op;
    WireReader reader(event);
    while (reader.next()) {
        if (!reader.is(proto::XEvent::kStatsFieldNumber, WireType::LengthDelimited))
            continue;
        WireReader peek(reader.bytes());
        if (peek.next() && peek.is(proto::XStat::kMetadataIdFieldNumber, WireType::Varint)
            && std::find(m_opStats.begin(), m_opStats.end(), peek.signedValue()) == m_opStats.end())
            continue;
        const XStat stat = decodeXStat(reader.bytes(), m_plane.statNames);
        if (stat.name == "hlo_op")
            op.name = stat.text;
        else if (stat.name == "hlo_module")
            op.module = stat.text;
        else if (stat.name == "program_id")
            op.programId = stat.integer();
    }
    return op;
}

EventKindId XPlaneKinds::addKind(int64_t metadataId, const Op& eventOp)
{
    EventKind kind;
    Op op = eventOp;
    std::string_view hloCategory;
    if (const XPlaneIndex::EventMetadata* metadata = m_plane.findEventMetadata(metadataId)) {
        WireReader reader(metadata->message.bytes, metadata->message.offset);
        while (reader.next()) {
            if (reader.is(proto::XEventMetadata::kNameFieldNumber, WireType::LengthDelimited)) {
                kind.name = m_problems.text(reader.bytes());
            } else if (reader.is(proto::XEventMetadata::kDisplayNameFieldNumber, WireType::LengthDelimited)) {
                kind.displayName = m_problems.text(reader.bytes());
            } else if (reader.is(proto::XEventMetadata::kStatsFieldNumber, WireType::LengthDelimited)) {
                const XStat stat = decodeXStat(reader.bytes(), m_plane.statNames);
                if (stat.name == "hlo_category")
                    hloCategory = stat.text;
                else if (stat.name == "program_id" && !op.programId)
                    op.programId = stat.integer();
            } else if (reader.field() > proto::XEventMetadata::kChildIdFieldNumber) {
                m_problems.countUnknown(reader, "XEventMetadata");
            }
        }
        m_problems.check(reader, fmt::format("event metadata {}", metadataId));
    } else {
        m_problems.count("kinds of events without a name (their metadata is not in the file)");
        kind.displayName = fmt::format("#{}", metadataId);
    }
    link(kind, op, hloCategory);
    return m_builder.addKind(std::move(kind));
}

// Finds module, instruction and category.
void XPlaneKinds::link(EventKind& kind, const Op& op, std::string_view hloCategory) const
{
    const ProgramName program = parseProgramName(kind.name);
    const bool isWholeProgram = m_isDevice && !op.isSet() && program.programId.has_value();
    const std::string opName(op.name.empty() ? instructionName(kind.label()) : op.name);
    if (op.isSet() || isWholeProgram) {
        kind.programId = op.programId ? op.programId : program.programId;
        const auto found = m_programs.find(kind.programId, isWholeProgram ? program.module : op.module);
        kind.module = toValidUtf8(found.moduleName);
        kind.moduleIndex = found.moduleIndex;
    }
    if (kind.moduleIndex && !isWholeProgram)
        kind.instruction = m_builder.trace().modules[*kind.moduleIndex]->findInstruction(opName);
    // A host thread that launches a kernel names the op too, but is not running it. On devices there are marks, modules
    // and steps besides ops.
    const bool isOpOfDevice = m_isOpLine || !hloCategory.empty() || (op.isSet() && !program.programId);
    const bool isOp = m_isDevice ? isOpOfDevice : op.name == std::string_view(kind.name);
    if (!isOp)
        kind.category = OpCategory::Host;
    else if (kind.instruction.isValid())
        kind.category = categorize(*m_builder.trace().modules[*kind.moduleIndex], kind.instruction);
    else
        kind.category = categorizeByName(hloCategory, opName);
}

} // namespace hloscope
