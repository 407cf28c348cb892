// SPDX-License-Identifier: Apache-2.0
#include "core/hlo/hlo_text.h"
#include "core/memory/memory_report.h"
#include "tests/test_data.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include <cmath>

using namespace hloscope;

namespace {

std::shared_ptr<const HloModule> open(const QString& path)
{
    auto bytes = FileBytes::open(path.toStdString());
    if (!bytes)
        return nullptr;
    auto module = parseHloText(*bytes);
    return module ? *module : nullptr;
}

qint64 peakInFile(const QString& compiledJson)
{
    QFile file(compiledJson);
    if (!file.open(QIODevice::ReadOnly))
        return -1;
    const QJsonObject analysis = QJsonDocument::fromJson(file.readAll()).object()["memory_analysis"].toObject();
    return analysis["peak_memory_in_bytes"].toInteger(-1);
}

} // namespace

class TestMemoryReport : public QObject {
    Q_OBJECT

private slots:
    void totalPeakIsNearXla()
    {
        const QStringList programs = testdata::corpus("compiled.json");
        if (programs.isEmpty())
            QSKIP("the shared corpus is not here");
        int exact = 0;
        int within = 0;
        for (const QString& json : programs) {
            const QString folder = QFileInfo(json).path();
            const qint64 xla = peakInFile(json);
            const auto module = open(folder + "/after_optimizations.hlo");
            QVERIFY(xla > 0 && module);
            const auto report = analyseMemory(*module);
            QVERIFY(report);
            const double error = std::abs(double(report->totalPeakBytes) / double(xla) - 1);
            exact += report->totalPeakBytes == xla;
            within += error <= 0.01;
            if (report->totalPeakBytes != xla) {
                qInfo("%s: ours %lld, XLA %lld", qPrintable(QFileInfo(folder).fileName()),
                      static_cast<long long>(report->totalPeakBytes), static_cast<long long>(xla));
            }
        }
        qInfo("%d of %d exact, %d within 1 %%", exact, int(programs.size()), within);
        QCOMPARE(within, int(programs.size()));
        QVERIFY(exact >= 42);
    }
};

QTEST_APPLESS_MAIN(TestMemoryReport)
#include "tst_memory_report.moc"
