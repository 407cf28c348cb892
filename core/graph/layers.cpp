// SPDX-License-Identifier: Apache-2.0
#include "core/graph/layers.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace hloscope {

namespace {

constexpr size_t kMaxBends = 200'000;
constexpr double kSameRow = 1; // px
constexpr double kBendGap = 10; // px between two edges side by side
constexpr double kBendBoxGap = 12; // px between an edge and a box
constexpr double kMaxPortStep = 36; // px between two arrivals
constexpr double kPortMargin = 16; // px from the corner of a box
constexpr double kSnap = 8; // px that an end of an edge may move along its box to make the edge straight

std::vector<uint32_t> sortedByY(const LayoutResult& layout)
{
    std::vector<uint32_t> order(layout.centres.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(),
                     [&layout](uint32_t a, uint32_t b) { return layout.centres[a].y < layout.centres[b].y; });
    return order;
}

void addBoxes(Layers& layers, const LayoutProblem& problem, const LayoutResult& layout)
{
    layers.items.resize(problem.boxes.size());
    double rowY = 0;
    for (uint32_t box : sortedByY(layout)) {
        const GraphPoint centre = layout.centres[box];
        const double half = problem.boxes[box].height / 2;
        if (layers.rows.empty() || centre.y - rowY > kSameRow) {
            rowY = centre.y;
            layers.rows.push_back({{}, centre.y - half, centre.y + half});
        }
        Layers::Row& row = layers.rows.back();
        row.top = std::min(row.top, centre.y - half);
        row.bottom = std::max(row.bottom, centre.y + half);
        layers.items[box] = {box, static_cast<uint32_t>(layers.rows.size() - 1), centre.x, problem.boxes[box].width};
    }
}

// Where a path crosses a height; `fallback` where it does not reach it.
double crossing(const std::vector<GraphPoint>& path, double y, double fallback)
{
    for (size_t i = 1; i < path.size(); ++i) {
        const GraphPoint& a = path[i - 1];
        const GraphPoint& b = path[i];
        if (std::min(a.y, b.y) <= y && y <= std::max(a.y, b.y))
            return a.y == b.y ? (a.x + b.x) / 2 : a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y);
    }
    return fallback;
}

// Rows that an edge may cross so that all bends together stay within the limit.
size_t longestFollowedSpan(const Layers& layers, const LayoutProblem& problem)
{
    std::vector<size_t> count(layers.rows.size() + 1, 0);
    for (const LayoutProblem::Edge& edge : problem.edges) {
        const uint32_t from = layers.items[edge.from].row;
        const uint32_t to = layers.items[edge.to].row;
        if (to > from)
            ++count[to - from];
    }
    size_t bends = 0;
    for (size_t span = 1; span < count.size(); ++span) {
        bends += count[span] * (span - 1);
        if (bends > kMaxBends)
            return span - 1;
    }
    return layers.rows.size();
}

struct Bend {
    uint32_t edge = 0;
    uint32_t producer = 0;
    double x = 0;
};

// Puts the boxes and bends of one row in order. Neighbouring bends that come from the same item become one.
void mergeRow(Layers& layers, uint32_t rowIndex, std::vector<Bend>& bends)
{
    Layers::Row& row = layers.rows[rowIndex];
    struct Entry {
        double x;
        uint32_t box; // kBend for a bend
        size_t bend;
    };
    std::vector<Entry> entries;
    for (uint32_t item : row.items)
        entries.push_back({layers.items[item].x, item, 0});
    for (size_t i = 0; i < bends.size(); ++i)
        entries.push_back({bends[i].x, Layers::kBend, i});
    std::stable_sort(entries.begin(), entries.end(), [&bends](const Entry& a, const Entry& b) {
        if (a.x != b.x || a.box != Layers::kBend || b.box != Layers::kBend)
            return a.x < b.x;
        return bends[a.bend].producer < bends[b.bend].producer;
    });
    row.items.clear();
    uint32_t parentOfLast = Layers::kBend;
    for (const Entry& entry : entries) {
        if (entry.box != Layers::kBend) {
            row.items.push_back(entry.box);
            parentOfLast = Layers::kBend;
            continue;
        }
        std::vector<uint32_t>& chain = layers.chains[bends[entry.bend].edge];
        const uint32_t parent = chain.back();
        if (parent != parentOfLast || row.items.empty()) {
            row.items.push_back(static_cast<uint32_t>(layers.items.size()));
            layers.items.push_back({Layers::kBend, rowIndex, entry.x, 0});
        }
        chain.push_back(row.items.back());
        parentOfLast = parent;
    }
}

double separation(const Layers::Item& left, const Layers::Item& right, double boxGap)
{
    const bool isLeftBend = left.box == Layers::kBend;
    const bool isRightBend = right.box == Layers::kBend;
    const double gap = isLeftBend && isRightBend ? kBendGap : isLeftBend || isRightBend ? kBendBoxGap : boxGap;
    return (left.width + right.width) / 2 + gap;
}

struct Wish {
    double x = 0; // weighted sum while it is collected
    double weight = 0;
};

// Moves the items of a row as little as possible (weighted squares) from their wishes while they keep their distance.
void fitRow(Layers& layers, const Layers::Row& row, const std::vector<Wish>& wishes, double boxGap)
{
    struct Block {
        double x; // mean of wish minus offset
        double weight;
        size_t count;
    };
    std::vector<Block> blocks;
    std::vector<double> offsets;
    double offset = 0;
    for (size_t i = 0; i < row.items.size(); ++i) {
        if (i > 0)
            offset += separation(layers.items[row.items[i - 1]], layers.items[row.items[i]], boxGap);
        offsets.push_back(offset);
        Block block{wishes[i].x - offset, wishes[i].weight, 1};
        while (!blocks.empty() && blocks.back().x > block.x) {
            const Block& last = blocks.back();
            const double weight = last.weight + block.weight;
            block.x = (last.x * last.weight + block.x * block.weight) / weight;
            block.weight = weight;
            block.count += last.count;
            blocks.pop_back();
        }
        blocks.push_back(block);
    }
    size_t i = 0;
    for (const Block& block : blocks) {
        for (size_t k = 0; k < block.count; ++k, ++i)
            layers.items[row.items[i]].x = block.x + offsets[i];
    }
}

enum class Pull { FromAbove, FromBelow, Both };

// Links by their lower and by their upper end.
struct LinkIndex {
    explicit LinkIndex(const Layers& layers) : above(layers.items.size()), below(layers.items.size())
    {
        for (uint32_t i = 0; i < layers.links.size(); ++i) {
            above[layers.links[i].to].push_back(i);
            below[layers.links[i].from].push_back(i);
        }
    }

    std::vector<std::vector<uint32_t>> above;
    std::vector<std::vector<uint32_t>> below;
};

void placeRow(Layers& layers, const Layers::Row& row, const LinkIndex& index, Pull pull, double boxGap)
{
    constexpr double kInertia = 0.05; // what nobody pulls stays, and gives way to everything
    std::vector<Wish> wishes;
    wishes.reserve(row.items.size());
    for (uint32_t item : row.items) {
        Wish wish{layers.items[item].x * kInertia, kInertia};
        const auto add = [&wish](double x, double weight) {
            wish.x += x * weight;
            wish.weight += weight;
        };
        if (pull != Pull::FromBelow) {
            for (uint32_t link : index.above[item])
                add(layers.items[layers.links[link].from].x - layers.links[link].port, layers.links[link].weight);
        }
        if (pull != Pull::FromAbove) {
            for (uint32_t link : index.below[item])
                add(layers.items[layers.links[link].to].x + layers.links[link].port, layers.links[link].weight);
        }
        wish.x /= wish.weight;
        wishes.push_back(wish);
    }
    fitRow(layers, row, wishes, boxGap);
}

double portStep(double width, size_t arrivals)
{
    return std::min(kMaxPortStep, std::max(width - 2 * kPortMargin, 0.0) / static_cast<double>(arrivals));
}

// Puts bends that follow each other on one vertical line where the room between their neighbours allows it: that of the
// box or bend above if possible, else that of what is below.
class BendAligner {
public:
    BendAligner(Layers& layers, double boxGap)
        : m_layers(layers)
        , m_boxGap(boxGap)
        , m_index(layers)
        , m_place(layers.items.size(), 0)
        , m_isDone(layers.items.size(), false)
    {
        for (const Layers::Row& row : layers.rows) {
            for (uint32_t i = 0; i < row.items.size(); ++i)
                m_place[row.items[i]] = i;
        }
    }

    void align()
    {
        for (const Layers::Row& row : m_layers.rows) {
            for (uint32_t item : row.items) {
                if (m_layers.items[item].box == Layers::kBend && !m_isDone[item])
                    alignFrom(item);
            }
        }
    }

private:
    struct Room {
        double left = -HUGE_VAL;
        double right = HUGE_VAL;
        bool contains(double x) const { return left <= x && x <= right; }
    };

    Room roomOf(uint32_t item) const
    {
        Room room;
        const std::vector<uint32_t>& row = m_layers.rows[m_layers.items[item].row].items;
        const uint32_t place = m_place[item];
        const Layers::Item& self = m_layers.items[item];
        if (place > 0) {
            const Layers::Item& left = m_layers.items[row[place - 1]];
            room.left = left.x + separation(left, self, m_boxGap);
        }
        if (place + 1 < row.size()) {
            const Layers::Item& right = m_layers.items[row[place + 1]];
            room.right = right.x - separation(self, right, m_boxGap);
        }
        return room;
    }

    void alignFrom(uint32_t first)
    {
        std::vector<uint32_t> run{first};
        Room room = roomOf(first);
        while (m_index.below[run.back()].size() == 1) {
            const uint32_t next = m_layers.links[m_index.below[run.back()].front()].to;
            if (m_layers.items[next].box != Layers::kBend || m_index.above[next].size() != 1)
                break;
            const Room more = roomOf(next);
            const Room both{std::max(room.left, more.left), std::min(room.right, more.right)};
            if (both.left > both.right)
                break;
            room = both;
            run.push_back(next);
        }
        if (room.left > room.right)
            return;
        const double x = placeFor(run, room);
        for (uint32_t item : run) {
            m_layers.items[item].x = x;
            m_isDone[item] = true;
        }
    }

    double placeFor(const std::vector<uint32_t>& run, const Room& room) const
    {
        double wish = m_layers.items[run.front()].x;
        if (m_index.above[run.front()].size() == 1) {
            wish = m_layers.items[m_layers.links[m_index.above[run.front()].front()].from].x;
            if (room.contains(wish))
                return wish;
        }
        if (m_index.below[run.back()].size() == 1) {
            const Layers::Link& link = m_layers.links[m_index.below[run.back()].front()];
            const double below = m_layers.items[link.to].x + link.port;
            if (room.contains(below))
                return below;
        }
        return std::clamp(wish, room.left, room.right);
    }

    Layers& m_layers;
    double m_boxGap;
    LinkIndex m_index;
    std::vector<uint32_t> m_place; // in its row, by item
    std::vector<bool> m_isDone;
};

// Lets an edge arrive where it comes from if that is close to its port.
void snapPorts(Layers& layers)
{
    std::vector<size_t> arrivals(layers.items.size(), 0);
    for (const std::vector<uint32_t>& chain : layers.chains)
        ++arrivals[chain.back()];
    for (size_t e = 0; e < layers.chains.size(); ++e) {
        const std::vector<uint32_t>& chain = layers.chains[e];
        const Layers::Item& head = layers.items[chain.back()];
        const double port = layers.items[chain[chain.size() - 2]].x - head.x;
        const double room = std::min(kSnap, portStep(head.width, arrivals[chain.back()]) / 3);
        if (std::abs(port - layers.ports[e]) <= room && std::abs(port) <= head.width / 2 - kPortMargin)
            layers.ports[e] = port;
    }
}

// Moves the rows apart where edges run far to the side, so that these do not become one flat bundle.
void spreadRows(Layers& layers, double levelGap)
{
    constexpr double kGapPerSidestep = 0.07;
    constexpr double kMaxExtraGap = 56; // px
    std::vector<double> sidestep(layers.rows.size(), 0); // largest one below each row
    for (const Layers::Link& link : layers.links) {
        const Layers::Item& from = layers.items[link.from];
        const double step = std::abs(layers.items[link.to].x + link.port - from.x);
        sidestep[from.row] = std::max(sidestep[from.row], step);
    }
    double shift = 0;
    for (size_t row = 0; row < layers.rows.size(); ++row) {
        layers.rows[row].top += shift;
        layers.rows[row].bottom += shift;
        const double wanted = levelGap * 0.85 + sidestep[row] * kGapPerSidestep;
        shift += std::clamp(wanted - levelGap, 0.0, kMaxExtraGap);
    }
}

void addPiece(std::vector<GraphPoint>& curve, GraphPoint to)
{
    const GraphPoint from = curve.back();
    if (from == to)
        return;
    const double pull = to.y > from.y ? (to.y - from.y) / 2 : 40;
    curve.push_back({from.x, from.y + pull});
    curve.push_back({to.x, to.y - pull});
    curve.push_back(to);
}

std::vector<GraphPoint> curveOf(const Layers& layers, const LayoutProblem& problem,
                                const std::vector<GraphPoint>& centres, size_t edge)
{
    const std::vector<uint32_t>& chain = layers.chains[edge];
    const LayoutProblem::Edge& ends = problem.edges[edge];
    const Layers::Item& tail = layers.items[chain.front()];
    const double arrival = layers.items[chain.back()].x + layers.ports[edge];
    const double next = chain.size() > 2 ? layers.items[chain[1]].x : arrival;
    const bool isNearlyStraight = std::abs(next - tail.x) <= std::min(kSnap, tail.width / 4);
    std::vector<GraphPoint> curve{
        {isNearlyStraight ? next : tail.x, centres[ends.from].y + problem.boxes[ends.from].height / 2}};
    for (size_t i = 1; i + 1 < chain.size(); ++i) {
        const Layers::Item& bend = layers.items[chain[i]];
        addPiece(curve, {bend.x, layers.rows[bend.row].top});
        addPiece(curve, {bend.x, layers.rows[bend.row].bottom});
    }
    addPiece(
        curve,
        {layers.items[chain.back()].x + layers.ports[edge], centres[ends.to].y - problem.boxes[ends.to].height / 2});
    return curve;
}

} // namespace

Layers layersFromLayout(const LayoutProblem& problem, const LayoutResult& layout)
{
    Layers layers;
    addBoxes(layers, problem, layout);
    for (uint32_t box = 0; box < layers.items.size(); ++box)
        layers.rows[layers.items[box].row].items.push_back(box);

    const size_t maxSpan = longestFollowedSpan(layers, problem);
    std::vector<std::vector<Bend>> bends(layers.rows.size());
    for (uint32_t e = 0; e < problem.edges.size(); ++e) {
        const auto [from, to] = problem.edges[e];
        layers.chains.push_back({from});
        const GraphPoint& a = layout.centres[from];
        const GraphPoint& b = layout.centres[to];
        const uint32_t end = layers.items[to].row;
        if (end <= layers.items[from].row || end - layers.items[from].row > maxSpan)
            continue;
        for (uint32_t row = layers.items[from].row + 1; row < end; ++row) {
            const double y = (layers.rows[row].top + layers.rows[row].bottom) / 2;
            const double straight = a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y);
            const bool hasPath = e < layout.paths.size();
            bends[row].push_back({e, from, hasPath ? crossing(layout.paths[e], y, straight) : straight});
        }
    }
    for (uint32_t row = 0; row < layers.rows.size(); ++row)
        mergeRow(layers, row, bends[row]);
    for (size_t e = 0; e < problem.edges.size(); ++e)
        layers.chains[e].push_back(problem.edges[e].to);
    return layers;
}

void connect(Layers& layers)
{
    std::vector<uint32_t> placeInRow(layers.items.size(), 0);
    for (const Layers::Row& row : layers.rows) {
        for (uint32_t i = 0; i < row.items.size(); ++i)
            placeInRow[row.items[i]] = i;
    }
    std::map<uint32_t, std::vector<size_t>> arrivals; // by head: edges
    for (size_t e = 0; e < layers.chains.size(); ++e)
        arrivals[layers.chains[e].back()].push_back(e);
    layers.ports.assign(layers.chains.size(), 0);
    for (auto& [head, edges] : arrivals) {
        const auto lastStop = [&layers](size_t edge) { return layers.chains[edge][layers.chains[edge].size() - 2]; };
        std::stable_sort(edges.begin(), edges.end(), [&](size_t a, size_t b) {
            const Layers::Item& left = layers.items[lastStop(a)];
            const Layers::Item& right = layers.items[lastStop(b)];
            return left.row == right.row ? placeInRow[lastStop(a)] < placeInRow[lastStop(b)] : left.x < right.x;
        });
        const auto count = static_cast<double>(edges.size());
        const double step = portStep(layers.items[head].width, edges.size());
        for (size_t i = 0; i < edges.size(); ++i)
            layers.ports[edges[i]] = (static_cast<double>(i) - (count - 1) / 2) * step;
    }

    std::map<std::pair<uint32_t, uint32_t>, Layers::Link> links;
    for (size_t e = 0; e < layers.chains.size(); ++e) {
        const std::vector<uint32_t>& chain = layers.chains[e];
        for (size_t i = 1; i < chain.size(); ++i) {
            const Layers::Item& from = layers.items[chain[i - 1]];
            const Layers::Item& to = layers.items[chain[i]];
            if (to.row != from.row + 1)
                continue;
            const int bendsAtEnds = (from.box == Layers::kBend ? 1 : 0) + (to.box == Layers::kBend ? 1 : 0);
            const double weight = bendsAtEnds == 2 ? 8 : bendsAtEnds == 1 ? 2 : 1;
            const double port = i + 1 == chain.size() ? layers.ports[e] : 0;
            links.try_emplace({chain[i - 1], chain[i]}, Layers::Link{chain[i - 1], chain[i], port, weight});
        }
    }
    layers.links.clear();
    for (const auto& [ends, link] : links)
        layers.links.push_back(link);
}

void straighten(Layers& layers, double boxGap, int rounds)
{
    const LinkIndex index(layers);
    for (int round = 0; round < rounds; ++round) {
        const bool isDown = round % 2 == 0;
        const bool isLast = round >= rounds - rounds / 4;
        const Pull pull = isLast ? Pull::Both : isDown ? Pull::FromAbove : Pull::FromBelow;
        for (size_t i = 0; i < layers.rows.size(); ++i)
            placeRow(layers, layers.rows[isDown ? i : layers.rows.size() - 1 - i], index, pull, boxGap);
    }
}

GraphGeometry drawLayout(const LayoutProblem& problem, const LayoutResult& layout)
{
    GraphGeometry geometry;
    if (problem.boxes.empty())
        return geometry;
    Layers layers = layersFromLayout(problem, layout);
    connect(layers);
    straighten(layers, problem.boxGap);
    BendAligner(layers, problem.boxGap).align();
    snapPorts(layers);
    std::vector<double> topBefore;
    for (const Layers::Row& row : layers.rows)
        topBefore.push_back(row.top);
    spreadRows(layers, problem.levelGap);

    double left = layers.items.front().x;
    double right = left;
    for (const Layers::Item& item : layers.items) {
        left = std::min(left, item.x - item.width / 2);
        right = std::max(right, item.x + item.width / 2);
    }
    for (Layers::Item& item : layers.items)
        item.x -= left;
    geometry.width = right - left;
    geometry.height = layers.rows.back().bottom;
    for (size_t box = 0; box < problem.boxes.size(); ++box) {
        const double shift = layers.rows[layers.items[box].row].top - topBefore[layers.items[box].row];
        geometry.centres.push_back({layers.items[box].x, layout.centres[box].y + shift});
    }
    for (size_t edge = 0; edge < problem.edges.size(); ++edge)
        geometry.curves.push_back(curveOf(layers, problem, geometry.centres, edge));
    return geometry;
}

} // namespace hloscope
