// SPDX-License-Identifier: Apache-2.0
#include "core/tpu/simulated_counters.h"

#include "core/hlo/op_category.h"

#include <algorithm>
#include <unordered_map>

namespace hloscope {

namespace {

constexpr double kPsPerSecond = 1e12;

// A step function from time spans with a rate each, which may overlap.
class RateSweep {
public:
    void add(int64_t begin, int64_t duration, double amount)
    {
        if (duration <= 0 || !(amount > 0))
            return;
        const double rate = amount * kPsPerSecond / static_cast<double>(duration);
        m_changes.push_back({begin, rate, 1});
        m_changes.push_back({begin + duration, -rate, -1});
    }

    void fill(Counter& counter, int64_t end)
    {
        std::ranges::sort(m_changes, {}, &Change::time);
        append(counter, 0, 0);
        double rate = 0;
        int active = 0;
        for (const Change& change : m_changes) {
            active += change.active;
            // Sums of differences do not come back to zero by themselves.
            rate = active == 0 ? 0 : std::max(0.0, rate + change.rate);
            append(counter, change.time, rate);
        }
        append(counter, end, rate);
    }

    static void append(Counter& counter, int64_t time, double value)
    {
        if (!counter.times.empty() && counter.times.back() == time) {
            counter.values.back() = value;
            const size_t count = counter.values.size();
            if (count > 1 && counter.values[count - 2] == value) {
                counter.times.pop_back();
                counter.values.pop_back();
            }
        } else if (counter.values.empty() || counter.values.back() != value) {
            counter.times.push_back(time);
            counter.values.push_back(value);
        }
    }

private:
    struct Change {
        int64_t time;
        double rate;
        int active;
    };
    std::vector<Change> m_changes;
};

class HbmInUse {
public:
    HbmInUse(const HloModule& module, const MemoryReport& memory)
        : m_module(module)
        , m_curve(memory.spaces.front().curve)
        , m_sequence(memory.liveRanges.sequence)
        , m_positionOf(module.instructions.size(), -1)
    {
        for (size_t i = 0; i < m_sequence.size(); ++i)
            m_positionOf[m_sequence[i].index()] = static_cast<int64_t>(i);
    }

    void fill(Counter& counter, const DeviceRun& run) const
    {
        int64_t last = -1;
        for (const DeviceEvent& event : run.coreEvents()) {
            if (event.kind == DeviceEvent::Kind::Container || event.duration == 0)
                continue;
            const int64_t position = m_positionOf[event.instruction.index()];
            if (position < 0)
                continue;
            const int64_t bytes = event.kind == DeviceEvent::Kind::CutLoop ? highestInside(event.instruction, position)
                                                                           : highestSince(last, position);
            RateSweep::append(counter, event.begin, static_cast<double>(bytes));
            last = position;
        }
    }

private:
    // Ops that take no time come and go between two that do; their highest point counts for the later one.
    int64_t highestSince(int64_t last, int64_t position) const
    {
        int64_t bytes = m_curve[static_cast<size_t>(position)];
        const ComputationId computation = m_module.instruction(m_sequence[static_cast<size_t>(position)]).computation;
        for (int64_t between = last + 1; between < position; ++between) {
            const size_t at = static_cast<size_t>(between);
            if (m_module.instruction(m_sequence[at]).computation == computation)
                bytes = std::max(bytes, m_curve[at]);
        }
        return bytes;
    }

    int64_t highestInside(InstructionId container, int64_t position) const
    {
        int64_t first = position;
        for (const ComputationId callee : runComputations(m_module, container)) {
            const IndexRange range = m_module.computation(callee).instructions;
            for (uint32_t i = range.begin; i < range.end(); ++i) {
                if (m_positionOf[i] >= 0)
                    first = std::min(first, m_positionOf[i]);
            }
        }
        return *std::max_element(m_curve.begin() + first, m_curve.begin() + position + 1);
    }

    const HloModule& m_module;
    const std::vector<int64_t>& m_curve;
    const std::vector<InstructionId>& m_sequence;
    std::vector<int64_t> m_positionOf; // by InstructionId, -1 for what is no step
};

} // namespace

std::vector<Counter> simulatedCounters(const DeviceRun& run, const HloModule& module, const ModuleCost& cost,
                                       const MemoryReport* memory, PlaneId plane)
{
    std::vector<Counter> counters;
    if (memory && !memory->spaces.empty() && !memory->spaces.front().curve.empty()) {
        Counter& hbm = counters.emplace_back();
        hbm = {plane, "HBM in use", Counter::Unit::Bytes, {}, {}, cost.chip->hbmBytes.value};
        HbmInUse(module, *memory).fill(hbm, run);
    }
    RateSweep flops;
    RateSweep traffic;
    std::unordered_map<size_t, const CutWork*> cutWork;
    for (const CutWork& work : run.cutWork())
        cutWork[work.event] = &work;
    for (size_t i = 0; i < run.coreEvents().size(); ++i) {
        const DeviceEvent& event = run.coreEvents()[i];
        const OpCost& op = cost.of(event.costed);
        if (event.kind == DeviceEvent::Kind::Op || event.kind == DeviceEvent::Kind::Collective) {
            if (event.duration > 0 && categorize(module, event.instruction) == OpCategory::Matmul)
                flops.add(event.begin, event.duration, op.xla.flops);
            traffic.add(event.begin, event.duration, op.hbmReadBytes + op.hbmWriteBytes);
        } else if (const auto found = cutWork.find(i); found != cutWork.end()) {
            flops.add(event.begin, event.duration, found->second->matmulFlops);
            traffic.add(event.begin, event.duration, found->second->hbmBytes);
        }
    }
    for (const DeviceEvent& event : run.transfers()) {
        const OpCost& op = cost.of(event.costed);
        traffic.add(event.begin, event.duration, op.hbmReadBytes + op.hbmWriteBytes);
    }
    Counter& mxu = counters.emplace_back();
    mxu = {plane, "MXU rate", Counter::Unit::FlopsPerSecond, {}, {}, cost.chip->bf16FlopsPerSecond.value};
    flops.fill(mxu, run.totalPs());
    Counter& hbm = counters.emplace_back();
    hbm = {plane, "HBM bandwidth", Counter::Unit::BytesPerSecond, {}, {}, cost.chip->hbmBytesPerSecond.value};
    traffic.fill(hbm, run.totalPs());
    return counters;
}

} // namespace hloscope
