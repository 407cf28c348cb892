// SPDX-License-Identifier: Apache-2.0
#include "core/tpu/op_cost.h"
#include "tests/tpu/tpu_test_data.h"

#include <QtTest>

#include <algorithm>
#include <cmath>

using namespace hloscope;

namespace {

constexpr double kPsPerMs = 1e9;

const OpCost* costOf(const HloModule& module, const ModuleCost& cost, const char* name)
{
    const InstructionId id = module.findInstruction(name);
    return id.isValid() ? &cost.of(id) : nullptr;
}

// A loop over (s32 counter, f32 payload) with the given condition root and next counter.
QByteArray loopText(const QByteArray& init, const QByteArray& condition, const QByteArray& next)
{
    return "HloModule m, is_scheduled=true\n\n"
           "%body {\n  %s = (s32[], f32[1024]{0}, s32[]) parameter(0)\n"
           "  %i = s32[] get-tuple-element(%s), index=0\n  %v = f32[1024]{0} get-tuple-element(%s), index=1\n"
           "  %n = s32[] get-tuple-element(%s), index=2\n  %w = f32[1024]{0} add(%v, %v)\n"
        + next
        + "  ROOT %r = (s32[], f32[1024]{0}, s32[]) tuple(%j, %w, %n)\n}\n\n"
          "%cond {\n  %t = (s32[], f32[1024]{0}, s32[]) parameter(0)\n"
          "  %k = s32[] get-tuple-element(%t), index=0\n  %m = s32[] get-tuple-element(%t), index=2\n"
        + condition + "}\n\nENTRY %main {\n  %p = f32[1024]{0} parameter(0)\n" + init
        + "  %n0 = s32[] constant(12)\n  %init = (s32[], f32[1024]{0}, s32[]) tuple(%i0, %p, %n0)\n"
          "  ROOT %x = (s32[], f32[1024]{0}, s32[]) while(%init), condition=%cond, body=%body\n}\n";
}

} // namespace

class TestOpCost : public QObject {
    Q_OBJECT

private slots:
    void predictsTheFeedForwardBlock_data();
    void predictsTheFeedForwardBlock();
    void predictsTheQueryProjection();
    void staysCloseToTheCompiler_data();
    void staysCloseToTheCompiler();
    void neverReadsTheEstimate();
    void compilerTimeUsesTheClock_data();
    void compilerTimeUsesTheClock();
    void tripCounts_data();
    void tripCounts();
    void tripCountsOfPrograms_data();
    void tripCountsOfPrograms();
    void multipliesLoops();
    void takesTheDearestBranch();
    void fusedBodiesHaveNoTime();
    void transfersRunBesideTheCore();
    void unknownIsCounted();
    void unscheduledModulesWork();
    void cancels();
};

// Worked examples 5 and 6 of the scaling book's profile: 96 ms and 1.13 ms were measured on v2.
void TestOpCost::predictsTheFeedForwardBlock_data()
{
    QTest::addColumn<QString>("file");
    QTest::newRow("with windows") << QStringLiteral("corpus/ffw.v2-2x2/module.hlo");
    QTest::newRow("without windows") << QStringLiteral("corpus/ffw.v2-2x2/after_optimizations.hlo");
}

void TestOpCost::predictsTheFeedForwardBlock()
{
    QFETCH(QString, file);
    const auto module = testdata::parseModule(testdata::path(file));
    QVERIFY(module);
    const ModuleCost cost = analyseCost(*module, *findChip("v2"));
    const OpCost* up = costOf(*module, cost, "fusion.3");
    QVERIFY(up && up->modelPs);
    QVERIFY(*up->modelPs > 90 * kPsPerMs && *up->modelPs < 105 * kPsPerMs);
    QCOMPARE(up->boundBy, BoundBy::Mxu);
    QCOMPARE(up->xla.flops, 2.0 * 8 * 1024 * 8192 * 16384);
    QCOMPARE(up->hbmReadBytes, 2.0 * (8 * 1024 * 8192 + 8192.0 * 16384));
    QCOMPARE(up->hbmWriteBytes, 2.0 * 8 * 1024 * 16384);

    const OpCost* scatter = costOf(*module, cost, "fusion");
    QVERIFY(scatter && scatter->modelPs);
    QVERIFY(*scatter->modelPs > 0.9 * kPsPerMs && *scatter->modelPs < 1.4 * kPsPerMs);
    QCOMPARE(scatter->boundBy, BoundBy::Ici);
    QCOMPARE(scatter->iciBytes, 67108864.0);
    QVERIFY(!scatter->compilerCycles);
    QCOMPARE(cost.unknownOps, int64_t{0});
}

// Worked example 7: 8 x 1024 rows times [8192, 16 heads of 256] on a core that does 23e12 FLOP/s: 23.9 ms.
void TestOpCost::predictsTheQueryProjection()
{
    const auto module =
        testdata::parseModule(testdata::path(QStringLiteral("corpus/transformer_sharded.v2-2x2/module.hlo")));
    QVERIFY(module);
    const ModuleCost cost = analyseCost(*module, *findChip("v2"));
    const double flops = 2.0 * 8 * 1024 * 8192 * 16 * 256;
    int found = 0;
    for (size_t i = 0; i < cost.ops.size(); ++i) {
        const OpMetadata metadata = module->metadata(InstructionId(i));
        if (metadata.opName.find("q_proj") == std::string::npos || cost.ops[i].xla.flops != flops
            || !cost.ops[i].modelPs)
            continue;
        ++found;
        const double roofline = flops / 23e12 * 1e12;
        QVERIFY(*cost.ops[i].modelPs > roofline && *cost.ops[i].modelPs < 1.1 * roofline);
        QCOMPARE(cost.ops[i].boundBy, BoundBy::Mxu);
    }
    QVERIFY(found > 0);
}

// Regression bound on the whole corpus; the bench model_accuracy shows the figures.
void TestOpCost::staysCloseToTheCompiler_data()
{
    QTest::addColumn<QString>("chip");
    QTest::addColumn<double>("median"); // of |model - estimate| / estimate
    QTest::addColumn<double>("p90");
    QTest::newRow("v2") << "v2" << 0.02 << 0.15;
    QTest::newRow("v3") << "v3" << 0.02 << 0.15;
    QTest::newRow("v4") << "v4" << 0.05 << 0.35;
    QTest::newRow("v5e") << "v5e" << 0.02 << 0.15;
    QTest::newRow("v5p") << "v5p" << 0.05 << 0.30;
    QTest::newRow("v6e") << "v6e" << 0.05 << 0.32;
    QTest::newRow("v7x") << "v7x" << 0.03 << 0.30;
}

void TestOpCost::staysCloseToTheCompiler()
{
    QFETCH(QString, chip);
    QFETCH(double, median);
    QFETCH(double, p90);
    if (testdata::shared(QStringLiteral("op-corpus")).isEmpty())
        QSKIP("the shared corpora are not here");
    constexpr int64_t kLeastCycles = 5000;
    const ChipSpec* spec = findChip(chip.toStdString());
    std::vector<double> errors;
    for (const auto& programs : {testdata::corpusPrograms(), testdata::opCorpusPrograms()}) {
        for (const testdata::PricedProgram& program : programs) {
            if (findChip(program.chip.toStdString()) != spec)
                continue;
            const auto module = testdata::parseModule(program.hloPath);
            QVERIFY(module);
            for (const OpCost& op : analyseCost(*module, *spec).ops) {
                if (op.compilerPs && op.modelPs && *op.compilerCycles >= kLeastCycles)
                    errors.push_back(std::abs(*op.modelPs / *op.compilerPs - 1));
            }
        }
    }
    QVERIFY(errors.size() > 100);
    std::sort(errors.begin(), errors.end());
    QVERIFY2(errors[errors.size() / 2] < median, qPrintable(QString::number(errors[errors.size() / 2])));
    QVERIFY2(errors[errors.size() * 9 / 10] < p90, qPrintable(QString::number(errors[errors.size() * 9 / 10])));
}

// The estimate may be anything: the model's times stay the same.
void TestOpCost::neverReadsTheEstimate()
{
    QFile file(testdata::path(QStringLiteral("corpus/scan_rnn.v5e-2x2/module.hlo")));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QByteArray text = file.readAll();
    const auto original = testdata::parseText(text);
    QVERIFY(text.contains("\"estimated_cycles\":\""));
    text.replace("\"estimated_cycles\":\"", "\"estimated_cycles\":\"77");
    const auto changed = testdata::parseText(text);
    QVERIFY(original && changed);
    const ModuleCost before = analyseCost(*original, *findChip("v5e"));
    const ModuleCost after = analyseCost(*changed, *findChip("v5e"));
    QVERIFY(before.compilerPs > 0 && after.compilerPs > 10 * before.compilerPs);
    QCOMPARE(after.modelPs, before.modelPs);
}

void TestOpCost::compilerTimeUsesTheClock_data()
{
    QTest::addColumn<QString>("chip");
    QTest::addColumn<double>("clock");
    QTest::newRow("v5e") << "v5e" << 1.5e9;
    QTest::newRow("v5p") << "v5p" << 1.75e9;
    QTest::newRow("v7x") << "v7x" << 2.2e9;
}

void TestOpCost::compilerTimeUsesTheClock()
{
    QFETCH(QString, chip);
    QFETCH(double, clock);
    const auto module = testdata::parseText(
        "HloModule m, is_scheduled=true\n\nENTRY %main {\n  %p = f32[1024]{0:T(1024)} parameter(0)\n"
        "  %x = f32[1024]{0:T(1024)} add(%p, %p), backend_config={\"window_config\":{\"estimated_cycles\":\"21000\"}}\n"
        "  ROOT %y = f32[1024]{0:T(1024)} add(%x, %p), "
        "backend_config={\"window_config\":{\"estimated_cycles\":\"9223372036854775807\"}}\n}\n");
    QVERIFY(module);
    const ModuleCost cost = analyseCost(*module, *findChip(chip.toStdString()));
    const OpCost* x = costOf(*module, cost, "x");
    QCOMPARE(x->compilerCycles, std::optional<int64_t>(21000));
    QCOMPARE(*x->compilerPs, 21000 / clock * 1e12);
    const OpCost* y = costOf(*module, cost, "y");
    QVERIFY(!y->compilerCycles && !y->compilerPs); // 2^63 - 1: the compiler made none
    QCOMPARE(cost.compilerPs, *x->compilerPs);
}

void TestOpCost::tripCounts_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<qint64>("count"); // -1: cannot be told
    const QByteArray zero = "  %i0 = s32[] constant(0)\n";
    const QByteArray plusOne = "  %one = s32[] constant(1)\n  %j = s32[] add(%i, %one)\n";
    const auto condition = [](const char* limit, const char* direction) {
        return QByteArray("  %c = s32[] constant(") + limit
            + ")\n  ROOT %q = pred[] compare(%k, %c), direction=" + direction + "\n";
    };
    const auto row = [](const char* name, const QByteArray& text, qint64 count) {
        QTest::newRow(name) << text << count;
    };
    row("0 < 10", loopText(zero, condition("10", "LT"), plusOne), 10);
    row("0 <= 10", loopText(zero, condition("10", "LE"), plusOne), 11);
    row("0 != 10", loopText(zero, condition("10", "NE"), plusOne), 10);
    row("never starts", loopText(zero, condition("0", "LT"), plusOne), 0);
    row("ends after one", loopText(zero, condition("0", "EQ"), plusOne), 1);
    row("step of three",
        loopText(zero, condition("10", "LT"), "  %c3 = s32[] constant(3)\n  %j = s32[] add(%c3, %i)\n"), 4);
    row("counts down",
        loopText("  %i0 = s32[] constant(7)\n", condition("0", "GT"),
                 "  %c1 = s32[] constant(1)\n  %j = s32[] subtract(%i, %c1)\n"),
        7);
    row("constant on the left",
        loopText(zero, "  %c = s32[] constant(5)\n  ROOT %q = pred[] compare(%c, %k), direction=GT\n", plusOne), 5);
    row("limit in the state", loopText(zero, "  ROOT %q = pred[] compare(%k, %m), direction=LT\n", plusOne), 12);
    row("offset in the condition",
        loopText(zero,
                 "  %two = s32[] constant(2)\n  %k2 = s32[] add(%k, %two)\n  %c = s32[] constant(10)\n"
                 "  ROOT %q = pred[] compare(%k2, %c), direction=LT\n",
                 plusOne),
        8);
    row("copied counter",
        loopText("  %z = s32[] constant(0)\n  %i0 = s32[] copy(%z)\n", condition("10", "LT"),
                 "  %one = s32[] constant(1)\n  %j0 = s32[] add(%i, %one)\n  %j = s32[] copy(%j0)\n"),
        10);
    row("never ends", loopText(zero, condition("10", "LT"), "  %j = s32[] copy(%i)\n"), -1);
    row("runs away", loopText(zero, condition("10", "LT"), "  %c1 = s32[] constant(-1)\n  %j = s32[] add(%i, %c1)\n"),
        -1);
    row("jumps over", loopText(zero, condition("10", "NE"), "  %c3 = s32[] constant(3)\n  %j = s32[] add(%i, %c3)\n"),
        -1);
    row("doubles", loopText(zero, condition("10", "LT"), "  %j = s32[] add(%i, %i)\n"), -1);
    row("starts from data", loopText("  %i0 = s32[] parameter(1)\n", condition("10", "LT"), plusOne), -1);
    row("written by the compiler",
        loopText(zero, condition("10", "LT"), plusOne)
            .replace("body=%body", "body=%body, backend_config={\"known_trip_count\":{\"n\":\"33\"}}"),
        33);
    row("body in front of the condition",
        loopText(zero, condition("10", "LT"), plusOne)
            .replace("condition=%cond, body=%body", "body=%body, condition=%cond"),
        10);
    row("step in a fusion",
        loopText(zero, condition("10", "LT"), "  %j = s32[] fusion(%i), kind=kLoop, calls=%step\n")
            .replace("%body {",
                     "%step {\n  %a = s32[] parameter(0)\n  %b = s32[] constant(2)\n"
                     "  ROOT %s2 = s32[] add(%a, %b)\n}\n\n%body {"),
        5);
}

void TestOpCost::tripCounts()
{
    QFETCH(QByteArray, text);
    QFETCH(qint64, count);
    const auto module = testdata::parseText(text);
    QVERIFY(module);
    const InstructionId loop = module->findInstruction("x");
    QVERIFY(loop.isValid());
    const std::optional<int64_t> found = tripCount(*module, loop);
    QCOMPARE(found.value_or(-1), int64_t{count});
    QVERIFY(!tripCount(*module, module->findInstruction("init")));
}

void TestOpCost::tripCountsOfPrograms_data()
{
    QTest::addColumn<QString>("program");
    QTest::addColumn<QList<qint64>>("counts"); // of all loops, in the order of the text
    QTest::newRow("scan over 256 steps, v4") << "corpus/scan_rnn.v4-2x2x1/module.hlo" << QList<qint64>{256};
    QTest::newRow("scan over 256 steps, v5e") << "corpus/scan_rnn.v5e-2x2/module.hlo" << QList<qint64>{256};
    QTest::newRow("while below 10") << "corpus/control_flow.v5e-2x2/module.hlo" << QList<qint64>{10};
    QTest::newRow("8 layers and back") << "corpus/lm_train_scan.v5e-2x2/module.hlo" << QList<qint64>{8, 8};
    QTest::newRow("fori_loop(0, 100)") << "op-corpus/v5e/while_fori.hlo.txt.gz" << QList<qint64>{100};
    QTest::newRow("scan over 12 matrices") << "op-corpus/v6e/scan12_mm.hlo.txt.gz" << QList<qint64>{12};
}

void TestOpCost::tripCountsOfPrograms()
{
    QFETCH(QString, program);
    QFETCH(QList<qint64>, counts);
    const QString path = testdata::shared(program);
    if (path.isEmpty())
        QSKIP("the shared corpora are not here");
    const auto module = testdata::parseModule(path);
    QVERIFY(module);
    QList<qint64> found;
    for (size_t i = 0; i < module->instructions.size(); ++i) {
        if (module->instructions[i].opcode == Opcode::While)
            found << tripCount(*module, InstructionId(i)).value_or(-1);
    }
    QCOMPARE(found, counts);
}

// The while of ten around the add: body ten times, condition eleven times.
void TestOpCost::multipliesLoops()
{
    const auto module = testdata::parseText(loopText(
        "  %i0 = s32[] constant(0)\n", "  %c = s32[] constant(10)\n  ROOT %q = pred[] compare(%k, %c), direction=LT\n",
        "  %one = s32[] constant(1)\n  %j = s32[] add(%i, %one)\n"));
    QVERIFY(module);
    const ModuleCost cost = analyseCost(*module, *findChip("v5e"));
    QCOMPARE(cost.occurrences[module->findComputation("body").index()], 10.0);
    QCOMPARE(cost.occurrences[module->findComputation("cond").index()], 11.0);
    QCOMPARE(cost.occurrences[module->entry.index()], 1.0);
    const double body = *costOf(*module, cost, "w")->modelPs + *costOf(*module, cost, "j")->modelPs;
    const double condition = *costOf(*module, cost, "q")->modelPs;
    QVERIFY(body > 0 && condition > 0);
    QVERIFY(std::abs(cost.modelPs - (10 * body + 11 * condition)) < 1e-6 * cost.modelPs);
    QCOMPARE(*costOf(*module, cost, "x")->modelPs, 0.0);
    // XLA counts one iteration.
    QCOMPARE(cost.total.flops, 1024.0 + 1 + 1);
}

void TestOpCost::takesTheDearestBranch()
{
    const auto module = testdata::parseText(
        "HloModule m, is_scheduled=true\n\n"
        "%small {\n  %a = f32[1024]{0:T(1024)} parameter(0)\n  ROOT %a1 = f32[1024]{0:T(1024)} negate(%a)\n}\n\n"
        "%large {\n  %b = f32[1024]{0:T(1024)} parameter(0)\n  %b1 = f32[1024]{0:T(1024)} negate(%b)\n"
        "  ROOT %b2 = f32[1024]{0:T(1024)} negate(%b1)\n}\n\n"
        "ENTRY %main {\n  %s = s32[] parameter(0)\n  %p = f32[1024]{0:T(1024)} parameter(1)\n"
        "  ROOT %x = f32[1024]{0:T(1024)} conditional(%s, %p, %p), branch_computations={%small, %large}\n}\n");
    QVERIFY(module);
    const ModuleCost cost = analyseCost(*module, *findChip("v5e"));
    QCOMPARE(cost.occurrences[module->findComputation("small").index()], 1.0);
    QCOMPARE(cost.occurrences[module->findComputation("large").index()], 1.0);
    QCOMPARE(cost.modelPs, *costOf(*module, cost, "b1")->modelPs + *costOf(*module, cost, "b2")->modelPs);
    QCOMPARE(cost.total.flops, 2048.0);
}

void TestOpCost::fusedBodiesHaveNoTime()
{
    const auto module = testdata::parseModule(testdata::path(QStringLiteral("corpus/ffw.v2-2x2/module.hlo")));
    QVERIFY(module);
    const ModuleCost cost = analyseCost(*module, *findChip("v2"));
    const OpCost* inner = costOf(*module, cost, "convolution.3");
    QVERIFY(inner);
    QVERIFY(inner->xla.flops > 0);
    QVERIFY(!inner->modelPs);
    QCOMPARE(inner->boundBy, BoundBy::None);
    QCOMPARE(cost.occurrences[module->findComputation("fused_computation.2").index()], 0.0);
    QCOMPARE(cost.occurrences[module->findComputation("add.clone").index()], 0.0);
}

// 1 MiB from HBM to VMEM on v5e: 1.2 us and 1 MiB at 737.66 GB/s; to the host at 15 GB/s.
void TestOpCost::transfersRunBesideTheCore()
{
    const auto module = testdata::parseText(
        "HloModule m, is_scheduled=true\n\nENTRY %main {\n  %p = f32[512,512]{1,0:T(8,128)} parameter(0)\n"
        "  %c = (f32[512,512]{1,0:T(8,128)S(1)}, f32[512,512]{1,0:T(8,128)}, u32[]{:S(2)}) copy-start(%p)\n"
        "  %d = f32[512,512]{1,0:T(8,128)S(1)} copy-done(%c)\n"
        "  %h = (f32[512,512]{1,0:T(8,128)S(5)}, f32[512,512]{1,0:T(8,128)}, u32[]{:S(2)}) copy-start(%p)\n"
        "  %e = f32[512,512]{1,0:T(8,128)S(5)} copy-done(%h)\n"
        "  ROOT %t = (f32[512,512]{1,0:T(8,128)S(1)}, f32[512,512]{1,0:T(8,128)S(5)}) tuple(%d, %e)\n}\n");
    QVERIFY(module);
    const ModuleCost cost = analyseCost(*module, *findChip("v5e"));
    const double bytes = 1024 * 1024;
    const OpCost* start = costOf(*module, cost, "c");
    QVERIFY(std::abs(*start->modelPs - (1.2e6 + bytes / 737.6606e9 * 1e12)) < 1);
    QCOMPARE(start->hbmReadBytes, bytes);
    QCOMPARE(start->vmemWriteBytes, bytes);
    QCOMPARE(*costOf(*module, cost, "d")->modelPs, 0.0);
    const OpCost* host = costOf(*module, cost, "h");
    QCOMPARE(host->boundBy, BoundBy::Host);
    QVERIFY(std::abs(*host->modelPs - bytes / 15e9 * 1e12) < 1);
    QCOMPARE(cost.modelPs, 0.0); // nothing is left for the core
}

void TestOpCost::unknownIsCounted()
{
    const auto module =
        testdata::parseText("HloModule m, is_scheduled=true, num_partitions=4\n\nENTRY %main {\n"
                            "  %p = f32[1024]{0:T(1024)} parameter(0)\n"
                            "  %a = f32[4096]{0:T(1024)} all-gather(%p), replica_groups={{0,1,2,3}}, dimensions={0}\n"
                            "  %k = f32[1024]{0:T(1024)} custom-call(%p), custom_call_target=\"Secret\"\n"
                            "  ROOT %t = (f32[4096]{0:T(1024)}, f32[1024]{0:T(1024)}) tuple(%a, %k)\n}\n");
    QVERIFY(module);
    const ModuleCost linked = analyseCost(*module, *findChip("v5e"));
    QCOMPARE(linked.unknownOps, int64_t{1});
    QCOMPARE(linked.unpricedOps, int64_t{1});
    QVERIFY(costOf(*module, linked, "a")->modelPs);
    QVERIFY(!costOf(*module, linked, "k")->modelPs);
    QCOMPARE(costOf(*module, linked, "k")->boundBy, BoundBy::Unknown);
    const ModuleCost linkless = analyseCost(*module, *findChip("v4i")); // no link rate is known
    QCOMPARE(linkless.unknownOps, int64_t{2});
    QCOMPARE(costOf(*module, linkless, "a")->boundBy, BoundBy::Unknown);
}

// Before any optimisation there are no windows, no tiles and no memory spaces.
void TestOpCost::unscheduledModulesWork()
{
    const auto module = testdata::parseModule(testdata::path(QStringLiteral("corpus/ffw.v2-2x2/before.hlo")));
    QVERIFY(module);
    const ModuleCost cost = analyseCost(*module, *findChip("v2"));
    const OpCost* dot = costOf(*module, cost, "dot_general.3");
    QVERIFY(dot && dot->modelPs);
    const double flops = 2.0 * 32 * 1024 * 8192 * 32768; // of all eight devices
    QCOMPARE(dot->xla.flops, flops);
    QVERIFY(*dot->modelPs > flops / 23e12 * 1e12 && *dot->modelPs < 1.05 * flops / 22.8e12 * 1e12);
}

void TestOpCost::cancels()
{
    const auto module = testdata::parseModule(testdata::path(QStringLiteral("corpus/ffw.v2-2x2/module.hlo")));
    QVERIFY(module);
    Progress progress;
    progress.cancel();
    const ModuleCost cost = analyseCost(*module, *findChip("v2"), &progress);
    QCOMPARE(cost.ops.size(), module->instructions.size());
    QCOMPARE(cost.modelPs, 0.0);
}

QTEST_APPLESS_MAIN(TestOpCost)
#include "tst_op_cost.moc"
