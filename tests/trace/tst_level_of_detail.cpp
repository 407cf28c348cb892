// SPDX-License-Identifier: Apache-2.0
#include "core/trace/level_of_detail.h"

#include "tests/trace/random_trace.h"

#include <QtTest>

#include <algorithm>
#include <random>

using namespace hloscope;
using testdata::TraceShape;

namespace {

using Mark = LevelOfDetail::Mark;

int64_t floorDivide(int64_t a, int64_t b)
{
    return a >= 0 ? a / b : -((-a + b - 1) / b);
}

// The definition, event by event: neighbours are drawn together unless one of them is wide, the gap between them is
// wide or a multiple of maxRun lies between their begins.
std::vector<Mark> expectedMarks(const Trace& trace, uint8_t depth, int64_t begin, int64_t end, int64_t minWidth,
                                int64_t maxRun)
{
    std::vector<Mark> marks;
    int64_t lastDuration = 0;
    const auto finish = [&] {
        if (marks.empty())
            return;
        const Mark& mark = marks.back();
        const bool reaches = mark.end > begin || (mark.end == begin && lastDuration == 0);
        if (begin >= end || mark.begin >= end || !reaches)
            marks.pop_back();
    };
    int64_t lastBegin = 0;
    bool any = false;
    for (size_t i = 0; i < trace.eventCount(); ++i) {
        if (trace.depths[i] != depth)
            continue;
        const int64_t from = trace.begins[i];
        const int64_t duration = trace.durations[i];
        const bool isJoined = any && lastDuration < minWidth && duration < minWidth
            && from - (lastBegin + lastDuration) < minWidth
            && floorDivide(lastBegin, maxRun) == floorDivide(from, maxRun);
        if (!isJoined) {
            finish();
            marks.push_back({from, from + duration, 0, EventId(i), 0, {}});
        }
        Mark& mark = marks.back();
        mark.end = from + duration;
        ++mark.count;
        mark.busy += duration;
        mark.busyByCategory[static_cast<size_t>(trace.kind(EventId(i)).category)] += duration;
        lastBegin = from;
        lastDuration = duration;
        any = true;
    }
    finish();
    return marks;
}

bool isSame(const Mark& a, const Mark& b)
{
    return a.begin == b.begin && a.end == b.end && a.count == b.count && a.event == b.event && a.busy == b.busy
        && a.busyByCategory == b.busyByCategory;
}

} // namespace

class TestLevelOfDetail : public QObject {
    Q_OBJECT

private slots:
    void joinsNarrowEvents()
    {
        // Width 10: [0,4) [5,9) [12,15) are close and narrow; [20,40) is wide; [41,42) [43,45) are narrow again; the
        // gap of 15 before [60,61) is wide.
        TraceBuilder builder;
        const TrackId track = builder.addTrack(builder.addPlane("p"), "t");
        EventKind matmul;
        matmul.category = OpCategory::Matmul;
        EventKind copy;
        copy.category = OpCategory::DataMovement;
        const EventKindId kinds[] = {builder.addKind(matmul), builder.addKind(copy)};
        const int64_t spans[][3] = {{0, 4, 0}, {5, 4, 1}, {12, 3, 0}, {20, 20, 0}, {41, 1, 1}, {43, 2, 1}, {60, 1, 0}};
        for (const auto& span : spans)
            builder.addEvent(track, kinds[span[2]], span[0], span[1]);
        const auto trace = std::move(builder).build();
        const LevelOfDetail detail(*trace, track, 0);
        std::vector<Mark> marks;
        detail.query(*trace, 0, 100, 10, 1000, marks);
        QCOMPARE(marks.size(), size_t(4));
        QCOMPARE(marks[0].count, uint32_t(3));
        QVERIFY(marks[0].isRun());
        QCOMPARE(marks[0].begin, int64_t(0));
        QCOMPARE(marks[0].end, int64_t(15));
        QCOMPARE(marks[0].busy, int64_t(11));
        QCOMPARE(marks[0].busyByCategory[static_cast<size_t>(OpCategory::Matmul)], int64_t(7));
        QCOMPARE(marks[0].busyByCategory[static_cast<size_t>(OpCategory::DataMovement)], int64_t(4));
        QVERIFY(!marks[1].isRun());
        QCOMPARE(marks[1].event, EventId(3));
        QCOMPARE(marks[2].count, uint32_t(2));
        QCOMPARE(marks[3].begin, int64_t(60));

        // The same marks whatever the range, and none that it does not touch: 16 lies in a gap.
        marks.clear();
        detail.query(*trace, 14, 17, 10, 1000, marks);
        QCOMPARE(marks.size(), size_t(1));
        QCOMPARE(marks[0].count, uint32_t(3));
        marks.clear();
        detail.query(*trace, 16, 20, 10, 1000, marks);
        QVERIFY(marks.empty());
    }

    void agreesWithTheDefinition_data()
    {
        QTest::addColumn<TraceShape>("shape");
        QTest::addColumn<int>("count");
        for (int seed = 0; seed < 3; ++seed) {
            QTest::addRow("nested %d", seed) << TraceShape::Nested << 3000;
            QTest::addRow("overlapping %d", seed) << TraceShape::Overlapping << 3000;
            QTest::addRow("dense %d", seed) << TraceShape::Dense << 600;
        }
    }

    void agreesWithTheDefinition()
    {
        QFETCH(TraceShape, shape);
        QFETCH(int, count);
        const unsigned seed = qHash(QTest::currentDataTag());
        const auto trace = testdata::randomTrace(shape, static_cast<size_t>(count), seed);
        std::mt19937_64 random(seed + 1);
        const auto [first, last] = trace->span();
        const std::vector<LevelOfDetail> levels = LevelOfDetail::ofTrack(*trace, TrackId(0));
        QCOMPARE(levels.size(), static_cast<size_t>(trace->tracks[0].depth));
        size_t runs = 0;
        for (int i = 0; i < 300; ++i) {
            const auto depth = static_cast<uint8_t>(random() % levels.size());
            const auto length = static_cast<uint64_t>(last - first) + 20;
            int64_t begin = first - 10 + static_cast<int64_t>(random() % length);
            int64_t end = first - 10 + static_cast<int64_t>(random() % length);
            if (begin > end)
                std::swap(begin, end);
            const auto minWidth = static_cast<int64_t>(1 + random() % (random() % 2 == 0 ? 10 : 3000));
            const auto maxRun = static_cast<int64_t>(1 + random() % (random() % 2 == 0 ? 100 : 300000));
            std::vector<Mark> marks;
            levels[depth].query(*trace, begin, end, minWidth, maxRun, marks);
            const std::vector<Mark> expected = expectedMarks(*trace, depth, begin, end, minWidth, maxRun);
            QVERIFY2(std::equal(marks.begin(), marks.end(), expected.begin(), expected.end(), isSame),
                     qPrintable(QStringLiteral("depth %1 [%2, %3) width %4 run %5: %6 marks, expected %7")
                                    .arg(depth)
                                    .arg(begin)
                                    .arg(end)
                                    .arg(minWidth)
                                    .arg(maxRun)
                                    .arg(marks.size())
                                    .arg(expected.size())));
            runs +=
                static_cast<size_t>(std::count_if(marks.begin(), marks.end(), [](const Mark& m) { return m.isRun(); }));
            std::vector<Mark> alone;
            LevelOfDetail(*trace, TrackId(0), depth).query(*trace, begin, end, minWidth, maxRun, alone);
            QVERIFY(std::equal(marks.begin(), marks.end(), alone.begin(), alone.end(), isSame));
        }
        QVERIFY(runs > 100);
    }

    void givesFewMarksForMillionsOfEvents()
    {
        TraceBuilder builder;
        const TrackId track = builder.addTrack(builder.addPlane("p"), "t");
        const EventKindId kind = builder.addKind({});
        constexpr int64_t count = 300000;
        for (int64_t i = 0; i < count; ++i)
            builder.addEvent(track, kind, 10 * i, 7);
        const auto trace = std::move(builder).build();
        const LevelOfDetail detail(*trace, track, 0);
        std::vector<Mark> marks;
        detail.query(*trace, 0, 10 * count, 1000, std::numeric_limits<int64_t>::max(), marks);
        QCOMPARE(marks.size(), size_t(1));
        QCOMPARE(marks[0].count, static_cast<uint32_t>(count));
        QCOMPARE(marks[0].busy, 7 * count);
        marks.clear();
        detail.query(*trace, 0, 10 * count, 1000, 3000, marks);
        QCOMPARE(marks.size(), size_t(10 * count / 3000));
        QVERIFY2(detail.memoryBytes() <= 4 * count, qPrintable(QString::number(detail.memoryBytes())));
    }

    void survivesTheLargestTimes()
    {
        TraceBuilder builder;
        const TrackId track = builder.addTrack(builder.addPlane("p"), "t");
        const EventKindId kind = builder.addKind({});
        const int64_t most = std::numeric_limits<int64_t>::max();
        const int64_t least = std::numeric_limits<int64_t>::min();
        for (const int64_t begin : {least, int64_t(-1), int64_t(0), most})
            builder.addEvent(track, kind, begin, 1);
        for (int i = 0; i < 600; ++i) // nested deeper than depths reach
            builder.addEvent(track, kind, 5 + i, most);
        const auto trace = std::move(builder).build();
        size_t events = 0;
        for (const LevelOfDetail& detail : LevelOfDetail::ofTrack(*trace, track)) {
            std::vector<Mark> marks;
            detail.query(*trace, least, most, 1, most, marks);
            for (const Mark& mark : marks)
                events += mark.count;
        }
        QCOMPARE(events, trace->eventCount());
    }

    void holdsNothing()
    {
        const auto trace = testdata::randomTrace(TraceShape::Dense, 0, 1);
        std::vector<Mark> marks;
        LevelOfDetail().query(*trace, 0, 1, 1, 1, marks);
        LevelOfDetail(*trace, TrackId(0), 0).query(*trace, 0, 1, 1, 1, marks);
        QVERIFY(marks.empty());
        QVERIFY(LevelOfDetail::ofTrack(*trace, TrackId(0)).empty());
    }
};

QTEST_APPLESS_MAIN(TestLevelOfDetail)
#include "tst_level_of_detail.moc"
