// SPDX-License-Identifier: Apache-2.0
// The timeline on traces that are not nice: extreme times, nothing in it, far too much of one thing; and on
// simulations.
#include "../test_data.h"
#include "core/tpu/chip_spec.h"
#include "timeline_fixture.h"
#include "views/common/notice_bar.h"
#include "views/common/theme.h"

#include <QTemporaryDir>

#include <cmath>
#include <functional>

using namespace hloscope;
using namespace hloscope::synthetic;

namespace {

using Fill = std::function<void(TraceBuilder&, PlaneId, EventKindId)>;

std::shared_ptr<const Trace> traceOf(const Fill& fill)
{
    TraceBuilder builder;
    const PlaneId plane = builder.addPlane("/device:TPU:0");
    EventKind kind;
    kind.name = std::string("odd\n\xff\xfe name.") + std::string(5000, '7');
    const EventKindId id = builder.addKind(std::move(kind));
    fill(builder, plane, id);
    return std::move(builder).build();
}

void writeFile(const QString& path, const QByteArray& text)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
}

QStringList noticesOf(const TimelineView& view)
{
    QStringList texts;
    for (const NoticeBar* row : view.findChildren<NoticeBar*>())
        texts << row->text();
    return texts;
}

} // namespace

class TestTimelineTraces : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { ThemeManager::instance().install(); }

    void survives_data()
    {
        QTest::addColumn<std::shared_ptr<const Trace>>("trace");
        QTest::newRow("no planes") << std::shared_ptr<const Trace>(TraceBuilder().build());
        QTest::newRow("no events") << traceOf([](TraceBuilder& b, PlaneId p, EventKindId) { b.addTrack(p, ""); });
        QTest::newRow("one instant") << traceOf(
            [](TraceBuilder& b, PlaneId p, EventKindId k) { b.addEvent(b.addTrack(p, "t"), k, 5, 0); });
        QTest::newRow("one picosecond") << traceOf(
            [](TraceBuilder& b, PlaneId p, EventKindId k) { b.addEvent(b.addTrack(p, "t"), k, -7, 1); });
        QTest::newRow("all of time") << traceOf([](TraceBuilder& b, PlaneId p, EventKindId k) {
            const TrackId track = b.addTrack(p, "t");
            b.addEvent(track, k, INT64_MIN, INT64_MAX);
            b.addEvent(track, k, INT64_MAX, INT64_MAX);
            b.addEvent(track, k, 0, 1);
        });
        QTest::newRow("300 levels") << traceOf([](TraceBuilder& b, PlaneId p, EventKindId k) {
            const TrackId track = b.addTrack(p, "t");
            for (int i = 0; i < 300; ++i)
                b.addEvent(track, k, i, 1000 * kMs - 2 * i);
        });
        QTest::newRow("2000 tracks") << traceOf([](TraceBuilder& b, PlaneId p, EventKindId k) {
            for (int i = 0; i < 2000; ++i)
                b.addEvent(b.addTrack(p, "t" + std::to_string(i)), k, i, kMs);
        });
        QTest::newRow("broken counters") << traceOf([](TraceBuilder& b, PlaneId p, EventKindId k) {
            b.addEvent(b.addTrack(p, "t"), k, 0, kMs);
            Counter counter;
            counter.plane = p;
            counter.unit = Counter::Unit::Bytes;
            counter.limit = std::nan("");
            counter.times = {0, 10, 20, 30};
            counter.values = {std::nan(""), INFINITY, -INFINITY};
            b.trace().counters = {counter};
            counter.values = {-1e300, 1e300, 1e-300, 0};
            counter.unit = Counter::Unit::FlopsPerSecond;
            b.trace().counters.push_back(counter);
            counter.values.clear();
            b.trace().counters.push_back(counter);
        });
        QTest::newRow("a plane that is not there") << traceOf(
            [](TraceBuilder& b, PlaneId, EventKindId k) { b.addEvent(b.addTrack(PlaneId(77), "t"), k, 0, kMs); });
    }
    // Every gesture over every part, at every zoom; the sanitizers watch.
    void survives()
    {
        QFETCH(std::shared_ptr<const Trace>, trace);
        TimelineFixture f(trace, QSize(700, 500));
        for (int zoom = 0; zoom < 4; ++zoom) {
            QVERIFY(f.settle());
            f.canvas().grab();
            for (int y = 10; y < f.canvas().height(); y += 37) {
                f.pointAt({400, y});
                f.click({400, y});
            }
            f.drag({300, 150}, {500, 300});
            QVERIFY(f.settle());
            for (const int key : {Qt::Key_Period, Qt::Key_Comma, Qt::Key_F, Qt::Key_F, Qt::Key_D, Qt::Key_A,
                                  Qt::Key_Down, Qt::Key_PageDown, Qt::Key_Home, Qt::Key_End})
                QTest::keyClick(&f.canvas(), Qt::Key(key));
            QVERIFY(f.controller().window().begin >= 0);
            QVERIFY(f.controller().window().end <= f.controller().limit());
            QVERIFY(f.controller().window().span() >= kMinWindowSpan * 0.999);
            f.wheel({400, 200}, 12 << (2 * zoom), Qt::ControlModifier);
        }
        QTest::keyClick(&f.canvas(), Qt::Key_Escape);
        QTest::keyClick(&f.canvas(), Qt::Key_0);
        QCOMPARE(f.controller().window(), (TimeWindow{0, f.controller().limit()}));
    }

    void aTraceMayGoWhileItIsIndexed()
    {
        const auto large = makeRandom(5, 8, 60000, 1000 * kMs);
        for (int i = 0; i < 3; ++i) {
            Workspace workspace;
            Selection selection(workspace);
            TimelineView view(workspace, selection);
            view.resize(900, 600);
            view.show();
            selection.selectTrace(large);
            selection.selectRange(TimeRange{0, 900 * kMs});
            selection.selectTrace(makeExample().trace);
            selection.selectTrace(large);
            if (i == 1)
                QTest::qWait(5);
        }
    }

    void simulationIsShownWhenItArrives()
    {
        Workspace workspace;
        Selection selection(workspace);
        TimelineView view(workspace, selection);
        view.resize(1200, 800);
        view.show();
        workspace.open(testdata::path(QStringLiteral("corpus/transformer_sharded.v2-2x2/module.hlo")));
        QTRY_VERIFY_WITH_TIMEOUT(!workspace.modules().empty(), 30000);
        const auto module = workspace.modules()[0].module;
        selection.selectModule(module);
        if (!workspace.modules()[0].isAnalysed)
            QVERIFY(view.emptyText().contains(QStringLiteral("is being simulated")));
        QTRY_VERIFY_WITH_TIMEOUT(!workspace.isBusy(), 30000);
        QVERIFY(view.controller().trace() != nullptr);
        QVERIFY(view.controller().trace()->isSimulated);
        QVERIFY(noticesOf(view).isEmpty());

        // An instruction that is chosen elsewhere.
        const InstructionId fusion = module->findInstruction("fusion.15");
        QVERIFY(fusion.isValid());
        selection.selectInstruction(module, fusion);
        const EventId event = view.controller().selectedEvent();
        QVERIFY(event.isValid());
        QCOMPARE(view.controller().trace()->kind(event).instruction, fusion);
        QTRY_VERIFY_WITH_TIMEOUT(view.isReady(), 30000);

        // v4i has no known link rate: its collectives have no time, and that is said.
        const ChipSpec* chip = findChip("v4i");
        QVERIFY(chip != nullptr);
        workspace.setChip(module.get(), chip);
        QTRY_VERIFY_WITH_TIMEOUT(!workspace.isBusy(), 30000);
        QTRY_COMPARE(noticesOf(view).size(), 1);
        QVERIFY2(noticesOf(view)[0].contains(QStringLiteral("have no time")), qPrintable(noticesOf(view)[0]));
        QVERIFY(noticesOf(view)[0].contains(QStringLiteral("at least")));
    }

    void aModuleWithoutAScheduleSaysSo()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("m.hlo"));
        writeFile(path,
                  "HloModule m\n\nENTRY main {\n  p = f32[8,128]{1,0} parameter(0)\n"
                  "  ROOT n = f32[8,128]{1,0} negate(p)\n}\n");
        Workspace workspace;
        Selection selection(workspace);
        TimelineView view(workspace, selection);
        workspace.open(path);
        QTRY_VERIFY_WITH_TIMEOUT(!workspace.modules().empty() && !workspace.isBusy(), 30000);
        selection.selectModule(workspace.modules()[0].module);
        QVERIFY(view.controller().trace() != nullptr);
        QCOMPARE(noticesOf(view).size(), 1);
        QVERIFY2(noticesOf(view)[0].contains(QStringLiteral("no schedule")), qPrintable(noticesOf(view)[0]));
    }

    void aModuleThatCannotBeSimulatedSaysWhy()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("m.hlo"));
        // Calls within calls, deeper than any compiler's.
        QByteArray text = "HloModule m, is_scheduled=true\n\nc0 {\n  ROOT p = f32[] parameter(0)\n}\n\n";
        constexpr int kDepth = 3000;
        for (int i = 1; i <= kDepth; ++i) {
            text += (i == kDepth ? QByteArray("ENTRY main") : "c" + QByteArray::number(i))
                + " {\n  p = f32[] parameter(0)\n  ROOT c = f32[] call(p), to_apply=c" + QByteArray::number(i - 1)
                + "\n}\n\n";
        }
        writeFile(path, text);
        Workspace workspace;
        Selection selection(workspace);
        TimelineView view(workspace, selection);
        workspace.open(path);
        QTRY_VERIFY_WITH_TIMEOUT(!workspace.isBusy(), 30000);
        QCOMPARE(workspace.modules().size(), size_t(1));
        selection.selectModule(workspace.modules()[0].module);
        QVERIFY(!workspace.modules()[0].simulation);
        QVERIFY2(view.emptyText().contains(QStringLiteral("cannot be simulated")), qPrintable(view.emptyText()));
        const auto& problems = workspace.modules()[0].problems.diagnostics();
        QVERIFY(!problems.empty());
        QVERIFY(view.emptyText().contains(QString::fromStdString(problems.back().message)));
    }

    void closingTheFileEmptiesTheView()
    {
        Workspace workspace;
        Selection selection(workspace);
        TimelineView view(workspace, selection);
        view.show();
        workspace.open(testdata::path(QStringLiteral("corpus/ffw.v2-2x2/module.hlo")));
        QTRY_VERIFY_WITH_TIMEOUT(!workspace.modules().empty() && !workspace.isBusy(), 30000);
        selection.selectModule(workspace.modules()[0].module);
        QVERIFY(view.controller().trace() != nullptr);
        workspace.closeAll();
        QVERIFY(view.controller().trace() == nullptr);
        QVERIFY(!view.emptyText().isEmpty());
    }
};

QTEST_MAIN(TestTimelineTraces)
#include "tst_timeline_traces.moc"
