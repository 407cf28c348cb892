// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command.h"

#include "core/formats/trace_writer.h"
#include "core/tpu/simulation.h"
#include "views/words/units.h"

#include <fmt/format.h>

#include <ostream>

namespace hloscope::cli {
namespace {

using Json = nlohmann::ordered_json;

std::optional<Timing> timingFromName(const QString& name)
{
    if (name.isEmpty() || name == QLatin1String("best"))
        return Timing::Best;
    if (name == QLatin1String("model"))
        return Timing::Model;
    if (name == QLatin1String("hardware"))
        return Timing::Hardware;
    if (name == QLatin1String("compiler"))
        return Timing::Compiler;
    return std::nullopt;
}

Json simulationJson(const HloModule& module, const ChipSpec& chip, const QString& timing, const Simulation& simulation)
{
    Json scopes = Json::array();
    for (const ScopeTime& scope : simulation.scopes)
        scopes.push_back({{"scope", scope.scope}, {"self_ps", scope.selfPs}, {"total_ps", scope.totalPs}});
    Json events = Json::array();
    const Trace& trace = *simulation.trace;
    for (const Track& track : trace.tracks) {
        for (uint32_t i = track.events.begin; i < track.events.end(); ++i) {
            const EventId event(i);
            events.push_back({{"line", track.name},
                              {"name", trace.kind(event).label()},
                              {"begin_ps", trace.begin(event)},
                              {"duration_ps", trace.duration(event)}});
        }
    }
    return {{"module", module.name},
            {"chip", chip.id},
            {"timing", timing.toStdString()},
            {"total_ps", simulation.totalPs},
            {"peak_hbm_bytes", simulation.peakHbmBytes},
            {"mfu", simulation.mfu ? Json(*simulation.mfu) : Json()},
            {"ops_without_time", simulation.opsWithoutTime},
            {"scopes", std::move(scopes)},
            {"events", std::move(events)}};
}

void writeText(const HloModule& module, const ChipSpec& chip, const Simulation& simulation, Streams streams)
{
    streams.out << fmt::format(
        "{} on {}: {}{}, peak HBM {}", module.name, chip.name, simulation.opsWithoutTime > 0 ? "at least " : "",
        formatTime(simulation.totalPs).toStdString(), formatBytes(simulation.peakHbmBytes).toStdString());
    if (simulation.mfu)
        streams.out << ", MFU " << formatPercent(*simulation.mfu).toStdString();
    streams.out << '\n';
    if (simulation.opsWithoutTime > 0)
        streams.out << simulation.opsWithoutTime << " ops have no time\n";
    streams.out << fmt::format("{:>12} {:>12}  {}\n", "total", "self", "scope");
    for (const ScopeTime& scope : simulation.scopes) {
        streams.out << fmt::format("{:>12} {:>12}  {}\n", formatTime(scope.totalPs).toStdString(),
                                   formatTime(scope.selfPs).toStdString(), scope.scope);
    }
}

bool writeTrace(const Trace& trace, const QString& path, Streams streams)
{
    const std::string name = path.toStdString();
    const auto written = path.endsWith(QLatin1String(".pb")) ? writeXSpace(trace, name) : writeTraceJson(trace, name);
    if (!written)
        streams.err << written.error().format() << '\n';
    return written.hasValue();
}

} // namespace

int runSimulate(const QStringList& arguments, Streams streams)
{
    CommandParser parser(*findCommand(QStringLiteral("simulate")), streams);
    parser.addValue({QStringLiteral("module")}, QStringLiteral("M"), QStringLiteral("Module to simulate."));
    parser.addValue({QStringLiteral("chip")}, QStringLiteral("C"), QStringLiteral("Chip, such as v5e."));
    parser.addValue({QStringLiteral("timing")}, QStringLiteral("T"), QStringLiteral("Where op times come from."));
    parser.addValue({QStringLiteral("o")}, QStringLiteral("file"), QStringLiteral("*.xplane.pb or *.trace.json(.gz)."));
    parser.addFlag(QStringLiteral("json"), QStringLiteral("Write JSON."));
    if (!parser.parse(arguments, 1, 1))
        return parser.exitCode();
    const QString timingName =
        parser.isSet(QStringLiteral("timing")) ? parser.value(QStringLiteral("timing")) : QStringLiteral("best");
    const auto timing = timingFromName(timingName);
    if (!timing)
        return parser.usageError(QStringLiteral("--timing takes best, model, hardware or compiler"));
    const QString output = parser.value(QStringLiteral("o"));
    if (!output.isEmpty() && !output.endsWith(QLatin1String(".pb")) && !output.endsWith(QLatin1String(".json"))
        && !output.endsWith(QLatin1String(".json.gz")))
        return parser.usageError(QStringLiteral("-o takes a name that ends in .xplane.pb, .json or .json.gz"));

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
    const auto memory = analyseMemory(*module);
    if (!memory)
        streams.err << memory.error().format() << '\n';
    SimulationOptions options;
    options.timing = *timing;
    const auto simulation = simulate(module, cost, memory ? &*memory : nullptr, options);
    if (!simulation) {
        streams.err << simulation.error().format() << '\n';
        return BadInput;
    }
    writeProblems(simulation->trace->problems, document->path, streams);
    if (!output.isEmpty() && !writeTrace(*simulation->trace, output, streams))
        return BadInput;
    if (parser.isSet(QStringLiteral("json")))
        writeJson(simulationJson(*module, *chip, timingName, *simulation), streams);
    else
        writeText(*module, *chip, *simulation, streams);
    return Success;
}

} // namespace hloscope::cli
