// SPDX-License-Identifier: Apache-2.0
#include "core/hlo/hlo_text.h"
#include "core/tpu/op_cost.h"

#include <cstdlib>
#include <filesystem>
#include <string>

#include <benchmark/benchmark.h>

namespace {

using namespace hloscope;

// The largest program of the shared corpus: 16 Transformer layers with their gradients, 27 000 instructions.
std::shared_ptr<const HloModule> largestModule()
{
    const char* folder = std::getenv("HLOSCOPE_SHARED");
    const std::filesystem::path root = folder ? folder : HLOSCOPE_SOURCE_DIR "/../shared";
    const auto bytes = FileBytes::open((root / "corpus/lm_train_16_layers.v5e-4x4/module.hlo").string());
    if (!bytes)
        return nullptr;
    const auto module = parseHloText(*bytes);
    return module ? *module : nullptr;
}

void analyseLargestModule(benchmark::State& state)
{
    const auto module = largestModule();
    const ChipSpec* chip = findChip("v5e");
    if (!module) {
        state.SkipWithError("the shared corpus is not here");
        return;
    }
    for (auto _ : state)
        benchmark::DoNotOptimize(analyseCost(*module, *chip).modelPs);
    state.counters["instructions"] = static_cast<double>(module->instructions.size());
    state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(module->instructions.size()));
}
BENCHMARK(analyseLargestModule)->Unit(benchmark::kMillisecond);

} // namespace

BENCHMARK_MAIN();
