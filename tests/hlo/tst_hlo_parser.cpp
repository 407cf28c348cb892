// SPDX-License-Identifier: Apache-2.0
#include <QtTest>
class T : public QObject {
    Q_OBJECT
};
QTEST_APPLESS_MAIN(T)
#include "tst_hlo_parser.moc"
