// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/module_facts.h"
#include "core/hlo/hlo_text.h"

#include <QtTest>

using namespace hloscope;

class TestModuleFacts : public QObject {
    Q_OBJECT

private slots:
    void findsTheChipThatAPathNames_data()
    {
        QTest::addColumn<QByteArray>("path");
        QTest::addColumn<QByteArray>("chip");
        QTest::newRow("folder") << QByteArray("corpus/ffw.v2-2x2/module.hlo") << QByteArray("v2");
        QTest::newRow("file") << QByteArray("/a/step-tpu7x.hlo.gz") << QByteArray("v7x");
        QTest::newRow("nearest to the end wins") << QByteArray("v4/runs/x.v5p-2x2x1/v6e.hlo") << QByteArray("v6e");
        QTest::newRow("upper case") << QByteArray("RUN_V5E/module.hlo") << QByteArray("v5e");
        QTest::newRow("none") << QByteArray("runs/module.hlo") << QByteArray();
        QTest::newRow("part of a word") << QByteArray("mv2x/module.hlo") << QByteArray();
        QTest::newRow("empty") << QByteArray() << QByteArray();
    }

    void findsTheChipThatAPathNames()
    {
        QFETCH(QByteArray, path);
        QFETCH(QByteArray, chip);
        const ChipSpec* found = chipNamedBy(path.toStdString());
        QCOMPARE(found == nullptr ? std::string() : std::string(found->id), chip.toStdString());
    }

    void tellsThePlatform_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QByteArray>("platform");
        QTest::newRow("tiles") << QByteArray("p = f32[8,128]{1,0:T(8,128)} parameter(0)") << QByteArray("tpu");
        QTest::newRow("cublas") << QByteArray("p = f32[2]{0} custom-call(), custom_call_target=\"__cublas$gemm\"")
                                << QByteArray("gpu");
        QTest::newRow("gpu fusion") << QByteArray("p = f32[2]{0} iota(), iota_dimension=0, "
                                                  "backend_config={\"fusion_backend_config\":{\"kind\":\"__triton\"}}")
                                    << QByteArray("gpu");
        QTest::newRow("cpu") << QByteArray(
            "p = f32[2]{0} iota(), iota_dimension=0, backend_config={\"outer_dimension_partitions\":[\"4\"]}")
                             << QByteArray("cpu");
        QTest::newRow("nothing to tell by") << QByteArray("p = f32[2]{0} parameter(0)") << QByteArray();
    }

    void tellsThePlatform()
    {
        QFETCH(QByteArray, line);
        QFETCH(QByteArray, platform);
        const QByteArray text = "HloModule m\n\nENTRY e {\n  ROOT " + line + "\n}\n";
        const auto module = parseHloText(FileBytes::fromString(text.toStdString(), "m.hlo"));
        QVERIFY(module.hasValue());
        QCOMPARE(std::string(platformOf(**module)), platform.toStdString());
    }
};

QTEST_APPLESS_MAIN(TestModuleFacts)
#include "tst_module_facts.moc"
