// SPDX-License-Identifier: Apache-2.0
#include "core/memory/dataflow.h"

#include "core/memory/dataflow_propagation.h"
#include "core/memory/phi_simplification.h"

#include <algorithm>

namespace hloscope {

Expected<Dataflow> Dataflow::run(const HloModule& module, const ModuleShapes& shapes, const AsyncChains& chains,
                                 Progress* progress)
{
    Dataflow dataflow(module);
    DataflowPropagation propagation(module, shapes, chains, dataflow);
    if (std::optional<Diagnostic> problem = propagation.run(progress))
        return *std::move(problem);
    PhiSimplification(dataflow, propagation.phiInputs()).run();
    dataflow.indexPositions();
    return dataflow;
}

std::span<const ValueId> Dataflow::members(const uint32_t& set) const
{
    if (set == kNone)
        return {};
    if ((set & kManyBit) != 0)
        return m_manySets[set & ~kManyBit];
    return {&set, 1};
}

std::span<const ValueId> Dataflow::at(InstructionId id, uint32_t slot) const
{
    const uint32_t base = m_base[id.index()];
    return base == kNone ? std::span<const ValueId>() : members(m_sets[base + slot]);
}

int64_t Dataflow::valueAt(InstructionId id, uint32_t slot) const
{
    const std::span<const ValueId> ids = at(id, slot);
    return ids.empty() ? -1 : static_cast<int64_t>(ids.front());
}

std::span<const Dataflow::Position> Dataflow::positionsOf(ValueId value) const
{
    return {m_positions.data() + m_positionBegin[value], m_positionBegin[value + 1] - m_positionBegin[value]};
}

// `ids` may hold duplicates in any order.
uint32_t Dataflow::internSet(std::vector<ValueId> ids)
{
    std::ranges::sort(ids);
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    if (ids.empty())
        return kNone;
    if (ids.size() == 1)
        return ids.front();
    const auto [entry, isNew] = m_manySetIds.try_emplace(ids, static_cast<uint32_t>(m_manySets.size()) | kManyBit);
    if (isNew)
        m_manySets.push_back(std::move(ids));
    return entry->second;
}

void Dataflow::indexPositions()
{
    const auto visit = [this](auto&& visitor) {
        for (size_t i = 0; i < m_instructions.size(); ++i) {
            const InstructionId id = m_instructions[i];
            const uint32_t begin = m_base[id.index()];
            // Slots of one instruction end where those of the next instruction in this order begin.
            const bool isLast = i + 1 == m_instructions.size();
            const uint32_t end = isLast ? static_cast<uint32_t>(m_sets.size()) : m_base[m_instructions[i + 1].index()];
            for (uint32_t slot = begin; slot < end; ++slot) {
                for (const ValueId value : members(m_sets[slot]))
                    visitor(value, Position{id, slot - begin});
            }
        }
    };
    const auto isCreator = [this](ValueId value, const Position& position) {
        return m_values[value].instruction == position.instruction && m_values[value].slot == position.slot;
    };
    m_positionBegin.assign(m_values.size() + 1, 0);
    visit([&](ValueId value, const Position&) { ++m_positionBegin[value + 1]; });
    for (size_t i = 0; i < m_values.size(); ++i) {
        m_values[i].isLive = m_positionBegin[i + 1] > 0;
        m_positionBegin[i + 1] += m_positionBegin[i];
    }
    m_positions.resize(m_positionBegin.back());
    std::vector<uint32_t> next(m_positionBegin.begin(), m_positionBegin.end() - 1);
    visit([&](ValueId value, const Position& position) {
        m_positions[next[value]] = position;
        if (isCreator(value, position))
            std::swap(m_positions[next[value]], m_positions[m_positionBegin[value]]);
        ++next[value];
    });
}

} // namespace hloscope
