// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/trace.h"

#include <QString>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace hloscope {

// Heights of the timeline in pixels; all of them grow with the text.
struct TimelineMetrics {
    double minimap = 44;
    double ruler = 46;
    double flags = 18; // upper part of the ruler, for range and marks
    double header = 168; // width of the row headers
    double group = 24;
    double op = 30; // a track without nesting, and its block
    double opBlock = 26;
    double nested = 22; // one level of a nested track
    double nestedBlock = 20;
    double scope = 20;
    double scopeBlock = 16;
    double counter = 64;
    double tallCounter = 84;

    static TimelineMetrics scaledBy(int textScalePercent);
};

enum class RowKind : uint8_t { Group, Track, Counter };

// How the events of a track are drawn: in the colour of their category, in grey (what holds ops rather than being
// one), or as marks without a length.
enum class TrackStyle : uint8_t { Ops, Scopes, NoTime };

struct TimelineRow {
    RowKind kind = RowKind::Group;
    size_t group = 0; // index into RowModel::groups()
    TrackId track;
    CounterId counter;
    TrackStyle style = TrackStyle::Ops;
    int depth = 1; // levels that are drawn
    double y = 0;
    double height = 0;
    double levelHeight = 0;
    double blockHeight = 0;
    QString name;
    QString note; // count or unit

    double bottom() const { return y + height; }
    double blockTop(int level) const { return y + level * levelHeight + (levelHeight - blockHeight) / 2; }
    // Level under a height inside the row.
    int levelAt(double atY) const;
};

// A plane.
struct TimelineGroup {
    PlaneId plane;
    QString name;
    QString note;
    bool isCollapsed = false;
};

// The rows of a trace from top to bottom: devices before hosts, per plane its header, its tracks and its counters.
// Tracks without events have no row; the group's note counts them. No widget, no pixels wider than a row.
class RowModel {
public:
    void setTrace(std::shared_ptr<const Trace> trace);
    void setMetrics(const TimelineMetrics& metrics);

    const std::vector<TimelineGroup>& groups() const { return m_groups; }
    const std::vector<TimelineRow>& rows() const { return m_rows; }
    double height() const { return m_rows.empty() ? 0 : m_rows.back().bottom(); }
    void setCollapsed(size_t group, bool isCollapsed);

    // Row that holds a height, null above the first and below the last.
    const TimelineRow* rowAt(double y) const;
    // Null when the row is hidden in a collapsed group, or the track has no events.
    const TimelineRow* rowOf(TrackId track) const;
    const TimelineRow* rowOf(CounterId counter) const;
    // The group that a track belongs to; groups().size() when it has no row.
    size_t groupOf(TrackId track) const;
    // First and one past the last row that touch [top, bottom).
    std::pair<size_t, size_t> rowsBetween(double top, double bottom) const;
    // Tracks with events, in the order of their rows, hidden ones too.
    const std::vector<TrackId>& tracksOf(size_t group) const { return m_contents[group].tracks; }
    TrackStyle styleOf(TrackId track) const { return m_styles[track.index()]; }

private:
    struct Content {
        std::vector<TrackId> tracks;
        std::vector<CounterId> counters;
    };
    void collectGroups();
    void layOut();
    void addGroupRows(size_t group);
    TimelineRow trackRow(size_t group, TrackId track) const;
    TimelineRow counterRow(size_t group, CounterId counter) const;

    std::shared_ptr<const Trace> m_trace;
    TimelineMetrics m_metrics;
    std::vector<TimelineGroup> m_groups;
    std::vector<Content> m_contents; // by group
    std::vector<TrackStyle> m_styles; // by track
    std::vector<TimelineRow> m_rows;
    std::vector<uint32_t> m_rowOfTrack; // index into m_rows, or kNoRow
    static constexpr uint32_t kNoRow = UINT32_MAX;
};

} // namespace hloscope
