// SPDX-License-Identifier: Apache-2.0
#include "core/graph/layered_layout.h"

#include "core/graph/layers.h"

#include <algorithm>
#include <map>

namespace hloscope {

namespace {

constexpr uint32_t kMaxSpan = 20; // levels that an edge is followed through

struct Adjacency {
    explicit Adjacency(const LayoutProblem& problem) : heads(problem.boxes.size()), incoming(problem.boxes.size(), 0)
    {
        for (const LayoutProblem::Edge& edge : problem.edges) {
            if (edge.from == edge.to)
                continue;
            heads[edge.from].push_back(edge.to);
            ++incoming[edge.to];
        }
    }

    std::vector<std::vector<uint32_t>> heads;
    std::vector<uint32_t> incoming;
};

// Longest path from a source. Boxes of a cycle are taken in the order of the problem once nothing else is left.
std::vector<uint32_t> levelsOf(const LayoutProblem& problem)
{
    Adjacency graph(problem);
    const size_t count = problem.boxes.size();
    std::vector<uint32_t> level(count, 0);
    std::vector<bool> done(count, false);
    std::vector<uint32_t> ready;
    for (uint32_t box = 0; box < count; ++box) {
        if (graph.incoming[box] == 0)
            ready.push_back(box);
    }
    size_t firstOpen = 0;
    for (size_t taken = 0; taken < count; ++taken) {
        if (taken == ready.size()) {
            while (done[firstOpen])
                ++firstOpen;
            ready.push_back(static_cast<uint32_t>(firstOpen));
        }
        const uint32_t box = ready[taken];
        done[box] = true;
        for (uint32_t head : graph.heads[box]) {
            if (done[head])
                continue;
            level[head] = std::max(level[head], level[box] + 1);
            if (graph.incoming[head] > 0 && --graph.incoming[head] == 0)
                ready.push_back(head);
        }
    }
    return level;
}

// Boxes without operands stand just above their first user instead of at the very top.
void pullSourcesDown(const LayoutProblem& problem, std::vector<uint32_t>& level)
{
    const Adjacency graph(problem);
    for (uint32_t box = 0; box < level.size(); ++box) {
        if (graph.incoming[box] > 0 || graph.heads[box].empty())
            continue;
        uint32_t nearest = UINT32_MAX;
        for (uint32_t head : graph.heads[box])
            nearest = std::min(nearest, level[head]);
        if (nearest > 0)
            level[box] = nearest - 1;
    }
}

// Rows of boxes and of bends, one bend for all edges of a box through a row; heights from the tallest box.
Layers makeLayers(const LayoutProblem& problem, const std::vector<uint32_t>& level)
{
    Layers layers;
    layers.rows.resize(*std::max_element(level.begin(), level.end()) + size_t(1));
    for (uint32_t box = 0; box < level.size(); ++box) {
        layers.items.push_back({box, level[box], 0, problem.boxes[box].width});
        layers.rows[level[box]].items.push_back(box);
        Layers::Row& row = layers.rows[level[box]];
        row.bottom = std::max(row.bottom, problem.boxes[box].height);
    }
    double y = 0;
    for (Layers::Row& row : layers.rows) {
        const double height = row.bottom;
        row.top = y;
        row.bottom = y + height;
        y = row.bottom + problem.levelGap;
    }
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> bends; // by box and row
    for (const LayoutProblem::Edge& edge : problem.edges) {
        std::vector<uint32_t>& chain = layers.chains.emplace_back(std::vector<uint32_t>{edge.from});
        if (level[edge.to] > level[edge.from] && level[edge.to] - level[edge.from] <= kMaxSpan) {
            for (uint32_t row = level[edge.from] + 1; row < level[edge.to]; ++row) {
                const auto [bend, isNew] =
                    bends.try_emplace({edge.from, row}, static_cast<uint32_t>(layers.items.size()));
                if (isNew) {
                    layers.items.push_back({Layers::kBend, row, 0, 0});
                    layers.rows[row].items.push_back(bend->second);
                }
                chain.push_back(bend->second);
            }
        }
        chain.push_back(edge.to);
    }
    return layers;
}

// Orders rows by the mean place of the neighbours above and, in turn, below. Places are fractions of the row.
void reduceCrossings(Layers& layers)
{
    std::vector<std::vector<uint32_t>> above(layers.items.size());
    std::vector<std::vector<uint32_t>> below(layers.items.size());
    for (const Layers::Link& link : layers.links) {
        above[link.to].push_back(link.from);
        below[link.from].push_back(link.to);
    }
    std::vector<double> place(layers.items.size(), 0);
    const auto number = [&place](const Layers::Row& row) {
        for (size_t i = 0; i < row.items.size(); ++i)
            place[row.items[i]] = (static_cast<double>(i) + 0.5) / static_cast<double>(row.items.size());
    };
    for (const Layers::Row& row : layers.rows)
        number(row);
    for (int sweep = 0; sweep < 8; ++sweep) {
        const bool isDown = sweep % 2 == 0;
        for (size_t i = 0; i < layers.rows.size(); ++i) {
            Layers::Row& row = layers.rows[isDown ? i : layers.rows.size() - 1 - i];
            for (uint32_t item : row.items) {
                const std::vector<uint32_t>& neighbours = isDown ? above[item] : below[item];
                if (neighbours.empty())
                    continue;
                double sum = 0;
                for (uint32_t neighbour : neighbours)
                    sum += place[neighbour];
                place[item] = sum / static_cast<double>(neighbours.size());
            }
            std::stable_sort(row.items.begin(), row.items.end(),
                             [&place](uint32_t a, uint32_t b) { return place[a] < place[b]; });
            number(row);
        }
    }
}

} // namespace

LayoutResult layeredLayout(const LayoutProblem& problem)
{
    LayoutResult result;
    result.paths.resize(problem.edges.size());
    if (problem.boxes.empty())
        return result;
    std::vector<uint32_t> level = levelsOf(problem);
    pullSourcesDown(problem, level);
    Layers layers = makeLayers(problem, level);
    connect(layers);
    reduceCrossings(layers);
    for (const Layers::Row& row : layers.rows) {
        double x = 0;
        for (uint32_t item : row.items) {
            layers.items[item].x = x + layers.items[item].width / 2;
            x += layers.items[item].width + problem.boxGap;
        }
    }
    connect(layers); // the ports follow the new order
    straighten(layers, problem.boxGap);

    double left = layers.items.front().x;
    double right = left;
    for (const Layers::Item& item : layers.items) {
        left = std::min(left, item.x - item.width / 2);
        right = std::max(right, item.x + item.width / 2);
    }
    result.width = right - left;
    result.height = layers.rows.back().bottom;
    const auto pointOf = [&layers, left](uint32_t item) {
        const Layers::Row& row = layers.rows[layers.items[item].row];
        return GraphPoint{layers.items[item].x - left, (row.top + row.bottom) / 2};
    };
    for (uint32_t box = 0; box < problem.boxes.size(); ++box)
        result.centres.push_back(pointOf(box));
    for (size_t edge = 0; edge < problem.edges.size(); ++edge) {
        if (layers.chains[edge].size() < 3)
            continue;
        for (uint32_t item : layers.chains[edge])
            result.paths[edge].push_back(pointOf(item));
    }
    return result;
}

} // namespace hloscope
