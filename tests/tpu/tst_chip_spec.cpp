// SPDX-License-Identifier: Apache-2.0
#include "core/tpu/chip_spec.h"
#include "core/tpu/timing_constants.h"

#include <QtTest>

#include <set>
#include <string>

using namespace hloscope;

class TestChipSpec : public QObject {
    Q_OBJECT

private slots:
    void listsAllChips();
    void findsByName_data();
    void findsByName();
    void givesTopology();
    void figures_data();
    void figures();
    void everyFigureHasASource_data();
    void everyFigureHasASource();
    void peaksFollowFromTheMatrixUnit_data();
    void peaksFollowFromTheMatrixUnit();

private:
    void addChips();
};

void TestChipSpec::addChips()
{
    QTest::addColumn<QString>("id");
    for (const ChipSpec& chip : chips())
        QTest::newRow(std::string(chip.id).c_str()) << QString::fromUtf8(chip.id.data(), int(chip.id.size()));
}

void TestChipSpec::listsAllChips()
{
    std::set<std::string_view> ids;
    for (const ChipSpec& chip : chips())
        ids.insert(chip.id);
    QCOMPARE(ids, (std::set<std::string_view>{"v2", "v3", "v4", "v4i", "v5e", "v5p", "v6e", "v7x"}));
    QCOMPARE(chips().size(), size_t{8});
}

void TestChipSpec::findsByName_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("id"); // empty: not found
    const char* names[][2] = {{"v5e", "v5e"},
                              {"V5E", "v5e"},
                              {"v5e:4x4", "v5e"},
                              {"tpu7x:2x2x1", "v7x"},
                              {"v7x", "v7x"},
                              {"TPU7x", "v7x"},
                              {"TPU v5 lite", "v5e"},
                              {"tpu v5 LITE", "v5e"},
                              {"TPU v5", "v5p"},
                              {"TPU v6 lite", "v6e"},
                              {"TPU v4", "v4"},
                              {"TPU v4 lite", "v4i"},
                              {"v5p:16x20x28", "v5p"},
                              {"TPU v2", "v2"},
                              {"v3:2x2", "v3"},
                              {"", ""},
                              {"v9", ""},
                              {"gpu", ""},
                              {":4x4", ""},
                              {"v5e ", ""}};
    for (const auto& name : names)
        QTest::newRow(name[0]) << QString::fromLatin1(name[0]) << QString::fromLatin1(name[1]);
}

void TestChipSpec::findsByName()
{
    QFETCH(QString, name);
    QFETCH(QString, id);
    const ChipSpec* chip = findChip(name.toStdString());
    QCOMPARE(chip ? std::string(chip->id) : std::string(), id.toStdString());
}

void TestChipSpec::givesTopology()
{
    QCOMPARE(topologyOf("v5e:4x4"), std::string_view("4x4"));
    QCOMPARE(topologyOf("tpu7x:2x2x1"), std::string_view("2x2x1"));
    QCOMPARE(topologyOf("v5e"), std::string_view());
}

// Spot checks against the data sheets, per device: a core on v2, v3, v4 and v7x.
void TestChipSpec::figures_data()
{
    QTest::addColumn<QString>("chip");
    QTest::addColumn<double>("flops");
    QTest::addColumn<double>("hbm");
    QTest::addColumn<double>("bandwidth");
    QTest::addColumn<double>("link"); // one way; 0 for none
    const double gib = 1024.0 * 1024 * 1024;
    QTest::newRow("v2") << "v2" << 46e12 / 2 << 8 * gib << 700e9 / 2 << 6.0e10;
    QTest::newRow("v3") << "v3" << 123e12 / 2 << 16 * gib << 900e9 / 2 << 1.0e11;
    QTest::newRow("v4") << "v4" << 275e12 / 2 << 16 * gib << 1200e9 / 2 << 4.5e10;
    QTest::newRow("v4i") << "v4i" << 137.5e12 << 8 * gib << 614e9 << 0.0;
    QTest::newRow("v5e") << "v5e" << 197e12 << 16 * gib << 819e9 << 4.5e10;
    QTest::newRow("v5p") << "v5p" << 459e12 << 95 * gib << 2765e9 << 9.0e10;
    QTest::newRow("v6e") << "v6e" << 918e12 << 32 * gib << 1638e9 << 9.0e10;
    QTest::newRow("v7x") << "v7x" << 2307e12 / 2 << 96 * gib << 7380e9 / 2 << 9.0e10;
}

void TestChipSpec::figures()
{
    QFETCH(QString, chip);
    QFETCH(double, flops);
    QFETCH(double, hbm);
    QFETCH(double, bandwidth);
    QFETCH(double, link);
    const ChipSpec* spec = findChip(chip.toStdString());
    QVERIFY(spec);
    QCOMPARE(*spec->bf16FlopsPerSecond, flops);
    QCOMPARE(*spec->hbmBytes, hbm);
    QCOMPARE(*spec->hbmBytesPerSecond, bandwidth);
    QCOMPARE(spec->iciLinkBytesPerSecond.hasValue(), link != 0);
    if (link != 0)
        QCOMPARE(*spec->iciLinkBytesPerSecond, link);
}

void TestChipSpec::everyFigureHasASource_data()
{
    addChips();
}

void TestChipSpec::everyFigureHasASource()
{
    QFETCH(QString, id);
    const ChipSpec* chip = findChip(id.toStdString());
    for (const SourcedValue& value : {chip->clockHz,
                                      chip->bf16FlopsPerSecond,
                                      chip->int8OpsPerSecond,
                                      chip->hbmBytes,
                                      chip->hbmBytesPerSecond,
                                      chip->vmemBytes,
                                      chip->vmemReadBytesPerSecond,
                                      chip->vmemWriteBytesPerSecond,
                                      chip->cmemBytes,
                                      chip->smemBytes,
                                      chip->vpuOpsPerSecond,
                                      chip->iciLinkBytesPerSecond,
                                      chip->iciLinks,
                                      chip->iciHopSeconds,
                                      chip->pcieBytesPerSecond,
                                      chip->dcnBytesPerSecond,
                                      chip->compilerFlopsPerSecond,
                                      chip->compilerHbmBytesPerSecond,
                                      chip->compilerTranscendentalsPerSecond,
                                      chip->compilerLeastOpSeconds,
                                      chip->compilerTupleTableBytes,
                                      chip->dmaLatencySeconds}) {
        QCOMPARE(value.hasValue(), !value.source.empty());
        QVERIFY(!value.hasValue() || *value >= 0);
    }
    // What every tool needs.
    QVERIFY(chip->clockHz.hasValue() && chip->hbmBytes.hasValue() && chip->bf16FlopsPerSecond.hasValue());
}

void TestChipSpec::peaksFollowFromTheMatrixUnit_data()
{
    addChips();
}

// peak = 2 flops x arrays x side^2 x clock; published figures are rounded.
void TestChipSpec::peaksFollowFromTheMatrixUnit()
{
    QFETCH(QString, id);
    const ChipSpec* chip = findChip(id.toStdString());
    const double peak = 2.0 * chip->mxus * chip->mxuSize * chip->mxuSize * *chip->clockHz;
    QVERIFY(std::abs(peak / *chip->bf16FlopsPerSecond - 1) < 0.01);
    QVERIFY(timingConstants(*chip).hbmBytesPerCycle > 0);
}

QTEST_APPLESS_MAIN(TestChipSpec)
#include "tst_chip_spec.moc"
