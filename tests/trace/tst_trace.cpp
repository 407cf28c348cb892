// SPDX-License-Identifier: Apache-2.0
#include "core/trace/trace.h"

#include "tests/trace/random_trace.h"

#include <QtTest>

#include <algorithm>

using namespace hloscope;
using testdata::TraceShape;

namespace {

struct Span {
    int64_t begin;
    int64_t duration;
};

std::shared_ptr<const Trace> traceOf(const std::vector<Span>& spans)
{
    TraceBuilder builder;
    const TrackId track = builder.addTrack(builder.addPlane("p"), "t");
    const EventKindId kind = builder.addKind({});
    for (const Span& span : spans)
        builder.addEvent(track, kind, span.begin, span.duration);
    return std::move(builder).build();
}

class Echo : public ArgumentSource {
public:
    std::vector<Argument> decode(uint64_t reference) const override
    {
        return {{"reference", std::to_string(reference), static_cast<double>(reference)}};
    }
};

// Everything below is written from the definitions, by looking at all pairs of events.
bool holds(const Trace& trace, size_t outer, size_t inner)
{
    const int64_t outerEnd = trace.begins[outer] + trace.durations[outer];
    const int64_t innerEnd = trace.begins[inner] + trace.durations[inner];
    return trace.begins[outer] <= trace.begins[inner] && outerEnd > trace.begins[inner] && outerEnd >= innerEnd;
}

uint32_t expectedParent(const Trace& trace, size_t event)
{
    for (size_t i = event; i-- > 0;) {
        if (holds(trace, i, event))
            return static_cast<uint32_t>(i);
    }
    return Trace::kNoParent;
}

int64_t expectedSelf(const Trace& trace, size_t event)
{
    int64_t self = 0;
    for (int64_t time = trace.begins[event]; time < trace.begins[event] + trace.durations[event]; ++time) {
        bool covered = false;
        for (size_t i = event + 1; i < trace.eventCount() && !covered; ++i)
            covered =
                trace.parents[i] == event && trace.begins[i] <= time && time < trace.begins[i] + trace.durations[i];
        self += covered ? 0 : 1;
    }
    return self;
}

} // namespace

class TestTrace : public QObject {
    Q_OBJECT

private slots:
    void sortsEventsOfEachTrack()
    {
        TraceBuilder builder;
        const PlaneId plane = builder.addPlane("/device:TPU:0");
        const TrackId first = builder.addTrack(plane, "XLA Ops", 7);
        const TrackId second = builder.addTrack(plane, "Steps", 8);
        const EventKindId kind = builder.addKind({});
        builder.addEvent(second, kind, 100, 5, 1);
        builder.addEvent(first, kind, 40, 2, 2);
        builder.addEvent(first, kind, 10, 3, 3);
        builder.addEvent(second, kind, 0, 10, 4);
        builder.addEvent(first, kind, 10, 30, 5);
        builder.addEvent(first, kind, 10, 3, 6);
        const auto trace = std::move(builder).build();
        QCOMPARE(trace->tracks[0].events, (IndexRange{0, 4}));
        QCOMPARE(trace->tracks[1].events, (IndexRange{4, 2}));
        // By begin, the longer first, in the order they came.
        QCOMPARE(trace->argumentReferences, (std::vector<uint64_t>{5, 3, 6, 2, 4, 1}));
        QCOMPARE(trace->begins, (std::vector<int64_t>{10, 10, 10, 40, 0, 100}));
        QCOMPARE(trace->span(), (std::pair<int64_t, int64_t>(0, 105)));
        QCOMPARE(trace->trackOf(EventId(3)), first);
        QCOMPARE(trace->trackOf(EventId(4)), second);
        QCOMPARE(trace->tracks[0].lineId, int64_t(7));
        QVERIFY(trace->problems.empty());
    }

    void nestsEvents_data()
    {
        QTest::addColumn<std::vector<Span>>("spans");
        QTest::addColumn<std::vector<uint8_t>>("depths");
        QTest::addColumn<std::vector<uint32_t>>("parents");
        QTest::addColumn<bool>("overlaps");
        constexpr uint32_t none = Trace::kNoParent;
        // while [0,100) holds a body [10,60) with an op [20,30); then a call [60,90) that begins where the body ends.
        QTest::newRow("while body") << std::vector<Span>{{0, 100}, {10, 50}, {20, 10}, {60, 30}}
                                    << std::vector<uint8_t>{0, 1, 2, 1} << std::vector<uint32_t>{none, 0, 1, 0}
                                    << false;
        QTest::newRow("same span") << std::vector<Span>{{0, 10}, {0, 10}, {0, 10}} << std::vector<uint8_t>{0, 1, 2}
                                   << std::vector<uint32_t>{none, 0, 1} << false;
        QTest::newRow("instants") << std::vector<Span>{{0, 10}, {0, 0}, {5, 0}, {5, 0}, {10, 0}}
                                  << std::vector<uint8_t>{0, 1, 1, 1, 0} << std::vector<uint32_t>{none, 0, 0, 0, none}
                                  << false;
        // Each event reaches into the next one: two depths are enough, whatever the length of the staircase.
        QTest::newRow("staircase") << std::vector<Span>{{0, 10}, {5, 10}, {10, 10}, {15, 10}, {20, 10}}
                                   << std::vector<uint8_t>{0, 1, 0, 1, 0}
                                   << std::vector<uint32_t>{none, none, none, none, none} << true;
        // [12,14) lies in [5,15) only.
        QTest::newRow("inside the later one")
            << std::vector<Span>{{0, 10}, {5, 10}, {12, 2}} << std::vector<uint8_t>{0, 1, 2}
            << std::vector<uint32_t>{none, none, 1} << true;
        // [10,30) lies in [0,100) but not in [5,20), so it stands beside that one.
        QTest::newRow("beside a sibling")
            << std::vector<Span>{{0, 100}, {5, 15}, {10, 20}, {25, 2}} << std::vector<uint8_t>{0, 1, 2, 3}
            << std::vector<uint32_t>{none, 0, 0, 2} << true;
    }

    void nestsEvents()
    {
        QFETCH(std::vector<Span>, spans);
        QFETCH(std::vector<uint8_t>, depths);
        QFETCH(std::vector<uint32_t>, parents);
        QFETCH(bool, overlaps);
        const auto trace = traceOf(spans);
        QCOMPARE(trace->depths, depths);
        QCOMPARE(trace->parents, parents);
        QCOMPARE(trace->tracks[0].depth, static_cast<uint16_t>(*std::max_element(depths.begin(), depths.end()) + 1));
        QCOMPARE(trace->tracks[0].overlaps, overlaps);
    }

    void nestsAnything_data()
    {
        QTest::addColumn<TraceShape>("shape");
        QTest::addColumn<int>("count");
        for (int seed = 0; seed < 4; ++seed) {
            QTest::addRow("nested %d", seed) << TraceShape::Nested << 400;
            QTest::addRow("overlapping %d", seed) << TraceShape::Overlapping << 300;
            QTest::addRow("dense %d", seed) << TraceShape::Dense << 120;
        }
    }

    void nestsAnything()
    {
        QFETCH(TraceShape, shape);
        QFETCH(int, count);
        const auto trace = testdata::randomTrace(shape, static_cast<size_t>(count), qHash(QTest::currentDataTag()));
        QVERIFY(trace->eventCount() > 100);
        std::vector<int64_t> endOfDepth(256, std::numeric_limits<int64_t>::min());
        for (size_t i = 0; i < trace->eventCount(); ++i) {
            QCOMPARE(trace->parents[i], expectedParent(*trace, i));
            if (trace->parents[i] != Trace::kNoParent)
                QVERIFY(trace->depths[trace->parents[i]] < trace->depths[i]);
            // Events of one depth do not overlap.
            QVERIFY(endOfDepth[trace->depths[i]] <= trace->begins[i]);
            endOfDepth[trace->depths[i]] = trace->begins[i] + trace->durations[i];
        }
        if (shape == TraceShape::Nested)
            QVERIFY(!trace->tracks[0].overlaps);
    }

    void findsTheInnermostEventAtATime_data() { nestsAnything_data(); }

    void findsTheInnermostEventAtATime()
    {
        QFETCH(TraceShape, shape);
        QFETCH(int, count);
        const auto trace = testdata::randomTrace(shape, static_cast<size_t>(count), qHash(QTest::currentDataTag()));
        std::vector<int64_t> times;
        for (size_t i = 0; i < trace->eventCount(); ++i) {
            for (const int64_t delta : {-1, 0, 1}) {
                times.push_back(trace->begins[i] + delta);
                times.push_back(trace->begins[i] + trace->durations[i] + delta);
            }
        }
        for (const int64_t time : times) {
            EventId expected;
            for (size_t i = 0; i < trace->eventCount(); ++i) {
                const bool isInstant = trace->durations[i] == 0 && trace->begins[i] == time;
                if (isInstant || (trace->begins[i] <= time && time < trace->begins[i] + trace->durations[i]))
                    expected = EventId(i); // the last one that began is the innermost
            }
            QCOMPARE(trace->eventAt(TrackId(0), time).index(), expected.index());
        }
    }

    void subtractsChildrenOnce()
    {
        // [0,100) less [10,30) and [20,40), which overlap, less [50,60): 100 - 30 - 10. The op in [10,30) is not its
        // child.
        const auto trace = traceOf({{0, 100}, {10, 20}, {12, 5}, {20, 20}, {50, 10}});
        QCOMPARE(trace->selfDuration(EventId(0)), int64_t(60));
        QCOMPARE(trace->selfDuration(EventId(1)), int64_t(15));
        QCOMPARE(trace->selfDuration(EventId(2)), int64_t(5));
        const auto random = testdata::randomTrace(TraceShape::Dense, 80, 3);
        for (size_t i = 0; i < random->eventCount(); ++i)
            QCOMPARE(random->selfDuration(EventId(i)), expectedSelf(*random, i));
    }

    void keepsDepthsBeyond255()
    {
        std::vector<Span> spans;
        for (int64_t i = 0; i < 1000; ++i)
            spans.push_back({i, 4000 - 2 * i});
        const auto trace = traceOf(spans);
        QCOMPARE(trace->tracks[0].depth, uint16_t(256));
        QCOMPARE(trace->depths[254], uint8_t(254));
        QCOMPARE(trace->depths[255], uint8_t(255));
        QCOMPARE(trace->depths[999], uint8_t(255));
        QCOMPARE(trace->parents[999], uint32_t(998));
        QCOMPARE(trace->eventAt(TrackId(0), 1500).index(), size_t(999));
    }

    void countsImpossibleTimes()
    {
        const int64_t most = std::numeric_limits<int64_t>::max();
        const int64_t least = std::numeric_limits<int64_t>::min();
        const auto trace = traceOf({{5, -3}, {most, most}, {least, most}, {0, most}, {1, 2}});
        QCOMPARE(trace->problems.counts().at("events with a negative duration, shown as instants"), uint64_t(1));
        QCOMPARE(trace->problems.counts().at("events more than 26 days from the start of the session, moved there"),
                 uint64_t(3));
        QCOMPARE(trace->span(), (std::pair<int64_t, int64_t>(-Trace::kMaxTime, Trace::kMaxTime)));
        for (size_t i = 0; i < trace->eventCount(); ++i)
            QVERIFY(trace->durations[i] >= 0 && trace->end(EventId(i)) <= Trace::kMaxTime);
    }

    void decodesArgumentsOnDemand()
    {
        TraceBuilder builder;
        const TrackId track = builder.addTrack(builder.addPlane("p"), "t");
        const EventKindId kind = builder.addKind({});
        builder.addEvent(track, kind, 0, 1, 42);
        builder.addEvent(track, kind, 1, 1);
        builder.trace().argumentSource = std::make_shared<Echo>();
        const auto trace = std::move(builder).build();
        QCOMPARE(trace->arguments(EventId(0)).size(), size_t(1));
        QCOMPARE(trace->arguments(EventId(0))[0].value, std::string("42"));
        QVERIFY(trace->arguments(EventId(1)).empty());
    }

    void holdsNothing()
    {
        TraceBuilder builder;
        builder.addTrack(builder.addPlane("p"), "t");
        const auto trace = std::move(builder).build();
        QCOMPARE(trace->span(), (std::pair<int64_t, int64_t>(0, 0)));
        QCOMPARE(trace->tracks[0].depth, uint16_t(0));
        QVERIFY(!trace->eventAt(TrackId(0), 0).isValid());
    }

    void takesAtMost40BytesAnEvent()
    {
        const auto trace = testdata::randomTrace(TraceShape::Overlapping, 20000, 1);
        const size_t bytes = trace->begins.capacity() * sizeof(int64_t) + trace->durations.capacity() * sizeof(int64_t)
            + trace->eventKinds.capacity() * sizeof(uint32_t) + trace->argumentReferences.capacity() * sizeof(uint64_t)
            + trace->depths.capacity() + trace->parents.capacity() * sizeof(uint32_t);
        QVERIFY2(bytes <= 40 * trace->eventCount(), qPrintable(QString::number(bytes)));
    }

    void canBeCancelled()
    {
        TraceBuilder builder;
        const TrackId track = builder.addTrack(builder.addPlane("p"), "t");
        builder.addEvent(track, builder.addKind({}), 0, 1);
        Progress progress;
        progress.cancel();
        QVERIFY(std::move(builder).build(&progress) == nullptr);
    }
};

QTEST_APPLESS_MAIN(TestTrace)
#include "tst_trace.moc"
