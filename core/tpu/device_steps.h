// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/memory/control_flow.h"
#include "core/support/diagnostic.h"
#include "core/tpu/op_placement.h"
#include "core/tpu/simulation.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace hloscope {

// One instruction as the device sees it.
struct DeviceStep {
    InstructionId id;
    OpPlacement placement;
    int64_t duration = 0; // picoseconds; of Start: on its lane. 0 where no time is known
    double matmulFlops = 0;
    double hbmBytes = 0;
    int64_t trips = 1; // of a while
    std::vector<ComputationId> callees; // condition and body, the chosen branch, the callee

    bool isContainer() const
    {
        return placement.role == OpRole::While || placement.role == OpRole::Conditional
            || placement.role == OpRole::Call;
    }
};

// The computations of a module as lists of steps, priced and without what takes no time. Made on demand.
class DeviceSteps {
public:
    DeviceSteps(const HloModule& module, const AsyncChains& chains, const ModuleCost& cost, Timing timing);

    const std::vector<DeviceStep>& of(ComputationId id);
    // Events of one run when every container is closed.
    double closedEvents(ComputationId id) { return static_cast<double>(of(id).size()); }
    // Events of one run with everything expanded.
    double allEvents(ComputationId id);

    // Instructions made so far whose time nobody knows.
    int64_t withoutTime() const { return m_withoutTime; }
    // Loops without a trip count, branches that were chosen, done ops without a start.
    const Problems& problems() const { return m_problems; }
    void note(InstructionId id, std::string message);

private:
    std::optional<DeviceStep> makeStep(InstructionId id);
    bool setTime(DeviceStep& step, InstructionId costed);
    void setTrips(DeviceStep& step);
    void chooseBranch(DeviceStep& step);

    const HloModule& m_module;
    const AsyncChains& m_chains;
    const ModuleCost& m_cost;
    Timing m_timing;
    std::vector<std::optional<std::vector<DeviceStep>>> m_steps; // by ComputationId
    std::vector<double> m_allEvents; // by ComputationId, -1 when not counted yet
    int64_t m_withoutTime = 0;
    Problems m_problems;
};

} // namespace hloscope
