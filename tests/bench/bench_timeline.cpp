// SPDX-License-Identifier: Apache-2.0
// Time per frame of the timeline at 1920 x 1080, for traces of 100 thousand and 10 million events on 40 tracks, nested
// up to 8 deep. A frame is what the GUI thread does for it: moving the window, taking what the worker has made, and
// painting. Counters, in milliseconds of that thread's processor time, so that other programs do not count: p50, p99,
// worst; at the end the ratio between the two sizes.
#include "views/common/theme.h"
#include "views/timeline/timeline_canvas.h"
#include "views/timeline/timeline_view.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QTest>

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <vector>

using namespace hloscope;

namespace {

constexpr int kTracks = 40;
constexpr int kDepth = 8;
constexpr int64_t kSpan = 10'000'000'000'000; // 10 s

class TraceMaker {
public:
    explicit TraceMaker(int64_t events)
    {
        const int64_t perTrack = events / kTracks;
        const PlaneId plane = m_builder.addPlane("/device:TPU:0");
        for (int i = 0; i < 500; ++i) {
            EventKind kind;
            kind.name = "fusion." + std::to_string(i);
            kind.category = static_cast<OpCategory>(i % 9);
            m_kinds.push_back(m_builder.addKind(std::move(kind)));
        }
        for (int t = 0; t < kTracks; ++t) {
            m_track = m_builder.addTrack(plane, "line " + std::to_string(t));
            const int64_t roots = std::max<int64_t>(1, perTrack / 600);
            for (int64_t root = 0; root < roots; ++root)
                add(0, kSpan / roots * root, kSpan / roots * 9 / 10, perTrack / roots);
        }
    }

    std::shared_ptr<const Trace> take() { return std::move(m_builder).build(); }

private:
    // An event with `budget` events in all, its children included.
    void add(int depth, int64_t begin, int64_t length, int64_t budget)
    {
        m_builder.addEvent(m_track, m_kinds[m_random() % m_kinds.size()], begin, length);
        --budget;
        if (budget <= 0)
            return;
        if (depth + 2 == kDepth) {
            for (int64_t i = 0; i < budget; ++i)
                m_builder.addEvent(m_track, m_kinds[m_random() % m_kinds.size()], begin + length / budget * i,
                                   length / budget * 4 / 5 + 1);
            return;
        }
        const int64_t children = std::min<int64_t>(budget, 2 + static_cast<int64_t>(m_random() % 2));
        for (int64_t i = 0; i < children; ++i)
            add(depth + 1, begin + length / children * i, length / children * 19 / 20 + 1, budget / children);
    }

    TraceBuilder m_builder;
    std::vector<EventKindId> m_kinds;
    TrackId m_track;
    std::mt19937 m_random{42};
};

double threadMs()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

struct Frames {
    std::vector<double> milliseconds;

    double at(double share)
    {
        std::ranges::sort(milliseconds);
        return milliseconds[static_cast<size_t>(share * static_cast<double>(milliseconds.size() - 1))];
    }
};

class Stage {
public:
    explicit Stage(int64_t events) : m_selection(m_workspace), m_view(m_workspace, m_selection)
    {
        const std::shared_ptr<const Trace> trace = TraceMaker(events).take();
        m_view.resize(1920, 1080 + 36); // the canvas has 1080
        m_view.show();
        QElapsedTimer timer;
        timer.start();
        m_selection.selectTrace(trace);
        while (!m_view.isReady())
            QCoreApplication::processEvents(QEventLoop::AllEvents, 1);
        m_view.canvas().repaint();
        m_firstPaintMs = static_cast<double>(timer.nsecsElapsed()) / 1e6;
        m_events = trace->eventCount();
    }

    size_t events() const { return m_events; }
    double firstPaintMs() const { return m_firstPaintMs; }

    // One frame: `change` moves the view.
    void frame(Frames& frames, const std::function<void(TimelineController&)>& change)
    {
        QElapsedTimer timer;
        timer.start();
        const double begin = threadMs();
        change(m_view.controller());
        QCoreApplication::sendPostedEvents(nullptr, QEvent::MetaCall); // what the worker has made
        m_view.canvas().repaint();
        frames.milliseconds.push_back(threadMs() - begin);
        // The rest of a 16 ms frame, in which the worker runs.
        QTest::qSleep(static_cast<int>(std::max<qint64>(0, 12 - timer.elapsed())));
    }

    void script(Frames& frames)
    {
        TimelineController& controller = m_view.controller();
        controller.showAll();
        const double limit = controller.limit();
        const double anchor = limit * 0.371;
        for (int i = 0; i < 90; ++i) // from all of it to a microsecond
            frame(frames, [&](TimelineController& c) { c.zoomAt(anchor, 1.2); });
        for (int i = 0; i < 90; ++i)
            frame(frames, [&](TimelineController& c) { c.zoomAt(anchor, 1 / 1.2); });
        controller.show({anchor, anchor + limit / 200});
        for (int i = 0; i < 90; ++i)
            frame(frames, [](TimelineController& c) { c.panBy(0.04); });
        controller.showAll();
        for (int i = 0; i < 90; ++i)
            frame(frames, [i](TimelineController& c) { c.setScroll(c.scroll() + (i < 45 ? 60 : -60)); });
    }

private:
    Workspace m_workspace;
    Selection m_selection;
    TimelineView m_view;
    size_t m_events = 0;
    double m_firstPaintMs = 0;
};

std::map<int64_t, double> g_p99;
std::map<int64_t, double> g_p50;

void frames(benchmark::State& state)
{
    Stage stage(state.range(0));
    Frames all;
    for ([[maybe_unused]] const auto step : state)
        stage.script(all);
    const double p50 = all.at(0.5);
    g_p50[state.range(0)] = p50;
    g_p99[state.range(0)] = all.at(0.99);
    state.counters["events"] = static_cast<double>(stage.events());
    state.counters["first_ms"] = stage.firstPaintMs();
    state.counters["p50_ms"] = p50;
    state.counters["p99_ms"] = all.at(0.99);
    state.counters["worst_ms"] = all.at(1);
}
BENCHMARK(frames)->Arg(100'000)->Arg(10'000'000)->Iterations(1)->Unit(benchmark::kMillisecond);

} // namespace

int main(int argc, char** argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    ThemeManager::instance().install();
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    if (g_p99.size() == 2) {
        std::printf("ratio of frame times, 10 M to 100 k events: p50 %.2f, p99 %.2f\n",
                    g_p50.rbegin()->second / g_p50.begin()->second, g_p99.rbegin()->second / g_p99.begin()->second);
    }
    return 0;
}
