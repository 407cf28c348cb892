// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/common/selection.h"
#include "views/timeline/geometry_store.h"
#include "views/timeline/row_model.h"
#include "views/timeline/time_scale.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <memory>
#include <optional>
#include <vector>

namespace hloscope {

class Workspace;

// What lies under a point of the rows.
struct TimelineHit {
    const TimelineRow* row = nullptr;
    int level = 0;
    std::optional<LevelOfDetail::Mark> mark; // none between the events, and in groups and counters
};

// What the timeline shows and what the user can do with it: the trace, its rows, the visible window with its
// animation, the selected event and range. Knows no widget; the canvas paints this state and forwards input to it.
// Heights are in pixels from the top of the first row, offsets in picoseconds after the first event.
class TimelineController : public QObject {
    Q_OBJECT

public:
    TimelineController(Workspace& workspace, Selection& selection, QObject* parent = nullptr);

    const std::shared_ptr<const Trace>& trace() const { return m_trace; }
    const Workspace& workspace() const { return m_workspace; }
    const Selection& selection() const { return m_selection; }
    const RowModel& rows() const { return m_rows; }
    GeometryStore& geometry() { return m_geometry; }
    const GeometryStore& geometry() const { return m_geometry; }
    const TimelineMetrics& metrics() const { return m_metrics; }
    void setMetrics(const TimelineMetrics& metrics);

    // The part of the widget that shows rows.
    void setPlotSize(double width, double height);
    double plotWidth() const { return m_plotWidth; }
    double plotHeight() const { return m_plotHeight; }
    TimeScale scale(double left) const { return {origin(), m_window, left, m_plotWidth}; }
    int64_t origin() const { return m_trace ? m_trace->span().first : 0; }
    // Length of what can be shown, at least kMinWindowSpan.
    double limit() const;

    const TimeWindow& window() const { return m_window; } // as it is now
    const TimeWindow& target() const { return m_target; } // when the animation has ended
    void setReducedMotion(bool isReduced) { m_isMotionReduced = isReduced; }
    bool isMotionReduced() const { return m_isMotionReduced; }
    void zoomAt(double offset, double factor, bool isAnimated = true);
    void panBy(double windows, bool isAnimated = true); // in window widths
    void show(const TimeWindow& window, bool isAnimated = true);
    void showAll() { show({0, limit()}); }
    // Brings the selected event, or the range, to the middle; the second time in a row it fills the window.
    void focusSelection();
    void zoomToTimes(int64_t begin, int64_t end);

    double scroll() const { return m_scroll; }
    double maxScroll() const;
    void setScroll(double y);
    void toggleGroup(size_t group);

    TimelineHit hitAt(double x, double y, double left) const;
    EventId selectedEvent() const;
    TrackId selectedTrack() const;
    void selectEvent(EventId event);
    void clearEvent();
    // The next (1) or previous (-1) event of the same track and depth; without a selection the first that is visible.
    void stepEvent(int direction);
    void reveal(EventId event);

    const std::optional<TimeRange>& range() const { return m_range; }
    // Tracks that the range is about; empty means all that hold ops.
    const std::vector<TrackId>& rangeTracks() const { return m_rangeTracks; }
    // The tracks that are summed: those of the range, or all that hold ops.
    std::vector<TrackId> summedTracks() const;
    void setRange(std::optional<TimeRange> range, std::vector<TrackId> tracks = {});
    // Tracks of the rows between two heights. Rows that only hold ops are left out where ops are there too, so that no
    // time counts twice.
    std::vector<TrackId> tracksBetween(double top, double bottom) const;
    // Esc: the range first, then the event. False when there was neither.
    bool clearStep();

    // Everything that is needed to draw the target window.
    GeometryRequest geometryRequest() const;
    // The tracks that the minimap shows: those of the devices where there are any.
    std::vector<TrackId> minimapTracks() const;
    // The scopes that the minimap shows as a thin line: layers, else steps, scopes or modules; invalid when there are
    // none.
    TrackId scopeTrack() const { return m_scopeTrack; }
    void requestGeometry();
    // The same without waiting for the worker, for pictures that are made without an event loop.
    void buildGeometryNow();

signals:
    void traceChanged();
    void rowsChanged();
    void viewChanged(); // window or scroll position
    void eventChanged();
    void rangeChanged();

private:
    void followSelection();
    void setTrace(std::shared_ptr<const Trace> trace);
    void animate();
    TrackId findScopeTrack() const;
    void revealRow(EventId event);
    std::optional<std::pair<double, double>> focusedTimes() const;

    struct SavedView {
        std::weak_ptr<const Trace> trace;
        TimeWindow window;
        double scroll;
        std::vector<bool> collapsed;
    };
    void saveView();
    void restoreView();

    Workspace& m_workspace;
    Selection& m_selection;
    std::shared_ptr<const Trace> m_trace;
    TimelineMetrics m_metrics;
    RowModel m_rows;
    GeometryStore m_geometry;
    double m_plotWidth = 0;
    double m_plotHeight = 0;
    double m_scroll = 0;

    TimeWindow m_window;
    TimeWindow m_from;
    TimeWindow m_target;
    QTimer m_timer;
    QElapsedTimer m_clock;
    bool m_isMotionReduced = false;

    TrackId m_scopeTrack;
    EventId m_event;
    bool m_isOwnSelection = false; // set while the selection changes because of a click here
    std::optional<TimeRange> m_range;
    std::vector<TrackId> m_rangeTracks;
    std::vector<SavedView> m_savedViews;
};

} // namespace hloscope
