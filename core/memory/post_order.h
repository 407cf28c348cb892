// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hlo/hlo_module.h"

#include <vector>

namespace hloscope {

// XLA's instruction post order of one computation: depth first from every instruction without users, in program order;
// the last operand is followed last, control predecessors before operands. Value ids depend on this order.
// Instructions that only lie on operand cycles are left out.
std::vector<InstructionId> postOrder(const HloModule& module, ComputationId id);

} // namespace hloscope
