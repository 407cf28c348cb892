// SPDX-License-Identifier: Apache-2.0
#include "core/hlo/hlo_text.h"
#include "views/words/layout_words.h"
#include "views/words/op_words.h"
#include "views/words/opcode_words.h"

#include "../test_data.h"

#include <QtTest>

using namespace hloscope;

namespace {

std::shared_ptr<const HloModule> parse(const std::string& text)
{
    const auto module = parseHloText(FileBytes::fromString(text, "test"));
    return module ? *module : nullptr;
}

std::shared_ptr<const HloModule> open(const QString& path)
{
    const auto bytes = FileBytes::open(path.toStdString());
    if (!bytes)
        return nullptr;
    const auto module = parseHloText(*bytes);
    return module ? *module : nullptr;
}

LayoutWords words(const char* shape)
{
    const Expected<Shape> parsed = parseShape(shape);
    return parsed ? describeLayout(*parsed) : LayoutWords{};
}

// The fusion of example 2 with the computation that it calls: an all-reduce whose result a dynamic-slice cuts.
const std::string kExample2 = R"(HloModule example2, is_scheduled=true, num_partitions=2

%add (a: bf16[], b: bf16[]) -> bf16[] {
  %a = bf16[] parameter(0)
  %b = bf16[] parameter(1)
  ROOT %sum = bf16[] add(%a, %b)
}

%all-reduce-scatter.3 (input: bf16[32,32,8192]) -> bf16[32,32,4096] {
  %input = bf16[32,32,8192]{2,1,0:T(8,128)(2,1)S(1)} parameter(0)
  %all-reduce.4 = bf16[32,32,8192]{2,1,0:T(8,128)(2,1)S(1)} all-reduce(%input), channel_id=4, replica_groups={{0,1}}, use_global_device_ids=true, to_apply=%add
  %zero = u32[] constant(0)
  %id = u32[] partition-id()
  %shard = u32[] constant(4096)
  %start = u32[] multiply(%id, %shard)
  ROOT %dynamic-slice.53 = bf16[32,32,4096]{2,1,0:T(8,128)(2,1)S(1)} dynamic-slice(%all-reduce.4, %zero, %zero, %start), dynamic_slice_sizes={32,32,4096}
}

ENTRY %main (p: bf16[32,32,8192]) -> bf16[32,32,4096] {
  %fusion.32 = bf16[32,32,8192]{2,1,0:T(8,128)(2,1)S(1)} parameter(0)
  ROOT %fusion.3 = bf16[32,32,4096]{2,1,0:T(8,128)(2,1)S(1)} fusion(%fusion.32), kind=kCustom, calls=%all-reduce-scatter.3
}
)";

} // namespace

class TestWords : public QObject {
    Q_OBJECT

private slots:
    void memorySpacesHaveNames_data()
    {
        QTest::addColumn<int>("space");
        QTest::addColumn<QString>("platform");
        QTest::addColumn<QString>("name");
        QTest::newRow("0") << 0 << "tpu"
                           << "HBM";
        QTest::newRow("1") << 1 << "tpu"
                           << "VMEM";
        QTest::newRow("2") << 2 << "tpu"
                           << "sync flags";
        QTest::newRow("3") << 3 << "tpu"
                           << "CMEM";
        QTest::newRow("4") << 4 << "tpu"
                           << "SMEM";
        QTest::newRow("5") << 5 << "tpu"
                           << "host memory";
        QTest::newRow("6") << 6 << "tpu"
                           << "scalar";
        QTest::newRow("SparseCore") << 8 << "tpu"
                                    << "S(8)";
        QTest::newRow("gpu default") << 0 << "gpu"
                                     << "device memory";
        QTest::newRow("gpu 1 is not VMEM") << 1 << "gpu"
                                           << "S(1)";
        QTest::newRow("cpu") << 0 << "cpu"
                             << "host memory";
        QTest::newRow("unknown platform") << 0 << ""
                                          << "device memory";
    }

    void memorySpacesHaveNames()
    {
        QFETCH(int, space);
        QFETCH(QString, platform);
        QTEST(memorySpaceName(space, platform.toStdString()), "name");
    }

    // The layouts of the worked examples and of hlo-layout.md; sizes are those of its tables.
    void layoutsInWords_data()
    {
        QTest::addColumn<QString>("shape");
        QTest::addColumn<QString>("order");
        QTest::addColumn<QStringList>("tiles");
        QTest::addColumn<QString>("size");
        QTest::addColumn<QString>("padding");
        QTest::newRow("example 3")
            << "f32[3,5]{1,0:T(2,2)}"
            << "Dimension 1 runs fastest, across the 2 columns of a tile. Dimension 0 runs down the 2 rows of a tile."
            << QStringList{"T(2,2) tiles of 2 × 2, here 2 × 3 of them"} << "96 B for 60 B, 1.6 times"
            << "Whole tiles of 2 × 2 round up dimension 0 from 3 to 4 and dimension 1 from 5 to 6.";
        QTest::newRow("example 4")
            << "bf16[4,8]{1,0:T(2,4)(2,1)}"
            << "Dimension 1 runs fastest, across the 4 columns of a tile. Dimension 0 runs down the 2 rows of a tile."
            << QStringList{"T(2,4) tiles of 2 × 4, here 2 × 2 of them", "(2,1) 2 bf16 rows share one 32-bit word"}
            << "64 B, no padding"
            << "";
        QTest::newRow("example 2")
            << "bf16[32,32,4096]{2,1,0:T(8,128)(2,1)S(1)}"
            << "Dimension 2 runs fastest, along the 128 lanes. Dimension 1 runs down the 8 rows of a tile. "
               "Dimension 0 numbers the slices."
            << QStringList{"T(8,128) tiles of 8 × 128, here 4 × 32 of them in each of 32 slices",
                           "(2,1) 2 bf16 rows share one 32-bit word"}
            << "8 MiB, no padding"
            << "";
        QTest::newRow("order of the hover card")
            << "bf16[8,16,256,1024]{2,3,1,0:T(8,128)(2,1)}"
            << "Dimension 2 runs fastest, along the 128 lanes. Dimension 3 runs down the 8 rows of a tile. "
               "Dimensions 1 and 0 number the slices, 0 slowest."
            << QStringList{"T(8,128) tiles of 8 × 128, here 128 × 2 of them in each of 128 slices",
                           "(2,1) 2 bf16 rows share one 32-bit word"}
            << "64 MiB, no padding"
            << "";
        QTest::newRow("vector in three levels")
            << "bf16[4096]{0:T(1024)(128)(2,1)}"
            << "Dimension 0 runs fastest, along the 128 lanes."
            << QStringList{"T(1024) chunks of 1024, here 4 of them", "(128) cut into rows of 128, one element per lane",
                           "(2,1) 2 bf16 rows share one 32-bit word"}
            << "8 KiB, no padding"
            << "";
        QTest::newRow("half empty lanes")
            << "f32[16,64]{1,0:T(8,128)}"
            << "Dimension 1 runs fastest, along the 128 lanes. Dimension 0 runs down the 8 rows of a tile."
            << QStringList{"T(8,128) tiles of 8 × 128, here 2 × 1 of them"} << "8 KiB for 4 KiB, 2 times"
            << "Whole tiles of 8 × 128 round up dimension 1 from 64 to 128.";
        QTest::newRow("scalar") << "f32[]{:T(128)}"
                                << "A single value." << QStringList{"T(128) one tile of 128 for a single value"}
                                << "512 B for 4 B, 128 times"
                                << "The tile has more dimensions than the array, and whole tiles of 128 are stored.";
        QTest::newRow("four of a word")
            << "s8[64,256]{1,0:T(32,128)(4,1)}"
            << "Dimension 1 runs fastest, along the 128 lanes. Dimension 0 runs down the 32 rows of a tile."
            << QStringList{"T(32,128) tiles of 32 × 128, here 2 × 2 of them", "(4,1) 4 s8 rows share one 32-bit word"}
            << "16 KiB, no padding"
            << "";
        QTest::newRow("packed nibbles")
            << "s4[64,256]{1,0:T(64,128)(8,1)E(4)}"
            << "Dimension 1 runs fastest, along the 128 lanes. Dimension 0 runs down the 64 rows of a tile."
            << QStringList{"T(64,128) tiles of 64 × 128, here 1 × 2 of them", "(8,1) 8 s4 rows share one 32-bit word"}
            << "8 KiB, no padding"
            << "";
        QTest::newRow("row-major") << "f32[2,3,4]{2,1,0}"
                                   << "Dimension 2 runs fastest, then 1, then 0. This is row-major order."
                                   << QStringList{} << "96 B, no padding"
                                   << "";
        QTest::newRow("column-major") << "f32[2,3]{0,1}"
                                      << "Dimension 0 runs fastest, then 1." << QStringList{} << "24 B, no padding"
                                      << "";
        QTest::newRow("tail") << "s8[3]{0:L(128)}"
                              << "The elements follow each other." << QStringList{} << "128 B for 3 B, 42.7 times"
                              << "L(128) rounds the end up to a multiple of 128 elements.";
        // The 8 rows of the tile become 3 times 3: 9 x 128 x 4 B = 4608 B.
        QTest::newRow("inner tile that does not divide")
            << "f32[8,128]{1,0:T(8,128)(3,1)}"
            << "Dimension 1 runs fastest, along the 128 lanes. Dimension 0 runs down the 8 rows of a tile."
            << QStringList{"T(8,128) one tile of 8 × 128", "(3,1) 3 rows are interleaved, element by element"}
            << "4.50 KiB for 4 KiB, 1.13 times"
            << "Inner tiles do not divide the outer ones and add padding too.";
        QTest::newRow("combined dimensions")
            << "f32[3,4,5]{2,1,0:T(*,2,3)}"
            << "Dimension 2 runs fastest, then 1, then 0. This is row-major order."
            << QStringList{"T(*,2,3) * merges a dimension into the next faster one before the tile (*,2,3) is cut"}
            << "288 B for 240 B, 1.2 times"
            << "Whole tiles of * × 2 × 3 round up dimension 2 from 5 to 6.";
    }

    void layoutsInWords()
    {
        QFETCH(QString, shape);
        const LayoutWords said = words(shape.toUtf8().constData());
        QVERIFY2(said.problem.isEmpty(), qPrintable(said.problem));
        QTEST(said.order, "order");
        QStringList tiles;
        for (const TileWords& tile : said.tiles)
            tiles << tile.notation + QLatin1Char(' ') + tile.meaning;
        QTEST(tiles, "tiles");
        QTEST(said.size, "size");
        QTEST(said.padding, "padding");
    }

    void layoutsThatDoNotFitSayWhy()
    {
        Shape shape;
        shape.elementType = PrimitiveType::F32;
        shape.dimensions = {2, 3};
        shape.layout.emplace();
        shape.layout->minorToMajor = {0, 0};
        const LayoutWords said = describeLayout(shape);
        QVERIFY(!said.problem.isEmpty());
        QVERIFY(said.size.isEmpty());
        Shape token;
        token.elementType = PrimitiveType::Token;
        QCOMPARE(describeLayout(token).element, QStringLiteral("token: it only orders ops and holds no data"));
    }

    void valuesAreSummedUp_data()
    {
        QTest::addColumn<QString>("shape");
        QTest::addColumn<QString>("summary");
        QTest::newRow("as the inspector says it") << "bf16[8,16,256,1024]{2,3,1,0:T(8,128)(2,1)}"
                                                  << "64 MiB, HBM, no padding";
        QTest::newRow("in VMEM") << "bf16[32,32,4096]{2,1,0:T(8,128)(2,1)S(1)}"
                                 << "8 MiB, VMEM, no padding";
        QTest::newRow("padded") << "f32[16,64]{1,0:T(8,128)}"
                                << "8 KiB, HBM, 2 times with padding";
        // 512 KiB + 256 MiB, the two parts of fusion.6 in transformer_sharded
        QTest::newRow("tuple") << "(f32[8,16,1024]{2,1,0:T(8,128)}, bf16[8,16,1024,1024]{2,3,1,0:T(8,128)(2,1)})"
                               << "2 arrays, 256.5 MiB";
        QTest::newRow("token") << "token[]"
                               << "no data";
    }

    void valuesAreSummedUp()
    {
        QFETCH(QString, shape);
        const Expected<Shape> parsed = parseShape(shape.toStdString());
        QVERIFY(parsed.hasValue());
        QTEST(valueSummary(*parsed), "summary");
    }

    void everyOpcodeHasAMeaning()
    {
        QSet<QString> seen;
        for (int i = 1; i <= static_cast<int>(Opcode::Xor); ++i) {
            const auto opcode = static_cast<Opcode>(i);
            const QString meaning = opcodeMeaning(opcode);
            QVERIFY2(meaning.size() > 8, opcodeName(opcode).data());
            QVERIFY2(!seen.contains(meaning), qPrintable(meaning));
            QVERIFY2(!meaning.endsWith(QLatin1Char('.')), qPrintable(meaning));
            seen.insert(meaning);
        }
        QCOMPARE(seen.size(), 133); // as many as XLA has
        QVERIFY(!opcodeMeaning(Opcode::Unknown).isEmpty());
    }

    // Everything that issue 4 lists for example 2.
    void example2IsComplete()
    {
        const auto module = parse(kExample2);
        QVERIFY(module);
        const InstructionId id = module->findInstruction("fusion.3");
        QVERIFY(id.isValid());
        const OpWords said = describeOp(*module, id);
        QCOMPARE(said.name, QStringLiteral("fusion.3"));
        QCOMPARE(said.category, OpCategory::Collective);
        QCOMPARE(said.kind, QStringLiteral("ReduceScatter fusion, kind=kCustom"));
        QVERIFY2(said.sentence.contains(QStringLiteral("an all-reduce followed by a slice, which is a ReduceScatter")),
                 qPrintable(said.sentence));
        QVERIFY(said.sentence.contains(QStringLiteral("fusion.32")));
        const QString notes = said.notes.join(QLatin1Char('\n'));
        QVERIFY2(notes.contains(QStringLiteral("at most one matrix multiplication")), qPrintable(notes));
        QVERIFY2(notes.contains(QStringLiteral("kCustom: a pattern for which the back end has code of its own.")),
                 qPrintable(notes));
        QCOMPARE(said.results.size(), size_t(1));
        QCOMPARE(said.results[0].shape, QStringLiteral("bf16[32,32,4096]"));
        QCOMPARE(said.results[0].layout, QStringLiteral("{2,1,0:T(8,128)(2,1)S(1)}"));
        QCOMPARE(said.results[0].summary, QStringLiteral("8 MiB, VMEM, no padding"));
        QCOMPARE(said.operands.size(), size_t(1));
        QCOMPARE(said.operands[0].name, QStringLiteral("fusion.32"));
        QCOMPARE(said.operands[0].shape, QStringLiteral("bf16[32,32,8192]"));
        QCOMPARE(said.operands[0].bytes, QStringLiteral("16 MiB"));
        QCOMPARE(said.called.size(), size_t(1));
        QCOMPARE(said.called[0].role, QStringLiteral("Called computation"));
        QCOMPARE(said.called[0].name, QStringLiteral("all-reduce-scatter.3"));
        QCOMPARE(said.called[0].meaning,
                 QStringLiteral("7 ops: an all-reduce followed by a slice, which is a ReduceScatter"));
        const QString lines = explainOp(*module, id).join(QLatin1Char('\n'));
        for (const char* part : {"bf16, 2 bytes an element", "Dimension 2 runs fastest, along the 128 lanes",
                                 "2 bf16 rows share one 32-bit word", "Lives in VMEM",
                                 "Operand fusion.32: bf16[32,32,8192], 16 MiB", "kCustom", "ReduceScatter"})
            QVERIFY2(lines.contains(QLatin1String(part)), part);
    }

    // The line alone: the computation is not there, and nothing is claimed of it that the name does not tell.
    void aLineWithoutItsComputation()
    {
        const auto module = parse("%fusion.3 = bf16[32,32,4096]{2,1,0:T(8,128)(2,1)S(1)} "
                                  "fusion(bf16[32,32,8192]{2,1,0:T(8,128)(2,1)S(1)} %fusion.32), "
                                  "kind=kCustom, calls=%all-reduce-scatter.3");
        if (!module || module->instructions.empty())
            QSKIP("the reader does not take single instructions yet");
        const InstructionId id = module->findInstruction("fusion.3");
        QVERIFY(id.isValid());
        const OpWords said = describeOp(*module, id);
        QCOMPARE(said.called.size(), size_t(1));
        QCOMPARE(said.called[0].name, QStringLiteral("all-reduce-scatter.3"));
        QVERIFY2(said.called[0].meaning.contains(QStringLiteral("not in this text")),
                 qPrintable(said.called[0].meaning));
        QVERIFY(said.called[0].meaning.contains(QStringLiteral("ReduceScatter")));
    }

    void opsOfARealModule_data()
    {
        QTest::addColumn<QString>("op");
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("scope");
        QTest::addColumn<QString>("sentence");
        QTest::addColumn<QString>("contents");
        QTest::addColumn<QString>("source");
        // Counted by hand in the text: fused_computation.34 holds a convolution and, in its nested fusion, convert,
        // multiply, subtract, exponential, divide, convert.
        QTest::newRow("fusion.32")
            << "fusion.32"
            << "Matmul fusion, kind=kOutput"
            << "jit(net) / layer_0 / attention / attend"
            << "Matrix product of fusion.44 and a value that is computed on the way. The other ops run in the "
               "same pass; the values in between are never stored."
            << "1 matmul, 6 pointwise"
            << "programs.py:44";
        QTest::newRow("q_proj") << "fusion.42"
                                << "Matmul fusion, kind=kOutput"
                                << "jit(net) / layer_0 / attention / q_proj"
                                << "Matrix product of all-gather and param.2."
                                << "1 matmul, 1 data movement"
                                << "programs.py:40";
        QTest::newRow("all-gather")
            << "all-gather"
            << "all-gather, collective"
            << ""
            << "Collects the parts of param from all devices of a group, so that each has the whole "
               "(dimension 2: 4096 → 8192). Groups of 2 devices."
            << ""
            << "";
        QTest::newRow("add") << "add.25"
                             << "add, pointwise"
                             << "jit(net) / layer_0 / attention / o_proj"
                             << "Adds param and fusion, element by element."
                             << ""
                             << "programs.py:45";
        QTest::newRow("part of a tuple") << "get-tuple-element.3"
                                         << "get-tuple-element"
                                         << "jit(net) / layer_0 / attention / scores"
                                         << "Part 1 of the tuple fusion.6. Nothing moves."
                                         << ""
                                         << "programs.py:43";
        QTest::newRow("argument") << "param.1"
                                  << "parameter"
                                  << ""
                                  << "Argument 3 of the program, params[0]['v']."
                                  << ""
                                  << "";
    }

    void opsOfARealModule()
    {
        QFETCH(QString, op);
        const auto module = open(testdata::path(QStringLiteral("corpus/transformer_sharded.v2-2x2/module.hlo")));
        QVERIFY(module);
        const InstructionId id = module->findInstruction(op.toStdString());
        QVERIFY(id.isValid());
        const OpWords said = describeOp(*module, id);
        QTEST(said.kind, "kind");
        QTEST(said.scope, "scope");
        QTEST(said.sentence, "sentence");
        QStringList contents;
        for (const ContentWords& content : said.contents)
            contents << content.text;
        QTEST(contents.join(QStringLiteral(", ")), "contents");
        QTEST(said.source ? said.source->place : QString(), "source");
    }

    void scopesAreCutAtSlashes_data()
    {
        QTest::addColumn<QString>("opName");
        QTest::addColumn<QString>("scope");
        QTest::newRow("einsum") << "jit(net)/layer_0/attention/attend/bnts,bsnh->btnh/dot_general"
                                << "jit(net)|layer_0|attention|attend";
        QTest::newRow("argument") << "params[0]['q']"
                                  << "";
        QTest::newRow("slash in brackets") << "jit(step)/transpose(jvp(a/b))/mul"
                                           << "jit(step)|transpose(jvp(a/b))";
        QTest::newRow("empty part") << "jit(f)//add"
                                    << "jit(f)";
        QTest::newRow("nothing") << ""
                                 << "";
    }

    void scopesAreCutAtSlashes()
    {
        QFETCH(QString, opName);
        QTEST(scopeParts(opName.toStdString()).join(QLatin1Char('|')), "scope");
    }

    // One core of a v2: 23e12 FLOP/s, 350e9 B/s. fusion.32: 69.39e9 FLOP take 3.017 ms, and 385 MiB take 1.153 ms.
    void rooflineByHand()
    {
        const auto module = open(testdata::path(QStringLiteral("corpus/transformer_sharded.v2-2x2/module.hlo")));
        QVERIFY(module);
        const InstructionId matmul = module->findInstruction("fusion.32");
        const InstructionId add = module->findInstruction("add.25");
        const ChipSpec* chip = findChip("v2");
        QVERIFY(chip);
        OpCost cost;
        cost.xla.flops = 69.39e9;
        cost.hbmReadBytes = 321.0 * 1024 * 1024;
        cost.hbmWriteBytes = 64.0 * 1024 * 1024;
        cost.compilerPs = 3.057e9;
        const auto limit = rooflineLimitPs(*module, matmul, cost, *chip);
        QVERIFY(limit.has_value());
        QVERIFY2(std::abs(*limit - 69.39e9 / 23e12 * 1e12) < 1e3, qPrintable(QString::number(*limit)));
        // The same figures on an op without a matmul are held against the memory only.
        const auto memory = rooflineLimitPs(*module, add, cost, *chip);
        QVERIFY(memory.has_value());
        QVERIFY(std::abs(*memory - 385.0 * 1024 * 1024 / 350e9 * 1e12) < 1e3);
        cost.iciBytes = 1;
        QVERIFY(!rooflineLimitPs(*module, matmul, cost, *chip).has_value());

        cost.iciBytes = 0;
        cost.boundBy = BoundBy::Mxu;
        QStringList lines;
        for (const FigureWords& figure : costFigures(*module, matmul, cost, *chip))
            lines << figure.label + QLatin1Char('=') + figure.value + figure.share;
        QCOMPARE(lines[0], QStringLiteral("Compiler estimate=3.057 ms"));
        QCOMPARE(lines[1], QStringLiteral("Roofline limit=3.017 ms98.7\u2009%"));
        QVERIFY(lines.contains(QStringLiteral("Bound by=MXU")));
        QVERIFY(lines.contains(QStringLiteral("FLOPs=69.39 GFLOP")));
        QVERIFY(lines.contains(QStringLiteral("HBM bytes=385 MiB")));
        QVERIFY(lines.contains(QStringLiteral("Intensity=171.9 FLOP/B"))); // 69.39e9 / 403701760
    }

    void anOpWithoutTimeSaysSo()
    {
        const auto module = open(testdata::path(QStringLiteral("corpus/transformer_sharded.v2-2x2/module.hlo")));
        OpCost cost;
        cost.boundBy = BoundBy::Unknown;
        const auto figures = costFigures(*module, module->findInstruction("all-gather"), cost, *findChip("v2"));
        QVERIFY(!figures.empty());
        QCOMPARE(figures[0].value, QStringLiteral("no time"));
        QCOMPARE(figures[1].value, QStringLiteral("not known"));
    }

    // Every op of every program of the corpus has a kind and a sentence.
    void theWholeCorpusIsDescribed()
    {
        const QStringList files = testdata::corpus(QStringLiteral("module.hlo"));
        if (files.isEmpty())
            QSKIP("the shared corpus is not here");
        size_t ops = 0;
        for (const QString& file : files) {
            if (file.contains(QStringLiteral("lm_train_16_layers")))
                continue; // the same ops sixteen times over
            const auto module = open(file);
            QVERIFY2(module, qPrintable(file));
            for (size_t i = 0; i < module->instructions.size(); ++i) {
                const OpWords said = describeOp(*module, InstructionId(i));
                const QString where = file + QLatin1Char(' ') + said.name;
                QVERIFY2(!said.kind.isEmpty() && !said.sentence.isEmpty(), qPrintable(where));
                QVERIFY2(said.sentence.endsWith(QLatin1Char('.')) && !said.sentence.contains(QStringLiteral("%1")),
                         qPrintable(where + said.sentence));
                QVERIFY2(!said.results.empty(), qPrintable(where));
                ++ops;
            }
        }
        QVERIFY(ops > 20'000);
    }
};

QTEST_GUILESS_MAIN(TestWords)
#include "tst_words.moc"
