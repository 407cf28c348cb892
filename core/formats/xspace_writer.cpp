// SPDX-License-Identifier: Apache-2.0
#include "core/formats/output_file.h"
#include "core/formats/trace_writer.h"

#include "xplane.pb.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <set>
#include <unordered_map>

namespace hloscope {
namespace {

constexpr int64_t kCounterLineId = std::numeric_limits<int64_t>::max(); // as libtpu has it
constexpr const char* kTaskEnvironment = "Task Environment";

// What XProf calls such an op. Nothing for what is not an op.
const char* hloCategoryName(OpCategory category)
{
    switch (category) {
    case OpCategory::Matmul:
        return "convolution";
    case OpCategory::Pointwise:
        return "non-fusion elementwise";
    case OpCategory::Reduce:
        return "reduce";
    case OpCategory::DataMovement:
        return "data formatting";
    case OpCategory::Collective:
        return "all-reduce";
    case OpCategory::AsyncDma:
        return "copy-start";
    case OpCategory::ControlFlow:
        return "while";
    case OpCategory::CustomCall:
        return "custom-call";
    case OpCategory::Idle:
        return "idle";
    case OpCategory::Host:
        return nullptr;
    }
    return nullptr;
}

template <class Integer> bool parseWhole(const std::string& text, Integer& value)
{
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size();
}

void appendMessage(std::string& out, uint32_t field, const std::string& message)
{
    const auto appendVarint = [&out](uint64_t value) {
        for (; value >= 0x80; value >>= 7)
            out += static_cast<char>(value | 0x80);
        out += static_cast<char>(value);
    };
    appendVarint(field << 3 | 2u);
    appendVarint(message.size());
    out += message;
}

// Everything of one plane. Lines are serialised one by one into a string, so that a plane takes its size on disk and
// not that of its message objects.
class PlaneWriter {
public:
    PlaneWriter(const Trace& trace, size_t index)
        : m_trace(trace)
        , m_index(index)
        , m_kindUsed(trace.kinds.size())
        , m_isTaskEnvironment(trace.planes[index].name == kTaskEnvironment)
    {
        m_plane.set_id(static_cast<int64_t>(index));
        m_plane.set_name(trace.planes[index].name);
        for (const Argument& argument : trace.planes[index].arguments)
            setStat(*m_plane.add_stats(), argument);
    }

    std::string serialise()
    {
        collectAggregates();
        collectLineIds();
        for (size_t i = 0; i < m_trace.tracks.size(); ++i) {
            if (m_trace.tracks[i].plane.index() == m_index)
                writeTrack(i);
        }
        writeCounters();
        std::string bytes = m_plane.SerializeAsString();
        bytes += m_lines;
        return bytes;
    }

private:
    int64_t statId(const std::string& name)
    {
        const auto [found, isNew] = m_statIds.try_emplace(name, static_cast<int64_t>(m_statIds.size() + 1));
        if (isNew) {
            proto::XStatMetadata& metadata = (*m_plane.mutable_stat_metadata())[found->second];
            metadata.set_id(found->second);
            metadata.set_name(name);
        }
        return found->second;
    }

    void setStat(proto::XStat& stat, const Argument& argument)
    {
        stat.set_metadata_id(statId(argument.name));
        int64_t whole = 0;
        uint64_t large = 0;
        if (!argument.number)
            stat.set_str_value(argument.value);
        else if (!m_isTaskEnvironment && parseWhole(argument.value, whole))
            stat.set_int64_value(whole);
        else if (parseWhole(argument.value, large))
            stat.set_uint64_value(large);
        else
            stat.set_double_value(*argument.number);
    }

    int64_t kindId(uint32_t kindIndex)
    {
        const auto id = static_cast<int64_t>(kindIndex) + 1;
        if (m_kindUsed[kindIndex])
            return id;
        m_kindUsed[kindIndex] = true;
        const EventKind& kind = m_trace.kinds[kindIndex];
        proto::XEventMetadata& metadata = addMetadata(id, kind.name);
        metadata.set_display_name(kind.displayName);
        if (const char* category = hloCategoryName(kind.category))
            setStat(*metadata.add_stats(), {"hlo_category", category, {}});
        if (kind.programId)
            setStat(*metadata.add_stats(), {"program_id", std::to_string(*kind.programId), 0.0});
        return id;
    }

    proto::XEventMetadata& addMetadata(int64_t id, const std::string& name)
    {
        proto::XEventMetadata& metadata = (*m_plane.mutable_event_metadata())[id];
        metadata.set_id(id);
        metadata.set_name(name);
        return metadata;
    }

    void setArguments(proto::XEvent& event, const std::vector<Argument>& arguments)
    {
        for (const Argument& argument : arguments)
            setStat(*event.add_stats(), argument);
    }

    void collectAggregates()
    {
        for (const Aggregate& aggregate : m_trace.aggregates)
            m_aggregates[aggregate.track.index()].push_back(&aggregate);
    }

    // XProf joins lines of the same id, so each line needs one of its own.
    void collectLineIds()
    {
        m_lineIds.resize(m_trace.tracks.size());
        std::set<int64_t> used = {0, kCounterLineId};
        std::vector<size_t> without;
        for (size_t i = 0; i < m_trace.tracks.size(); ++i) {
            if (m_trace.tracks[i].plane.index() != m_index)
                continue;
            m_lineIds[i] = m_trace.tracks[i].lineId;
            if (!used.insert(m_lineIds[i]).second)
                without.push_back(i);
        }
        int64_t next = 1;
        for (const size_t i : without) {
            while (!used.insert(next).second)
                ++next;
            m_lineIds[i] = next;
        }
    }

    void writeTrack(size_t index)
    {
        const Track& track = m_trace.tracks[index];
        proto::XLine line;
        line.set_id(m_lineIds[index]);
        line.set_name(track.name);
        std::string bytes = line.SerializeAsString();
        proto::XEvent event;
        for (uint32_t i = track.events.begin; i < track.events.end(); ++i) {
            event.Clear();
            event.set_metadata_id(kindId(m_trace.eventKinds[i]));
            event.set_offset_ps(m_trace.begins[i]);
            event.set_duration_ps(m_trace.durations[i]);
            setArguments(event, m_trace.arguments(EventId(i)));
            appendMessage(bytes, proto::XLine::kEventsFieldNumber, event.SerializeAsString());
        }
        for (const Aggregate* aggregate : m_aggregates[index]) {
            event.Clear();
            event.set_metadata_id(kindId(static_cast<uint32_t>(aggregate->kind.index())));
            event.set_num_occurrences(static_cast<int64_t>(aggregate->occurrences));
            event.set_duration_ps(aggregate->durationPs);
            if (m_trace.argumentSource != nullptr && aggregate->argumentReference != Trace::kNoArguments)
                setArguments(event, m_trace.argumentSource->decode(aggregate->argumentReference));
            appendMessage(bytes, proto::XLine::kEventsFieldNumber, event.SerializeAsString());
        }
        appendMessage(m_lines, proto::XPlane::kLinesFieldNumber, bytes);
    }

    void writeCounters()
    {
        std::string bytes;
        auto nextId = static_cast<int64_t>(m_trace.kinds.size());
        for (const Counter& counter : m_trace.counters) {
            if (counter.plane.index() != m_index || hasCounterTrack())
                continue;
            if (bytes.empty()) {
                proto::XLine line;
                line.set_id(kCounterLineId);
                line.set_name(kCounterLineName);
                bytes = line.SerializeAsString();
            }
            addMetadata(++nextId, counter.name);
            const double scale = counter.unit == Counter::Unit::Fraction ? 100.0 : 1.0;
            for (size_t i = 0; i < counter.times.size(); ++i) {
                proto::XEvent event;
                event.set_metadata_id(nextId);
                event.set_offset_ps(counter.times[i]);
                event.set_duration_ps(i + 1 < counter.times.size() ? counter.times[i + 1] - counter.times[i] : 0);
                proto::XStat& stat = *event.add_stats();
                stat.set_metadata_id(statId(counterStatName(counter.unit)));
                stat.set_double_value(counter.values[i] * scale);
                appendMessage(bytes, proto::XLine::kEventsFieldNumber, event.SerializeAsString());
            }
        }
        if (!bytes.empty())
            appendMessage(m_lines, proto::XPlane::kLinesFieldNumber, bytes);
    }

    // The counters were read from a line that is a track, too.
    bool hasCounterTrack() const
    {
        return std::any_of(m_trace.tracks.begin(), m_trace.tracks.end(), [this](const Track& track) {
            return track.plane.index() == m_index && track.name == kCounterLineName;
        });
    }

    const Trace& m_trace;
    size_t m_index;
    proto::XPlane m_plane; // without its lines
    std::string m_lines;
    std::unordered_map<std::string, int64_t> m_statIds;
    std::vector<bool> m_kindUsed;
    std::unordered_map<size_t, std::vector<const Aggregate*>> m_aggregates; // by track
    std::vector<int64_t> m_lineIds; // by track
    bool m_isTaskEnvironment;
};

std::string taskEnvironment(const Trace& trace)
{
    proto::XPlane plane;
    plane.set_name(kTaskEnvironment);
    const auto addTime = [&plane](int64_t id, const char* name, int64_t nanoseconds) {
        (*plane.mutable_stat_metadata())[id].set_id(id);
        (*plane.mutable_stat_metadata())[id].set_name(name);
        proto::XStat& stat = *plane.add_stats();
        stat.set_metadata_id(id);
        stat.set_uint64_value(static_cast<uint64_t>(nanoseconds));
    };
    addTime(1, "profile_start_time", *trace.startUnixNanoseconds);
    addTime(2, "profile_stop_time", *trace.startUnixNanoseconds + (trace.span().second + 999) / 1000);
    return plane.SerializeAsString();
}

} // namespace

const char* counterStatName(Counter::Unit unit)
{
    switch (unit) {
    case Counter::Unit::None:
        return "value";
    case Counter::Unit::Bytes:
        return "bytes";
    case Counter::Unit::BytesPerSecond:
        return "bytes/s";
    case Counter::Unit::FlopsPerSecond:
        return "flop/s";
    case Counter::Unit::Fraction:
        return "% util";
    }
    return "value";
}

Expected<uint64_t> writeXSpace(const Trace& trace, const std::string& path)
{
    OutputFile file(path);
    bool hasTaskEnvironment = false;
    for (size_t i = 0; i < trace.planes.size(); ++i) {
        hasTaskEnvironment = hasTaskEnvironment || trace.planes[i].name == kTaskEnvironment;
        std::string field;
        appendMessage(field, proto::XSpace::kPlanesFieldNumber, PlaneWriter(trace, i).serialise());
        file.write(field);
    }
    std::string rest;
    if (trace.startUnixNanoseconds && !hasTaskEnvironment)
        appendMessage(rest, proto::XSpace::kPlanesFieldNumber, taskEnvironment(trace));
    if (!trace.name.empty())
        appendMessage(rest, proto::XSpace::kHostnamesFieldNumber, trace.name);
    file.write(rest);
    return file.finish();
}

} // namespace hloscope
