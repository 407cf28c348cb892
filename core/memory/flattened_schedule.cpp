// SPDX-License-Identifier: Apache-2.0
#include "core/memory/flattened_schedule.h"

namespace hloscope {

namespace {

class Flattener {
public:
    Flattener(const HloModule& module, const AsyncChains& chains)
        : m_module(module), m_chains(chains), m_seen(module.computations.size(), false)
    {
        m_result.positionOf.assign(module.instructions.size(), -1);
        m_result.spanOf.resize(module.computations.size());
        m_result.asyncStartOf.resize(module.computations.size());
    }

    void visit(ComputationId id, InstructionId asyncStart)
    {
        if (m_seen[id.index()])
            return;
        m_seen[id.index()] = true;
        m_result.asyncStartOf[id.index()] = asyncStart;
        const int64_t begin = m_result.end();
        const IndexRange range = m_module.computation(id).instructions;
        for (uint32_t i = range.begin; i < range.end(); ++i) {
            visitCallees(InstructionId(i), asyncStart);
            m_result.positionOf[i] = static_cast<int32_t>(m_result.sequence.size());
            m_result.sequence.push_back(InstructionId(i));
        }
        m_result.spanOf[id.index()] = {begin, m_result.end()};
    }

    FlattenedSchedule take() { return std::move(m_result); }

private:
    void visitCallees(InstructionId caller, InstructionId asyncStart)
    {
        if (const AsyncChains::Chain* chain = m_chains.of(caller)) {
            if (m_chains.firstFullyBound(*chain) == caller)
                visit(chain->wrapped, chain->ops.front());
            return;
        }
        for (const ComputationId callee : runComputations(m_module, caller))
            visit(callee, asyncStart);
    }

    const HloModule& m_module;
    const AsyncChains& m_chains;
    std::vector<bool> m_seen;
    FlattenedSchedule m_result;
};

} // namespace

FlattenedSchedule flattenSchedule(const HloModule& module, const AsyncChains& chains)
{
    Flattener flattener(module, chains);
    if (module.entry.isValid())
        flattener.visit(module.entry, {});
    return flattener.take();
}

} // namespace hloscope
