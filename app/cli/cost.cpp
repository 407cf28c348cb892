// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command.h"

#include "core/hlo/attributes.h"
#include "core/tpu/op_cost.h"
#include "views/words/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>

namespace hloscope::cli {
namespace {

using Json = nlohmann::ordered_json;

Json picoseconds(const std::optional<double>& value)
{
    return value ? Json(static_cast<int64_t>(std::llround(*value))) : Json();
}

Json textOrNull(const std::string& text)
{
    return text.empty() ? Json() : Json(text);
}

std::string sourceOf(const HloModule& module, InstructionId id)
{
    const OpMetadata metadata = module.metadata(id);
    if (!metadata.sourceFile.empty())
        return fmt::format("{}:{}", metadata.sourceFile, metadata.sourceLine);
    const auto stack = module.stack(id);
    return stack.empty() ? std::string() : fmt::format("{}:{}", stack.front().file, stack.front().line);
}

Json opJson(const HloModule& module, const ModuleCost& cost, InstructionId id)
{
    const HloInstruction& instruction = module.instruction(id);
    const OpCost& op = cost.of(id);
    const auto kind = module.attribute(id, "kind");
    Json calls = Json::array();
    for (const ComputationId called : module.called(id))
        calls.push_back(module.computation(called).name);
    return {{"name", instruction.name},
            {"computation", module.computation(instruction.computation).name},
            {"opcode", instruction.opcodeText},
            {"fusion_kind", kind && instruction.opcode == Opcode::Fusion ? Json(*kind) : Json()},
            {"calls", std::move(calls)},
            {"occurrences", cost.occurrences[instruction.computation.index()]},
            {"flops", op.xla.flops},
            {"transcendentals", op.xla.transcendentals},
            {"bytes_accessed", op.xla.bytesAccessed},
            {"bytes",
             {{"hbm_read", op.hbmReadBytes},
              {"hbm_write", op.hbmWriteBytes},
              {"vmem_read", op.vmemReadBytes},
              {"vmem_write", op.vmemWriteBytes}}},
            {"model_ps", picoseconds(op.modelPs)},
            {"compiler_cycles", op.compilerCycles ? Json(*op.compilerCycles) : Json()},
            {"compiler_ps", picoseconds(op.compilerPs)},
            {"bound_by", boundByName(op.boundBy)},
            {"op_name", textOrNull(module.metadata(id).opName)},
            {"source", textOrNull(sourceOf(module, id))}};
}

// Instructions that run: those of the entry and of the computations it runs, fused bodies left out.
std::vector<InstructionId> runningInstructions(const HloModule& module, const ModuleCost& cost)
{
    std::vector<InstructionId> ids;
    for (size_t i = 0; i < module.instructions.size(); ++i) {
        if (cost.occurrences[module.instructions[i].computation.index()] > 0)
            ids.emplace_back(i);
    }
    return ids;
}

void writeText(const HloModule& module, const ModuleCost& cost, Streams streams)
{
    std::vector<InstructionId> ids = runningInstructions(module, cost);
    const auto time = [&](InstructionId id) {
        return cost.of(id).modelPs.value_or(0) * cost.occurrences[module.instruction(id).computation.index()];
    };
    std::stable_sort(ids.begin(), ids.end(), [&](InstructionId a, InstructionId b) { return time(a) > time(b); });
    streams.out << fmt::format("{} on {}: model {}, {} flops, {} accessed\n", module.name, cost.chip->name,
                               formatTime(std::llround(cost.modelPs)).toStdString(),
                               formatRate(cost.total.flops, QStringLiteral("FLOP")).toStdString(),
                               formatBytes(std::llround(cost.total.bytesAccessed)).toStdString());
    streams.out << fmt::format("{:<44} {:>6} {:>12} {:>12} {:>14} {:>12}  {}\n", "instruction", "runs", "model",
                               "compiler", "flops", "bytes", "bound by");
    for (const InstructionId id : ids) {
        const OpCost& op = cost.of(id);
        const bool isFree = op.boundBy == BoundBy::None && op.modelPs.value_or(0) == 0;
        if (isFree)
            continue;
        const auto timeText = [](const std::optional<double>& ps) {
            return ps ? formatTime(std::llround(*ps)).toStdString() : std::string("no time");
        };
        streams.out << fmt::format(
            "{:<44} {:>6} {:>12} {:>12} {:>14} {:>12}  {}\n",
            elideName(QString::fromUtf8(module.instruction(id).name.data(),
                                        static_cast<qsizetype>(module.instruction(id).name.size())),
                      44)
                .toStdString(),
            cost.occurrences[module.instruction(id).computation.index()], timeText(op.modelPs), timeText(op.compilerPs),
            formatRate(op.xla.flops, QStringLiteral("FLOP")).toStdString(),
            formatBytes(std::llround(op.xla.bytesAccessed)).toStdString(), boundByName(op.boundBy));
    }
    if (cost.unknownOps > 0)
        streams.out << fmt::format("{} ops have no time: the total is at least what is shown\n", cost.unknownOps);
}

} // namespace

int runCost(const QStringList& arguments, Streams streams)
{
    CommandParser parser(*findCommand(QStringLiteral("cost")), streams);
    parser.addValue({QStringLiteral("module")}, QStringLiteral("M"), QStringLiteral("Module to price."));
    parser.addValue({QStringLiteral("chip")}, QStringLiteral("C"), QStringLiteral("Chip, such as v5e."));
    parser.addFlag(QStringLiteral("json"), QStringLiteral("Write JSON."));
    if (!parser.parse(arguments, 1, 1))
        return parser.exitCode();
    const auto document = openForCommand(parser.positional().constFirst(), streams);
    if (!document)
        return BadInput;
    const auto module = chooseModule(*document, parser.value(QStringLiteral("module")), streams);
    if (!module)
        return BadInput;
    const ChipSpec* chip = chooseChip(parser.value(QStringLiteral("chip")), *document, streams);
    if (chip == nullptr)
        return WrongUsage;
    const ModuleCost cost = analyseCost(*module, *chip);
    if (!parser.isSet(QStringLiteral("json"))) {
        writeText(*module, cost, streams);
        return Success;
    }
    Json ops = Json::array();
    for (const InstructionId id : runningInstructions(*module, cost))
        ops.push_back(opJson(*module, cost, id));
    writeJson({{"module", module->name},
               {"chip", chip->id},
               {"clock_hz", chip->clockHz.hasValue() ? Json(*chip->clockHz) : Json()},
               {"ops", std::move(ops)},
               {"totals",
                {{"flops", cost.total.flops},
                 {"transcendentals", cost.total.transcendentals},
                 {"bytes_accessed", cost.total.bytesAccessed},
                 {"optimal_seconds", cost.total.optimalSeconds},
                 {"model_ps", std::llround(cost.modelPs)},
                 {"compiler_ps", std::llround(cost.compilerPs)},
                 {"unpriced_ops", cost.unpricedOps},
                 {"unknown_ops", cost.unknownOps}}}},
              streams);
    return Success;
}

} // namespace hloscope::cli
