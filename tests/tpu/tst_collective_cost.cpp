// SPDX-License-Identifier: Apache-2.0
#include "core/tpu/collective_cost.h"
#include "tests/tpu/tpu_test_data.h"

#include <QtTest>

#include <cmath>

using namespace hloscope;

class TestCollectiveCost : public QObject {
    Q_OBJECT

private slots:
    void times_data();
    void times();
    void needsALinkRate();
    void wrapsFullAxesOnly_data();
    void wrapsFullAxesOnly();
    void readsOps_data();
    void readsOps();
    void readsProgramsOfTheCorpus_data();
    void readsProgramsOfTheCorpus();
};

// Hand calculations, in microseconds.
void TestCollectiveCost::times_data()
{
    QTest::addColumn<QString>("chip");
    QTest::addColumn<int>("kind");
    QTest::addColumn<double>("bytes");
    QTest::addColumn<int>("group");
    QTest::addColumn<QList<int>>("axes");
    QTest::addColumn<double>("microseconds");
    QTest::addColumn<double>("sent");
    const auto row = [](const char* name, const char* chip, CollectiveKind kind, double bytes, int group,
                        const QList<int>& axes, double microseconds, double sent) {
        QTest::newRow(name) << QString::fromLatin1(chip) << int(kind) << bytes << group << axes << microseconds << sent;
    };
    const double mb = 1e6;
    // The measured one: 1.13 ms. One link, 128 MiB / 2 at 6e10 B/s, one hop.
    row("reduce-scatter of 128 MiB over two v2 cores", "v2", CollectiveKind::ReduceScatter, 134217728, 2, {},
        134217728 / 2 / 6e4 + 1, 67108864);
    // A full side of a v5e pod is a ring: 2 x 45 GB/s, 8 hops.
    row("all-gather on a ring of 16", "v5e", CollectiveKind::AllGather, 160 * mb, 16, {}, 150 * mb / 90e3 + 8,
        150 * mb);
    // Four in a row of a v5e slice are a line: 45 GB/s, 3 hops.
    row("all-gather on a line of 4", "v5e", CollectiveKind::AllGather, 160 * mb, 4, {}, 120 * mb / 45e3 + 3, 120 * mb);
    row("all-reduce is twice that", "v5e", CollectiveKind::AllReduce, 160 * mb, 4, {}, 2 * (120 * mb / 45e3 + 3),
        240 * mb);
    // Two rings of four at once on a v5p: 2 axes x 2 x 90 GB/s; 2 + 2 hops.
    row("all-gather on two axes", "v5p", CollectiveKind::AllGather, 160 * mb, 16, {4, 4}, 150 * mb / 360e3 + 4,
        150 * mb);
    row("all-to-all on a ring", "v5e", CollectiveKind::AllToAll, 160 * mb, 16, {}, 160 * mb / (4 * 90e3) + 8,
        10 * mb * 15 / 16);
    row("all-to-all of two", "v5e", CollectiveKind::AllToAll, 160 * mb, 2, {}, 160 * mb / (4 * 45e3) + 1, 40 * mb);
    row("permutation", "v6e", CollectiveKind::Permute, 90 * mb, 4, {}, 90 * mb / 90e3 + 1, 90 * mb);
    row("broadcast", "v6e", CollectiveKind::Broadcast, 90 * mb, 4, {}, 90 * mb / 90e3 + 3, 90 * mb);
    row("group of one", "v5e", CollectiveKind::AllReduce, 160 * mb, 1, {}, 0, 0);
    row("no bytes", "v5e", CollectiveKind::AllGather, 0, 4, {}, 3, 0);
}

void TestCollectiveCost::times()
{
    QFETCH(QString, chip);
    QFETCH(int, kind);
    QFETCH(double, bytes);
    QFETCH(int, group);
    QFETCH(QList<int>, axes);
    QFETCH(double, microseconds);
    QFETCH(double, sent);
    Collective collective;
    collective.kind = CollectiveKind(kind);
    collective.bytes = bytes;
    collective.groupSize = group;
    collective.axes.assign(axes.begin(), axes.end());
    const auto time = collectiveTime(collective, *findChip(chip.toStdString()));
    QVERIFY(time);
    QVERIFY2(std::abs(time->seconds() * 1e6 - microseconds) <= 1e-6 * microseconds,
             qPrintable(QString::number(time->seconds() * 1e6)));
    QCOMPARE(time->sentBytes, sent);
}

void TestCollectiveCost::needsALinkRate()
{
    Collective collective;
    collective.bytes = 1e6;
    collective.groupSize = 4;
    QVERIFY(!collectiveTime(collective, *findChip("v4i")));
    collective.groupSize = 1;
    QVERIFY(collectiveTime(collective, *findChip("v4i")));
}

void TestCollectiveCost::wrapsFullAxesOnly_data()
{
    QTest::addColumn<QString>("chip");
    QTest::addColumn<int>("size");
    QTest::addColumn<bool>("wraps");
    QTest::newRow("v5e 4") << "v5e" << 4 << false;
    QTest::newRow("v5e 8") << "v5e" << 8 << false;
    QTest::newRow("v5e 16") << "v5e" << 16 << true;
    QTest::newRow("v6e 16") << "v6e" << 16 << true;
    QTest::newRow("v3 16") << "v3" << 16 << false;
    QTest::newRow("v3 32") << "v3" << 32 << true;
    QTest::newRow("v5p 2") << "v5p" << 2 << false;
    QTest::newRow("v5p 4") << "v5p" << 4 << true;
    QTest::newRow("v4 6") << "v4" << 6 << false;
    QTest::newRow("v7x 8") << "v7x" << 8 << true;
}

void TestCollectiveCost::wrapsFullAxesOnly()
{
    QFETCH(QString, chip);
    QFETCH(int, size);
    QFETCH(bool, wraps);
    QCOMPARE(axisWraps(*findChip(chip.toStdString()), size), wraps);
}

void TestCollectiveCost::readsOps_data()
{
    QTest::addColumn<QByteArray>("op"); // computes %x from %p = f32[1024,128], 512 KiB
    QTest::addColumn<int>("kind");
    QTest::addColumn<double>("bytes");
    QTest::addColumn<int>("group");
    const double p = 1024 * 128 * 4;
    const auto row = [](const char* name, const char* op, CollectiveKind kind, double bytes, int group) {
        QTest::newRow(name) << QByteArray(op) << int(kind) << bytes << group;
    };
    row("all-gather, lists", "f32[2048,128]{1,0:T(8,128)} all-gather(%p), replica_groups={{0,1},{2,3}}, dimensions={0}",
        CollectiveKind::AllGather, 2 * p, 2);
    row("all-reduce, iota", "f32[1024,128]{1,0:T(8,128)} all-reduce(%p), replica_groups=[2,4]<=[8], to_apply=%add",
        CollectiveKind::AllReduce, p, 4);
    row("reduce-scatter, mesh",
        "f32[256,128]{1,0:T(8,128)} reduce-scatter(%p), replica_groups=mesh['a'=2,'b'=4] {'b'}, dimensions={0}, "
        "to_apply=%add",
        CollectiveKind::ReduceScatter, p, 4);
    row("all-to-all, everyone", "f32[1024,128]{1,0:T(8,128)} all-to-all(%p), replica_groups={}, dimensions={0}",
        CollectiveKind::AllToAll, 8 * p, 8);
    row("collective-permute", "f32[1024,128]{1,0:T(8,128)} collective-permute(%p), source_target_pairs={{0,1},{1,0}}",
        CollectiveKind::Permute, p, 8);
    row("start op",
        "(f32[1024,128]{1,0:T(8,128)}, f32[4096,128]{1,0:T(8,128)}) all-gather-start(%p), "
        "replica_groups={{0,1,2,3},{4,5,6,7}}, dimensions={0}",
        CollectiveKind::AllGather, 4 * p, 4);
}

void TestCollectiveCost::readsOps()
{
    QFETCH(QByteArray, op);
    QFETCH(int, kind);
    QFETCH(double, bytes);
    QFETCH(int, group);
    const auto module =
        testdata::parseText("HloModule m, is_scheduled=true, num_partitions=8\n\n%add (a: f32[], b: f32[]) -> f32[] {\n"
                            "  %a = f32[] parameter(0)\n  %b = f32[] parameter(1)\n  ROOT %s = f32[] add(%a, %b)\n}\n\n"
                            "ENTRY %main {\n  %p = f32[1024,128]{1,0:T(8,128)} parameter(0)\n  ROOT %x = "
                            + op + "\n}\n");
    QVERIFY(module);
    const auto collective = collectiveOf(*module, module->findInstruction("x"));
    QVERIFY(collective);
    QCOMPARE(int(collective->kind), kind);
    QCOMPARE(collective->bytes, bytes);
    QCOMPARE(int(collective->groupSize), group);
    QVERIFY(!collectiveOf(*module, module->findInstruction("p")));
}

// What each program was written to do, on its mesh.
void TestCollectiveCost::readsProgramsOfTheCorpus_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("group");
    QTest::addColumn<QList<int>>("axes"); // as libtpu's algorithm names them
    const auto row = [](const char* file, CollectiveKind kind, int group, const QList<int>& axes) {
        QTest::newRow(file) << QString::fromLatin1(file) << int(kind) << group << axes;
    };
    row("coll_v5e_4x4/ar_x", CollectiveKind::AllReduce, 4, {4});
    row("coll_v5e_4x4/ar_all", CollectiveKind::AllReduce, 16, {4, 4});
    row("coll_v5e_16x16/ar_all", CollectiveKind::AllReduce, 256, {16, 16});
    row("coll_v5e_16x16/ag_x", CollectiveKind::AllGather, 16, {});
    row("coll_v5e_4x4/rs_x", CollectiveKind::ReduceScatter, 4, {4});
    row("coll_v5p_4x4x4/ar_all", CollectiveKind::AllReduce, 64, {4, 4, 4});
    row("coll_v5p_4x4x4/rs_x", CollectiveKind::ReduceScatter, 4, {4});
    row("coll_v5e_4x4/a2a_x", CollectiveKind::AllToAll, 4, {});
}

void TestCollectiveCost::readsProgramsOfTheCorpus()
{
    QFETCH(QString, file);
    QFETCH(int, kind);
    QFETCH(int, group);
    QFETCH(QList<int>, axes);
    const QString path = testdata::shared(QStringLiteral("op-corpus/%1.hlo.txt.gz").arg(file));
    if (path.isEmpty())
        QSKIP("the shared corpus is not here");
    const auto module = testdata::parseModule(path);
    QVERIFY(module);
    const IndexRange entry = module->entryComputation().instructions;
    int found = 0;
    for (uint32_t i = entry.begin; i < entry.end(); ++i) {
        const auto collective = collectiveOf(*module, InstructionId(i));
        if (!collective || int(collective->kind) != kind)
            continue;
        ++found;
        QCOMPARE(int(collective->groupSize), group);
        QCOMPARE(QList<int>(collective->axes.begin(), collective->axes.end()), axes);
    }
    QVERIFY(found > 0);
}

QTEST_APPLESS_MAIN(TestCollectiveCost)
#include "tst_collective_cost.moc"
