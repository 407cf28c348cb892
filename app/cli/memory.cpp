// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command.h"

#include "core/memory/memory_report.h"
#include "views/words/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

namespace hloscope::cli {
namespace {

using Json = nlohmann::ordered_json;

Json bufferJson(const HloModule& module, const BufferName& name, int64_t bytes)
{
    return {{"buffer", toString(module, name)},
            {"instruction", module.instruction(name.instruction).name},
            {"index", name.index},
            {"bytes", bytes}};
}

// Positions where the curve changes, with the value from there on.
Json curveJson(const std::vector<int64_t>& curve)
{
    Json steps = Json::array();
    for (size_t position = 0; position < curve.size(); ++position) {
        if (position == 0 || curve[position] != curve[position - 1])
            steps.push_back({position, curve[position]});
    }
    return steps;
}

Json instructionAt(const HloModule& module, const LiveRangeReport& ranges, int64_t position)
{
    if (position < 0 || position >= static_cast<int64_t>(ranges.sequence.size()))
        return {};
    return module.instruction(ranges.sequence[static_cast<size_t>(position)]).name;
}

Json reportJson(const HloModule& module, const MemoryReport& report, std::optional<int64_t> onlySpace)
{
    Json spaces = Json::array();
    for (const MemorySpace& space : report.spaces) {
        if (onlySpace && space.space != *onlySpace)
            continue;
        Json live = Json::array();
        for (const size_t buffer : space.liveAtPeak)
            live.push_back(bufferJson(module, report.buffers[buffer].name, report.buffers[buffer].bytes));
        spaces.push_back({{"space", space.space},
                          {"peak_bytes", space.peakBytes},
                          {"peak_position", space.peakPosition},
                          {"peak_instruction", instructionAt(module, report.liveRanges, space.peakPosition)},
                          {"live_at_peak", std::move(live)},
                          {"curve", curveJson(space.curve)}});
    }
    Json live = Json::array();
    for (const size_t index : report.liveRanges.live) {
        const LiveRange& range = report.liveRanges.ranges[index];
        live.push_back({{"buffer", toString(module, range.buffer)}, {"bytes", range.bytes}});
    }
    return {{"module", module.name},
            {"spaces", std::move(spaces)},
            {"source", "schedule"},
            {"total_peak_bytes", report.totalPeakBytes},
            {"live_range",
             {{"positions", report.liveRanges.sequence.size()},
              {"peak_position", report.liveRanges.peakPosition},
              {"peak_bytes", report.liveRanges.peakBytes},
              {"live", std::move(live)}}}};
}

void writeText(const HloModule& module, const MemoryReport& report, std::optional<int64_t> onlySpace, Streams streams)
{
    streams.out << fmt::format("{}: {} positions, all memory spaces together peak at {}\n", module.name,
                               report.liveRanges.sequence.size(), formatBytes(report.totalPeakBytes).toStdString());
    streams.out << fmt::format("  XLA's live-range report: {} at position {}\n",
                               formatExactBytes(report.liveRanges.peakBytes).toStdString(),
                               report.liveRanges.peakPosition);
    for (const MemorySpace& space : report.spaces) {
        if (onlySpace && space.space != *onlySpace)
            continue;
        const Json instruction = instructionAt(module, report.liveRanges, space.peakPosition);
        streams.out << fmt::format("  S({}): peak {} at position {} ({})\n", space.space,
                                   formatBytes(space.peakBytes).toStdString(), space.peakPosition,
                                   instruction.is_null() ? std::string("end") : instruction.get<std::string>());
        for (const size_t buffer : space.liveAtPeak) {
            streams.out << fmt::format("    {:>12}  {}\n", formatBytes(report.buffers[buffer].bytes).toStdString(),
                                       toString(module, report.buffers[buffer].name));
        }
    }
}

} // namespace

int runMemory(const QStringList& arguments, Streams streams)
{
    CommandParser parser(*findCommand(QStringLiteral("memory")), streams);
    parser.addValue({QStringLiteral("module")}, QStringLiteral("M"), QStringLiteral("Module to analyse."));
    parser.addValue({QStringLiteral("space")}, QStringLiteral("N"), QStringLiteral("Only this memory space."));
    parser.addFlag(QStringLiteral("json"), QStringLiteral("Write JSON."));
    if (!parser.parse(arguments, 1, 1))
        return parser.exitCode();
    std::optional<int64_t> space;
    if (parser.isSet(QStringLiteral("space"))) {
        bool ok = false;
        space = parser.value(QStringLiteral("space")).toLongLong(&ok);
        if (!ok)
            return parser.usageError(QStringLiteral("--space takes a number"));
    }
    const auto document = openForCommand(parser.positional().constFirst(), streams);
    if (!document)
        return BadInput;
    const auto module = chooseModule(*document, parser.value(QStringLiteral("module")), streams);
    if (!module)
        return BadInput;
    const auto report = analyseMemory(*module);
    if (!report) {
        streams.err << report.error().format() << '\n';
        return BadInput;
    }
    const auto isSpace = [&](const MemorySpace& known) { return known.space == *space; };
    if (space && std::none_of(report->spaces.begin(), report->spaces.end(), isSpace)) {
        streams.err << document->path << ": error: nothing lives in memory space " << *space << '\n';
        return BadInput;
    }
    if (parser.isSet(QStringLiteral("json")))
        writeJson(reportJson(*module, *report, space), streams);
    else
        writeText(*module, *report, space, streams);
    return Success;
}

} // namespace hloscope::cli
