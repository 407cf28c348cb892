// SPDX-License-Identifier: Apache-2.0
#include "views/hlo_text/hlo_line_layout.h"
#include "views/hlo_text/hlo_line_lexer.h"
#include "views/hlo_text/hlo_text_document.h"

#include "../test_data.h"

#include <QFontDatabase>
#include <QtTest>

#include <algorithm>

using namespace hloscope;

namespace {

// "N[%a] O[%p]": a letter per kind and the text of each token.
QString described(std::string_view line)
{
    static const char letters[] = "TKNOCPSLAVcF"; // in the order of HloTokenKind
    QStringList parts;
    for (const HloLineToken& token : lexHloLine(line)) {
        const std::string_view text = line.substr(token.begin, token.end - token.begin);
        parts << QString(QLatin1Char(letters[static_cast<size_t>(token.kind)])) + QLatin1Char('[')
                + QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())) + QLatin1Char(']');
    }
    return parts.join(QLatin1Char(' '));
}

bool allClosed(uint32_t)
{
    return false;
}

bool allOpen(uint32_t)
{
    return true;
}

} // namespace

class TestHloTextLines : public QObject {
    Q_OBJECT

private slots:
    void tokens_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("tokens");
        QTest::newRow("fusion") << "  %fusion.3 = bf16[32,32,4096]{2,1,0:T(8,128)(2,1)S(1)} fusion(%fusion.32), "
                                   "kind=kCustom, calls=%all-reduce-scatter.3"
                                << "N[%fusion.3] S[bf16[32,32,4096]] L[{2,1,0:T(8,128)(2,1)S(1)}] P[fusion] "
                                   "O[%fusion.32] A[kind=] V[kCustom] A[calls=] "
                                   "C[%all-reduce-scatter.3]";
        QTest::newRow("root, metadata and backend_config in one chip")
            << "  ROOT %add.32 = f32[] add(%a, %b), metadata={op_name=\"x/}\" stack_frame_id=6}, "
               "backend_config={\"a\":[{\"b\":\"}\"}]}"
            << "K[ROOT] N[%add.32] S[f32[]] P[add] O[%a] O[%b] F[, metadata={op_name=\"x/}\" stack_frame_id=6}, "
               "backend_config={\"a\":[{\"b\":\"}\"}]}]";
        QTest::newRow("attribute between")
            << "%a = f32[] negate(%b), metadata={op_name=\"x\"}, sharding={replicated}, backend_config=\"raw\""
            << "N[%a] S[f32[]] P[negate] O[%b] F[, metadata={op_name=\"x\"}] A[sharding=] V[{replicated}] "
               "F[, backend_config=\"raw\"]";
        QTest::newRow("tuple")
            << "%t = (f32[8]{0}, /*index=1*/(s32[], u32[]{:S(2)})) tuple(%a, %b)"
            << "N[%t] S[f32[8]] L[{0}] c[/*index=1*/] S[s32[]] S[u32[]] L[{:S(2)}] P[tuple] O[%a] O[%b]";
        QTest::newRow("parameter") << "%p = f32[4] parameter(0)"
                                   << "N[%p] S[f32[4]] P[parameter] V[0]";
        QTest::newRow("constant") << "%c = s32[2]{0} constant({1, 2})"
                                  << "N[%c] S[s32[2]] L[{0}] P[constant] V[{1, 2}]";
        QTest::newRow("no percent signs") << "add.1 = f32[4]{0} add(p, q)"
                                          << "N[add.1] S[f32[4]] L[{0}] P[add] O[p] O[q]";
        QTest::newRow("operand shapes")
            << "%a = f32[4]{0} add(f32[4]{0} %p, f32[4]{0} %q)"
            << "N[%a] S[f32[4]] L[{0}] P[add] S[f32[4]] L[{0}] O[%p] S[f32[4]] L[{0}] O[%q]";
        QTest::newRow("several computations")
            << "%c = f32[] conditional(%i, %x), branch_computations={%one, %two}"
            << "N[%c] S[f32[]] P[conditional] O[%i] O[%x] A[branch_computations=] C[%one] C[%two]";
        QTest::newRow("bare comma in a value")
            << "%c = f32[] custom-call(%x), called_computations={%one, %two}, index=1"
            << "N[%c] S[f32[]] P[custom-call] O[%x] A[called_computations=] C[%one] C[%two] A[index=] V[1]";
        QTest::newRow("mesh groups")
            << "%g = f32[] all-reduce(%x), replica_groups=mesh['a'=2,'b'=4], device_ids=([4,2]T(1,0)) {'b'}, "
               "to_apply=%add"
            << "N[%g] S[f32[]] P[all-reduce] O[%x] A[replica_groups=] V[mesh['a'=2,'b'=4]] A[device_ids=] "
               "V[([4,2]T(1,0)) {'b'}] A[to_apply=] C[%add]";
        QTest::newRow("computation") << "%body (p: (s32[], f32[4]), q: f32[]) -> f32[4] {"
                                     << "C[%body] S[s32[]] S[f32[4]] S[f32[]] S[f32[4]]";
        QTest::newRow("entry without signature") << "ENTRY main {"
                                                 << "K[ENTRY] C[main]";
        QTest::newRow("module")
            << "HloModule jit_f, is_scheduled=true, entry_computation_layout={(f32[4]{0})->f32[4]{0}}"
            << "K[HloModule] N[jit_f] A[is_scheduled=] V[true] A[entry_computation_layout=] "
               "V[{(f32[4]{0})->f32[4]{0}}]";
        QTest::newRow("table") << "1 \"/home/me/a.py\""
                               << "";
        QTest::newRow("closing") << "}"
                                 << "";
        QTest::newRow("empty") << ""
                               << "";
        QTest::newRow("cut off") << "%a = f32[4]{0:T("
                                 << "N[%a] S[f32[4]] L[{0:T(]";
        QTest::newRow("cut in a string") << "%a = f32[] negate(%b), metadata={op_name=\"x"
                                         << "N[%a] S[f32[]] P[negate] O[%b] F[, metadata={op_name=\"x]";
        QTest::newRow("prose") << "This is no HLO at all."
                               << "";
    }

    void tokens()
    {
        QFETCH(QString, line);
        const std::string text = line.toStdString();
        QTEST(described(text), "tokens");
    }

    // What is typed at random must not break the order of the tokens.
    void tokensAreInOrderForAnyText()
    {
        const std::string alphabet = "%ab=1, {}()[]\"'/*ROOT f32.-\\";
        uint32_t state = 12345;
        for (int round = 0; round < 20'000; ++round) {
            std::string line;
            for (int i = 0; i < 40; ++i) {
                state = state * 1664525 + 1013904223;
                line += alphabet[(state >> 16) % alphabet.size()];
            }
            uint32_t end = 0;
            for (const HloLineToken& token : lexHloLine(line)) {
                QVERIFY2(token.begin >= end && token.end > token.begin && token.end <= line.size(), line.c_str());
                end = token.end;
            }
        }
    }

    void longValuesAreFolded()
    {
        const std::string literal(5000, '1');
        const std::string line = "%c = s32[9] constant({" + literal + "}), sharding={replicated}";
        const auto tokens = lexHloLine(line);
        QCOMPARE(tokens[3].kind, HloTokenKind::Fold);
        QCOMPARE(tokens[3].end - tokens[3].begin, uint32_t(5002));
        QCOMPARE(tokens[4].kind, HloTokenKind::Key);
    }

    void foldsTakeTheRoomOfAChip()
    {
        const QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
        const HloLineMetrics metrics(font, font);
        const std::string line = "%a = f32[] negate(%b), metadata={op_name=\"a rather long name of an op\"}";
        const HloLineLayout closed = metrics.layOut(line, allClosed);
        const HloLineLayout open = metrics.layOut(line, allOpen);
        const size_t shown = line.find(", metadata");
        QVERIFY(std::abs(closed.width - (static_cast<double>(shown) + 1) * metrics.cell() - metrics.chipWidth())
                < 0.01);
        QVERIFY(std::abs(open.width - (static_cast<double>(line.size()) + 1) * metrics.cell() - metrics.chipWidth())
                < 0.01);
        // Inside a closed fold every byte is at the chip.
        const auto inside = static_cast<uint32_t>(shown + 10);
        const HloPiece* chip = closed.ofByte(inside);
        QVERIFY(chip && chip->isChip);
        QCOMPARE(metrics.xOf(line, closed, inside), chip->x);
    }

    void bytesAndPlacesAgree()
    {
        const QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
        const HloLineMetrics metrics(font, font);
        const std::string line = "%fusion.3 = bf16[4,8]{1,0} fusion(%a), kind=kLoop, calls=%f";
        const HloLineLayout layout = metrics.layOut(line, allClosed);
        for (uint32_t byte = 0; byte <= line.size(); ++byte)
            QCOMPARE(metrics.byteAt(line, layout, metrics.xOf(line, layout, byte)), byte);
        QCOMPARE(metrics.byteAt(line, layout, -5), uint32_t(0));
        QCOMPARE(metrics.byteAt(line, layout, 1e9), uint32_t(line.size()));
    }

    void otherScriptsAreMeasured()
    {
        const QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
        const HloLineMetrics metrics(font, font);
        const std::string line = "%a = f32[] custom-call(%b), custom_call_target=\"행렬곱\"";
        const HloLineLayout layout = metrics.layOut(line, allClosed);
        const auto byte = static_cast<uint32_t>(line.find("렬"));
        const uint32_t back = metrics.byteAt(line, layout, metrics.xOf(line, layout, byte) + 0.5);
        QCOMPARE(back, byte);
    }

    void linesLeadToInstructionsAndBack()
    {
        const auto bytes = FileBytes::open(
            testdata::path(QStringLiteral("corpus/transformer_sharded.v2-2x2/module.hlo")).toStdString());
        QVERIFY(bytes.hasValue());
        const auto module = parseHloText(*bytes);
        QVERIFY(module.hasValue());
        Progress progress;
        const auto document = HloTextDocument::create(*module, progress);
        QVERIFY(document);
        QCOMPARE(document->text(), (*bytes)->bytes());
        // The line of fusion.32 in the file, counted from 0.
        const InstructionId id = (*module)->findInstruction("fusion.32");
        QCOMPARE(document->lineOf(id), uint32_t(574));
        QCOMPARE(document->instructionAt(574), id);
        QCOMPARE(document->computationAt(574), (*module)->entry);
        QVERIFY(document->line(574).starts_with("  %fusion.32 = bf16[8,16,256,1024]"));
        size_t found = 0;
        for (size_t line = 0; line < document->lineCount(); ++line) {
            const InstructionId there = document->instructionAt(line);
            if (!there.isValid())
                continue;
            ++found;
            QCOMPARE(document->lineOf(there), static_cast<uint32_t>(line));
            const auto& op = (*module)->instruction(there);
            QCOMPARE(op.line, static_cast<uint32_t>(line) + 1);
            // The lexer finds the name and the opcode that the parser found.
            const std::string_view text = document->line(line);
            QString name;
            QString opcode;
            for (const HloLineToken& token : lexHloLine(text)) {
                const QString part =
                    QString::fromStdString(std::string(text.substr(token.begin, token.end - token.begin)));
                if (token.kind == HloTokenKind::Name)
                    name = part.mid(1);
                if (token.kind == HloTokenKind::Opcode)
                    opcode = part;
            }
            QCOMPARE(name.toStdString(), std::string(op.name));
            QCOMPARE(opcode.toStdString(), std::string(op.opcodeText));
        }
        QCOMPARE(found, (*module)->instructions.size());
    }

    void findsWithoutCase_data()
    {
        QTest::addColumn<QString>("pattern");
        QTest::addColumn<QList<int>>("places");
        QTest::newRow("word") << "fusion" << QList<int>{0, 7, 15};
        QTest::newRow("one letter") << "o" << QList<int>{4, 11, 19};
        QTest::newRow("end") << "FUSION.2" << QList<int>{15};
        QTest::newRow("none") << "reduce" << QList<int>{};
        QTest::newRow("empty") << "" << QList<int>{};
        QTest::newRow("longer than the text") << QString(100, QLatin1Char('f')) << QList<int>{};
    }

    void findsWithoutCase()
    {
        QFETCH(QString, pattern);
        Progress progress;
        QList<int> places;
        for (size_t place : findAll("Fusion fUSion. fusion.2", pattern.toStdString(), 100, progress))
            places << static_cast<int>(place);
        QTEST(places, "places");
    }

    void findingStopsAtTheLimit()
    {
        Progress progress;
        const std::string text(1000, 'a');
        QCOMPARE(findAll(text, "a", 10, progress).size(), size_t(10));
        QCOMPARE(findAll(text, "aa", 5000, progress).size(), size_t(500)); // hits do not overlap
    }
};

QTEST_MAIN(TestHloTextLines)
#include "tst_hlo_text_lines.moc"
