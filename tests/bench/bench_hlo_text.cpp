// SPDX-License-Identifier: Apache-2.0
//
// Throughput of reading and printing HLO text, on one thread. Files named on the command line are measured beside the
// built-in inputs: a committed program, and a text made by repeating its computations under new names up to 32 MB.
#include "core/hlo/hlo_text.h"

#include <benchmark/benchmark.h>

#include <cstdio>

using namespace hloscope;

namespace {

using Bytes = std::shared_ptr<const FileBytes>;

Bytes openOrDie(const std::string& path)
{
    auto file = FileBytes::open(path);
    if (!file) {
        std::fprintf(stderr, "%s\n", file.error().format().c_str());
        std::exit(1);
    }
    return *file;
}

// The text again and again in one module: every `%name` gets the number of its copy, and only the last copy has an
// entry.
Bytes repeated(const Bytes& original, size_t size)
{
    const std::string_view text = original->bytes();
    const size_t body = text.find("\n%") + 1;
    std::string result(text.substr(0, body));
    for (int copy = 0; result.size() < size; ++copy) {
        const std::string suffix = ".copy" + std::to_string(copy);
        for (size_t i = body; i < text.size(); ++i) {
            if (text.compare(i, 6, "ENTRY ") == 0) {
                i += 5;
                continue;
            }
            result += text[i];
            if (text[i] != '%')
                continue;
            while (i + 1 < text.size()
                   && (std::isalnum(static_cast<unsigned char>(text[i + 1])) || text[i + 1] == '_' || text[i + 1] == '.'
                       || text[i + 1] == '-'))
                result += text[++i];
            result += suffix;
        }
    }
    return FileBytes::fromString(std::move(result), "repeated");
}

void parse(benchmark::State& state, const Bytes& file)
{
    size_t instructions = 0;
    for ([[maybe_unused]] auto round : state) {
        const auto module = parseHloText(file);
        instructions = module ? (*module)->instructions.size() : 0;
        benchmark::DoNotOptimize(instructions);
    }
    state.SetBytesProcessed(static_cast<int64_t>(state.iterations()) * static_cast<int64_t>(file->bytes().size()));
    state.counters["instructions"] = static_cast<double>(instructions);
}

void print(benchmark::State& state, const Bytes& file)
{
    const auto module = parseHloText(file);
    if (!module) {
        state.SkipWithError("cannot be read");
        return;
    }
    for ([[maybe_unused]] auto round : state)
        benchmark::DoNotOptimize(printModule(**module));
    state.SetBytesProcessed(static_cast<int64_t>(state.iterations()) * static_cast<int64_t>(file->bytes().size()));
}

void add(const std::string& name, const Bytes& file)
{
    benchmark::RegisterBenchmark(("parse/" + name).c_str(), [file](benchmark::State& s) {
        parse(s, file);
    })->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark(("print/" + name).c_str(), [file](benchmark::State& s) {
        print(s, file);
    })->Unit(benchmark::kMillisecond);
}

} // namespace

int main(int argc, char** argv)
{
    benchmark::Initialize(&argc, argv);
    const Bytes program = openOrDie(HLOSCOPE_SOURCE_DIR "/tests/data/corpus/transformer_sharded.v2-2x2/module.hlo");
    add("transformer_sharded.v2-2x2", program);
    add("repeated to 32 MB", repeated(program, 32u << 20));
    for (int i = 1; i < argc; ++i) {
        const std::string path = argv[i];
        add(path.substr(path.rfind('/') + 1), openOrDie(path));
    }
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
}
