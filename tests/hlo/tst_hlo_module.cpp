// SPDX-License-Identifier: Apache-2.0
#include "hlo_test_text.h"

#include "core/hlo/hlo_module.h"

#include <QtTest>

using namespace hloscope;
using hlotest::moduleOf;
using hlotest::ModulePtr;

namespace {

const char* const kText =
    R"(HloModule m, input_output_alias={ {0}: (1, {}, must-alias), {1}: (0, {}, may-alias) }, replica_count=2, num_partitions=4, frontend_attributes={a="b"}

FileNames
1 "train.py"
)"
    "2 \"dir/model \\\"x\\\".py\"\n"
    R"(
FunctionNames
1 "<module>"
2 "step"

FileLocations
1 {file_name_id=1 function_name_id=1 line=19 end_line=20 column=3 end_column=32}
2 {file_name_id=2 function_name_id=2 line=7 end_line=7 column=30 end_column=57}

StackFrames
1 {file_location_id=1 parent_frame_id=1}
2 {file_location_id=2 parent_frame_id=2}


%f (p: f32[8]) -> f32[8] {
  %p = f32[8]{0} parameter(0)
  ROOT %n = f32[8]{0} negate(%p)
}

%g (p: f32[8]) -> f32[8] {
  %p = f32[8]{0} parameter(0)
  ROOT %r = f32[8]{0} call(%p), to_apply=%f
}

ENTRY %main (x: f32[8], y: f32[8]) -> (f32[8], f32[8]) {
  %y = f32[8]{0} parameter(1), sharding={devices=[4,2]<=[8] last_tile_dim_replicate}
  %x = f32[8]{0} parameter(0), sharding={replicated}
  %sum = f32[8]{0} add(%x, %x), sharding={replicated}, metadata={op_name="jit(f)/add" stack_frame_id=2}
  %all = f32[8]{0} all-reduce(%sum), replica_groups=[2,4]<=[8], to_apply=%f
  %c = f32[8]{0} call(%all), to_apply=%f
  ROOT %t = (f32[8]{0}, f32[8]{0}) tuple(%c, %y)
}

)";

std::vector<std::string> namesOf(const HloModule& module, std::span<const InstructionId> ids)
{
    std::vector<std::string> names;
    for (const InstructionId id : ids)
        names.emplace_back(module.instruction(id).name);
    return names;
}

using Names = std::vector<std::string>;

} // namespace

class TestHloModule : public QObject {
    Q_OBJECT

private slots:
    void readsTheHeader()
    {
        const ModulePtr module = moduleOf(kText);
        QVERIFY(module);
        QCOMPARE(module->replicaCount, int64_t(2));
        QCOMPARE(module->numPartitions, int64_t(4));
        QVERIFY(!module->isScheduled);
        QCOMPARE(module->attributes.size(), size_t(4));
        QVERIFY(module->moduleAttribute("frontend_attributes") == std::string_view("{a=\"b\"}"));
        QVERIFY(!module->moduleAttribute("is_scheduled"));
        QCOMPARE(module->inputOutputAliases.size(), size_t(2));
        QVERIFY(module->inputOutputAliases[0].mustAlias);
        QCOMPARE(module->inputOutputAliases[0].parameter, int64_t(1));
        QCOMPARE(module->inputOutputAliases[1].outputIndex, (std::vector<int64_t>{1}));
    }

    void findsByName()
    {
        const ModulePtr module = moduleOf(kText);
        QVERIFY(module);
        const ComputationId f = module->findComputation("f");
        const ComputationId g = module->findComputation("g");
        QVERIFY(f.isValid() && g.isValid());
        QVERIFY(!module->findComputation("h").isValid());
        // %p is in both: without a computation the first one is meant.
        QCOMPARE(module->instruction(module->findInstruction("p")).computation, f);
        QCOMPARE(module->instruction(module->findInstruction("p", g)).computation, g);
        QVERIFY(!module->findInstruction("sum", g).isValid());
        QVERIFY(!module->findInstruction("nothing").isValid());
    }

    void knowsUsersAndCallers()
    {
        const ModulePtr module = moduleOf(kText);
        QVERIFY(module);
        QCOMPARE(namesOf(*module, module->users(module->findInstruction("x"))), (Names{"sum"}));
        QCOMPARE(namesOf(*module, module->operands(module->findInstruction("sum"))), (Names{"x", "x"}));
        QCOMPARE(namesOf(*module, module->users(module->findInstruction("t"))), (Names{}));
        QCOMPARE(namesOf(*module, module->users(module->findInstruction("c"))), (Names{"t"}));
        QCOMPARE(namesOf(*module, module->callers(module->findComputation("f"))), (Names{"r", "all", "c"}));
        QCOMPARE(namesOf(*module, module->callers(module->findComputation("g"))), (Names{}));
        QCOMPARE(namesOf(*module, module->callers(module->entry)), (Names{}));
    }

    void listsParametersByNumber()
    {
        const ModulePtr module = moduleOf(kText);
        QVERIFY(module);
        QCOMPARE(namesOf(*module, module->parameters(module->entry)), (Names{"x", "y"}));
        QCOMPARE(module->parameterNumber(module->findInstruction("y")), int64_t(1));
        QCOMPARE(module->parameterNumber(module->findInstruction("sum")), int64_t(-1));
        const ModulePtr gap = moduleOf("ENTRY e {\n a = f32[] parameter(1)\n b = f32[] parameter(99999999999)\n}");
        QVERIFY(gap);
        const std::vector<InstructionId> parameters = gap->parameters(gap->entry);
        QCOMPARE(parameters.size(), size_t(2));
        QVERIFY(!parameters[0].isValid());
    }

    void followsStackFrames()
    {
        const ModulePtr module = moduleOf(kText);
        QVERIFY(module);
        QCOMPARE(module->stackFrames.size(), size_t(2));
        // The text counts parents one too high: "2" is frame 1, "1" is nobody.
        QVERIFY(!module->stackFrames[0].parent.isValid());
        QCOMPARE(module->stackFrames[1].parent, StackFrameId(0));
        const std::vector<StackFrame> stack = module->stack(module->findInstruction("sum"));
        QCOMPARE(stack.size(), size_t(2));
        QCOMPARE(std::string(stack[0].function), std::string("step"));
        QCOMPARE(std::string(stack[0].file), std::string("dir/model \"x\".py"));
        QCOMPARE(stack[0].line, 7);
        QCOMPARE(stack[0].column, 30);
        QCOMPARE(stack[0].endColumn, 57);
        QCOMPARE(std::string(stack[1].function), std::string("<module>"));
        QCOMPARE(stack[1].endLine, 20);
        QVERIFY(module->stack(module->findInstruction("x")).empty());
        QCOMPARE(module->metadata(module->findInstruction("sum")).opName, std::string("jit(f)/add"));
        QVERIFY(module->stackFrameText.starts_with("FileNames\n1 \"train.py\""));
        QVERIFY(module->stackFrameText.ends_with("parent_frame_id=2}"));
    }

    void endsCircularStacks()
    {
        const ModulePtr module = moduleOf(
            "HloModule m\n\nFileNames\n1 \"a\"\nFunctionNames\n1 \"f\"\nFileLocations\n"
            "1 {file_name_id=1 function_name_id=9 line=1}\nStackFrames\n1 {file_location_id=1 parent_frame_id=3}\n"
            "2 {file_location_id=7 parent_frame_id=2}\n\nENTRY e {\n a = f32[] constant(1), "
            "metadata={stack_frame_id=1}\n"
            " b = f32[] constant(1), metadata={stack_frame_id=99}\n}");
        QVERIFY(module);
        const std::vector<StackFrame> stack = module->stack(module->findInstruction("a"));
        QVERIFY(!stack.empty() && stack.size() <= 1000);
        QCOMPARE(std::string(stack[0].file), std::string("a"));
        QCOMPARE(std::string(stack[0].function), std::string());
        QVERIFY(module->stack(module->findInstruction("b")).empty());
    }

    void readsShardingsAndGroupsOnce()
    {
        const ModulePtr module = moduleOf(kText);
        QVERIFY(module);
        QCOMPARE(module->shardings.size(), size_t(2));
        QCOMPARE(module->replicaGroupLists.size(), size_t(1));
        const Sharding* x = module->sharding(module->findInstruction("x"));
        QVERIFY(x != nullptr);
        QCOMPARE(x->kind, Sharding::Kind::Replicated);
        QCOMPARE(module->sharding(module->findInstruction("sum")), x);
        QCOMPARE(module->sharding(module->findInstruction("y"))->partsOf(0), int64_t(4));
        QCOMPARE(module->sharding(module->findInstruction("c")), nullptr);
        const ReplicaGroups* groups = module->replicaGroups(module->findInstruction("all"));
        QVERIFY(groups != nullptr);
        QCOMPARE(groups->groupSize, int64_t(4));
        QCOMPARE(module->replicaGroups(module->findInstruction("sum")), nullptr);
    }

    void reportsUnreadableShardings()
    {
        const ModulePtr module = moduleOf("ENTRY e {\n a = f32[] constant(1), sharding={sometimes}\n}");
        QVERIFY(module);
        QCOMPARE(module->problems.diagnostics().size(), size_t(1));
        QCOMPARE(module->problems.diagnostics()[0].line, 2u);
        QCOMPARE(module->sharding(module->findInstruction("a")), nullptr);
    }

    void boundsTheDevicesOfAllShardings()
    {
        std::string text = "ENTRY e {\n";
        for (int i = 1; i <= 400; ++i) {
            const std::string count = std::to_string(i * 2048);
            text += " a" + std::to_string(i) + " = f32[] constant(1), sharding={devices=[" + count + "]<=[" + count
                + "]}\n";
        }
        const ModulePtr module = moduleOf(text + "}\n");
        QVERIFY(module);
        size_t devices = 0;
        for (const Sharding& sharding : module->shardings)
            devices += sharding.devices.size();
        // 2048 * (1 + 2 + ... + 127) is the first sum beyond 2^24.
        QCOMPARE(devices, size_t(2048) * 127 * 128 / 2 + size_t(2048) * 128);
        QVERIFY(!module->problems.empty());
    }

    void readsAllShardingsOfTheCorpus()
    {
        size_t shardings = 0;
        size_t groups = 0;
        for (const QString& path : hlotest::corpusTexts()) {
            const ModulePtr module = hlotest::open(path);
            QVERIFY(module);
            QVERIFY2(module->problems.empty(), hlotest::firstProblem(*module).c_str());
            shardings += module->shardings.size();
            groups += module->replicaGroupLists.size();
            for (uint32_t i = 0; i < module->instructions.size(); ++i) {
                const InstructionId id(i);
                QCOMPARE(module->sharding(id) != nullptr, module->attribute(id, "sharding").has_value());
                QCOMPARE(module->replicaGroups(id) != nullptr, module->attribute(id, "replica_groups").has_value());
            }
        }
        QVERIFY(shardings > 0 && groups > 0);
    }
};

QTEST_APPLESS_MAIN(TestHloModule)
#include "tst_hlo_module.moc"
