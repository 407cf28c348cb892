// SPDX-License-Identifier: Apache-2.0
#include "views/common/workspace.h"

#include "../test_data.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>

using namespace hloscope;

namespace {

QString ffw()
{
    return testdata::path(QStringLiteral("corpus/ffw.v2-2x2/module.hlo"));
}

QString transformer()
{
    return testdata::path(QStringLiteral("corpus/transformer_sharded.v2-2x2/module.hlo"));
}

void write(const QString& path, const QByteArray& bytes)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
    file.write(bytes);
}

QByteArray read(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class TestWorkspace : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY(QFile::exists(ffw())); }

    void deliversInStages()
    {
        Workspace workspace;
        QStringList stages;
        bool hadSimulationWhenOpened = true;
        connect(&workspace, &Workspace::busyChanged, this, [&](bool busy) { stages << (busy ? "busy" : "idle"); });
        connect(&workspace, &Workspace::documentOpened, this, [&](const QString& path) {
            stages << "opened";
            QCOMPARE(QFileInfo(path).canonicalFilePath(), QFileInfo(ffw()).canonicalFilePath());
            QCOMPARE(workspace.modules().size(), size_t(1));
            hadSimulationWhenOpened = workspace.modules()[0].simulation != nullptr;
        });
        QSignalSpy changes(&workspace, &Workspace::moduleChanged);
        workspace.open(ffw());
        QVERIFY(workspace.isBusy());
        QVERIFY(workspace.progress() != nullptr);
        QTRY_VERIFY_WITH_TIMEOUT(!workspace.isBusy(), 30000);
        QCOMPARE(stages, QStringList({"busy", "opened", "idle"}));
        QVERIFY(!hadSimulationWhenOpened); // the module comes first
        QVERIFY(changes.count() >= 3); // memory, cost, simulation

        const ModuleEntry& entry = workspace.modules().front();
        QCOMPARE(entry.label, QStringLiteral("jit_ffw"));
        QCOMPARE(entry.module->computations.size(), size_t(9)); // counted in the text
        QCOMPARE(entry.module->instructions.size(), size_t(38));
        QVERIFY(entry.isAnalysed);
        QVERIFY(entry.memory && entry.cost && entry.simulation);
        QCOMPARE(entry.memory->liveRanges.peakBytes, int64_t(1006632960)); // live-range.txt
        QCOMPARE(entry.chip, findChip("v2")); // the folder names it
        QVERIFY(!entry.chipIsGuessed);
        QCOMPARE(workspace.entry(entry.module.get()), &entry);
        QCOMPARE(workspace.entry(nullptr), nullptr);
        QCOMPARE(workspace.documents().size(), size_t(1));
        QCOMPARE(workspace.documents()[0].kind, FileKind::HloText);
    }

    void assumesAChipWhereNoneIsNamed()
    {
        const QTemporaryDir folder(QDir::tempPath() + QStringLiteral("/plain-XXXXXX"));
        const QString path = folder.filePath(QStringLiteral("step.hlo"));
        write(path, read(ffw()));
        Workspace workspace;
        workspace.open(path);
        QTRY_VERIFY_WITH_TIMEOUT(!workspace.isBusy(), 30000);
        QCOMPARE(workspace.modules().size(), size_t(1));
        QCOMPARE(workspace.modules()[0].chip, findChip("v5e"));
        QVERIFY(workspace.modules()[0].chipIsGuessed);
    }

    void simulatesForAnotherChip()
    {
        Workspace workspace;
        workspace.open(ffw());
        QTRY_VERIFY_WITH_TIMEOUT(!workspace.isBusy(), 30000);
        const HloModule* module = workspace.modules()[0].module.get();
        const auto before = workspace.modules()[0].simulation;
        const auto memory = workspace.modules()[0].memory;
        workspace.setChip(module, findChip("v5p"));
        QVERIFY(!workspace.modules()[0].simulation); // what is shown is never of another chip
        QVERIFY(!workspace.modules()[0].isAnalysed);
        QTRY_VERIFY_WITH_TIMEOUT(!workspace.isBusy(), 30000);
        const ModuleEntry& entry = workspace.modules()[0];
        QVERIFY(entry.simulation && entry.simulation != before);
        QCOMPARE(entry.cost->chip, findChip("v5p"));
        QCOMPARE(entry.memory, memory); // sizes do not depend on the chip
        QSignalSpy changes(&workspace, &Workspace::moduleChanged);
        workspace.setChip(module, findChip("v5p"));
        QVERIFY(!workspace.isBusy());
        QCOMPARE(changes.count(), 0);
    }

    void onlyTheLastChipCounts()
    {
        Workspace workspace;
        workspace.open(ffw());
        QTRY_VERIFY_WITH_TIMEOUT(!workspace.isBusy(), 30000);
        const HloModule* module = workspace.modules()[0].module.get();
        for (const char* chip : {"v3", "v4", "v5e", "v6e"})
            workspace.setChip(module, findChip(chip));
        QTRY_VERIFY_WITH_TIMEOUT(!workspace.isBusy(), 30000);
        QCOMPARE(workspace.modules()[0].cost->chip, findChip("v6e"));
    }

    void failuresSayWhere_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("png") << QByteArray("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16);
    }
    void failuresSayWhere()
    {
        QFETCH(QByteArray, bytes);
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("bad.hlo"));
        write(path, bytes);
        Workspace workspace;
        QSignalSpy failed(&workspace, &Workspace::openFailed);
        QSignalSpy opened(&workspace, &Workspace::documentOpened);
        workspace.open(path);
        QTRY_VERIFY_WITH_TIMEOUT(!workspace.isBusy(), 10000);
        QCOMPARE(failed.count(), 1);
        QCOMPARE(opened.count(), 0);
        QCOMPARE(failed[0][0].toString(), path);
        QVERIFY2(failed[0][1].toString().contains(path), qPrintable(failed[0][1].toString()));
        QVERIFY2(failed[0][1].toString().contains(QStringLiteral("error: ")), qPrintable(failed[0][1].toString()));
        QVERIFY(workspace.modules().empty());
    }

    void opensSeveralInOrder()
    {
        Workspace workspace;
        QStringList opened;
        connect(&workspace, &Workspace::documentOpened, this,
                [&](const QString& path) { opened << QFileInfo(path).dir().dirName(); });
        workspace.open(transformer());
        workspace.open(ffw());
        QTRY_VERIFY_WITH_TIMEOUT(!workspace.isBusy(), 60000);
        QCOMPARE(opened, QStringList({"transformer_sharded.v2-2x2", "ffw.v2-2x2"}));
        QCOMPARE(workspace.modules().size(), size_t(2));
        QVERIFY(std::ranges::all_of(workspace.modules(), &ModuleEntry::isAnalysed));
    }

    void reopeningReplaces()
    {
        Workspace workspace;
        workspace.open(ffw());
        QTRY_VERIFY_WITH_TIMEOUT(!workspace.isBusy(), 30000);
        const auto before = workspace.modules()[0].module;
        workspace.open(ffw());
        QTRY_VERIFY_WITH_TIMEOUT(!workspace.isBusy(), 30000);
        QCOMPARE(workspace.modules().size(), size_t(1));
        QVERIFY(workspace.modules()[0].module != before);
        QCOMPARE(workspace.documents().size(), size_t(1));
        QVERIFY(workspace.entry(before.get()) == nullptr);
    }

    void cancelledOpeningLeavesNothing()
    {
        Workspace workspace;
        QSignalSpy failed(&workspace, &Workspace::openFailed);
        QSignalSpy opened(&workspace, &Workspace::documentOpened);
        workspace.open(transformer());
        workspace.open(ffw());
        workspace.cancelOpening();
        QTRY_VERIFY_WITH_TIMEOUT(!workspace.isBusy(), 30000);
        QCOMPARE(failed.count(), 0); // who cancels needs no message
        QCOMPARE(opened.count(), 0);
        QVERIFY(workspace.documents().empty());
        workspace.open(ffw()); // and it works again
        QTRY_VERIFY_WITH_TIMEOUT(!workspace.isBusy(), 30000);
        QCOMPARE(opened.count(), 1);
        QVERIFY(workspace.modules()[0].simulation);
    }

    void closingWhileItWorksIsSafe()
    {
        Workspace workspace;
        for (int round = 0; round < 20; ++round) {
            workspace.open(transformer());
            workspace.open(ffw());
            if (round % 3 == 1)
                QTest::qWait(round);
            if (round % 3 == 2)
                QTRY_VERIFY_WITH_TIMEOUT(!workspace.modules().empty(), 30000);
            workspace.closeAll();
            QVERIFY(workspace.modules().empty());
        }
        QTRY_VERIFY_WITH_TIMEOUT(!workspace.isBusy(), 30000);
        QVERIFY(workspace.modules().empty());
    }

    void destructionWhileItWorksIsSafe()
    {
        for (int wait : {0, 1, 5, 20}) {
            auto workspace = std::make_unique<Workspace>();
            workspace->open(transformer());
            QTest::qWait(wait);
            QElapsedTimer timer;
            timer.start();
            workspace.reset();
            QVERIFY2(timer.elapsed() < 2000, qPrintable(QString::number(timer.elapsed())));
        }
    }

    void closesOneOfTwo()
    {
        Workspace workspace;
        workspace.open(transformer());
        workspace.open(ffw());
        QTRY_VERIFY_WITH_TIMEOUT(!workspace.isBusy(), 60000);
        QSignalSpy closed(&workspace, &Workspace::closed);
        workspace.close(transformer());
        QCOMPARE(closed.count(), 1);
        QCOMPARE(workspace.modules().size(), size_t(1));
        QCOMPARE(workspace.modules()[0].label, QStringLiteral("jit_ffw"));
    }

    void tellsOfAChangeOnDisk()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("step.v2-2x2.hlo"));
        write(path, read(ffw()));
        Workspace workspace;
        QSignalSpy changed(&workspace, &Workspace::fileChanged);
        workspace.open(path);
        QTRY_VERIFY_WITH_TIMEOUT(!workspace.isBusy(), 30000);
        write(path, read(transformer()));
        QTRY_VERIFY_WITH_TIMEOUT(changed.count() >= 1, 10000);
        QCOMPARE(changed[0][0].toString(), path);
        QCOMPARE(workspace.modules()[0].label, QStringLiteral("jit_ffw")); // nothing changes by itself
        workspace.open(path);
        QTRY_VERIFY_WITH_TIMEOUT(!workspace.isBusy(), 60000);
        QCOMPARE(workspace.modules()[0].label, QStringLiteral("jit_net"));
        // A writer that puts a new file in the place of the old one is seen too.
        changed.clear();
        write(path + QStringLiteral(".new"), read(ffw()));
        QVERIFY(QFile::remove(path) && QFile::rename(path + QStringLiteral(".new"), path));
        QTRY_VERIFY_WITH_TIMEOUT(changed.count() >= 1, 10000);
    }

    void opensATrace()
    {
        const QString path =
            QStringLiteral(HLOSCOPE_SOURCE_DIR "/resources/samples/transformer_training.cpu8.xplane.pb.gz");
        Workspace workspace;
        workspace.open(path);
        QTRY_VERIFY_WITH_TIMEOUT(!workspace.isBusy(), 30000);
        QCOMPARE(workspace.traces().size(), size_t(1));
        QVERIFY(workspace.traces()[0].trace->eventCount() > 1000);
        QVERIFY(!workspace.traces()[0].trace->isSimulated);
    }

    // The window stays alive while the largest module of the corpus is read: no turn of the event loop takes long.
    void neverHoldsUpTheEventLoop()
    {
        const QString path = testdata::shared(QStringLiteral("corpus/lm_train_16_layers.v5e-4x4/module.hlo"));
        if (path.isEmpty())
            QSKIP("needs the shared corpus");
        Workspace workspace;
        QElapsedTimer total;
        QElapsedTimer turn;
        qint64 longest = 0;
        qint64 opened = -1;
        connect(&workspace, &Workspace::documentOpened, this, [&] { opened = total.elapsed(); });
        total.start();
        workspace.open(path);
        while (workspace.isBusy() && total.elapsed() < 120000) {
            turn.start();
            QCoreApplication::processEvents();
            longest = std::max(longest, turn.elapsed());
            QThread::msleep(1);
        }
        QVERIFY(!workspace.isBusy());
        qInfo("module after %lld ms, everything after %lld ms, longest turn %lld ms", opened, total.elapsed(), longest);
        QVERIFY(workspace.modules()[0].simulation);
        QVERIFY2(longest <= 50, qPrintable(QString::number(longest))); // 16 on an idle machine
    }
};

QTEST_GUILESS_MAIN(TestWorkspace)
#include "tst_workspace.moc"
