// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hlo/hlo_module.h"
#include "core/hlo/op_category.h"
#include "core/support/progress.h"
#include "core/support/typed_id.h"

#include <cstdint>
#include <memory>
#include <optional>
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
    InstructionId instruction; // in the module that Trace::moduleOf() gives, when known
    std::string module; // name of the HLO module that the event belongs to, may be empty
    std::optional<uint64_t> programId; // of that module in the profile; names are not unique, this is
    std::optional<uint32_t> moduleIndex; // into Trace::modules, when the module is at hand

    const std::string& label() const { return displayName.empty() ? name : displayName; }
};

struct Plane {
    std::string name; // "/device:TPU:0", "/host:CPU"
    std::vector<Argument> arguments; // peaks, clock rates, ...
};

// One row of events: an XPlane line, a thread, or a simulated unit. Events normally nest; where two of them overlap in
// part, the later one goes to another depth, so that the events of one depth are always disjoint (the last depth, 255,
// excepted: it also takes what is nested deeper).
struct Track {
    PlaneId plane;
    std::string name;
    int64_t lineId = 0;
    IndexRange events; // columns of the trace, sorted by begin, longer first
    uint16_t depth = 0; // depths in use, 0 when empty
    bool isCounters = false; // its events are samples, and are in Trace::counters, too
    bool overlaps = false; // some events overlap in part, i.e. neither holds the other
};

// Many occurrences of one kind that a profile gives as a sum, without a place in time.
struct Aggregate {
    TrackId track;
    EventKindId kind;
    uint64_t occurrences = 0;
    int64_t durationPs = 0; // of all occurrences
    uint64_t argumentReference = UINT64_MAX; // as Trace::argumentReferences
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
    static constexpr uint32_t kNoParent = UINT32_MAX;
    // Begins and ends lie within +-kMaxTime (26 days), so that differences of times cannot overflow.
    static constexpr int64_t kMaxTime = int64_t(1) << 61;

    std::string name;
    std::vector<Plane> planes;
    std::vector<Track> tracks; // in the order they were added; readers add them plane by plane
    std::vector<Counter> counters;
    std::vector<EventKind> kinds;

    // Columns, one entry per event: 33 bytes in all.
    std::vector<int64_t> begins; // picoseconds
    std::vector<int64_t> durations; // picoseconds
    std::vector<uint32_t> eventKinds; // index into kinds
    std::vector<uint64_t> argumentReferences;
    std::vector<uint8_t> depths; // nesting depth in the track, from 0; 255 stands for deeper too
    std::vector<uint32_t> parents; // the event that holds this one wholly and began last, or kNoParent

    std::vector<Aggregate> aggregates;

    std::optional<int64_t> startUnixNanoseconds; // wall clock of time 0
    bool isSimulated = false;
    std::shared_ptr<const HloModule> module; // of simulated traces
    std::vector<std::shared_ptr<const HloModule>> modules; // that the events of a profile belong to
    std::shared_ptr<const ArgumentSource> argumentSource; // may be null
    Problems problems;

    size_t eventCount() const { return begins.size(); }
    int64_t begin(EventId id) const { return begins[id.index()]; }
    int64_t duration(EventId id) const { return durations[id.index()]; }
    int64_t end(EventId id) const { return begin(id) + duration(id); }
    const EventKind& kind(EventId id) const { return kinds[eventKinds[id.index()]]; }
    std::vector<Argument> arguments(EventId id) const;
    // The module that EventKind::instruction is an index into; null when it is not at hand.
    const HloModule* moduleOf(const EventKind& kind) const;
    // The track whose range holds the event; O(log tracks).
    TrackId trackOf(EventId id) const;
    // First begin and last end over all tracks; {0, 0} for a trace without events.
    std::pair<int64_t, int64_t> span() const { return m_span; }
    // Innermost event that covers the time (an instant covers itself), invalid when idle; O(log n + depth).
    EventId eventAt(TrackId track, int64_t time) const;
    // The innermost event of the track that holds this one wholly; invalid when there is none.
    EventId parentOf(EventId id) const;
    // Duration less the time covered by direct children; looks at everything nested inside.
    int64_t selfDuration(EventId id) const;

private:
    friend class TraceBuilder;
    std::pair<int64_t, int64_t> m_span{0, 0};
    std::vector<std::pair<uint32_t, uint32_t>> m_trackByEvent; // first event, track; sorted
};

// Collects events in any order and puts them into columns: sorted per track, with nesting depths and parents. Events
// that come track by track and in order, as in most files, are not moved: memory stays at about the final size.
class TraceBuilder {
public:
    TraceBuilder();

    Trace& trace() { return *m_trace; } // for names, planes' arguments, counters, kinds
    PlaneId addPlane(std::string name);
    TrackId addTrack(PlaneId plane, std::string name, int64_t lineId = 0);
    EventKindId addKind(EventKind kind);
    void addEvent(TrackId track, EventKindId kind, int64_t beginPs, int64_t durationPs,
                  uint64_t argumentReference = Trace::kNoArguments);
    // Negative durations become 0 and times beyond Trace::kMaxTime are clamped; both are counted in the trace's
    // problems. Null on cancel.
    std::shared_ptr<const Trace> build(Progress* progress = nullptr) &&;

private:
    // Events that were added one after another to the same track.
    struct Run {
        uint32_t track;
        uint32_t first;
    };
    void placeTracks();
    void sortTrack(const Track& track);

    std::shared_ptr<Trace> m_trace;
    std::vector<Run> m_runs;
    uint64_t m_negativeDurations = 0;
    uint64_t m_clampedTimes = 0;
    uint64_t m_beyondLimit = 0;
};

} // namespace hloscope
