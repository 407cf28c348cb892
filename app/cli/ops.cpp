// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command.h"

#include "core/analysis/op_statistics.h"
#include "views/words/units.h"

#include <fmt/format.h>

#include <array>
#include <ostream>

namespace hloscope::cli {
namespace {

using Json = nlohmann::ordered_json;

const char* categoryKey(OpCategory category)
{
    constexpr std::array<const char*, kOpCategoryCount> kKeys{
        "matmul",    "pointwise",    "reduce",      "data_movement", "collective",
        "async_dma", "control_flow", "custom_call", "host",          "idle",
    };
    return kKeys[static_cast<size_t>(category)];
}

std::string csvField(const std::string& text)
{
    if (text.find_first_of(",\"\n\r") == std::string::npos)
        return text;
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"')
            quoted += '"';
        quoted += c;
    }
    return quoted + '"';
}

void writeRows(const std::vector<OpStatistics>& rows, bool asCsv, Streams streams)
{
    if (asCsv)
        streams.out << "key,category,occurrences,total_ps,self_ps\n";
    else
        streams.out << fmt::format("{:>12} {:>12} {:>10}  {:<18} {}\n", "total", "self", "count", "category", "name");
    for (const OpStatistics& row : rows) {
        if (asCsv) {
            streams.out << fmt::format("{},{},{},{},{}\n", csvField(row.key), categoryKey(row.category),
                                       row.occurrences, row.totalPs, row.selfPs);
        } else {
            streams.out << fmt::format("{:>12} {:>12} {:>10}  {:<18} {}\n", formatTime(row.totalPs).toStdString(),
                                       formatTime(row.selfPs).toStdString(), row.occurrences, categoryKey(row.category),
                                       row.key.substr(0, row.key.find('\n')));
        }
    }
}

} // namespace

int runOps(const QStringList& arguments, Streams streams)
{
    CommandParser parser(*findCommand(QStringLiteral("ops")), streams);
    parser.addValue({QStringLiteral("by")}, QStringLiteral("key"), QStringLiteral("What to sum by: name."));
    parser.addFlag(QStringLiteral("json"), QStringLiteral("Write JSON."));
    parser.addFlag(QStringLiteral("csv"), QStringLiteral("Write CSV."));
    if (!parser.parse(arguments, 1, 1))
        return parser.exitCode();
    if (parser.isSet(QStringLiteral("by")) && parser.value(QStringLiteral("by")) != QLatin1String("name"))
        return parser.usageError(QStringLiteral("--by takes name"));
    const auto document = openForCommand(parser.positional().constFirst(), streams);
    if (!document)
        return BadInput;
    if (document->traces.empty()) {
        streams.err << document->path << ": error: there is no profile in this file\n";
        return BadInput;
    }
    Json planes = Json::array();
    Json rows = Json::array();
    for (const auto& trace : document->traces) {
        for (const Plane& plane : trace->planes)
            planes.push_back(plane.name);
        const auto statistics = statisticsByName(*trace);
        if (!parser.isSet(QStringLiteral("json"))) {
            writeRows(statistics, parser.isSet(QStringLiteral("csv")), streams);
            continue;
        }
        for (const OpStatistics& row : statistics) {
            rows.push_back({{"key", row.key},
                            {"category", categoryKey(row.category)},
                            {"occurrences", row.occurrences},
                            {"total_ps", row.totalPs},
                            {"self_ps", row.selfPs},
                            // Known per op, not per name: null until ops are summed by op.
                            {"flops", nullptr},
                            {"bytes_accessed", nullptr},
                            {"hbm_bytes", nullptr},
                            {"bound_by", nullptr}});
        }
    }
    if (parser.isSet(QStringLiteral("json")))
        writeJson({{"planes", std::move(planes)}, {"rows", std::move(rows)}}, streams);
    return Success;
}

} // namespace hloscope::cli
