// SPDX-License-Identifier: Apache-2.0
#include "core/formats/trace_writer.h"
#include "core/formats/xspace_reader.h"

#include <benchmark/benchmark.h>

#include <sys/resource.h>

#include <filesystem>
#include <random>

using namespace hloscope;

namespace {

// As a TPU profile has it: ops with device times, a flops stat on the kind, host threads beside.
std::shared_ptr<const FileBytes> generatedProfile(size_t count)
{
    class Stats : public ArgumentSource {
    public:
        std::vector<Argument> decode(uint64_t reference) const override
        {
            const std::string text = std::to_string(reference);
            return {{"device_offset_ps", text, static_cast<double>(reference)}, {"device_duration_ps", "1250", 1250.0}};
        }
    };
    std::mt19937_64 random(1);
    TraceBuilder builder;
    const TrackId ops = builder.addTrack(builder.addPlane("/device:TPU:0"), "XLA Ops");
    const TrackId host = builder.addTrack(builder.addPlane("/host:CPU"), "python");
    for (size_t i = 0; i < 2000; ++i) {
        EventKind kind;
        kind.displayName = "fusion." + std::to_string(i);
        kind.name = "%" + kind.displayName + " = bf16[8,1024,8192]{2,1,0:T(8,128)(2,1)} fusion(%p), kind=kLoop";
        kind.category = OpCategory::Pointwise;
        kind.programId = 17342868964687645945u;
        builder.addKind(kind);
    }
    int64_t time = 0;
    for (size_t i = 0; i < count; ++i) {
        const auto duration = static_cast<int64_t>(random() % 2'000'000);
        builder.addEvent(i % 4 == 3 ? host : ops, EventKindId(random() % 2000), time, duration,
                         static_cast<uint64_t>(time));
        time += duration + 1000;
    }
    builder.trace().argumentSource = std::make_shared<Stats>();
    const std::string path = std::filesystem::temp_directory_path() / "hloscope_bench.xplane.pb";
    const auto written = writeXSpace(*std::move(builder).build(), path);
    auto file = written ? FileBytes::open(path) : Expected<std::shared_ptr<const FileBytes>>(written.error());
    std::filesystem::remove(path);
    return file ? *file : nullptr;
}

void readProfile(benchmark::State& state, const std::shared_ptr<const FileBytes>& file)
{
    if (file == nullptr) {
        state.SkipWithError("the file is not here");
        return;
    }
    size_t events = 0;
    for (auto _ : state) {
        const auto contents = readXSpace(file);
        events = contents ? contents->trace->eventCount() : 0;
    }
    state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(events));
    state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(file->bytes().size()));
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    state.counters["peak MB"] = static_cast<double>(usage.ru_maxrss) / 1024;
}

void readBundledProfile(benchmark::State& state)
{
    const auto file = FileBytes::open(HLOSCOPE_SOURCE_DIR "/resources/samples/transformer_training.cpu8.xplane.pb.gz");
    readProfile(state, file ? *file : nullptr);
}
BENCHMARK(readBundledProfile)->Unit(benchmark::kMillisecond);

void readGeneratedProfile(benchmark::State& state)
{
    readProfile(state, generatedProfile(static_cast<size_t>(state.range(0))));
}
BENCHMARK(readGeneratedProfile)->Arg(1'000'000)->Unit(benchmark::kMillisecond);

} // namespace

// Profiles that are named on the command line are read as well.
int main(int argc, char** argv)
{
    benchmark::Initialize(&argc, argv);
    for (int i = 1; i < argc; ++i) {
        benchmark::RegisterBenchmark(argv[i], [path = std::string(argv[i])](benchmark::State& state) {
            const auto file = FileBytes::open(path);
            readProfile(state, file ? *file : nullptr);
        })->Unit(benchmark::kMillisecond);
    }
    benchmark::RunSpecifiedBenchmarks();
}
