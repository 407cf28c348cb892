// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hlo/hlo_module.h"

#include <vector>

namespace hloscope {

// The order in which XLA's cost analysis visits a computation: depth-first, operands from left to right and control
// predecessors behind them, starting at the values without users in program order and ending at the root. It only
// matters for the rounding of sums in 32 bits.
std::vector<InstructionId> xlaTraversal(const HloModule& module, ComputationId id);

} // namespace hloscope
