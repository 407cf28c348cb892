// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/support/progress.h"
#include "core/tpu/device_steps.h"

#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace hloscope {

// What one unit does for a while.
struct DeviceEvent {
    enum class Kind : uint8_t { Op, Collective, Transfer, Stall, Container, CutLoop };

    InstructionId instruction;
    InstructionId costed; // has the cost of it: the async-start of a transfer that begins with an async-update
    int64_t begin = 0; // picoseconds
    int64_t duration = 0; // 0 where no time is known
    Kind kind = Kind::Op;
    Lane lane = Lane::Core;
};

// Work inside a container that is shown as one block.
struct CutWork {
    size_t event = 0; // index into DeviceRun::coreEvents()
    double matmulFlops = 0;
    double hbmBytes = 0;
};

// Problem: when does each op of a scheduled module begin and end on one device?
//
// Method: the core takes the ops strictly in schedule order. A start op costs the core nothing and puts its transfer on
// a lane (DMA, links, SparseCore, host) that works through its transfers one after another; a done op holds the core
// until the transfer has ended. Loops are run trip by trip, conditionals by one branch, calls in place.
//
// A loop whose events do not fit into the budget becomes one block: its computations are summed up once, from idle
// lanes, and multiplied. The same holds for calls, so that neither trip counts nor calls of calls can make the run
// endless.
//
// Not modelled: the core and transfers share the HBM without slowing each other down, so that their rates together can
// exceed what the chip has.
//
// Cost: linear in the events, and in the instructions reached.
class DeviceRun {
public:
    // All arguments outlive the run. The call graph must have passed checkCallGraph().
    DeviceRun(const HloModule& module, DeviceSteps& steps, int64_t maxEvents, Progress* progress);

    // False when cancelled.
    bool run();

    const std::vector<DeviceEvent>& coreEvents() const { return m_coreEvents; } // containers before their content
    const std::vector<DeviceEvent>& transfers() const { return m_transfers; } // per lane in order of time
    const std::vector<CutWork>& cutWork() const { return m_cutWork; }
    // By InstructionId: picoseconds that the core spent on it in all, stalls included, containers not.
    const std::vector<double>& corePs() const { return m_corePs; }
    double matmulFlops() const { return m_matmulFlops; }
    int64_t totalPs() const;

private:
    struct Clock {
        int64_t now = 0;
        std::array<int64_t, kLaneCount> laneFree{};
    };
    // One run of a computation, inner loops multiplied.
    struct Summary {
        double ps = 0;
        double matmulFlops = 0;
        double hbmBytes = 0;
        std::vector<std::pair<InstructionId, double>> opPs;
        std::vector<std::pair<ComputationId, double>> calls; // how often each
    };

    void runComputation(ComputationId id, double budget);
    void runContainer(const DeviceStep& step, double budget);
    void expand(const DeviceStep& step, double budgetPerTrip);
    void cut(const DeviceStep& step, size_t event);
    void occupyCore(const DeviceStep& step, DeviceEvent::Kind kind, int64_t duration);
    int64_t beginTransfer(Clock& clock, const DeviceStep& step);
    int64_t stall(const Clock& clock, const DeviceStep& step) const;
    const Summary& summaryOf(ComputationId id);
    void addStep(Summary& summary, Clock& clock, const DeviceStep& step);
    void spreadSummaries();
    double eventCount() const { return static_cast<double>(m_coreEvents.size() + m_transfers.size()); }

    const HloModule& m_module;
    DeviceSteps& m_steps;
    double m_maxEvents;
    Progress* m_progress;

    Clock m_clock;
    std::vector<int64_t> m_transferEnd; // by InstructionId of the start, -1 when it never started
    bool m_isCancelled = false;
    uint64_t m_stepCount = 0;

    std::vector<std::optional<Summary>> m_summaries; // by ComputationId
    std::vector<ComputationId> m_summaryOrder; // callees before callers
    std::vector<double> m_summaryRuns; // by ComputationId

    std::vector<DeviceEvent> m_coreEvents;
    std::vector<DeviceEvent> m_transfers;
    std::vector<CutWork> m_cutWork;
    std::vector<double> m_corePs;
    double m_matmulFlops = 0;
};

} // namespace hloscope
