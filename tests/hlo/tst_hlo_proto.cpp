// SPDX-License-Identifier: Apache-2.0
#include "hlo_test_text.h"

#include "core/hlo/hlo_proto.h"

#include "hlo.pb.h"

#include <QtTest>

#include <random>

using namespace hloscope;
using hlotest::ModulePtr;

namespace {

Expected<HloProtoFile> read(std::string bytes)
{
    return readHloProto(FileBytes::fromString(std::move(bytes), "test.pb"));
}

std::string bytesOf(const QString& path)
{
    const auto file = FileBytes::open(path.toStdString());
    return file ? std::string((*file)->bytes()) : std::string();
}

// Folders that hold a module as proto and as text: the whole corpus where it is present.
QStringList folders()
{
    QStringList result;
    for (const QString& path : testdata::corpus(QStringLiteral("module.hlo.pb")))
        result << path.section(QLatin1Char('/'), 0, -2);
    if (!result.isEmpty())
        return result;
    for (const QString& path : hlotest::committedTexts(QStringLiteral("module.hlo.pb")))
        result << path.section(QLatin1Char('/'), 0, -2);
    return result;
}

// A proto does not carry these.
QString withoutTextOnlyAttributes(const std::string& text)
{
    QString all = QString::fromStdString(text);
    const qsizetype end = all.indexOf(QLatin1Char('\n'));
    QString header = all.left(end);
    static const QRegularExpression textOnly(
        QStringLiteral(", (num_partitions|replica_count|allow_spmd_sharding_propagation_to_\\w+)=(\\{[^}]*\\}|[^,]*)"));
    header.remove(textOnly);
    return header + all.mid(end);
}

// One computation `e` with a parameter, a constant and an addition.
proto::HloModuleProto smallModule()
{
    proto::HloModuleProto module;
    module.set_name("m");
    module.set_entry_computation_id(7);
    proto::HloComputationProto* computation = module.add_computations();
    computation->set_name("e");
    computation->set_id(7);
    computation->set_root_id(3);
    for (const auto& [name, opcode, id] :
         {std::tuple("x", "parameter", 1), std::tuple("c", "constant", 2), std::tuple("sum", "add", 3)}) {
        proto::HloInstructionProto* op = computation->add_instructions();
        op->set_name(name);
        op->set_opcode(opcode);
        op->set_id(id);
        op->mutable_shape()->set_element_type(11);
    }
    computation->mutable_instructions(2)->add_operand_ids(1);
    computation->mutable_instructions(2)->add_operand_ids(2);
    computation->mutable_instructions(1)->mutable_literal()->mutable_shape()->set_element_type(11);
    computation->mutable_instructions(1)->mutable_literal()->add_f32s(0.1f);
    return module;
}

} // namespace

class TestHloProto : public QObject {
    Q_OBJECT

private slots:
    void equalsTheDumpOfXla_data()
    {
        QTest::addColumn<QString>("folder");
        for (const QString& folder : folders())
            QTest::newRow(qPrintable(folder.section(QLatin1Char('/'), -1))) << folder;
    }

    void equalsTheDumpOfXla()
    {
        QFETCH(QString, folder);
        const auto file = read(bytesOf(folder + QStringLiteral("/module.hlo.pb")));
        QVERIFY2(file.hasValue(), file ? "" : file.error().format().c_str());
        QCOMPARE(static_cast<int>(file->kind), static_cast<int>(HloProtoKind::HloProto));
        QVERIFY2(file->module->problems.empty(), hlotest::firstProblem(*file->module).c_str());
        QCOMPARE(hlotest::brokenInvariant(*file->module), QString());
        QVERIFY(!file->bufferAssignment.empty());
        HloPrintOptions options;
        options.form = HloTextForm::Dump;
        const QString expected =
            withoutTextOnlyAttributes(bytesOf(folder + QStringLiteral("/after_optimizations.hlo")));
        QCOMPARE(withoutTextOnlyAttributes(printModule(*file->module, options)), expected);
    }

    // The text of the same stage gives the same structure.
    void hasTheStructureOfTheText_data() { equalsTheDumpOfXla_data(); }

    void hasTheStructureOfTheText()
    {
        QFETCH(QString, folder);
        const auto file = read(bytesOf(folder + QStringLiteral("/module.hlo.pb")));
        const ModulePtr text = hlotest::open(folder + QStringLiteral("/after_optimizations.hlo"));
        QVERIFY(file.hasValue() && text);
        const HloModule& module = *file->module;
        QCOMPARE(module.instructions.size(), text->instructions.size());
        QCOMPARE(module.computations.size(), text->computations.size());
        QCOMPARE(module.entry, text->entry);
        QCOMPARE(module.isScheduled, text->isScheduled);
        QCOMPARE(module.inputOutputAliases.size(), text->inputOutputAliases.size());
        QCOMPARE(module.stackFrames.size(), text->stackFrames.size());
        for (uint32_t i = 0; i < module.instructions.size(); ++i) {
            const InstructionId id(i);
            QVERIFY(module.instructions[i].name == text->instructions[i].name);
            QCOMPARE(module.instructions[i].opcode, text->instructions[i].opcode);
            QCOMPARE(module.instructions[i].isRoot(), text->instructions[i].isRoot());
            QVERIFY(module.shape(id) == text->shape(id));
            QVERIFY(std::ranges::equal(module.operands(id), text->operands(id)));
            QVERIFY(std::ranges::equal(module.called(id), text->called(id)));
            QVERIFY((module.sharding(id) == nullptr) == (text->sharding(id) == nullptr));
            QCOMPARE(module.stack(id).size(), text->stack(id).size());
            const ReplicaGroups* groups = module.replicaGroups(id);
            QVERIFY(groups == nullptr || groups->groups() == text->replicaGroups(id)->groups());
        }
    }

    void tellsTheKinds()
    {
        const proto::HloModuleProto module = smallModule();
        proto::HloProto hlo;
        *hlo.mutable_hlo_module() = module;
        hlo.mutable_buffer_assignment()->add_logical_buffers()->set_size(42);
        proto::HloSnapshot snapshot;
        *snapshot.mutable_hlo() = hlo;
        snapshot.set_execution_platform("TPU");
        const auto bare = read(module.SerializeAsString());
        QVERIFY(bare.hasValue());
        QVERIFY(bare->kind == HloProtoKind::HloModuleProto);
        QVERIFY(bare->bufferAssignment.empty());
        const auto wrapped = read(hlo.SerializeAsString());
        QVERIFY(wrapped.hasValue());
        QVERIFY(wrapped->kind == HloProtoKind::HloProto);
        proto::BufferAssignmentProto buffers;
        QVERIFY(buffers.ParseFromString(std::string(wrapped->bufferAssignment)));
        QCOMPARE(buffers.logical_buffers(0).size(), int64_t(42));
        const auto recorded = read(snapshot.SerializeAsString());
        QVERIFY(recorded.hasValue());
        QVERIFY(recorded->kind == HloProtoKind::HloSnapshot);
        QCOMPARE(recorded->platform, std::string("TPU"));
        QVERIFY(!recorded->bufferAssignment.empty());
        for (const auto* file : {&bare, &wrapped, &recorded})
            QCOMPARE(printModule(*(*file)->module),
                     std::string("HloModule m\n\nENTRY %e (x: f32[]) -> f32[] {\n  %x = f32[] parameter(0)\n"
                                 "  %c = f32[] constant(0.1)\n  ROOT %sum = f32[] add(%x, %c)\n}\n\n"));
    }

    void refusesOtherBytes_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("text") << QByteArray("HloModule m\n\nENTRY e {\n  ROOT a = f32[] constant(1)\n}\n");
        QTest::newRow("png") << QByteArray("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16);
        QTest::newRow("zeros") << QByteArray(100, '\0');
        QTest::newRow("name only") << QByteArray("\x0a\x01m", 3);
        QTest::newRow("json") << QByteArray("{\"traceEvents\":[]}");
    }

    void refusesOtherBytes()
    {
        QFETCH(QByteArray, bytes);
        QVERIFY(!probeHloProto(bytes.toStdString()));
        const auto file = read(bytes.toStdString());
        QVERIFY(!file.hasValue());
        QVERIFY(file.error().byteOffset.has_value());
        QVERIFY(!file.error().expected.empty());
    }

    void readsPartsOfOtherFiles()
    {
        const std::string inner = smallModule().SerializeAsString();
        const auto outer = FileBytes::fromString("some header" + inner + "some tail", "profile.pb");
        const auto file = readHloProto(outer, outer->bytes().substr(11, inner.size()));
        QVERIFY(file.hasValue());
        QCOMPARE(file->module->instructions.size(), size_t(3));
        QCOMPARE(file->module->source->path(), std::string("profile.pb"));
    }

    void putsInstructionsInOrder()
    {
        proto::HloModuleProto module = smallModule();
        // The user in front of its operands, as no version of XLA writes it.
        module.mutable_computations(0)->mutable_instructions()->SwapElements(0, 2);
        const auto sorted = read(module.SerializeAsString());
        QVERIFY(sorted.hasValue());
        QCOMPARE(hlotest::brokenInvariant(*sorted->module), QString());
        QVERIFY(sorted->module->problems.empty());
        QCOMPARE(sorted->module->operands(sorted->module->findInstruction("sum")).size(), size_t(2));
        // A schedule overrides the order of the file.
        module = smallModule();
        auto* entry = module.mutable_schedule()->add_sequences();
        entry->set_key(7);
        for (const int64_t id : {2, 1, 3})
            entry->mutable_value()->add_instruction_ids(id);
        const auto scheduled = read(module.SerializeAsString());
        QVERIFY(scheduled.hasValue());
        QVERIFY(scheduled->module->isScheduled);
        QCOMPARE(std::string(scheduled->module->instructions[0].name), std::string("c"));
        QCOMPARE(scheduled->module->parameters(scheduled->module->entry)[0], InstructionId(1));
    }

    void reportsWhatIsWrong_data()
    {
        QTest::addColumn<int>("mistake");
        QTest::addColumn<QString>("message");
        QTest::newRow("operand") << 0 << "operand 99 of sum is not defined";
        QTest::newRow("callee") << 1 << "computation 99 is called but not there";
        QTest::newRow("circle") << 2 << "leads back to itself";
        QTest::newRow("own operand") << 3 << "is not defined in front of it";
        QTest::newRow("empty computation") << 4 << "is empty";
        QTest::newRow("schedule") << 5 << "leaves out instructions";
    }

    void reportsWhatIsWrong()
    {
        QFETCH(int, mistake);
        QFETCH(QString, message);
        proto::HloModuleProto module = smallModule();
        proto::HloInstructionProto* sum = module.mutable_computations(0)->mutable_instructions(2);
        auto makeSchedule = [&] {
            auto* entry = module.mutable_schedule()->add_sequences();
            entry->set_key(7);
            entry->mutable_value()->add_instruction_ids(1);
        };
        switch (mistake) {
        case 0:
            sum->set_operand_ids(0, 99);
            break;
        case 1:
            sum->add_called_computation_ids(99);
            break;
        case 2:
            sum->add_called_computation_ids(7);
            break;
        case 3:
            sum->set_operand_ids(0, 3);
            break;
        case 4:
            module.add_computations()->set_name("nothing");
            break;
        default:
            makeSchedule();
        }
        const auto file = read(module.SerializeAsString());
        QVERIFY(file.hasValue());
        QCOMPARE(hlotest::brokenInvariant(*file->module), QString());
        QVERIFY2(hlotest::firstProblem(*file->module).find(message.toStdString()) != std::string::npos,
                 hlotest::firstProblem(*file->module).c_str());
        QVERIFY(file->module->findInstruction("sum").isValid());
    }

    void survivesEveryCut()
    {
        const QStringList files = hlotest::committedTexts(QStringLiteral("module.hlo.pb"));
        QVERIFY(!files.isEmpty());
        const std::string whole = bytesOf(files.first());
        const auto complete = read(whole);
        QVERIFY(complete.hasValue());
        size_t most = 0;
        for (size_t length = 0; length < whole.size(); ++length) {
            const auto file = read(whole.substr(0, length));
            if (!file)
                continue;
            QCOMPARE(hlotest::brokenInvariant(*file->module), QString());
            most = std::max(most, file->module->instructions.size());
            QVERIFY(file->module->instructions.size() == complete->module->instructions.size()
                    || !file->module->problems.empty());
        }
        QCOMPARE(most, complete->module->instructions.size());
    }

    void survivesMutations()
    {
        std::vector<std::string> inputs;
        for (const QString& path : hlotest::committedTexts(QStringLiteral("module.hlo.pb")))
            inputs.push_back(bytesOf(path));
        QVERIFY(!inputs.empty());
        std::mt19937 random(20240301);
        int readable = 0;
        for (int round = 0; round < 1500; ++round) {
            std::string bytes = inputs[random() % inputs.size()];
            for (unsigned i = 0; i < 1 + random() % 5; ++i)
                bytes[random() % bytes.size()] = static_cast<char>(random());
            const auto file = read(bytes);
            if (!file)
                continue;
            ++readable;
            QCOMPARE(hlotest::brokenInvariant(*file->module), QString());
            QVERIFY(!printModule(*file->module, {.form = HloTextForm::Xla}).empty());
        }
        QVERIFY(readable > 500);
    }

    void stopsWhenCancelled()
    {
        Progress progress;
        progress.cancel();
        const auto file = readHloProto(FileBytes::fromString(smallModule().SerializeAsString(), "m.pb"), &progress);
        QVERIFY(!file.hasValue());
        QVERIFY(file.error().message.find("cancelled") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestHloProto)
#include "tst_hlo_proto.moc"
