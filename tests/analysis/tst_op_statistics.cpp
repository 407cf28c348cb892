// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/op_statistics.h"

#include "core/formats/xspace_reader.h"
#include "tests/test_data.h"
#include "tests/trace/random_trace.h"

#include <QtTest>

#include <algorithm>
#include <map>
#include <random>

using namespace hloscope;
using testdata::TraceShape;

namespace {

const OpStatistics* rowOf(const std::vector<OpStatistics>& rows, const std::string& key)
{
    const auto found =
        std::find_if(rows.begin(), rows.end(), [&key](const OpStatistics& row) { return row.key == key; });
    return found == rows.end() ? nullptr : &*found;
}

// A step [0,100) with a while [10,70) that holds two adds [20,30) and [40,60); on another plane an add [0,7).
std::shared_ptr<const Trace> smallTrace()
{
    TraceBuilder builder;
    const TrackId ops = builder.addTrack(builder.addPlane("/device:TPU:0"), "XLA Ops");
    const TrackId other = builder.addTrack(builder.addPlane("/device:TPU:1"), "XLA Ops");
    const auto kind = [&builder](const char* name, OpCategory category) {
        EventKind added;
        added.name = name;
        added.category = category;
        return builder.addKind(added);
    };
    const EventKindId step = kind("step", OpCategory::Host);
    const EventKindId loop = kind("while", OpCategory::ControlFlow);
    const EventKindId add = kind("add", OpCategory::Pointwise);
    const EventKindId addOfOther = kind("add", OpCategory::Pointwise);
    builder.addEvent(ops, step, 0, 100);
    builder.addEvent(ops, loop, 10, 60);
    builder.addEvent(ops, add, 20, 10);
    builder.addEvent(ops, add, 40, 20);
    builder.addEvent(other, addOfOther, 0, 7);
    return std::move(builder).build();
}

} // namespace

class TestOpStatistics : public QObject {
    Q_OBJECT

private slots:
    void sumsByName()
    {
        const auto rows = statisticsByName(*smallTrace());
        QCOMPARE(rows.size(), size_t(3));
        QCOMPARE(rows[0].key, std::string("step")); // largest total first
        QCOMPARE(rows[0].totalPs, int64_t(100));
        QCOMPARE(rows[0].selfPs, int64_t(40)); // less the while
        QCOMPARE(rows[1].key, std::string("while"));
        QCOMPARE(rows[1].category, OpCategory::ControlFlow);
        QCOMPARE(rows[1].selfPs, int64_t(30)); // less the adds
        QCOMPARE(rows[2].occurrences, uint64_t(3)); // over both planes
        QCOMPARE(rows[2].totalPs, int64_t(37));
        QCOMPARE(rows[2].selfPs, int64_t(37));
    }

    void sumsARange_data()
    {
        QTest::addColumn<qint64>("begin");
        QTest::addColumn<qint64>("end");
        QTest::addColumn<bool>("firstTrackOnly");
        QTest::addColumn<QStringList>("expected"); // name, occurrences, total, self
        QTest::newRow("everything") << qint64(0) << qint64(100) << false
                                    << QStringList{"step 1 100 40", "while 1 60 30", "add 3 37 37"};
        QTest::newRow("one track") << qint64(0) << qint64(100) << true
                                   << QStringList{"step 1 100 40", "while 1 60 30", "add 2 30 30"};
        // [25,50) cuts both adds: 5 + 10; the while has 25 - 15 left, the step nothing.
        QTest::newRow("inside") << qint64(25) << qint64(50) << true
                                << QStringList{"step 1 25 0", "while 1 25 10", "add 2 15 15"};
        QTest::newRow("between the adds")
            << qint64(32) << qint64(38) << true << QStringList{"step 1 6 0", "while 1 6 6"};
        QTest::newRow("after the while") << qint64(70) << qint64(90) << true << QStringList{"step 1 20 20"};
        QTest::newRow("behind everything") << qint64(100) << qint64(900) << false << QStringList{};
        QTest::newRow("empty") << qint64(50) << qint64(50) << false << QStringList{};
    }

    void sumsARange()
    {
        QFETCH(qint64, begin);
        QFETCH(qint64, end);
        QFETCH(bool, firstTrackOnly);
        QFETCH(QStringList, expected);
        const auto trace = smallTrace();
        const std::vector<TrackId> tracks = firstTrackOnly ? std::vector<TrackId>{TrackId(0)} : std::vector<TrackId>{};
        QStringList texts;
        for (const OpStatistics& row : statisticsOfRange(*trace, tracks, begin, end))
            texts << QStringLiteral("%1 %2 %3 %4")
                         .arg(row.key.c_str())
                         .arg(row.occurrences)
                         .arg(row.totalPs)
                         .arg(row.selfPs);
        QCOMPARE(texts, expected);
    }

    void agreesWithTheSumOverEvents_data()
    {
        QTest::addColumn<TraceShape>("shape");
        QTest::newRow("nested") << TraceShape::Nested;
        QTest::newRow("overlapping") << TraceShape::Overlapping;
        QTest::newRow("dense") << TraceShape::Dense;
    }

    // Range by range against the definition: clip each event, subtract the union of its clipped children.
    void agreesWithTheSumOverEvents()
    {
        QFETCH(TraceShape, shape);
        const auto trace = testdata::randomTrace(shape, 300, 11);
        std::mt19937_64 random(5);
        const auto [first, last] = trace->span();
        for (int round = 0; round < 40; ++round) {
            const auto length = static_cast<uint64_t>(last - first + 10);
            int64_t begin = first - 5 + static_cast<int64_t>(random() % length);
            int64_t end = first - 5 + static_cast<int64_t>(random() % length);
            if (begin > end)
                std::swap(begin, end);
            if (round == 0) {
                begin = first;
                end = last + 1;
            }
            std::map<std::string, OpStatistics> expected;
            for (size_t i = 0; i < trace->eventCount(); ++i) {
                const int64_t from = std::max(begin, trace->begins[i]);
                const int64_t to = std::min(end, trace->begins[i] + trace->durations[i]);
                const bool isInstant =
                    trace->durations[i] == 0 && begin <= from && from == trace->begins[i] && from < end;
                if (begin >= end || (from >= to && !isInstant))
                    continue;
                OpStatistics& row = expected[trace->kind(EventId(i)).name];
                ++row.occurrences;
                row.totalPs += to - from;
                int64_t covered = 0;
                int64_t until = from;
                for (size_t k = i + 1; k < trace->eventCount(); ++k) {
                    if (trace->parents[k] != i)
                        continue;
                    const int64_t childFrom = std::max(until, trace->begins[k]);
                    const int64_t childTo = std::min(to, trace->begins[k] + trace->durations[k]);
                    covered += std::max<int64_t>(0, childTo - childFrom);
                    until = std::max(until, childTo);
                }
                row.selfPs += to - from - covered;
            }
            const auto rows = statisticsOfRange(*trace, {TrackId(0)}, begin, end);
            QCOMPARE(rows.size(), expected.size());
            for (const auto& [key, row] : expected) {
                const OpStatistics* actual = rowOf(rows, key);
                QVERIFY(actual != nullptr);
                QCOMPARE(actual->occurrences, row.occurrences);
                QCOMPARE(actual->totalPs, row.totalPs);
                QCOMPARE(actual->selfPs, row.selfPs);
            }
            if (round == 0) {
                const auto all = statisticsByName(*trace);
                QCOMPARE(all.size(), rows.size());
                for (size_t i = 0; i < all.size(); ++i)
                    QCOMPARE(all[i].selfPs, rowOf(rows, all[i].key)->selfPs);
            }
        }
    }

    void addsAggregates()
    {
        TraceBuilder builder;
        const TrackId track = builder.addTrack(builder.addPlane("p"), "t");
        EventKind kind;
        kind.name = "fusion.1";
        const EventKindId id = builder.addKind(kind);
        builder.addEvent(track, id, 0, 10);
        builder.trace().aggregates.push_back({track, id, 12, 3400});
        const auto rows = statisticsByName(*std::move(builder).build());
        QCOMPARE(rows[0].occurrences, uint64_t(13));
        QCOMPARE(rows[0].totalPs, int64_t(3410));
    }

    void doesNotOverflow()
    {
        TraceBuilder builder;
        const TrackId track = builder.addTrack(builder.addPlane("p"), "t");
        const EventKindId kind = builder.addKind({});
        for (int i = 0; i < 20; ++i)
            builder.addEvent(track, kind, 0, std::numeric_limits<int64_t>::max());
        const auto rows = statisticsByName(*std::move(builder).build());
        QCOMPARE(rows[0].totalPs, std::numeric_limits<int64_t>::max());
    }

    // Of every real profile: occurrences and total time as an independent reader counted them.
    void countsRealProfiles_data()
    {
        QTest::addColumn<QString>("profile");
        QTest::addColumn<int>("names");
        QTest::addColumn<qulonglong>("events");
        QTest::addColumn<QString>("name");
        QTest::addColumn<qulonglong>("occurrences");
        QTest::addColumn<qlonglong>("total");
        QTest::newRow("CPU 4") << "profiles/cpu4/plugins/profile/2026_11_29_16_16_20/vm.xplane.pb" << 431 << 46557ull
                               << "ynn_fusion.5" << 80ull << 14881333000ll;
        QTest::newRow("CPU 8") << "profiles/cpu8/plugins/profile/2026_11_29_16_12_06/vm.xplane.pb" << 182 << 22627ull
                               << "Rendezvous" << 640ull << 1665868844000ll;
        QTest::newRow("TPU v6e") << "profiles/third-party/v6e_pallas_matmul/host0.xplane.pb" << 78 << 4208ull
                                 << "MutexLock" << 513ull << 65730000ll;
        QTest::newRow("MI300") << "profiles/third-party/mi300_jax_conv/tw003.xplane.pb" << 95 << 3650ull
                               << "RecordUsage" << 155ull << 58071000ll;
        QTest::newRow("MI355") << "profiles/third-party/mi355_attention/934987a2fc2f.xplane.pb" << 73 << 1992ull
                               << "hipModuleLaunchKernel" << 75ull << 1501916000ll;
    }

    void countsRealProfiles()
    {
        QFETCH(QString, profile);
        QFETCH(int, names);
        QFETCH(qulonglong, events);
        QFETCH(QString, name);
        QFETCH(qulonglong, occurrences);
        QFETCH(qlonglong, total);
        const QString path = testdata::shared(profile);
        if (path.isEmpty())
            QSKIP("the shared folder with real profiles is not here");
        const auto contents = readXSpace(*FileBytes::open(path.toStdString()));
        QVERIFY(contents.hasValue());
        const auto rows = statisticsByName(*contents->trace);
        QCOMPARE(static_cast<int>(rows.size()), names);
        qulonglong sum = 0;
        for (const OpStatistics& row : rows)
            sum += row.occurrences;
        QCOMPARE(sum, events);
        const OpStatistics* row = rowOf(rows, name.toStdString());
        QVERIFY(row != nullptr);
        QCOMPARE(static_cast<qulonglong>(row->occurrences), occurrences);
        QCOMPARE(static_cast<qlonglong>(row->totalPs), total);
    }
};

QTEST_APPLESS_MAIN(TestOpStatistics)
#include "tst_op_statistics.moc"
