// SPDX-License-Identifier: Apache-2.0
// The parts of the timeline that have no widget.
#include "synthetic_trace.h"
#include "views/common/theme.h"
#include "views/timeline/counter_index.h"
#include "views/timeline/counter_painter.h"
#include "views/timeline/geometry.h"
#include "views/timeline/key_motion.h"
#include "views/timeline/label_cache.h"
#include "views/timeline/minimap.h"
#include "views/timeline/row_model.h"
#include "views/timeline/ruler.h"
#include "views/timeline/time_scale.h"

#include <QKeyEvent>
#include <QtTest>

#include <cmath>

using namespace hloscope;
using namespace hloscope::synthetic;

class TestTimelineParts : public QObject {
    Q_OBJECT

private slots:
    void zoomKeepsItsAnchor()
    {
        const TimeWindow window{100, 500};
        // 200 lies a quarter in; half the span around it is 150 .. 350.
        QCOMPARE(zoomed(window, 200, 2), (TimeWindow{150, 350}));
        QCOMPARE(zoomed(window, 200, 0.5), (TimeWindow{0, 800}));
        QCOMPARE(zoomed(window, 200, 0), window);
    }

    void clampMovesBeforeItCuts_data()
    {
        QTest::addColumn<double>("begin");
        QTest::addColumn<double>("end");
        QTest::addColumn<double>("wantedBegin");
        QTest::addColumn<double>("wantedEnd");
        QTest::newRow("inside") << 2e6 << 3e6 << 2e6 << 3e6;
        QTest::newRow("left of the trace") << -1e6 << 1e6 << 0.0 << 2e6;
        QTest::newRow("right of the trace") << 9e6 << 11e6 << 8e6 << 10e6;
        QTest::newRow("wider than the trace") << -5e6 << 20e6 << 0.0 << 10e6;
        QTest::newRow("narrower than a nanosecond") << 5e6 << 5e6 << 5e6 - 500 << 5e6 + 500;
    }
    void clampMovesBeforeItCuts()
    {
        QFETCH(double, begin);
        QFETCH(double, end);
        QFETCH(double, wantedBegin);
        QFETCH(double, wantedEnd);
        QCOMPARE(clamped({begin, end}, 10e6), (TimeWindow{wantedBegin, wantedEnd}));
    }

    void animationKeepsTheAnchor()
    {
        const TimeWindow from{0, 1e9};
        const double anchor = 3e8; // 30 % of the way
        const TimeWindow to = zoomed(from, anchor, 1000);
        QCOMPARE(interpolated(from, to, 0), from);
        QCOMPARE(interpolated(from, to, 1), to);
        double last = from.span();
        for (double at = 0.1; at < 1; at += 0.1) {
            const TimeWindow window = interpolated(from, to, at);
            QVERIFY(std::abs((anchor - window.begin) / window.span() - 0.3) < 1e-6);
            QVERIFY(window.span() < last);
            // The same ratio in every step: 1000^0.1.
            QVERIFY(std::abs(last / window.span() - std::pow(1000, 0.1)) < 1e-6);
            last = window.span();
        }
        // Between equal spans it is a pan at constant speed.
        QCOMPARE(interpolated({0, 100}, {50, 150}, 0.5), (TimeWindow{25, 125}));
        QCOMPARE(easeOutCubic(0.5), 0.875);
    }

    void scaleKeepsPicosecondsInLateTraces()
    {
        const int64_t origin = int64_t(1) << 60; // 13 days
        const TimeScale scale(origin, {1000, 2000}, 10, 1000);
        QCOMPARE(scale.xOf(origin + 1001), 11.0);
        QCOMPARE(scale.timeAt(11), origin + 1001);
    }

    void ruler_data()
    {
        QTest::addColumn<qint64>("origin");
        QTest::addColumn<double>("begin");
        QTest::addColumn<double>("span");
        QTest::addColumn<qint64>("step");
        QTest::addColumn<QString>("base");
        QTest::addColumn<QStringList>("labels");
        // 1000 px, at least 110 px from label to label.
        QTest::newRow("609 ms") << qint64(0) << 0.0 << 609.4e9 << qint64(100'000'000'000) << QString()
                                << QStringList{"0 ms", "100 ms", "200 ms", "300 ms", "400 ms", "500 ms", "600 ms"};
        QTest::newRow("52 ms in") << qint64(0) << 68e9 << 56e9 << qint64(10'000'000'000) << QString()
                                  << QStringList{"70 ms", "80 ms", "90 ms", "100 ms", "110 ms", "120 ms"};
        QTest::newRow("a few seconds") << qint64(0) << 0.0 << 2e12 << qint64(500'000'000'000) << QString()
                                       << QStringList{"0.0 s", "0.5 s", "1.0 s", "1.5 s", "2.0 s"};
        QTest::newRow("3 us at 300 ms") << qint64(0) << 300.0000e9 << 3e6 << qint64(500'000) << QStringLiteral("300 ms")
                                        << QStringList{"+0.0 \u00b5s", "+0.5 \u00b5s", "+1.0 \u00b5s", "+1.5 \u00b5s",
                                                       "+2.0 \u00b5s", "+2.5 \u00b5s", "+3.0 \u00b5s"};
        QTest::newRow("before time 0") << qint64(-2'000'000) << 0.0 << 4e6 << qint64(500'000) << QString()
                                       << QStringList{"-2.0 \u00b5s", "-1.5 \u00b5s", "-1.0 \u00b5s",
                                                      "-0.5 \u00b5s", "0.0 \u00b5s",  "0.5 \u00b5s",
                                                      "1.0 \u00b5s",  "1.5 \u00b5s",  "2.0 \u00b5s"};
    }
    void ruler()
    {
        QFETCH(qint64, origin);
        QFETCH(double, begin);
        QFETCH(double, span);
        QFETCH(qint64, step);
        QFETCH(QString, base);
        QFETCH(QStringList, labels);
        const TimeScale scale(origin, {begin, begin + span}, 0, 1000);
        const Ruler ruler = layoutRuler(scale, 110);
        QCOMPARE(ruler.step, step);
        QCOMPARE(ruler.base, base);
        QStringList found;
        double last = -1e9;
        for (const RulerTick& tick : ruler.ticks) {
            if (!tick.isMajor())
                continue;
            found << tick.label;
            QVERIFY2(tick.x - last >= 110 - 1e-6, qPrintable(tick.label));
            last = tick.x;
        }
        QCOMPARE(found, labels);
    }

    void rulerNeverMissesALabel()
    {
        for (double span = kMinWindowSpan; span < 1e16; span *= 1.7) {
            for (const double begin : {0.0, 1e9, 123456789012.0}) {
                const Ruler ruler = layoutRuler(TimeScale(0, {begin, begin + span}, 168, 900), 110);
                QVERIFY(std::ranges::count_if(ruler.ticks, &RulerTick::isMajor) >= 3);
                QVERIFY(ruler.ticks.size() < 200);
            }
        }
    }

    void exactTimesKeepEveryDigit()
    {
        QCOMPARE(formatExactTime(304'700'020'000), QStringLiteral("304.70002 ms"));
        QCOMPARE(formatExactTime(0), QStringLiteral("0 ps"));
        QCOMPARE(formatExactTime(2'000'000'000'000), QStringLiteral("2 s"));
    }

    void rowsFollowThePlanes()
    {
        const Example example = makeExample(true);
        RowModel rows;
        rows.setMetrics(TimelineMetrics());
        rows.setTrace(example.trace);
        // Devices stand before hosts, whatever the file says.
        QCOMPARE(rows.groups().size(), size_t(2));
        QCOMPARE(rows.groups()[0].name, QStringLiteral("/device:TPU:0"));
        QCOMPARE(rows.rows().size(), size_t(1 + 3 + 1 + 1 + kThreads));

        const TimelineRow& modules = *rows.rowOf(example.modules);
        QCOMPARE(modules.y, 24.0);
        QCOMPARE(modules.height, 20.0);
        QVERIFY(modules.style == TrackStyle::Scopes);
        const TimelineRow& ops = *rows.rowOf(example.ops);
        QCOMPARE(ops.depth, 2);
        QCOMPARE(ops.y, 44.0);
        QCOMPARE(ops.height, 2 * 22.0 + 2);
        QCOMPARE(ops.note, QStringLiteral("1007"));
        QCOMPARE(ops.levelAt(ops.y + 21), 0);
        QCOMPARE(ops.levelAt(ops.y + 23), 1);
        QCOMPARE(ops.blockTop(1), ops.y + 22 + 1);
        const TimelineRow& collectives = *rows.rowOf(example.collectives);
        QVERIFY(collectives.style == TrackStyle::NoTime);
        QCOMPARE(collectives.note, QStringLiteral("no time"));
        const TimelineRow& thread = *rows.rowOf(example.threads[0]);
        QCOMPARE(thread.height, 30.0);
        QCOMPARE(rows.rowAt(thread.y + 29.9), &thread);
        QVERIFY(rows.rowAt(-1) == nullptr);
        QVERIFY(rows.rowAt(rows.height()) == nullptr);

        const double before = rows.height();
        rows.setCollapsed(1, true);
        QCOMPARE(rows.height(), before - kThreads * 30);
        QVERIFY(rows.rowOf(example.threads[0]) == nullptr);
        QCOMPARE(rows.groupOf(example.threads[0]), size_t(1));
        const auto [first, last] = rows.rowsBetween(24, 44);
        QCOMPARE(first, size_t(1));
        QCOMPARE(last, size_t(2));
    }

    void rowsGrowWithTheText()
    {
        RowModel rows;
        rows.setMetrics(TimelineMetrics::scaledBy(150));
        rows.setTrace(makeExample().trace);
        QCOMPARE(rows.rows()[0].height, 36.0);
        QCOMPARE(rows.rows().back().height, 45.0);
    }

    void counterSpansHoldTheirExtremes()
    {
        std::mt19937 random(7);
        Counter counter;
        int64_t time = -5000;
        for (int i = 0; i < 5000; ++i) {
            counter.times.push_back(time += static_cast<int64_t>(random() % 40));
            counter.values.push_back(static_cast<double>(random() % 1000));
        }
        counter.values[100] = std::nan("");
        const CounterIndex index(counter);
        QCOMPARE(index.most(), *std::ranges::max_element(counter.values, [](double a, double b) {
                     return (a < b) || std::isnan(a);
                 }));
        const auto valueOf = [&](size_t i) { return std::isfinite(counter.values[i]) ? counter.values[i] : 0.0; };
        for (const int64_t step : {int64_t(1), int64_t(37), int64_t(1000), int64_t(1) << 40}) {
            std::vector<CounterSpan> spans;
            index.query(counter, counter.times.front(), counter.times.back() + 1, step, spans);
            size_t at = 0;
            for (const CounterSpan& span : spans) {
                QCOMPARE(span.time, counter.times[at]);
                const auto bucketOf = [step](int64_t t) { return t >= 0 ? t / step : -((-t + step - 1) / step); };
                double least = valueOf(at);
                double most = valueOf(at);
                const size_t first = at;
                for (; at < counter.times.size() && bucketOf(counter.times[at]) == bucketOf(span.time); ++at) {
                    least = std::min(least, valueOf(at));
                    most = std::max(most, valueOf(at));
                }
                QCOMPARE(span.first, valueOf(first));
                QCOMPARE(span.last, valueOf(at - 1));
                QCOMPARE(span.least, least);
                QCOMPARE(span.most, most);
            }
            QCOMPARE(at, counter.times.size());
        }
        QCOMPARE(CounterIndex::valueAt(counter, counter.times.front() - 1), 0.0);
    }

    void counterAxis_data()
    {
        QTest::addColumn<int>("unit");
        QTest::addColumn<double>("most");
        QTest::addColumn<double>("limit");
        QTest::addColumn<QString>("axisUnit");
        QTest::addColumn<QStringList>("ticks");
        QTest::addColumn<bool>("showsLimit");
        const double gib = 1024.0 * 1024 * 1024;
        const auto unit = [](Counter::Unit u) { return static_cast<int>(u); };
        QTest::newRow("HBM far below its capacity")
            << unit(Counter::Unit::Bytes) << 2.13 * gib << 8 * gib << "GiB" << QStringList{"0", "1", "2"} << false;
        QTest::newRow("HBM near its capacity")
            << unit(Counter::Unit::Bytes) << 7.5 * gib << 8 * gib << "GiB" << QStringList{"0", "8"} << true;
        QTest::newRow("rate below its limit")
            << unit(Counter::Unit::BytesPerSecond) << 1.3e11 << 3.5e11 << "GB/s" << QStringList{"0", "350"} << true;
        QTest::newRow("rate far below") << unit(Counter::Unit::FlopsPerSecond) << 3e12 << 9e14 << "TFLOP/s"
                                        << QStringList{"0", "2"} << false;
        QTest::newRow("share") << unit(Counter::Unit::Fraction) << 0.4 << 0.0 << "%" << QStringList{"0", "100"}
                               << false;
        QTest::newRow("nothing") << unit(Counter::Unit::None) << 0.0 << 0.0 << "" << QStringList{"0", "1"} << false;
    }
    void counterAxis()
    {
        QFETCH(int, unit);
        QFETCH(double, most);
        QFETCH(double, limit);
        QFETCH(QString, axisUnit);
        QFETCH(QStringList, ticks);
        QFETCH(bool, showsLimit);
        Counter counter;
        counter.unit = static_cast<Counter::Unit>(unit);
        if (limit > 0)
            counter.limit = limit;
        const CounterAxis axis = CounterAxis::of(counter, most, true);
        QStringList found;
        for (const CounterAxis::Tick& tick : axis.ticks)
            found << tick.label;
        QCOMPARE(found, ticks);
        QCOMPARE(axis.unit, axisUnit);
        QCOMPARE(axis.limit.has_value(), showsLimit);
        QVERIFY(axis.most >= most);
        const QRectF plot(0, 100, 10, 60);
        QVERIFY(counterY(axis, plot, axis.most) > plot.top());
        QVERIFY(counterY(axis, plot, 0) < plot.bottom());
    }

    void minimapIsExact_data()
    {
        QTest::addColumn<uint>("seed");
        QTest::addColumn<int>("columns");
        QTest::addColumn<qint64>("span");
        for (uint seed = 1; seed <= 6; ++seed) {
            for (const int columns : {1, 7, 1000})
                QTest::addRow("seed %u, %d columns", seed, columns) << seed << columns << (qint64(1) << 27);
        }
        for (uint seed = 1; seed <= 6; ++seed) {
            for (const int columns : {1, 7, 1000}) {
                QTest::addRow("short, seed %u, %d columns", seed, columns) << seed << columns << qint64(100);
            }
        }
    }
    // Every column against a loop over all events, picosecond by picosecond where events begin and end.
    void minimapIsExact()
    {
        QFETCH(uint, seed);
        QFETCH(int, columns);
        QFETCH(qint64, span);
        const auto trace = makeRandom(seed, 3, 60, span);
        std::vector<TrackId> tracks{TrackId(0), TrackId(1), TrackId(2)};
        const Minimap map = buildMinimap(*trace, tracks, static_cast<size_t>(columns));
        QCOMPARE(map.columns.size(), static_cast<size_t>(columns));
        std::vector<int64_t> edges;
        for (size_t i = 0; i < trace->eventCount(); ++i)
            edges.insert(edges.end(), {trace->begin(EventId(i)), trace->end(EventId(i))});
        for (size_t c = 0; c <= map.columns.size(); ++c)
            edges.push_back(map.columnBegin(c));
        std::ranges::sort(edges);
        std::vector<Minimap::Column> expected(map.columns.size());
        for (const TrackId track : tracks) {
            std::vector<int64_t> busy(map.columns.size());
            size_t column = 0;
            for (size_t i = 1; i < edges.size(); ++i) {
                const int64_t length = edges[i] - edges[i - 1];
                if (length == 0)
                    continue;
                while (map.columnBegin(column + 1) <= edges[i - 1])
                    ++column;
                // The event that began last of those that cover this piece.
                EventId innermost;
                const IndexRange range = trace->tracks[track.index()].events;
                for (uint32_t e = range.begin; e < range.end(); ++e) {
                    if (trace->begins[e] <= edges[i - 1] && trace->end(EventId(e)) >= edges[i])
                        innermost = EventId(e);
                }
                if (!innermost.isValid())
                    continue;
                busy[column] += length;
                expected[column].time[static_cast<size_t>(trace->kind(innermost).category)] += length;
            }
            for (size_t c = 0; c < busy.size(); ++c)
                expected[c].busy = std::max(expected[c].busy, busy[c]);
        }
        for (size_t c = 0; c < expected.size(); ++c) {
            QCOMPARE(map.columns[c].busy, expected[c].busy);
            QCOMPARE(map.columns[c].time, expected[c].time);
        }
    }

    void marksAreHitAtTheirPixels()
    {
        const Example example = makeExample();
        TraceIndex index(example.trace);
        const TimeScale scale(0, {0, 100.0 * kMs}, 0, 1000); // 10 px per ms
        const auto strip = buildStrip(index, {example.ops, {}, 0}, 0, 100 * kMs, scale.picosecondsPerPixel());
        const auto hit = [&](double x) {
            const LevelOfDetail::Mark* mark = markAt(*strip, scale, x);
            return mark == nullptr ? QString() : QString::fromStdString(example.trace->kind(mark->event).name);
        };
        QCOMPARE(hit(50), QStringLiteral("fusion.1"));
        QCOMPARE(hit(100.5), QStringLiteral("copy.2"));
        QCOMPARE(hit(119), QStringLiteral("copy.2"));
        QCOMPARE(hit(121.5), QStringLiteral("copy.2")); // 1.5 px beside it
        QCOMPARE(hit(150), QString());
        QCOMPARE(hit(500), QStringLiteral("while.4"));
        // The thousand events of 0.01 px are one mark, cut at no multiple of 40 px (900 to 920).
        const LevelOfDetail::Mark* run = markAt(*strip, scale, 910);
        QVERIFY(run != nullptr);
        QVERIFY(run->isRun());
        QCOMPARE(run->busyByCategory[static_cast<size_t>(OpCategory::Reduce)], run->busy);
    }

    void labels()
    {
        LabelCache cache(ThemeManager::instance().uiFont(11.5));
        const auto elided = [&](const QString& text, double share) {
            return cache.elided({text, cache.width(text)}, cache.width(text) * share);
        };
        QCOMPARE(elided("fusion.1838", 1), QStringLiteral("fusion.1838"));
        QVERIFY(elided("fusion.1838", 0.9).startsWith("fus"));
        QVERIFY(elided("fusion.1838", 0.9).endsWith(QStringLiteral("\u20261838")));
        QCOMPARE(elided("convolution_bitcast_fusion.42", 0.2).right(3), QStringLiteral("\u202642"));
        QCOMPARE(elided("fusion.1838", 0.1), QString());
        QCOMPARE(elided("q_projection", 0.4).right(1), QStringLiteral("\u2026"));
        QCOMPARE(elided("tf_XLAEigen/-1897682833189894271", 0.5).right(5), QStringLiteral("\u20264271"));
        for (double share = 0.05; share < 1; share += 0.05) {
            const QString text = elided("convolution_bitcast_fusion.42", share);
            QVERIFY(cache.width(text) <= cache.width(u"convolution_bitcast_fusion.42") * share + 1e-6);
        }
        EventKind kind;
        kind.name = "%fusion.3 = f32[8,128]{1,0} fusion(f32[8]{0} %p), kind=kLoop";
        QCOMPARE(shortLabel(kind), QStringLiteral("fusion.3"));
        kind.displayName = "short";
        QCOMPARE(shortLabel(kind), QStringLiteral("short"));
    }

    void keysByPlace_data()
    {
        QTest::addColumn<int>("key");
        QTest::addColumn<quint32>("scanCode");
        QTest::addColumn<int>("modifiers");
        QTest::addColumn<int>("motion");
        const auto m = [](Motion motion) { return static_cast<int>(motion); };
        QTest::newRow("W") << int(Qt::Key_W) << 25u << 0 << m(Motion::ZoomIn);
        QTest::newRow("AZERTY: Z where W is") << int(Qt::Key_Z) << 25u << 0 << m(Motion::ZoomIn);
        QTest::newRow("AZERTY: W where Z is") << int(Qt::Key_W) << 52u << 0 << m(Motion::None);
        QTest::newRow("Dvorak: O where S is") << int(Qt::Key_O) << 39u << 0 << m(Motion::ZoomOut);
        QTest::newRow("A without a scan code") << int(Qt::Key_A) << 0u << 0 << m(Motion::PanLeft);
        QTest::newRow("D") << int(Qt::Key_D) << 40u << 0 << m(Motion::PanRight);
        QTest::newRow("Ctrl+W closes a tab") << int(Qt::Key_W) << 25u << int(Qt::ControlModifier) << m(Motion::None);
        QTest::newRow("Shift+D") << int(Qt::Key_D) << 40u << int(Qt::ShiftModifier) << m(Motion::PanRight);
        QTest::newRow("Left") << int(Qt::Key_Left) << 113u << 0 << m(Motion::PanLeft);
        QTest::newRow("Down") << int(Qt::Key_Down) << 116u << 0 << m(Motion::ScrollDown);
        QTest::newRow("X") << int(Qt::Key_X) << 53u << 0 << m(Motion::None);
    }
    void keysByPlace()
    {
#if defined(Q_OS_WIN) || defined(Q_OS_MACOS)
        QSKIP("scan codes of X11 and Wayland");
#endif
        QFETCH(int, key);
        QFETCH(quint32, scanCode);
        QFETCH(int, modifiers);
        QFETCH(int, motion);
        const QKeyEvent event(QEvent::KeyPress, key, Qt::KeyboardModifiers(modifiers), scanCode, 0, 0);
        QCOMPARE(static_cast<int>(motionOf(event)), motion);
    }

    void glideAccelerates()
    {
        QCOMPARE(glideSteps(100, 16), 0.0);
        const double early = glideSteps(300, 16);
        QVERIFY(early > 0);
        QVERIFY(glideSteps(1000, 16) > early);
        QCOMPARE(glideSteps(5000, 16), glideSteps(9000, 16));
    }
};

QTEST_MAIN(TestTimelineParts)
#include "tst_timeline_parts.moc"
