// SPDX-License-Identifier: Apache-2.0
#include "core/hlo/attributes.h"
#include "core/hlo/hlo_text.h"
#include "core/hlo/op_category.h"
#include "core/tpu/op_cost.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

// How far the model's times are from the compiler's estimates, op by op, on the shared corpora:
//   model_accuracy [--worst N] [CHIP...]
// Ops below 5000 cycles are left out: they are dominated by latencies and do not matter for a module.
namespace {

using namespace hloscope;
namespace fs = std::filesystem;

constexpr int64_t kLeastCycles = 5000;

struct Sample {
    std::string where;
    std::string kind;
    double model = 0; // picoseconds
    double estimate = 0;

    double error() const { return std::abs(model - estimate) / estimate; }
};

fs::path sharedFolder()
{
    if (const char* folder = std::getenv("HLOSCOPE_SHARED"))
        return folder;
    return fs::path(HLOSCOPE_SOURCE_DIR) / ".." / "shared";
}

std::string kindOf(const HloModule& module, InstructionId id)
{
    const auto config = module.attribute(id, "backend_config");
    const std::string emitter = config ? parseTpuBackendConfig(*config).emitter : std::string();
    if (emitter.starts_with("EmitReduceWindow"))
        return "reduce-window";
    if (!emitter.empty() || categorize(module, id) == OpCategory::Matmul)
        return "matmul";
    return module.instruction(id).opcode == Opcode::Copy ? "copy" : "loop";
}

void addModule(const fs::path& path, const std::string& program, const ChipSpec& chip, std::vector<Sample>& samples)
{
    const auto bytes = FileBytes::open(path.string());
    if (!bytes)
        return;
    const auto module = parseHloText(*bytes);
    if (!module)
        return;
    const ModuleCost cost = analyseCost(**module, chip);
    for (size_t i = 0; i < cost.ops.size(); ++i) {
        const OpCost& op = cost.ops[i];
        if (!op.compilerPs || !op.modelPs || *op.compilerCycles < kLeastCycles)
            continue;
        const InstructionId id(i);
        samples.push_back({fmt::format("{} {}", program, (*module)->instruction(id).name), kindOf(**module, id),
                           *op.modelPs, *op.compilerPs});
    }
}

// Samples by chip id, from all programs whose folder names a topology and from the one-op programs.
std::map<std::string, std::vector<Sample>> collect()
{
    std::map<std::string, std::vector<Sample>> result;
    const fs::path root = sharedFolder();
    std::error_code error;
    for (const auto& folder : fs::directory_iterator(root / "corpus", error)) {
        const std::string name = folder.path().filename().string();
        const size_t dot = name.rfind('.');
        const size_t dash = name.find('-', dot == std::string::npos ? 0 : dot);
        if (dot == std::string::npos || dash == std::string::npos)
            continue;
        if (const ChipSpec* chip = findChip(name.substr(dot + 1, dash - dot - 1)))
            addModule(folder.path() / "module.hlo", name, *chip, result[std::string(chip->id)]);
    }
    for (const auto& folder : fs::directory_iterator(root / "op-corpus", error)) {
        const ChipSpec* chip = findChip(folder.path().filename().string());
        if (!chip || !folder.is_directory())
            continue;
        for (const auto& file : fs::directory_iterator(folder.path(), error)) {
            if (file.path().extension() == ".gz")
                addModule(file.path(), file.path().stem().string(), *chip, result[std::string(chip->id)]);
        }
    }
    return result;
}

double quantile(const std::vector<double>& sorted, double part)
{
    return sorted[static_cast<size_t>(part * static_cast<double>(sorted.size() - 1) + 0.5)];
}

void printRow(std::string_view chip, std::string_view kind, const std::vector<Sample>& samples)
{
    std::vector<double> errors;
    for (const Sample& sample : samples) {
        if (kind.empty() || sample.kind == kind)
            errors.push_back(sample.error());
    }
    if (errors.empty())
        return;
    std::sort(errors.begin(), errors.end());
    fmt::print("{:5} {:14} {:5} {:8.1f} {:8.1f}\n", chip, kind.empty() ? "all" : kind, errors.size(),
               100 * quantile(errors, 0.5), 100 * quantile(errors, 0.9));
}

void printWorst(std::vector<Sample> samples, size_t count)
{
    std::sort(samples.begin(), samples.end(), [](const Sample& a, const Sample& b) { return a.error() > b.error(); });
    for (size_t i = 0; i < std::min(count, samples.size()); ++i) {
        const Sample& sample = samples[i];
        fmt::print("    {:+7.1f} %  {:12.0f} ps, estimate {:12.0f} ps  {} ({})\n",
                   100 * (sample.model / sample.estimate - 1), sample.model, sample.estimate, sample.where,
                   sample.kind);
    }
}

} // namespace

int main(int argc, char** argv)
{
    size_t worst = 0;
    std::vector<std::string> wanted;
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        if (argument == "--worst" && i + 1 < argc)
            worst = std::strtoul(argv[++i], nullptr, 10);
        else
            wanted.push_back(argument);
    }
    const auto samples = collect();
    if (samples.empty()) {
        fmt::print(stderr, "no corpus in {}; set HLOSCOPE_SHARED\n", sharedFolder().string());
        return 1;
    }
    fmt::print("{:5} {:14} {:>5} {:>8} {:>8}   |model - estimate| / estimate in %, ops of at least {} cycles\n", "chip",
               "kind", "ops", "median", "p90", kLeastCycles);
    for (const auto& [chip, list] : samples) {
        if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), chip) == wanted.end())
            continue;
        for (std::string_view kind : {"", "matmul", "loop", "copy", "reduce-window"})
            printRow(chip, kind, list);
        printWorst(list, worst);
    }
    return 0;
}
