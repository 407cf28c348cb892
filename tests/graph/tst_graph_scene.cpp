// SPDX-License-Identifier: Apache-2.0
#include "core/graph/graph_scene.h"
#include "core/hlo/hlo_text.h"
#include "tests/test_data.h"

#include <QtTest>

#include <set>

using namespace hloscope;

namespace {

using ModulePtr = std::shared_ptr<const HloModule>;

// p0 -> a -> b -> c -> d -> t, with a also into c and b also into t; d takes c twice.
constexpr char kSmall[] = R"(HloModule small

ENTRY e {
  p0 = f32[4]{0} parameter(0)
  a = f32[4]{0} negate(p0)
  b = f32[4]{0} exponential(a)
  c = f32[4]{0} multiply(a, b)
  d = f32[4]{0} add(c, c)
  ROOT t = (f32[4]{0}, f32[4]{0}) tuple(d, b)
}
)";

ModulePtr parse(const std::string& text)
{
    auto module = parseHloText(FileBytes::fromString(text, "test"));
    return module ? *module : nullptr;
}

ModulePtr load(const QString& path)
{
    auto bytes = FileBytes::open(path.toStdString());
    if (!bytes)
        return nullptr;
    auto module = parseHloText(*bytes);
    return module ? *module : nullptr;
}

// p, and `users` ops that read it, and a tuple of all of them.
std::string hub(int users)
{
    std::string text = "HloModule hub\n\nENTRY e {\n  p = f32[4]{0} parameter(0)\n";
    std::string shapes;
    std::string names;
    for (int i = 0; i < users; ++i) {
        const std::string name = "u" + std::to_string(i);
        text += "  " + name + " = f32[4]{0} negate(p)\n";
        shapes += (i ? ", " : "") + std::string("f32[4]{0}");
        names += (i ? ", " : "") + name;
    }
    return text + "  ROOT t = (" + shapes + ") tuple(" + names + ")\n}\n";
}

QString nameOf(const HloModule& module, const GraphNode& node)
{
    const auto name = module.instruction(node.instruction).name;
    const QString text = QString::fromUtf8(name.data(), static_cast<int>(name.size()));
    if (node.kind == GraphNode::Kind::Instruction)
        return text;
    return node.hiddenAreUsers ? QStringLiteral("%1>%2").arg(text).arg(node.hidden)
                               : QStringLiteral("%1<%2").arg(text).arg(node.hidden);
}

QString nodesOf(const HloModule& module, const GraphScene& scene)
{
    QStringList names;
    for (const GraphNode& node : scene.nodes)
        names << nameOf(module, node);
    return names.join(QLatin1Char(' '));
}

QString edgesOf(const HloModule& module, const GraphScene& scene)
{
    QStringList edges;
    for (const GraphEdge& edge : scene.edges) {
        edges << nameOf(module, scene.nodes[edge.from]) + QLatin1Char('-') + nameOf(module, scene.nodes[edge.to]);
    }
    edges.sort();
    return edges.join(QLatin1Char(' '));
}

std::set<InstructionId> distinct(std::span<const InstructionId> ids)
{
    return {ids.begin(), ids.end()};
}

// Shown and hidden neighbours of every shown op must add up to what the module says.
bool isComplete(const HloModule& module, const GraphScene& scene)
{
    std::map<InstructionId, size_t> operands;
    std::map<InstructionId, size_t> users;
    for (const GraphEdge& edge : scene.edges) {
        const GraphNode& from = scene.nodes[edge.from];
        const GraphNode& to = scene.nodes[edge.to];
        if (from.kind == GraphNode::Kind::Stub)
            operands[to.instruction] += static_cast<size_t>(from.hidden);
        else if (to.kind == GraphNode::Kind::Stub)
            users[from.instruction] += static_cast<size_t>(to.hidden);
        else {
            ++operands[to.instruction];
            ++users[from.instruction];
        }
    }
    for (const GraphNode& node : scene.nodes) {
        if (node.kind == GraphNode::Kind::Stub)
            continue;
        if (operands[node.instruction] != distinct(module.operands(node.instruction)).size()
            || users[node.instruction] != distinct(module.users(node.instruction)).size())
            return false;
    }
    return true;
}

} // namespace

class TestGraphScene : public QObject {
    Q_OBJECT

private slots:
    void showsTheNeighbourhood_data()
    {
        QTest::addColumn<QString>("centre");
        QTest::addColumn<int>("radius");
        QTest::addColumn<QString>("nodes");
        QTest::addColumn<QString>("edges");
        // Hidden by the radius: p0 above a; t below b and d.
        QTest::newRow("c, 1") << "c" << 1 << "a<1 a b b>1 c d d>1"
                              << "a-b a-c a<1-a b-b>1 b-c c-d d-d>1";
        QTest::newRow("c, 2") << "c" << 2 << "p0 a b c d t"
                              << "a-b a-c b-c b-t c-d d-t p0-a";
        QTest::newRow("p0, 1") << "p0" << 1 << "p0 a a>2"
                               << "a-a>2 p0-a";
        // The tuple is reached from d, but from there the walk does not go on to b, which is at distance 2 through it.
        QTest::newRow("d, 1") << "d" << 1 << "c<2 c d t<1 t"
                              << "c-d c<2-c d-t t<1-t";
        QTest::newRow("t, 1") << "t" << 1 << "b<1 b b>1 d<1 d t"
                              << "b-b>1 b-t b<1-b d-t d<1-d";
        QTest::newRow("c, 0") << "c" << 0 << "c<2 c c>1"
                              << "c-c>1 c<2-c";
    }

    void showsTheNeighbourhood()
    {
        QFETCH(QString, centre);
        QFETCH(int, radius);
        QFETCH(QString, nodes);
        QFETCH(QString, edges);
        const ModulePtr module = parse(kSmall);
        QVERIFY(module);
        GraphRequest request;
        request.centre = module->findInstruction(centre.toStdString());
        request.radius = radius;
        const GraphScene scene = buildGraphScene(*module, request);
        QCOMPARE(nodesOf(*module, scene), nodes);
        QCOMPARE(edgesOf(*module, scene), edges);
        QVERIFY(isComplete(*module, scene));
        QVERIFY(!scene.isCut());
        QCOMPARE(nameOf(*module, scene.nodes[scene.nodeOf(request.centre)]), centre);
    }

    void aTupleIsNoBridge()
    {
        const ModulePtr module = parse(hub(5));
        QVERIFY(module);
        GraphRequest request;
        request.centre = module->findInstruction("u2");
        request.radius = 2;
        request.maxNeighbours = 1; // of p only the first user, so that the others could only come through the tuple
        QCOMPARE(nodesOf(*module, buildGraphScene(*module, request)), QStringLiteral("p p>3 u0 u2 t<3 t"));
    }

    void theUsersOfAHubBecomeAStub_data()
    {
        QTest::addColumn<int>("users");
        QTest::addColumn<int>("shown");
        QTest::addColumn<int>("hidden");
        QTest::newRow("as many as the limit") << 16 << 16 << 0;
        QTest::newRow("one more") << 17 << 16 << 1;
        QTest::newRow("many") << 153 << 16 << 137;
    }

    void theUsersOfAHubBecomeAStub()
    {
        QFETCH(int, users);
        QFETCH(int, shown);
        QFETCH(int, hidden);
        const ModulePtr module = parse(hub(users));
        QVERIFY(module);
        GraphRequest request;
        request.centre = module->findInstruction("p");
        request.radius = 1;
        const GraphScene scene = buildGraphScene(*module, request);
        QCOMPARE(static_cast<int>(scene.instructionsShown), shown + 1);
        int counted = 0;
        for (const GraphNode& node : scene.nodes) {
            if (node.kind == GraphNode::Kind::Stub && node.instruction == request.centre)
                counted += node.hidden;
        }
        QCOMPARE(counted, hidden);
    }

    void showsAWholeComputation()
    {
        const ModulePtr module = parse(kSmall);
        QVERIFY(module);
        GraphRequest request;
        request.computation = module->entry;
        const GraphScene scene = buildGraphScene(*module, request);
        QCOMPARE(nodesOf(*module, scene), QStringLiteral("p0 a b c d t"));
        QCOMPARE(edgesOf(*module, scene), QStringLiteral("a-b a-c b-c b-t c-d d-t p0-a"));
        for (const GraphEdge& edge : scene.edges)
            QCOMPARE(edge.producer, scene.nodes[edge.from].instruction);
    }

    void staysBelowTheLimit_data()
    {
        QTest::addColumn<int>("limit");
        for (int limit : {0, 1, 2, 3, 4, 10, 50, 99})
            QTest::newRow(QByteArray::number(limit)) << limit;
    }

    // Whole computation around an op in the middle of a module that is far larger.
    void staysBelowTheLimit()
    {
        QFETCH(int, limit);
        const ModulePtr module = parse(hub(300));
        QVERIFY(module);
        GraphRequest request;
        request.computation = module->entry;
        request.focus = module->findInstruction("u150");
        request.maxNodes = static_cast<size_t>(limit);
        const GraphScene scene = buildGraphScene(*module, request);
        QVERIFY(scene.nodes.size() <= request.maxNodes);
        QCOMPARE(scene.nodes.empty(), limit == 0);
        if (limit == 0)
            return;
        QVERIFY(scene.isCut());
        QCOMPARE(scene.instructionsWanted, size_t(302));
        QVERIFY(scene.nodeOf(request.focus) < scene.nodes.size());
        if (limit >= 3)
            QVERIFY(isComplete(*module, scene));
    }

    void refusesWhatDoesNotExist()
    {
        const ModulePtr module = parse(kSmall);
        QVERIFY(module);
        QVERIFY(buildGraphScene(*module, {}).nodes.empty());
        GraphRequest request;
        request.computation = ComputationId(size_t(99));
        QVERIFY(buildGraphScene(*module, request).nodes.empty());
        request.centre = InstructionId(size_t(9999));
        QVERIFY(buildGraphScene(*module, request).nodes.empty());
    }

    void holdsForTheCorpus_data()
    {
        QTest::addColumn<QString>("path");
        const QStringList files = testdata::corpus(QStringLiteral("module.hlo"));
        if (files.isEmpty())
            QSKIP("the shared corpus is not here");
        for (const QString& file : files)
            QTest::newRow(qPrintable(QFileInfo(file).dir().dirName())) << file;
    }

    // Every computation: all ops or the limit, and no neighbour lost; the same scene when asked again.
    void holdsForTheCorpus()
    {
        QFETCH(QString, path);
        const ModulePtr module = load(path);
        QVERIFY(module);
        for (size_t i = 0; i < module->computations.size(); ++i) {
            GraphRequest request;
            request.computation = ComputationId(i);
            const GraphScene scene = buildGraphScene(*module, request);
            const size_t count = module->computations[i].instructions.count;
            QCOMPARE(scene.instructionsWanted, count);
            QVERIFY(scene.nodes.size() <= request.maxNodes);
            QCOMPARE(scene.isCut(), count > request.maxNodes);
            QVERIFY(isComplete(*module, scene));
            QCOMPARE(edgesOf(*module, buildGraphScene(*module, request)), edgesOf(*module, scene));
        }
    }
};

QTEST_APPLESS_MAIN(TestGraphScene)
#include "tst_graph_scene.moc"
