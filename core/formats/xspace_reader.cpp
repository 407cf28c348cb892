// SPDX-License-Identifier: Apache-2.0
#include "core/formats/xspace_reader.h"

#include "core/formats/trace_writer.h"
#include "core/formats/xspace_arguments.h"
#include "core/formats/xspace_counters.h"
#include "core/formats/xspace_index.h"
#include "core/formats/xspace_kinds.h"
#include "core/formats/xspace_salvage.h"

#include "xplane.pb.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace hloscope {
namespace {

// Lines that begin later than this count from 1970: it is 1970-01-12, and no session lasts 11 days.
constexpr int64_t kFirstAbsoluteNs = 1'000'000'000'000'000;
constexpr int64_t kPicosecondsPerNanosecond = 1000;
constexpr uint64_t kEventsPerCancelCheck = 65536;

int64_t saturatingAdd(int64_t a, int64_t b)
{
    int64_t sum = 0;
    if (!__builtin_add_overflow(a, b, &sum))
        return sum;
    return b > 0 ? std::numeric_limits<int64_t>::max() : std::numeric_limits<int64_t>::min();
}

int64_t toPicoseconds(int64_t nanoseconds)
{
    int64_t product = 0;
    if (!__builtin_mul_overflow(nanoseconds, kPicosecondsPerNanosecond, &product))
        return product;
    return nanoseconds > 0 ? std::numeric_limits<int64_t>::max() : std::numeric_limits<int64_t>::min();
}

struct LineHeader {
    int64_t id = 0;
    std::string_view name;
    std::string_view displayName;
    int64_t timestampNs = 0;
};

struct RawEvent {
    int64_t metadataId = 0;
    int64_t offsetPs = 0;
    int64_t durationPs = 0;
    int64_t occurrences = 0;
    bool isAggregate = false;
};

class XSpaceReader {
public:
    XSpaceReader(std::shared_ptr<const FileBytes> file, const XSpaceOptions& options, Progress* progress)
        : m_file(std::move(file))
        , m_options(options)
        , m_progress(progress)
        , m_problems(m_file->path(), m_builder.trace().problems)
    {
    }

    Expected<XSpaceContents> read();

private:
    void indexPlanes();
    void readStartTime();
    void findFirstTimestamp();
    int64_t lineBegin(int64_t timestampNs) const;
    bool readPlane(const XPlaneIndex& plane, const ProgramTable& programs);
    LineHeader readLineHeader(const XPlaneIndex& plane, WireSlice line);
    bool readLine(const XPlaneIndex& plane, WireSlice line, PlaneId planeId, XPlaneKinds& kinds);
    bool readEvent(const WireReader& field, RawEvent& event);
    bool isCancelled(uint64_t offset);
    Diagnostic cancelled() const { return makeError(m_file->path(), "reading was cancelled"); }

    std::shared_ptr<const FileBytes> m_file;
    const XSpaceOptions& m_options;
    Progress* m_progress;
    TraceBuilder m_builder;
    WireProblems m_problems;
    std::vector<XPlaneIndex> m_planes;
    std::vector<std::string> m_hostNames;
    std::optional<int64_t> m_startNs; // of the session, since 1970
    uint64_t m_untilCheck = kEventsPerCancelCheck;
};

void XSpaceReader::indexPlanes()
{
    WireReader reader(m_file->bytes());
    while (reader.next()) {
        const bool isBytes = reader.type() == WireType::LengthDelimited;
        if (isBytes && reader.field() == proto::XSpace::kPlanesFieldNumber) {
            if (reader.isCutOff())
                m_problems.setFileIsCutOff(m_file->bytes().size());
            m_planes.push_back(indexXPlane({reader.bytes(), reader.bytesOffset()}, m_problems));
            if (reader.isCutOff()) {
                m_problems.warnAt(reader.fieldOffset(),
                                  fmt::format("the plane '{}' should have {} bytes, but the file ends after {}",
                                              toValidUtf8(m_planes.back().name), reader.claimedLength(),
                                              reader.bytes().size()),
                                  "the file is cut off or damaged");
            }
        } else if (isBytes && reader.field() == proto::XSpace::kErrorsFieldNumber) {
            m_problems.warnAt(reader.fieldOffset(), "the profiler reported an error: " + toValidUtf8(reader.bytes()));
        } else if (isBytes && reader.field() == proto::XSpace::kWarningsFieldNumber) {
            m_problems.warnAt(reader.fieldOffset(), "the profiler reported: " + toValidUtf8(reader.bytes()));
        } else if (isBytes && reader.field() == proto::XSpace::kHostnamesFieldNumber) {
            m_hostNames.push_back(m_problems.text(reader.bytes()));
        } else {
            m_problems.countUnknown(reader, "XSpace");
        }
    }
    if (!reader.isCutOff() || reader.field() != proto::XSpace::kPlanesFieldNumber)
        m_problems.check(reader, "the profile");
}

void XSpaceReader::readStartTime()
{
    for (const XPlaneIndex& plane : m_planes) {
        if (plane.name != "Task Environment")
            continue;
        for (const WireSlice& slice : plane.stats) {
            const XStat stat = decodeXStat(slice.bytes, plane.statNames);
            const auto value = stat.integer();
            if (stat.name == "profile_start_time" && value && *value > 0
                && *value <= static_cast<uint64_t>(std::numeric_limits<int64_t>::max()))
                m_startNs = static_cast<int64_t>(*value);
        }
    }
    if (!m_startNs)
        findFirstTimestamp();
}

void XSpaceReader::findFirstTimestamp()
{
    for (const XPlaneIndex& plane : m_planes) {
        for (const WireSlice& line : plane.lines) {
            WireReader reader(line.bytes);
            while (reader.next()) {
                if (reader.is(proto::XLine::kTimestampNsFieldNumber, WireType::Varint)
                    && reader.signedValue() >= kFirstAbsoluteNs)
                    m_startNs = std::min(m_startNs.value_or(reader.signedValue()), reader.signedValue());
            }
        }
    }
}

// Picoseconds from the start of the session.
int64_t XSpaceReader::lineBegin(int64_t timestampNs) const
{
    const bool isAbsolute = timestampNs >= kFirstAbsoluteNs && m_startNs;
    return toPicoseconds(isAbsolute ? timestampNs - *m_startNs : timestampNs);
}

bool XSpaceReader::isCancelled(uint64_t offset)
{
    if (m_progress == nullptr)
        return false;
    m_progress->report(Progress::Phase::Reading,
                       static_cast<double>(offset) / static_cast<double>(m_file->bytes().size()));
    return m_progress->isCancelled();
}

// The header may be written before or after the events.
LineHeader XSpaceReader::readLineHeader(const XPlaneIndex& plane, WireSlice line)
{
    LineHeader header;
    WireReader reader(line.bytes, line.offset);
    while (reader.next()) {
        if (reader.is(proto::XLine::kEventsFieldNumber, WireType::LengthDelimited))
            continue;
        if (reader.is(proto::XLine::kIdFieldNumber, WireType::Varint))
            header.id = reader.signedValue();
        else if (reader.is(proto::XLine::kNameFieldNumber, WireType::LengthDelimited))
            header.name = reader.bytes();
        else if (reader.is(proto::XLine::kTimestampNsFieldNumber, WireType::Varint))
            header.timestampNs = reader.signedValue();
        else if (reader.is(proto::XLine::kDisplayNameFieldNumber, WireType::LengthDelimited))
            header.displayName = reader.bytes();
        else if (!reader.is(proto::XLine::kDurationPsFieldNumber, WireType::Varint)
                 && !reader.is(proto::XLine::kDisplayIdFieldNumber, WireType::Varint))
            m_problems.countUnknown(reader, "XLine");
    }
    m_problems.check(reader,
                     fmt::format("the line '{}' of the plane '{}'", toValidUtf8(header.name), toValidUtf8(plane.name)));
    return header;
}

bool XSpaceReader::readEvent(const WireReader& field, RawEvent& event)
{
    WireReader reader(field.bytes(), field.bytesOffset());
    while (reader.next()) {
        if (reader.is(proto::XEvent::kStatsFieldNumber, WireType::LengthDelimited))
            continue;
        if (reader.type() != WireType::Varint) {
            m_problems.countUnknown(reader, "XEvent");
            continue;
        }
        switch (reader.field()) {
        case proto::XEvent::kMetadataIdFieldNumber:
            event.metadataId = reader.signedValue();
            break;
        case proto::XEvent::kOffsetPsFieldNumber:
            event.offsetPs = reader.signedValue();
            event.isAggregate = false;
            break;
        case proto::XEvent::kDurationPsFieldNumber:
            event.durationPs = reader.signedValue();
            break;
        case proto::XEvent::kNumOccurrencesFieldNumber:
            event.occurrences = reader.signedValue();
            event.isAggregate = true;
            break;
        default:
            m_problems.countUnknown(reader, "XEvent");
        }
    }
    if (reader.error() == WireReader::Error::None && !field.isCutOff())
        return true;
    if (field.isCutOff() && m_problems.isAtCut(field))
        m_problems.count("events that are cut off by the end of the file, left out");
    else
        m_problems.warnAt(field.fieldOffset(), "an event is damaged and left out");
    return false;
}

bool XSpaceReader::readLine(const XPlaneIndex& plane, WireSlice line, PlaneId planeId, XPlaneKinds& kinds)
{
    const LineHeader header = readLineHeader(plane, line);
    const int64_t lineStart = lineBegin(header.timestampNs);
    const TrackId track = m_builder.addTrack(
        planeId, m_problems.text(header.displayName.empty() ? header.name : header.displayName), header.id);
    kinds.setLine(header.name);
    std::optional<XPlaneCounters> counters;
    if (header.name == kCounterLineName)
        counters.emplace(plane);
    WireReader reader(line.bytes, line.offset);
    while (reader.next()) {
        if (!reader.is(proto::XLine::kEventsFieldNumber, WireType::LengthDelimited))
            continue;
        if (--m_untilCheck == 0) {
            m_untilCheck = kEventsPerCancelCheck;
            if (isCancelled(reader.fieldOffset()))
                return false;
        }
        RawEvent event;
        if (!readEvent(reader, event))
            continue;
        const EventKindId kind = kinds.kindOf(event.metadataId, reader.bytes());
        const uint64_t reference = reader.fieldOffset();
        if (event.isAggregate) {
            m_builder.trace().aggregates.push_back({track, kind,
                                                    static_cast<uint64_t>(std::max<int64_t>(event.occurrences, 0)),
                                                    std::max<int64_t>(event.durationPs, 0), reference});
            continue;
        }
        const int64_t begin = saturatingAdd(lineStart, event.offsetPs);
        m_builder.addEvent(track, kind, begin, event.durationPs, reference);
        if (counters)
            counters->add(kind, begin, reader.bytes());
    }
    if (counters) {
        m_builder.trace().tracks[track.index()].isCounters = true;
        counters->finish(planeId, m_builder.trace());
    }
    return true;
}

bool XSpaceReader::readPlane(const XPlaneIndex& plane, const ProgramTable& programs)
{
    const PlaneId id = m_builder.addPlane(m_problems.text(plane.name));
    for (const WireSlice& slice : plane.stats)
        m_builder.trace().planes.back().arguments.push_back(decodeXStat(slice.bytes, plane.statNames).toArgument());
    XPlaneKinds kinds(plane, programs, m_builder, m_problems);
    for (const WireSlice& line : plane.lines) {
        if (isCancelled(line.offset) || !readLine(plane, line, id, kinds))
            return false;
    }
    return true;
}

Expected<XSpaceContents> XSpaceReader::read()
{
    Trace& trace = m_builder.trace();
    if (m_file->truncated())
        m_problems.warnAt(m_file->bytes().size(), "the compressed data end early", "the file is cut off");
    indexPlanes();
    if (m_planes.empty()) {
        const auto& found = trace.problems.diagnostics();
        return found.empty() ? makeErrorAt(m_file->path(), 0, "the profile has no planes") : found.front();
    }
    readStartTime();
    std::vector<EmbeddedModule> modules;
    for (const XPlaneIndex& plane : m_planes) {
        if (plane.name == "/host:metadata") {
            auto found = embeddedModules(plane, m_problems);
            std::move(found.begin(), found.end(), std::back_inserter(modules));
        }
    }
    const ProgramTable programs(modules, m_options.openModule, trace.modules);
    for (const XPlaneIndex& plane : m_planes) {
        if (!readPlane(plane, programs))
            return cancelled();
    }

    trace.name = m_hostNames.empty() ? nameOfFile(m_file->path()) : m_hostNames.front();
    trace.startUnixNanoseconds = m_startNs;
    trace.argumentSource = std::make_shared<XSpaceArguments>(m_file, std::move(m_planes));
    m_problems.count("sums of events without a time, counted in statistics only", trace.aggregates.size());
    m_problems.finish();
    auto built = std::move(m_builder).build(m_progress);
    if (built == nullptr)
        return cancelled();
    return XSpaceContents{std::move(built), std::move(modules)};
}

} // namespace

Expected<XSpaceContents> readXSpace(std::shared_ptr<const FileBytes> file, const XSpaceOptions& options,
                                    Progress* progress)
{
    if (isMangledText(file->bytes()))
        return salvageXSpace(file);
    return XSpaceReader(std::move(file), options, progress).read();
}

} // namespace hloscope
