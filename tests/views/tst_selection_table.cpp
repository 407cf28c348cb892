// SPDX-License-Identifier: Apache-2.0
#include "synthetic_trace.h"
#include "views/common/theme.h"
#include "views/tables/selection_table.h"

#include <QAbstractItemModelTester>
#include <QHeaderView>
#include <QSignalSpy>
#include <QTableView>
#include <QtTest>

#include <map>

using namespace hloscope;
using namespace hloscope::synthetic;

class TestSelectionTable : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { ThemeManager::instance().install(); }

    void modelKeepsTheRules()
    {
        SelectionTableModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        const Example example = makeExample();
        model.setStatistics(rangeStatistics(example.trace, {example.ops}, 0, 100 * kMs));
        QCOMPARE(model.rowCount(), 7);
        const QPersistentModelIndex whileRow(
            model.index(model.rowOf(example.trace->kind(example.named("while.4"))), 0));
        for (int column = 0; column < SelectionTableModel::ColumnCount; ++column) {
            for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
                model.sort(column, order);
                for (int row = 1; row < model.rowCount(); ++row) {
                    const QVariant above = model.index(row - 1, column).data(SelectionTableModel::ValueRole);
                    const QVariant below = model.index(row, column).data(SelectionTableModel::ValueRole);
                    const auto relation = QVariant::compare(above, below);
                    QVERIFY(relation
                            != (order == Qt::AscendingOrder ? QPartialOrdering::Greater : QPartialOrdering::Less));
                }
                QCOMPARE(whileRow.data().toString(), QStringLiteral("while.4"));
            }
        }
        model.setStatistics({});
        QCOMPARE(model.rowCount(), 0);
    }

    void wordsAndSums()
    {
        SelectionTableModel model;
        const Example example = makeExample();
        // 12 to 58 ms: fusion.3 20, while.4 18 (self 2), fusion.5 9 + 7, nothing else.
        model.setStatistics(rangeStatistics(example.trace, {example.ops}, 12 * kMs, 58 * kMs));
        const auto text = [&](int row, int column) { return model.index(row, column).data().toString(); };
        QCOMPARE(model.rowCount(), 3);
        QCOMPARE(text(0, SelectionTableModel::Op), QStringLiteral("fusion.3"));
        QCOMPARE(text(0, SelectionTableModel::Category), QStringLiteral("Matmul"));
        QCOMPARE(text(0, SelectionTableModel::Total), QStringLiteral("20.00 ms"));
        QCOMPARE(text(1, SelectionTableModel::Op), QStringLiteral("while.4"));
        QCOMPARE(text(1, SelectionTableModel::Total), QStringLiteral("18.00 ms"));
        QCOMPARE(text(1, SelectionTableModel::Self), QStringLiteral("2.000 ms"));
        // Self times: 20 + 2 + 16 = 38 ms.
        QCOMPARE(text(1, SelectionTableModel::Share), QStringLiteral("5.3\u2009%"));
        QCOMPARE(text(2, SelectionTableModel::Op), QStringLiteral("fusion.5"));
        QCOMPARE(text(2, SelectionTableModel::Count), QStringLiteral("2"));
        QCOMPARE(text(2, SelectionTableModel::Mean), QStringLiteral("8.000 ms"));
        QCOMPARE(model.headerData(SelectionTableModel::Total, Qt::Horizontal, Qt::DisplayRole).toString(),
                 QStringLiteral("Total \u25be"));
        QCOMPARE(model.row(2).first, example.named("fusion.5"));
    }

    void eventsWithoutTimeAreCounted()
    {
        const Example example = makeExample();
        const RangeStatistics sums = rangeStatistics(example.trace, {example.collectives}, 0, 40 * kMs);
        QCOMPARE(sums.events, uint64_t(2));
        QCOMPARE(sums.eventsWithoutTime, uint64_t(2));
        SelectionTableModel model;
        model.setStatistics(sums);
        QCOMPARE(model.index(0, SelectionTableModel::Total).data().toString(), QStringLiteral("no time"));
    }

    void noTracksAreNotAllTracks()
    {
        const Example example = makeExample();
        QCOMPARE(rangeStatistics(example.trace, {}, 0, 100 * kMs).rows.size(), size_t(0));
    }

    void randomRangesAgreeWithALoop_data()
    {
        QTest::addColumn<uint>("seed");
        for (uint seed = 1; seed <= 10; ++seed)
            QTest::addRow("%u", seed) << seed;
    }
    void randomRangesAgreeWithALoop()
    {
        QFETCH(uint, seed);
        const auto trace = makeRandom(seed, 3, 400, 4 * kMs);
        std::mt19937 random(seed);
        const int64_t begin = static_cast<int64_t>(random() % (4 * kMs));
        const int64_t end = begin + 1 + static_cast<int64_t>(random() % kMs);
        const RangeStatistics sums = rangeStatistics(trace, {TrackId(0), TrackId(2)}, begin, end);
        struct Sum {
            uint64_t count = 0;
            int64_t total = 0;
            EventId first;
        };
        std::map<std::string, Sum> wanted;
        for (size_t i = 0; i < trace->eventCount(); ++i) {
            const EventId event(i);
            if (trace->trackOf(event) == TrackId(1) || trace->end(event) <= begin || trace->begin(event) >= end)
                continue;
            Sum& sum = wanted[trace->kind(event).name];
            ++sum.count;
            sum.total += std::min(trace->end(event), end) - std::max(trace->begin(event), begin);
            if (!sum.first.isValid() || trace->begin(event) < trace->begin(sum.first))
                sum.first = event;
        }
        QCOMPARE(sums.rows.size(), wanted.size());
        for (const RangeStatistics::Row& row : sums.rows) {
            const Sum& sum = wanted.at(row.sums.key);
            QCOMPARE(row.sums.occurrences, sum.count);
            QCOMPARE(row.sums.totalPs, sum.total);
            QVERIFY(row.first.isValid());
            QCOMPARE(trace->begin(row.first), trace->begin(sum.first));
        }
    }

    void onlyTheLastRangeIsShown()
    {
        const Example example = makeExample();
        SelectionTable table;
        table.resize(900, 300);
        table.show();
        QSignalSpy ready(&table, &SelectionTable::readyChanged);
        for (int64_t end = 1; end <= 40; ++end)
            table.setRange(example.trace, {example.ops}, 0, end * kMs);
        QTRY_VERIFY(table.isReady());
        QCOMPARE(table.model().statistics().endPs, 40 * kMs);
        QCOMPARE(table.footer(), QStringLiteral("Sum of 3    total 32.00 ms    self 32.00 ms    mean 10.67 ms"));
        table.setRange(example.trace, {example.ops}, 82 * kMs, 88 * kMs);
        QTRY_VERIFY(table.isReady());
        QCOMPARE(table.footer(), QStringLiteral("Nothing runs in this range."));
        table.setRange(example.trace, {example.ops}, 0, 50 * kMs);
        table.clear();
        QTRY_VERIFY(table.isReady());
        QCOMPARE(table.model().rowCount(), 0);
    }

    void columnsFillTheWidth()
    {
        const Example example = makeExample();
        SelectionTable table;
        table.resize(1000, 150);
        table.show();
        table.setRange(example.trace, {example.ops}, 0, 100 * kMs);
        QTRY_VERIFY(table.isReady());
        QCoreApplication::processEvents();
        QCOMPARE(table.table().horizontalHeader()->length(), table.table().viewport()->width());
    }

    void clickOnTheHeaderSorts()
    {
        const Example example = makeExample();
        SelectionTable table;
        table.resize(1000, 300);
        table.show();
        table.setRange(example.trace, {example.ops}, 0, 100 * kMs);
        QTRY_VERIFY(table.isReady());
        QHeaderView* header = table.table().horizontalHeader();
        const int x = header->sectionViewportPosition(SelectionTableModel::Count) + 20;
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, QPoint(x, header->height() / 2));
        QCOMPARE(table.model().index(table.model().rowCount() - 1, 0).data().toString(), QStringLiteral("tiny.7"));
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, QPoint(x, header->height() / 2));
        QCOMPARE(table.model().index(0, 0).data().toString(), QStringLiteral("tiny.7"));
    }

    void activationAndClose()
    {
        const Example example = makeExample();
        SelectionTable table;
        table.resize(900, 300);
        table.show();
        table.setRange(example.trace, {example.ops}, 0, 50 * kMs);
        QTRY_VERIFY(table.isReady());
        QList<EventId> activated;
        connect(&table, &SelectionTable::eventActivated, this, [&](EventId event) { activated << event; });
        table.table().setCurrentIndex(table.model().index(0, 0));
        table.table().setFocus();
        QTest::keyClick(&table.table(), Qt::Key_Return);
        QCOMPARE(activated.size(), 1);
        QCOMPARE(activated[0], example.named("fusion.3"));
    }
};

QTEST_MAIN(TestSelectionTable)
#include "tst_selection_table.moc"
