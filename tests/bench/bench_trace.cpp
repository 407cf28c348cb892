// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/op_statistics.h"
#include "core/trace/level_of_detail.h"

#include <benchmark/benchmark.h>

#include <map>
#include <random>

using namespace hloscope;

namespace {

// A track of steps, each with `children` ops, some of them nearly nothing and with small gaps, as on a TensorCore.
std::shared_ptr<const Trace> makeTrace(int64_t count)
{
    static std::map<int64_t, std::shared_ptr<const Trace>> cache;
    auto& trace = cache[count];
    if (trace)
        return trace;
    constexpr int64_t children = 1000;
    std::mt19937_64 random(1);
    TraceBuilder builder;
    const TrackId track = builder.addTrack(builder.addPlane("/device:TPU:0"), "XLA Ops");
    for (size_t i = 0; i < 500; ++i) {
        EventKind kind;
        kind.name = "fusion." + std::to_string(i);
        kind.category = static_cast<OpCategory>(i % kOpCategoryCount);
        builder.addKind(kind);
    }
    int64_t time = 0;
    for (int64_t i = 0; i < count;) {
        const int64_t begin = time;
        std::vector<std::pair<int64_t, int64_t>> ops;
        for (int64_t child = 1; child < children && i + child < count; ++child) {
            const auto duration = static_cast<int64_t>(random() % 2'000'000);
            ops.emplace_back(time, duration);
            time += duration + static_cast<int64_t>(random() % 20'000);
        }
        builder.addEvent(track, EventKindId(0), begin, time - begin);
        for (const auto& [at, duration] : ops)
            builder.addEvent(track, EventKindId(random() % 500), at, duration);
        i += static_cast<int64_t>(ops.size()) + 1;
        time += 50'000;
    }
    trace = std::move(builder).build();
    return trace;
}

constexpr int64_t kPixels = 1600;

void buildLevelOfDetail(benchmark::State& state)
{
    const auto trace = makeTrace(state.range(0));
    size_t bytes = 0;
    for (auto _ : state) {
        const auto levels = LevelOfDetail::ofTrack(*trace, TrackId(0));
        bytes = 0;
        for (const LevelOfDetail& level : levels)
            bytes += level.memoryBytes();
    }
    state.SetItemsProcessed(state.iterations() * state.range(0));
    state.counters["bytes/event"] = static_cast<double>(bytes) / static_cast<double>(trace->eventCount());
}
BENCHMARK(buildLevelOfDetail)->RangeMultiplier(10)->Range(10'000, 10'000'000)->Unit(benchmark::kMillisecond);

// The whole track in a window of 1600 pixels, and a hundredth of it.
void queryLevelOfDetail(benchmark::State& state)
{
    const auto trace = makeTrace(state.range(0));
    const LevelOfDetail detail(*trace, TrackId(0), 1);
    const auto [first, last] = trace->span();
    const int64_t length = (last - first) / state.range(1);
    const int64_t begin = first + (last - first) / 3 / state.range(1);
    const int64_t pixel = std::max<int64_t>(length / kPixels, 1);
    std::vector<LevelOfDetail::Mark> marks;
    for (auto _ : state) {
        marks.clear();
        detail.query(*trace, begin, begin + length, 2 * pixel, 4 * pixel, marks);
        benchmark::DoNotOptimize(marks.data());
    }
    state.counters["marks"] = static_cast<double>(marks.size());
}
BENCHMARK(queryLevelOfDetail)
    ->ArgsProduct({{10'000, 100'000, 1'000'000, 10'000'000}, {1, 100}})
    ->Unit(benchmark::kMicrosecond);

// A zoom so far out that everything falls into a few pixels.
void queryOneRun(benchmark::State& state)
{
    const auto trace = makeTrace(state.range(0));
    const LevelOfDetail detail(*trace, TrackId(0), 1);
    const auto [first, last] = trace->span();
    std::vector<LevelOfDetail::Mark> marks;
    for (auto _ : state) {
        marks.clear();
        detail.query(*trace, first, last, last - first, 4 * (last - first), marks);
        benchmark::DoNotOptimize(marks.data());
    }
    state.counters["events"] = marks.empty() ? 0.0 : marks.front().count;
}
BENCHMARK(queryOneRun)->RangeMultiplier(10)->Range(10'000, 10'000'000)->Unit(benchmark::kNanosecond);

void buildTrace(benchmark::State& state)
{
    const auto source = makeTrace(state.range(0));
    for (auto _ : state) {
        TraceBuilder builder;
        const TrackId track = builder.addTrack(builder.addPlane("p"), "t");
        for (size_t i = 0; i < source->eventCount(); ++i)
            builder.addEvent(track, EventKindId(source->eventKinds[i]), source->begins[i], source->durations[i]);
        benchmark::DoNotOptimize(std::move(builder).build());
    }
    state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(buildTrace)->Arg(1'000'000)->Unit(benchmark::kMillisecond);

void sumByName(benchmark::State& state)
{
    const auto trace = makeTrace(state.range(0));
    for (auto _ : state)
        benchmark::DoNotOptimize(statisticsByName(*trace));
    state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(sumByName)->Arg(1'000'000)->Unit(benchmark::kMillisecond);

} // namespace

BENCHMARK_MAIN();
