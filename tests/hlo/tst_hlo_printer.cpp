// SPDX-License-Identifier: Apache-2.0
#include "hlo_test_text.h"

#include "core/hlo/hlo_text.h"

#include <QtTest>

using namespace hloscope;
using hlotest::moduleOf;
using hlotest::ModulePtr;

class TestHloPrinter : public QObject {
    Q_OBJECT

private slots:
    void givesTheSameBytesBack_data()
    {
        QTest::addColumn<QString>("path");
        for (const QString& path : hlotest::corpusTexts())
            QTest::newRow(qPrintable(path.section(QLatin1Char('/'), -2))) << path;
        // Printed by XLA with other options, or by older versions of it.
        for (const char* name :
             {"dynamic_slice_loop_1x2048x768_bf16.hlo", "gemma2_2b_keras_jax.hlo", "gemma3_1b_flax_call.hlo",
              "hlo_llama31_405b_fp8_64x8.hlo", "hlo_llama31_8b_bf16_1x8.hlo", "hlo_mixtral_8x7b_bf16_2x8.hlo",
              "jax.issue.33666.linx.slow_0428.module_0006.hlo", "mha_block_1x12x128x64_bf16.hlo"}) {
            const QString path = testdata::shared(QStringLiteral("profiles/hlo/") + QLatin1String(name));
            if (!path.isEmpty())
                QTest::newRow(name) << path;
        }
    }

    void givesTheSameBytesBack()
    {
        QFETCH(QString, path);
        const ModulePtr module = hlotest::open(path);
        QVERIFY(module);
        const std::string printed = printModule(*module);
        const std::string_view original = module->source->bytes();
        const auto difference = std::mismatch(printed.begin(), printed.end(), original.begin(), original.end());
        const auto at = static_cast<size_t>(difference.first - printed.begin());
        QVERIFY2(printed == original,
                 (std::to_string(at) + ": " + printed.substr(at, 80) + " <> " + std::string(original.substr(at, 80)))
                     .c_str());
    }

    // Texts as XLA prints them with the options of HloPrintOptions, each a few lines made with jaxlib 0.10.2.
    void keepsTheStyle_data()
    {
        QTest::addColumn<QString>("text");
        const auto row = [](const char* name, const char* text) { QTest::newRow(name) << QString::fromLatin1(text); };
        row("short",
            "HloModule m, is_scheduled=true\n\nENTRY e {\n  a = f32[2]{0} parameter(0)\n"
            "  ROOT b = f32[2]{0} negate(a)\n}\n\n");
        row("operand shapes",
            "HloModule m\n\nENTRY %e (a: f32[2]) -> f32[2] {\n  %a = f32[2]{0} parameter(0)\n"
            "  ROOT %b = f32[2]{0} negate(f32[2]{0} %a)\n}\n\n");
        row("operand shapes without names",
            "HloModule m\n\nENTRY %e (a: f32[2]) -> f32[2] {\n  %a = f32[2]{0} parameter(0)\n"
            "  ROOT %b = f32[2]{0} negate(f32[2]{0})\n}\n\n");
        row("no layouts",
            "HloModule m\n\nENTRY %e (a: f32[2]) -> f32[2] {\n  %a = f32[2] parameter(0)\n"
            "  ROOT %b = f32[2] negate(%a)\n}\n\n");
        row("tuples of 2019",
            "HloModule m\n\nENTRY %e (a: f32[2]) -> (f32[2], f32[2], f32[2], f32[2], f32[2], f32[2]) {\n"
            "  %a = f32[2]{0} parameter(0)\n"
            "  ROOT %t = (f32[2]{0}, f32[2]{0}, f32[2]{0}, f32[2]{0}, f32[2]{0}, f32[2]{0}) "
            "tuple(f32[2]{0} %a, f32[2]{0} %a, f32[2]{0} %a, f32[2]{0} %a, f32[2]{0} %a, f32[2]{0} %a)\n}\n\n");
        row("names behind braces",
            "HloModule m\n\nENTRY e {\n  a = f32[] constant(1)\n  b = f32[] negate(a)\n  c = f32[] negate(b)\n"
            "  d = f32[] negate(c)\n  e = f32[] negate(d)\n  ROOT f = f32[] negate(e)\n} // e\n\n");
        row("another thread",
            "HloModule m\n\n%f (p: f32[]) -> f32[] {\n  ROOT %p = f32[] parameter(0)\n}, "
            "execution_thread=\"sparsecore\"\n\nENTRY %e () -> f32[] {\n  %a = f32[] constant(nan)\n"
            "  %s = ((f32[]), f32[], u32[]) call-start(%a), async_execution_thread=\"sparsecore\", to_apply=%f\n"
            "  ROOT %d = f32[] call-done(%s)\n}\n\n");
        row("tuple elements as operands",
            "HloModule m\n\nENTRY %e (t: (f32[], (f32[], s32[]))) -> f32[] {\n  %t = (f32[], (f32[], s32[])) "
            "parameter(0)\n"
            "  ROOT %a = f32[] add(%t#0, %t#1#0)\n}\n\n");
    }

    void keepsTheStyle()
    {
        QFETCH(QString, text);
        const ModulePtr module = moduleOf(text.toStdString());
        QVERIFY(module);
        QCOMPARE(QString::fromStdString(printModule(*module)), text);
    }

    void printsFromTheStructure()
    {
        // Blanks, comments and line breaks are not part of the structure, so they come out in XLA's way.
        const ModulePtr module = moduleOf("HloModule m /* c */\nENTRY e { // x\n a = f32[2] parameter( 0 )\n"
                                          "  b=( f32[ 2 ],s32[])tuple(a,a) ROOT c = f32[2] negate( /*0*/ a ),\n"
                                          " metadata={op_name=\"x\"} }");
        QVERIFY(module);
        QCOMPARE(QString::fromStdString(printModule(*module)),
                 QStringLiteral("HloModule m\n\nENTRY e {\n  a = f32[2] parameter(0)\n"
                                "  b = (f32[2], s32[]) tuple(a, a)\n"
                                "  ROOT c = f32[2] negate(a), metadata={op_name=\"x\"}\n}\n\n"));
    }

    void printsAgainWhatItPrinted_data()
    {
        QTest::addColumn<QString>("text");
        const auto row = [](const char* name, const char* text) { QTest::newRow(name) << QString::fromLatin1(text); };
        row("bare instruction", "%b = f32[2]{0} negate(f32[2]{0} %a), metadata={op_name=\"x\"}\n");
        row("nested", "HloModule m\n\nENTRY e {\n  a = f32[] parameter(0)\n  ROOT b = f32[] negate(add(a, a))\n}\n\n");
        row("bare computation", "ENTRY e {\n  ROOT a = f32[] parameter(0)\n}\n\n");
        row("undefined operand", "HloModule m\n\nENTRY e {\n  ROOT a = f32[] negate(b)\n}\n\n");
        row("no entry", "HloModule m\n\ne {\n  ROOT a = f32[] constant({...})\n}\n\n");
    }

    void printsAgainWhatItPrinted()
    {
        QFETCH(QString, text);
        const ModulePtr module = moduleOf(text.toStdString());
        QVERIFY(module);
        QCOMPARE(QString::fromStdString(printModule(*module)), text);
    }

    void leavesOutWhatIsNotWanted()
    {
        const ModulePtr module =
            moduleOf("HloModule m\n\nFileNames\n1 \"a.py\"\n\nFunctionNames\n1 \"f\"\n\nFileLocations\n"
                     "1 {file_name_id=1 function_name_id=1 line=1 end_line=1 column=1 end_column=2}\n\nStackFrames\n"
                     "1 {file_location_id=1 parent_frame_id=1}\n\n\nENTRY %e (a: f32[2]) -> f32[2] {\n"
                     "  %a = f32[2]{0} parameter(0), metadata={op_name=\"x\"}\n"
                     "  ROOT %b = f32[2]{0} negate(%a), metadata={stack_frame_id=1}, backend_config={\"a\":1}\n}\n\n");
        QVERIFY(module);
        HloPrintOptions plain;
        plain.metadata = false;
        plain.backendConfig = false;
        QCOMPARE(QString::fromStdString(printModule(*module, plain)),
                 QStringLiteral("HloModule m\n\nENTRY %e (a: f32[2]) -> f32[2] {\n  %a = f32[2]{0} parameter(0)\n"
                                "  ROOT %b = f32[2]{0} negate(%a)\n}\n\n"));
        HloPrintOptions shapes;
        shapes.operandShapes = true;
        shapes.metadata = false;
        QCOMPARE(QString::fromStdString(printInstruction(*module, module->findInstruction("b"), shapes)),
                 QStringLiteral("ROOT %b = f32[2]{0} negate(f32[2]{0} %a), backend_config={\"a\":1}"));
        QCOMPARE(QString::fromStdString(printComputation(*module, module->entry, plain)),
                 QStringLiteral("ENTRY %e (a: f32[2]) -> f32[2] {\n  %a = f32[2]{0} parameter(0)\n"
                                "  ROOT %b = f32[2]{0} negate(%a)\n}\n"));
    }

    void mapsLines_data()
    {
        QTest::addColumn<QString>("path");
        for (const QString& path : hlotest::committedTexts(QStringLiteral("module.hlo")))
            QTest::newRow(qPrintable(path.section(QLatin1Char('/'), -2, -2))) << path;
    }

    void mapsLines()
    {
        QFETCH(QString, path);
        const ModulePtr module = hlotest::open(path);
        QVERIFY(module);
        HloTextMap map;
        const QString text = QString::fromStdString(printModule(*module, {}, &map));
        const QStringList lines = text.split(QLatin1Char('\n'));
        QCOMPARE(map.lineOfInstruction.size(), module->instructions.size());
        QCOMPARE(map.lineOfComputation.size(), module->computations.size());
        for (size_t i = 0; i < module->instructions.size(); ++i) {
            const HloInstruction& op = module->instructions[i];
            const uint32_t line = map.lineOfInstruction[i];
            if (module->computation(op.computation).isImplicit) {
                QCOMPARE(line, UINT32_MAX);
                continue;
            }
            QCOMPARE(line + 1, op.line); // the text is the source, whose lines count from 1
            QVERIFY(
                lines.at(static_cast<int>(line)).contains(QString::fromStdString('%' + std::string(op.name) + " = ")));
        }
        for (size_t i = 0; i < module->computations.size(); ++i) {
            const uint32_t line = map.lineOfComputation[i];
            if (module->computations[i].isImplicit)
                QCOMPARE(line, UINT32_MAX);
            else
                QVERIFY(lines.at(static_cast<int>(line)).endsWith(QStringLiteral(" {")));
        }
    }
};

QTEST_APPLESS_MAIN(TestHloPrinter)
#include "tst_hlo_printer.moc"
