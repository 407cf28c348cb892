// SPDX-License-Identifier: Apache-2.0
#include "app/graph_layout/dot_layout.h"

#include <fmt/format.h>

#include <graphviz/gvc.h>

#include <algorithm>
#include <clocale>
#include <cmath>
#include <map>
#include <string>

namespace hloscope {

namespace {

constexpr char kVirtualNode = 1; // ND_node_type of nodes that dot has added; its header is not installed
constexpr double kPointsPerInch = 72; // one of our pixels is one of Graphviz's points

// cgraph takes `char*` for strings that it only reads.
char* text(const std::string& value)
{
    return const_cast<char*>(value.c_str());
}

class DotGraph {
public:
    explicit DotGraph(const LayoutProblem& problem)
        : m_problem(problem), m_graph(agopen(text("g"), Agdirected, nullptr))
    {
        setDefaults();
        addClusters();
        addBoxes();
        addEdges();
    }
    ~DotGraph() { agclose(m_graph); }
    DotGraph(const DotGraph&) = delete;
    DotGraph& operator=(const DotGraph&) = delete;

    Agraph_t* get() const { return m_graph; }

    LayoutResult geometry() const
    {
        const boxf bounds = GD_bb(m_graph);
        const auto toPixels = [&bounds](pointf point) {
            return GraphPoint{point.x - bounds.LL.x, bounds.UR.y - point.y};
        };
        LayoutResult result;
        result.width = bounds.UR.x - bounds.LL.x;
        result.height = bounds.UR.y - bounds.LL.y;
        result.centres.reserve(m_boxes.size());
        for (Agnode_t* box : m_boxes)
            result.centres.push_back(toPixels(ND_coord(box)));
        result.paths.reserve(m_edges.size());
        const std::map<int, double> levels = levelHeights(result.centres);
        const double shift = bendShift();
        for (Agedge_t* edge : m_edges)
            result.paths.push_back(bends(edge, shift, levels, toPixels));
        return result;
    }

private:
    void setDefault(int kind, const std::string& name, const std::string& value)
    {
        agattr(m_graph, kind, text(name), text(value));
    }

    void setDefaults()
    {
        const auto inches = [](double pixels) { return fmt::format("{:.6f}", pixels / kPointsPerInch); };
        // Without limits the network simplex takes minutes on HLO graphs, whose edges often skip many levels; these
        // values keep 1000 boxes below a second and cost nothing in quality. `line` because the others route edges,
        // which takes several times as long, may loop under these limits or (`ortho`) abort; the curves are ours.
        setDefault(AGRAPH, "nslimit", "0.1");
        setDefault(AGRAPH, "nslimit1", "1");
        setDefault(AGRAPH, "mclimit", "0.1");
        setDefault(AGRAPH, "splines", "line");
        setDefault(AGRAPH, "nodesep", inches(m_problem.boxGap));
        setDefault(AGRAPH, "ranksep", inches(m_problem.levelGap));
        setDefault(AGNODE, "shape", "box");
        setDefault(AGNODE, "fixedsize", "true");
        setDefault(AGNODE, "label", "");
        setDefault(AGNODE, "width", "1");
        setDefault(AGNODE, "height", "1");
        setDefault(AGEDGE, "arrowhead", "none");
    }

    void addClusters()
    {
        for (size_t i = 0; i < m_problem.clusterParents.size(); ++i) {
            const uint32_t parent = m_problem.clusterParents[i];
            m_clusters.push_back(
                agsubg(parent == 0 ? m_graph : m_clusters[parent - 1], text(fmt::format("cluster_{}", i)), 1));
        }
    }

    void addBoxes()
    {
        for (size_t i = 0; i < m_problem.boxes.size(); ++i) {
            const LayoutProblem::Box& box = m_problem.boxes[i];
            Agnode_t* node = agnode(m_graph, text(fmt::format("{}", i)), 1);
            agset(node, text("width"), text(fmt::format("{:.6f}", box.width / kPointsPerInch)));
            agset(node, text("height"), text(fmt::format("{:.6f}", box.height / kPointsPerInch)));
            if (box.cluster > 0)
                agsubnode(m_clusters[box.cluster - 1], node, 1);
            m_boxes.push_back(node);
        }
    }

    void addEdges()
    {
        for (const LayoutProblem::Edge& edge : m_problem.edges)
            m_edges.push_back(agedge(m_graph, m_boxes[edge.from], m_boxes[edge.to], nullptr, 1));
    }

    std::map<int, double> levelHeights(const std::vector<GraphPoint>& centres) const
    {
        std::map<int, double> levels;
        for (size_t i = 0; i < m_boxes.size(); ++i)
            levels.emplace(ND_rank(m_boxes[i]), centres[i].y);
        return levels;
    }

    // An edge over several levels runs through a chain of virtual nodes, one per level, which dot orders and places
    // among the boxes. When dot is done it moves the drawing to the origin, but only the boxes, so the virtual nodes
    // are off by a distance that it does not keep. It follows from their neighbours: they stand between them. Without
    // any no bend stands beside a box, and 0 will do.
    double bendShift() const
    {
        double least = -HUGE_VAL;
        double most = HUGE_VAL;
        if (!GD_rank(m_graph))
            return 0;
        for (int r = GD_minrank(m_graph); r <= GD_maxrank(m_graph); ++r) {
            const rank_t& level = GD_rank(m_graph)[r];
            for (int i = 1; i < level.n; ++i) {
                Agnode_t* left = level.v[i - 1];
                Agnode_t* right = level.v[i];
                const double gap = ND_coord(right).x - ND_coord(left).x - ND_rw(left) - ND_lw(right);
                if (isVirtual(left) && !isVirtual(right))
                    most = std::min(most, gap);
                else if (!isVirtual(left) && isVirtual(right))
                    least = std::max(least, -gap);
            }
        }
        if (std::isfinite(least) && std::isfinite(most))
            return (least + most) / 2;
        if (std::isfinite(least))
            return least;
        return std::isfinite(most) ? most : 0;
    }

    static bool isVirtual(Agnode_t* node) { return ND_node_type(node) == kVirtualNode; }

    // Levels without a box, which dot inserts at times, have no bend. Empty for edges that are not drawn as a chain.
    template <class ToPixels>
    static std::vector<GraphPoint> bends(Agedge_t* edge, double shift, const std::map<int, double>& levels,
                                         const ToPixels& toPixels)
    {
        Agnode_t* tail = agtail(edge);
        Agnode_t* head = aghead(edge);
        Agedge_t* piece = ED_to_virt(edge);
        if (!piece || agtail(piece) != tail)
            return {};
        std::vector<GraphPoint> path{toPixels(ND_coord(tail))};
        for (int r = ND_rank(tail) + 1; isVirtual(aghead(piece)); ++r) {
            Agnode_t* bend = aghead(piece);
            if (ND_rank(bend) != r || ND_out(bend).size != 1)
                return {};
            if (const auto level = levels.find(r); level != levels.end())
                path.push_back({toPixels({ND_coord(bend).x + shift, 0}).x, level->second});
            piece = ND_out(bend).list[0];
        }
        if (aghead(piece) != head)
            return {};
        path.push_back(toPixels(ND_coord(head)));
        return path;
    }

    const LayoutProblem& m_problem;
    Agraph_t* m_graph;
    std::vector<Agraph_t*> m_clusters;
    std::vector<Agnode_t*> m_boxes;
    std::vector<Agedge_t*> m_edges;
};

} // namespace

struct DotEngine::Private {
    GVC_t* context = gvContext();
};

DotEngine::DotEngine() : d(std::make_unique<Private>())
{
    std::setlocale(LC_NUMERIC, "C"); // sizes go to Graphviz as text
    agseterr(AGMAX); // it would write to stderr; what matters is in the reply
}

DotEngine::~DotEngine()
{
    gvFreeContext(d->context);
}

Expected<LayoutResult> DotEngine::layOut(const LayoutProblem& problem)
{
    if (problem.boxes.empty())
        return LayoutResult{0, 0, {}, std::vector<std::vector<GraphPoint>>(problem.edges.size())};
    const DotGraph graph(problem);
    if (gvLayout(d->context, graph.get(), "dot") != 0) {
        const char* reason = aglasterr();
        return makeError("graph layout", fmt::format("Graphviz failed: {}", reason ? reason : "it gave no reason"));
    }
    LayoutResult result = graph.geometry();
    gvFreeLayout(d->context, graph.get());
    return result;
}

} // namespace hloscope
