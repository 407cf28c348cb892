// SPDX-License-Identifier: Apache-2.0
#include "core/tpu/xla_cost.h"
#include "tests/tpu/tpu_test_data.h"

#include <QtTest>

using namespace hloscope;

namespace {

struct Figure {
    const char* key; // in cost_analysis()
    double XlaCost::*member;
};
constexpr Figure kFigures[] = {{"flops", &XlaCost::flops},
                               {"transcendentals", &XlaCost::transcendentals},
                               {"bytes accessed", &XlaCost::bytesAccessed},
                               {"optimal_seconds", &XlaCost::optimalSeconds}};

} // namespace

class TestXlaCost : public QObject {
    Q_OBJECT

private slots:
    void matchesCompiler_data();
    void matchesCompiler();
};

void TestXlaCost::matchesCompiler_data()
{
    QTest::addColumn<QString>("hlo");
    QTest::addColumn<QString>("chip");
    QTest::addColumn<QJsonObject>("expected");
    for (const auto& programs : {testdata::corpusPrograms(), testdata::opCorpusPrograms()}) {
        for (const testdata::PricedProgram& program : programs)
            QTest::newRow(qPrintable(program.name)) << program.hloPath << program.chip << program.costAnalysis;
    }
}

void TestXlaCost::matchesCompiler()
{
    QFETCH(QString, hlo);
    QFETCH(QString, chip);
    QFETCH(QJsonObject, expected);
    const auto module = testdata::parseModule(hlo);
    QVERIFY(module);
    const ChipSpec* spec = findChip(chip.toStdString());
    QVERIFY(spec);
    const CallOrder order = callOrder(*module);
    const XlaCostAnalysis analysis(*module, *spec, order, XlaSums::AsXla);
    const XlaCost& total = analysis.of(module->entry);
    for (const Figure& figure : kFigures) {
        const double want = expected.value(QLatin1String(figure.key)).toDouble();
        const double got = total.*figure.member;
        const double tolerance = 1e-4 * std::max(std::abs(want), std::abs(got));
        QVERIFY2(std::abs(got - want) <= tolerance,
                 qPrintable(QStringLiteral("%1: %2, libtpu says %3")
                                .arg(QLatin1String(figure.key))
                                .arg(got, 0, 'g', 9)
                                .arg(want, 0, 'g', 9)));
    }
}

QTEST_APPLESS_MAIN(TestXlaCost)
#include "tst_xla_cost.moc"
