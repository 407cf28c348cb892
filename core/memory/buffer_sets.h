// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/memory/dataflow.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace hloscope {

// An op that writes its result over one of its operands.
struct InPlacePair {
    uint32_t operand = 0;
    uint32_t operandSlot = 0;
    uint32_t outputSlot = 0;
};

// In-place pairs of single instructions: dynamic-update-slice, scatter, all-reduce-start, set-dimension-size,
// ragged-all-to-all, `output_to_operand_aliasing`, and fusions whose result leads back through tuples and bitcasts to
// such an op and from its operand to a fusion parameter.
class InPlacePairs {
public:
    InPlacePairs(const HloModule& module, const ModuleShapes& shapes);
    std::vector<InPlacePair> of(InstructionId id);

private:
    struct Place {
        InstructionId instruction; // invalid when the walk ended in a broken file
        uint32_t slot = 0;
    };

    const std::vector<InPlacePair>& ofFusedComputation(InstructionId fusion);
    std::vector<InPlacePair> searchFusedComputation(InstructionId fusion);
    std::vector<InPlacePair> declaredAliases(InstructionId id) const;
    Place skipIndirections(InstructionId id, uint32_t slot) const;
    Place traceToSource(Place from);

    const HloModule& m_module;
    const ModuleShapes& m_shapes;
    std::unordered_map<uint32_t, std::vector<InPlacePair>> m_ofComputation; // by ComputationId of the fused body
};

// Which values must share a buffer: loop-carried elements, branch results, donated parameters, in-place ops. Sets are
// disjoint; a value that shares with nobody is a set of its own.
class BufferSets {
public:
    BufferSets(const HloModule& module, const ModuleShapes& shapes, const Dataflow& dataflow);
    // The value that stands for the whole set.
    ValueId find(ValueId value) const { return m_parent[value]; }

private:
    void join(int64_t a, int64_t b); // -1 joins nothing
    void joinWhile(const HloModule& module, const ModuleShapes& shapes, const Dataflow& dataflow, InstructionId id);
    void joinSlots(const ModuleShapes& shapes, const Dataflow& dataflow, InstructionId a, InstructionId b);
    ValueId root(ValueId value);

    std::vector<ValueId> m_parent; // the representative once construction has ended
};

} // namespace hloscope
