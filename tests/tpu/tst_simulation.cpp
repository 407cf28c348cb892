// SPDX-License-Identifier: Apache-2.0
#include "tpu_test_data.h"

#include "core/tpu/name_scope.h"
#include "core/tpu/simulation.h"

#include <QtTest>

#include <map>

using namespace hloscope;

namespace {

// Picoseconds by instruction; what is not named takes no time.
using Times = std::map<std::string, double>;

ModuleCost priced(const HloModule& module, const Times& modelPs)
{
    ModuleCost cost;
    cost.chip = findChip("v5e");
    cost.ops.resize(module.instructions.size());
    cost.occurrences.assign(module.computations.size(), 1);
    for (size_t i = 0; i < cost.ops.size(); ++i) {
        const auto found = modelPs.find(std::string(module.instructions[i].name));
        cost.ops[i].modelPs = found == modelPs.end() ? 0 : found->second;
    }
    return cost;
}

OpCost& costOf(ModuleCost& cost, const HloModule& module, std::string_view name)
{
    return cost.ops[module.findInstruction(name).index()];
}

Simulation run(const std::shared_ptr<const HloModule>& module, const ModuleCost& cost,
               const SimulationOptions& options = {}, const MemoryReport* memory = nullptr)
{
    auto result = simulate(module, cost, memory, options);
    if (!result)
        qWarning("%s", result.error().format().c_str());
    return result ? *std::move(result) : Simulation();
}

// "name begin+duration" of every event of a line, in order; one ">" per level of nesting before it.
QStringList line(const Trace& trace, const char* name)
{
    QStringList events;
    for (const Track& track : trace.tracks) {
        if (track.name != name)
            continue;
        for (uint32_t i = track.events.begin; i < track.events.end(); ++i) {
            const EventId id(i);
            events << QString(trace.depths[i], '>') + QString::fromStdString(trace.kind(id).label())
                    + QStringLiteral(" %1+%2").arg(trace.begin(id)).arg(trace.duration(id));
        }
    }
    return events;
}

const Counter* counter(const Trace& trace, const char* name)
{
    for (const Counter& candidate : trace.counters) {
        if (candidate.name == name)
            return &candidate;
    }
    return nullptr;
}

// "time:value", the value divided by `unit`.
QStringList points(const Counter& counter, double unit)
{
    QStringList texts;
    for (size_t i = 0; i < counter.times.size(); ++i)
        texts << QStringLiteral("%1:%2").arg(counter.times[i]).arg(counter.values[i] / unit);
    return texts;
}

QStringList scopeTexts(const Simulation& simulation)
{
    QStringList texts;
    for (const ScopeTime& scope : simulation.scopes)
        texts
            << QStringLiteral("%1 %2 %3").arg(QString::fromStdString(scope.scope)).arg(scope.selfPs).arg(scope.totalPs);
    return texts;
}

QString problems(const Trace& trace)
{
    QStringList texts;
    for (const Diagnostic& diagnostic : trace.problems.diagnostics())
        texts << QString::fromStdString(diagnostic.message);
    for (const auto& [what, count] : trace.problems.counts())
        texts << QString::fromStdString(what);
    return texts.join('\n');
}

constexpr const char* kTransfers = R"(HloModule m, is_scheduled=true

ENTRY %main (p: f32[256]) -> f32[256] {
  %p = f32[256]{0} parameter(0)
  %st = (f32[256]{0:S(1)}, f32[256]{0}, u32[]{:S(2)}) copy-start(%p)
  %st2 = (f32[256]{0:S(1)}, f32[256]{0}, u32[]{:S(2)}) copy-start(%p)
  %cp = (f32[256]{0}, f32[256]{0}, u32[]{:S(2)}, u32[]{:S(2)}) collective-permute-start(%p), source_target_pairs={{0,1},{1,0}}
  %x = f32[256]{0} negate(%p)
  %d = f32[256]{0:S(1)} copy-done(%st)
  %y = f32[256]{0} add(%x, %d)
  %d2 = f32[256]{0:S(1)} copy-done(%st2)
  %cd = f32[256]{0} collective-permute-done(%cp)
  %z = f32[256]{0} add(%y, %d2)
  ROOT %r = f32[256]{0} add(%z, %cd)
}
)";

// Runs its body four times.
constexpr const char* kLoop = R"(HloModule m, is_scheduled=true

%cond (p: (s32[], f32[256])) -> pred[] {
  %p = (s32[], f32[256]{0}) parameter(0)
  %i = s32[] get-tuple-element(%p), index=0
  %n = s32[] constant(4)
  ROOT %lt = pred[] compare(%i, %n), direction=LT
}

%body (q: (s32[], f32[256])) -> (s32[], f32[256]) {
  %q = (s32[], f32[256]{0}) parameter(0)
  %j = s32[] get-tuple-element(%q), index=0
  %one = s32[] constant(1)
  %next = s32[] add(%j, %one)
  %x = f32[256]{0} get-tuple-element(%q), index=1
  %y = f32[256]{0} multiply(%x, %x), metadata={op_name="jit(f)/while/body/layer/mul"}
  ROOT %t = (s32[], f32[256]{0}) tuple(%next, %y)
}

ENTRY %main (a: f32[256]) -> f32[256] {
  %a = f32[256]{0} parameter(0)
  %zero = s32[] constant(0)
  %before = f32[256]{0} negate(%a), metadata={op_name="jit(f)/head/neg"}
  %init = (s32[], f32[256]{0}) tuple(%zero, %before)
  %loop = (s32[], f32[256]{0}) while(%init), condition=%cond, body=%body
  %out = f32[256]{0} get-tuple-element(%loop), index=1
  ROOT %after = f32[256]{0} negate(%out)
}
)";
const Times kLoopTimes{{"before", 5}, {"lt", 1}, {"y", 10}, {"after", 7}};

} // namespace

class TestSimulation : public QObject {
    Q_OBJECT

private slots:
    // The mockups and libtpu's estimates (estimated_cycles / 700 MHz): 609.4 ms without the 8 collectives, which have
    // no estimate; 30 ops with them; two layers with attention (q, k, v, scores, attend, o) and mlp (up, down).
    void simulatesTheTransformer()
    {
        const auto module = testdata::parseModule(testdata::path("corpus/transformer_sharded.v2-2x2/module.hlo"));
        QVERIFY(module);
        const ModuleCost cost = analyseCost(*module, *findChip("v2"));
        const auto memory = analyseMemory(*module);
        QVERIFY(memory);
        const Simulation simulation = run(module, cost, {Timing::Compiler, 2'000'000}, &*memory);
        const Trace& trace = *simulation.trace;
        QCOMPARE(QString::number(double(simulation.totalPs) / 1e9, 'f', 1), QString("609.4"));
        QCOMPARE(simulation.opsWithoutTime, 8);
        QCOMPARE(QString::number(*simulation.mfu * 100, 'f', 1), QString("96.1"));
        QCOMPARE(simulation.peakHbmBytes, 2282225664);
        QCOMPARE(line(trace, "XLA Modules"), QStringList(QStringLiteral("jit_net 0+%1").arg(simulation.totalPs)));
        QCOMPARE(line(trace, "XLA Ops").size(), 30);
        QCOMPARE(line(trace, "Collectives").size(), 8);
        QCOMPARE(line(trace, "Name scopes").size(), 2 * (1 + 2 + 8));
        QVERIFY(trace.isSimulated);
        QCOMPARE(trace.module, module);
        QCOMPARE(problems(trace), QString());
        QStringList ms;
        for (const ScopeTime& scope : simulation.scopes) {
            if (scope.scope.starts_with("layer_0"))
                ms << QString::fromStdString(scope.scope) + ' ' + QString::number(double(scope.totalPs) / 1e9, 'g', 4);
        }
        QCOMPARE(ms,
                 QStringList({"layer_0 304.7", "layer_0/attention 108", "layer_0/attention/q_proj 24.5",
                              "layer_0/attention/k_proj 24.5", "layer_0/attention/v_proj 24.5",
                              "layer_0/attention/scores 5.663", "layer_0/attention/attend 3.057",
                              "layer_0/attention/o_proj 25.76", "layer_0/mlp 196.7", "layer_0/mlp/up 97.94",
                              "layer_0/mlp/down 98.79"}));
        const EventId down = simulation.eventOf[module->findInstruction("fusion.15").index()];
        QVERIFY(down.isValid());
        QCOMPARE(trace.kind(down).instruction, module->findInstruction("fusion.15"));
        QCOMPARE(trace.kind(down).category, OpCategory::Matmul);
        QCOMPARE(QString::number(double(trace.duration(down)) / 1e9, 'f', 2), QString("97.66"));
        QVERIFY(!simulation.eventOf[module->findInstruction("get-tuple-element.3").index()].isValid());
        // 22.70 TFLOP/s of the attend matmul is the highest rate, 178.6 GB/s of a residual sum the highest traffic.
        const Counter* mxu = counter(trace, "MXU rate");
        const Counter* traffic = counter(trace, "HBM bandwidth");
        const Counter* inUse = counter(trace, "HBM in use");
        QVERIFY(mxu && traffic && inUse);
        QCOMPARE(QString::number(*std::max_element(mxu->values.begin(), mxu->values.end()) / 1e12, 'f', 2),
                 QString("22.70"));
        QCOMPARE(QString::number(*std::max_element(traffic->values.begin(), traffic->values.end()) / 1e9, 'f', 1),
                 QString("178.6"));
        QCOMPARE(qint64(*std::max_element(inUse->values.begin(), inUse->values.end())), qint64(2282225664));
        QCOMPARE(*mxu->limit, 23e12);
        QCOMPARE(*inUse->limit, 8.0 * (1 << 30));
    }

    void pricesCollectivesWithTheModel()
    {
        const auto module = testdata::parseModule(testdata::path("corpus/ffw.v2-2x2/module.hlo"));
        QVERIFY(module);
        const Simulation simulation = run(module, analyseCost(*module, *findChip("v2")), {Timing::Model, 2'000'000});
        QCOMPARE(simulation.opsWithoutTime, 0);
        const QStringList collectives = line(*simulation.trace, "Collectives");
        QCOMPARE(collectives.size(), 2);
        // Measured on a real v2: the up projection takes 96 ms, the ReduceScatter 1.13 ms.
        const auto milliseconds = [&](const char* name) {
            return double(simulation.trace->duration(simulation.eventOf[module->findInstruction(name).index()])) / 1e9;
        };
        QVERIFY(milliseconds("fusion.3") > 90 && milliseconds("fusion.3") < 105);
        QVERIFY(milliseconds("fusion") > 0.9 && milliseconds("fusion") < 1.4);
    }

    void runsOpsInScheduleOrder()
    {
        const auto module = testdata::parseText(R"(HloModule m, is_scheduled=true

ENTRY %main (p: f32[256]) -> f32[256] {
  %p = f32[256]{0} parameter(0)
  %a = f32[256]{0} negate(%p)
  %v = f32[256]{0} bitcast(%a)
  %b = f32[256]{0} exponential(%v)
  %free = f32[256]{0} copy(%b)
  %u = f32[256]{0} custom-call(%free), custom_call_target="Unheard"
  ROOT %c = f32[256]{0} all-reduce(%u), replica_groups={}, to_apply=%nothing
}
)");
        QVERIFY(module);
        ModuleCost cost = priced(*module, {{"a", 5}, {"b", 7.4}, {"c", 40}});
        costOf(cost, *module, "u").modelPs = std::nullopt;
        const Simulation simulation = run(module, cost);
        // bitcast and the free copy make no event; the custom call stands at 12 with no time, inside what begins there.
        QCOMPARE(line(*simulation.trace, "XLA Ops"), QStringList({"a 0+5", "b 5+7", "c 12+40", ">u 12+0"}));
        QCOMPARE(line(*simulation.trace, "Collectives"), QStringList("c 12+40"));
        QCOMPARE(simulation.totalPs, 52);
        QCOMPARE(simulation.opsWithoutTime, 1);
        QVERIFY(!simulation.mfu || *simulation.mfu == 0);
        const auto isShown = [&](const char* name) {
            return simulation.eventOf[module->findInstruction(name).index()].isValid();
        };
        QVERIFY(isShown("a") && isShown("u") && isShown("c"));
        QVERIFY(!isShown("p") && !isShown("v") && !isShown("free"));
    }

    void choosesTheTiming_data()
    {
        QTest::addColumn<int>("timing");
        QTest::addColumn<qint64>("total");
        QTest::addColumn<qint64>("without");
        // a: model 10, compiler 8; b: model 20 only.
        QTest::newRow("best") << int(Timing::Best) << qint64(28) << qint64(0);
        QTest::newRow("model") << int(Timing::Model) << qint64(30) << qint64(0);
        QTest::newRow("hardware") << int(Timing::Hardware) << qint64(30) << qint64(0);
        QTest::newRow("compiler") << int(Timing::Compiler) << qint64(8) << qint64(1);
    }

    void choosesTheTiming()
    {
        QFETCH(int, timing);
        QFETCH(qint64, total);
        QFETCH(qint64, without);
        const auto module = testdata::parseText(R"(HloModule m, is_scheduled=true

ENTRY %main (p: f32[256]) -> f32[256] {
  %p = f32[256]{0} parameter(0)
  %a = f32[256]{0} negate(%p)
  ROOT %b = f32[256]{0} exponential(%a)
}
)");
        QVERIFY(module);
        ModuleCost cost = priced(*module, {{"a", 10}, {"b", 20}});
        costOf(cost, *module, "a").compilerPs = 8;
        const Simulation simulation = run(module, cost, {Timing(timing), 100});
        QCOMPARE(qint64(simulation.totalPs), total);
        QCOMPARE(qint64(simulation.opsWithoutTime), without);
    }

    // st takes the DMA engine 0-100, st2 then 100-150; the permute has the links 0-60. The core runs x 0-30, waits for
    // st until 100, runs y 100-105, waits for st2 until 150, not for the permute, and runs z and r.
    void waitsForTransfers()
    {
        const auto module = testdata::parseText(kTransfers);
        QVERIFY(module);
        const Simulation simulation = run(
            module, priced(*module, {{"st", 100}, {"st2", 50}, {"cp", 60}, {"x", 30}, {"y", 5}, {"z", 1}, {"r", 1}}));
        const Trace& trace = *simulation.trace;
        QCOMPARE(line(trace, "XLA Ops"),
                 QStringList({"x 0+30", "d 30+70", "y 100+5", "d2 105+45", "z 150+1", "r 151+1"}));
        QCOMPARE(line(trace, "Async XLA Ops"), QStringList({"st 0+100", "st2 100+50"}));
        QCOMPARE(line(trace, "Collectives"), QStringList("cp 0+60"));
        QCOMPARE(simulation.totalPs, 152);
        const auto eventOf = [&](const char* name) {
            return simulation.eventOf[module->findInstruction(name).index()];
        };
        QCOMPARE(trace.kind(eventOf("d")).name, std::string("d"));
        QCOMPARE(eventOf("cd"), eventOf("cp")); // a done op that never waited
        QCOMPARE(trace.kind(eventOf("cp")).category, OpCategory::Collective);
        const std::vector<Argument> waiting = trace.arguments(eventOf("d"));
        QCOMPARE(waiting.front().name, std::string("waits_for"));
        QCOMPARE(waiting.front().value, std::string("st"));
    }

    void doesNotWaitForWhatHasEnded()
    {
        const auto module = testdata::parseText(kTransfers);
        QVERIFY(module);
        const Simulation simulation =
            run(module, priced(*module, {{"st", 10}, {"st2", 15}, {"cp", 60}, {"x", 30}, {"y", 5}, {"z", 1}}));
        QCOMPARE(line(*simulation.trace, "XLA Ops"), QStringList({"x 0+30", "y 30+5", "cd 35+25", "z 60+1"}));
        QCOMPARE(simulation.totalPs, 61);
    }

    // The total lasts until the last unit is done, even if no op waits for it.
    void countsTransfersThatOutliveTheCore()
    {
        const auto module = testdata::parseText(R"(HloModule m, is_scheduled=true

ENTRY %main (p: f32[256]) -> f32[256] {
  %p = f32[256]{0} parameter(0)
  %st = (f32[256]{0:S(1)}, f32[256]{0}, u32[]{:S(2)}) copy-start(%p)
  ROOT %x = f32[256]{0} negate(%p)
}
)");
        QVERIFY(module);
        QCOMPARE(run(module, priced(*module, {{"st", 100}, {"x", 30}})).totalPs, 100);
    }

    // Each iteration: lt 1, y 10; the condition once more at the end. 5 + 4 x 11 + 1 + 7 = 57.
    void runsLoopsTripByTrip()
    {
        const auto module = testdata::parseText(kLoop);
        QVERIFY(module);
        const Simulation simulation = run(module, priced(*module, kLoopTimes));
        QCOMPARE(line(*simulation.trace, "XLA Ops"),
                 QStringList({"before 0+5", "loop 5+45", ">lt 5+1", ">y 6+10", ">lt 16+1", ">y 17+10", ">lt 27+1",
                              ">y 28+10", ">lt 38+1", ">y 39+10", ">lt 49+1", "after 50+7"}));
        QCOMPARE(simulation.totalPs, 57);
        QCOMPARE(problems(*simulation.trace), QString());
        // The loop's own scope is empty, the body's is "layer": 4 x 10; lt and after lie in none.
        QCOMPARE(scopeTexts(simulation), QStringList({"head 5 5", "layer 40 40", " 12 12"}));
        QCOMPARE(line(*simulation.trace, "Name scopes"),
                 QStringList({"head 0+5", "layer 6+10", "layer 17+10", "layer 28+10", "layer 39+10"}));
        const EventId loop = simulation.eventOf[module->findInstruction("loop").index()];
        const std::vector<Argument> arguments = simulation.trace->arguments(loop);
        QCOMPARE(arguments.front().name, std::string("iterations"));
        QCOMPARE(arguments.front().number, std::optional<double>(4));
    }

    // All 12 events do not fit into 8: the loop becomes one block of the same length, and no time is lost.
    void showsLongLoopsAsOneBlock()
    {
        const auto module = testdata::parseText(kLoop);
        QVERIFY(module);
        const Simulation simulation = run(module, priced(*module, kLoopTimes), {Timing::Best, 8});
        QCOMPARE(line(*simulation.trace, "XLA Ops"), QStringList({"before 0+5", "loop 5+45", "after 50+7"}));
        QCOMPARE(simulation.totalPs, 57);
        QVERIFY2(problems(*simulation.trace).contains("the 4 iterations of 'loop' are shown as one block"),
                 qPrintable(problems(*simulation.trace)));
        QCOMPARE(sorted(scopeTexts(simulation)), sorted({"layer 40 40", "head 5 5", " 12 12"}));
        QVERIFY(!simulation.eventOf[module->findInstruction("y").index()].isValid());
    }

    // 10^12 iterations: 11 x 10^12 ps, at once and without memory.
    void survivesEndlessLoops()
    {
        QString text = kLoop;
        text.replace("constant(4)", "constant(1000000000000)");
        text.replace("s32[]", "s64[]");
        const auto module = testdata::parseText(text.toStdString().c_str());
        QVERIFY(module);
        const Simulation simulation = run(module, priced(*module, kLoopTimes));
        QCOMPARE(simulation.totalPs, 5 + 11'000'000'000'000 + 1 + 7);
        QCOMPARE(simulation.trace->eventCount(), size_t(1 + 3 + 1)); // the module, three ops, the scope "head"
    }

    // Each computation calls the one below twice: 2^40 runs of 1 ps.
    void survivesCallsOfCalls()
    {
        std::string text = "HloModule m, is_scheduled=true\n\n%f0 (p: f32[8]) -> f32[8] {\n"
                           "  %p0 = f32[8]{0} parameter(0)\n  ROOT %op = f32[8]{0} negate(%p0)\n}\n";
        for (int i = 1; i <= 40; ++i) {
            const std::string n = std::to_string(i);
            const std::string callee = "), to_apply=%f" + std::to_string(i - 1);
            text += "\n%f" + n + " (p: f32[8]) -> f32[8] {\n  %p" + n + " = f32[8]{0} parameter(0)\n  %a" + n
                + " = f32[8]{0} call(%p" + n + callee + "\n  ROOT %b" + n + " = f32[8]{0} call(%a" + n + callee
                + "\n}\n";
        }
        text += "\nENTRY %main (p: f32[8]) -> f32[8] {\n  %p = f32[8]{0} parameter(0)\n"
                "  ROOT %r = f32[8]{0} call(%p), to_apply=%f40\n}\n";
        const auto module = testdata::parseText(text.c_str());
        QVERIFY(module);
        const Simulation simulation = run(module, priced(*module, {{"op", 1}}), {Timing::Best, 1000});
        QCOMPARE(simulation.totalPs, int64_t(1) << 40);
        QVERIFY(simulation.trace->eventCount() < 2000);
        QVERIFY(!problems(*simulation.trace).isEmpty());
    }

    void takesTheFirstBranchAndSaysSo()
    {
        const auto module = testdata::parseText(R"(HloModule m, is_scheduled=true

%t (tp: f32[8]) -> f32[8] {
  %tp = f32[8]{0} parameter(0)
  ROOT %yes = f32[8]{0} negate(%tp)
}

%f (fp: f32[8]) -> f32[8] {
  %fp = f32[8]{0} parameter(0)
  ROOT %no = f32[8]{0} exponential(%fp)
}

ENTRY %main (a: f32[8], c: pred[]) -> f32[8] {
  %a = f32[8]{0} parameter(0)
  %c = pred[] parameter(1)
  %pick = f32[8]{0} conditional(%c, %a, %a), true_computation=%t, false_computation=%f
  ROOT %r = f32[8]{0} call(%pick), to_apply=%f
}
)");
        QVERIFY(module);
        const Simulation simulation = run(module, priced(*module, {{"yes", 3}, {"no", 4}}));
        QCOMPARE(line(*simulation.trace, "XLA Ops"), QStringList({"pick 0+3", ">yes 0+3", "r 3+4", ">no 3+4"}));
        QVERIFY2(problems(*simulation.trace).contains("the first of 2 branches of 'pick' is taken"),
                 qPrintable(problems(*simulation.trace)));
    }

    // In a row, equal scopes are one event; an op without time does not end one, an op outside does.
    void joinsScopes()
    {
        const auto module = testdata::parseText(R"(HloModule m, is_scheduled=true

ENTRY %main (p: f32[8]) -> f32[8] {
  %p = f32[8]{0} parameter(0)
  %a = f32[8]{0} negate(%p), metadata={op_name="jit(f)/layer_0/mlp/up/dot_general"}
  %b = f32[8]{0} negate(%a), metadata={op_name="jit(f)/layer_0/mlp/down/dot_general"}
  %u = f32[8]{0} custom-call(%b), custom_call_target="Unheard"
  %c = f32[8]{0} negate(%u), metadata={op_name="jit(f)/layer_0/mlp/down/add"}
  %d = f32[8]{0} negate(%c)
  ROOT %e = f32[8]{0} negate(%d), metadata={op_name="jit(f)/layer_0/add"}
}
)");
        QVERIFY(module);
        ModuleCost cost = priced(*module, {{"a", 1}, {"b", 2}, {"c", 4}, {"d", 8}, {"e", 16}});
        costOf(cost, *module, "u").modelPs = std::nullopt;
        const Simulation simulation = run(module, cost);
        QCOMPARE(line(*simulation.trace, "Name scopes"),
                 QStringList({"layer_0 0+7", ">mlp 0+7", ">>up 0+1", ">>down 1+6", "layer_0 15+16"}));
        QCOMPARE(
            scopeTexts(simulation),
            QStringList({"layer_0 16 23", "layer_0/mlp 0 7", "layer_0/mlp/up 1 1", "layer_0/mlp/down 6 6", " 8 8"}));
    }

    // dot: 4000 operations in 10 ps (4e14 per second), 20 bytes of HBM; the transfer beside it moves 40 bytes in 20 ps.
    void countsRates()
    {
        const auto module = testdata::parseText(R"(HloModule m, is_scheduled=true

ENTRY %main (x: f32[8,8]) -> f32[8,8] {
  %x = f32[8,8]{1,0} parameter(0)
  %st = (f32[8,8]{1,0:S(1)}, f32[8,8]{1,0}, u32[]{:S(2)}) copy-start(%x)
  %dot = f32[8,8]{1,0} dot(%x, %x), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  %d = f32[8,8]{1,0:S(1)} copy-done(%st)
  ROOT %s = f32[8,8]{1,0} add(%dot, %d)
}
)");
        QVERIFY(module);
        ModuleCost cost = priced(*module, {{"st", 20}, {"dot", 10}, {"s", 5}});
        costOf(cost, *module, "dot").xla.flops = 4000;
        costOf(cost, *module, "dot").hbmReadBytes = 15;
        costOf(cost, *module, "dot").hbmWriteBytes = 5;
        costOf(cost, *module, "st").hbmReadBytes = 40;
        const auto memory = analyseMemory(*module);
        QVERIFY(memory);
        const Simulation simulation = run(module, cost, {}, &*memory);
        QCOMPARE(line(*simulation.trace, "XLA Ops"), QStringList({"dot 0+10", "d 10+10", "s 20+5"}));
        QCOMPARE(points(*counter(*simulation.trace, "MXU rate"), 1e12), QStringList({"0:400", "10:0"}));
        QCOMPARE(points(*counter(*simulation.trace, "HBM bandwidth"), 1e12), QStringList({"0:4", "10:2", "20:0"}));
        // x and the result are held throughout: 256 bytes each; dot is alive from its position to the end.
        QCOMPARE(points(*counter(*simulation.trace, "HBM in use"), 1), QStringList({"0:768"}));
        QCOMPARE(simulation.mfu, std::optional<double>(4000 / (25e-12 * *findChip("v5e")->bf16FlopsPerSecond)));
        const EventId dot = simulation.eventOf[module->findInstruction("dot").index()];
        QStringList arguments;
        for (const Argument& argument : simulation.trace->arguments(dot))
            arguments << QString::fromStdString(argument.name + '=' + argument.value);
        QCOMPARE(arguments,
                 QStringList({"flops=4000", "bytes_accessed=0", "hbm_bytes=20", "bound_by=none", "model_ps=10"}));
    }

    void readsNameScopes_data()
    {
        QTest::addColumn<QString>("opName");
        QTest::addColumn<QString>("scopes");
        QTest::newRow("forward") << "jit(f)/layer_0/mlp/up/btd,df->btf/dot_general"
                                 << "layer_0/mlp/up";
        QTest::newRow("differentiated") << "jit(step)/jvp(layer_3)/attention/mul"
                                        << "layer_3/attention";
        QTest::newRow("backward") << "jit(step)/transpose(jvp(layer_3))/mlp/dot_general"
                                  << "backward/layer_3/mlp";
        QTest::newRow("scan") << "jit(step)/jvp()/while/body/closed_call/attention/sub"
                              << "attention";
        QTest::newRow("rematerialised")
            << "jit(step)/transpose(jvp())/while/body/closed_call/checkpoint/rematted_computation/mlp/tanh"
            << "backward/rematted_computation/mlp";
        QTest::newRow("jitted function inside") << "jit(f)/mlp/jit(silu)/neg"
                                                << "mlp";
        QTest::newRow("branch") << "jit(f)/cond/branch_1_fun/mlp/dot_general"
                                << "mlp";
        QTest::newRow("batched") << "jit(f)/vmap(head)/dot_general"
                                 << "head";
        QTest::newRow("slash inside") << "jit(f)/vmap(a/b)/dot_general"
                                      << "a/b";
        QTest::newRow("parameter") << "params[0][\\'q\\']"
                                   << "";
        QTest::newRow("only an op") << "reduce_sum"
                                    << "";
        QTest::newRow("nothing") << ""
                                 << "";
        QTest::newRow("unbalanced") << "jit(f)/vmap(x/dot"
                                    << "";
    }

    void readsNameScopes()
    {
        QFETCH(QString, opName);
        QFETCH(QString, scopes);
        QStringList names;
        for (const std::string& name : nameScopes(opName.toStdString()))
            names << QString::fromStdString(name);
        QCOMPARE(names.join('/'), scopes);
    }

    void runsEveryModule_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("chip");
        for (const testdata::PricedProgram& program : testdata::corpusPrograms())
            QTest::addRow("%s", qPrintable(program.name)) << program.hloPath << program.chip;
        if (testdata::corpusPrograms().isEmpty())
            QTest::newRow("none") << QString() << QString();
    }

    // What must hold for any module: the core's ops follow one another, nothing ends after the total, and the time in
    // the scopes is the time that the core was busy.
    void runsEveryModule()
    {
        QFETCH(QString, path);
        QFETCH(QString, chip);
        if (path.isEmpty())
            QSKIP("the shared corpus is not here");
        const auto module = testdata::parseModule(path);
        const ChipSpec* spec = findChip(chip.toStdString());
        QVERIFY(module && spec);
        const auto memory = analyseMemory(*module);
        QVERIFY(memory);
        const Simulation simulation = run(module, analyseCost(*module, *spec), {}, &*memory);
        const Trace& trace = *simulation.trace;
        QVERIFY(simulation.totalPs > 0);
        QCOMPARE(trace.span().second, simulation.totalPs);
        int64_t busy = 0;
        for (const Track& track : trace.tracks) {
            if (track.name == "XLA Ops")
                QVERIFY(!track.overlaps);
            int64_t last = 0;
            for (uint32_t i = track.events.begin; i < track.events.end() && track.name == "XLA Ops"; ++i) {
                const EventId id(i);
                const Opcode opcode = module->instruction(trace.kind(id).instruction).opcode;
                if (opcode == Opcode::While || opcode == Opcode::Conditional || opcode == Opcode::Call)
                    continue;
                QVERIFY(trace.begin(id) >= last || trace.duration(id) == 0);
                last = std::max(last, trace.end(id));
                busy += trace.duration(id);
            }
        }
        int64_t inScopes = 0;
        for (const ScopeTime& scope : simulation.scopes)
            inScopes += scope.selfPs;
        QVERIFY(std::abs(inScopes - busy) <= int64_t(simulation.scopes.size()));
        QVERIFY(simulation.peakHbmBytes == memory->spaces.front().peakBytes);
    }

    void refusesCostsOfAnotherModule()
    {
        const auto module = testdata::parseText(kLoop);
        const auto other = testdata::parseText(kTransfers);
        QVERIFY(module && other);
        const auto result = simulate(module, priced(*other, {}), nullptr);
        QVERIFY(!result);
        QVERIFY(result.error().message.find("another module") != std::string::npos);
    }

    void stopsOnCancel()
    {
        const auto module = testdata::parseText(kLoop);
        QVERIFY(module);
        Progress progress;
        progress.cancel();
        QVERIFY(!simulate(module, priced(*module, kLoopTimes), nullptr, {}, &progress));
    }

private:
    static QStringList sorted(QStringList list)
    {
        list.sort();
        return list;
    }
};

QTEST_APPLESS_MAIN(TestSimulation)
#include "tst_simulation.moc"
