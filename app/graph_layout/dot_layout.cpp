// SPDX-License-Identifier: Apache-2.0
#include "app/graph_layout/dot_layout.h"

#include <fmt/format.h>

#include <graphviz/gvc.h>

#include <clocale>
#include <string>

namespace hloscope {

namespace {

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
        for (Agedge_t* edge : m_edges) {
            std::vector<GraphPoint>& path = result.paths.emplace_back();
            if (!edge || !ED_spl(edge))
                continue;
            for (int i = 0; i < ED_spl(edge)->size; ++i) {
                const bezier& piece = ED_spl(edge)->list[i];
                // A polyline comes as Bézier pieces whose control points lie on its bends: every third is a bend.
                for (int k = 0; k < piece.size; k += 3)
                    path.push_back(toPixels(piece.list[k]));
            }
        }
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
        // values keep 1000 boxes near 0.1 s and cost nothing in quality. Curved splines can loop under these limits and
        // `ortho` aborts on clusters, so only straight pieces are asked for. `polyline` takes as long as `line` and
        // says on which side of a box an edge passes; the curves are ours.
        setDefault(AGRAPH, "nslimit", "0.1");
        setDefault(AGRAPH, "nslimit1", "1");
        setDefault(AGRAPH, "mclimit", "0.1");
        setDefault(AGRAPH, "splines", "polyline");
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
