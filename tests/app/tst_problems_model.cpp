// SPDX-License-Identifier: Apache-2.0
#include "app/workbench/problems_model.h"

#include "../test_data.h"

#include <QAbstractItemModelTester>
#include <QTemporaryDir>
#include <QtTest>

using namespace hloscope;

class TestProblemsModel : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    QString write(const QString& name, const QByteArray& bytes)
    {
        QFile file(m_folder.filePath(name));
        if (!file.open(QIODevice::WriteOnly))
            return {};
        file.write(bytes);
        return file.fileName();
    }

private slots:
    void writesOneSentence()
    {
        Diagnostic diagnostic = makeError("a.hlo", "unknown element type");
        diagnostic.expected = "a shape";
        diagnostic.found = "'f33'";
        diagnostic.hint = "is the file cut?";
        QCOMPARE(problemText(diagnostic),
                 QStringLiteral("unknown element type, expected a shape, found 'f33' (is the file cut?)"));
    }

    void listsFailuresAndPlaces()
    {
        Workspace workspace;
        ProblemsModel model(workspace);
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(model.total(), quint64(0));
        workspace.open(write(QStringLiteral("empty.hlo"), {}));
        QTRY_VERIFY_WITH_TIMEOUT(!workspace.isBusy(), 10000);
        QCOMPARE(model.rowCount(), 1);
        QCOMPARE(model.row(0).severity, Severity::Error);
        QVERIFY(model.row(0).where.startsWith(QStringLiteral("empty.hlo")));

        // An instruction whose element type does not exist, on line 5.
        const QString path = write(QStringLiteral("bad.hlo"),
                                   "HloModule m\n\nENTRY %main (p: f32[2]) -> f32[2] {\n"
                                   "  %p = f32[2]{0} parameter(0)\n"
                                   "  %bad = f33[2]{0} negate(%p)\n"
                                   "  ROOT %neg = f32[2]{0} negate(%p)\n}\n");
        workspace.open(path);
        QTRY_VERIFY_WITH_TIMEOUT(!workspace.isBusy(), 10000);
        QCOMPARE(workspace.modules().size(), size_t(1)); // the rest is shown
        bool isPlaced = false;
        for (int row = 0; row < model.rowCount(); ++row)
            isPlaced = isPlaced
                || model.index(row, ProblemsModel::Where).data().toString().startsWith(QStringLiteral("bad.hlo:5:"));
        QVERIFY(isPlaced);
        workspace.closeAll();
        QCOMPARE(model.rowCount(), 1); // the failure stays until it is cleared
        model.clearFailures();
        QCOMPARE(model.rowCount(), 0);
    }

    void headersSayWhatTheColumnsAre()
    {
        Workspace workspace;
        const ProblemsModel model(workspace);
        QCOMPARE(model.columnCount(), 3);
        QCOMPARE(model.headerData(ProblemsModel::Where, Qt::Horizontal, Qt::DisplayRole).toString(),
                 QStringLiteral("Where"));
    }
};

QTEST_GUILESS_MAIN(TestProblemsModel)
#include "tst_problems_model.moc"
