// SPDX-License-Identifier: Apache-2.0
#include "app/workbench/navigator_model.h"

#include "../test_data.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QtTest>

using namespace hloscope;

namespace {

QString file(const char* program)
{
    return testdata::path(QStringLiteral("corpus/%1/module.hlo").arg(QLatin1String(program)));
}

void fetchAll(QAbstractItemModel& model, const QModelIndex& parent = {})
{
    while (model.canFetchMore(parent))
        model.fetchMore(parent);
    for (int row = 0; row < model.rowCount(parent); ++row)
        fetchAll(model, model.index(row, 0, parent));
}

QStringList labels(const QAbstractItemModel& model, const QModelIndex& parent)
{
    QStringList texts;
    for (int row = 0; row < model.rowCount(parent); ++row)
        texts << model.index(row, 0, parent).data().toString();
    return texts;
}

QModelIndex child(QAbstractItemModel& model, const QModelIndex& parent, const QString& label)
{
    while (model.canFetchMore(parent))
        model.fetchMore(parent);
    for (int row = 0; row < model.rowCount(parent); ++row) {
        if (model.index(row, 0, parent).data().toString() == label)
            return model.index(row, 0, parent);
    }
    return {};
}

void openAll(Workspace& workspace, const QStringList& paths)
{
    for (const QString& path : paths)
        workspace.open(path);
    QTRY_VERIFY_WITH_TIMEOUT(!workspace.isBusy(), 60000);
}

} // namespace

class TestNavigatorModel : public QObject {
    Q_OBJECT

private slots:
    void staysConsistentThroughALife()
    {
        Workspace workspace;
        NavigatorModel model(workspace);
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        tester.setUseFetchMore(false); // it would fetch between the two signals of an insertion
        openAll(workspace, {file("transformer_sharded.v2-2x2"), file("ffw.v2-2x2")});
        QCOMPARE(model.rowCount(), 2);
        fetchAll(model);
        const QModelIndex module = child(model, model.index(0, 0), QStringLiteral("jit_net"));
        model.showMore(model.index(model.rowCount(module) - 1, 0, module));
        workspace.setChip(workspace.modules()[0].module.get(), findChip("v4"));
        QTRY_VERIFY_WITH_TIMEOUT(!workspace.isBusy(), 60000);
        model.setFilter(QStringLiteral("fusion.3"));
        fetchAll(model);
        model.setFilter({});
        workspace.open(file("ffw.v2-2x2")); // replaced in its place
        QTRY_VERIFY_WITH_TIMEOUT(!workspace.isBusy(), 60000);
        QCOMPARE(labels(model, {}), QStringList({"transformer_sharded.v2-2x2", "ffw.v2-2x2"}));
        workspace.close(file("transformer_sharded.v2-2x2"));
        QCOMPARE(labels(model, {}), QStringList({"ffw.v2-2x2"}));
        workspace.closeAll();
        QCOMPARE(model.rowCount(), 0);
    }

    // Names and counts as they stand in the text of the module.
    void showsTheModule()
    {
        Workspace workspace;
        NavigatorModel model(workspace);
        openAll(workspace, {file("ffw.v2-2x2")});
        const QModelIndex top = model.index(0, 0);
        const QModelIndex module = child(model, top, QStringLiteral("jit_ffw"));
        QCOMPARE(module.data(NavigatorModel::CountRole).toString(), QStringLiteral("38"));
        QVERIFY(model.hasChildren(module));
        QCOMPARE(model.rowCount(module), 0); // made when it is opened
        model.fetchMore(module);
        const QStringList names = labels(model, module);
        QCOMPARE(names.size(), 9); // eight and one row for the ninth
        QCOMPARE(names.first(), QStringLiteral("main.0_spmd"));
        QCOMPARE(names.last(), QStringLiteral("1 more computation(s)"));
        const QModelIndex entry = model.index(0, 0, module);
        QCOMPARE(entry.data(NavigatorModel::CountRole).toString(), QStringLiteral("7"));
        model.fetchMore(entry);
        QCOMPARE(labels(model, entry),
                 QStringList({"param.2", "param.1", "param", "all-gather", "fusion.3", "fusion.1", "fusion"}));
        QVERIFY(!model.hasChildren(model.index(0, 0, entry)));
        QVERIFY(entry.data(NavigatorModel::MonoRole).toBool());
    }

    void showsTheRestOnDemand()
    {
        Workspace workspace;
        NavigatorModel model(workspace);
        openAll(workspace, {file("transformer_sharded.v2-2x2")});
        const QModelIndex module = child(model, model.index(0, 0), QStringLiteral("jit_net"));
        model.fetchMore(module);
        const int shown = static_cast<int>(NavigatorModel::kFirstComputations);
        QCOMPARE(model.rowCount(module), shown + 1);
        const QModelIndex more = model.index(shown, 0, module);
        QCOMPARE(more.data().toString(), QStringLiteral("55 more computation(s)")); // 63 in all
        model.showMore(more);
        QCOMPARE(model.rowCount(module), 63);
        QVERIFY(!labels(model, module).contains(QStringLiteral("55 more computation(s)")));
    }

    void loopsComeBeforeFusions()
    {
        Workspace workspace;
        NavigatorModel model(workspace);
        openAll(workspace, {file("scan_rnn.v5e-2x2")});
        const QModelIndex module = child(model, model.index(0, 0), QStringLiteral("jit_f"));
        model.fetchMore(module);
        const QStringList names = labels(model, module);
        QCOMPARE(names.value(0), QStringLiteral("main.7"));
        // The condition and the body of while.2.
        QVERIFY(names.mid(1, 2).contains(QStringLiteral("wide.wide.region_0.5.sunk.clone.sunk")));
        QVERIFY(names.mid(1, 2).contains(QStringLiteral("wide.wide.region_2.6.clone")));
    }

    void filterSearchesEverything()
    {
        Workspace workspace;
        NavigatorModel model(workspace);
        openAll(workspace, {file("transformer_sharded.v2-2x2")});
        QSignalSpy rebuilt(&model, &NavigatorModel::rebuilt);
        model.setFilter(QStringLiteral("DYNAMIC-SLICE.53"));
        QCOMPARE(rebuilt.count(), 1);
        QCOMPARE(model.rowCount(), 1);
        const QModelIndex module = model.index(0, 0, model.index(0, 0));
        QCOMPARE(model.rowCount(module), 1);
        const QModelIndex computation = model.index(0, 0, module);
        QCOMPARE(labels(model, computation), QStringList({"dynamic-slice.53"}));
        model.setFilter(QStringLiteral("no such name"));
        QCOMPARE(model.rowCount(), 0);
        model.setFilter({});
        QCOMPARE(model.rowCount(), 1);
    }

    void simulatedStepFollowsTheModule()
    {
        Workspace workspace;
        NavigatorModel model(workspace);
        openAll(workspace, {file("ffw.v2-2x2")});
        const QModelIndex top = model.index(0, 0);
        if (model.canFetchMore(top))
            model.fetchMore(top);
        QCOMPARE(labels(model, top), QStringList({"jit_ffw", "Simulated step"}));
        const QModelIndex step = model.index(1, 0, top);
        QVERIFY(!step.data(NavigatorModel::CountRole).toString().isEmpty());
        model.fetchMore(step);
        QVERIFY(model.rowCount(step) >= 1);
        const QModelIndex plane = model.index(0, 0, step);
        model.fetchMore(plane);
        QVERIFY(labels(model, plane).contains(QStringLiteral("XLA Ops")));
        const QString before = step.data(NavigatorModel::CountRole).toString();
        workspace.setChip(workspace.modules()[0].module.get(), findChip("v6e"));
        QTRY_VERIFY_WITH_TIMEOUT(!workspace.isBusy(), 30000);
        QCOMPARE(labels(model, top), QStringList({"jit_ffw", "Simulated step"}));
        QVERIFY(model.index(1, 0, top).data(NavigatorModel::CountRole).toString() != before);
    }

    void selectsAndFindsWhatIsSelected()
    {
        Workspace workspace;
        Selection selection(workspace);
        NavigatorModel model(workspace);
        openAll(workspace, {file("ffw.v2-2x2")});
        const QModelIndex top = model.index(0, 0);
        const QModelIndex module = child(model, top, QStringLiteral("jit_ffw"));
        const QModelIndex entry = child(model, module, QStringLiteral("main.0_spmd"));
        QVERIFY(!model.select(top, selection));
        QVERIFY(model.select(entry, selection));
        QCOMPARE(selection.state().computation, selection.state().module->entry);
        QCOMPARE(model.indexOf(selection.state()), entry);
        const auto& hlo = workspace.modules()[0].module;
        selection.selectInstruction(hlo, hlo->findInstruction("fusion.3"));
        QCOMPARE(model.indexOf(selection.state()), entry); // its row is not made yet
        const QModelIndex row = child(model, entry, QStringLiteral("fusion.3"));
        QCOMPARE(model.indexOf(selection.state()), row);
        QVERIFY(model.select(model.index(1, 0, top), selection));
        QCOMPARE(selection.state().trace, workspace.modules()[0].simulation->trace);
    }

    void namesFilesApart_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("name");
        QTest::newRow("like every other") << "/x/ffw.v2-2x2/module.hlo"
                                          << "ffw.v2-2x2";
        QTest::newRow("stage") << "/x/ffw.v2-2x2/before.hlo"
                               << "ffw.v2-2x2/before.hlo";
        QTest::newRow("with its own name") << "/x/y/step.hlo"
                                           << "step.hlo";
        QTest::newRow("profile") << "/x/run1/xplane.pb"
                                 << "run1/xplane.pb";
        QTest::newRow("host in front") << "/x/run1/vm.xplane.pb"
                                       << "vm.xplane.pb";
    }
    void namesFilesApart()
    {
        QFETCH(QString, path);
        QFETCH(QString, name);
        QCOMPARE(displayNameOf(path), name);
    }
};

QTEST_GUILESS_MAIN(TestNavigatorModel)
#include "tst_navigator_model.moc"
