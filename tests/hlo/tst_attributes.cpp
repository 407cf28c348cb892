// SPDX-License-Identifier: Apache-2.0
#include "core/hlo/attributes.h"

#include "core/hlo/hlo_text.h"
#include "tests/test_data.h"

#include <QtTest>

#include <cmath>
#include <limits>

using namespace hloscope;

class TestAttributes : public QObject {
    Q_OBJECT

private slots:
    void readsLists()
    {
        QCOMPARE(parseIntList("{}").value(), (std::vector<int64_t>{}));
        QCOMPARE(parseIntList("{2, -1,/*x*/7}").value(), (std::vector<int64_t>{2, -1, 7}));
        for (const char* wrong : {"", "2", "{2", "{2,}", "{a}", "{2} 3", "{99999999999999999999}"})
            QVERIFY2(!parseIntList(wrong), wrong);
    }

    void readsWindows()
    {
        const auto window =
            parseWindow("{size=3x3 stride=2x2 pad=1_1x0_2 lhs_dilate=1x2 rhs_dilate=2x1 rhs_reversal=1x0}");
        QVERIFY(window.has_value());
        QCOMPARE(window->size(), size_t(2));
        QVERIFY((*window)[0] == (WindowDimension{3, 2, 1, 1, 2, 1, true}));
        QVERIFY((*window)[1] == (WindowDimension{3, 2, 0, 2, 1, 2, false}));
        QVERIFY(parseWindow("{size=1}").value() == (std::vector<WindowDimension>{WindowDimension{}}));
        // Negative padding occurs, and the order of the fields is free.
        QVERIFY(parseWindow("{pad=-1_0 size=4}").value()[0] == (WindowDimension{4, 1, -1, 0, 1, 1, false}));
        for (const char* wrong :
             {"", "{size=3x3 stride=2}", "{size=3x}", "{size=a}", "{size=3 pad=1}", "{size=3 colour=2}"})
            QVERIFY2(!parseWindow(wrong), wrong);
    }

    void readsDimLabels()
    {
        const auto dot = parseDimLabels("bf_io->bf");
        QVERIFY(dot.has_value());
        QCOMPARE(dot->inputBatch, int64_t(0));
        QCOMPARE(dot->inputFeature, int64_t(1));
        QCOMPARE(dot->kernelInputFeature, int64_t(0));
        QCOMPARE(dot->kernelOutputFeature, int64_t(1));
        QCOMPARE(dot->outputFeature, int64_t(1));
        const auto conv = parseDimLabels("0bf1_o1i0->b10f");
        QVERIFY(conv.has_value());
        QCOMPARE(conv->inputSpatial, (std::vector<int64_t>{0, 3}));
        QCOMPARE(conv->kernelSpatial, (std::vector<int64_t>{3, 1}));
        QCOMPARE(conv->kernelOutputFeature, int64_t(0));
        QCOMPARE(conv->outputSpatial, (std::vector<int64_t>{2, 1}));
        QCOMPARE(parseDimLabels("bf?_io->bf").value().inputFeature, int64_t(1));
        for (const char* wrong : {"", "bf", "bf_io", "bf->io_bf", "bx_io->bf"})
            QVERIFY2(!parseDimLabels(wrong), wrong);
    }

    void readsSlices()
    {
        QVERIFY(parseSlice("{[0:8], [0:16:2]}").value() == (std::vector<SliceDimension>{{0, 8, 1}, {0, 16, 2}}));
        QVERIFY(parseSlice("{}").value().empty());
        for (const char* wrong : {"", "[0:8]", "{[0]}", "{[0:8:1:1]}", "{[0:8]"})
            QVERIFY2(!parseSlice(wrong), wrong);
    }

    void readsPairs()
    {
        QVERIFY(parseSourceTargetPairs("{{0,1},{1,0}}").value()
                == (std::vector<std::pair<int64_t, int64_t>>{{0, 1}, {1, 0}}));
        QVERIFY(!parseSourceTargetPairs("{{0,1,2}}"));
        QVERIFY(!parseSourceTargetPairs("{0,1}"));
    }

    void readsAliases()
    {
        QVERIFY(parseOutputOperandAliasing("{{0}: (1, {}), {}: (0, {2,1})}").value()
                == (std::vector<OutputOperandAlias>{{{0}, 1, {}}, {{}, 0, {2, 1}}}));
        QVERIFY(!parseOutputOperandAliasing("{{0}: 1}"));
        const auto aliases =
            parseInputOutputAlias("{ {1}: (0, {}, may-alias), {0,2}: (3, {4}, must-alias), {}: (1, {}) }");
        QVERIFY(aliases.has_value());
        QCOMPARE(aliases->size(), size_t(3));
        QCOMPARE((*aliases)[1].outputIndex, (std::vector<int64_t>{0, 2}));
        QCOMPARE((*aliases)[1].parameter, int64_t(3));
        QCOMPARE((*aliases)[1].parameterIndex, (std::vector<int64_t>{4}));
        QVERIFY((*aliases)[1].mustAlias);
        QVERIFY(!(*aliases)[2].mustAlias);
        QVERIFY(!parseInputOutputAlias("{ {1}: (0, {}, sometimes) }"));
    }

    void resolvesEscapes()
    {
        QCOMPARE(unquote("\"a\\\"b\\n\\t\\\\\""), std::string("a\"b\n\t\\"));
        QCOMPARE(unquote("\"\\010\\022x\\x41\\?\""), std::string("\010\022xA?"));
        QCOMPARE(unquote("'single \"quotes\" \\''"), std::string("single \"quotes\" '"));
        QCOMPARE(unquote("plain"), std::string("plain"));
        QCOMPARE(unquote("\"\\377\""), std::string("\377"));
        QCOMPARE(unquote("\"end\\\""), std::string("end\\"));
        QCOMPARE(unquote("\""), std::string("\""));
    }

    void readsLiterals()
    {
        using Values = std::vector<double>;
        QCOMPARE(parseNumericLiteral("4096", 10).value(), (Values{4096}));
        QCOMPARE(parseNumericLiteral("{0, 1, 0, 1}", 10).value(), (Values{0, 1, 0, 1}));
        QCOMPARE(parseNumericLiteral("{ { 1, 2 }, { -3.5, 1e-07 } }", 10).value(), (Values{1, 2, -3.5, 1e-07}));
        QCOMPARE(parseNumericLiteral("f32[2,1] { { 1 }, { 2 } }", 10).value(), (Values{1, 2}));
        QCOMPARE(parseNumericLiteral("{true, false}", 10).value(), (Values{1, 0}));
        QCOMPARE(parseNumericLiteral("{ { /*i0=0*/ }, { /*i0=1*/ } }", 10).value(), (Values{}));
        QCOMPARE(parseNumericLiteral("-inf", 1).value(), (Values{-std::numeric_limits<double>::infinity()}));
        QVERIFY(std::isnan(parseNumericLiteral("nan(0x12345)", 1).value().front()));
        for (const char* none : {"", "{...}", "(1, 2)", "{1, 2, 3}", "{1", "1}", "abc", "\"text\""})
            QVERIFY2(!parseNumericLiteral(none, 2), none);
    }

    void readsMetadata()
    {
        const OpMetadata metadata = parseOpMetadata(
            "{op_type=\"dot_general\" op_name=\"jit(f)/bf,fd->db/dot_general\" source_file=\"a\\\"b.py\" source_line=7 "
            "source_end_line=8 source_column=3 source_end_column=9 stack_frame_id=2 profile_type={1,2} "
            "deduplicated_name=\"d\" scheduling_name=\"s\" creation_pass_id=5 preserve_layout=true}");
        QCOMPARE(metadata.opType, std::string("dot_general"));
        QCOMPARE(metadata.opName, std::string("jit(f)/bf,fd->db/dot_general"));
        QCOMPARE(metadata.sourceFile, std::string("a\"b.py"));
        QCOMPARE(metadata.sourceLine, 7);
        QCOMPARE(metadata.sourceEndLine, 8);
        QCOMPARE(metadata.sourceColumn, 3);
        QCOMPARE(metadata.sourceEndColumn, 9);
        QCOMPARE(metadata.stackFrame, StackFrameId(1));
        QCOMPARE(metadata.deduplicatedName, std::string("d"));
        QCOMPARE(metadata.schedulingName, std::string("s"));
        QVERIFY(!parseOpMetadata("{stack_frame_id=0}").stackFrame.isValid());
        QCOMPARE(parseOpMetadata("{op_name=\"kept\" source_line=").opName, std::string("kept"));
    }

    void readsBackendConfigs()
    {
        const TpuBackendConfig config = parseTpuBackendConfig(
            "{\"window_config\":{\"kernel_window_bounds\":[\"16\",\"2\"],\"output_window_bounds\":[\"2\",\"1\"],"
            "\"input_window_bounds\":[\"2\",\"3\"],\"estimated_cycles\":\"1347\",\"iteration_bounds\":[\"1\",\"2\","
            "\"1\"],"
            "\"buffering_level\":\"2\"},\"convolution_algorithm_config\":{\"emitter\":\"EmitAllBatchInSublanes\"}}");
        QVERIFY(config.estimatedCycles == 1347);
        QCOMPARE(config.kernelWindowBounds, (std::vector<int64_t>{16, 2}));
        QCOMPARE(config.outputWindowBounds, (std::vector<int64_t>{2, 1}));
        QCOMPARE(config.inputWindowBounds, (std::vector<int64_t>{2, 3}));
        QCOMPARE(config.iterationBounds, (std::vector<int64_t>{1, 2, 1}));
        QVERIFY(config.bufferingLevel == 2);
        QCOMPARE(config.emitter, std::string("EmitAllBatchInSublanes"));
        QVERIFY(!config.knownTripCount);
        QVERIFY(parseTpuBackendConfig("{\"known_trip_count\":{\"n\":\"10\"},\"known_init_step\":{}}").knownTripCount
                == 10);
        QVERIFY(parseTpuBackendConfig("\"{\\\"known_trip_count\\\":{\\\"n\\\":7}}\"").knownTripCount == 7);
        // 2^63-1 says that there is no estimate.
        QVERIFY(!parseTpuBackendConfig("{\"window_config\":{\"estimated_cycles\":\"9223372036854775807\"}}")
                     .estimatedCycles);
        for (const char* none : {"", "{", "[]", "7", "\"\\010\\022\"", "{\"window_config\":[]}"})
            QVERIFY2(!parseTpuBackendConfig(none).estimatedCycles, none);
    }

    void readsEveryAttributeOfTheCorpus()
    {
        const QStringList files = testdata::corpus(QStringLiteral("module.hlo"));
        if (files.isEmpty())
            QSKIP("the corpus is not here");
        int windows = 0;
        int slices = 0;
        for (const QString& file : files) {
            const auto bytes = FileBytes::open(file.toStdString());
            QVERIFY(bytes.hasValue());
            const auto module = parseHloText(*bytes);
            QVERIFY(module.hasValue());
            for (const Attribute& attribute : (*module)->attributePool) {
                const std::string text = std::string(attribute.key) + '=' + std::string(attribute.value);
                if (attribute.key == "window") {
                    ++windows;
                    QVERIFY2(parseWindow(attribute.value), text.c_str());
                } else if (attribute.key == "dim_labels") {
                    QVERIFY2(parseDimLabels(attribute.value), text.c_str());
                } else if (attribute.key == "slice") {
                    ++slices;
                    QVERIFY2(parseSlice(attribute.value), text.c_str());
                } else if (attribute.key == "dimensions") {
                    QVERIFY2(parseIntList(attribute.value), text.c_str());
                } else if (attribute.key == "source_target_pairs") {
                    QVERIFY2(parseSourceTargetPairs(attribute.value), text.c_str());
                } else if (attribute.key == "output_to_operand_aliasing") {
                    QVERIFY2(parseOutputOperandAliasing(attribute.value), text.c_str());
                } else if (attribute.key == "backend_config"
                           && attribute.value.find("estimated_cycles\":\"9223372036854775807")
                               == std::string_view::npos) {
                    QCOMPARE(parseTpuBackendConfig(attribute.value).estimatedCycles.has_value(),
                             attribute.value.find("estimated_cycles") != std::string_view::npos);
                }
            }
        }
        QVERIFY(windows > 1000 && slices > 1000);
    }
};

QTEST_APPLESS_MAIN(TestAttributes)
#include "tst_attributes.moc"
