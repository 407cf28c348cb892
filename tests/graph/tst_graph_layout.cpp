// SPDX-License-Identifier: Apache-2.0
#include "core/graph/graph_scene.h"
#include "core/graph/layered_layout.h"
#include "core/graph/layers.h"
#include "core/graph/layout_problem.h"
#include "core/hlo/hlo_text.h"
#include "tests/test_data.h"

#include <QProcess>
#include <QtTest>

#include <cmath>
#include <limits>
#include <random>

using namespace hloscope;

namespace {

LayoutProblem boxes(size_t count, double width = 100, double height = 40)
{
    LayoutProblem problem;
    problem.boxes.assign(count, {width, height, 0});
    return problem;
}

LayoutProblem chain(size_t count)
{
    LayoutProblem problem = boxes(count);
    for (uint32_t i = 1; i < count; ++i)
        problem.edges.push_back({i - 1, i});
    return problem;
}

// Like HLO: mostly chains, one or two operands, some edges that skip many levels.
LayoutProblem randomGraph(uint32_t count, unsigned seed)
{
    std::mt19937 random(seed);
    LayoutProblem problem;
    for (uint32_t i = 0; i < count; ++i) {
        problem.boxes.push_back({112 + double(random() % 200), random() % 4 ? 44.0 : 22.0, 0});
        for (uint32_t k = random() % 2; k < 2; ++k) {
            const uint32_t back = 1 + (random() % 5 ? random() % 4 : random() % 40);
            if (back <= i)
                problem.edges.push_back({i - back, i});
        }
    }
    return problem;
}

[[maybe_unused]] LayoutProblem fromScene(const GraphScene& scene)
{
    LayoutProblem problem = boxes(scene.nodes.size(), 180, 44);
    for (const GraphEdge& edge : scene.edges)
        problem.edges.push_back({edge.from, edge.to});
    return problem;
}

struct Rect {
    double left, top, right, bottom;
    bool overlaps(const Rect& other) const
    {
        return left < other.right - 0.01 && other.left < right - 0.01 && top < other.bottom - 0.01
            && other.top < bottom - 0.01;
    }
    bool contains(GraphPoint p) const { return p.x > left && p.x < right && p.y > top && p.y < bottom; }
};

std::vector<Rect> rects(const LayoutProblem& problem, const std::vector<GraphPoint>& centres)
{
    std::vector<Rect> result;
    for (size_t i = 0; i < centres.size(); ++i) {
        const auto& box = problem.boxes[i];
        result.push_back({centres[i].x - box.width / 2, centres[i].y - box.height / 2, centres[i].x + box.width / 2,
                          centres[i].y + box.height / 2});
    }
    return result;
}

int overlaps(const LayoutProblem& problem, const std::vector<GraphPoint>& centres)
{
    const std::vector<Rect> all = rects(problem, centres);
    int count = 0;
    for (size_t i = 0; i < all.size(); ++i) {
        for (size_t k = i + 1; k < all.size(); ++k)
            count += all[i].overlaps(all[k]) ? 1 : 0;
    }
    return count;
}

GraphPoint at(const std::vector<GraphPoint>& curve, size_t piece, double t)
{
    const GraphPoint* p = &curve[piece * 3];
    const double s = 1 - t;
    const double a = s * s * s, b = 3 * s * s * t, c = 3 * s * t * t, d = t * t * t;
    return {a * p[0].x + b * p[1].x + c * p[2].x + d * p[3].x, a * p[0].y + b * p[1].y + c * p[2].y + d * p[3].y};
}

// Edges that run through a box that is not theirs, found by following the curves.
int hits(const LayoutProblem& problem, const GraphGeometry& geometry)
{
    const std::vector<Rect> all = rects(problem, geometry.centres);
    int count = 0;
    for (size_t e = 0; e < geometry.curves.size(); ++e) {
        const auto& curve = geometry.curves[e];
        bool isHit = false;
        for (size_t piece = 0; piece * 3 + 3 < curve.size(); ++piece) {
            for (int step = 0; step <= 16; ++step) {
                const GraphPoint point = at(curve, piece, step / 16.0);
                for (size_t i = 0; i < all.size(); ++i) {
                    if (i != problem.edges[e].from && i != problem.edges[e].to)
                        isHit = isHit || all[i].contains(point);
                }
            }
        }
        count += isHit ? 1 : 0;
    }
    return count;
}

// Bends of the layout engine that lie in a box, which would mean that they are taken for those of another drawing.
[[maybe_unused]] int bendsInBoxes(const LayoutProblem& problem, const LayoutResult& result)
{
    const std::vector<Rect> all = rects(problem, result.centres);
    int count = 0;
    for (const auto& path : result.paths) {
        for (size_t i = 1; i + 1 < path.size(); ++i)
            count += std::any_of(all.begin(), all.end(), [&](const Rect& rect) { return rect.contains(path[i]); });
    }
    return count;
}

// Each edge leaves the bottom of its tail and arrives at the top of its head.
bool edgesMeetBoxes(const LayoutProblem& problem, const GraphGeometry& geometry)
{
    const std::vector<Rect> all = rects(problem, geometry.centres);
    for (size_t e = 0; e < geometry.curves.size(); ++e) {
        const auto& curve = geometry.curves[e];
        const Rect& tail = all[problem.edges[e].from];
        const Rect& head = all[problem.edges[e].to];
        if (curve.size() % 3 != 1 || std::abs(curve.front().y - tail.bottom) > 0.01
            || std::abs(curve.back().y - head.top) > 0.01 || curve.front().x < tail.left || curve.front().x > tail.right
            || curve.back().x < head.left || curve.back().x > head.right)
            return false;
    }
    return true;
}

[[maybe_unused]] std::shared_ptr<const HloModule> load(const QString& path)
{
    auto bytes = FileBytes::open(path.toStdString());
    if (!bytes)
        return nullptr;
    auto module = parseHloText(*bytes);
    return module ? *module : nullptr;
}

} // namespace

class TestGraphLayout : public QObject {
    Q_OBJECT

private slots:
    void framesMessages()
    {
        const std::string frame = framed(std::string(258, 'x'));
        QCOMPARE(frame.size(), size_t(262));
        QCOMPARE(frame.substr(0, 4), std::string("\x02\x01\x00\x00", 4)); // 258 = 2 + 1 * 256
        QCOMPARE(frameLength(frame.data()), 258U);
        QCOMPARE(frameLength("\xff\xff\xff\xff"), 0xffffffffU);
    }

    void sendsProblemsUnchanged()
    {
        LayoutProblem problem = chain(3);
        problem.clusterParents = {0, 1};
        problem.boxes[2] = {12.5, 7, 2};
        problem.boxGap = 5;
        const auto back = problemFromWire(toWire(problem));
        QVERIFY(back);
        QCOMPARE(back->boxes.size(), size_t(3));
        QCOMPARE(back->boxes[2].width, 12.5);
        QCOMPARE(back->boxes[2].cluster, 2U);
        QCOMPARE(back->edges[1].from, 1U);
        QCOMPARE(back->edges[1].to, 2U);
        QCOMPARE(back->clusterParents, problem.clusterParents);
        QCOMPARE(back->boxGap, 5.0);
        QCOMPARE(back->levelGap, problem.levelGap);
        QVERIFY(!problemFromWire("\xff\xff\xff"));
    }

    void refusesProblems_data()
    {
        QTest::addColumn<QString>("what");
        QTest::addColumn<bool>("isRefused");
        QTest::newRow("1000 boxes") << "1000" << false;
        QTest::newRow("1001 boxes") << "1001" << true;
        QTest::newRow("no boxes") << "0" << false;
        QTest::newRow("too many edges") << "edges" << true;
        QTest::newRow("edge out of range") << "end" << true;
        QTest::newRow("NaN") << "nan" << true;
        QTest::newRow("negative") << "negative" << true;
        QTest::newRow("huge") << "huge" << true;
        QTest::newRow("infinite gap") << "gap" << true;
        QTest::newRow("cluster that does not exist") << "cluster" << true;
        QTest::newRow("cluster in itself") << "loop" << true;
    }

    void refusesProblems()
    {
        QFETCH(QString, what);
        QFETCH(bool, isRefused);
        bool isNumber = false;
        const int count = what.toInt(&isNumber);
        LayoutProblem problem = isNumber ? boxes(static_cast<size_t>(count)) : chain(3);
        if (what == "edges")
            problem.edges.assign(LayoutProblem::kMaxEdges + 1, {0, 1});
        if (what == "end")
            problem.edges.push_back({0, 3});
        if (what == "nan")
            problem.boxes[1].width = std::numeric_limits<double>::quiet_NaN();
        if (what == "negative")
            problem.boxes[1].height = -1;
        if (what == "huge")
            problem.boxes[1].height = 1e9;
        if (what == "gap")
            problem.levelGap = std::numeric_limits<double>::infinity();
        if (what == "cluster")
            problem.boxes[0].cluster = 1;
        if (what == "loop")
            problem.clusterParents = {1};
        QCOMPARE(whyRefused(problem).has_value(), isRefused);
    }

    void refusesRepliesThatDoNotFit()
    {
        const LayoutProblem problem = chain(2);
        LayoutResult good;
        good.centres = {{1, 2}, {3, 4}};
        good.paths = {{{1, 2}, {3, 4}}};
        const auto back = resultFromWire(toWire(good), problem);
        QVERIFY(back.hasValue());
        QVERIFY(back->centres == good.centres && back->paths == good.paths);
        LayoutResult tooFew = good;
        tooFew.centres.pop_back();
        QVERIFY(!resultFromWire(toWire(tooFew), problem).hasValue());
        LayoutResult noNumber = good;
        noNumber.paths[0][1].y = std::numeric_limits<double>::infinity();
        QVERIFY(!resultFromWire(toWire(noNumber), problem).hasValue());
        QVERIFY(!resultFromWire("\xff\xff", problem).hasValue());
        QCOMPARE(resultFromWire(errorToWire("no dot"), problem).error().message, std::string("no dot"));
    }

    // A chain of boxes 100 x 40 with 34 between levels: centres at y = 20, 94, 168, one straight line at x = 50.
    void drawsAChainStraight()
    {
        const LayoutProblem problem = chain(3);
        const LayoutResult layout = layeredLayout(problem);
        const GraphGeometry drawn = drawLayout(problem, layout);
        QCOMPARE(drawn.width, 100.0);
        QCOMPARE(drawn.height, 188.0);
        for (size_t i = 0; i < 3; ++i) {
            QVERIFY(std::abs(drawn.centres[i].x - 50) < 0.01);
            QVERIFY(std::abs(drawn.centres[i].y - (20 + 74.0 * double(i))) < 0.01);
        }
        for (const auto& curve : drawn.curves) {
            for (const GraphPoint& point : curve)
                QVERIFY(std::abs(point.x - 50) < 0.01);
        }
    }

    // Two operands side by side arrive in their order from left to right.
    void arrivalsDoNotCross()
    {
        LayoutProblem problem = boxes(3);
        problem.edges = {{1, 2}, {0, 2}};
        const GraphGeometry drawn = drawLayout(problem, layeredLayout(problem));
        const bool isOneLeft = drawn.centres[1].x < drawn.centres[0].x;
        QCOMPARE(drawn.curves[0].back().x < drawn.curves[1].back().x, isOneLeft);
        QVERIFY(std::abs(drawn.curves[0].back().x - drawn.curves[1].back().x) > 10);
    }

    // The long edge has to pass the box in the middle level, at least 12 px beside it.
    void longEdgesPassBoxes()
    {
        LayoutProblem problem = chain(3);
        problem.edges.push_back({0, 2});
        const GraphGeometry drawn = drawLayout(problem, layeredLayout(problem));
        QCOMPARE(hits(problem, drawn), 0);
        bool isBeside = false;
        for (const GraphPoint& point : drawn.curves[2])
            isBeside = isBeside || std::abs(point.x - drawn.centres[1].x) >= 50 + 12 - 0.01;
        QVERIFY(isBeside);
    }

    void survivesCycles()
    {
        LayoutProblem problem = boxes(4);
        problem.edges = {{0, 1}, {1, 2}, {2, 0}, {3, 3}, {2, 3}};
        const LayoutResult layout = layeredLayout(problem);
        const GraphGeometry drawn = drawLayout(problem, layout);
        QCOMPARE(overlaps(problem, drawn.centres), 0);
        QVERIFY(edgesMeetBoxes(problem, drawn));
        QVERIFY(drawn.centres[0].y < drawn.centres[1].y && drawn.centres[1].y < drawn.centres[2].y);
    }

    void ownLayoutHoldsForRandomGraphs_data()
    {
        QTest::addColumn<int>("count");
        for (int count : {0, 1, 2, 30, 200, 1000})
            QTest::newRow(QByteArray::number(count)) << count;
    }

    void ownLayoutHoldsForRandomGraphs()
    {
        QFETCH(int, count);
        const LayoutProblem problem = randomGraph(static_cast<uint32_t>(count), 7);
        const LayoutResult layout = layeredLayout(problem);
        QCOMPARE(layout.centres.size(), problem.boxes.size());
        QCOMPARE(overlaps(problem, layout.centres), 0);
        for (const auto& edge : problem.edges)
            QVERIFY(layout.centres[edge.from].y < layout.centres[edge.to].y);
        const GraphGeometry drawn = drawLayout(problem, layout);
        QCOMPARE(overlaps(problem, drawn.centres), 0);
        QVERIFY(edgesMeetBoxes(problem, drawn));
        QCOMPARE(hits(problem, drawn), 0);
        QVERIFY(layeredLayout(problem).centres == layout.centres);
    }

#ifdef HLOSCOPE_LAYOUT_HELPER
private:
    // Runs the helper on all of stdin and gives its exit code, or -1 when it does not end.
    static int run(const QByteArray& input, QByteArray* output)
    {
        QProcess process;
        process.start(QStringLiteral(HLOSCOPE_LAYOUT_HELPER), QStringList());
        if (!process.waitForStarted())
            return -1;
        process.write(input);
        process.closeWriteChannel();
        if (!process.waitForFinished(30000) || process.exitStatus() != QProcess::NormalExit)
            return -1;
        *output = process.readAllStandardOutput();
        return process.exitCode();
    }

    static QByteArray request(const LayoutProblem& problem)
    {
        return QByteArray::fromStdString(framed(toWire(problem)));
    }

    static std::vector<std::string> replies(const QByteArray& output)
    {
        std::vector<std::string> result;
        qsizetype at = 0;
        while (output.size() - at >= static_cast<qsizetype>(kFramePrefixBytes)) {
            const uint32_t length = frameLength(output.constData() + at);
            at += static_cast<qsizetype>(kFramePrefixBytes);
            result.emplace_back(output.constData() + at, std::min<size_t>(length, size_t(output.size() - at)));
            at += length;
        }
        return result;
    }

private slots:
    // As above, by Graphviz: positions follow from the sizes and gaps alone.
    void helperLaysOutAChain()
    {
        QByteArray output;
        const LayoutProblem problem = chain(3);
        QCOMPARE(run(request(problem), &output), 0);
        const auto all = replies(output);
        QCOMPARE(all.size(), size_t(1));
        const auto result = resultFromWire(all[0], problem);
        QVERIFY(result.hasValue());
        for (size_t i = 0; i < 3; ++i) {
            QVERIFY(std::abs(result->centres[i].x - 50) < 1);
            QVERIFY(std::abs(result->centres[i].y - (20 + 74.0 * double(i))) < 2);
        }
        QCOMPARE(result->paths.size(), size_t(2));
        QVERIFY(result->paths[0].size() >= 2);
    }

    void helperAnswersEachRequestAlike()
    {
        const QByteArray one = request(randomGraph(120, 3));
        const QByteArray other = request(randomGraph(40, 4));
        QByteArray output;
        QCOMPARE(run(one + other + one, &output), 0);
        const auto all = replies(output);
        QCOMPARE(all.size(), size_t(3));
        QVERIFY(all[0] == all[2]);
        QVERIFY(all[0] != all[1]);
        QByteArray again;
        QCOMPARE(run(one, &again), 0);
        QVERIFY(replies(again)[0] == all[0]);
    }

    void helperKeepsClustersTogether()
    {
        LayoutProblem problem = chain(6);
        problem.clusterParents = {0, 1};
        for (size_t i : {1, 2, 3})
            problem.boxes[i].cluster = i == 3 ? 2 : 1;
        problem.edges.push_back({0, 5});
        QByteArray output;
        QCOMPARE(run(request(problem), &output), 0);
        const auto result = resultFromWire(replies(output).at(0), problem);
        QVERIFY(result.hasValue());
        QCOMPARE(overlaps(problem, result->centres), 0);
    }

    void helperRefusesAndGoesOn()
    {
        LayoutProblem outOfRange = chain(2);
        outOfRange.edges.push_back({0, 7});
        QByteArray output;
        QCOMPARE(run(request(boxes(1001)) + request(outOfRange) + request(chain(2)) + request(boxes(0)), &output), 0);
        const auto all = replies(output);
        QCOMPARE(all.size(), size_t(4));
        QCOMPARE(resultFromWire(all[0], boxes(1001)).error().message,
                 std::string("1001 boxes are more than the limit of 1000"));
        QVERIFY(!resultFromWire(all[1], outOfRange).hasValue());
        QVERIFY(resultFromWire(all[2], chain(2)).hasValue());
        QVERIFY(resultFromWire(all[3], boxes(0)).hasValue());
    }

    void helperStopsAtNonsense_data()
    {
        QTest::addColumn<QByteArray>("input");
        QTest::addColumn<int>("exitCode");
        QTest::addColumn<QString>("reply");
        const QByteArray good = request(chain(2));
        QTest::newRow("nothing") << QByteArray() << 0 << "";
        QTest::newRow("half a length") << QByteArray("\x03\x00", 2) << 1 << "stdin ends inside a length";
        QTest::newRow("half a message") << good.left(good.size() - 1) << 1 << "stdin ends inside a message";
        QTest::newRow("absurd length") << QByteArray("\xff\xff\xff\xff") << 1
                                       << "a message of 4294967295 bytes is more than the limit of 16777216";
        QTest::newRow("no request") << QByteArray("\x03\x00\x00\x00\xff\xff\xff", 7) << 1
                                    << "the message is no layout request";
        QTest::newRow("text") << QByteArray("digraph { a -> b }\n") << 1
                              << "a message of 1919379812 bytes is more than the limit of 16777216";
    }

    void helperStopsAtNonsense()
    {
        QFETCH(QByteArray, input);
        QFETCH(int, exitCode);
        QFETCH(QString, reply);
        QByteArray output;
        QCOMPARE(run(input, &output), exitCode);
        const auto all = replies(output);
        QCOMPARE(all.size(), size_t(reply.isEmpty() ? 0 : 1));
        if (!reply.isEmpty())
            QCOMPARE(QString::fromStdString(resultFromWire(all[0], {}).error().message), reply);
    }

    void helperHoldsForTheCorpus_data()
    {
        QTest::addColumn<QString>("path");
        const QStringList files = testdata::corpus(QStringLiteral("module.hlo"));
        if (files.isEmpty())
            QSKIP("the shared corpus is not here");
        for (const QString& file : files)
            QTest::newRow(qPrintable(QFileInfo(file).dir().dirName())) << file;
    }

    // The entry of every module: Graphviz answers in time, nothing overlaps, no edge runs through a box.
    void helperHoldsForTheCorpus()
    {
        QFETCH(QString, path);
        const auto module = load(path);
        QVERIFY(module);
        GraphRequest wanted;
        wanted.computation = module->entry;
        const LayoutProblem problem = fromScene(buildGraphScene(*module, wanted));
        QElapsedTimer timer;
        timer.start();
        QByteArray output;
        QCOMPARE(run(request(problem), &output), 0);
        const qint64 elapsed = timer.elapsed();
        const auto result = resultFromWire(replies(output).at(0), problem);
        QVERIFY(result.hasValue());
        QCOMPARE(overlaps(problem, result->centres), 0);
        QCOMPARE(bendsInBoxes(problem, *result), 0);
        timer.start();
        const GraphGeometry drawn = drawLayout(problem, *result);
        qInfo("%zu boxes, %zu edges: %lld ms in the helper, %lld ms for the curves", problem.boxes.size(),
              problem.edges.size(), elapsed, timer.elapsed());
        QCOMPARE(overlaps(problem, drawn.centres), 0);
        QVERIFY(edgesMeetBoxes(problem, drawn));
        QCOMPARE(hits(problem, drawn), 0);
        QVERIFY2(elapsed < 10000, "the view would have given up");
    }
#endif
};

QTEST_APPLESS_MAIN(TestGraphLayout)
#include "tst_graph_layout.moc"
