// SPDX-License-Identifier: Apache-2.0
#include "core/formats/xspace_reader.h"

#include "core/hlo/hlo_text.h"
#include "tests/formats/small_xspace.h"

#include <QtTest>

#include <algorithm>
#include <map>
#include <set>

using namespace hloscope;
using testdata::kSessionStart;
using testdata::PlaneMaker;

namespace {

// Arguments of an event as "name=value", sorted.
QStringList argumentsOf(const Trace& trace, EventId event)
{
    QStringList texts;
    for (const Argument& argument : trace.arguments(event))
        texts << QString::fromStdString(argument.name + '=' + argument.value);
    texts.sort();
    return texts;
}

uint64_t countOf(const Trace& trace, const std::string& what)
{
    const auto found = trace.problems.counts().find(what);
    return found == trace.problems.counts().end() ? 0 : found->second;
}

std::string withField(const google::protobuf::MessageLite& message, const std::string& moreBytes)
{
    return message.SerializeAsString() + moreBytes;
}

} // namespace

class TestXSpaceReader : public QObject {
    Q_OBJECT

private slots:
    void readsPlanesLinesAndEvents()
    {
        const auto contents = testdata::read(testdata::smallXSpace());
        QVERIFY(contents.hasValue());
        const Trace& trace = *contents->trace;
        QCOMPARE(trace.name, std::string("host0"));
        QCOMPARE(trace.planes.size(), size_t(4));
        QCOMPARE(trace.planes[0].name, std::string("/device:TPU:0"));
        QCOMPARE(trace.planes[0].arguments.size(), size_t(1));
        QCOMPARE(trace.planes[0].arguments[0].name, std::string("peak_teraflops_per_second"));
        QCOMPARE(trace.planes[0].arguments[0].number.value(), 946.7);
        QCOMPARE(trace.tracks.size(), size_t(3));
        QCOMPARE(trace.tracks[2].name, std::string("python"));
        QCOMPARE(trace.tracks[2].lineId, int64_t(-5935385610924296286));
        QCOMPARE(trace.tracks[2].plane, PlaneId(1));
        // Lines begin at 2 ns and 1 ns of the session.
        QCOMPARE(trace.begins, (std::vector<int64_t>{2000, 2100, 2200, 2600, 1500}));
        QCOMPARE(trace.durations, (std::vector<int64_t>{5000, 900, 300, 300, 70}));
        QCOMPARE(trace.depths, (std::vector<uint8_t>{0, 0, 1, 1, 0}));
        QCOMPARE(trace.startUnixNanoseconds.value(), kSessionStart);
        QVERIFY2(trace.problems.empty(), trace.problems.empty() ? "" : "problems");
    }

    void knowsKinds()
    {
        const auto contents = testdata::read(testdata::smallXSpace());
        const Trace& trace = *contents->trace;
        const EventKind& module = trace.kind(EventId(0));
        QCOMPARE(module.name, std::string("jit_step(7)"));
        QCOMPARE(module.module, std::string("jit_step"));
        QCOMPARE(module.programId.value(), uint64_t(7));
        const EventKind& fusion = trace.kind(EventId(2));
        QCOMPARE(fusion.displayName, std::string("fusion.1"));
        QVERIFY(fusion.name.starts_with("%fusion.1 = f32[8]{0} fusion("));
        QCOMPARE(fusion.category, categorizeByName("loop fusion", "fusion.1"));
        QCOMPARE(fusion.module, std::string("jit_step"));
        QCOMPARE(trace.kind(EventId(1)).category, categorizeByName("while", "while.2"));
        QCOMPARE(trace.kind(EventId(4)).category, OpCategory::Host);
        QVERIFY(trace.kind(EventId(4)).module.empty());
    }

    void givesTheModulesInside()
    {
        proto::XSpace space = testdata::smallXSpace();
        PlaneMaker more(space, "/host:metadata");
        const int64_t proto = more.statName("HLO Proto");
        PlaneMaker::stat(more.kind(1, "jit_named(123)"), proto).set_bytes_value("b");
        PlaneMaker::stat(more.kind(2, "plain"), proto).set_bytes_value("cc");
        more.kind(3, "very_old(5)").set_metadata("ddd");
        more.kind(4, "no module");
        const std::string bytes = space.SerializeAsString();
        std::vector<std::string> asked;
        XSpaceOptions options;
        options.openModule = [&asked](const EmbeddedModule& module) {
            asked.push_back(module.name);
            return module.programId == 7 ? std::make_shared<const HloModule>() : nullptr;
        };
        const auto contents = testdata::read(bytes, options);
        std::map<std::string, EmbeddedModule> modules;
        for (const EmbeddedModule& module : contents->modules) {
            modules[module.name] = module;
            QCOMPARE(bytes.substr(module.offset, module.hloProto.size()), std::string(module.hloProto));
        }
        QCOMPARE(modules.size(), size_t(4));
        QCOMPARE(asked.size(), size_t(4));
        QCOMPARE(modules.at("jit_step(7)").programId.value(), uint64_t(7)); // the stat; the metadata's id is 12
        QCOMPARE(modules.at("jit_step(7)").hloProto, std::string_view("not really a module"));
        QCOMPARE(modules.at("jit_named(123)").programId.value(), uint64_t(123)); // the name
        QCOMPARE(modules.at("plain").programId.value(), uint64_t(2)); // the metadata's id
        QCOMPARE(modules.at("very_old(5)").hloProto, std::string_view("ddd"));
        QCOMPARE(contents->trace->modules.size(), size_t(1));
        QCOMPARE(contents->trace->kind(EventId(2)).moduleIndex.value(), uint32_t(0));
        QCOMPARE(contents->trace->moduleOf(contents->trace->kind(EventId(2))), contents->trace->modules[0].get());
        QVERIFY(contents->trace->moduleOf(contents->trace->kind(EventId(4))) == nullptr);
    }

    void linksEventsToInstructions()
    {
        XSpaceOptions options;
        options.openModule = [](const EmbeddedModule&) {
            const auto module = parseHloText(
                FileBytes::fromString("HloModule jit_step\n\n"
                                      "f {\n  q = f32[8]{0} parameter(0)\n  ROOT d = f32[8]{0} add(q, q)\n}\n\n"
                                      "ENTRY e {\n  p = f32[8]{0} parameter(0)\n"
                                      "  ROOT fusion.1 = f32[8]{0} fusion(p), kind=kLoop, calls=f\n}\n",
                                      "m"));
            return module ? *module : nullptr;
        };
        const auto contents = testdata::read(testdata::smallXSpace().SerializeAsString(), options);
        const Trace& trace = *contents->trace;
        const EventKind& fusion = trace.kind(EventId(2));
        const HloModule* module = trace.moduleOf(fusion);
        QVERIFY(module != nullptr);
        QVERIFY(fusion.instruction.isValid());
        QCOMPARE(module->instruction(fusion.instruction).name, std::string_view("fusion.1"));
        QCOMPARE(fusion.category, categorize(*module, fusion.instruction));
        // The module has no while.2, and a whole program is no instruction.
        QVERIFY(!trace.kind(EventId(1)).instruction.isValid());
        QVERIFY(!trace.kind(EventId(0)).instruction.isValid());
        QCOMPARE(trace.moduleOf(trace.kind(EventId(0))), module);
    }

    void takesItsNameFromTheFile()
    {
        proto::XSpace space = testdata::smallXSpace();
        space.clear_hostnames();
        QCOMPARE(testdata::read(space)->trace->name, std::string("small"));
    }

    void decodesEveryKindOfStat()
    {
        proto::XSpace space;
        PlaneMaker maker(space, "/host:CPU");
        const int64_t text = maker.statName("text");
        const int64_t other = maker.statName("other");
        const int64_t third = maker.statName("third");
        auto& kind = maker.kind(9, "f");
        PlaneMaker::stat(kind, text).set_str_value("of the kind");
        PlaneMaker::stat(kind, other).set_int64_value(1);
        auto& line = maker.line("t", 0);
        auto& event = PlaneMaker::event(line, 9, 0, 1);
        PlaneMaker::stat(event, text).set_str_value("of the event");
        PlaneMaker::stat(event, third).set_ref_value(static_cast<uint64_t>(other));
        PlaneMaker::stat(event, 77).set_int64_value(std::numeric_limits<int64_t>::min());
        PlaneMaker::stat(event, 78).set_ref_value(99);
        PlaneMaker::stat(event, 79).set_bytes_value(std::string("\0\xff\n", 3));
        PlaneMaker::stat(event, 80).set_uint64_value(std::numeric_limits<uint64_t>::max());
        PlaneMaker::stat(event, 81).set_double_value(-0.25);
        PlaneMaker::stat(event, 82);
        PlaneMaker::event(line, 9, 5, 1);
        const auto contents = testdata::read(space);
        const QStringList expected = {"#77=-9223372036854775808",
                                      "#78=",
                                      "#79=<3 bytes>",
                                      "#80=18446744073709551615",
                                      "#81=-0.25",
                                      "#82=",
                                      "other=1",
                                      "text=of the event",
                                      "third=other"};
        QCOMPARE(argumentsOf(*contents->trace, EventId(0)), expected);
        QCOMPARE(argumentsOf(*contents->trace, EventId(1)), (QStringList{"other=1", "text=of the kind"}));
        QCOMPARE(contents->trace->arguments(EventId(0))[2].number.value(), -9223372036854775808.0);
        QVERIFY(!contents->trace->arguments(EventId(0))[0].number);
    }

    void separatesOpsOfDifferentPrograms()
    {
        // On CPU one metadata "dot.3" serves every program: hlo_op, hlo_module and program_id are stats of the events.
        proto::XSpace space;
        PlaneMaker maker(space, "/host:CPU");
        const int64_t hloOp = maker.statName("hlo_op");
        const int64_t hloModule = maker.statName("hlo_module");
        const int64_t program = maker.statName("program_id");
        const int64_t dot = maker.statName("dot.3");
        const int64_t moduleName = maker.statName("jit_f");
        maker.kind(1, "dot.3");
        maker.kind(2, "hipModuleLaunchKernel");
        auto& line = maker.line("tf_XLAEigen/1", 0);
        int64_t time = 0;
        for (const int64_t id : {4, 10, 4}) {
            auto& event = PlaneMaker::event(line, 1, time += 10, 5);
            PlaneMaker::stat(event, hloOp).set_ref_value(static_cast<uint64_t>(dot));
            PlaneMaker::stat(event, hloModule).set_ref_value(static_cast<uint64_t>(moduleName));
            PlaneMaker::stat(event, program).set_int64_value(id);
        }
        auto& launch = PlaneMaker::event(line, 2, 100, 5);
        PlaneMaker::stat(launch, hloOp).set_str_value("dot.3");
        PlaneMaker::stat(launch, program).set_int64_value(4);
        const auto contents = testdata::read(space);
        const Trace& trace = *contents->trace;
        QCOMPARE(trace.kinds.size(), size_t(3));
        QCOMPARE(trace.eventKinds[0], trace.eventKinds[2]);
        QVERIFY(trace.eventKinds[0] != trace.eventKinds[1]);
        QCOMPARE(trace.kind(EventId(0)).programId.value(), uint64_t(4));
        QCOMPARE(trace.kind(EventId(1)).programId.value(), uint64_t(10));
        QCOMPARE(trace.kind(EventId(1)).name, std::string("dot.3"));
        QCOMPARE(trace.kind(EventId(1)).module, std::string("jit_f"));
        QCOMPARE(trace.kind(EventId(1)).category, categorizeByName({}, "dot.3"));
        // The thread that launches a kernel names the op, but does not run it.
        QCOMPARE(trace.kind(EventId(3)).category, OpCategory::Host);
        QCOMPARE(trace.kind(EventId(3)).programId.value(), uint64_t(4));
    }

    void placesLinesInTime_data()
    {
        QTest::addColumn<qint64>("timestamp");
        QTest::addColumn<bool>("hasStart");
        QTest::addColumn<qint64>("begin"); // of an event at 5 ps
        QTest::addColumn<bool>("knowsWallClock");
        QTest::newRow("relative") << qint64(9183) << true << qint64(9183005) << true;
        QTest::newRow("relative, no start") << qint64(9183) << false << qint64(9183005) << false;
        QTest::newRow("since 1970") << qint64(kSessionStart + 17) << true << qint64(17005) << true;
        QTest::newRow("since 1970, no start") << qint64(kSessionStart + 17) << false << qint64(5) << true;
        QTest::newRow("before the start") << qint64(kSessionStart - 2) << true << qint64(-1995) << true;
        QTest::newRow("negative") << qint64(-3) << true << qint64(-2995) << true;
    }

    void placesLinesInTime()
    {
        QFETCH(qint64, timestamp);
        QFETCH(bool, hasStart);
        QFETCH(qint64, begin);
        QFETCH(bool, knowsWallClock);
        proto::XSpace space;
        {
            PlaneMaker maker(space, "/host:CPU");
            maker.kind(1, "f");
            PlaneMaker::event(maker.line("t", timestamp), 1, 5, 1);
        }
        if (hasStart)
            testdata::addTaskEnvironment(space);
        const auto contents = testdata::read(space);
        QCOMPARE(qint64(contents->trace->begins[0]), begin);
        QCOMPARE(contents->trace->startUnixNanoseconds.has_value(), knowsWallClock);
        QVERIFY(contents->trace->problems.empty());
    }

    void readsHeadersBehindEvents()
    {
        proto::XLine line;
        PlaneMaker::event(line, 1, 5, 1);
        proto::XLine header;
        header.set_name("thread");
        header.set_display_name("main thread");
        header.set_timestamp_ns(7);
        proto::XPlane plane;
        plane.set_name("/host:CPU");
        const std::string lineBytes = withField(line, header.SerializeAsString());
        std::string bytes = plane.SerializeAsString();
        bytes += std::string("\x1a") + static_cast<char>(lineBytes.size()) + lineBytes;
        const auto contents = testdata::read(std::string("\x0a") + static_cast<char>(bytes.size()) + bytes);
        QCOMPARE(contents->trace->tracks[0].name, std::string("main thread"));
        QCOMPARE(contents->trace->begins[0], int64_t(7005));
    }

    void countsWhatIsMissingOrUnknown()
    {
        proto::XSpace space;
        PlaneMaker maker(space, "/host:CPU");
        maker.kind(1, "known");
        maker.kind(3, "broken ? text");
        auto& line = maker.line("t", 0);
        PlaneMaker::event(line, 1, 30, 1);
        PlaneMaker::event(line, 2, 20, 1);
        PlaneMaker::event(line, -1, 10, 1);
        PlaneMaker::event(line, 2, 0, -5);
        PlaneMaker::event(line, 3, 40, 1);
        space.add_errors("device lost");
        // Field 99 of type varint at the top, and a second metadata with id 1 in the plane.
        proto::XPlane again;
        (*again.mutable_event_metadata())[1].set_name("renamed");
        std::string plane = space.planes(0).SerializeAsString() + again.SerializeAsString();
        plane[plane.find('?')] = '\xff';
        space.clear_planes();
        std::string whole = "\x0a";
        whole += static_cast<char>((plane.size() & 0x7f) | 0x80);
        whole += static_cast<char>(plane.size() >> 7);
        whole += plane + space.SerializeAsString() + std::string("\x98\x06\x01", 3);
        const auto contents = testdata::read(whole);
        QVERIFY(contents.hasValue());
        const Trace& trace = *contents->trace;
        QCOMPARE(trace.eventCount(), size_t(5));
        QCOMPARE(trace.begins, (std::vector<int64_t>{0, 10, 20, 30, 40}));
        QCOMPARE(trace.kind(EventId(3)).name, std::string("renamed"));
        QCOMPARE(trace.kind(EventId(2)).label(), std::string("#2"));
        QCOMPARE(trace.kind(EventId(1)).label(), std::string("#-1"));
        QCOMPARE(trace.kind(EventId(4)).name, std::string("broken \xef\xbf\xbd text"));
        QCOMPARE(countOf(trace, "kinds of events without a name (their metadata is not in the file)"), uint64_t(2));
        QCOMPARE(countOf(trace, "event metadata with an id that another one has, the last one counts"), uint64_t(1));
        QCOMPARE(countOf(trace, "unknown field 99 of wire type 0 in XSpace"), uint64_t(1));
        QCOMPARE(countOf(trace, "events with a negative duration, shown as instants"), uint64_t(1));
        QCOMPARE(countOf(trace, "texts that are not UTF-8"), uint64_t(1));
        QCOMPARE(trace.problems.diagnostics().size(), size_t(1));
        QCOMPARE(trace.problems.diagnostics()[0].message, std::string("the profiler reported an error: device lost"));
    }

    void keepsSumsApart()
    {
        proto::XSpace space;
        PlaneMaker maker(space, "/device:TPU:0");
        maker.kind(1, "fusion.1");
        auto& line = maker.line("XLA Ops", 0);
        proto::XEvent& sum = *line.add_events();
        sum.set_metadata_id(1);
        sum.set_num_occurrences(12);
        sum.set_duration_ps(3400);
        PlaneMaker::event(line, 1, 1, 2);
        const auto contents = testdata::read(space);
        const Trace& trace = *contents->trace;
        QCOMPARE(trace.eventCount(), size_t(1));
        QCOMPARE(trace.aggregates.size(), size_t(1));
        QCOMPARE(trace.aggregates[0].occurrences, uint64_t(12));
        QCOMPARE(trace.aggregates[0].durationPs, int64_t(3400));
        QCOMPARE(trace.kinds[trace.aggregates[0].kind.index()].name, std::string("fusion.1"));
        QCOMPARE(countOf(trace, "sums of events without a time, counted in statistics only"), uint64_t(1));
    }

    void makesCountersOfTheCounterLine()
    {
        proto::XSpace space;
        PlaneMaker maker(space, "/device:TPU:0");
        const int64_t percent = maker.statName("% util");
        maker.kind(1, "MXU");
        maker.kind(2, "XLU");
        auto& line = maker.line("_counters_", 3);
        PlaneMaker::stat(PlaneMaker::event(line, 1, 40, 5), percent).set_double_value(75);
        PlaneMaker::stat(PlaneMaker::event(line, 1, 10, 5), percent).set_double_value(50);
        PlaneMaker::stat(PlaneMaker::event(line, 2, 10, 5), percent).set_double_value(0);
        const auto contents = testdata::read(space);
        const Trace& trace = *contents->trace;
        QVERIFY(trace.tracks[0].isCounters);
        QCOMPARE(trace.eventCount(), size_t(3));
        QCOMPARE(trace.counters.size(), size_t(2));
        QCOMPARE(trace.counters[0].name, std::string("MXU"));
        QCOMPARE(trace.counters[0].unit, Counter::Unit::Fraction);
        QCOMPARE(trace.counters[0].times, (std::vector<int64_t>{3010, 3040}));
        QCOMPARE(trace.counters[0].values, (std::vector<double>{0.5, 0.75}));
    }

    void saysWhereAFileIsCut()
    {
        const std::string whole = testdata::smallXSpace().SerializeAsString();
        const auto contents = testdata::read(whole.substr(0, 90));
        QVERIFY(contents.hasValue());
        const auto& diagnostics = contents->trace->problems.diagnostics();
        QCOMPARE(diagnostics.size(), size_t(1));
        const QString text = QString::fromStdString(diagnostics[0].format());
        QVERIFY2(text.startsWith("small.xplane.pb:@0: warning: the plane '/device:TPU:0' should have "),
                 qPrintable(text));
        QVERIFY2(text.contains("bytes, but the file ends after 87 (the file is cut off or damaged)"), qPrintable(text));
    }

    // Whatever is cut off, no event is invented: what is left is a beginning of the whole, with a warning.
    void readsWhatIsLeftAtEveryCut()
    {
        const proto::XSpace space = testdata::smallXSpace();
        const std::string whole = space.SerializeAsString();
        // A file that ends between two planes is a whole profile with fewer planes; nothing can tell.
        std::set<size_t> boundaries;
        proto::XSpace growing;
        for (const proto::XPlane& plane : space.planes()) {
            *growing.add_planes() = plane;
            boundaries.insert(growing.ByteSizeLong());
        }
        const auto complete = testdata::read(whole);
        size_t readable = 0;
        for (size_t length = 0; length < whole.size(); ++length) {
            const auto contents = testdata::read(whole.substr(0, length));
            if (!contents) {
                QVERIFY(!contents.error().message.empty());
                continue;
            }
            ++readable;
            const Trace& trace = *contents->trace;
            QVERIFY(trace.eventCount() <= complete->trace->eventCount());
            for (size_t i = 0; i < trace.eventCount(); ++i) {
                QCOMPARE(trace.durations[i], complete->trace->durations[i]);
                QCOMPARE(trace.eventKinds[i] < trace.kinds.size(), true);
                trace.arguments(EventId(i));
            }
            if (!boundaries.contains(length) && length < *boundaries.rbegin())
                QVERIFY2(!trace.problems.empty(), qPrintable(QString::number(length)));
        }
        QVERIFY(readable > whole.size() / 2);
    }

    void survivesFlippedBytes()
    {
        const std::string whole = testdata::smallXSpace().SerializeAsString();
        size_t readable = 0;
        for (size_t at = 0; at < whole.size(); ++at) {
            for (const int mask : {0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0xff}) {
                std::string damaged = whole;
                damaged[at] = static_cast<char>(damaged[at] ^ mask);
                const auto contents = testdata::read(damaged);
                if (!contents)
                    continue;
                ++readable;
                const Trace& trace = *contents->trace;
                for (size_t i = 0; i < trace.eventCount(); ++i) {
                    QVERIFY(trace.durations[i] >= 0);
                    trace.arguments(EventId(i));
                }
            }
        }
        QVERIFY(readable > 9 * whole.size() / 2);
    }

    void refusesWhatIsNoProfile_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("zeros") << QByteArray(100, '\0');
        QTest::newRow("ones") << QByteArray(100, '\xff');
        QTest::newRow("text") << QByteArray("hello, this is not a profile at all");
        QTest::newRow("only host names") << QByteArray("\x22\x05host0", 7);
    }

    void refusesWhatIsNoProfile()
    {
        QFETCH(QByteArray, bytes);
        const auto contents = testdata::read(bytes.toStdString());
        QVERIFY(!contents.hasValue());
        QVERIFY(contents.error().byteOffset.has_value());
    }

    void boundsHostileLengths()
    {
        // A plane, a line and an event that each claim 2^63 bytes, and a varint without an end.
        for (const char* tag : {"\x0a", "\x0a\x08\x1a", "\x0a\x0c\x1a\x0a\x22"}) {
            const auto contents = testdata::read(std::string(tag) + std::string(9, '\xff') + '\x7f');
            QVERIFY(!contents.hasValue() || !contents->trace->problems.empty());
        }
    }

    void canBeCancelled()
    {
        Progress progress;
        progress.cancel();
        const auto contents =
            readXSpace(FileBytes::fromString(testdata::smallXSpace().SerializeAsString(), "x"), {}, &progress);
        QVERIFY(!contents.hasValue());
        QCOMPARE(contents.error().message, std::string("reading was cancelled"));
    }

    void salvagesNamesFromMangledText()
    {
        // What a UTF-8 conversion with universal newlines makes of a profile.
        proto::XSpace space = testdata::smallXSpace();
        auto& ops = *space.mutable_planes(0)->mutable_lines(1);
        for (int i = 0; i < 100; ++i)
            PlaneMaker::event(ops, 2, 1'000'000 + 1000 * i, 900);
        const std::string bytes = space.SerializeAsString();
        QByteArray mangled =
            QString::fromUtf8(bytes.data(), static_cast<qsizetype>(bytes.size())).toUtf8().replace('\r', '\n');
        const auto contents = testdata::read(mangled.toStdString());
        QVERIFY(contents.hasValue());
        const Trace& trace = *contents->trace;
        QCOMPARE(trace.eventCount(), size_t(0));
        QCOMPARE(trace.planes.size(), size_t(4));
        QCOMPARE(trace.planes[0].name, std::string("/device:TPU:0"));
        QCOMPARE(trace.tracks.size(), size_t(3));
        QCOMPARE(trace.tracks[1].name, std::string("XLA Ops"));
        QCOMPARE(trace.tracks[2].name, std::string("python"));
        QVERIFY(trace.problems.diagnostics()[0].message.find("went through a text conversion") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestXSpaceReader)
#include "tst_xspace_reader.moc"
