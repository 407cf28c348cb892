// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/memory/control_flow.h"

#include <cstdint>
#include <vector>

namespace hloscope {

// Every instruction that is a step of the program, in the order in which XLA numbers them: the entry computation in
// text order, with what while, conditional, call and async ops run put just before them. Each computation comes once.
struct FlattenedSchedule {
    struct Span {
        int64_t begin = -1; // first position
        int64_t end = -1; // behind the last
    };

    std::vector<InstructionId> sequence;
    std::vector<int32_t> positionOf; // by InstructionId, -1 for what is no step
    std::vector<Span> spanOf; // by ComputationId
    std::vector<InstructionId> asyncStartOf; // by ComputationId: the async-start inside which it runs

    int64_t end() const { return static_cast<int64_t>(sequence.size()); }
    int64_t position(InstructionId id) const { return positionOf[id.index()]; }
};

// The call graph must have passed checkCallGraph().
FlattenedSchedule flattenSchedule(const HloModule& module, const AsyncChains& chains);

} // namespace hloscope
