// SPDX-License-Identifier: Apache-2.0
#include "synthetic_module.h"

#include "core/memory/memory_report.h"

#include <benchmark/benchmark.h>

using namespace hloscope;

namespace {

void analyse(benchmark::State& state, const std::shared_ptr<const HloModule>& module)
{
    if (!module) {
        state.SkipWithError("the module is not here");
        return;
    }
    for (auto _ : state) {
        auto report = analyseMemory(*module);
        if (!report)
            state.SkipWithError(report.error().format().c_str());
        benchmark::DoNotOptimize(report);
    }
    state.counters["instructions"] = static_cast<double>(module->instructions.size());
}

void memoryOfSynthetic(benchmark::State& state)
{
    analyse(state, bench::syntheticModule(static_cast<int>(state.range(0))));
}
BENCHMARK(memoryOfSynthetic)->Arg(10'000)->Arg(100'000)->Unit(benchmark::kMillisecond);

void memoryOfLargestCorpusModule(benchmark::State& state)
{
    analyse(state, bench::largestCorpusModule("after_optimizations.hlo"));
}
BENCHMARK(memoryOfLargestCorpusModule)->Unit(benchmark::kMillisecond);

} // namespace

BENCHMARK_MAIN();
