// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hlo/hlo_module.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace hloscope {

// The named scopes of the instructions of a module as a tree. Node 0 is the program itself: the scope of what has none.
class ScopeTree {
public:
    struct Node {
        uint32_t parent = 0;
        std::string name; // "up"
        std::string path; // "layer_0/mlp/up"
        std::vector<uint32_t> children; // in the order in which they were met
        double selfPs = 0;
    };

    explicit ScopeTree(const HloModule& module);

    const std::vector<Node>& nodes() const { return m_nodes; }
    uint32_t nodeOf(InstructionId id);
    // Outermost first, without node 0.
    std::vector<uint32_t> pathTo(uint32_t node) const;
    void addTime(InstructionId id, double ps) { m_nodes[nodeOf(id)].selfPs += ps; }

private:
    static constexpr uint32_t kUnknown = UINT32_MAX;

    const HloModule& m_module;
    std::vector<Node> m_nodes;
    std::map<std::pair<uint32_t, std::string>, uint32_t> m_childByName;
    std::vector<uint32_t> m_nodeOf; // by InstructionId
};

} // namespace hloscope
