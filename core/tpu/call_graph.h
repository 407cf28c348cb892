// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hlo/hlo_module.h"

#include <optional>
#include <vector>

namespace hloscope {

// All computations, every one behind those that it calls, so that one pass in this order needs no recursion.
struct CallOrder {
    std::vector<ComputationId> calleesFirst;
    std::vector<uint32_t> rank; // by ComputationId: position in calleesFirst
    // Calls that lead back to their own caller. XLA makes none; a damaged file may. They are to be ignored.
    size_t cyclicCalls = 0;

    // False for a call that is part of a cycle.
    bool isForward(ComputationId caller, ComputationId callee) const
    {
        return rank[callee.index()] < rank[caller.index()];
    }
};

CallOrder callOrder(const HloModule& module);

struct WhileComputations {
    ComputationId condition;
    ComputationId body;
};

// Nothing when the op is no complete while.
std::optional<WhileComputations> whileComputations(const HloModule& module, InstructionId id);

} // namespace hloscope
