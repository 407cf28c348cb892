// SPDX-License-Identifier: Apache-2.0
#include "core/formats/xspace_reader.h"

#include "tests/test_data.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

using namespace hloscope;

namespace {

// Line, name, begin and duration in picoseconds.
using Place = std::tuple<std::string, std::string, int64_t, int64_t>;
using Places = std::map<Place, int>;

Places placesOf(const Trace& trace)
{
    Places places;
    for (const Track& track : trace.tracks) {
        for (uint32_t i = track.events.begin; i < track.events.end(); ++i)
            ++places[{track.name, trace.kind(EventId(i)).label(), trace.begins[i], trace.durations[i]}];
    }
    return places;
}

int64_t picoseconds(const QJsonValue& microseconds)
{
    return std::llround(microseconds.toDouble() * 1e6);
}

// The events of XProf's trace viewer. It gives instants a length of 1 ps where it has to.
Places placesOf(const QJsonArray& events)
{
    std::map<std::pair<double, double>, std::string> lines;
    for (const QJsonValue event : events) {
        if (event["ph"].toString() == QStringLiteral("M") && event["name"].toString() == QStringLiteral("thread_name"))
            lines[{event["pid"].toDouble(), event["tid"].toDouble()}] = event["args"]["name"].toString().toStdString();
    }
    Places places;
    for (const QJsonValue event : events) {
        if (event["ph"].toString() != QStringLiteral("X") && event["ph"].toString() != QStringLiteral("i"))
            continue;
        const int64_t duration = picoseconds(event["dur"]);
        ++places[{lines[{event["pid"].toDouble(), event["tid"].toDouble()}], event["name"].toString().toStdString(),
                  picoseconds(event["ts"]), duration <= 1 ? 0 : duration}];
    }
    return places;
}

std::shared_ptr<const Trace> readProfile(const QString& path)
{
    const auto file = FileBytes::open(path.toStdString());
    if (!file)
        return nullptr;
    const auto contents = readXSpace(*file);
    return contents ? contents->trace : nullptr;
}

} // namespace

// Real profiles against what XProf 2.24.2 makes of them.
class TestProfiles : public QObject {
    Q_OBJECT

private slots:
    void readsTheBundledProfile()
    {
        const auto trace = readProfile(
            QStringLiteral(HLOSCOPE_SOURCE_DIR "/resources/samples/transformer_training.cpu8.xplane.pb.gz"));
        QVERIFY(trace != nullptr);
        // Counted by an independent reader (a 60-line Python script over the wire format).
        QCOMPARE(trace->eventCount(), size_t(22627));
        QCOMPARE(trace->planes.size(), size_t(3));
        QCOMPARE(trace->tracks.size(), size_t(17));
        QCOMPARE(trace->tracks[0].name, std::string("python"));
        QCOMPARE(trace->tracks[0].events.count, uint32_t(311));
        QCOMPARE(trace->startUnixNanoseconds.value(), int64_t(1795968725247496981));
        QVERIFY(trace->problems.empty());
    }

    void placesEveryEventWhereXprofDoes_data()
    {
        QTest::addColumn<QString>("profile");
        QTest::addColumn<QString>("answer");
        QTest::addColumn<int>("events");
        QTest::addColumn<int>("hidden"); // memory events that XProf leaves out, steps that it renames
        QTest::newRow("TPU v6e") << "third-party/v6e_pallas_matmul/host0.xplane.pb"
                                 << "v6e_pallas_matmul/trace_viewer.json" << 4208 << 6;
        QTest::newRow("MI300") << "third-party/mi300_jax_conv/tw003.xplane.pb"
                               << "mi300_jax_conv/trace_viewer.json" << 3650 << 230;
        QTest::newRow("MI355") << "third-party/mi355_attention/934987a2fc2f.xplane.pb"
                               << "mi355_attention/trace_viewer.json" << 1992 << 59;
        QTest::newRow("CPU") << "cpu4/plugins/profile/2026_11_29_16_16_20/vm.xplane.pb"
                             << "cpu4/trace_viewer_at.full.json" << 46557 << 20;
    }

    void placesEveryEventWhereXprofDoes()
    {
        QFETCH(QString, profile);
        QFETCH(QString, answer);
        QFETCH(int, events);
        QFETCH(int, hidden);
        const QString path = testdata::shared(QStringLiteral("profiles/") + profile);
        QFile stored(testdata::shared(QStringLiteral("profiles/xprof/") + answer));
        if (path.isEmpty() || !stored.open(QIODevice::ReadOnly))
            QSKIP("the shared folder with real profiles is not here");
        const auto trace = readProfile(path);
        QVERIFY(trace != nullptr);
        QVERIFY(trace->problems.empty());
        QCOMPARE(static_cast<int>(trace->eventCount()), events);
        const Places ours = placesOf(*trace);
        const Places theirs = placesOf(QJsonDocument::fromJson(stored.readAll())["traceEvents"].toArray());
        int missing = 0;
        for (const auto& [place, count] : ours) {
            const auto found = theirs.find(place);
            const int left = count - (found == theirs.end() ? 0 : std::min(count, found->second));
            missing += left;
            const std::string& name = std::get<1>(place);
            const bool isHidden = name == "MemoryAllocation" || name == "MemoryDeallocation" || name == "train";
            if (left > 0)
                QVERIFY2(isHidden, qPrintable(QStringLiteral("%1 at %2 ps").arg(name.c_str()).arg(std::get<2>(place))));
        }
        QCOMPARE(missing, hidden);
    }

    void knowsTheTpu()
    {
        const QString path = testdata::shared(QStringLiteral("profiles/third-party/v6e_pallas_matmul/host0.xplane.pb"));
        if (path.isEmpty())
            QSKIP("the shared folder with real profiles is not here");
        const auto trace = readProfile(path);
        const auto ops = std::find_if(trace->tracks.begin(), trace->tracks.end(),
                                      [](const Track& track) { return track.name == "XLA Ops"; });
        const EventId op(ops->events.begin);
        QCOMPARE(trace->kind(op).label(), std::string("matmul_optimized.1"));
        QCOMPARE(trace->kind(op).module, std::string("jit_matmul_optimized"));
        QCOMPARE(trace->kind(op).programId.value(), uint64_t(17342868964687645945u));
        std::map<std::string, std::string> arguments;
        for (const Argument& argument : trace->arguments(op))
            arguments[argument.name] = argument.value;
        QCOMPARE(arguments.at("flops"), std::string("1076887552"));
        QCOMPARE(arguments.at("hlo_category"), std::string("custom-call"));
        QCOMPARE(arguments.at("device_duration_ps"), std::string("75566250"));
        // XProf shows nine counters with 1,768 samples.
        QCOMPARE(trace->counters.size(), size_t(9));
        size_t samples = 0;
        for (const Counter& counter : trace->counters)
            samples += counter.times.size();
        QCOMPARE(samples, size_t(1768));
    }
};

QTEST_APPLESS_MAIN(TestProfiles)
#include "tst_profiles.moc"
