// SPDX-License-Identifier: Apache-2.0
#include "core/tpu/scope_tree.h"

#include "core/tpu/name_scope.h"

#include <algorithm>

namespace hloscope {

ScopeTree::ScopeTree(const HloModule& module)
    : m_module(module), m_nodes(1), m_nodeOf(module.instructions.size(), kUnknown)
{
}

uint32_t ScopeTree::nodeOf(InstructionId id)
{
    uint32_t& known = m_nodeOf[id.index()];
    if (known != kUnknown)
        return known;
    uint32_t node = 0;
    for (std::string& name : nameScopes(m_module.metadata(id).opName)) {
        const uint32_t next = static_cast<uint32_t>(m_nodes.size());
        const auto [entry, isNew] = m_childByName.try_emplace({node, name}, next);
        if (isNew) {
            std::string path = node == 0 ? name : m_nodes[node].path + '/' + name;
            m_nodes[node].children.push_back(next);
            m_nodes.push_back({node, std::move(name), std::move(path), {}, 0});
        }
        node = entry->second;
    }
    return known = node;
}

std::vector<uint32_t> ScopeTree::pathTo(uint32_t node) const
{
    std::vector<uint32_t> path;
    for (; node != 0; node = m_nodes[node].parent)
        path.push_back(node);
    std::ranges::reverse(path);
    return path;
}

} // namespace hloscope
