// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/memory/control_flow.h"
#include "core/memory/module_shapes.h"
#include "core/support/expected.h"
#include "core/support/progress.h"

#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace hloscope {

using ValueId = uint32_t; // index into Dataflow::values()

// Problem: which values (in XLA's sense: a result that some instruction creates) can an instruction hold at each index
// of its result, across tuples, loops, branches and async ops?
//
// Method: XLA's HloDataflowAnalysis in single assignment form. Every instruction has one value set per sub-shape. Some
// opcodes create values, others pass on those of their operands. Where several sources meet (parameters and results of
// loops and conditionals) and at least two of them have a value, a phi value stands in, named after the place where
// they meet. A work list in the order of the flattened post order runs to the fixed point; afterwards each phi that is
// fed by one single other value is replaced by it, so that what a loop does not change keeps its name.
//
// Cost: near linear in the sum of sub-shapes; bounded by kMaxSlots and kMaxUpdates, beyond which it gives up with an
// error.
class Dataflow {
public:
    static constexpr size_t kMaxSlots = 64'000'000; // sub-shapes of all instructions
    static constexpr size_t kMaxUpdates = 400'000'000; // sub-shapes that the fixed point may visit

    struct Value {
        InstructionId instruction; // that creates it, or where the sources of a phi meet
        uint32_t slot = 0;
        bool isPhi = false;
        bool isLive = true; // false for phis that were replaced
    };
    struct Position {
        InstructionId instruction;
        uint32_t slot = 0;
    };

    // The call graph must have passed checkCallGraph(). Errors: too large, cancelled.
    static Expected<Dataflow> run(const HloModule& module, const ModuleShapes& shapes, const AsyncChains& chains,
                                  Progress* progress = nullptr);

    // Ids are in XLA's order: created values first, by computation and post order, then phis as they came up.
    const std::vector<Value>& values() const { return m_values; }
    // What an instruction can hold at a slot, ascending. Empty for instructions that are no steps of the program.
    std::span<const ValueId> at(InstructionId id, uint32_t slot) const;
    // The one value of a slot, or -1 when there is none; the first where several are possible.
    int64_t valueAt(InstructionId id, uint32_t slot) const;
    // Everywhere a value can be seen, its creator first.
    std::span<const Position> positionsOf(ValueId value) const;
    bool hasInstruction(InstructionId id) const { return m_base[id.index()] != kNone; }
    // All instructions that are steps of the program: callees in file order, post order inside.
    const std::vector<InstructionId>& instructions() const { return m_instructions; }

private:
    friend class DataflowPropagation;
    friend class PhiSimplification;

    static constexpr uint32_t kNone = UINT32_MAX;
    static constexpr uint32_t kManyBit = 1u << 31; // a set of several values: index into m_manySets

    explicit Dataflow(const HloModule& module) : m_base(module.instructions.size(), kNone) { }
    uint32_t& set(InstructionId id, uint32_t slot) { return m_sets[m_base[id.index()] + slot]; }
    std::span<const ValueId> members(const uint32_t& set) const;
    uint32_t internSet(std::vector<ValueId> ids);
    void indexPositions();

    std::vector<uint32_t> m_base; // by InstructionId: first slot in m_sets, kNone for what is no step
    std::vector<uint32_t> m_sets; // a ValueId, kNone, or kManyBit with an index
    std::vector<std::vector<ValueId>> m_manySets;
    std::map<std::vector<ValueId>, uint32_t> m_manySetIds;
    std::vector<Value> m_values;
    std::vector<InstructionId> m_instructions;
    std::vector<uint32_t> m_positionBegin; // by ValueId, one more at the end
    std::vector<Position> m_positions;
};

} // namespace hloscope
