// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command.h"
#include "tests/test_data.h"

#include <QTemporaryDir>
#include <QtTest>

#include <cmath>
#include <sstream>

using namespace hloscope;
using Json = nlohmann::json;

namespace {

struct Result {
    int exitCode = -1;
    std::string out;
    std::string err;

    Json json() const { return Json::parse(out); }
};

Result run(const QStringList& words)
{
    std::ostringstream out;
    std::ostringstream err;
    const cli::Command* command = cli::findCommand(words.constFirst());
    Result result;
    if (command != nullptr)
        result.exitCode = command->run(words.mid(1), cli::Streams{out, err});
    result.out = out.str();
    result.err = err.str();
    return result;
}

QByteArray readFile(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

const Json* findByName(const Json& list, const std::string& name)
{
    for (const Json& item : list) {
        if (item.at("name") == name)
            return &item;
    }
    return nullptr;
}

} // namespace

class TestCommandLine : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    QString write(const QString& name, const QByteArray& bytes)
    {
        QFile file(m_folder.filePath(name));
        if (file.open(QIODevice::WriteOnly))
            file.write(bytes);
        return file.fileName();
    }

private slots:
    void knowsItsCommands()
    {
        for (const char* name : {"info", "print", "layout", "cost", "simulate", "memory", "ops", "chips"})
            QVERIFY2(cli::findCommand(QString::fromLatin1(name)) != nullptr, name);
        QVERIFY(cli::findCommand(QStringLiteral("inf")) == nullptr);
    }

    void refusesWrongWords_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::newRow("no file") << QStringList{"info"};
        QTest::newRow("unknown option") << QStringList{"info", "--jsn", "a"};
        QTest::newRow("form") << QStringList{"print", "a", "--form", "long"};
        QTest::newRow("timing") << QStringList{"simulate", "a", "--timing", "fast"};
        QTest::newRow("output") << QStringList{"simulate", "a", "-o", "a.txt"};
        QTest::newRow("space") << QStringList{"memory", "a", "--space", "vmem"};
        QTest::newRow("by") << QStringList{"ops", "a", "--by", "colour"};
        QTest::newRow("too many") << QStringList{"chips", "v5e"};
    }

    void refusesWrongWords()
    {
        QFETCH(QStringList, words);
        const Result result = run(words);
        QCOMPARE(result.exitCode, 2);
        QVERIFY(result.out.empty());
        QVERIFY(result.err.find("usage: hloscope " + words.constFirst().toStdString()) != std::string::npos);
    }

    // Sizes and offsets of the worked examples: 3x5 in 2x2 tiles is padded to 4x6, 24 of 15 elements = 1.6x.
    void layoutOfTheWorkedExamples()
    {
        const Json first = run({"layout", "f32[3,5]{1,0:T(2,2)}", "--json", "--at", "2,4"}).json();
        QCOMPARE(first.at("padded_dimensions"), Json({4, 6}));
        QCOMPARE(first.at("elements"), Json(15));
        QCOMPARE(first.at("padded_elements"), Json(24));
        QCOMPARE(first.at("unpadded_bytes"), Json(60));
        QCOMPARE(first.at("padded_bytes"), Json(96));
        QCOMPARE(first.at("expansion").get<double>(), 1.6);
        QCOMPARE(first.at("offset_elements"), Json(20));
        QCOMPARE(first.at("offset_bytes"), Json(80));

        const Json second = run({"layout", "bf16[4,8]{1,0:T(2,4)(2,1)}", "--json", "--at", "3,5"}).json();
        QCOMPARE(second.at("offset_elements"), Json(27));
        QCOMPARE(second.at("offset_bytes"), Json(54));
        QCOMPARE(second.at("element_type"), Json("bf16"));
        QCOMPARE(second.at("element_bits"), Json(16));
        QCOMPARE(second.at("minor_to_major"), Json({1, 0}));
        QCOMPARE(second.at("tiles"), Json({{2, 4}, {2, 1}}));
        QCOMPARE(second.at("memory_space"), Json(0));
        QCOMPARE(second.at("expansion").get<double>(), 1.0);
    }

    void layoutAsText()
    {
        const Result result = run({"layout", "f32[3,5]{1,0:T(2,2)}", "--at", "2,4"});
        QCOMPARE(result.exitCode, 0);
        QVERIFY(result.out.find("padded to          [4,6]") != std::string::npos);
        QVERIFY(result.out.find("15 of 24 (1.6x)") != std::string::npos);
        QVERIFY(result.out.find("offset 20, byte 80") != std::string::npos);
    }

    void layoutOfBadShapes_data()
    {
        QTest::addColumn<QString>("shape");
        QTest::addColumn<QString>("at");
        QTest::newRow("type") << "f33[2]" << QString();
        QTest::newRow("tile of zero") << "f32[2,2]{1,0:T(0,2)}" << QString();
        QTest::newRow("repeated dimension") << "f32[2,2]{1,1}" << QString();
        QTest::newRow("too large") << "f32[1000000000,1000000000,1000000000]" << QString();
        QTest::newRow("index too short") << "f32[2,2]"
                                         << "1";
        QTest::newRow("index out of bounds") << "f32[2,2]"
                                             << "1,2";
    }

    void layoutOfBadShapes()
    {
        QFETCH(QString, shape);
        QFETCH(QString, at);
        QStringList words{"layout", shape};
        if (!at.isEmpty())
            words << "--at" << at;
        const Result result = run(words);
        QCOMPARE(result.exitCode, 1);
        QVERIFY(result.out.empty());
        QVERIFY(result.err.find("error: ") != std::string::npos);
    }

    void infoOfAModule()
    {
        const Result result = run({"info", testdata::path("corpus/ffw.v2-2x2/module.hlo"), "--json"});
        QCOMPARE(result.exitCode, 0);
        const Json file = result.json().at("files").at(0);
        QCOMPARE(file.at("kind"), Json("hlo_text"));
        const Json& module = file.at("modules").at(0);
        QCOMPARE(module.at("name"), Json("jit_ffw"));
        QCOMPARE(module.at("entry"), Json("main.0_spmd"));
        QCOMPARE(module.at("num_partitions"), Json(8));
        QCOMPARE(module.at("replica_count"), Json(1));
        QCOMPARE(module.at("is_scheduled"), Json(true));
        QCOMPARE(module.at("platform_hint"), Json("tpu"));
        QVERIFY(file.at("warnings").empty());
    }

    void printsTheSameBytes()
    {
        const QString path = testdata::path("corpus/ffw.v2-2x2/module.hlo");
        const Result result = run({"print", path});
        QCOMPARE(result.exitCode, 0);
        QCOMPARE(QByteArray::fromStdString(result.out), readFile(path));
    }

    void printsOneComputationToAFile()
    {
        const QString out = m_folder.filePath("c.hlo");
        const QString path = testdata::path("corpus/ffw.v2-2x2/module.hlo");
        QCOMPARE(run({"print", path, "--computation", "bitcast_fusion.1", "-o", out}).exitCode, 0);
        const QByteArray text = readFile(out);
        QVERIFY(text.startsWith("%bitcast_fusion.1 (bitcast_input.1: bf16[8,1024,8192]) -> bf16[8,1024,8192] {\n"));
        QVERIFY(readFile(path).contains(text.trimmed()));
        QCOMPARE(run({"print", path, "--computation", "none"}).exitCode, 1);
        QCOMPARE(run({"print", path, "--module", "none"}).exitCode, 1);
    }

    void printsDot()
    {
        const Result result = run({"print", testdata::path("corpus/ffw.v2-2x2/module.hlo"), "--to", "dot"});
        QVERIFY(result.out.find("digraph \"main.0_spmd\" {") == 0);
        QVERIFY(result.out.find("\"fusion.3\" -> \"fusion.1\";") != std::string::npos);
    }

    // The measured times of worked examples 5 and 6: 96 ms and 1.13 ms on TPU v2.
    void costOfTheWorkedExamples()
    {
        const Result result = run({"cost", testdata::path("corpus/ffw.v2-2x2/module.hlo"), "--json"});
        QCOMPARE(result.exitCode, 0);
        const Json cost = result.json();
        QCOMPARE(cost.at("chip"), Json("v2"));
        const Json* up = findByName(cost.at("ops"), "fusion.3");
        const Json* scatter = findByName(cost.at("ops"), "fusion");
        QVERIFY(up != nullptr);
        QVERIFY(scatter != nullptr);
        const double upMs = up->at("model_ps").get<double>() / 1e9;
        QVERIFY2(upMs > 90 && upMs < 105, qPrintable(QString::number(upMs)));
        QCOMPARE(up->at("bound_by"), Json("mxu"));
        QCOMPARE(up->at("fusion_kind"), Json("kOutput"));
        const double scatterMs = scatter->at("model_ps").get<double>() / 1e9;
        QVERIFY2(scatterMs > 0.9 && scatterMs < 1.4, qPrintable(QString::number(scatterMs)));
        QCOMPARE(scatter->at("bound_by"), Json("ici"));
        // compiled.json beside the module
        QCOMPARE(cost.at("totals").at("flops").get<double>(), 4398113619968.0);
        // XLA adds 32-bit floats, which loses a few of 1.7e9 bytes.
        const double bytes = cost.at("totals").at("bytes_accessed").get<double>();
        QVERIFY(std::abs(bytes / 1744831488.0 - 1) < 1e-5);
    }

    void memoryEqualsTheLiveRangeReport()
    {
        const Result result = run({"memory", testdata::path("corpus/ffw.v2-2x2/after_optimizations.hlo"), "--json"});
        QCOMPARE(result.exitCode, 0);
        const Json range = result.json().at("live_range");
        QCOMPARE(range.at("peak_bytes"), Json(1006632960));
        QCOMPARE(range.at("peak_position"), Json(5));
        QCOMPARE(range.at("live").at(0).at("buffer"), Json("fusion.3{}"));
    }

    void simulates()
    {
        const QString path = testdata::path("corpus/ffw.v2-2x2/module.hlo");
        const Result result = run({"simulate", path, "--chip", "v2", "--json"});
        QCOMPARE(result.exitCode, 0);
        const Json json = result.json();
        QCOMPARE(json.at("timing"), Json("best"));
        QVERIFY(json.at("total_ps").get<int64_t>() > 190'000'000'000);
        QVERIFY(json.at("total_ps").get<int64_t>() < 215'000'000'000);
        QVERIFY(json.at("events").size() >= 4);
    }

    void writesASimulatedProfileThatOpensAgain()
    {
        const QString out = m_folder.filePath("s.xplane.pb");
        const QString path = testdata::path("corpus/ffw.v2-2x2/module.hlo");
        QCOMPARE(run({"simulate", path, "-o", out}).exitCode, 0);
        const Json file = run({"info", out, "--json"}).json().at("files").at(0);
        QCOMPARE(file.at("kind"), Json("xspace"));
        QVERIFY(file.at("traces").at(0).at("events").get<int64_t>() > 4);
        const Json rows = run({"ops", out, "--json"}).json().at("rows");
        QVERIFY(!rows.empty());
    }

    void unknownChipIsWrongUsage()
    {
        const Result result = run({"cost", testdata::path("corpus/ffw.v2-2x2/module.hlo"), "--chip", "v99"});
        QCOMPARE(result.exitCode, 2);
        QVERIFY(result.err.find("unknown chip 'v99'") != std::string::npos);
        QVERIFY(result.err.find("v5e") != std::string::npos);
    }

    void assumesAChipWithAWarning()
    {
        const QString copy = write("module.hlo", readFile(testdata::path("corpus/ffw.v2-2x2/module.hlo")));
        const Result result = run({"cost", copy, "--json"});
        QCOMPARE(result.exitCode, 0);
        QCOMPARE(result.json().at("chip"), Json("v5e"));
        QVERIFY(result.err.find("names no chip") != std::string::npos);
    }

    void listsTheChips()
    {
        const Json chips = run({"chips", "--json"}).json().at("chips");
        QStringList ids;
        for (const Json& chip : chips) {
            ids << QString::fromStdString(chip.at("id"));
            QVERIFY(!chip.at("clock_hz").at("source").get<std::string>().empty());
        }
        QCOMPARE(ids, QStringList({"v2", "v3", "v4", "v4i", "v5e", "v5p", "v6e", "v7x"}));
    }

    void refusesBadInput_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("png") << QByteArray("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16);
        QTest::newRow("prose") << QByteArray("Dear all,\n\nplease find attached\n");
    }

    void refusesBadInput()
    {
        QFETCH(QByteArray, bytes);
        const QString path = write("bad", bytes);
        for (const char* command : {"info", "print", "cost", "memory", "simulate", "ops"}) {
            const Result result = run({QString::fromLatin1(command), path});
            QCOMPARE(result.exitCode, 1);
            QVERIFY(result.err.rfind(path.toStdString() + ":", 0) == 0);
            QVERIFY(result.err.find("error: ") != std::string::npos);
            QCOMPARE(std::count(result.err.begin(), result.err.end(), '\n'), 1);
        }
    }

    void refusesAnEmptyFolderAndAMissingFile()
    {
        QTemporaryDir folder;
        QCOMPARE(run({"info", folder.path()}).exitCode, 1);
        const Result missing = run({"info", folder.filePath("none")});
        QCOMPARE(missing.exitCode, 1);
        QVERIFY(missing.err.find("No such file") != std::string::npos);
    }

    void showsWhatIsLeftOfACutModule()
    {
        const QByteArray whole = readFile(testdata::path("corpus/ffw.v2-2x2/module.hlo"));
        const QString path = write("cut.hlo", whole.left(whole.indexOf("%add.clone") + 120));
        const Result result = run({"info", path, "--json"});
        QCOMPARE(result.exitCode, 0);
        QVERIFY(!result.json().at("files").at(0).at("warnings").empty());
        QVERIFY(result.json().at("files").at(0).at("modules").at(0).at("computations").get<int>() >= 6);
        QVERIFY(result.err.find(path.toStdString() + ":") != std::string::npos);
        QVERIFY(result.err.find("warning: ") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestCommandLine)
#include "tst_command_line.moc"
