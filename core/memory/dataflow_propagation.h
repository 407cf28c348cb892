// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/memory/dataflow.h"
#include "core/memory/phi_simplification.h"

#include <optional>
#include <queue>
#include <string>
#include <vector>

namespace hloscope {

// The fixed point of Dataflow: creates the values, then passes them on until nothing changes.
class DataflowPropagation {
public:
    DataflowPropagation(const HloModule& module, const ModuleShapes& shapes, const AsyncChains& chains,
                        Dataflow& dataflow);

    // What went wrong, if anything.
    std::optional<Diagnostic> run(Progress* progress);
    const PhiInputs& phiInputs() const { return m_phis; }

private:
    void collectComputations(ComputationId id);
    void numberInstructions(ComputationId id);
    bool allocateSlots();
    void createValues();
    bool createsValue(InstructionId id, uint32_t slot) const;
    ValueId newValue(InstructionId id, uint32_t slot, bool isPhi);

    bool update(InstructionId id);
    bool updateParameter(InstructionId id);
    bool updateAsync(InstructionId id);
    bool updatePermuteStart(InstructionId id);
    bool mergePhi(InstructionId id, const std::vector<InstructionId>& sources);
    bool mergePhiSlot(InstructionId id, uint32_t slot, std::vector<ValueId> inputs);
    bool uniteCallers(InstructionId id, const std::vector<InstructionId>& sources);
    bool copySlots(InstructionId to, int64_t toSlot, InstructionId from, int64_t fromSlot, bool withoutTop = false);
    bool copyArrays(InstructionId to, int64_t toSlot, InstructionId from, int64_t fromSlot, bool compatibleOnly);

    void enqueue(InstructionId id);
    void enqueueReaders(InstructionId id);
    void enqueueParameters(ComputationId id);

    uint32_t slotCount(InstructionId id) const { return static_cast<uint32_t>(m_shapes.slots(id).size()); }
    int64_t child(InstructionId id, int64_t slot, int64_t element) const;
    const std::vector<InstructionId>& parametersOf(ComputationId id);
    const std::vector<InstructionId>& flowCallersOf(ComputationId id) const { return m_callers[id.index()]; }
    InstructionId operand(InstructionId id, size_t number) const;

    const HloModule& m_module;
    const ModuleShapes& m_shapes;
    const AsyncChains& m_chains;
    Dataflow& m_dataflow;
    PhiInputs m_phis;

    std::vector<bool> m_isStep; // by ComputationId
    std::vector<std::vector<InstructionId>> m_callers; // by ComputationId: while, conditional, call, async-start
    std::vector<std::vector<InstructionId>> m_parameters; // by ComputationId, filled on demand
    std::vector<std::vector<InstructionId>> m_postOrder; // by ComputationId
    std::vector<uint32_t> m_priority; // by InstructionId
    uint32_t m_nextPriority = 0;
    std::priority_queue<std::pair<uint32_t, uint32_t>, std::vector<std::pair<uint32_t, uint32_t>>, std::greater<>>
        m_queue; // priority, instruction
    std::vector<bool> m_isQueued; // by InstructionId
    size_t m_visitedSlots = 0;
};

} // namespace hloscope
