// SPDX-License-Identifier: Apache-2.0
#include "hlo_test_text.h"

#include "core/hlo/hlo_proto.h"

#include "hlo.pb.h"

#include <google/protobuf/text_format.h>

#include <QtTest>

using namespace hloscope;
using hlotest::ModulePtr;

namespace {

std::string contentOf(const QString& name)
{
    QFile file(testdata::path(QStringLiteral("hlo/") + name));
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

// Pairs of a line that XLA printed and the proto of that instruction.
void addRows()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("instruction");
    const QStringList lines = QString::fromStdString(contentOf(QStringLiteral("attributes_rows.txt"))).split('\n');
    for (qsizetype i = 1; i + 1 < lines.size(); i += 2) {
        const QString name =
            QStringLiteral("%1 %2").arg(i / 2 + 1).arg(lines[i].section(QStringLiteral("} "), -1).left(60));
        QTest::newRow(qPrintable(name)) << lines[i] << lines[i + 1];
    }
}

} // namespace

class TestProtoAttributes : public QObject {
    Q_OBJECT

private slots:
    void printsWhatXlaPrints_data() { addRows(); }

    void printsWhatXlaPrints()
    {
        QFETCH(QString, line);
        QFETCH(QString, instruction);
        using google::protobuf::TextFormat;
        proto::HloModuleProto module;
        QVERIFY(TextFormat::ParseFromString(contentOf(QStringLiteral("attributes_module.textproto")), &module));
        proto::HloComputationProto* entry = nullptr;
        for (proto::HloComputationProto& computation : *module.mutable_computations()) {
            if (computation.id() == module.entry_computation_id())
                entry = &computation;
        }
        QVERIFY(entry != nullptr);
        proto::HloInstructionProto* op = entry->add_instructions();
        QVERIFY(TextFormat::ParseFromString(instruction.toStdString(), op));
        entry->set_root_id(op->id());
        const auto file = readHloProto(FileBytes::fromString(module.SerializeAsString(), "test.pb"));
        QVERIFY(file.hasValue());
        QVERIFY2(file->module->problems.empty(), hlotest::firstProblem(*file->module).c_str());
        const InstructionId id = file->module->entryComputation().root;
        QCOMPARE(QString::fromStdString(printInstruction(*file->module, id)), line);
    }

    // The same lines as text: nothing in them is unknown, and they come back as they are.
    void readsWhatXlaPrints_data() { addRows(); }

    void readsWhatXlaPrints()
    {
        QFETCH(QString, line);
        const ModulePtr module = hlotest::moduleOf(line.toStdString());
        QVERIFY(module);
        QVERIFY2(module->problems.empty(), hlotest::firstProblem(*module).c_str());
        QCOMPARE(QString::fromStdString(printModule(*module)), line + QLatin1Char('\n'));
    }
};

QTEST_APPLESS_MAIN(TestProtoAttributes)
#include "tst_proto_attributes.moc"
