// SPDX-License-Identifier: Apache-2.0
#include "core/hlo/sharding.h"

#include <QtTest>

using namespace hloscope;

namespace {

using Kind = Sharding::Kind;

Sharding shardingOf(const char* text)
{
    const Expected<Sharding> sharding = parseSharding(text);
    if (!sharding)
        qWarning("%s: %s", text, sharding.error().format().c_str());
    return sharding ? *sharding : Sharding();
}

} // namespace

class TestSharding : public QObject {
    Q_OBJECT

private slots:
    void readsWords_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("kind");
        const auto row = [](const char* text, Kind kind) {
            QTest::newRow(text) << QString::fromLatin1(text) << static_cast<int>(kind);
        };
        row("{replicated}", Kind::Replicated);
        row("{manual}", Kind::Manual);
        row("{unknown}", Kind::Unknown);
        row("{unreduced}", Kind::Unreduced);
        row("{unreduced=max}", Kind::Unreduced);
        row("{maximal device=3}", Kind::Maximal);
        row("{maximal_mesh[device_id=3]}", Kind::Maximal);
        row("{devices=[2,1]0,1}", Kind::Tiled);
        row("{replicated metadata={op_name=\"a}b\"}}", Kind::Replicated);
        row("{replicated shard_as 7}", Kind::Replicated);
        row("{f32[1,2] devices=[1,2]0,1}", Kind::Tiled); // 2018
        row("{mesh['a'=2], [{'a'}]}", Kind::Named);
        row("{mesh['a'=2], replicated}", Kind::Replicated);
        row("{}", Kind::Tuple);
        row("{{replicated}, {manual}}", Kind::Tuple);
    }

    void readsWords()
    {
        QFETCH(QString, text);
        QFETCH(int, kind);
        const Expected<Sharding> sharding = parseSharding(text.toStdString());
        QVERIFY2(sharding.hasValue(), sharding ? "" : sharding.error().format().c_str());
        QCOMPARE(static_cast<int>(sharding->kind), kind);
        if (text.contains(QLatin1String("maximal")))
            QCOMPARE(sharding->devices, (std::vector<int64_t>{3}));
    }

    void readsTiles()
    {
        const Sharding list = shardingOf("{devices=[2,1,2]3,1,2,0 last_tile_dim_replicate}");
        QCOMPARE(list.tileDimensions, (std::vector<int64_t>{2, 1, 2}));
        QCOMPARE(list.devices, (std::vector<int64_t>{3, 1, 2, 0}));
        QCOMPARE(list.subgroupKinds, (std::vector<Kind>{Kind::Replicated}));
        QCOMPARE(list.partsOf(0), int64_t(2));
        QCOMPARE(list.partsOf(1), int64_t(1));
        QCOMPARE(list.partsOf(2), int64_t(1)); // copies, not parts
        // Facts: rows {0,2,4,6},{1,3,5,7}.
        const Sharding iota = shardingOf("{devices=[2,4]<=[4,2]T(1,0)}");
        QCOMPARE(iota.devices, (std::vector<int64_t>{0, 2, 4, 6, 1, 3, 5, 7}));
        // Facts: splits dimension 0 in two, four copies of each part.
        const Sharding copies = shardingOf("{devices=[2,1,4]<=[8] last_tile_dim_replicate}");
        QCOMPARE(copies.partsOf(0), int64_t(2));
        QCOMPARE(copies.partsOf(1), int64_t(1));
        const Sharding groups = shardingOf("{devices=[2,2,2]<=[8] last_tile_dims={manual, replicated}}");
        QCOMPARE(groups.subgroupKinds, (std::vector<Kind>{Kind::Manual, Kind::Replicated}));
        QCOMPARE(groups.partsOf(0), int64_t(2));
        QCOMPARE(groups.partsOf(1), int64_t(1));
    }

    void readsNamedShardings()
    {
        const Sharding named = shardingOf("{mesh['a'=2,'b'=4], [{'a'}, {'b':(1)2, ?}], replicated={'b':(2)2}}");
        QCOMPARE(named.kind, Kind::Named);
        QCOMPARE(named.dimensionAxes.size(), size_t(2));
        QCOMPARE(named.dimensionAxes[0], (std::vector<AxisRef>{{0, 1, 0}}));
        QCOMPARE(named.dimensionAxes[1], (std::vector<AxisRef>{{1, 1, 2}}));
        QCOMPARE(named.openDimensions, (std::vector<bool>{false, true}));
        QCOMPARE(named.replicatedAxes, (std::vector<AxisRef>{{1, 2, 2}}));
        QCOMPARE(named.partsOf(0), int64_t(2));
        QCOMPARE(named.partsOf(1), int64_t(2));
        QCOMPARE(named.partsOf(2), int64_t(1));
        const Sharding ids = shardingOf("{mesh['a'=2,'b'=4], device_ids=([4,2]T(1,0)), [{'a'}, {}], unreduced={'b'}}");
        QCOMPARE(ids.mesh.deviceIds, (std::vector<int64_t>{0, 2, 4, 6, 1, 3, 5, 7}));
        QCOMPARE(ids.unreducedAxes, (std::vector<AxisRef>{{1, 1, 0}}));
        QCOMPARE(ids.partsOf(1), int64_t(1));
        const Sharding sum = shardingOf("{mesh['a'=2], [{}], unreduced=sum{'a'}, metadata={op_name=\"x\"}}");
        QCOMPARE(sum.unreducedAxes, (std::vector<AxisRef>{{0, 1, 0}}));
    }

    void readsTuples()
    {
        const Sharding tuple =
            shardingOf("{{replicated}, {devices=[2]0,1}, {manual}, {manual}, {manual}, /*index=5*/{maximal device=1}}");
        QCOMPARE(tuple.elements.size(), size_t(6));
        QCOMPARE(tuple.elements[1].partsOf(0), int64_t(2));
        QCOMPARE(tuple.elements[5].kind, Kind::Maximal);
        QCOMPARE(shardingOf("{}").elements.size(), size_t(0));
    }

    void refusesNonsense_data()
    {
        QTest::addColumn<QString>("text");
        for (const char* text :
             {"", "replicated", "{", "{replicated", "{sometimes}", "{maximal device=x}", "{devices=[2,1]0,1,2}",
              "{devices=[2,2]<=[5]}", "{devices=[2]<=[2]T(5)}", "{devices=[0]<=[0]}", "{devices=[-1]0}",
              "{devices=[4294967296,4294967296]<=[4294967296]}", "{last_tile_dims={often}}", "{mesh['a'=2], [{'b'}]}",
              "{mesh['a'=2], [{'a']}", "{replicated} x", "{{replicated}"})
            QTest::newRow(text) << QString::fromLatin1(text);
    }

    void refusesNonsense()
    {
        QFETCH(QString, text);
        QVERIFY(!parseSharding(text.toStdString()).hasValue());
    }

    void boundsNesting() { QVERIFY(!parseSharding(std::string(1'000'000, '{')).hasValue()); }
};

QTEST_APPLESS_MAIN(TestSharding)
#include "tst_sharding.moc"
