// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hlo/hlo_module.h"
#include "core/hlo/op_category.h"
#include "core/support/typed_id.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hloscope {

using EventId = TypedId<struct EventTag>; // index into the columns of a Trace
using TrackId = TypedId<struct TrackTag>;
using PlaneId = TypedId<struct PlaneTag>;
using EventKindId = TypedId<struct EventKindTag>; // index into Trace::kinds
using CounterId = TypedId<struct CounterTag>;

// A named value of an event, plane or kind. Exactly one alternative, decoded on demand.
struct Argument {
    std::string name;
    std::string value; // readable text; numbers in plain decimal, bytes as "<n bytes>"
    std::optional<double> number;
};

// What equal events have in common: XPlane's event metadata, or one instruction of a simulated module.
struct EventKind {
    std::string name; // as the file has it; the full HLO line in TPU profiles
    std::string displayName; // short name, empty when the file has none
    OpCategory category = OpCategory::Host;
    InstructionId instruction; // in the trace's module, when known
    std::string module; // name of the HLO module that the event belongs to, may be empty

    const std::string& label() const { return displayName.empty() ? name : displayName; }
};

struct Plane {
    std::string name; // "/device:TPU:0", "/host:CPU"
    std::vector<Argument> arguments; // peaks, clock rates, ...
};

// One row of nested or disjoint events: an XPlane line, a thread, or a simulated unit.
struct Track {
    PlaneId plane;
    std::string name;
    int64_t lineId = 0;
    IndexRange events; // columns of the trace, sorted by begin, longer first
    uint16_t depth = 0; // levels of nesting, 0 when empty
};

// A value over time: step function, one value from each time to the next.
struct Counter {
    PlaneId plane;
    std::string name; // "HBM in use"
    enum class Unit : uint8_t { None, Bytes, BytesPerSecond, FlopsPerSecond, Fraction } unit = Unit::None;
    std::vector<int64_t> times; // picoseconds, ascending
    std::vector<double> values;
    std::optional<double> limit; // capacity or peak rate, drawn as a line
};

// Decodes the arguments of events from the bytes they came from.
class ArgumentSource {
public:
    virtual ~ArgumentSource() = default;
    // `reference` is what Trace::argumentReferences holds for the event.
    virtual std::vector<Argument> decode(uint64_t reference) const = 0;
};

// Events of any profile, or of a simulation, in columns. Immutable once built (see TraceBuilder), safe to share between
// threads. All times are picoseconds from the start of the session, or from the first event where that is unknown.
class Trace {
public:
    static constexpr uint64_t kNoArguments = UINT64_MAX;

    std::string name;
    std::vector<Plane> planes;
    std::vector<Track> tracks; // grouped by plane
    std::vector<Counter> counters;
    std::vector<EventKind> kinds;

    // Columns, one entry per event: 33 bytes in all.
    std::vector<int64_t> begins; // picoseconds
    std::vector<int64_t> durations; // picoseconds
    std::vector<uint32_t> eventKinds; // index into kinds
    std::vector<uint64_t> argumentReferences;
    std::vector<uint8_t> depths; // nesting depth in the track, from 0; 255 stands for deeper too

    std::optional<int64_t> startUnixNanoseconds; // wall clock of time 0
    bool isSimulated = false;
    std::shared_ptr<const HloModule> module; // of simulated traces
    std::shared_ptr<const ArgumentSource> argumentSource; // may be null
    Problems problems;

    size_t eventCount() const { return begins.size(); }
    int64_t begin(EventId id) const { return begins[id.index()]; }
    int64_t duration(EventId id) const { return durations[id.index()]; }
    int64_t end(EventId id) const { return begin(id) + duration(id); }
    const EventKind& kind(EventId id) const { return kinds[eventKinds[id.index()]]; }
    std::vector<Argument> arguments(EventId id) const;
    // The track whose range holds the event; O(log tracks).
    TrackId trackOf(EventId id) const;
    // First begin and last end over all tracks; {0, 0} for a trace without events.
    std::pair<int64_t, int64_t> span() const { return m_span; }
    // Innermost event that covers the time, invalid when idle.
    EventId eventAt(TrackId track, int64_t time) const;
    // The next smaller event of depth - 1 that holds this one; invalid at depth 0.
    EventId parentOf(EventId id) const;
    // Duration less the durations of the direct children.
    int64_t selfDuration(EventId id) const;

private:
    friend class TraceBuilder;
    std::pair<int64_t, int64_t> m_span{0, 0};
    std::vector<std::pair<uint32_t, uint32_t>> m_trackByEvent; // first event, track; sorted
};

// Collects events in any order and puts them into columns: sorted per track, with nesting depths.
class TraceBuilder {
public:
    TraceBuilder();

    Trace& trace() { return *m_trace; } // for names, planes' arguments, counters, kinds
    PlaneId addPlane(std::string name);
    TrackId addTrack(PlaneId plane, std::string name, int64_t lineId = 0);
    EventKindId addKind(EventKind kind);
    void addEvent(TrackId track, EventKindId kind, int64_t beginPs, int64_t durationPs,
                  uint64_t argumentReference = Trace::kNoArguments);
    // Negative durations become 0 and are counted in the trace's problems.
    std::shared_ptr<const Trace> build() &&;

private:
    struct Pending {
        int64_t begin;
        int64_t duration;
        uint64_t argumentReference;
        uint32_t kind;
    };
    std::shared_ptr<Trace> m_trace;
    std::vector<std::vector<Pending>> m_pending; // by track
};

} // namespace hloscope
