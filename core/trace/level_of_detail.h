// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/trace.h"

#include <array>
#include <cstdint>
#include <vector>

namespace hloscope {

// Problem: draw one track of n events into w pixels in a time that depends on w, not on n, without losing work that is
// narrower than a pixel.
//
// Method: the events of one track and depth form a sequence of disjoint spans sorted by time. An event of at least
// `minWidth` is a mark of its own. Narrower ones that follow each other with gaps below `minWidth` are drawn together
// as a run, which is cut where a multiple of `maxRun` passes; so the marks do not depend on where the range begins, and
// a picture does not flicker when it is panned. What ends a run is a large duration or a large gap, and both are looked
// up in a tree of fan-out 16 over max(duration, gap before), where whole subtrees are jumped over. What a run covers,
// in all and per category, is the difference of two prefix sums that are kept for every 32nd event.
//
// Cost: at most 2 marks per `minWidth` and O(log n) per mark, whatever the runs hold; 3 bytes per event, 7 where the
// track has several depths.
class LevelOfDetail {
public:
    // What is drawn as one mark: a single event, or a run of events too narrow to be drawn one by one.
    struct Mark {
        int64_t begin = 0; // picoseconds
        int64_t end = 0;
        uint32_t count = 0; // events in it
        EventId event; // the event, or the first of the run
        int64_t busy = 0; // picoseconds covered by events
        std::array<int64_t, kOpCategoryCount> busyByCategory{}; // sums to busy

        bool isRun() const { return count > 1; }
    };

    LevelOfDetail() = default;
    // Index over the events of `track` at nesting depth `depth`.
    LevelOfDetail(const Trace& trace, TrackId track, uint8_t depth);
    // The same for all depths of a track, in one pass; by depth.
    static std::vector<LevelOfDetail> ofTrack(const Trace& trace, TrackId track);

    // Marks whose span touches [begin, end), in order, appended to `marks`; the first and the last may reach beyond it.
    // An instant at t touches when begin <= t < end; an empty range touches nothing. `minWidth` (at least 1) is the
    // time of the narrowest event that is drawn alone. The events of a run begin between two multiples of `maxRun`, so
    // that it is shorter than maxRun + minWidth.
    void query(const Trace& trace, int64_t begin, int64_t end, int64_t minWidth, int64_t maxRun,
               std::vector<Mark>& marks) const;
    size_t eventCount() const { return m_count; }
    size_t memoryBytes() const;

private:
    using Busy =
        std::array<uint64_t, kOpCategoryCount>; // unsigned: sums of hostile durations may wrap, differences not
    static constexpr size_t kFanOut = 16;
    static constexpr size_t kSumStep = 32;

    void buildTree(const Trace& trace);
    uint32_t event(size_t position) const
    {
        return m_events.empty() ? m_firstEvent + static_cast<uint32_t>(position) : m_events[position];
    }
    int64_t beginAt(const Trace& trace, size_t position) const { return trace.begins[event(position)]; }
    int64_t durationAt(const Trace& trace, size_t position) const { return trace.durations[event(position)]; }
    // Last end up to and with this position.
    int64_t endAt(const Trace& trace, size_t position) const;
    int64_t obstacleAt(const Trace& trace, size_t position) const;
    void addBusy(const Trace& trace, size_t position, Busy& busy) const;

    size_t firstTouching(const Trace& trace, int64_t time) const;
    size_t firstBeginningAt(const Trace& trace, int64_t time, size_t from) const;
    size_t nextObstacle(const Trace& trace, size_t from, size_t to, int64_t width) const;
    size_t previousObstacle(const Trace& trace, size_t from, size_t to, int64_t width) const;
    size_t runBegin(const Trace& trace, size_t position, int64_t minWidth, int64_t maxRun) const;
    size_t runEnd(const Trace& trace, size_t position, int64_t minWidth, int64_t maxRun) const;
    Mark markOf(const Trace& trace, size_t first, size_t last) const;

    size_t m_count = 0;
    uint32_t m_firstEvent = 0; // the events are neighbours, unless m_events says otherwise
    std::vector<uint32_t> m_events; // event ids in time order
    std::vector<int64_t> m_ends; // last end so far, only where events overlap (depth 255)
    std::vector<std::vector<int64_t>> m_obstacles; // m_obstacles[k][i]: largest obstacle of kFanOut^(k+1) events
    std::vector<Busy> m_sums; // m_sums[i]: busy time of the first i * kSumStep events
};

} // namespace hloscope
