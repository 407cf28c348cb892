// SPDX-License-Identifier: Apache-2.0
#include "core/graph/graph_scene.h"

#include <algorithm>
#include <climits>
#include <span>
#include <tuple>

namespace hloscope {

namespace {

constexpr uint32_t kNotShown = UINT32_MAX;

// Neighbours inside one computation. Ids that a damaged file leaves unresolved or that point elsewhere are skipped.
class Neighbours {
public:
    Neighbours(const HloModule& module, ComputationId computation)
        : m_module(module), m_range(module.computation(computation).instructions), m_seen(m_range.count, 0)
    {
    }

    size_t size() const { return m_range.count; }
    bool contains(InstructionId id) const
    {
        return id.isValid() && id.index() >= m_range.begin && id.index() < m_range.end();
    }
    size_t local(InstructionId id) const { return id.index() - m_range.begin; }
    InstructionId global(size_t local) const { return InstructionId(m_range.begin + local); }

    // Each one once, in the order of the operand list.
    std::vector<InstructionId> operands(InstructionId id) { return distinct(id, m_module.operands(id)); }
    // In program order.
    std::vector<InstructionId> users(InstructionId id) { return distinct(id, m_module.users(id)); }

private:
    std::vector<InstructionId> distinct(InstructionId self, std::span<const InstructionId> ids)
    {
        ++m_stamp;
        std::vector<InstructionId> result;
        result.reserve(ids.size());
        for (InstructionId id : ids) {
            if (!contains(id) || id == self || m_seen[local(id)] == m_stamp)
                continue;
            m_seen[local(id)] = m_stamp;
            result.push_back(id);
        }
        return result;
    }

    const HloModule& m_module;
    IndexRange m_range;
    std::vector<uint32_t> m_seen; // stamp of the last call that met the instruction
    uint32_t m_stamp = 0;
};

// Instructions within the radius around one, nearest first.
std::vector<InstructionId> walk(const HloModule& module, Neighbours& neighbours, InstructionId centre, int radius,
                                size_t maxNeighbours)
{
    std::vector<InstructionId> order{centre};
    std::vector<bool> reached(neighbours.size(), false);
    reached[neighbours.local(centre)] = true;
    const auto reach = [&](const std::vector<InstructionId>& ids) {
        size_t added = 0;
        for (InstructionId id : ids) {
            if (added++ == maxNeighbours)
                break;
            if (reached[neighbours.local(id)])
                continue;
            reached[neighbours.local(id)] = true;
            order.push_back(id);
        }
    };
    size_t begin = 0;
    for (int distance = 0; distance < radius && begin < order.size(); ++distance) {
        const size_t end = order.size();
        for (; begin < end; ++begin) {
            const InstructionId id = order[begin];
            if (module.instruction(id).opcode != Opcode::Tuple || id == centre)
                reach(neighbours.operands(id));
            reach(neighbours.users(id));
        }
    }
    return order;
}

// All instructions: first those that are connected with the focus, nearest first, then the others, nearest in program
// order first.
std::vector<InstructionId> aroundFocus(const HloModule& module, Neighbours& neighbours, const GraphRequest& request)
{
    const InstructionId focus = neighbours.contains(request.focus) ? request.focus : neighbours.global(0);
    std::vector<InstructionId> order = walk(module, neighbours, focus, INT_MAX, request.maxNeighbours);
    const size_t count = neighbours.size();
    std::vector<bool> isTaken(count, false);
    for (InstructionId id : order)
        isTaken[neighbours.local(id)] = true;
    const size_t middle = neighbours.local(focus);
    for (size_t step = 1; order.size() < count; ++step) {
        if (middle + step < count && !isTaken[middle + step])
            order.push_back(neighbours.global(middle + step));
        if (step <= middle && !isTaken[middle - step])
            order.push_back(neighbours.global(middle - step));
    }
    return order;
}

class SceneBuilder {
public:
    SceneBuilder(Neighbours& neighbours, ComputationId computation)
        : m_neighbours(neighbours), m_nodeOf(neighbours.size(), kNotShown)
    {
        m_scene.computation = computation;
    }

    GraphScene build(std::span<const InstructionId> shown)
    {
        for (InstructionId id : shown)
            m_nodeOf[m_neighbours.local(id)] = 0;
        for (size_t i = 0; i < m_nodeOf.size(); ++i) {
            if (m_nodeOf[i] != kNotShown)
                addWithStubs(m_neighbours.global(i));
        }
        for (size_t i = 0; i < m_nodeOf.size(); ++i) {
            if (m_nodeOf[i] != kNotShown)
                addEdges(m_neighbours.global(i));
        }
        std::sort(m_scene.edges.begin(), m_scene.edges.end(), [](const GraphEdge& a, const GraphEdge& b) {
            return std::tie(a.from, a.to) < std::tie(b.from, b.to);
        });
        m_scene.instructionsShown = shown.size();
        return std::move(m_scene);
    }

private:
    int countHidden(const std::vector<InstructionId>& ids) const
    {
        return static_cast<int>(std::count_if(ids.begin(), ids.end(), [this](InstructionId id) {
            return m_nodeOf[m_neighbours.local(id)] == kNotShown;
        }));
    }

    uint32_t add(const GraphNode& node)
    {
        m_scene.nodes.push_back(node);
        return static_cast<uint32_t>(m_scene.nodes.size() - 1);
    }

    void addWithStubs(InstructionId id)
    {
        using Kind = GraphNode::Kind;
        const int operands = countHidden(m_neighbours.operands(id));
        const int users = countHidden(m_neighbours.users(id));
        const uint32_t before = operands > 0 ? add({Kind::Stub, id, operands, false}) : kNotShown;
        const uint32_t self = add({Kind::Instruction, id, 0, false});
        const uint32_t after = users > 0 ? add({Kind::Stub, id, users, true}) : kNotShown;
        if (before != kNotShown)
            m_scene.edges.push_back({before, self, {}});
        if (after != kNotShown)
            m_scene.edges.push_back({self, after, id});
        m_nodeOf[m_neighbours.local(id)] = self;
    }

    void addEdges(InstructionId id)
    {
        const uint32_t to = m_nodeOf[m_neighbours.local(id)];
        for (InstructionId operand : m_neighbours.operands(id)) {
            const uint32_t from = m_nodeOf[m_neighbours.local(operand)];
            if (from != kNotShown)
                m_scene.edges.push_back({from, to, operand});
        }
    }

    Neighbours& m_neighbours;
    std::vector<uint32_t> m_nodeOf; // by local index
    GraphScene m_scene;
};

// Last resort of a limit so small that even one instruction with its stubs exceeds it.
void keepInstructionsOnly(GraphScene& scene, size_t maxNodes)
{
    std::erase_if(scene.nodes, [](const GraphNode& node) { return node.kind == GraphNode::Kind::Stub; });
    scene.nodes.resize(std::min(scene.nodes.size(), maxNodes));
    scene.edges.clear();
}

} // namespace

size_t GraphScene::nodeOf(InstructionId instruction) const
{
    const auto found = std::find_if(nodes.begin(), nodes.end(), [instruction](const GraphNode& node) {
        return node.kind == GraphNode::Kind::Instruction && node.instruction == instruction;
    });
    return static_cast<size_t>(found - nodes.begin());
}

GraphScene buildGraphScene(const HloModule& module, const GraphRequest& request)
{
    GraphScene empty;
    const bool hasCentre = request.centre.isValid() && request.centre.index() < module.instructions.size();
    const ComputationId computation = hasCentre ? module.instruction(request.centre).computation : request.computation;
    empty.computation = computation;
    if (!computation.isValid() || computation.index() >= module.computations.size() || request.maxNodes == 0)
        return empty;
    Neighbours neighbours(module, computation);
    if (neighbours.size() == 0 || (hasCentre && !neighbours.contains(request.centre)))
        return empty;

    const std::vector<InstructionId> order = hasCentre
        ? walk(module, neighbours, request.centre, request.radius, request.maxNeighbours)
        : aroundFocus(module, neighbours, request);
    // How many stubs there will be is known only afterwards: shrink until instructions and stubs fit together. A third
    // of the limit always fits, and each round takes away at least what was too much in proportion.
    size_t count = std::min(order.size(), request.maxNodes);
    GraphScene scene;
    while (true) {
        scene = SceneBuilder(neighbours, computation).build(std::span(order).first(count));
        if (scene.nodes.size() <= request.maxNodes)
            break;
        if (count == 1) {
            keepInstructionsOnly(scene, request.maxNodes);
            break;
        }
        count = std::clamp<size_t>(count * request.maxNodes / scene.nodes.size(), 1, count - 1);
    }
    scene.instructionsWanted = order.size();
    return scene;
}

} // namespace hloscope
