// SPDX-License-Identifier: Apache-2.0
#include "synthetic_module.h"

#include "core/tpu/simulation.h"

#include <benchmark/benchmark.h>

using namespace hloscope;

namespace {

// Costs and memory are made before the clock runs.
void measure(benchmark::State& state, const std::shared_ptr<const HloModule>& module)
{
    if (!module) {
        state.SkipWithError("the module is not here");
        return;
    }
    const ModuleCost cost = analyseCost(*module, *findChip("v5e"));
    const auto memory = analyseMemory(*module);
    size_t events = 0;
    for (auto _ : state) {
        auto result = simulate(module, cost, memory ? &*memory : nullptr);
        if (!result)
            state.SkipWithError(result.error().format().c_str());
        else
            events = result->trace->eventCount();
    }
    state.counters["instructions"] = static_cast<double>(module->instructions.size());
    state.counters["events"] = static_cast<double>(events);
}

void simulateSynthetic(benchmark::State& state)
{
    measure(state, bench::syntheticModule(static_cast<int>(state.range(0))));
}
BENCHMARK(simulateSynthetic)->Arg(10'000)->Arg(100'000)->Unit(benchmark::kMillisecond);

void simulateLargestCorpusModule(benchmark::State& state)
{
    measure(state, bench::largestCorpusModule("module.hlo"));
}
BENCHMARK(simulateLargestCorpusModule)->Unit(benchmark::kMillisecond);

} // namespace

BENCHMARK_MAIN();
