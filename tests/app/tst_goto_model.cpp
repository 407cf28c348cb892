// SPDX-License-Identifier: Apache-2.0
#include "app/workbench/goto_model.h"

#include "../test_data.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QElapsedTimer>
#include <QtTest>

using namespace hloscope;

class TestGotoModel : public QObject {
    Q_OBJECT

private:
    Workspace m_workspace;

    std::vector<QAction*> commands()
    {
        static QAction open(QStringLiteral("&Open file"));
        static QAction fusion(QStringLiteral("Show fusions"));
        static QAction off(QStringLiteral("Not possible now"));
        off.setEnabled(false);
        return {&open, &fusion, &off};
    }

private slots:
    void initTestCase()
    {
        m_workspace.open(testdata::path(QStringLiteral("corpus/transformer_sharded.v2-2x2/module.hlo")));
        QTRY_VERIFY_WITH_TIMEOUT(!m_workspace.isBusy(), 30000);
        QCOMPARE(m_workspace.modules().size(), size_t(1));
    }

    void ranksMatches_data()
    {
        QTest::addColumn<QString>("better");
        QTest::addColumn<QString>("worse");
        QTest::addColumn<QString>("query");
        QTest::newRow("the name itself") << "fusion"
                                         << "fusion.1"
                                         << "fusion";
        QTest::newRow("begin before middle") << "fusion.12345"
                                             << "loop_fusion"
                                             << "fusion";
        QTest::newRow("word before part") << "a.copy.3"
                                          << "acopy"
                                          << "copy";
        QTest::newRow("part before letters") << "xxcopyxx"
                                             << "c.o.p.y"
                                             << "copy";
        QTest::newRow("short before long") << "fusion.1"
                                           << "fusion.11"
                                           << "fusion.1";
        QTest::newRow("later word") << "xcopy.copy"
                                    << "xcopy"
                                    << "copy";
    }
    void ranksMatches()
    {
        QFETCH(QString, better);
        QFETCH(QString, worse);
        QFETCH(QString, query);
        const auto a = matchRank(better.toStdString(), query.toStdString());
        const auto b = matchRank(worse.toStdString(), query.toStdString());
        QVERIFY(a && b);
        QVERIFY2(*a < *b, qPrintable(QStringLiteral("%1 %2").arg(*a).arg(*b)));
    }

    void refusesWhatDoesNotMatch()
    {
        QVERIFY(!matchRank("fusion", "fusionx"));
        QVERIFY(!matchRank("abc", "cba"));
        QVERIFY(!matchRank("", "a"));
        QVERIFY(matchRank("", ""));
    }

    void findsOpsComputationsFilesAndCommands()
    {
        Selection selection(m_workspace);
        GotoModel model(
            m_workspace, selection, [this] { return commands(); }, [] { return QStringList{"/a/fusion.hlo"}; });
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setQuery(QStringLiteral("fusion.15"));
        QVERIFY(model.rowCount() > 0);
        QCOMPARE(model.hit(0).kind, GotoHit::Kind::Instruction);
        QCOMPARE(model.hit(0).text, QStringLiteral("fusion.15"));
        QCOMPARE(model.hit(0).detail, QStringLiteral("fusion in main.0_spmd"));
        model.setQuery(QStringLiteral("%FUSION.15")); // as in the text, in any case
        QCOMPARE(model.hit(0).text, QStringLiteral("fusion.15"));
        model.setQuery(QStringLiteral("main.0_spmd"));
        QCOMPARE(model.hit(0).kind, GotoHit::Kind::Computation);
        QCOMPARE(model.hit(0).detail, QStringLiteral("47 instruction(s)")); // counted in the text
        model.setQuery(QStringLiteral("fusion.hlo"));
        QCOMPARE(model.hit(0).kind, GotoHit::Kind::File);
        model.setQuery(QStringLiteral("open f"));
        QCOMPARE(model.hit(0).kind, GotoHit::Kind::Command);
        QCOMPARE(model.hit(0).text, QStringLiteral("Open file"));
    }

    void onlyCommandsBehindTheArrow()
    {
        Selection selection(m_workspace);
        GotoModel model(
            m_workspace, selection, [this] { return commands(); }, [] { return QStringList(); });
        model.setQuery(QStringLiteral(">"));
        QCOMPARE(model.rowCount(), 2); // the third is disabled
        model.setQuery(QStringLiteral("> fusion"));
        QCOMPARE(model.rowCount(), 1);
        QCOMPARE(model.hit(0).text, QStringLiteral("Show fusions"));
    }

    void anEmptyQueryIsAMenu()
    {
        Selection selection(m_workspace);
        GotoModel model(
            m_workspace, selection, [this] { return commands(); }, [] { return QStringList(); });
        model.setQuery({});
        for (int row = 0; row < model.rowCount(); ++row)
            QVERIFY(model.hit(row).kind != GotoHit::Kind::Instruction);
        QCOMPARE(model.hit(0).text, QStringLiteral("main.0_spmd")); // the entry first
    }

    void searchesTheSelectedModuleOnly()
    {
        Workspace workspace;
        Selection selection(workspace);
        GotoModel model(
            workspace, selection, [] { return std::vector<QAction*>(); }, [] { return QStringList(); });
        workspace.open(testdata::path(QStringLiteral("corpus/ffw.v2-2x2/module.hlo")));
        workspace.open(testdata::path(QStringLiteral("corpus/softmax.v5e-2x2/module.hlo")));
        QTRY_VERIFY_WITH_TIMEOUT(!workspace.isBusy(), 30000);
        model.setQuery(QStringLiteral("all-gather"));
        const auto inAll = model.total();
        QVERIFY(inAll > 0);
        selection.selectModule(workspace.modules()[1].module);
        model.setQuery(QStringLiteral("all-gather"));
        QVERIFY(model.total() < inAll); // the softmax gathers nothing
    }

    void isFastOnTheLargestModule()
    {
        const QString path = testdata::shared(QStringLiteral("corpus/lm_train_16_layers.v5e-4x4/module.hlo"));
        if (path.isEmpty())
            QSKIP("needs the shared corpus");
        Workspace workspace;
        Selection selection(workspace);
        GotoModel model(
            workspace, selection, [] { return std::vector<QAction*>(); }, [] { return QStringList(); });
        workspace.open(path);
        QTRY_VERIFY_WITH_TIMEOUT(!workspace.modules().empty(), 60000);
        workspace.cancelOpening();
        qint64 longest = 0;
        for (const char* query : {"f", "fusion", "fusion.1", "copy", "zzz", "abcdefgh"}) {
            QElapsedTimer timer;
            timer.start();
            model.setQuery(QString::fromLatin1(query));
            longest = std::max(longest, timer.elapsed());
            QVERIFY(static_cast<size_t>(model.rowCount()) <= GotoModel::kMaxHits);
        }
        qInfo("longest query %lld ms over %zu instructions", longest,
              workspace.modules()[0].module->instructions.size());
        QVERIFY2(longest < 60, qPrintable(QString::number(longest))); // 16 on an idle machine
    }
};

QTEST_MAIN(TestGotoModel)
#include "tst_goto_model.moc"
