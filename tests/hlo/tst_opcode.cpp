// SPDX-License-Identifier: Apache-2.0
#include "core/hlo/opcode.h"

#include "tests/test_data.h"

#include <QRegularExpression>
#include <QtTest>

using namespace hloscope;

class TestOpcode : public QObject {
    Q_OBJECT

private slots:
    void knowsEveryOpcodeOfTheFacts()
    {
        QFile facts(testdata::shared(QStringLiteral("facts/hlo-text.md")));
        if (!facts.open(QIODevice::ReadOnly))
            QSKIP("the list of opcodes is not here");
        const QString text = QString::fromUtf8(facts.readAll());
        const QRegularExpression row(QStringLiteral("^\\| ([a-z0-9-]+) \\| (v|\\d) \\|"),
                                     QRegularExpression::MultilineOption);
        int count = 0;
        auto it = row.globalMatch(text.mid(text.indexOf(QStringLiteral("## 13. Opcodes"))));
        while (it.hasNext()) {
            const QRegularExpressionMatch match = it.next();
            const std::string name = match.captured(1).toStdString();
            const Opcode opcode = opcodeFromName(name);
            QVERIFY2(opcode != Opcode::Unknown, name.c_str());
            QCOMPARE(std::string(opcodeName(opcode)), name);
            const bool variadic = match.captured(2) == QLatin1String("v");
            QVERIFY2(opcodeArity(opcode) == (variadic ? std::nullopt : std::optional(match.captured(2).toInt())),
                     name.c_str());
            ++count;
        }
        QCOMPARE(count, 133);
    }

    void everyNameLeadsBack()
    {
        for (int i = 1; i <= static_cast<int>(Opcode::Xor); ++i) {
            const auto opcode = static_cast<Opcode>(i);
            QVERIFY(!opcodeName(opcode).empty());
            QCOMPARE(opcodeFromName(opcodeName(opcode)), opcode);
        }
        QCOMPARE(static_cast<int>(Opcode::Xor), 133);
    }

    void readsNames_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("opcode");
        const auto row = [](const char* name, Opcode opcode) {
            QTest::newRow(name) << QString::fromLatin1(name) << static_cast<int>(opcode);
        };
        row("all-gather-start", Opcode::AllGatherStart);
        row("exponential-minus-one", Opcode::ExponentialMinusOne);
        row("rng-get-and-update-state", Opcode::RngGetAndUpdateState);
        row("atan2", Opcode::Atan2);
        row("cross-replica-sum", Opcode::AllReduce); // until 2019
        row("generate-token", Opcode::AfterAll); // 2018
        row("equal-to", Opcode::Unknown); // needs a direction that the name does not carry
        row("Add", Opcode::Unknown);
        row("add ", Opcode::Unknown);
        row("slice-start", Opcode::Unknown); // sugar, not an opcode
        row("", Opcode::Unknown);
    }

    void readsNames()
    {
        QFETCH(QString, name);
        QFETCH(int, opcode);
        QCOMPARE(static_cast<int>(opcodeFromName(name.toStdString())), opcode);
    }

    void sortsOpcodes()
    {
        QVERIFY(isElementwise(Opcode::Add));
        QVERIFY(isElementwise(Opcode::Convert));
        QVERIFY(isElementwise(Opcode::Select));
        QVERIFY(!isElementwise(Opcode::Broadcast));
        QVERIFY(!isElementwise(Opcode::Dot));
        QVERIFY(!isElementwise(Opcode::Unknown));
        for (const Opcode opcode :
             {Opcode::Exponential, Opcode::Tanh, Opcode::Rsqrt, Opcode::Power, Opcode::Logistic}) {
            QVERIFY(isTranscendental(opcode));
            QVERIFY(isElementwise(opcode));
        }
        QVERIFY(!isTranscendental(Opcode::Divide));
        for (const Opcode opcode :
             {Opcode::AllReduce, Opcode::AllReduceStart, Opcode::AllReduceDone, Opcode::CollectivePermuteDone,
              Opcode::RaggedAllToAll, Opcode::ReduceScatter, Opcode::CollectiveBroadcast})
            QVERIFY(isCollective(opcode));
        QVERIFY(!isCollective(Opcode::Send));
        QVERIFY(!isCollective(Opcode::CopyStart));
    }
};

QTEST_APPLESS_MAIN(TestOpcode)
#include "tst_opcode.moc"
