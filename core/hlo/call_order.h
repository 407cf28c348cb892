// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hlo/hlo_module.h"

namespace hloscope {

// Puts computations in front of those that call them, for text that does not have them in this order, and drops calls
// that would run in circles. Afterwards every analysis may rely on the order, and none can recurse without end. Calls
// to nowhere (invalid ids) are dropped, too. Gives the dropped calls that ran in circles, as the instructions that made
// them. Call it before HloModule::finish(). Computations that stand right keep their order.
std::vector<InstructionId> orderByCalls(HloModule& module);

} // namespace hloscope
