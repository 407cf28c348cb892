// SPDX-License-Identifier: Apache-2.0
#include "live_range_text.h"

#include "core/hlo/hlo_text.h"
#include "core/memory/live_range.h"
#include "tests/test_data.h"

#include <QtTest>

#include <algorithm>

using namespace hloscope;

namespace {

[[maybe_unused]] std::shared_ptr<const HloModule> parse(std::string text)
{
    auto module = parseHloText(FileBytes::fromString(std::move(text), "test.hlo"));
    return module ? *module : nullptr;
}

QString rangeText(const HloModule& module, const LiveRange& range)
{
    return QString::fromStdString(toString(module, range.buffer))
        + QStringLiteral(":%1-%2").arg(range.begin).arg(range.end);
}

QStringList rangeTexts(const HloModule& module, const LiveRangeReport& report)
{
    QStringList texts;
    for (const LiveRange& range : report.ranges)
        texts << rangeText(module, range);
    return texts;
}

QStringList liveTexts(const HloModule& module, const LiveRangeReport& report)
{
    QStringList texts;
    for (const size_t index : report.live) {
        const LiveRange& range = report.ranges[index];
        texts << QString::fromStdString(toString(module, range.buffer)) + QStringLiteral(": %1").arg(range.bytes);
    }
    return texts;
}

QStringList sorted(QStringList list)
{
    list.sort();
    return list;
}

// The first difference of two lists, to be readable in a failure.
QString difference(const QStringList& ours, const QStringList& xla)
{
    for (qsizetype i = 0; i < std::max(ours.size(), xla.size()); ++i) {
        const QString a = i < ours.size() ? ours[i] : QStringLiteral("nothing");
        const QString b = i < xla.size() ? xla[i] : QStringLiteral("nothing");
        if (a != b)
            return QStringLiteral("at %1: ours %2, XLA %3").arg(i).arg(a, b);
    }
    return {};
}

LiveRangeReport analyse(const HloModule& module)
{
    Expected<LiveRangeReport> report = computeLiveRanges(module);
    if (!report)
        qWarning("%s", report.error().format().c_str());
    return report ? *std::move(report) : LiveRangeReport();
}

} // namespace

class TestLiveRange : public QObject {
    Q_OBJECT

private slots:
    void equalsXla_data()
    {
        QTest::addColumn<QString>("module");
        QTest::addColumn<QString>("report");
        // `corpus/` holds a committed part of the shared corpus, so that this runs everywhere.
        const QDir committed(testdata::path("corpus"));
        for (const QString& program : committed.entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name)) {
            const QString folder = committed.filePath(program);
            if (QFile::exists(folder + "/live-range.txt")) {
                QTest::addRow("committed %s", qPrintable(program))
                    << folder + "/after_optimizations.hlo" << folder + "/live-range.txt";
            }
        }
        for (const QString& report : testdata::corpus("live-range.txt")) {
            const QString folder = QFileInfo(report).path();
            QTest::addRow("%s", qPrintable(QFileInfo(folder).fileName()))
                << folder + "/after_optimizations.hlo" << report;
        }
        if (testdata::corpus("live-range.txt").isEmpty())
            qInfo("the shared corpus is not here, only the committed part is checked");
    }

    void equalsXla()
    {
        QFETCH(QString, module);
        QFETCH(QString, report);
        const LiveRangeText xla = LiveRangeText::read(report);
        QVERIFY(xla.max > 0 && !xla.ranges.isEmpty() && !xla.live.isEmpty());
        auto bytes = FileBytes::open(module.toStdString());
        QVERIFY(bytes);
        auto hlo = parseHloText(*bytes);
        QVERIFY(hlo);
        const LiveRangeReport ours = analyse(**hlo);

        QStringList sequence;
        for (const InstructionId id : ours.sequence)
            sequence << QString::fromUtf8((*hlo)->instruction(id).name.data(),
                                          qsizetype((*hlo)->instruction(id).name.size()));
        QCOMPARE(difference(sequence, xla.sequence), QString());
        QCOMPARE(qint64(ours.sequence.size()), xla.max);
        // The order of the lines follows how the compiler made the module, which the text does not tell.
        QCOMPARE(difference(sorted(rangeTexts(**hlo, ours)), sorted(xla.ranges)), QString());
        QCOMPARE(qint64(ours.peakPosition), xla.peak);
        QCOMPARE(difference(liveTexts(**hlo, ours), xla.live), QString());
        QCOMPARE(qint64(ours.peakBytes), xla.liveBytes);
    }
};

QTEST_APPLESS_MAIN(TestLiveRange)
#include "tst_live_range.moc"
