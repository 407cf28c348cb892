// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command.h"

#include "core/analysis/module_facts.h"
#include "views/words/units.h"

#include <ostream>

namespace hloscope::cli {
namespace {

using Json = nlohmann::ordered_json;

Json moduleJson(const HloModule& module)
{
    const std::string_view platform = platformOf(module);
    return {{"name", module.name},
            {"entry", module.entry.isValid() ? Json(module.entryComputation().name) : Json()},
            {"computations", module.computations.size()},
            {"instructions", module.instructions.size()},
            {"num_partitions", module.numPartitions},
            {"replica_count", module.replicaCount},
            {"is_scheduled", module.isScheduled},
            {"platform_hint", platform.empty() ? Json() : Json(platform)}};
}

Json traceJson(const Trace& trace)
{
    Json planes = Json::array();
    for (size_t plane = 0; plane < trace.planes.size(); ++plane) {
        Json lines = Json::array();
        for (const Track& track : trace.tracks) {
            if (track.plane.index() == plane)
                lines.push_back({{"name", track.name}, {"events", track.events.count}});
        }
        planes.push_back({{"name", trace.planes[plane].name}, {"lines", std::move(lines)}});
    }
    return {{"planes", std::move(planes)},
            {"events", trace.eventCount()},
            {"begin_ps", trace.span().first},
            {"end_ps", trace.span().second},
            {"start_unix_ns", trace.startUnixNanoseconds ? Json(*trace.startUnixNanoseconds) : Json()}};
}

Json warningsJson(const Document& document)
{
    Problems all = document.problems;
    for (const auto& module : document.modules)
        all.merge(module->problems);
    for (const auto& trace : document.traces)
        all.merge(trace->problems);
    Json warnings = Json::array();
    for (const Diagnostic& diagnostic : all.diagnostics()) {
        Diagnostic warning = diagnostic;
        warning.severity = Severity::Warning;
        warnings.push_back({{"what", warning.format()}, {"count", 1}});
    }
    for (const auto& [what, times] : all.counts())
        warnings.push_back({{"what", what}, {"count", times}});
    return warnings;
}

void writeText(const Document& document, Streams streams)
{
    streams.out << document.path << ": " << fileKindName(document.kind) << '\n';
    for (const auto& module : document.modules) {
        streams.out << "  module " << module->name << ": " << module->computations.size() << " computations, "
                    << module->instructions.size() << " instructions, "
                    << (module->isScheduled ? "scheduled" : "not scheduled");
        if (module->entry.isValid())
            streams.out << ", entry " << module->entryComputation().name;
        if (module->numPartitions > 1)
            streams.out << ", " << module->numPartitions << " partitions";
        if (module->replicaCount > 1)
            streams.out << ", " << module->replicaCount << " replicas";
        streams.out << '\n';
    }
    for (const auto& trace : document.traces) {
        streams.out << "  trace: " << trace->eventCount() << " events, "
                    << formatTime(trace->span().second - trace->span().first).toStdString() << '\n';
        for (size_t plane = 0; plane < trace->planes.size(); ++plane) {
            streams.out << "    " << trace->planes[plane].name << '\n';
            for (const Track& track : trace->tracks) {
                if (track.plane.index() == plane)
                    streams.out << "      " << track.name << ": " << track.events.count << " events\n";
            }
        }
    }
}

} // namespace

int runInfo(const QStringList& arguments, Streams streams)
{
    CommandParser parser(*findCommand(QStringLiteral("info")), streams);
    parser.addFlag(QStringLiteral("json"), QStringLiteral("Write JSON."));
    if (!parser.parse(arguments, 1, 1000))
        return parser.exitCode();
    Json files = Json::array();
    int exitCode = Success;
    for (const QString& path : parser.positional()) {
        const auto document = openForCommand(path, streams);
        if (!document) {
            exitCode = BadInput;
            continue;
        }
        if (!parser.isSet(QStringLiteral("json"))) {
            writeText(*document, streams);
            continue;
        }
        Json modules = Json::array();
        for (const auto& module : document->modules)
            modules.push_back(moduleJson(*module));
        Json traces = Json::array();
        for (const auto& trace : document->traces)
            traces.push_back(traceJson(*trace));
        files.push_back({{"path", document->path},
                         {"kind", fileKindName(document->kind)},
                         {"modules", std::move(modules)},
                         {"traces", std::move(traces)},
                         {"warnings", warningsJson(*document)}});
    }
    if (parser.isSet(QStringLiteral("json")))
        writeJson({{"files", std::move(files)}}, streams);
    return exitCode;
}

} // namespace hloscope::cli
