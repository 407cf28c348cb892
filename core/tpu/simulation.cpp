// SPDX-License-Identifier: Apache-2.0
#include "core/tpu/simulation.h"

namespace hloscope {

Expected<Simulation> simulate(std::shared_ptr<const HloModule> module, const ModuleCost&, const MemoryReport*,
                              const SimulationOptions&, Progress*)
{
    return makeError(module->name, "this module cannot be simulated");
}

} // namespace hloscope
