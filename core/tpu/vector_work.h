// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hlo/hlo_module.h"
#include "core/tpu/timing_constants.h"

#include <functional>

namespace hloscope {

// Calls `visit` for the instruction, or for everything inside when it is a fusion, nested fusions included. Stops after
// a number of instructions that no real fusion has.
void visitFused(const HloModule& module, InstructionId id, const std::function<void(InstructionId)>& visit);

// Cycles of the vector unit for everything that an op does, all windows together.
struct VectorWork {
    double arithmetic = 0; // one slot per register and op; reductions by their input
    double special = 0; // exponentials, divisions, broadcasts along lanes

    double total() const { return arithmetic + special; }
};

// `windowLanes`: registers beside each other in the output window, which share one broadcast along lanes; 0 when
// unknown.
VectorWork vectorWork(const HloModule& module, InstructionId id, const TimingConstants& constants, double windowLanes);

} // namespace hloscope
