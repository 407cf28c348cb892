// SPDX-License-Identifier: Apache-2.0
#include "app/workbench/main_window.h"

#include <QtTest>

using namespace hloscope;

class TestMainWindow : public QObject {
    Q_OBJECT

private slots:
    void startsEmpty()
    {
        Workspace workspace;
        MainWindow window(workspace);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
    }
};

QTEST_MAIN(TestMainWindow)
#include "tst_main_window.moc"
