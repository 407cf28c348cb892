// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tpu/device_run.h"
#include "core/tpu/scope_tree.h"

#include <memory>

namespace hloscope {

// Turns a run into a trace with the lines of a real TPU profile.
class SimulatedTrace {
public:
    SimulatedTrace(std::shared_ptr<const HloModule> module, const ModuleCost& cost, const MemoryReport* memory,
                   const DeviceRun& run, const Problems& problems);

    // Null on cancel.
    std::shared_ptr<const Trace> build(Progress* progress);
    // Time per scope, parents before children, from the run.
    std::vector<ScopeTime> scopeTimes();

private:
    EventKindId kindOf(InstructionId id);
    EventKindId kindOfScope(uint32_t node);
    void addModuleTrack();
    void addScopeTrack();
    void addOpTracks();
    double appendScopeTimes(uint32_t node, std::vector<ScopeTime>& times) const;

    std::shared_ptr<const HloModule> m_module;
    const ModuleCost& m_cost;
    const MemoryReport* m_memory;
    const DeviceRun& m_run;
    const Problems& m_problems;
    ScopeTree m_scopes;
    TraceBuilder m_builder;
    PlaneId m_plane;
    std::vector<EventKindId> m_kinds; // by InstructionId
    std::vector<EventKindId> m_scopeKinds; // by node of the scope tree
};

// For every instruction the first event on the lines of ops (XLA Ops, Async XLA Ops, Collectives) that shows it. A done
// op that never waited has the event of its transfer.
std::vector<EventId> firstEvents(const HloModule& module, const AsyncChains& chains, const Trace& trace);

} // namespace hloscope
