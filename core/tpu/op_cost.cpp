// SPDX-License-Identifier: Apache-2.0
#include "core/tpu/op_cost.h"

namespace hloscope {

std::string_view boundByName(BoundBy bound)
{
    switch (bound) {
    case BoundBy::Mxu:
        return "mxu";
    case BoundBy::Vpu:
        return "vpu";
    case BoundBy::Hbm:
        return "hbm";
    case BoundBy::Vmem:
        return "vmem";
    case BoundBy::Ici:
        return "ici";
    case BoundBy::Dcn:
        return "dcn";
    case BoundBy::Host:
        return "host";
    case BoundBy::Latency:
        return "latency";
    case BoundBy::None:
        return "none";
    case BoundBy::Unknown:
        break;
    }
    return "unknown";
}

ModuleCost analyseCost(const HloModule& module, const ChipSpec& chip, Progress*)
{
    ModuleCost cost;
    cost.chip = &chip;
    cost.ops.resize(module.instructions.size());
    cost.occurrences.assign(module.computations.size(), 1.0);
    return cost;
}

} // namespace hloscope
