// SPDX-License-Identifier: Apache-2.0
#include "core/hlo/replica_groups.h"

#include <QtTest>

using namespace hloscope;

namespace {

using Groups = std::vector<std::vector<int64_t>>;

QString text(const Groups& groups)
{
    QStringList parts;
    for (const auto& group : groups) {
        QStringList ids;
        for (const int64_t id : group)
            ids << QString::number(id);
        parts << QLatin1Char('{') + ids.join(QLatin1Char(',')) + QLatin1Char('}');
    }
    return parts.join(QLatin1Char(','));
}

} // namespace

class TestReplicaGroups : public QObject {
    Q_OBJECT

private slots:
    void expandsAllNotations_data()
    {
        QTest::addColumn<QString>("source");
        QTest::addColumn<QString>("groups");
        QTest::addColumn<int>("size"); // with 8 devices
        QTest::newRow("lists") << "{{0,1},{2,3}}"
                               << "{0,1},{2,3}" << 2;
        QTest::newRow("uneven") << "{{0},{1,2,3}}"
                                << "{0},{1,2,3}" << 3;
        QTest::newRow("everyone") << "{}"
                                  << "" << 8;
        QTest::newRow("one empty group") << "{{}}"
                                         << "{}" << 0;
        QTest::newRow("iota") << "[2,4]<=[8]"
                              << "{0,1,2,3},{4,5,6,7}" << 4;
        // Facts: {0,8},{1,9},..,{7,15}.
        QTest::newRow("transposed iota") << "[8,2]<=[2,8]T(1,0)"
                                         << "{0,8},{1,9},{2,10},{3,11},{4,12},{5,13},{6,14},{7,15}" << 2;
        // XLA prints this one again as [2,4]<=[4,2]T(1,0): even and odd ids.
        QTest::newRow("three reshape dims") << "[2,4]<=[2,2,2]T(2,0,1)"
                                            << "{0,2,4,6},{1,3,5,7}" << 4;
        QTest::newRow("same canonical") << "[2,4]<=[4,2]T(1,0)"
                                        << "{0,2,4,6},{1,3,5,7}" << 4;
        // Axis 'a' is the major one: devices a*2+b.
        QTest::newRow("minor axis") << "mesh['a'=4,'b'=2] {'b'}"
                                    << "{0,1},{2,3},{4,5},{6,7}" << 2;
        QTest::newRow("major axis") << "mesh['a'=4,'b'=2] {'a'}"
                                    << "{0,2,4,6},{1,3,5,7}" << 4;
        QTest::newRow("both axes, other order") << "mesh['a'=2,'b'=2] {'b','a'}"
                                                << "{0,2,1,3}" << 4;
        QTest::newRow("one axis") << "mesh['axis_0'=4] {'axis_0'}"
                                  << "{0,1,2,3}" << 4;
        QTest::newRow("no axes") << "mesh['a'=3] {}"
                                 << "{0},{1},{2}" << 1;
        // Facts: {0,2,4,6},{1,3,5,7}.
        QTest::newRow("device ids") << "mesh['a'=2,'b'=4], device_ids=([4,2]T(1,0)) {'b'}"
                                    << "{0,2,4,6},{1,3,5,7}" << 4;
        QTest::newRow("device list") << "mesh['a'=2,'b'=2], device_ids=(3,2,1,0) {'b'}"
                                     << "{3,2},{1,0}" << 2;
        // 'a':(2)2 of size 8 is the middle factor of [2,2,2]: ids that differ by 2.
        QTest::newRow("middle of an axis") << "mesh['a'=8] {'a':(2)2}"
                                           << "{0,2},{1,3},{4,6},{5,7}" << 2;
        QTest::newRow("major part of an axis") << "mesh['a'=8] {'a':(1)2}"
                                               << "{0,4},{1,5},{2,6},{3,7}" << 2;
        QTest::newRow("axis by number") << "mesh['a'=2,'b'=2] {'1'}"
                                        << "{0,1},{2,3}" << 2;
    }

    void expandsAllNotations()
    {
        QFETCH(QString, source);
        QFETCH(QString, groups);
        QFETCH(int, size);
        const Expected<ReplicaGroups> read = parseReplicaGroups(source.toStdString());
        QVERIFY2(read.hasValue(), read ? "" : read.error().format().c_str());
        QCOMPARE(text(read->groups()), groups);
        QCOMPARE(static_cast<int>(read->sizeOfGroups(8)), size);
    }

    void keepsTheParts()
    {
        const Expected<ReplicaGroups> iota = parseReplicaGroups("[8,2]<=[2,8]T(1,0)");
        QVERIFY(iota.hasValue());
        QCOMPARE(iota->notation, ReplicaGroups::Notation::Iota);
        QCOMPARE(iota->groupCount, int64_t(8));
        QCOMPARE(iota->groupSize, int64_t(2));
        QCOMPARE(iota->reshapeDimensions, (std::vector<int64_t>{2, 8}));
        QCOMPARE(iota->transposePermutation, (std::vector<int64_t>{1, 0}));
        const Expected<ReplicaGroups> mesh = parseReplicaGroups("mesh['x'=2,'y'=4] {'y'}");
        QVERIFY(mesh.hasValue());
        QCOMPARE(mesh->notation, ReplicaGroups::Notation::Mesh);
        QCOMPARE(mesh->mesh.axes.size(), size_t(2));
        QCOMPARE(mesh->mesh.axes[1].name, std::string("y"));
        QCOMPARE(mesh->mesh.axes[1].size, int64_t(4));
        QCOMPARE(mesh->axes, (std::vector<AxisRef>{{1, 1, 0}}));
    }

    void refusesNonsense_data()
    {
        QTest::addColumn<QString>("source");
        for (const char* source : {"",
                                   "0,1",
                                   "{0,1}",
                                   "{{0,1}",
                                   "{{0,a}}",
                                   "[2,4]",
                                   "[2,4]<=[9]",
                                   "[2,2,2]<=[8]",
                                   "[2,4]<=[8]T(1)",
                                   "[2,4]<=[4,2]T(0,0)",
                                   "[0,4]<=[0]",
                                   "[4294967296,4294967296]<=[2]",
                                   "mesh['a'=2]",
                                   "mesh['a'=2] {'b'}",
                                   "mesh['a'=2] {'a','a'}",
                                   "mesh['a'=0] {'a'}",
                                   "mesh['a'=8] {'a':(3)2}",
                                   "mesh['a'=8] {'a':(8)8}",
                                   "mesh['a'=4], device_ids=(0,1) {'a'}",
                                   "mesh['a'=1000000000000] {'a'}",
                                   "{{0,1}} x"})
            QTest::newRow(source) << QString::fromLatin1(source);
    }

    void refusesNonsense()
    {
        QFETCH(QString, source);
        QVERIFY(!parseReplicaGroups(source.toStdString()).hasValue());
    }
};

QTEST_APPLESS_MAIN(TestReplicaGroups)
#include "tst_replica_groups.moc"
