// SPDX-License-Identifier: Apache-2.0
#include "hlo_test_text.h"

#include "core/hlo/hlo_text.h"

#include <QRegularExpression>
#include <QtTest>

#include <random>

using namespace hloscope;
using hlotest::moduleOf;
using hlotest::ModulePtr;

namespace {

QString qt(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

// Names in the outermost parentheses of a list, found in the text alone: "%a, /*index=5*/%b" -> {a, b}.
QStringList namesIn(const QString& list)
{
    static const QRegularExpression name(QStringLiteral("%([\\w.-]+)"));
    QStringList names;
    for (auto it = name.globalMatch(list); it.hasNext();)
        names << it.next().captured(1);
    return names;
}

const char* const kSmall = R"(HloModule small, is_scheduled=true

%add (a: f32[], b: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %sum = f32[] add(%a, %b)
}

ENTRY %main (x: f32[4]) -> f32[] {
  %x = f32[4]{0} parameter(0), metadata={op_name="x"}
  %zero = f32[] constant(0)
  ROOT %r = f32[] reduce(%x, %zero), dimensions={0}, to_apply=%add, metadata={op_name="jit(f)/reduce_sum" source_line=7}
}

)";

} // namespace

class TestHloParser : public QObject {
    Q_OBJECT

private slots:
    void readsASmallModule()
    {
        const ModulePtr module = moduleOf(kSmall);
        QVERIFY(module);
        QCOMPARE(hlotest::brokenInvariant(*module), QString());
        QVERIFY(module->problems.empty());
        QCOMPARE(qt(module->name), QStringLiteral("small"));
        QVERIFY(module->isScheduled);
        QCOMPARE(module->computations.size(), size_t(2));
        QCOMPARE(qt(module->entryComputation().name), QStringLiteral("main"));
        QVERIFY(module->entryComputation().hasSignature);
        QCOMPARE(module->entryComputation().line, 9u);
        const InstructionId reduce = module->findInstruction("r");
        QVERIFY(reduce.isValid());
        const HloInstruction& op = module->instruction(reduce);
        QCOMPARE(op.opcode, Opcode::Reduce);
        QVERIFY(op.isRoot());
        QCOMPARE(op.line, 12u);
        QCOMPARE(op.operands.count, 2u);
        QCOMPARE(module->operands(reduce)[0], module->findInstruction("x"));
        QCOMPARE(module->called(reduce).size(), size_t(1));
        QCOMPARE(module->called(reduce)[0], module->findComputation("add"));
        QCOMPARE(qt(*module->attribute(reduce, "dimensions")), QStringLiteral("{0}"));
        QCOMPARE(QString::fromStdString(toString(module->shape(module->findInstruction("x")))),
                 QStringLiteral("f32[4]{0}"));
        QCOMPARE(qt(module->instruction(module->findInstruction("zero")).payload), QStringLiteral("0"));
    }

    // Everything that a line of XLA's text says, found by patterns in the text alone, against the structure.
    void agreesWithTheTextOfTheCorpus_data()
    {
        QTest::addColumn<QString>("path");
        for (const QString& path : hlotest::corpusTexts())
            QTest::newRow(qPrintable(path.section(QLatin1Char('/'), -2))) << path;
    }

    void agreesWithTheTextOfTheCorpus()
    {
        QFETCH(QString, path);
        const ModulePtr module = hlotest::open(path);
        QVERIFY(module);
        QVERIFY(module->problems.empty());
        QCOMPARE(hlotest::brokenInvariant(*module), QString());
        static const QRegularExpression line(QStringLiteral(
            "^  (ROOT )?%([\\w.-]+) = (?:\\((?:[^()]|\\([^()]*\\)|\\((?:[^()]|\\([^()]*\\))*\\))*\\)|[^ ]+) "
            "([\\w-]+)\\(([^()]*(?:\\([^()]*\\)[^()]*)*)\\)"));
        static const QRegularExpression calls(
            QStringLiteral(", (?:calls|to_apply|condition|body|select|scatter|called_computations|branch_computations)="
                           "(%[\\w.-]+|\\{%[^}]*\\})"));
        const QStringList lines = qt(module->source->bytes()).split(QLatin1Char('\n'));
        int written = 0;
        for (const HloInstruction& op : module->instructions) {
            if (module->computation(op.computation).isImplicit)
                continue;
            ++written;
            const QString& text = lines.at(static_cast<int>(op.line) - 1);
            const QRegularExpressionMatch match = line.match(text);
            QVERIFY2(match.hasMatch(), qPrintable(text.left(300)));
            QCOMPARE(op.isRoot(), match.captured(1) == QLatin1String("ROOT "));
            QCOMPARE(qt(op.name), match.captured(2));
            QCOMPARE(qt(op.opcodeText), match.captured(3));
            const InstructionId id = module->findInstruction(op.name, op.computation);
            QCOMPARE(&module->instruction(id), &op);
            if (op.opcode == Opcode::Constant || op.opcode == Opcode::Parameter) {
                QCOMPARE(qt(op.payload), match.captured(4));
                continue;
            }
            QStringList operands;
            for (const InstructionId operand : module->operands(id))
                operands << qt(module->instruction(operand).name);
            QCOMPARE(operands, namesIn(match.captured(4)));
            if (op.isSugaredAsync())
                continue;
            QStringList expected;
            for (auto it = calls.globalMatch(text); it.hasNext();)
                expected << namesIn(it.next().captured(1));
            QStringList called;
            for (const ComputationId callee : module->called(id))
                called << qt(module->computation(callee).name);
            QCOMPARE(called, expected);
        }
        QCOMPARE(written, lines.filter(QRegularExpression(QStringLiteral("^  (ROOT )?%[\\w.-]+ = "))).size());
    }

    void readsTheFilesOfOthers_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("computations");
        QTest::addColumn<bool>("complete"); // accepted by XLA's parser
        // Number of lines that end with "{" before the second module (grep).
        QTest::newRow("no %, short") << "dynamic_slice_loop_1x2048x768_bf16.hlo" << 1 << true;
        QTest::newRow("names behind braces") << "gemma2_2b_keras_jax.hlo" << 483 << true;
        QTest::newRow("gemma3") << "gemma3_1b_flax_call.hlo" << 403 << true;
        QTest::newRow("fp8") << "hlo_llama31_405b_fp8_64x8.hlo" << 328 << true;
        QTest::newRow("llama") << "hlo_llama31_8b_bf16_1x8.hlo" << 2915 << true;
        QTest::newRow("mixtral") << "hlo_mixtral_8x7b_bf16_2x8.hlo" << 4002 << true;
        QTest::newRow("operand shapes, comments") << "import.hlo" << 181 << true;
        QTest::newRow("issue") << "jax.issue.33666.linx.slow_0428.module_0006.hlo" << 263 << true;
        QTest::newRow("attention") << "mha_block_1x12x128x64_bf16.hlo" << 3 << true;
        QTest::newRow("torch_xla") << "mobilenet_v2.hlo" << 55 << true;
        QTest::newRow("several modules, async") << "import_async.hlo" << 1 << false;
        QTest::newRow("several modules") << "sorting.hlo" << 2 << false;
        QTest::newRow("cut off") << "reference_hlo_llama3_8b.txt" << 176 << false;
    }

    void readsTheFilesOfOthers()
    {
        QFETCH(QString, name);
        QFETCH(int, computations);
        QFETCH(bool, complete);
        const QString path = testdata::shared(QStringLiteral("profiles/hlo/") + name);
        if (path.isEmpty())
            QSKIP("the HLO texts of others are not here");
        const ModulePtr module = hlotest::open(path);
        QVERIFY(module);
        QCOMPARE(hlotest::brokenInvariant(*module), QString());
        QCOMPARE(static_cast<int>(module->computations.size()), computations);
        QVERIFY2(module->problems.empty() == complete, hlotest::firstProblem(*module).c_str());
    }

    void saysWhereTheCutFileEnds()
    {
        const QString path = testdata::shared(QStringLiteral("profiles/hlo/reference_hlo_llama3_8b.txt"));
        if (path.isEmpty())
            QSKIP("the HLO texts of others are not here");
        const ModulePtr module = hlotest::open(path);
        QVERIFY(module);
        QCOMPARE(module->problems.diagnostics().size(), size_t(1));
        QCOMPARE(module->problems.diagnostics()[0].line, 2001u); // where XLA's parser stops, too
        QCOMPARE(module->problems.diagnostics()[0].column, 1u);
    }

    void refusesTextOfAnotherKind()
    {
        const QString path = testdata::shared(QStringLiteral("profiles/hlo/spmd_module_sharding.hlo"));
        if (path.isEmpty())
            QSKIP("the HLO texts of others are not here");
        const auto bytes = FileBytes::open(path.toStdString());
        QVERIFY(bytes.hasValue());
        const auto module = parseHloText(*bytes);
        QVERIFY(!module.hasValue());
        QCOMPARE(module.error().line, 1u);
        QVERIFY(!looksLikeHloText((*bytes)->bytes()));
    }

    // The same program once with sugared async ops (module.hlo), once plain (after_codegen.hlo).
    void buildsTheSameStructureForSugaredAsyncOps_data()
    {
        QTest::addColumn<QString>("folder");
        for (const QString& path : testdata::corpus(QStringLiteral("module.hlo")))
            QTest::newRow(qPrintable(path.section(QLatin1Char('/'), -2, -2))) << path.section(QLatin1Char('/'), 0, -2);
        if (testdata::corpus(QStringLiteral("module.hlo")).isEmpty())
            QTest::newRow("none") << QString();
    }

    void buildsTheSameStructureForSugaredAsyncOps()
    {
        QFETCH(QString, folder);
        if (folder.isEmpty())
            QSKIP("the corpus is not here");
        const ModulePtr sugared = hlotest::open(folder + QStringLiteral("/module.hlo"));
        const ModulePtr plain = hlotest::open(folder + QStringLiteral("/after_codegen.hlo"));
        QVERIFY(sugared && plain);
        QCOMPARE(sugared->computations.size(), plain->computations.size());
        QCOMPARE(sugared->instructions.size(), plain->instructions.size());
        for (uint32_t i = 0; i < sugared->instructions.size(); ++i) {
            const HloInstruction& op = sugared->instructions[i];
            if (!op.isSugaredAsync())
                continue;
            const InstructionId other = plain->findInstruction(op.name);
            QVERIFY(other.isValid());
            QCOMPARE(plain->instruction(other).opcode, op.opcode);
            if (op.opcode != Opcode::AsyncStart)
                continue;
            const auto mine = sugared->called(InstructionId(i));
            const auto theirs = plain->called(other);
            QCOMPARE(mine.size(), size_t(1));
            QCOMPARE(theirs.size(), size_t(1));
            const HloComputation& myBody = sugared->computation(mine[0]);
            const HloComputation& theirBody = plain->computation(theirs[0]);
            QVERIFY(myBody.isImplicit);
            QCOMPARE(qt(myBody.executionThread), qt(theirBody.executionThread));
            QCOMPARE(myBody.instructions.count, theirBody.instructions.count);
            const HloInstruction& myRoot = sugared->instruction(myBody.root);
            const HloInstruction& theirRoot = plain->instruction(theirBody.root);
            QCOMPARE(myRoot.opcode, theirRoot.opcode);
            QVERIFY(sugared->shape(myBody.root) == plain->shape(theirBody.root));
            QVERIFY(sugared->attribute(myBody.root, "slice") == plain->attribute(theirBody.root, "slice"));
            QCOMPARE(sugared->called(myBody.root).size(), plain->called(theirBody.root).size());
            const auto myParameters = sugared->parameters(mine[0]);
            const auto theirParameters = plain->parameters(theirs[0]);
            QCOMPARE(myParameters.size(), theirParameters.size());
            for (size_t p = 0; p < myParameters.size(); ++p)
                QVERIFY(sugared->shape(myParameters[p]) == plain->shape(theirParameters[p]));
        }
    }

    void readsDialects_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("names"); // of all instructions, in order; `*` marks the root of its computation
        const auto row = [](const char* name, const char* text, const char* names) {
            QTest::newRow(name) << QString::fromLatin1(text) << QString::fromLatin1(names);
        };
        row("no percent", "HloModule m\nENTRY e {\n a = f32[2] parameter(0)\n ROOT b = f32[2] negate(a)\n}", "a b*");
        row("operand shapes",
            "HloModule m\nENTRY e {\n %a = f32[2]{0} parameter(0)\n ROOT %b = f32[2]{0} negate(f32[2]{0} %a)\n}",
            "a b*");
        row("no blank", "HloModule m\nENTRY e{a=f32[2]parameter(0) ROOT b=f32[2]negate(a)}", "a b*");
        row("bare computations",
            "f {\n p = f32[] parameter(0)\n}\nENTRY e {\n a = f32[] parameter(0)\n ROOT b = f32[] call(a), "
            "to_apply=f\n}",
            "p* a b*");
        row("no entry marked",
            "f {\n p = f32[] parameter(0)\n}\ne {\n a = f32[] parameter(0)\n b = f32[] call(a), to_apply=f\n}",
            "p* a b*");
        row("a single instruction", "%b = f32[2]{0} negate(f32[2]{0} %a), metadata={op_name=\"x\"}", "a b*");
        row("root in the middle",
            "ENTRY e {\n a = f32[] parameter(0)\n ROOT b = f32[] negate(a)\n c = f32[] negate(b)\n}", "a b* c");
        row("nested operands", "ENTRY e {\n a = f32[] parameter(0)\n ROOT b = f32[] negate(add(a, a))\n}",
            "a add.inline.0 b*");
        row("nested operands with shapes",
            "ENTRY e {\n a = f32[] parameter(0)\n ROOT b = f32[] negate(f32[] add(f32[] a, f32[] a))\n}",
            "a add.inline.0 b*");
        row("body in place of a name",
            "ENTRY e {\n a = f32[] parameter(0)\n ROOT b = f32[] call(a), to_apply=\n {\n  q = f32[] parameter(0)\n  "
            "ROOT r = f32[] negate(q)\n }\n}",
            "q r* a b*");
        row("tuple elements in operands",
            "ENTRY e {\n t = (f32[], (s32[], f32[])) parameter(0)\n ROOT b = f32[] add(t#0, t#1#1)\n}",
            "t t#0 t#1 t#1#1 b*");
        row("no result shapes", "ENTRY e {\n a = parameter(0)\n ROOT b = negate(a)\n}", "a b*");
        row("comments everywhere",
            "// one\nHloModule m /*two*/\nENTRY /*x*/ e { // three\n a /*4*/ = /*5*/ f32[] parameter(0) /* } */\n}",
            "a*");
        row("lines broken anywhere", "ENTRY\ne\n{\na\n=\nf32[]\nparameter(\n0\n)\n,\nmetadata={op_name=\"x\"}\n}",
            "a*");
        row("several modules",
            "HloModule one\nENTRY e {\n a = f32[] parameter(0)\n}\nHloModule two\nENTRY e {\n b = f32[] "
            "parameter(0)\n}",
            "a*");
        row("windows line ends", "HloModule m\r\n\r\nENTRY e {\r\n  ROOT a = f32[] parameter(0)\r\n}\r\n", "a*");
    }

    void readsDialects()
    {
        QFETCH(QString, text);
        QFETCH(QString, names);
        const ModulePtr module = moduleOf(text.toStdString());
        QVERIFY(module);
        QCOMPARE(hlotest::brokenInvariant(*module), QString());
        QVERIFY2(module->problems.diagnostics().empty(), hlotest::firstProblem(*module).c_str());
        QStringList found;
        for (uint32_t i = 0; i < module->instructions.size(); ++i) {
            const HloInstruction& op = module->instructions[i];
            found << qt(op.name) + (module->computation(op.computation).root == InstructionId(i) ? "*" : "");
        }
        QCOMPARE(found.join(QLatin1Char(' ')), names);
    }

    void pointsAtMistakesAndGoesOn_data()
    {
        QTest::addColumn<QString>("body");
        QTest::addColumn<int>("line"); // the first line of the body is 3
        QTest::addColumn<int>("column");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* name, const char* body, int line, int column, const char* message) {
            QTest::newRow(name) << QString::fromLatin1(body) << line << column << QString::fromLatin1(message);
        };
        row("element type", "a = f33[2] parameter(0)", 3, 5, "unknown element type");
        row("dimension", "a = f32[2,x] parameter(0)", 3, 11, "malformed dimensions");
        row("large dimension", "a = f32[1000000000000000000000000000000] parameter(0)", 3, 9, "does not fit");
        row("large product", "a = f32[4294967296,4294967296] parameter(0)", 3, 5, "number of elements");
        row("layout", "a = f32[2,3]{1,1} parameter(0)", 3, 16, "names dimension 1 twice");
        row("no opcode", "a = f32[2] 7", 3, 12, "malformed instruction");
        row("no parenthesis", "a = f32[2] parameter", 4, 1, "malformed instruction");
        row("open parenthesis", "a = f32[2] constant(3", 3, 20, "'(' is not closed");
        row("undefined operand", "a = f32[2] negate(b)", 3, 19, "the operand b is not defined");
        row("bad operand", "a = f32[2] negate(7)", 3, 19, "malformed operand");
        row("operand list", "b = f32[] constant(1)\na = f32[2] negate(b b)", 4, 21, "malformed operand list");
        row("attribute", "a = f32[2] constant(1), 7=8", 3, 25, "malformed attribute");
        row("attribute without value", "a = f32[2] constant(1), metadata", 3, 25, "malformed attribute");
        row("open brace", "a = f32[2] constant(1), metadata={op_name=\"x\"", 3, 34, "is not closed");
        row("open quote", "a = f32[2] constant(1), metadata={op_name=\"x}", 3, 34, "is not closed");
        row("undefined computation", "a = f32[2] constant(1), to_apply=%nobody", 3, 35,
            "computation nobody is not defined");
        row("name twice", "a = f32[] constant(1)\na = f32[] constant(2)", 4, 1, "defined twice");
        row("no equals sign", "a f32[] constant(1)", 3, 3, "malformed instruction");
    }

    void pointsAtMistakesAndGoesOn()
    {
        QFETCH(QString, body);
        QFETCH(int, line);
        QFETCH(int, column);
        QFETCH(QString, message);
        const ModulePtr module = moduleOf(
            QStringLiteral("HloModule m\nENTRY e {\n%1\nROOT good = f32[2] parameter(0)\n}\n").arg(body).toStdString());
        QVERIFY(module);
        QCOMPARE(hlotest::brokenInvariant(*module), QString());
        QVERIFY(module->findInstruction("good").isValid());
        QVERIFY(!module->problems.diagnostics().empty());
        const Diagnostic& diagnostic = module->problems.diagnostics()[0];
        QVERIFY2(diagnostic.message.find(message.toStdString()) != std::string::npos, diagnostic.format().c_str());
        QCOMPARE(static_cast<int>(diagnostic.line), line);
        QCOMPARE(static_cast<int>(diagnostic.column), column);
        QCOMPARE(diagnostic.file, std::string("test.hlo"));
    }

    void showsSeveralMistakesAtOnce()
    {
        const ModulePtr module =
            moduleOf("HloModule m\n"
                     "f {\n p = f33[] parameter(0)\n q = f32[] constant(1)\n}\n"
                     "ENTRY e {\n a = f32[] negate(x)\n b = f32[\n c = f32[] call(a), to_apply=f\n");
        QVERIFY(module);
        std::vector<uint32_t> lines;
        for (const Diagnostic& diagnostic : module->problems.diagnostics())
            lines.push_back(diagnostic.line);
        QCOMPARE(lines, (std::vector<uint32_t>{3, 7, 8, 10}));
        QVERIFY(module->findInstruction("c").isValid());
        QCOMPARE(module->called(module->findInstruction("c")).size(), size_t(1));
    }

    void listsAtMostFiftyMistakes()
    {
        std::string text = "HloModule m\nENTRY e {\n good = f32[] constant(1)\n";
        for (int i = 0; i < 5000; ++i)
            text += " a" + std::to_string(i) + " = f33[] constant(1)\n";
        const ModulePtr module = moduleOf(text + "}\n");
        QVERIFY(module);
        QCOMPARE(module->problems.diagnostics().size(), Problems::kMaxDiagnostics);
        QCOMPARE(module->problems.total(), uint64_t(5000));
    }

    void keepsWhatItDoesNotKnow()
    {
        const ModulePtr module = moduleOf(
            "HloModule m, new_header={1}\nENTRY e {\n a = f32[] parameter(0)\n"
            " b = f32[] frobnicate(a), level=3, metadata={op_name=\"x\"}\n ROOT c = f32[] trace(\"text, more\")\n}");
        QVERIFY(module);
        QVERIFY(module->problems.diagnostics().empty());
        const auto& counts = module->problems.counts();
        QCOMPARE(counts.size(), size_t(4));
        QCOMPARE(counts.at("unknown attribute new_header"), uint64_t(1));
        QCOMPARE(counts.at("unknown opcode frobnicate"), uint64_t(1));
        QCOMPARE(counts.at("unknown attribute level"), uint64_t(1));
        QCOMPARE(counts.at("unknown opcode trace"), uint64_t(1));
        const InstructionId b = module->findInstruction("b");
        QCOMPARE(module->instruction(b).opcode, Opcode::Unknown);
        QCOMPARE(module->operands(b).size(), size_t(1));
        QCOMPARE(QString::fromStdString(printInstruction(*module, b)),
                 QStringLiteral("b = f32[] frobnicate(a), level=3, metadata={op_name=\"x\"}"));
        QCOMPARE(QString::fromStdString(printInstruction(*module, module->findInstruction("c"))),
                 QStringLiteral("ROOT c = f32[] trace(\"text, more\")"));
    }

    void givesUpOnNothing_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("blank") << QByteArray("  \n\n");
        QTest::newRow("header only") << QByteArray("HloModule m\n");
        QTest::newRow("png") << QByteArray("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16);
        QTest::newRow("prose") << QByteArray("Dear reader,\nthis is no module (or is it)?\n");
        QTest::newRow("empty computation") << QByteArray("HloModule m\nENTRY e {\n}\n");
        QTest::newRow("open comment") << QByteArray("/* HloModule m");
        QTest::newRow("NUL") << QByteArray("HloModule\0m\nENTRY", 17);
    }

    void givesUpOnNothing()
    {
        QFETCH(QByteArray, text);
        const auto module = hlotest::parse(text.toStdString());
        QVERIFY(!module.hasValue());
        QVERIFY(!module.error().message.empty());
        QVERIFY(module.error().line >= 1);
    }

    void boundsNesting_data()
    {
        QTest::addColumn<QString>("open");
        QTest::newRow("operands") << QStringLiteral("negate(");
        QTest::newRow("bodies") << QStringLiteral("call(), to_apply={ x = f32[] ");
        QTest::newRow("tuples") << QStringLiteral("(");
    }

    void boundsNesting()
    {
        QFETCH(QString, open);
        const QString text = QStringLiteral("ENTRY e {\n a = f32[] constant(1)\n b = f32[] ") + open.repeated(100'000);
        const ModulePtr module = moduleOf(text.toStdString());
        QVERIFY(module);
        QCOMPARE(hlotest::brokenInvariant(*module), QString());
        QVERIFY(!module->problems.empty());
    }

    void callsCannotRunInCircles()
    {
        const ModulePtr module = moduleOf(
            "f {\n ROOT p = f32[] call(), to_apply=g\n}\n"
            "g {\n ROOT q = f32[] call(), to_apply=f\n}\n"
            "ENTRY e {\n s = ((), f32[], u32[]) call-start(), to_apply=e\n ROOT r = f32[] call(), to_apply=e\n}\n");
        QVERIFY(module);
        QCOMPARE(hlotest::brokenInvariant(*module), QString());
        QVERIFY(!module->problems.empty());
    }

    void putsCalleesInFrontOfTheirCallers()
    {
        const std::string text = "HloModule m\n\nENTRY e {\n  x = f32[] parameter(0)\n"
                                 "  ROOT r = f32[] call(x), to_apply=g\n}\n\n"
                                 "g {\n  q = f32[] parameter(0)\n  ROOT s = f32[] call(q), to_apply=f\n}\n\n"
                                 "f {\n  p = f32[] parameter(0)\n  ROOT t = f32[] negate(p)\n}\n\n";
        const ModulePtr module = moduleOf(text);
        QVERIFY(module);
        QVERIFY2(module->problems.empty(), hlotest::firstProblem(*module).c_str());
        QCOMPARE(hlotest::brokenInvariant(*module), QString());
        QCOMPARE(qt(module->entryComputation().name), QStringLiteral("e"));
        QCOMPARE(module->called(module->findInstruction("r"))[0], module->findComputation("g"));
        QCOMPARE(module->called(module->findInstruction("s"))[0], module->findComputation("f"));
        QCOMPARE(module->operands(module->findInstruction("t"))[0], module->findInstruction("p"));
        QCOMPARE(printModule(*module), text);
    }

    void stopsWhenCancelled()
    {
        Progress progress;
        progress.cancel();
        const auto module = parseHloText(FileBytes::fromString(kSmall, "small"), &progress);
        QVERIFY(!module.hasValue());
        QVERIFY(module.error().message.find("cancelled") != std::string::npos);
    }

    void survivesEveryCut()
    {
        const QStringList files = hlotest::committedTexts(QStringLiteral("module.hlo"));
        QVERIFY(!files.isEmpty());
        const ModulePtr whole = hlotest::open(files.first()); // einsum, 3 kB
        QVERIFY(whole);
        const std::string text(whole->source->bytes());
        size_t most = 0;
        for (size_t length = 0; length < text.size(); ++length) {
            const auto module = hlotest::parse(text.substr(0, length));
            if (!module)
                continue;
            QCOMPARE(hlotest::brokenInvariant(**module), QString());
            const auto& all = (*module)->instructions;
            const auto count = static_cast<size_t>(
                std::count_if(all.begin(), all.end(), [](const HloInstruction& op) { return !op.isInline(); }));
            QVERIFY2(count <= whole->instructions.size(), qPrintable(QString::number(length)));
            // Nothing is lost without a word.
            QVERIFY(count >= whole->instructions.size() || !(*module)->problems.empty()
                    || (*module)->computations.size() < whole->computations.size());
            most = std::max(most, count);
        }
        QCOMPARE(most, whole->instructions.size());
    }

    void survivesMutations()
    {
        std::vector<std::string> texts{kSmall};
        for (const QString& file : hlotest::committedTexts(QStringLiteral("module.hlo"))) {
            const ModulePtr module = hlotest::open(file);
            QVERIFY(module);
            if (module->source->bytes().size() < 12'000)
                texts.emplace_back(module->source->bytes());
        }
        std::mt19937 random(20240229);
        const std::string letters = "{}()[],=%\"'/*#:<>?-_ \n\\0a\x80";
        int parsed = 0;
        for (int round = 0; round < 4000; ++round) {
            std::string text = texts[random() % texts.size()];
            const int edits = 1 + static_cast<int>(random() % 4);
            for (int i = 0; i < edits; ++i) {
                const size_t at = random() % text.size();
                switch (random() % 3) {
                case 0:
                    text[at] = letters[random() % letters.size()];
                    break;
                case 1:
                    text.erase(at, 1 + random() % 20);
                    break;
                default:
                    text.insert(at, 1, letters[random() % letters.size()]);
                }
            }
            const auto module = hlotest::parse(text);
            if (!module)
                continue;
            ++parsed;
            QCOMPARE(hlotest::brokenInvariant(**module), QString());
            QVERIFY(!printModule(**module).empty());
        }
        QVERIFY(parsed > 2000);
    }

    void recognisesHloText_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<bool>("expected");
        QTest::newRow("module") << QByteArray("HloModule m, is_scheduled=true\n") << true;
        QTest::newRow("comments in front") << QByteArray("// RUN: x\n/* y */\n\nHloModule m\n") << true;
        QTest::newRow("prose in front") << QByteArray("Here is my dump:\n\nHloModule m\n") << true;
        QTest::newRow("computation") << QByteArray("ENTRY %main (x: f32[]) -> f32[] {\n") << true;
        QTest::newRow("bare computation") << QByteArray("region_0.1 {\n  a = f32[] parameter(0)\n}\n") << true;
        QTest::newRow("instruction") << QByteArray("%a = f32[] constant(1)") << true;
        QTest::newRow("json") << QByteArray("{\"traceEvents\":[]}") << false;
        QTest::newRow("text proto") << QByteArray("hlo_module {\n  name: \"m\"\n}\n") << false;
        QTest::newRow("prose") << QByteArray("Nothing here.") << false;
        QTest::newRow("binary") << QByteArray("\x0a\x00HloModule m\n", 14) << false;
        QTest::newRow("empty") << QByteArray() << false;
    }

    void recognisesHloText()
    {
        QFETCH(QByteArray, text);
        QFETCH(bool, expected);
        QCOMPARE(looksLikeHloText(std::string_view(text.constData(), static_cast<size_t>(text.size()))), expected);
    }
};

QTEST_APPLESS_MAIN(TestHloParser)
#include "tst_hlo_parser.moc"
