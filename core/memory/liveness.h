// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/memory/buffer_sets.h"
#include "core/memory/dataflow.h"
#include "core/memory/flattened_schedule.h"
#include "core/memory/live_range.h"
#include "core/memory/module_shapes.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace hloscope {

// Everything that the live-range report and the memory report are made from: the schedule, the values and where they
// are alive, and which of them share a buffer.
//
// The range of a value is XLA's: from its creator to its last use, where a value at the root of a computation lives to
// the end of that computation, parameters of the entry live throughout unless donated, and values that share a buffer
// are made to follow each other.
class Liveness {
public:
    struct Range {
        int64_t begin = -1; // -1: the value is never seen in the schedule
        int64_t end = -1; // inclusive

        bool isKnown() const { return begin >= 0; }
    };

    // Takes program order as the schedule; whether the module is scheduled is the caller's concern. Errors: a cyclic
    // call graph, no entry computation, a module that is too large, cancel.
    static Expected<Liveness> compute(const HloModule& module, Progress* progress = nullptr);

    const HloModule& module() const { return *m_module; }
    const ModuleShapes& shapes() const { return m_shapes; }
    const FlattenedSchedule& schedule() const { return m_schedule; }
    const Dataflow& dataflow() const { return m_dataflow; }
    const BufferSets& sets() const { return m_sets; }
    const Range& range(ValueId value) const { return m_ranges[value]; }
    const std::vector<Range>& ranges() const { return m_ranges; }
    // The part of the creator's result that the value is.
    const Shape& shapeOf(ValueId value) const;
    bool isEntryParameter(ValueId value) const;
    // An entry parameter whose buffer an output takes over (input_output_alias).
    bool isDonated(ValueId value) const;

    LiveRangeReport report() const;

private:
    Liveness(const HloModule& module, ModuleShapes shapes, FlattenedSchedule schedule, Dataflow dataflow,
             BufferSets sets);

    void collectDonated();
    void computeRawRanges(const AsyncChains& chains);
    Range rawRange(ValueId value, const AsyncChains& chains, const std::vector<int64_t>& lastUseOfTop,
                   const std::vector<int64_t>& lastUseOfElements) const;
    void collectLastUses(std::vector<int64_t>& ofTop, std::vector<int64_t>& ofElements) const;
    int64_t positionOfUse(InstructionId user) const;
    void makeSetsDisjoint();
    int64_t peakPosition() const;

    const HloModule* m_module;
    ModuleShapes m_shapes;
    FlattenedSchedule m_schedule;
    Dataflow m_dataflow;
    BufferSets m_sets;
    std::vector<Range> m_ranges; // by ValueId
    std::vector<ValueId> m_donated; // entry parameter leaves that an output may overwrite, ascending
};

} // namespace hloscope
