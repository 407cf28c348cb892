// SPDX-License-Identifier: Apache-2.0
#include "live_range_text.h"

#include "core/hlo/hlo_text.h"
#include "core/memory/live_range.h"
#include "tests/test_data.h"

#include <QtTest>

#include <algorithm>

using namespace hloscope;

namespace {

constexpr const char* kLoop = R"(HloModule m, is_scheduled=true

%cond (p: (s32[], f32[256], f32[256])) -> pred[] {
  %p = (s32[], f32[256]{0}, f32[256]{0}) parameter(0)
  %i = s32[] get-tuple-element(%p), index=0
  %n = s32[] constant(4)
  ROOT %lt = pred[] compare(%i, %n), direction=LT
}

%body (q: (s32[], f32[256], f32[256])) -> (s32[], f32[256], f32[256]) {
  %q = (s32[], f32[256]{0}, f32[256]{0}) parameter(0)
  %j = s32[] get-tuple-element(%q), index=0
  %one = s32[] constant(1)
  %next = s32[] add(%j, %one)
  %x = f32[256]{0} get-tuple-element(%q), index=1
  %w = f32[256]{0} get-tuple-element(%q), index=2
  %y = f32[256]{0} multiply(%x, %w)
  ROOT %r = (s32[], f32[256]{0}, f32[256]{0}) tuple(%next, %y, %w)
}

ENTRY %main (a: f32[256], b: f32[256]) -> f32[256] {
  %a = f32[256]{0} parameter(0)
  %b = f32[256]{0} parameter(1)
  %zero = s32[] constant(0)
  %x0 = f32[256]{0} copy(%a)
  %init = (s32[], f32[256]{0}, f32[256]{0}) tuple(%zero, %x0, %b)
  %loop = (s32[], f32[256]{0}, f32[256]{0}) while(%init), condition=%cond, body=%body
  ROOT %out = f32[256]{0} get-tuple-element(%loop), index=1
}
)";

std::shared_ptr<const HloModule> parse(std::string text)
{
    auto module = parseHloText(FileBytes::fromString(std::move(text), "test.hlo"));
    return module ? *module : nullptr;
}

QString rangeText(const HloModule& module, const LiveRange& range)
{
    return QString::fromStdString(toString(module, range.buffer))
        + QStringLiteral(":%1-%2").arg(range.begin).arg(range.end);
}

QStringList rangeTexts(const HloModule& module, const LiveRangeReport& report)
{
    QStringList texts;
    for (const LiveRange& range : report.ranges)
        texts << rangeText(module, range);
    return texts;
}

QStringList liveTexts(const HloModule& module, const LiveRangeReport& report)
{
    QStringList texts;
    for (const size_t index : report.live) {
        const LiveRange& range = report.ranges[index];
        texts << QString::fromStdString(toString(module, range.buffer)) + QStringLiteral(": %1").arg(range.bytes);
    }
    return texts;
}

QStringList sorted(QStringList list)
{
    list.sort();
    return list;
}

// The first difference of two lists, to be readable in a failure.
QString difference(const QStringList& ours, const QStringList& xla)
{
    for (qsizetype i = 0; i < std::max(ours.size(), xla.size()); ++i) {
        const QString a = i < ours.size() ? ours[i] : QStringLiteral("nothing");
        const QString b = i < xla.size() ? xla[i] : QStringLiteral("nothing");
        if (a != b)
            return QStringLiteral("at %1: ours %2, XLA %3").arg(i).arg(a, b);
    }
    return {};
}

LiveRangeReport analyse(const HloModule& module)
{
    Expected<LiveRangeReport> report = computeLiveRanges(module);
    if (!report)
        qWarning("%s", report.error().format().c_str());
    return report ? *std::move(report) : LiveRangeReport();
}

} // namespace

class TestLiveRange : public QObject {
    Q_OBJECT

private slots:
    void equalsXla_data()
    {
        QTest::addColumn<QString>("module");
        QTest::addColumn<QString>("report");
        // `corpus/` holds a committed part of the shared corpus, so that this runs everywhere.
        const QDir committed(testdata::path("corpus"));
        for (const QString& program : committed.entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name)) {
            const QString folder = committed.filePath(program);
            if (QFile::exists(folder + "/live-range.txt")) {
                QTest::addRow("committed %s", qPrintable(program))
                    << folder + "/after_optimizations.hlo" << folder + "/live-range.txt";
            }
        }
        for (const QString& report : testdata::corpus("live-range.txt")) {
            const QString folder = QFileInfo(report).path();
            QTest::addRow("%s", qPrintable(QFileInfo(folder).fileName()))
                << folder + "/after_optimizations.hlo" << report;
        }
        if (testdata::corpus("live-range.txt").isEmpty())
            qInfo("the shared corpus is not here, only the committed part is checked");
    }

    void equalsXla()
    {
        QFETCH(QString, module);
        QFETCH(QString, report);
        const LiveRangeText xla = LiveRangeText::read(report);
        QVERIFY(xla.max > 0 && !xla.ranges.isEmpty() && !xla.live.isEmpty());
        auto bytes = FileBytes::open(module.toStdString());
        QVERIFY(bytes);
        auto hlo = parseHloText(*bytes);
        QVERIFY(hlo);
        const LiveRangeReport ours = analyse(**hlo);

        QStringList sequence;
        for (const InstructionId id : ours.sequence)
            sequence << QString::fromUtf8((*hlo)->instruction(id).name.data(),
                                          qsizetype((*hlo)->instruction(id).name.size()));
        QCOMPARE(difference(sequence, xla.sequence), QString());
        QCOMPARE(qint64(ours.sequence.size()), xla.max);
        // The order of the lines follows how the compiler made the module, which the text does not tell.
        QCOMPARE(difference(sorted(rangeTexts(**hlo, ours)), sorted(xla.ranges)), QString());
        QCOMPARE(qint64(ours.peakPosition), xla.peak);
        QCOMPARE(difference(liveTexts(**hlo, ours), xla.live), QString());
        QCOMPARE(qint64(ours.peakBytes), xla.liveBytes);
    }

    // The way of the values through control flow; each expectation is derived beside it.
    void followsValues_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("sequence");
        QTest::addColumn<QStringList>("ranges");

        // Positions: a 0, b 1, zero 2, x0 3, init 4 | p 5, i 6, n 7, lt 8 | q 9, j 10, one 11, next 12, x 13, w 14,
        // y 15, r 16 | loop 17, out 18; the end of the program is 19.
        // Elements 0 and 1 change: each has a phi at p, q and loop, and its five values share a buffer. Raw ranges of
        // element 1: x0 3-9 (the while uses it at the body's parameter), p{1} 5-5, q{1} 9-15, y 15-17 (in the ROOT of
        // the body, whose span ends at 17), loop{1} 17-19 (out is the ROOT). Made to follow each other: x0 3-5,
        // p{1} 5-9, then nothing overlaps. Element 2 does not change and keeps the name b everywhere.
        QTest::newRow("loop with changing and invariant elements")
            << QString(kLoop) << "a b zero x0 init p i n lt q j one next x w y r loop out"
            << QStringList{"a{}:0-19",  "b{}:0-19",  "zero{}:2-5",   "x0{}:3-5",      "init{}:4-5",
                           "p{}:5-9",   "p{0}:5-9",  "p{1}:5-9",     "n{}:7-8",       "lt{}:8-9",
                           "q{}:9-14",  "q{0}:9-12", "q{1}:9-15",    "one{}:11-12",   "next{}:12-17",
                           "y{}:15-17", "r{}:16-17", "loop{}:17-18", "loop{0}:17-17", "loop{1}:17-19"};

        // Positions: a 0, c 1, e 2 | tp 3, neg 4 | fp 5, exp 6 | pick 7, m 8; end 9. Both branch parameters hold e. The
        // branch results end with the span of their branch; where they meet is the phi pick{}.
        QTest::newRow("conditional") << R"(HloModule m, is_scheduled=true

%t (tp: f32[8]) -> f32[8] {
  %tp = f32[8]{0} parameter(0)
  ROOT %neg = f32[8]{0} negate(%tp)
}

%f (fp: f32[8]) -> f32[8] {
  %fp = f32[8]{0} parameter(0)
  ROOT %exp = f32[8]{0} exponential(%fp)
}

ENTRY %main (a: f32[8], c: pred[]) -> f32[8] {
  %a = f32[8]{0} parameter(0)
  %c = pred[] parameter(1)
  %e = f32[8]{0} add(%a, %a)
  %pick = f32[8]{0} conditional(%c, %e, %e), true_computation=%t, false_computation=%f
  ROOT %m = f32[8]{0} multiply(%pick, %a)
}
)"
                                     << "a c e tp neg fp exp pick m"
                                     << QStringList{"a{}:0-9",   "c{}:0-9",    "e{}:2-7", "neg{}:4-5",
                                                    "exp{}:6-7", "pick{}:7-8", "m{}:8-9"};

        // Without donation p lives to the end of the program, 3; with it to its last use, 2.
        const QString sum = R"(
ENTRY %main (p: f32[256], q: f32[256]) -> f32[256] {
  %p = f32[256]{0} parameter(0)
  %q = f32[256]{0} parameter(1)
  ROOT %s = f32[256]{0} add(%p, %q)
}
)";
        QTest::newRow("parameters are kept")
            << "HloModule m, is_scheduled=true\n" + sum << "p q s" << QStringList{"p{}:0-3", "q{}:0-3", "s{}:2-3"};
        QTest::newRow("a donated parameter is not")
            << "HloModule m, is_scheduled=true, input_output_alias={ {}: (0, {}, may-alias) }\n" + sum << "p q s"
            << QStringList{"p{}:0-2", "q{}:0-3", "s{}:2-3"};

        // Positions: p 0, st 1, x 2, d 3, r 4; end 5. The destination st{0} is what copy-done gives on; st{1} is p.
        QTest::newRow("copy-start and copy-done")
            << R"(HloModule m, is_scheduled=true

ENTRY %main (p: f32[256]) -> f32[256] {
  %p = f32[256]{0} parameter(0)
  %st = (f32[256]{0:S(1)}, f32[256]{0}, u32[]{:S(2)}) copy-start(%p)
  %x = f32[256]{0} negate(%p)
  %d = f32[256]{0:S(1)} copy-done(%st)
  ROOT %r = f32[256]{0} add(%x, %d)
}
)"
            << "p st x d r" << QStringList{"p{}:0-5", "st{}:1-3", "st{0}:1-4", "st{2}:1-3", "x{}:2-4", "r{}:4-5"};

        // The wrapped computation comes before the start: p 0 | wp 1, sl 2 | as 3, x 4, ad 5, r 6; end 7. Its root sl
        // is the destination; it begins with the start and is last used by r.
        QTest::newRow("async-start of a slice")
            << R"(HloModule m, is_scheduled=true

%w (wp: f32[256]) -> f32[128] {
  %wp = f32[256]{0} parameter(0)
  ROOT %sl = f32[128]{0:S(1)} slice(%wp), slice={[0:128]}
}

ENTRY %main (p: f32[256]) -> f32[128] {
  %p = f32[256]{0} parameter(0)
  %as = ((f32[256]{0}), f32[128]{0:S(1)}, s32[]{:S(2)}) async-start(%p), calls=%w
  %x = f32[256]{0} negate(%p)
  %ad = f32[128]{0:S(1)} async-done(%as)
  ROOT %r = f32[128]{0} negate(%ad)
}
)"
            << "p wp sl as x ad r"
            << QStringList{"p{}:0-7", "sl{}:3-6", "as{}:3-5", "as{0}:3-5", "as{2}:3-5", "x{}:4-4", "r{}:6-7"};

        // Called twice without a phi: the parameter holds u and v. The body is flattened once, before the first call:
        // u 0, v 1 | cp 2, cn 3 | c1 4, c2 5, s 6; end 7. cn is the ROOT of the body (span end 4) and used by s.
        QTest::newRow("a computation that is called twice")
            << R"(HloModule m, is_scheduled=true

%callee (cp: f32[8]) -> f32[8] {
  %cp = f32[8]{0} parameter(0)
  ROOT %cn = f32[8]{0} negate(%cp)
}

ENTRY %main (u: f32[8], v: f32[8]) -> f32[8] {
  %u = f32[8]{0} parameter(0)
  %v = f32[8]{0} parameter(1)
  %c1 = f32[8]{0} call(%u), to_apply=%callee
  %c2 = f32[8]{0} call(%v), to_apply=%callee
  ROOT %s = f32[8]{0} add(%c1, %c2)
}
)"
            << "u v cp cn c1 c2 s" << QStringList{"u{}:0-7", "v{}:0-7", "cn{}:3-6", "s{}:6-7"};
    }

    void followsValues()
    {
        QFETCH(QString, text);
        QFETCH(QString, sequence);
        QFETCH(QStringList, ranges);
        const auto module = parse(text.toStdString());
        QVERIFY(module);
        const LiveRangeReport report = analyse(*module);
        QStringList names;
        for (const InstructionId id : report.sequence)
            names << QString::fromStdString(std::string(module->instruction(id).name));
        QCOMPARE(names.join(' '), sequence);
        QCOMPARE(sorted(rangeTexts(*module, report)), sorted(ranges));
    }

    // In the loop of the first row above the clock stands at: 0: a, b 2048; 2: zero 2052; 3: x0 3076; 4: init (3 x 8)
    // 3100; 5: the three values of p, 24 each since p is a tuple of three, 3172. At 9 the values of p still count
    // beside those of q, but zero, x0 and init do not: 2048 + 72 + 72 + n 4 + lt 1 = 2197; at 17 again 2048 + next 4 +
    // y 1024
    // + r 24 + 72 = 3172, which is no higher. So the peak is at 5, where the elements of p have their real sizes.
    void findsThePeak()
    {
        const auto module = parse(kLoop);
        QVERIFY(module);
        const LiveRangeReport report = analyse(*module);
        QCOMPARE(report.peakPosition, 5);
        QCOMPARE(report.peakBytes, 4 * 1024 + 2 * 24 + 2 * 4);
        QCOMPARE(liveTexts(*module, report),
                 QStringList({"a{}: 1024", "b{}: 1024", "p{1}: 1024", "x0{}: 1024", "init{}: 24", "p{}: 24", "p{0}: 4",
                              "zero{}: 4"}));
    }

    void refusesWhatHasNoSchedule()
    {
        const auto module = parse("HloModule m\n\nENTRY %main (p: f32[8]) -> f32[8] {\n"
                                  "  ROOT %p = f32[8]{0} parameter(0)\n}\n");
        QVERIFY(module);
        const auto report = computeLiveRanges(*module);
        QVERIFY(!report);
        QVERIFY(report.error().message.find("not scheduled") != std::string::npos);
    }

    // Text cannot call a computation that comes later; other inputs can. Here b, which a calls, is made to call a.
    void refusesACyclicCallGraph()
    {
        const auto module = parse(R"(HloModule m, is_scheduled=true

%c (cp: f32[8]) -> f32[8] {
  ROOT %cp = f32[8]{0} parameter(0)
}

%b (bp: f32[8]) -> f32[8] {
  %bp = f32[8]{0} parameter(0)
  ROOT %bc = f32[8]{0} call(%bp), to_apply=%c
}

%a (ap: f32[8]) -> f32[8] {
  %ap = f32[8]{0} parameter(0)
  ROOT %ac = f32[8]{0} call(%ap), to_apply=%b
}

ENTRY %main (p: f32[8]) -> f32[8] {
  %p = f32[8]{0} parameter(0)
  ROOT %r = f32[8]{0} call(%p), to_apply=%a
}
)");
        QVERIFY(module);
        QVERIFY(computeLiveRanges(*module));
        HloModule cyclic = *module;
        const IndexRange called = cyclic.instruction(cyclic.findInstruction("bc")).called;
        QCOMPARE(called.count, 1u);
        cyclic.calledPool[called.begin] = cyclic.findComputation("a");
        const auto report = computeLiveRanges(cyclic);
        QVERIFY(!report);
        QVERIFY2(report.error().message.find("calls itself") != std::string::npos, report.error().message.c_str());
    }

    // 600 computations, each calling the one before; the limit is 500.
    void refusesDeepCallGraphs()
    {
        const auto chain = [](int count) {
            std::string text = "HloModule m, is_scheduled=true\n\n%f0 (p: f32[8]) -> f32[8] {\n"
                               "  ROOT %p0 = f32[8]{0} parameter(0)\n}\n";
            for (int i = 1; i < count; ++i) {
                const std::string n = std::to_string(i);
                text += "\n%f" + n + " (p: f32[8]) -> f32[8] {\n  %p" + n + " = f32[8]{0} parameter(0)\n  ROOT %r" + n
                    + " = f32[8]{0} call(%p" + n + "), to_apply=%f" + std::to_string(i - 1) + "\n}\n";
            }
            return text
                + "\nENTRY %main (p: f32[8]) -> f32[8] {\n  %p = f32[8]{0} parameter(0)\n"
                  "  ROOT %r = f32[8]{0} call(%p), to_apply=%f"
                + std::to_string(count - 1) + "\n}\n";
        };
        const auto deep = parse(chain(600));
        QVERIFY(deep);
        const auto refused = computeLiveRanges(*deep);
        QVERIFY(!refused);
        QVERIFY2(refused.error().message.find("500") != std::string::npos, refused.error().message.c_str());
        const auto shallow = parse(chain(400));
        QVERIFY(shallow);
        QVERIFY(computeLiveRanges(*shallow));
    }

    void stopsOnCancel()
    {
        const auto module = parse("HloModule m, is_scheduled=true\n\nENTRY %main (p: f32[8]) -> f32[8] {\n"
                                  "  ROOT %p = f32[8]{0} parameter(0)\n}\n");
        QVERIFY(module);
        Progress progress;
        progress.cancel();
        QVERIFY(!computeLiveRanges(*module, &progress));
    }

    // Broken shapes and references: no crash, and what fits is reported.
    void survivesBrokenModules_data()
    {
        QTest::addColumn<QString>("body");
        QTest::newRow("element that the tuple does not have")
            << "  %t = (f32[8]{0}) tuple(%p)\n  ROOT %r = f32[8]{0} get-tuple-element(%t), index=7\n";
        QTest::newRow("element of an array") << "  ROOT %r = f32[8]{0} get-tuple-element(%p), index=0\n";
        QTest::newRow("bitcast to a tuple") << "  ROOT %r = (f32[8]{0}, f32[8]{0}) bitcast(%p)\n";
        QTest::newRow("copy-done of an array") << "  ROOT %r = f32[8]{0} copy-done(%p)\n";
        QTest::newRow("while without computations") << "  ROOT %r = f32[8]{0} while(%p)\n";
        QTest::newRow("conditional without branches") << "  ROOT %r = f32[8]{0} conditional(%p)\n";
        QTest::newRow("call of nothing") << "  ROOT %r = f32[8]{0} call(%p)\n";
        QTest::newRow("async-done of nothing") << "  ROOT %r = f32[8]{0} async-done(%p)\n";
        QTest::newRow("fusion of nothing") << "  ROOT %r = f32[8]{0} fusion(%p), kind=kLoop\n";
        QTest::newRow("alias outside the result") << "  ROOT %r = f32[8]{0} custom-call(%p), custom_call_target=\"x\", "
                                                     "output_to_operand_aliasing={{4,5}: (9, {1})}\n";
        QTest::newRow("size beyond 64 bits") << "  ROOT %r = f32[4294967296,4294967296]{1,0} broadcast(%p)\n";
    }

    void survivesBrokenModules()
    {
        QFETCH(QString, body);
        const auto module = parse(("HloModule m, is_scheduled=true\n\nENTRY %main (p: f32[8]) -> f32[8] {\n"
                                   "  %p = f32[8]{0} parameter(0)\n"
                                   + body + "}\n")
                                      .toStdString());
        if (!module)
            return; // refused by the reader
        const auto report = computeLiveRanges(*module);
        QVERIFY(report);
        const QString p = QStringLiteral("p{}:0-%1").arg(report->sequence.size());
        QVERIFY2(rangeTexts(*module, *report).contains(p), qPrintable(rangeTexts(*module, *report).join(' ')));
        QVERIFY(report->peakBytes >= 32);
    }
};

QTEST_APPLESS_MAIN(TestLiveRange)
#include "tst_live_range.moc"
