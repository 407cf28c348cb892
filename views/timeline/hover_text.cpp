// SPDX-License-Identifier: Apache-2.0
#include "views/timeline/hover_text.h"

#include "views/timeline/label_cache.h"
#include "views/words/op_words.h"
#include "views/words/opcode_words.h"
#include "views/words/units.h"
#include "views/words/words_tr.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace hloscope {

namespace {

struct HoverWords {
    Q_DECLARE_TR_FUNCTIONS(TimelineHover)
};

constexpr int kMaxArguments = 6;
constexpr int kMaxValue = 44; // characters
constexpr std::array<std::string_view, 4> kScopeNames{"tf_op", "op_name", "name_scope", "scope"};
// Shown elsewhere in the card, or of no use to a reader.
constexpr std::array<std::string_view, 10> kHidden{
    "hlo_category", "hlo_op", "program_id", "_pt", "_p", "_ct", "_c", "_r", "producer_type", "consumer_type"};

bool isOneOf(std::string_view name, const auto& names)
{
    return std::ranges::find(names, name) != names.end();
}

QString argumentLabel(std::string_view name)
{
    if (name == "flops")
        return HoverWords::tr("FLOPs");
    if (name == "model_flops")
        return HoverWords::tr("Model FLOPs");
    if (name == "bytes_accessed")
        return HoverWords::tr("Bytes accessed");
    if (name == "hbm_bytes")
        return HoverWords::tr("HBM bytes");
    if (name == "bound_by")
        return HoverWords::tr("Bound by");
    if (name == "source")
        return HoverWords::tr("Source");
    return toQString(name);
}

QString argumentValue(const Argument& argument)
{
    const std::string_view name = argument.name;
    if (argument.number && name.find("flops") != std::string::npos)
        return formatRate(*argument.number, QStringLiteral("FLOP"));
    if (argument.number && std::abs(*argument.number) < 9e18) {
        if (name.find("bytes") != std::string::npos)
            return formatBytes(static_cast<qint64>(*argument.number));
        if (name.ends_with("_ps"))
            return formatTime(static_cast<qint64>(*argument.number));
    }
    return elideName(toQString(argument.value).simplified(), kMaxValue);
}

void addArguments(HoverText& text, const std::vector<Argument>& arguments)
{
    int hidden = 0;
    int shown = 0;
    for (const Argument& argument : arguments) {
        if (isOneOf(argument.name, kScopeNames)) {
            if (text.subtitle.isEmpty())
                text.subtitle = toQString(argument.value).simplified();
            continue;
        }
        if (isOneOf(argument.name, kHidden) || argument.value.empty())
            continue;
        const QString label = argumentLabel(argument.name);
        if (std::ranges::any_of(text.rows, [&](const auto& row) { return row.first == label; }))
            continue;
        if (shown < kMaxArguments) {
            text.rows.emplace_back(label, argumentValue(argument));
            ++shown;
        } else {
            ++hidden;
        }
    }
    if (hidden > 0)
        text.footer = HoverWords::tr("%n more value(s): select the event to see them", nullptr, hidden);
}

// True when the figures of its cost are there as well.
bool addInstruction(HoverText& text, const Workspace& workspace, const HloModule& module, InstructionId instruction)
{
    text.subtitle = scopeParts(module.metadata(instruction).opName).join(QStringLiteral(" / "));
    const ModuleEntry* entry = workspace.entry(&module);
    if (entry == nullptr || !entry->cost || entry->chip == nullptr || instruction.index() >= entry->cost->ops.size())
        return false;
    for (const FigureWords& figure : costFigures(module, instruction, entry->cost->of(instruction), *entry->chip)) {
        const QString share = figure.share.isEmpty() ? QString() : QStringLiteral(" (%1)").arg(figure.share);
        text.rows.emplace_back(figure.label, figure.value + share);
    }
    return true;
}

} // namespace

EventDetails detailsOf(const Trace& trace, EventId event)
{
    return {trace.selfDuration(event), trace.arguments(event)};
}

HoverText describeEvent(const Workspace& workspace, const Trace& trace, EventId event,
                        const std::optional<EventDetails>& details)
{
    const EventKind& kind = trace.kind(event);
    HoverText text;
    text.category = kind.category;
    text.title = elideName(shortLabel(kind), 48);
    const int64_t duration = trace.duration(event);
    if (duration > 0)
        text.duration = formatTime(duration);
    else
        text.duration = trace.isSimulated ? HoverWords::tr("no time") : HoverWords::tr("instant");
    text.rows.emplace_back(HoverWords::tr("Category"), categoryName(kind.category));
    text.rows.emplace_back(HoverWords::tr("Starts at"), formatTime(trace.begin(event)));
    if (details && details->selfPs != duration)
        text.rows.emplace_back(HoverWords::tr("Self"), formatTime(details->selfPs));
    const HloModule* module = trace.moduleOf(kind);
    bool hasFigures = false;
    if (module != nullptr && kind.instruction.isValid() && kind.instruction.index() < module->instructions.size())
        hasFigures = addInstruction(text, workspace, *module, kind.instruction);
    // The arguments of a simulated event are those figures once more.
    if (details && !(hasFigures && trace.isSimulated))
        addArguments(text, details->arguments);
    text.subtitle = elideName(text.subtitle, 96);
    return text;
}

HoverText describeRun(const Trace& trace, const LevelOfDetail::Mark& run)
{
    HoverText text;
    const int64_t span = std::max<int64_t>(run.end - run.begin, 1);
    const auto strongest = std::ranges::max_element(run.busyByCategory);
    text.category =
        run.busy > 0 ? static_cast<OpCategory>(strongest - run.busyByCategory.begin()) : trace.kind(run.event).category;
    text.title = HoverWords::tr("%1 events").arg(formatCount(run.count));
    text.duration = formatTime(run.end - run.begin);
    text.rows.emplace_back(HoverWords::tr("Starts at"), formatTime(run.begin));
    text.rows.emplace_back(HoverWords::tr("Busy"),
                           formatPercent(static_cast<double>(run.busy) / static_cast<double>(span)));
    for (size_t i = 0; i < kOpCategoryCount; ++i) {
        if (run.busyByCategory[i] > 0) {
            text.rows.emplace_back(
                categoryName(static_cast<OpCategory>(i)),
                formatTime(run.busyByCategory[i]) + QStringLiteral(", ")
                    + formatPercent(static_cast<double>(run.busyByCategory[i]) / static_cast<double>(span)));
        }
    }
    text.footer = HoverWords::tr("Too narrow to be drawn one by one. Click lists them, double click zooms to them.");
    return text;
}

} // namespace hloscope
