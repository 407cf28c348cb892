// SPDX-License-Identifier: Apache-2.0
#include "views/words/units.h"

#include <QtTest>

#include <limits>

using namespace hloscope;

// The expected texts are those of the design (style.md, section 6) and of its pictures, with the exact values that
// stand behind them; \u2009 is the thin space.
class TestUnits : public QObject {
    Q_OBJECT

private slots:
    void capacitiesKeepTheMakersUnit()
    {
        QCOMPARE(formatCapacity(8.0 * 1024 * 1024 * 1024), QStringLiteral("8 GB"));
        QCOMPARE(formatCapacity(95.5 * 1024 * 1024 * 1024), QStringLiteral("95.5 GB"));
    }

    void time_data()
    {
        QTest::addColumn<qint64>("picoseconds");
        QTest::addColumn<QString>("text");
        QTest::newRow("zero") << qint64(0) << "0 ps";
        QTest::newRow("ps") << qint64(999) << "999 ps";
        QTest::newRow("ns") << qint64(1000) << "1.000 ns";
        QTest::newRow("us") << qint64(152'800'000) << QStringLiteral("152.8 \u00b5s");
        QTest::newRow("ms, two decimals") << qint64(97'660'000'000) << "97.66 ms";
        QTest::newRow("ms, one decimal") << qint64(609'400'000'000) << "609.4 ms";
        QTest::newRow("ms, three decimals") << qint64(1'149'000'000) << "1.149 ms";
        QTest::newRow("rounds into the next unit") << qint64(999'960'000) << "1.000 ms";
        QTest::newRow("stays below it") << qint64(999'940'000) << QStringLiteral("999.9 \u00b5s");
        QTest::newRow("seconds") << qint64(123'450'000'000'000) << "123.5 s";
        QTest::newRow("long") << qint64(27'631'000'000'000'000) << QStringLiteral("27\u2009631 s");
        QTest::newRow("negative") << qint64(-1'500'000) << QStringLiteral("\u22121.500 \u00b5s");
        QTest::newRow("smallest") << std::numeric_limits<qint64>::min()
                                  << QStringLiteral("\u22129\u2009223\u2009372 s"); // 2^63 ps
    }
    void time()
    {
        QFETCH(qint64, picoseconds);
        QFETCH(QString, text);
        QCOMPARE(formatTime(picoseconds), text);
    }

    void bytes_data()
    {
        QTest::addColumn<qint64>("bytes");
        QTest::addColumn<QString>("text");
        QTest::newRow("zero") << qint64(0) << "0 B";
        QTest::newRow("bytes") << qint64(1023) << "1023 B";
        QTest::newRow("exact KiB") << qint64(512 * 1024) << "512 KiB";
        QTest::newRow("exact MiB") << qint64(64 << 20) << "64 MiB";
        QTest::newRow("half MiB") << qint64((512 << 20) + (512 << 10)) << "512.5 MiB";
        QTest::newRow("GiB") << qint64(2'282'225'664) << "2.13 GiB"; // the peak of the mockups
        QTest::newRow("rounds into the next unit") << qint64((1 << 20) - 1) << "1.00 MiB";
        QTest::newRow("TiB") << qint64(1) * (1ll << 40) << "1 TiB";
        QTest::newRow("negative") << qint64(-2048) << QStringLiteral("\u22122 KiB");
        QTest::newRow("largest") << std::numeric_limits<qint64>::max() << QStringLiteral("8192.0 PiB");
    }
    void bytes()
    {
        QFETCH(qint64, bytes);
        QFETCH(QString, text);
        QCOMPARE(formatBytes(bytes), text);
    }

    void exactBytes()
    {
        QCOMPARE(formatExactBytes(2'282'225'664), QStringLiteral("2\u2009282\u2009225\u2009664 B"));
        QCOMPARE(formatExactBytes(2748), QStringLiteral("2748 B"));
    }

    void rate_data()
    {
        QTest::addColumn<double>("value");
        QTest::addColumn<QString>("unit");
        QTest::addColumn<QString>("text");
        QTest::newRow("tera") << 22.45e12 << "FLOP/s"
                              << "22.45 TFLOP/s";
        QTest::newRow("giga") << 104.4e9 << "B/s"
                              << "104.4 GB/s";
        QTest::newRow("giga flops") << 207.9e9 << "FLOP/s"
                                    << "207.9 GFLOP/s";
        QTest::newRow("intensity") << 3280.0 << "FLOP/B"
                                   << "3280 FLOP/B";
        QTest::newRow("small intensity") << 0.25 << "FLOP/B"
                                         << "0.250 FLOP/B";
        QTest::newRow("zero") << 0.0 << "FLOP/s"
                              << "0 FLOP/s";
        QTest::newRow("rounds up") << 999.96e9 << "B/s"
                                   << "1.000 TB/s";
        QTest::newRow("not a number") << std::numeric_limits<double>::quiet_NaN() << "B/s" << QStringLiteral("\u2013");
    }
    void rate()
    {
        QFETCH(double, value);
        QFETCH(QString, unit);
        QFETCH(QString, text);
        QCOMPARE(formatRate(value, unit), text);
    }

    void percent()
    {
        QCOMPARE(formatPercent(0.98), QStringLiteral("98.0\u2009%"));
        QCOMPARE(formatPercent(1.0), QStringLiteral("100.0\u2009%"));
        QCOMPARE(formatPercent(-0.123), QStringLiteral("\u221212.3\u2009%"));
        QCOMPARE(formatPercent(-0.0001), QStringLiteral("0.0\u2009%"));
        QCOMPARE(formatPercent(std::numeric_limits<double>::infinity()), QStringLiteral("\u2013"));
    }

    void count()
    {
        QCOMPARE(formatCount(2748), QStringLiteral("2748"));
        QCOMPARE(formatCount(27'631), QStringLiteral("27\u2009631"));
        QCOMPARE(formatCount(100'000'000), QStringLiteral("100\u2009000\u2009000"));
        QCOMPARE(formatCount(-12'345), QStringLiteral("\u221212\u2009345"));
    }

    void elides_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("characters");
        QTest::addColumn<QString>("text");
        QTest::newRow("fits") << "fusion.42" << 9 << "fusion.42";
        QTest::newRow("keeps the number")
            << "convolution_bitcast_fusion.42" << 16 << QStringLiteral("convolu\u2026usion.42");
        QTest::newRow("only the number is left") << "fusion.42" << 3 << QStringLiteral("\u202642");
        QTest::newRow("not even the number") << "fusion.12345" << 3 << QStringLiteral("\u202645");
        QTest::newRow("nothing") << "fusion.12345" << 1 << QStringLiteral("\u2026");
    }
    void elides()
    {
        QFETCH(QString, name);
        QFETCH(int, characters);
        QFETCH(QString, text);
        QCOMPARE(elideName(name, characters), text);
        QVERIFY(elideName(name, characters).size() <= characters);
    }
};

QTEST_APPLESS_MAIN(TestUnits)
#include "tst_units.moc"
