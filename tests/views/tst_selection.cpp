// SPDX-License-Identifier: Apache-2.0
#include "views/common/selection.h"

#include "../test_data.h"
#include "views/common/workspace.h"

#include <QSignalSpy>
#include <QtTest>

using namespace hloscope;

namespace {

QString file(const char* program)
{
    return testdata::path(QStringLiteral("corpus/%1/module.hlo").arg(QLatin1String(program)));
}

} // namespace

class TestSelection : public QObject {
    Q_OBJECT

private:
    Workspace m_workspace;
    std::shared_ptr<const HloModule> m_module;

    InstructionId instruction(const char* name) const { return m_module->findInstruction(name); }

private slots:
    void initTestCase()
    {
        m_workspace.open(file("ffw.v2-2x2"));
        QTRY_VERIFY_WITH_TIMEOUT(!m_workspace.isBusy(), 30000);
        QCOMPARE(m_workspace.modules().size(), size_t(1));
        m_module = m_workspace.modules()[0].module;
        QVERIFY(m_workspace.modules()[0].simulation);
    }

    void anInstructionBringsItsComputationAndEvent()
    {
        Selection selection(m_workspace);
        QSignalSpy changed(&selection, &Selection::changed);
        selection.selectInstruction(m_module, instruction("fusion.3"));
        const SelectionState& state = selection.state();
        QCOMPARE(state.computation, m_module->entry);
        QCOMPARE(state.trace, m_workspace.modules()[0].simulation->trace);
        QVERIFY(state.event.isValid());
        QCOMPARE(QString::fromStdString(state.trace->kind(state.event).label()), QStringLiteral("fusion.3"));
        QCOMPARE(changed.count(), 1);
        selection.selectInstruction(m_module, instruction("fusion.3"));
        QCOMPARE(changed.count(), 1); // nothing new
    }

    void anEventBringsItsInstruction()
    {
        Selection selection(m_workspace);
        const auto& simulation = *m_workspace.modules()[0].simulation;
        const EventId event = simulation.eventOf[instruction("fusion.1").index()];
        selection.selectEvent(simulation.trace, event);
        QCOMPARE(selection.state().module, m_module);
        QCOMPARE(selection.state().instruction, instruction("fusion.1"));
        QCOMPARE(selection.state().computation, m_module->entry);
        QCOMPARE(selection.state().event, event);
    }

    void aBufferBringsBoth()
    {
        Selection selection(m_workspace);
        const BufferName buffer{instruction("all-gather"), {}};
        selection.selectBuffer(m_module, buffer);
        QCOMPARE(selection.state().instruction, instruction("all-gather"));
        QVERIFY(selection.state().event.isValid());
        QCOMPARE(selection.state().buffer, std::optional(buffer));
        selection.selectInstruction(m_module, instruction("all-gather"));
        QVERIFY(!selection.state().buffer);
    }

    void aTraceOfAModuleBringsTheModule()
    {
        Selection selection(m_workspace);
        selection.selectTrace(m_workspace.modules()[0].simulation->trace);
        QCOMPARE(selection.state().module, m_module);
        QVERIFY(!selection.state().instruction.isValid());
    }

    void walksBackAndForward()
    {
        Selection selection(m_workspace);
        QVERIFY(!selection.canGoBack());
        selection.selectComputation(m_module, m_module->entry);
        QVERIFY(!selection.canGoBack()); // not to "nothing selected"
        selection.selectInstruction(m_module, instruction("fusion.3"));
        selection.selectInstruction(m_module, instruction("fusion.1"));
        selection.goBack();
        QCOMPARE(selection.state().instruction, instruction("fusion.3"));
        QVERIFY(selection.canGoForward());
        selection.goBack();
        QVERIFY(!selection.state().instruction.isValid());
        QVERIFY(!selection.canGoBack());
        selection.goForward();
        selection.goForward();
        QCOMPARE(selection.state().instruction, instruction("fusion.1"));
        QVERIFY(!selection.canGoForward());
        selection.goBack();
        selection.selectInstruction(m_module, instruction("fusion")); // a new way forgets the old one
        QVERIFY(!selection.canGoForward());
        selection.goBack();
        QCOMPARE(selection.state().instruction, instruction("fusion.3"));
    }

    void historyIsBounded()
    {
        Selection selection(m_workspace);
        const std::array ids{instruction("fusion.3"), instruction("fusion.1")};
        for (int i = 0; i < 1000; ++i)
            selection.selectInstruction(m_module, ids[static_cast<size_t>(i % 2)]);
        int steps = 0;
        while (selection.canGoBack()) {
            selection.goBack();
            ++steps;
        }
        QCOMPARE(steps, 199);
    }

    void rangesMakeNoHistoryAndOutliveClicks()
    {
        Selection selection(m_workspace);
        selection.selectInstruction(m_module, instruction("fusion.3"));
        selection.selectRange(TimeRange{10, 20});
        selection.selectRange(TimeRange{10, 30});
        QVERIFY(!selection.canGoBack());
        selection.selectInstruction(m_module, instruction("fusion.1"));
        QCOMPARE(selection.state().range, std::optional(TimeRange{10, 30}));
        selection.selectRange({});
        selection.goBack();
        QCOMPARE(selection.state().range, std::optional(TimeRange{10, 30})); // as it was left
    }

    void theEventArrivesWithTheSimulation()
    {
        Workspace workspace;
        Selection selection(workspace);
        bool hadEvent = true;
        connect(&workspace, &Workspace::documentOpened, this, [&] {
            const auto& module = workspace.modules()[0].module;
            selection.selectInstruction(module, module->findInstruction("fusion.3"));
            hadEvent = selection.state().event.isValid();
        });
        workspace.open(file("ffw.v2-2x2"));
        QTRY_VERIFY_WITH_TIMEOUT(!workspace.modules().empty() && !workspace.isBusy(), 30000);
        QVERIFY(!hadEvent);
        QVERIFY(selection.state().event.isValid());
        QVERIFY(!selection.canGoBack());

        const auto before = selection.state().trace;
        workspace.setChip(selection.state().module.get(), findChip("v4"));
        QTRY_VERIFY_WITH_TIMEOUT(!workspace.isBusy(), 30000);
        QVERIFY(selection.state().trace != before);
        QCOMPARE(selection.state().trace, workspace.modules()[0].simulation->trace);
        QVERIFY(selection.state().event.isValid());
    }

    void aFileReadAgainKeepsThePlace()
    {
        Workspace workspace;
        Selection selection(workspace);
        workspace.open(file("ffw.v2-2x2"));
        QTRY_VERIFY_WITH_TIMEOUT(!workspace.isBusy(), 30000);
        const auto before = workspace.modules()[0].module;
        selection.selectComputation(before, before->entry);
        selection.selectInstruction(before, before->findInstruction("fusion.1"));
        workspace.open(file("ffw.v2-2x2"));
        QTRY_VERIFY_WITH_TIMEOUT(!workspace.isBusy(), 30000);
        const auto& after = workspace.modules()[0].module;
        QVERIFY(after != before);
        QCOMPARE(selection.state().module, after);
        QCOMPARE(selection.state().instruction, after->findInstruction("fusion.1"));
        selection.goBack();
        QCOMPARE(selection.state().module, after);
        QCOMPARE(selection.state().computation, after->entry);
    }

    void whatIsClosedIsForgotten()
    {
        Workspace workspace;
        Selection selection(workspace);
        workspace.open(file("ffw.v2-2x2"));
        QTRY_VERIFY_WITH_TIMEOUT(!workspace.isBusy(), 30000);
        workspace.open(file("softmax.v5e-2x2"));
        QTRY_VERIFY_WITH_TIMEOUT(!workspace.isBusy(), 30000);
        std::weak_ptr<const HloModule> first = workspace.modules()[0].module;
        selection.selectModule(workspace.modules()[0].module);
        selection.selectModule(workspace.modules()[1].module);
        workspace.close(file("ffw.v2-2x2"));
        QVERIFY(!selection.canGoBack());
        QCOMPARE(selection.state().module, workspace.modules()[0].module);
        workspace.closeAll();
        QVERIFY(selection.state() == SelectionState{});
        QTRY_VERIFY(first.expired()); // freed by the worker
    }
};

QTEST_GUILESS_MAIN(TestSelection)
#include "tst_selection.moc"
