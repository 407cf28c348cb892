// SPDX-License-Identifier: Apache-2.0
#include "core/hlo/json_text.h"

#include <QtTest>

using namespace hloscope;

class TestJsonText : public QObject {
    Q_OBJECT

private slots:
    void sortsKeys_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("sorted");
        QTest::newRow("object") << R"({"b": 1, "a" : {"d":[ 1, 2.50e+1 ],"c":null}})"
                                << R"({"a":{"c":null,"d":[1,2.50e+1]},"b":1})";
        QTest::newRow("empty") << "{ }"
                               << "{}";
        QTest::newRow("empty array") << R"({"a":[ ]})"
                                     << R"({"a":[]})";
        QTest::newRow("strings stay") << "{\"a\":\"x, {y} \\\" \\u003c//z\"}"
                                      << "{\"a\":\"x, {y} \\\" \\u003c//z\"}";
        QTest::newRow("number") << " -7 "
                                << "-7";
    }

    void sortsKeys()
    {
        QFETCH(QString, text);
        QFETCH(QString, sorted);
        QCOMPARE(QString::fromStdString(sortedJson(text.toStdString()).value_or("no JSON")), sorted);
    }

    void refusesOtherText_data()
    {
        QTest::addColumn<QString>("text");
        for (const char* text : {"", "{", "{\"a\"}", "{\"a\":}", "{a:1}", "{\"a\":1} x", "[1", "{\"a\":1 /*c*/}"})
            QTest::newRow(text) << QString::fromLatin1(text);
        QTest::newRow("deep") << QString(100'000, QLatin1Char('['));
    }

    void refusesOtherText()
    {
        QFETCH(QString, text);
        QVERIFY(!sortedJson(text.toStdString()));
    }
};

QTEST_APPLESS_MAIN(TestJsonText)
#include "tst_json_text.moc"
