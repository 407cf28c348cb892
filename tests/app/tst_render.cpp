// SPDX-License-Identifier: Apache-2.0
#include "app/render/render.h"
#include "tests/test_data.h"

#include <QImage>
#include <QSet>
#include <QTemporaryDir>
#include <QtTest>

#include <sstream>

using namespace hloscope;

namespace {

struct Result {
    int exitCode = -1;
    std::string out;
    std::string err;
};

Result run(const QStringList& words)
{
    std::ostringstream out;
    std::ostringstream err;
    Result result;
    if (const cli::Command* command = render::findCommand(words.constFirst()))
        result.exitCode = command->run(words.mid(1), cli::Streams{out, err});
    result.out = out.str();
    result.err = err.str();
    return result;
}

qsizetype coloursIn(const QImage& image)
{
    QSet<QRgb> colours;
    for (int y = 0; y < image.height(); y += 2) {
        for (int x = 0; x < image.width(); x += 2)
            colours.insert(image.pixel(x, y));
    }
    return colours.size();
}

} // namespace

class TestRender : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    const QString m_module = testdata::path(QStringLiteral("corpus/ffw.v2-2x2/module.hlo"));

private slots:
    void drawsEveryView_data()
    {
        QTest::addColumn<QString>("view");
        for (const char* view : {"timeline", "graph", "hlo", "memory", "layout", "window"})
            QTest::newRow(view) << QString::fromLatin1(view);
    }

    void drawsEveryView()
    {
        QFETCH(QString, view);
        QImage pictures[2];
        const char* themes[2] = {"dark", "light"};
        for (int i = 0; i < 2; ++i) {
            const QString out = m_folder.filePath(view + QLatin1String(themes[i]) + QStringLiteral(".png"));
            const Result result = run({"render", m_module, "--view", view, "--select", "fusion.3", "--size", "1000x640",
                                       "--theme", themes[i], "-o", out});
            QCOMPARE(result.exitCode, 0);
            QVERIFY(pictures[i].load(out));
            QCOMPARE(pictures[i].size(), QSize(1000, 640));
            // An empty view has the ground, one text colour and its smoothed edges.
            QVERIFY2(coloursIn(pictures[i]) > 40, qPrintable(QString::number(coloursIn(pictures[i]))));
        }
        QVERIFY(qGray(pictures[0].pixel(998, 638)) < 80);
        QVERIFY(qGray(pictures[1].pixel(998, 638)) > 180);
    }

    void theRangeChangesTheTimeline()
    {
        const QString all = m_folder.filePath("all.png");
        const QString part = m_folder.filePath("part.png");
        QCOMPARE(run({"render", m_module, "--view", "timeline", "-o", all}).exitCode, 0);
        QCOMPARE(run({"render", m_module, "--view", "timeline", "--range", "97ms:99.5ms", "-o", part}).exitCode, 0);
        QVERIFY(QImage(all) != QImage(part));
    }

    void writesSvg()
    {
        const QString out = m_folder.filePath("g.svg");
        QCOMPARE(run({"render", m_module, "--view", "graph", "--select", "fusion.3", "-o", out}).exitCode, 0);
        QFile file(out);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray text = file.readAll();
        QVERIFY(text.contains("<svg"));
        QVERIFY(text.contains("fusion.3"));
    }

    void refusesWrongWords_data()
    {
        QTest::addColumn<QStringList>("more");
        QTest::newRow("view") << QStringList{"--view", "piechart", "-o", "a.png"};
        QTest::newRow("no view") << QStringList{"-o", "a.png"};
        QTest::newRow("tab") << QStringList{"--view", "window", "--tab", "piechart", "-o", "a.png"};
        QTest::newRow("output") << QStringList{"--view", "graph", "-o", "a.pdf"};
        QTest::newRow("size") << QStringList{"--view", "graph", "--size", "99999x99999", "-o", "a.png"};
        QTest::newRow("range") << QStringList{"--view", "timeline", "--range", "3ms:1ms", "-o", "a.png"};
        QTest::newRow("range unit") << QStringList{"--view", "timeline", "--range", "3h:4h", "-o", "a.png"};
        QTest::newRow("theme") << QStringList{"--view", "graph", "--theme", "pink", "-o", "a.png"};
    }

    void refusesWrongWords()
    {
        QFETCH(QStringList, more);
        const Result result = run(QStringList{"render", m_module} + more);
        QCOMPARE(result.exitCode, 2);
        QVERIFY(result.err.find("usage: hloscope render") != std::string::npos);
    }

    void refusesBadInput()
    {
        const QString out = m_folder.filePath("bad.png");
        QFile file(m_folder.filePath("bad"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("\x89PNG\r\n\x1a\n");
        file.close();
        const Result bad = run({"render", file.fileName(), "--view", "graph", "-o", out});
        QCOMPARE(bad.exitCode, 1);
        QVERIFY(bad.err.find("error: ") != std::string::npos);
        const Result noOp = run({"render", m_module, "--view", "graph", "--select", "nothing.7", "-o", out});
        QCOMPARE(noOp.exitCode, 1);
        QVERIFY(noOp.err.find("there is no op 'nothing.7'") != std::string::npos);
        const Result noFolder = run({"render", m_module, "--view", "graph", "-o", m_folder.filePath("none/a.png")});
        QCOMPARE(noFolder.exitCode, 1);
        QVERIFY(noFolder.err.find("cannot be written") != std::string::npos);
        QVERIFY(!QFile::exists(out));
    }

    void reportsWithoutADisplay()
    {
        const QString out = m_folder.filePath("out");
        const Result result = run({"report", m_module, "-o", out});
        QCOMPARE(result.exitCode, 0);
        for (const char* name : {"overview.txt", "timeline.png", "graph.png", "memory.png", "layout.png"}) {
            const QFileInfo file(out + QLatin1Char('/') + QLatin1String(name));
            QVERIFY2(file.size() > 500, name);
            QVERIFY(result.out.find(name) != std::string::npos);
        }
        QFile overview(out + QStringLiteral("/overview.txt"));
        QVERIFY(overview.open(QIODevice::ReadOnly));
        const QByteArray text = overview.readAll();
        QVERIFY(text.contains("module jit_ffw: 9 computations, 38 instructions"));
        QVERIFY(text.contains("mlp_up"));
        QVERIFY(text.contains("1\xE2\x80\x89"
                              "006\xE2\x80\x89"
                              "632\xE2\x80\x89"
                              "960"));
        QCOMPARE(run({"report", m_folder.filePath("missing"), "-o", out}).exitCode, 1);
    }
};

QTEST_MAIN(TestRender)
#include "tst_render.moc"
