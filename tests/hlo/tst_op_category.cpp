// SPDX-License-Identifier: Apache-2.0
#include "hlo_test_text.h"

#include "core/hlo/op_category.h"

#include <QtTest>

using namespace hloscope;
using hlotest::moduleOf;
using hlotest::ModulePtr;

namespace {

int number(OpCategory category)
{
    return static_cast<int>(category);
}

ModulePtr committed(const char* name)
{
    return hlotest::open(testdata::path(QStringLiteral("corpus/") + QLatin1String(name)));
}

} // namespace

class TestOpCategory : public QObject {
    Q_OBJECT

private slots:
    void sortsPlainOps_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<int>("category");
        const auto row = [](const char* line, OpCategory category) {
            QTest::newRow(line) << QString::fromLatin1(line) << number(category);
        };
        row("convolution(x, x), dim_labels=bf_io->bf", OpCategory::Matmul);
        row("dot(x, x)", OpCategory::Matmul);
        row("exponential(x)", OpCategory::Pointwise);
        row("broadcast(x), dimensions={}", OpCategory::Pointwise);
        row("reduce(x, x), dimensions={}, to_apply=f", OpCategory::Reduce);
        row("reduce-window(x, x), to_apply=f", OpCategory::Reduce);
        row("copy(x)", OpCategory::DataMovement);
        row("transpose(x)", OpCategory::DataMovement);
        row("gather(x, x)", OpCategory::DataMovement);
        row("bitcast(x)", OpCategory::DataMovement);
        row("all-reduce(x), to_apply=f", OpCategory::Collective);
        row("all-gather-start(x)", OpCategory::Collective);
        row("collective-permute-done(x)", OpCategory::Collective);
        row("copy-start(x)", OpCategory::AsyncDma);
        row("copy-done(x)", OpCategory::AsyncDma);
        row("slice-start(x)", OpCategory::AsyncDma);
        row("reduce-scatter-start(x), to_apply=f", OpCategory::Collective);
        row("while(x), condition=f, body=f", OpCategory::ControlFlow);
        row("tuple(x)", OpCategory::ControlFlow);
        row("custom-call(x), custom_call_target=\"t\"", OpCategory::CustomCall);
        row("infeed(x)", OpCategory::Host);
        row("send(x, x)", OpCategory::Host);
    }

    void sortsPlainOps()
    {
        QFETCH(QString, line);
        QFETCH(int, category);
        const ModulePtr module = moduleOf(("f {\n p = f32[] parameter(0)\n}\nENTRY e {\n x = f32[] parameter(0)\n"
                                           " ROOT op = f32[] "
                                           + line.toStdString() + "\n}"));
        QVERIFY(module);
        QCOMPARE(number(categorize(*module, module->findInstruction("op"))), category);
    }

    void asyncEndsFollowTheirStart()
    {
        const ModulePtr module = moduleOf("f {\n p = f32[] parameter(0)\n}\nENTRY e {\n x = f32[] parameter(0)\n"
                                          " s = ((f32[]), f32[], u32[]) reduce-scatter-start(x), to_apply=f\n"
                                          " u = ((f32[]), f32[], u32[]) reduce-scatter-update(s)\n"
                                          " ROOT d = f32[] reduce-scatter-done(u)\n}");
        QVERIFY(module);
        QCOMPARE(number(categorize(*module, module->findInstruction("d"))), number(OpCategory::Collective));
        QCOMPARE(fusionContents(*module, module->findInstruction("d")).collectives, 1);
    }

    // The fusions of two programs, contents counted by hand in module.hlo.
    void looksIntoFusions_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("category");
        QTest::addColumn<QList<int>>("contents"); // matmul, pointwise, reduce, movement, collective, custom call
        QTest::addColumn<bool>("reduceScatter");
        const QString ffw = QStringLiteral("ffw.v2-2x2/module.hlo");
        const QString einsum = QStringLiteral("einsum.v2-2x2/module.hlo");
        QTest::newRow("matmul with bitcast fusions inside")
            << einsum << "fusion" << number(OpCategory::Matmul) << QList<int>{1, 0, 0, 0, 0, 0} << false;
        QTest::newRow("only a bitcast") << einsum << "fusion.1" << number(OpCategory::Pointwise)
                                        << QList<int>{0, 0, 0, 0, 0, 0} << false;
        QTest::newRow("up-projection") << ffw << "fusion.3" << number(OpCategory::Matmul)
                                       << QList<int>{1, 0, 0, 0, 0, 0} << false;
        // all-reduce, multiply, and two dynamic-slices: one of the table of shards, one of the result.
        QTest::newRow("reduce-scatter") << ffw << "fusion" << number(OpCategory::Collective)
                                        << QList<int>{0, 1, 0, 2, 1, 0} << true;
    }

    void looksIntoFusions()
    {
        QFETCH(QString, file);
        QFETCH(QString, name);
        QFETCH(int, category);
        QFETCH(QList<int>, contents);
        QFETCH(bool, reduceScatter);
        const ModulePtr module = committed(file.toUtf8().constData());
        QVERIFY(module);
        const InstructionId id = module->findInstruction(name.toStdString());
        QVERIFY(id.isValid());
        QCOMPARE(number(categorize(*module, id)), category);
        const FusionContents found = fusionContents(*module, id);
        QCOMPARE((QList<int>{found.matmuls, found.pointwise, found.reduces, found.dataMovement, found.collectives,
                             found.customCalls}),
                 contents);
        QCOMPARE(found.isReduceScatter, reduceScatter);
    }

    void plainOpsHoldNothing()
    {
        const ModulePtr module = committed("ffw.v2-2x2/module.hlo");
        QVERIFY(module);
        const FusionContents found = fusionContents(*module, module->findInstruction("all-gather"));
        QCOMPARE(found.collectives, 0);
        // The adder that an all-reduce applies is no content of it.
        QCOMPARE(fusionContents(*module, module->findInstruction("all-reduce.1")).pointwise, 0);
    }

    void agreesWithTheNamesOfTheCompiler()
    {
        int reduceScatters = 0;
        for (const QString& path : hlotest::corpusTexts()) {
            if (!path.endsWith(QLatin1String("module.hlo")))
                continue;
            const ModulePtr module = hlotest::open(path);
            QVERIFY(module);
            for (uint32_t i = 0; i < module->instructions.size(); ++i) {
                const HloInstruction& op = module->instructions[i];
                if (op.opcode != Opcode::Fusion)
                    continue;
                const FusionContents contents = fusionContents(*module, InstructionId(i));
                const bool named =
                    module->computation(module->called(InstructionId(i))[0]).name.starts_with("all-reduce-scatter");
                QCOMPARE(contents.isReduceScatter, named);
                reduceScatters += named ? 1 : 0;
                // libtpu joins a depthwise convolution and the one in front of it, and nothing else.
                if (contents.matmuls > 1)
                    QVERIFY2(path.contains(QLatin1String("/convnet.")), qPrintable(path));
            }
        }
        QVERIFY(reduceScatters > 0);
    }

    void staysQuickWhenCallsMultiply()
    {
        // Each computation calls the one above twice: 2^200 ops.
        std::string text = "f0 {\n p = f32[] parameter(0)\n ROOT r = f32[] negate(p)\n}\n";
        for (int i = 1; i <= 200; ++i) {
            const std::string callee = "f" + std::to_string(i - 1);
            text += "f" + std::to_string(i) + " {\n p = f32[] parameter(0)\n a = f32[] fusion(p), kind=kLoop, calls="
                + callee + "\n ROOT b = f32[] fusion(a), kind=kLoop, calls=" + callee + "\n}\n";
        }
        text += "ENTRY e {\n x = f32[] parameter(0)\n ROOT y = f32[] fusion(x), kind=kLoop, calls=f200\n}";
        const ModulePtr module = moduleOf(text);
        QVERIFY(module);
        QCOMPARE(fusionContents(*module, module->findInstruction("y")).pointwise, std::numeric_limits<int>::max());
    }

    void sortsByName_data()
    {
        QTest::addColumn<QString>("category");
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("expected");
        const auto row = [](const char* category, const char* name, OpCategory expected) {
            QTest::newRow(
                qPrintable(QStringLiteral("%1 / %2").arg(QLatin1String(category), QLatin1String(name).left(40))))
                << QString::fromLatin1(category) << QString::fromLatin1(name) << number(expected);
        };
        // What XProf writes as hlo_category.
        row("convolution fusion", "fusion.1", OpCategory::Matmul);
        row("loop fusion", "fusion.1", OpCategory::Pointwise);
        row("data formatting", "copy.1", OpCategory::DataMovement);
        row("all-reduce-scatter fusion", "fusion.1", OpCategory::Collective);
        row("all-reduce", "psum.7", OpCategory::Collective);
        row("copy-start", "copy-start.5", OpCategory::AsyncDma);
        row("while", "while.1", OpCategory::ControlFlow);
        row("custom-call", "tpu_custom_call.1", OpCategory::CustomCall);
        row("host send", "send.1", OpCategory::Host);
        row("non-fusion elementwise", "add.1", OpCategory::Pointwise);
        // Only a name.
        row("", "all-reduce.5", OpCategory::Collective);
        row("", "convolution_add_fusion.2", OpCategory::Matmul);
        row("", "slice-start.92", OpCategory::AsyncDma);
        row("", "copy.3", OpCategory::DataMovement);
        row("", "dot_general.3", OpCategory::Matmul);
        row("", "tanh.3", OpCategory::Pointwise);
        row("", "%copy.12 = f32[2]{0} copy(%x)", OpCategory::DataMovement);
        row("", "%psum.7 = (f32[2]{0}, f32[]) all-reduce(%x, %y)", OpCategory::Collective);
        row("", "%multiply_reduce_fusion = f32[2]{0} fusion(%x), kind=kInput", OpCategory::Reduce);
        row("", "PjitFunction(step)", OpCategory::Host);
        row("", "$profiler.py:151 start_trace", OpCategory::Host);
        row("idle", "", OpCategory::Idle);
    }

    void sortsByName()
    {
        QFETCH(QString, category);
        QFETCH(QString, name);
        QFETCH(int, expected);
        QCOMPARE(number(categorizeByName(category.toStdString(), name.toStdString())), expected);
    }
};

QTEST_APPLESS_MAIN(TestOpCategory)
#include "tst_op_category.moc"
