// SPDX-License-Identifier: Apache-2.0
#include "core/formats/trace_writer.h"

#include "core/formats/xspace_reader.h"
#include "tests/formats/small_xspace.h"

#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QtTest>

using namespace hloscope;

namespace {

class Facts : public ArgumentSource {
public:
    std::vector<Argument> decode(uint64_t reference) const override
    {
        return {{"flops", "18446744073709551615", 1.8446744073709552e19},
                {"index", std::to_string(reference), static_cast<double>(reference)},
                {"rate", "0.1", 0.1},
                {"scope", "layer_0/\"mlp\"\n\x01", {}}};
    }
};

// What the simulator makes: one device, nested ops, no ids for lines, a counter.
std::shared_ptr<const Trace> simulatedTrace()
{
    TraceBuilder builder;
    const PlaneId plane = builder.addPlane("/device:TPU:0 (simulated)");
    builder.trace().planes.back().arguments = {{"peak_teraflops_per_second", "22.5", 22.5}, {"core_count", "1", 1.0}};
    const TrackId modules = builder.addTrack(plane, "XLA Modules");
    const TrackId ops = builder.addTrack(plane, "XLA Ops");
    EventKind kind;
    kind.name = "jit_step(5)";
    kind.programId = 5;
    const EventKindId module = builder.addKind(kind);
    std::vector<EventKindId> kinds;
    for (size_t i = 0; i < kOpCategoryCount; ++i) {
        kind.name = "%op." + std::to_string(i) + " = f32[] op()";
        kind.displayName = "op." + std::to_string(i);
        // An op on a device is never "host", so that is not written.
        const auto category = static_cast<OpCategory>(i);
        kind.category = category == OpCategory::Host ? OpCategory::Reduce : category;
        kinds.push_back(builder.addKind(kind));
    }
    builder.addEvent(modules, module, 0, 96'000'123'456'789);
    for (size_t i = 0; i < 40; ++i)
        builder.addEvent(ops, kinds[i % kinds.size()], static_cast<int64_t>(1000 * i + i),
                         700 + static_cast<int64_t>(i), i);
    builder.addEvent(ops, kinds[0], 5, 0);
    builder.trace().aggregates.push_back({ops, kinds[1], 12, 3400});
    Counter counter;
    counter.plane = plane;
    counter.name = "HBM in use";
    counter.unit = Counter::Unit::Bytes;
    counter.times = {0, 1000, 1500};
    counter.values = {1024, 2048.5, 0};
    builder.trace().counters.push_back(counter);
    builder.trace().isSimulated = true;
    builder.trace().argumentSource = std::make_shared<Facts>();
    builder.trace().name = "simulated";
    return std::move(builder).build();
}

bool has(const std::vector<Argument>& arguments, const Argument& wanted)
{
    return std::any_of(arguments.begin(), arguments.end(), [&wanted](const Argument& argument) {
        return argument.name == wanted.name && argument.value == wanted.value && argument.number == wanted.number;
    });
}

// Everything in `expected` is in `actual`, which may have one more track for counters.
void compareTraces(const Trace& actual, const Trace& expected)
{
    QVERIFY(actual.planes.size() >= expected.planes.size());
    for (size_t i = 0; i < expected.planes.size(); ++i) {
        QCOMPARE(actual.planes[i].name, expected.planes[i].name);
        for (const Argument& argument : expected.planes[i].arguments)
            QVERIFY2(has(actual.planes[i].arguments, argument), argument.name.c_str());
    }
    for (size_t i = 0; i < expected.tracks.size(); ++i) {
        const Track& track = expected.tracks[i];
        QCOMPARE(actual.tracks[i].name, track.name);
        QCOMPARE(actual.tracks[i].events.count, track.events.count);
        for (uint32_t k = 0; k < track.events.count; ++k) {
            const EventId before(track.events.begin + k);
            const EventId after(actual.tracks[i].events.begin + k);
            QCOMPARE(actual.begin(after), expected.begin(before));
            QCOMPARE(actual.duration(after), expected.duration(before));
            QCOMPARE(actual.depths[after.index()], expected.depths[before.index()]);
            QCOMPARE(actual.kind(after).name, expected.kind(before).name);
            QCOMPARE(actual.kind(after).displayName, expected.kind(before).displayName);
            QCOMPARE(actual.kind(after).programId, expected.kind(before).programId);
            QCOMPARE(actual.kind(after).category, expected.kind(before).category);
            for (const Argument& argument : expected.arguments(before))
                QVERIFY2(has(actual.arguments(after), argument), argument.name.c_str());
        }
    }
    QCOMPARE(actual.startUnixNanoseconds, expected.startUnixNanoseconds);
}

} // namespace

class TestTraceWriter : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    std::string file(const char* name) { return m_folder.filePath(QString::fromLatin1(name)).toStdString(); }

    std::shared_ptr<const Trace> reread(const Trace& trace)
    {
        const std::string path = file("written.xplane.pb");
        const auto written = writeXSpace(trace, path);
        if (!written || *written != static_cast<uint64_t>(QFileInfo(QString::fromStdString(path)).size()))
            return nullptr;
        const auto contents = readXSpace(*FileBytes::open(path));
        return contents ? contents->trace : nullptr;
    }

private slots:
    void writesASimulatedTrace()
    {
        const auto trace = simulatedTrace();
        const auto again = reread(*trace);
        QVERIFY(again != nullptr);
        compareTraces(*again, *trace);
        QCOMPARE(again->aggregates.size(), size_t(1));
        QCOMPARE(again->aggregates[0].occurrences, uint64_t(12));
        QCOMPARE(again->aggregates[0].durationPs, int64_t(3400));
        QCOMPARE(again->counters.size(), size_t(1));
        QCOMPARE(again->counters[0].name, std::string("HBM in use"));
        QCOMPARE(again->counters[0].unit, Counter::Unit::Bytes);
        QCOMPARE(again->counters[0].times, trace->counters[0].times);
        QCOMPARE(again->counters[0].values, trace->counters[0].values);
        QVERIFY(again->problems.diagnostics().empty());
        // Lines without ids get one each: XProf joins lines of the same id.
        QVERIFY(again->tracks[0].lineId != again->tracks[1].lineId);
    }

    void writesWhatWasRead()
    {
        const auto contents = testdata::read(testdata::smallXSpace());
        const auto again = reread(*contents->trace);
        QVERIFY(again != nullptr);
        compareTraces(*again, *contents->trace);
        QCOMPARE(again->planes.size(), contents->trace->planes.size());
        QCOMPARE(again->tracks[2].lineId, int64_t(-5935385610924296286));
        // XProf takes the start of the session only from an unsigned number.
        const QByteArray bytes = [this] {
            QFile written(QString::fromStdString(file("written.xplane.pb")));
            return written.open(QIODevice::ReadOnly) ? written.readAll() : QByteArray();
        }();
        proto::XSpace space;
        QVERIFY(space.ParseFromArray(bytes.constData(), static_cast<int>(bytes.size())));
        QCOMPARE(space.planes(3).name(), std::string("Task Environment"));
        QCOMPARE(space.planes(3).stats(0).uint64_value(), static_cast<uint64_t>(testdata::kSessionStart));
    }

    void writesTheSessionStart()
    {
        TraceBuilder builder;
        const TrackId track = builder.addTrack(builder.addPlane("p"), "t");
        builder.addEvent(track, builder.addKind({}), 0, 2500);
        builder.trace().startUnixNanoseconds = 1'000'000'000'000'000'123;
        const auto again = reread(*std::move(builder).build());
        QCOMPARE(again->startUnixNanoseconds.value(), int64_t(1'000'000'000'000'000'123));
        QCOMPARE(again->planes.back().arguments[1].value,
                 std::string("1000000000000000126")); // 2.5 ns later, rounded up
    }

    void writesTraceJson_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::newRow("plain") << QByteArray("written.trace.json");
        QTest::newRow("gzip") << QByteArray("written.trace.json.gz");
    }

    void writesTraceJson()
    {
        QFETCH(QByteArray, name);
        const auto trace = simulatedTrace();
        const std::string path = file(name.constData());
        const auto written = writeTraceJson(*trace, path);
        QVERIFY(written.hasValue());
        QFile stored(QString::fromStdString(path));
        QVERIFY(stored.open(QIODevice::ReadOnly));
        QCOMPARE(stored.read(2) == QByteArray("\x1f\x8b"), name.endsWith(".gz"));
        const auto bytes = FileBytes::open(path);
        QCOMPARE((*bytes)->bytes().size(), static_cast<size_t>(*written));
        QJsonParseError error;
        const QJsonDocument document = QJsonDocument::fromJson(
            QByteArray((*bytes)->bytes().data(), static_cast<qsizetype>((*bytes)->bytes().size())), &error);
        QVERIFY2(!document.isNull(), qPrintable(error.errorString()));
        QCOMPARE(document["displayTimeUnit"].toString(), QStringLiteral("ns"));
        QCOMPARE(document["metadata"]["aggregates"][0]["occurrences"].toInt(), 12);
        const QJsonArray events = document["traceEvents"].toArray();
        QVERIFY(events.last().toObject().isEmpty());
        QMap<QString, int> phases;
        for (const QJsonValue event : events)
            ++phases[event["ph"].toString()];
        QCOMPARE(phases["X"], static_cast<int>(trace->eventCount()));
        QCOMPARE(phases["C"], 3);
        QCOMPARE(phases["M"], 2 + 2 * 2);
        const auto named = [&events](const QString& wanted) {
            return std::find_if(events.begin(), events.end(),
                                [&wanted](const QJsonValue& event) { return event["name"].toString() == wanted; });
        };
        // Picoseconds as exact decimals of microseconds, in the text itself.
        QVERIFY((*bytes)->bytes().find("\"dur\":96000123.456789,\"name\":\"jit_step(5)\"") != std::string_view::npos);
        const QJsonValue op = *named(QStringLiteral("op.3"));
        QCOMPARE(op["ts"].toDouble(), 0.003003);
        QCOMPARE(op["dur"].toDouble(), 0.000703);
        QCOMPARE(op["args"]["long_name"].toString(), QStringLiteral("%op.3 = f32[] op()"));
        QCOMPARE(op["args"]["flops"].toString(), QStringLiteral("18446744073709551615")); // too large for a JSON number
        QCOMPARE(op["args"]["index"].toDouble(), 3.0);
        QCOMPARE(op["args"]["rate"].toDouble(), 0.1);
        QCOMPARE(op["args"]["scope"].toString(), QStringLiteral("layer_0/\"mlp\"\n\x01"));
        const QJsonValue counter = *named(QStringLiteral("HBM in use"));
        QCOMPARE(counter["args"]["value"].toDouble(), 1024.0);
    }

    void saysWhyItCannotWrite()
    {
        const auto trace = simulatedTrace();
        const auto missing = writeXSpace(*trace, file("no/such/folder.xplane.pb"));
        QVERIFY(!missing.hasValue());
        QVERIFY(missing.error().format().find("cannot be written: No such file or directory") != std::string::npos);
        const auto folder = writeTraceJson(*trace, m_folder.path().toStdString());
        QVERIFY(!folder.hasValue());
        QVERIFY(QFileInfo::exists(m_folder.path()));
        if (QFile::exists(QStringLiteral("/dev/full"))) {
            const auto full = writeTraceJson(*trace, "/dev/full");
            QVERIFY(!full.hasValue());
            QVERIFY(full.error().message.find("No space left on device") != std::string::npos);
        }
    }
};

QTEST_APPLESS_MAIN(TestTraceWriter)
#include "tst_trace_writer.moc"
