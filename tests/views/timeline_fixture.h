// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "synthetic_trace.h"
#include "views/common/workspace.h"
#include "views/tables/selection_table.h"
#include "views/timeline/timeline_canvas.h"
#include "views/timeline/timeline_view.h"

#include <QtTest>

#include <cmath>

// A timeline on the screen, with helpers that turn times and tracks into positions.
namespace hloscope::synthetic {

class TimelineFixture {
public:
    explicit TimelineFixture(std::shared_ptr<const Trace> trace, QSize size = QSize(1200, 800))
        : selection(workspace), view(workspace, selection)
    {
        view.resize(size);
        view.show();
        selection.selectTrace(std::move(trace));
        view.canvas().setFocus();
        settle();
    }

    bool settle()
    {
        QCoreApplication::processEvents();
        return QTest::qWaitFor([this] { return view.isReady(); }, 20000);
    }

    TimelineController& controller() { return view.controller(); }
    TimelineCanvas& canvas() { return view.canvas(); }
    TimelineLayout layout() { return canvas().timelineLayout(); }
    TimeScale scale() { return controller().scale(layout().left()); }
    int x(int64_t time) { return static_cast<int>(std::lround(scale().xOf(time))); }
    // Middle of a level of a track.
    int y(TrackId track, int level = 0)
    {
        const TimelineRow* row = controller().rows().rowOf(track);
        return static_cast<int>(layout().rows.top() + row->blockTop(level) + row->blockHeight / 2
                                - controller().scroll());
    }
    QPoint at(TrackId track, int64_t time, int level = 0) { return {x(time), y(track, level)}; }

    void click(const QPoint& point) { QTest::mouseClick(&canvas(), Qt::LeftButton, {}, point); }
    void drag(const QPoint& from, const QPoint& to, Qt::MouseButton button = Qt::LeftButton)
    {
        QTest::mousePress(&canvas(), button, {}, from);
        // QTest::mouseMove() carries no buttons.
        for (const QPoint& point : {(from + to) / 2, to}) {
            QMouseEvent move(QEvent::MouseMove, point, canvas().mapToGlobal(point), Qt::NoButton, button,
                             Qt::NoModifier);
            QCoreApplication::sendEvent(&canvas(), &move);
        }
        QTest::mouseRelease(&canvas(), button, {}, to);
    }
    void pointAt(const QPoint& point)
    {
        QMouseEvent move(QEvent::MouseMove, point, canvas().mapToGlobal(point), Qt::NoButton, Qt::NoButton,
                         Qt::NoModifier);
        QCoreApplication::sendEvent(&canvas(), &move);
    }
    void wheel(const QPoint& point, int notches, Qt::KeyboardModifiers modifiers = {})
    {
        QWheelEvent event(point, canvas().mapToGlobal(point), QPoint(), QPoint(0, notches * 120), Qt::NoButton,
                          modifiers, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(&canvas(), &event);
    }

    Workspace workspace;
    Selection selection;
    TimelineView view;
};

// Equal within a hundredth of a pixel.
inline bool isSameWindow(const TimeWindow& a, const TimeWindow& b, double width)
{
    const double tolerance = b.span() / width / 100;
    return std::abs(a.begin - b.begin) <= tolerance && std::abs(a.end - b.end) <= tolerance;
}

} // namespace hloscope::synthetic
