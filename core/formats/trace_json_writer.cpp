// SPDX-License-Identifier: Apache-2.0
#include "core/formats/output_file.h"
#include "core/formats/trace_writer.h"

#include <fmt/format.h>

#include <cmath>

namespace hloscope {
namespace {

constexpr double kLargestExactInteger = 9007199254740992.0; // 2^53

std::string quoted(std::string_view text)
{
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            (out += '\\') += c;
        else if (c == '\n')
            out += "\\n";
        else if (static_cast<uint8_t>(c) < 0x20)
            out += fmt::format("\\u{:04x}", static_cast<uint8_t>(c));
        else
            out += c;
    }
    return out += '"';
}

// Picoseconds as microseconds, exactly.
std::string microseconds(int64_t picoseconds)
{
    const uint64_t magnitude =
        picoseconds < 0 ? 0 - static_cast<uint64_t>(picoseconds) : static_cast<uint64_t>(picoseconds);
    std::string text = fmt::format("{}{}.{:06}", picoseconds < 0 ? "-" : "", magnitude / 1000000, magnitude % 1000000);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.')
        text.pop_back();
    return text;
}

std::string jsonNumber(double value)
{
    return std::isfinite(value) ? fmt::format("{}", value) : quoted(fmt::format("{}", value));
}

// A number where JSON readers keep it exactly, else the text.
std::string jsonValue(const Argument& argument)
{
    if (!argument.number
        || (std::trunc(*argument.number) == *argument.number && std::abs(*argument.number) > kLargestExactInteger))
        return quoted(argument.value);
    return jsonNumber(*argument.number);
}

class JsonWriter {
public:
    JsonWriter(const Trace& trace, OutputFile& file) : m_trace(trace), m_file(file) { }

    void write()
    {
        m_file.write(R"({"displayTimeUnit":"ns","metadata":{"highres-ticks":true)");
        writeAggregates();
        m_file.write("},\"traceEvents\":[\n");
        writeNames();
        for (size_t i = 0; i < m_trace.tracks.size(); ++i) {
            if (!m_trace.tracks[i].isCounters)
                writeTrack(i);
        }
        for (const Counter& counter : m_trace.counters)
            writeCounter(counter);
        m_file.write("{}]}\n"); // an empty object at the end, as JAX has it
    }

private:
    // Process ids from 1 on, as Perfetto takes 0 for the idle process.
    static size_t processId(PlaneId plane) { return plane.index() + 1; }

    void writeAggregates()
    {
        if (m_trace.aggregates.empty())
            return;
        std::string separator = ",\"aggregates\":[";
        for (const Aggregate& aggregate : m_trace.aggregates) {
            m_file.write(fmt::format(R"({}{{"line":{},"name":{},"occurrences":{},"dur":{}}})", separator,
                                     quoted(m_trace.tracks[aggregate.track.index()].name),
                                     quoted(m_trace.kinds[aggregate.kind.index()].name), aggregate.occurrences,
                                     microseconds(aggregate.durationPs)));
            separator = ",";
        }
        m_file.write("]");
    }

    void writeNames()
    {
        for (size_t i = 0; i < m_trace.planes.size(); ++i) {
            const size_t pid = processId(PlaneId(i));
            m_file.write(
                fmt::format("{{\"ph\":\"M\",\"pid\":{},\"name\":\"process_name\",\"args\":{{\"name\":{}}}}},\n", pid,
                            quoted(m_trace.planes[i].name)));
            m_file.write(fmt::format(
                "{{\"ph\":\"M\",\"pid\":{0},\"name\":\"process_sort_index\",\"args\":{{\"sort_index\":{0}}}}},\n",
                pid));
        }
        for (size_t i = 0; i < m_trace.tracks.size(); ++i) {
            const Track& track = m_trace.tracks[i];
            const std::string head =
                fmt::format("{{\"ph\":\"M\",\"pid\":{},\"tid\":{},", processId(track.plane), i + 1);
            m_file.write(
                fmt::format("{}\"name\":\"thread_name\",\"args\":{{\"name\":{}}}}},\n", head, quoted(track.name)));
            m_file.write(
                fmt::format("{}\"name\":\"thread_sort_index\",\"args\":{{\"sort_index\":{}}}}},\n", head, i + 1));
        }
    }

    void writeTrack(size_t index)
    {
        const Track& track = m_trace.tracks[index];
        const std::string head =
            fmt::format("{{\"ph\":\"X\",\"pid\":{},\"tid\":{},\"ts\":", processId(track.plane), index + 1);
        for (uint32_t i = track.events.begin; i < track.events.end(); ++i) {
            const EventKind& kind = m_trace.kind(EventId(i));
            std::string line = head;
            line += microseconds(m_trace.begins[i]);
            line += ",\"dur\":";
            line += microseconds(m_trace.durations[i]);
            line += ",\"name\":";
            line += quoted(kind.label());
            const std::string arguments = argumentsOf(EventId(i), kind);
            if (!arguments.empty())
                line += ",\"args\":{" + arguments + '}';
            line += "},\n";
            m_file.write(line);
        }
    }

    std::string argumentsOf(EventId event, const EventKind& kind) const
    {
        std::string text;
        const auto add = [&text](std::string_view name, const std::string& value) {
            text += (text.empty() ? "" : ",") + quoted(name) + ':' + value;
        };
        if (!kind.displayName.empty() && kind.displayName != kind.name)
            add("long_name", quoted(kind.name));
        for (const Argument& argument : m_trace.arguments(event))
            add(argument.name, jsonValue(argument));
        return text;
    }

    void writeCounter(const Counter& counter)
    {
        const std::string head = fmt::format("{{\"ph\":\"C\",\"pid\":{},\"name\":{},\"ts\":", processId(counter.plane),
                                             quoted(counter.name));
        for (size_t i = 0; i < counter.times.size(); ++i)
            m_file.write(fmt::format("{}{},\"args\":{{\"value\":{}}}}},\n", head, microseconds(counter.times[i]),
                                     jsonNumber(counter.values[i])));
    }

    const Trace& m_trace;
    OutputFile& m_file;
};

} // namespace

Expected<uint64_t> writeTraceJson(const Trace& trace, const std::string& path)
{
    OutputFile file(path);
    JsonWriter(trace, file).write();
    return file.finish();
}

} // namespace hloscope
