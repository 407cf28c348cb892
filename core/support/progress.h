// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

namespace hloscope {

// Shared between a worker and whoever waits for it. The worker reports a fraction (0 to 1) and the phase it is in, and
// polls `isCancelled()` at least every 10 ms of work; both sides may be on any thread.
class Progress {
public:
    enum class Phase : int { Reading, Parsing, Indexing, Analysing, LayingOut, Writing };

    void report(Phase phase, double fraction)
    {
        m_phase.store(phase, std::memory_order_relaxed);
        m_fraction.store(fraction, std::memory_order_relaxed);
    }
    Phase phase() const { return m_phase.load(std::memory_order_relaxed); }
    double fraction() const { return m_fraction.load(std::memory_order_relaxed); }

    void cancel() { m_cancelled.store(true, std::memory_order_relaxed); }
    bool isCancelled() const { return m_cancelled.load(std::memory_order_relaxed); }

private:
    std::atomic<double> m_fraction{0.0};
    std::atomic<Phase> m_phase{Phase::Reading};
    std::atomic<bool> m_cancelled{false};
};

} // namespace hloscope
