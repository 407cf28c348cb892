// SPDX-License-Identifier: Apache-2.0
// Keys, mouse and wheel on the real widget; what they change is compared with values computed here.
#include "../test_data.h"
#include "timeline_fixture.h"
#include "views/common/theme.h"
#include "views/tables/selection_table_model.h"
#include "views/timeline/legend.h"

#include <QLineEdit>
#include <QSignalSpy>
#include <QSvgGenerator>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

using namespace hloscope;
using namespace hloscope::synthetic;

#define COMPARE_WINDOW(fixture, wanted)                                                                                \
    QVERIFY2(isSameWindow((fixture).controller().window(), wanted, (fixture).controller().plotWidth()),                \
             qPrintable(QStringLiteral("%1 .. %2")                                                                     \
                            .arg((fixture).controller().window().begin)                                                \
                            .arg((fixture).controller().window().end)))

namespace {

const TimeWindow kWhole{0, 100.0 * kMs};

} // namespace

class TestTimelineView : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { ThemeManager::instance().install(); }

    void emptyStateSaysWhatToOpen()
    {
        Workspace workspace;
        Selection selection(workspace);
        TimelineView view(workspace, selection);
        view.show();
        QVERIFY(view.isReady());
        QVERIFY(view.emptyText().contains(QStringLiteral("xplane.pb")));
        QVERIFY(!view.canvas().isVisible());
        const Example example = makeExample();
        selection.selectTrace(example.trace);
        QVERIFY(view.emptyText().isEmpty());
        QVERIFY(view.canvas().isVisible());
        selection.clear();
        QVERIFY(!view.canvas().isVisible());
    }

    void startsWithTheWholeTrace()
    {
        const Example example = makeExample();
        TimelineFixture f(example.trace);
        COMPARE_WINDOW(f, kWhole);
        QCOMPARE(f.x(0), 168);
        QCOMPARE(f.x(100 * kMs), static_cast<int>(f.layout().rows.right()));
        QVERIFY(f.view.table().isHidden());
        QVERIFY(!f.canvas().accessibleName().isEmpty());
        QVERIFY(!f.canvas().accessibleDescription().isEmpty());
    }

    void saysWhenItIsReady()
    {
        TimelineFixture f(makeExample().trace);
        QSignalSpy ready(&f.view, &View::readyChanged);
        f.controller().show({40.0 * kMs, 41.0 * kMs});
        QVERIFY(!f.view.isReady());
        QTRY_VERIFY(ready.count() > 0);
        QVERIFY(f.view.isReady());
    }

    void keysZoomAtThePointer_data()
    {
        QTest::addColumn<int>("key");
        QTest::addColumn<int>("modifiers");
        QTest::addColumn<double>("factor");
        QTest::newRow("W") << int(Qt::Key_W) << 0 << 1.3;
        QTest::newRow("S") << int(Qt::Key_S) << 0 << 1 / 1.3;
        QTest::newRow("Shift+W") << int(Qt::Key_W) << int(Qt::ShiftModifier) << 1.3 * 1.3 * 1.3;
        QTest::newRow("+") << int(Qt::Key_Plus) << 0 << 1.3;
        QTest::newRow("-") << int(Qt::Key_Minus) << 0 << 1 / 1.3;
    }
    void keysZoomAtThePointer()
    {
        QFETCH(int, key);
        QFETCH(int, modifiers);
        QFETCH(double, factor);
        const Example example = makeExample();
        TimelineFixture f(example.trace);
        const TimeWindow start{40.0 * kMs, 60.0 * kMs};
        f.controller().show(start);
        const QPoint pointer = f.at(example.ops, 45 * kMs);
        f.pointAt(pointer);
        const double anchor = f.scale().offsetAt(pointer.x());
        QTest::keyClick(&f.canvas(), Qt::Key(key), Qt::KeyboardModifiers(modifiers));
        const TimeWindow wanted{anchor - (anchor - start.begin) / factor, anchor + (start.end - anchor) / factor};
        COMPARE_WINDOW(f, wanted);
        QVERIFY(std::abs(f.scale().offsetAt(pointer.x()) - anchor) < 1);
    }

    void keysZoomAtTheMiddleWithoutAPointer()
    {
        TimelineFixture f(makeExample().trace);
        f.controller().show({40.0 * kMs, 60.0 * kMs});
        QTest::keyClick(&f.canvas(), Qt::Key_W);
        COMPARE_WINDOW(f, (TimeWindow{50.0 * kMs - 10.0 * kMs / 1.3, 50.0 * kMs + 10.0 * kMs / 1.3}));
    }

    void zoomingOutStopsAtTheTrace()
    {
        TimelineFixture f(makeExample().trace);
        QTest::keyClick(&f.canvas(), Qt::Key_S);
        COMPARE_WINDOW(f, kWhole);
    }

    void keysPan_data()
    {
        QTest::addColumn<int>("key");
        QTest::addColumn<int>("modifiers");
        QTest::addColumn<double>("windows");
        QTest::newRow("A") << int(Qt::Key_A) << 0 << -0.12;
        QTest::newRow("D") << int(Qt::Key_D) << 0 << 0.12;
        QTest::newRow("Left") << int(Qt::Key_Left) << 0 << -0.12;
        QTest::newRow("Right") << int(Qt::Key_Right) << 0 << 0.12;
        QTest::newRow("Shift+D") << int(Qt::Key_D) << int(Qt::ShiftModifier) << 0.36;
    }
    void keysPan()
    {
        QFETCH(int, key);
        QFETCH(int, modifiers);
        QFETCH(double, windows);
        TimelineFixture f(makeExample().trace);
        f.controller().show({40.0 * kMs, 50.0 * kMs});
        QTest::keyClick(&f.canvas(), Qt::Key(key), Qt::KeyboardModifiers(modifiers));
        const double by = windows * 10 * kMs;
        COMPARE_WINDOW(f, (TimeWindow{40.0 * kMs + by, 50.0 * kMs + by}));
    }

    void aHeldKeyGlidesUntilItIsReleased()
    {
        TimelineFixture f(makeExample().trace);
        f.controller().show({0, 1.0 * kMs});
        QTest::keyPress(&f.canvas(), Qt::Key_D);
        const double afterStep = f.controller().window().begin;
        QVERIFY(std::abs(afterStep - 0.12 * kMs) < 1e3);
        QTRY_VERIFY(f.controller().window().begin > afterStep + 0.1 * kMs);
        QTest::keyRelease(&f.canvas(), Qt::Key_D);
        const double released = f.controller().window().begin;
        QTest::qWait(60);
        QCOMPARE(f.controller().window().begin, released);
    }

    void keysWithCommandModifiersPassBy()
    {
        TimelineFixture f(makeExample().trace);
        QKeyEvent event(QEvent::KeyPress, Qt::Key_W, Qt::ControlModifier);
        event.setAccepted(false);
        QVERIFY(!f.canvas().handleKey(event));
        COMPARE_WINDOW(f, kWhole);
    }

    void textFieldsKeepTheirKeys()
    {
        QWidget window;
        auto* layout = new QVBoxLayout(&window);
        auto* field = new QLineEdit;
        Workspace workspace;
        Selection selection(workspace);
        auto* view = new TimelineView(workspace, selection);
        layout->addWidget(field);
        layout->addWidget(view);
        window.resize(1000, 700);
        window.show();
        selection.selectTrace(makeExample().trace);
        field->setFocus();
        QTest::keyClicks(field, QStringLiteral("was0f."));
        QCOMPARE(field->text(), QStringLiteral("was0f."));
        QCOMPARE(view->controller().window(), kWhole);
    }

    void rowsScroll()
    {
        const Example example = makeExample();
        TimelineFixture f(example.trace);
        const double most = f.controller().rows().height() - f.layout().rows.height();
        QVERIFY(most > 500); // 40 threads do not fit
        QCOMPARE(f.controller().maxScroll(), most);
        QTest::keyClick(&f.canvas(), Qt::Key_Down);
        QCOMPARE(f.controller().scroll(), 60.0);
        f.wheel(f.layout().rows.center().toPoint(), -2);
        QCOMPARE(f.controller().scroll(), 180.0);
        f.wheel(f.layout().rows.center().toPoint(), 1);
        QCOMPARE(f.controller().scroll(), 120.0);
        QTest::keyClick(&f.canvas(), Qt::Key_Up);
        QCOMPARE(f.controller().scroll(), 60.0);
        for (int i = 0; i < 50; ++i)
            f.wheel(f.layout().rows.center().toPoint(), -3);
        QCOMPARE(f.controller().scroll(), most);
        COMPARE_WINDOW(f, kWhole);
        // What is there can be clicked: the last thread runs from 39 to 49 ms.
        f.settle();
        f.click(f.at(example.threads.back(), 44 * kMs));
        QCOMPARE(f.selection.state().event, example.event(example.threads.back(), 0));
    }

    void wheelZoomsAndPans()
    {
        const Example example = makeExample();
        TimelineFixture f(example.trace);
        const QPoint pointer = f.at(example.ops, 30 * kMs);
        const double anchor = f.scale().offsetAt(pointer.x());
        f.wheel(pointer, 2, Qt::ControlModifier);
        const double factor = 1.25 * 1.25;
        const TimeWindow wanted{anchor - anchor / factor, anchor + (100.0 * kMs - anchor) / factor};
        COMPARE_WINDOW(f, wanted);
        f.wheel(pointer, -1, Qt::ShiftModifier);
        const double by = wanted.span() * 0.1;
        COMPARE_WINDOW(f, (TimeWindow{wanted.begin + by, wanted.end + by}));
        QCOMPARE(f.controller().scroll(), 0.0);
    }

    void draggingSelectsARangeAndSumsIt()
    {
        const Example example = makeExample();
        TimelineFixture f(example.trace);
        f.drag(f.at(example.ops, 5 * kMs), f.at(example.ops, 45 * kMs));
        const auto range = f.selection.state().range;
        QVERIFY(range.has_value());
        // A pixel is 0.1 ms.
        QVERIFY(std::abs(range->begin - 5 * kMs) < kMs / 9);
        QVERIFY(std::abs(range->end - 45 * kMs) < kMs / 9);
        QCOMPARE(f.controller().rangeTracks(), std::vector<TrackId>{example.ops});
        QVERIFY(f.settle());
        QVERIFY(f.view.table().isVisible());
        QVERIFY(f.view.rangeText().startsWith(QStringLiteral("Selected ")));

        // By hand: fusion.1 from the begin to 10, copy.2 2 ms, fusion.3 20 ms, while.4 from 40 to the end, in which
        // fusion.5 from 41.
        const SelectionTableModel& model = f.view.table().model();
        struct Wanted {
            const char* name;
            int64_t total;
            int64_t self;
        };
        const int64_t loop = range->end - 40 * kMs;
        const int64_t body = range->end - 41 * kMs;
        const std::vector<Wanted> wanted{{"fusion.3", 20 * kMs, 20 * kMs},
                                         {"fusion.1", 10 * kMs - range->begin, 10 * kMs - range->begin},
                                         {"while.4", loop, loop - body},
                                         {"fusion.5", body, body},
                                         {"copy.2", 2 * kMs, 2 * kMs}};
        QCOMPARE(model.rowCount(), static_cast<int>(wanted.size()));
        for (int i = 0; i < model.rowCount(); ++i) {
            const RangeStatistics::Row& row = model.row(i);
            QCOMPARE(row.label, QString::fromLatin1(wanted[static_cast<size_t>(i)].name));
            QCOMPARE(row.sums.totalPs, wanted[static_cast<size_t>(i)].total);
            QCOMPARE(row.sums.selfPs, wanted[static_cast<size_t>(i)].self);
            QCOMPARE(row.sums.occurrences, uint64_t(1));
        }
        QVERIFY(f.view.table().summary().startsWith(QStringLiteral("5 events in ")));
    }

    void draggingTheRulerSelectsAllTracksWithOps()
    {
        const Example example = makeExample();
        TimelineFixture f(example.trace);
        const int y = static_cast<int>(f.layout().ruler.bottom()) - 5;
        f.drag({f.x(60 * kMs), y}, {f.x(20 * kMs), y});
        QVERIFY(f.controller().rangeTracks().empty());
        QVERIFY(f.settle());
        const RangeStatistics& sums = f.view.table().model().statistics();
        QCOMPARE(sums.tracks.size(), size_t(2 + kThreads)); // all but the modules line
        QCOMPARE(sums.eventsWithoutTime, uint64_t(1)); // the all-gather at 30 ms
        // Threads: n runs from n to n + 10 ms.
        int64_t host = 0;
        for (int n = 0; n < kThreads; ++n)
            host += std::max<int64_t>(
                0, std::min<int64_t>((n + 10) * kMs, sums.endPs) - std::max<int64_t>(n * kMs, sums.beginPs));
        QCOMPARE(sums.rows.front().label, QStringLiteral("work"));
        QCOMPARE(sums.rows.front().sums.totalPs, host);
    }

    void rangeEdgesAreDragged()
    {
        const Example example = makeExample();
        TimelineFixture f(example.trace);
        f.controller().setRange(TimeRange{20 * kMs, 60 * kMs}, {example.ops});
        const int y = f.y(example.threads[0]);
        f.drag({f.x(60 * kMs), y}, {f.x(70 * kMs), y});
        QCOMPARE(f.selection.state().range->begin, 20 * kMs);
        QVERIFY(std::abs(f.selection.state().range->end - 70 * kMs) < kMs / 9);
        QCOMPARE(f.controller().rangeTracks(), std::vector<TrackId>{example.ops});
        // Across the other edge.
        f.drag({f.x(20 * kMs), y}, {f.x(90 * kMs), y});
        QVERIFY(std::abs(f.selection.state().range->begin - 70 * kMs) < kMs / 9);
        QVERIFY(std::abs(f.selection.state().range->end - 90 * kMs) < kMs / 9);
    }

    void clickSelectsTheEventUnderThePointer()
    {
        const Example example = makeExample();
        TimelineFixture f(example.trace);
        f.click(f.at(example.ops, 55 * kMs, 0));
        QCOMPARE(f.selection.state().event, example.named("while.4"));
        f.click(f.at(example.ops, 55 * kMs, 1));
        QCOMPARE(f.selection.state().event, example.named("fusion.5", 1));
        QVERIFY(f.canvas().accessibleDescription().startsWith(
            QStringLiteral("fusion.5, Pointwise, 9.000 ms, starts at 51")));
        COMPARE_WINDOW(f, kWhole);
        f.click(f.at(example.ops, 85 * kMs)); // nothing runs there
        QVERIFY(!f.selection.state().event.isValid());
        QCOMPARE(f.selection.state().trace, example.trace);
    }

    void clickOnARunListsItsEvents()
    {
        const Example example = makeExample();
        TimelineFixture f(example.trace);
        f.click(f.at(example.ops, 91 * kMs));
        QVERIFY(!f.selection.state().event.isValid());
        // Runs are cut at multiples of 40 px; the events stand at 90 ms + 2 n us.
        const int64_t length = std::llround(40 * f.scale().picosecondsPerPixel());
        const int64_t cut = 91 * kMs / length * length;
        const int64_t first = std::max<int64_t>(0, (cut - 90 * kMs + 2 * kUs - 1) / (2 * kUs));
        const int64_t last = std::min<int64_t>(kTinyEvents - 1, (cut + length - 1 - 90 * kMs) / (2 * kUs));
        QCOMPARE(f.selection.state().range->begin, 90 * kMs + 2 * first * kUs);
        QCOMPARE(f.selection.state().range->end, 90 * kMs + (2 * last + 1) * kUs);
        QVERIFY(f.settle());
        QCOMPARE(f.view.table().model().rowCount(), 1);
        QCOMPARE(f.view.table().model().row(0).sums.occurrences, uint64_t(last - first + 1));
        QCOMPARE(f.view.table().model().row(0).sums.totalPs, (last - first + 1) * kUs);
    }

    void doubleClickZoomsToTheEvent()
    {
        const Example example = makeExample();
        TimelineFixture f(example.trace);
        const QPoint point = f.at(example.ops, 30 * kMs);
        QTest::mouseClick(&f.canvas(), Qt::LeftButton, {}, point);
        QTest::mouseDClick(&f.canvas(), Qt::LeftButton, {}, point);
        // 20 ms fill 90 % of the window.
        const double margin = 20.0 * kMs * (1 / 0.9 - 1) / 2;
        COMPARE_WINDOW(f, (TimeWindow{20.0 * kMs - margin, 40.0 * kMs + margin}));
        QCOMPARE(f.selection.state().event, example.named("fusion.3"));
        QVERIFY(!f.selection.state().range);
    }

    void focusThenFitThenAll()
    {
        const Example example = makeExample();
        TimelineFixture f(example.trace);
        f.selection.selectEvent(example.trace, example.named("copy.2"));
        f.controller().showAll();
        QTest::keyClick(&f.canvas(), Qt::Key_F);
        // 2 ms are less than a twentieth of the window: it shrinks to 40 ms around 11 ms, as far as the trace goes.
        COMPARE_WINDOW(f, (TimeWindow{0, 40.0 * kMs}));
        QTest::keyClick(&f.canvas(), Qt::Key_F);
        COMPARE_WINDOW(f, (TimeWindow{11.0 * kMs - kMs / 0.9, 11.0 * kMs + kMs / 0.9}));
        QTest::keyClick(&f.canvas(), Qt::Key_0);
        COMPARE_WINDOW(f, kWhole);
    }

    void focusFitsTheRangeWithoutAnEvent()
    {
        TimelineFixture f(makeExample().trace);
        f.selection.selectRange(TimeRange{40 * kMs, 60 * kMs});
        QTest::keyClick(&f.canvas(), Qt::Key_F); // it is in the middle already
        COMPARE_WINDOW(f, (TimeWindow{50.0 * kMs - 10.0 * kMs / 0.9, 50.0 * kMs + 10.0 * kMs / 0.9}));
    }

    void stepsAlongTheTrack()
    {
        const Example example = makeExample();
        TimelineFixture f(example.trace);
        f.selection.selectEvent(example.trace, example.named("fusion.1"));
        QStringList names;
        for (int i = 0; i < 4; ++i) {
            QTest::keyClick(&f.canvas(), Qt::Key_Period);
            names << QString::fromStdString(example.trace->kind(f.selection.state().event).name);
        }
        QCOMPARE(names, (QStringList{"copy.2", "fusion.3", "while.4", "tiny.7"}));
        // 1 us was not to be seen: now it is, wide enough to be clicked.
        QVERIFY(kUs / f.controller().window().span() * f.controller().plotWidth() >= 3);
        QTest::keyClick(&f.canvas(), Qt::Key_Comma);
        QCOMPARE(f.selection.state().event, example.named("while.4"));
        // On the second level.
        f.selection.selectEvent(example.trace, example.named("fusion.5"));
        QTest::keyClick(&f.canvas(), Qt::Key_Period);
        QCOMPARE(f.selection.state().event, example.named("fusion.5", 1));
        QTest::keyClick(&f.canvas(), Qt::Key_Comma);
        QTest::keyClick(&f.canvas(), Qt::Key_Comma); // there is none before
        QCOMPARE(f.selection.state().event, example.named("fusion.5"));
    }

    void steppingStartsAtTheFirstVisibleOp()
    {
        const Example example = makeExample();
        TimelineFixture f(example.trace);
        f.controller().show({25.0 * kMs, 35.0 * kMs});
        f.settle();
        QTest::keyClick(&f.canvas(), Qt::Key_Period);
        QCOMPARE(f.selection.state().event, example.named("fusion.3"));
    }

    void escapeClearsTheRangeThenTheEvent()
    {
        const Example example = makeExample();
        TimelineFixture f(example.trace);
        f.click(f.at(example.ops, 30 * kMs));
        f.drag(f.at(example.ops, 5 * kMs), f.at(example.ops, 45 * kMs));
        QVERIFY(f.settle());
        QTest::keyClick(&f.canvas(), Qt::Key_Escape);
        QVERIFY(!f.selection.state().range);
        QVERIFY(f.view.table().isHidden());
        QVERIFY(f.selection.state().event.isValid());
        QTest::keyClick(&f.canvas(), Qt::Key_Escape);
        QVERIFY(!f.selection.state().event.isValid());
        QCOMPARE(f.selection.state().trace, example.trace);
    }

    void middleButtonPans()
    {
        const Example example = makeExample();
        TimelineFixture f(example.trace);
        f.controller().show({40.0 * kMs, 50.0 * kMs});
        const QPoint from = f.layout().rows.center().toPoint();
        f.drag(from, from + QPoint(-100, -80), Qt::MiddleButton);
        const double by = 100 * 10.0 * kMs / f.controller().plotWidth();
        COMPARE_WINDOW(f, (TimeWindow{40.0 * kMs + by, 50.0 * kMs + by}));
        QCOMPARE(f.controller().scroll(), 80.0);
        QVERIFY(!f.selection.state().range);
    }

    void minimapMovesAndResizesTheWindow()
    {
        TimelineFixture f(makeExample().trace);
        f.controller().show({40.0 * kMs, 60.0 * kMs});
        const int y = static_cast<int>(f.layout().minimap.center().y());
        const double perMs = f.controller().plotWidth() / 100;
        const auto at = [&](double ms) { return QPoint(static_cast<int>(std::lround(168 + ms * perMs)), y); };
        f.drag(at(50), at(60));
        QVERIFY(std::abs(f.controller().window().begin - 50.0 * kMs) < 0.2 * kMs);
        QVERIFY(std::abs(f.controller().window().span() - 20.0 * kMs) < 1);
        f.drag(at(50), at(30)); // the left handle
        QVERIFY(std::abs(f.controller().window().begin - 30.0 * kMs) < 0.3 * kMs);
        QVERIFY(std::abs(f.controller().window().end - 70.0 * kMs) < 0.2 * kMs);
        f.click(at(90)); // beside it: jumps there
        QVERIFY(std::abs(f.controller().window().end - 100.0 * kMs) < 1);
    }

    void hoverShowsACard()
    {
        const Example example = makeExample();
        TimelineFixture f(example.trace);
        f.pointAt(f.at(example.ops, 55 * kMs, 0));
        QVERIFY(!f.canvas().card().isVisible());
        QTRY_VERIFY_WITH_TIMEOUT(f.canvas().card().isVisible(), 3000);
        const auto rowsOf = [&] {
            QMap<QString, QString> rows;
            for (const auto& [label, value] : f.canvas().card().text().rows)
                rows[label] = value;
            return rows;
        };
        QCOMPARE(f.canvas().card().text().title, QStringLiteral("while.4"));
        QCOMPARE(f.canvas().card().text().duration, QStringLiteral("40.00 ms"));
        // 40 ms less two times 9 and one of 20 inside.
        QTRY_COMPARE(rowsOf().value(QStringLiteral("Self")), QStringLiteral("2.000 ms"));
        QCOMPARE(rowsOf().value(QStringLiteral("Category")), QStringLiteral("Control flow"));
        QCOMPARE(rowsOf().value(QStringLiteral("Starts at")), QStringLiteral("40.00 ms"));
        // From there to the neighbour at once.
        f.pointAt(f.at(example.ops, 30 * kMs, 0));
        QVERIFY(f.canvas().card().isVisible());
        QCOMPARE(f.canvas().card().text().title, QStringLiteral("fusion.3"));
        f.pointAt(f.at(example.ops, 91 * kMs, 0));
        const QString count = QString::number(f.canvas().hover().hit.mark->count);
        QVERIFY(f.canvas().hover().hit.mark->count > 900);
        QCOMPARE(f.canvas().card().text().title, count + QStringLiteral(" events"));
        f.pointAt(f.at(example.ops, 86 * kMs, 0));
        QVERIFY(!f.canvas().card().isVisible());
    }

    void headersCollapseGroups()
    {
        const Example example = makeExample();
        TimelineFixture f(example.trace);
        const double before = f.controller().rows().height();
        const TimelineRow* header = nullptr;
        for (const TimelineRow& row : f.controller().rows().rows()) {
            if (row.kind == RowKind::Group && row.group == 1)
                header = &row;
        }
        const QPoint at(20, static_cast<int>(f.layout().rows.top() + header->y + 12));
        f.click(at);
        QCOMPARE(f.controller().rows().height(), before - kThreads * 30);
        // Selecting an event in it opens it again and scrolls there.
        f.selection.selectEvent(example.trace, example.event(example.threads.back(), 0));
        QCOMPARE(f.controller().rows().height(), before);
        QVERIFY(f.y(example.threads.back()) < f.canvas().height());
        QVERIFY(f.y(example.threads.back()) > f.layout().rows.top());
        // The header stays on top meanwhile.
        f.click({20, static_cast<int>(f.layout().rows.top() + 12)});
        QVERIFY(f.controller().rows().groups()[1].isCollapsed);
    }

    void selectionFromElsewhereIsBroughtIntoView()
    {
        const Example example = makeExample();
        TimelineFixture f(example.trace);
        f.controller().show({0, 5.0 * kMs});
        f.selection.selectEvent(example.trace, example.named("all-reduce.6"));
        // Kept its span, and the event reaches over all of it.
        QVERIFY(std::abs(f.controller().window().span() - 5.0 * kMs) < 1);
        QVERIFY(f.controller().window().begin < 80.0 * kMs && f.controller().window().end > 60.0 * kMs);
        const TimeWindow before = f.controller().window();
        f.selection.selectEvent(example.trace, example.named("while.4"));
        QCOMPARE(f.controller().window(), before); // it is to be seen
    }

    void anotherTraceReplacesThisOneAndComesBackAsItWas()
    {
        const Example one = makeExample();
        const auto two = makeRandom(3, 2, 50, 100 * kUs);
        TimelineFixture f(one.trace);
        f.controller().show({10.0 * kMs, 20.0 * kMs});
        f.selection.selectTrace(two);
        QCOMPARE(f.controller().trace(), two);
        QCOMPARE(f.controller().window().begin, 0.0);
        QVERIFY(f.settle());
        f.selection.goBack();
        QCOMPARE(f.controller().trace(), one.trace);
        COMPARE_WINDOW(f, (TimeWindow{10.0 * kMs, 20.0 * kMs}));
    }

    void tableSelectsTheFirstOfItsEvents()
    {
        const Example example = makeExample();
        TimelineFixture f(example.trace);
        f.drag(f.at(example.ops, 30 * kMs), f.at(example.ops, 58 * kMs));
        QVERIFY(f.settle());
        SelectionTable& table = f.view.table();
        const int row = table.model().rowOf(example.trace->kind(example.named("fusion.5")));
        QVERIFY(row >= 0);
        const QRect cell = table.table().visualRect(table.model().index(row, 0));
        QTest::mouseClick(table.table().viewport(), Qt::LeftButton, {}, cell.center());
        QCOMPARE(f.selection.state().event, example.named("fusion.5", 0));
        QVERIFY(f.selection.state().range.has_value());
        // And the other way round.
        f.click(f.at(example.ops, 35 * kMs));
        QCOMPARE(table.table().currentIndex().row(),
                 table.model().rowOf(example.trace->kind(example.named("fusion.3"))));
    }

    void legendNamesWhatOccurs()
    {
        TimelineFixture f(makeExample().trace);
        QTRY_VERIFY(!f.view.legend().categories().empty());
        // The device line only: threads are of the host.
        QCOMPARE(f.view.legend().categories(),
                 (std::vector<OpCategory>{OpCategory::Matmul, OpCategory::Pointwise, OpCategory::Reduce,
                                          OpCategory::DataMovement, OpCategory::Collective, OpCategory::ControlFlow}));
        QVERIFY(f.view.legend().shownIn(100).size() < 6);
    }

    void animationEndsAtItsTarget()
    {
        TimelineFixture f(makeExample().trace);
        f.view.setReducedMotion(false);
        f.pointAt(f.layout().rows.center().toPoint());
        QSignalSpy moved(&f.controller(), &TimelineController::viewChanged);
        QTest::keyClick(&f.canvas(), Qt::Key_W);
        const TimeWindow target = f.controller().target();
        QCOMPARE(f.controller().window(), kWhole); // not yet
        QTRY_COMPARE(f.controller().window(), target);
        QVERIFY(moved.count() >= 2);
    }

    void exportsWhatItShows()
    {
        const Example example = makeExample(true);
        TimelineFixture f(example.trace);
        QBuffer buffer;
        buffer.open(QIODevice::WriteOnly);
        QSvgGenerator generator;
        generator.setOutputDevice(&buffer);
        generator.setSize(f.view.size());
        QPainter painter(&generator);
        f.view.exportTo(painter);
        painter.end();
        const QByteArray svg = buffer.data();
        for (const char* text : {"fusion.1", "while.4", "XLA Ops", "HBM in use", "100 ms", "Whole step"}) {
            if (!svg.contains(text))
                QVERIFY2(text == QByteArray("100 ms"), text);
        }
        QVERIFY(svg.contains(ThemeManager::instance().theme().fillOf(OpCategory::Matmul).name().toLatin1()));
    }

    void exportsWithoutAWindowOrAnEventLoop()
    {
        const Example example = makeExample();
        Workspace workspace;
        Selection selection(workspace);
        TimelineView view(workspace, selection);
        selection.selectTrace(example.trace);
        view.resize(1168, 600);
        QImage image(1168, 600, QImage::Format_RGB32);
        QPainter painter(&image);
        view.exportTo(painter);
        painter.end();
        // 100 ms are 1000 px less the scroll bar; XLA Ops stand below tool row, minimap, ruler, group and modules.
        const int y = 36 + 44 + 46 + 24 + 20 + 8;
        QCOMPARE(image.pixelColor(168 + 297, y), theme().fillOf(OpCategory::Matmul));
        QCOMPARE(image.pixelColor(168 + 850, y), theme().view);
        // The minimap as well.
        QVERIFY(image.pixelColor(168 + 297, 36 + 22) != theme().panel);
    }

    void aKeyHeldOnTheFitButtonStopsToo()
    {
        TimelineFixture f(makeExample().trace);
        f.controller().show({0, 1.0 * kMs});
        auto* fit = f.view.findChild<QToolButton*>();
        fit->setFocus();
        QTest::keyPress(fit, Qt::Key_D);
        QTRY_VERIFY(f.controller().window().begin > 0.3 * kMs);
        QTest::keyRelease(fit, Qt::Key_D);
        const double released = f.controller().window().begin;
        QTest::qWait(60);
        QCOMPARE(f.controller().window().begin, released);
    }

    void followsTheTheme()
    {
        const Example example = makeExample();
        TimelineFixture f(example.trace);
        for (const Theme::Scheme scheme : {Theme::Scheme::Light, Theme::Scheme::Dark}) {
            ThemeManager::instance().setScheme(scheme);
            const QImage image = f.canvas().grab().toImage();
            QCOMPARE(image.pixelColor(f.at(example.ops, 30 * kMs) + QPoint(0, 8)), theme().fillOf(OpCategory::Matmul));
            QCOMPARE(image.pixelColor(f.at(example.ops, 86 * kMs) + QPoint(0, 8)), theme().view);
            QCOMPARE(image.pixelColor(5, f.y(example.ops) + 20), theme().panel);
        }
    }

    void selectedAndHoveredEventsAreOutlined()
    {
        const Example example = makeExample();
        TimelineFixture f(example.trace);
        const EventId event = example.named("fusion.3");
        f.selection.selectEvent(example.trace, event);
        const QImage image = f.canvas().grab().toImage();
        const int edge = f.x(20 * kMs);
        QCOMPARE(image.pixelColor(edge, f.y(example.ops)), theme().text);
        QVERIFY(image.pixelColor(edge + 5, f.y(example.ops) + 7) == theme().fillOf(OpCategory::Matmul));
    }

    void noPixelWithWorkIsEmpty_data()
    {
        QTest::addColumn<uint>("seed");
        QTest::addColumn<int>("events");
        QTest::addColumn<qint64>("span");
        QTest::addColumn<bool>("isDark");
        for (uint seed = 1; seed <= 8; ++seed) {
            QTest::addRow("sparse %u", seed) << seed << 300 << qint64(20 * kMs) << (seed % 2 == 0);
            QTest::addRow("dense %u", seed) << seed << 4000 << qint64(2 * kMs) << (seed % 2 == 0);
        }
    }
    void noPixelWithWorkIsEmpty()
    {
        QFETCH(uint, seed);
        QFETCH(int, events);
        QFETCH(qint64, span);
        QFETCH(bool, isDark);
        ThemeManager::instance().setScheme(isDark ? Theme::Scheme::Dark : Theme::Scheme::Light);
        const auto trace = makeRandom(seed, 3, events, span);
        TimelineFixture f(trace, QSize(1100, 1400));
        std::mt19937 random(seed);
        for (int zoom = 0; zoom < 3; ++zoom) {
            QVERIFY(f.settle());
            const QImage image = f.canvas().grab().toImage();
            const TimeScale scale = f.scale();
            const TimelineLayout layout = f.layout();
            for (size_t i = 0; i < trace->eventCount(); ++i) {
                const EventId event(i);
                const double from = std::max(scale.xOf(trace->begin(event)), layout.rows.left());
                const double to = std::min(scale.xOf(trace->end(event)), layout.rows.right());
                const TimelineRow* row = f.controller().rows().rowOf(trace->trackOf(event));
                const int level = trace->depths[i];
                const int bottom = static_cast<int>(layout.rows.top() + row->blockTop(level) + row->blockHeight
                                                    - f.controller().scroll())
                    - 2;
                if (bottom >= image.height())
                    continue;
                for (int x = static_cast<int>(std::floor(from + 0.01)); x < std::ceil(to - 0.01); ++x) {
                    const QColor colour = image.pixelColor(x, bottom);
                    QVERIFY2(colour != theme().view && colour != theme().grid,
                             qPrintable(QStringLiteral("event %1 at column %2, level %3: %4")
                                            .arg(i)
                                            .arg(x)
                                            .arg(level)
                                            .arg(colour.name())));
                }
            }
            const double at =
                0.7 * f.controller().window().span() * static_cast<double>(random()) / std::mt19937::max();
            const TimeWindow& window = f.controller().window();
            f.controller().show({window.begin + at, window.begin + at + window.span() / 5});
        }
    }

    void realProfiles_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QStringList>("rows"); // as profiles/MANIFEST.md counts them
        QTest::newRow("cpu4") << QStringLiteral("profiles/cpu4/plugins/profile/2026_11_29_16_16_20/vm.xplane.pb")
                              << QStringList{QStringLiteral("/host:CPU 46\u2009557 events")};
        QTest::newRow("v6e") << QStringLiteral("profiles/third-party/v6e_pallas_matmul/host0.xplane.pb")
                             << QStringList{"_counters_ 1768", "Tensor Core 438", "XLA TraceMe 336", "XLA Modules 3",
                                            "XLA Ops 3"};
    }
    void realProfiles()
    {
        QFETCH(QString, path);
        QFETCH(QStringList, rows);
        const QString file = testdata::shared(path);
        if (file.isEmpty())
            QSKIP("the shared profiles are not here");
        Workspace workspace;
        Selection selection(workspace);
        workspace.open(file);
        QTRY_VERIFY_WITH_TIMEOUT(!workspace.isBusy(), 30000);
        QCOMPARE(workspace.traces().size(), size_t(1));
        TimelineView view(workspace, selection);
        view.resize(1600, 1000);
        view.show();
        selection.selectTrace(workspace.traces()[0].trace);
        QTRY_VERIFY_WITH_TIMEOUT(view.isReady(), 30000);
        QStringList found;
        for (const TimelineRow& row : view.controller().rows().rows())
            found << row.name + QLatin1Char(' ') + row.note;
        for (const QString& row : rows)
            QVERIFY2(found.contains(row), qPrintable(row + QStringLiteral(" in ") + found.join(QLatin1Char('\n'))));
        // Every level of every row that is on the screen has been drawn from its strips.
        const GeometryRequest request = view.controller().geometryRequest();
        QVERIFY(!request.strips.empty());
        for (const StripKey& key : request.strips)
            QVERIFY(view.controller().geometry().best(key, request.window, request.width) != nullptr);
        QVERIFY(view.controller().geometry().minimap().columns.size()
                == static_cast<size_t>(view.controller().plotWidth()));
        view.grab();
    }

    void hoverFollowsTheRowsUnderAStillPointer()
    {
        const Example example = makeExample();
        TimelineFixture f(example.trace);
        f.pointAt(f.at(example.ops, 30 * kMs, 0));
        QVERIFY(f.canvas().hover().hit.mark.has_value());
        f.wheel(f.at(example.ops, 30 * kMs, 0), 10, Qt::ControlModifier);
        QVERIFY(f.settle());
        QCOMPARE(f.canvas().hover().hit.mark->event, example.named("fusion.3"));
    }
};

QTEST_MAIN(TestTimelineView)
#include "tst_timeline_view.moc"
