// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tpu/device_run.h"

#include <optional>

namespace hloscope {

// The counters of a simulated device: bytes of HBM in use (when there is a memory report), the rate of matmul
// operations and the rate of HBM traffic, each with the chip's limit.
std::vector<Counter> simulatedCounters(const DeviceRun& run, const HloModule& module, const ModuleCost& cost,
                                       const MemoryReport* memory, PlaneId plane);

} // namespace hloscope
