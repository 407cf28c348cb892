// SPDX-License-Identifier: Apache-2.0
#include "app/workbench/samples.h"

#include "core/analysis/module_facts.h"
#include "core/formats/document.h"
#include "core/tpu/simulation.h"
#include "core/trace/level_of_detail.h"
#include "views/words/units.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

#include <algorithm>
#include <numeric>

namespace hloscope {

namespace {

struct SampleWords {
    Q_DECLARE_TR_FUNCTIONS(SampleWords)
};

// A card is about this many pixels wide; narrower events are drawn as one block of their main category.
constexpr int kColumns = 180;

QString sampleFolder()
{
    const QString installed = QCoreApplication::applicationDirPath() + QStringLiteral("/../share/hloscope/samples");
    return QDir::cleanPath(QFileInfo::exists(installed) ? installed : QStringLiteral(HLOSCOPE_SAMPLES));
}

// Host threads and idle waiting say little where ops are recorded at all.
double busyTime(const Trace& trace, const Track& track, bool withHost)
{
    double sum = 0;
    for (uint32_t i = track.events.begin; i < track.events.end(); ++i) {
        if (trace.depths[i] == 0 && (withHost || trace.kind(EventId(i)).category != OpCategory::Host))
            sum += static_cast<double>(trace.durations[i]);
    }
    return sum;
}

// The line that says most about the device: "XLA Ops", or else the one with the most time in ops.
TrackId mainTrack(const Trace& trace)
{
    for (const bool withHost : {false, true}) {
        TrackId best;
        double most = 0;
        for (size_t i = 0; i < trace.tracks.size(); ++i) {
            const double busy = busyTime(trace, trace.tracks[i], withHost);
            if (trace.tracks[i].name == "XLA Ops" && busy > 0)
                return TrackId(i);
            if (busy > most) {
                most = busy;
                best = TrackId(i);
            }
        }
        if (best.isValid())
            return best;
    }
    return {};
}

OpCategory mainCategory(const LevelOfDetail::Mark& mark)
{
    const auto most = std::ranges::max_element(mark.busyByCategory);
    return static_cast<OpCategory>(most - mark.busyByCategory.begin());
}

void addBlocks(const Trace& trace, TrackId track, SampleSummary& summary)
{
    const Track& line = trace.tracks[track.index()];
    const int64_t begin = trace.begins[line.events.begin];
    int64_t end = begin;
    for (uint32_t i = line.events.begin; i < line.events.end(); ++i)
        end = std::max(end, trace.end(EventId(i)));
    const auto span = static_cast<double>(std::max<int64_t>(end - begin, 1));
    const int64_t column = std::max<int64_t>((end - begin) / kColumns, 1);
    std::vector<LevelOfDetail::Mark> marks;
    for (const LevelOfDetail& level : LevelOfDetail::ofTrack(trace, track))
        level.query(trace, begin, end, column, 2 * column, marks);
    for (const LevelOfDetail::Mark& mark : marks) {
        summary.blocks.push_back({static_cast<float>(static_cast<double>(mark.begin - begin) / span),
                                  static_cast<float>(static_cast<double>(mark.end - begin) / span),
                                  mainCategory(mark)});
    }
    for (uint32_t i = line.events.begin; i < line.events.end(); ++i) {
        const EventId event(i);
        summary.share[static_cast<size_t>(trace.kind(event).category)] +=
            static_cast<double>(trace.selfDuration(event));
    }
    const double sum = std::accumulate(summary.share.begin(), summary.share.end(), 0.0);
    if (sum > 0)
        std::ranges::for_each(summary.share, [sum](double& share) { share /= sum; });
}

std::optional<SampleSummary> summariseModule(const std::shared_ptr<const HloModule>& module, const ChipSpec& chip,
                                             Progress& progress)
{
    SampleSummary summary;
    const ModuleCost cost = analyseCost(*module, chip, &progress);
    if (progress.isCancelled())
        return std::nullopt;
    summary.figures = SampleWords::tr("%1 instruction(s)", nullptr, static_cast<int>(module->instructions.size()))
                          .arg(formatCount(static_cast<qint64>(module->instructions.size())));
    if (cost.total.flops > 0)
        summary.figures += QStringLiteral(", ") + formatRate(cost.total.flops, QStringLiteral("FLOP"));
    const Expected<Simulation> simulation = simulate(module, cost, nullptr, {}, &progress);
    if (progress.isCancelled())
        return std::nullopt;
    if (simulation && simulation.value().trace) {
        const Trace& trace = *simulation.value().trace;
        if (const TrackId track = mainTrack(trace); track.isValid())
            addBlocks(trace, track, summary);
    }
    return summary;
}

} // namespace

std::vector<Sample> samples()
{
    const std::vector<Sample> all{
        {QStringLiteral("transformer_sharded.v2-2x2.hlo"), SampleWords::tr("Two-layer transformer"),
         SampleWords::tr("sharded over 8 cores, v2")},
        {QStringLiteral("lm_train_16_layers.v5e-4x4.hlo.gz"), SampleWords::tr("Training step, 16 layers"),
         SampleWords::tr("4 \u00d7 4 mesh, v5e")},
        {QStringLiteral("lm_train_scan.v6e-2x2.hlo.gz"), SampleWords::tr("Training step, scan"),
         SampleWords::tr("while loop over layers, v6e")},
        {QStringLiteral("overlapped_collective_matmul.v5e-2x2.hlo"), SampleWords::tr("Overlapped collective matmul"),
         SampleWords::tr("4 devices, v5e")},
        {QStringLiteral("ffw.v2-2x2.hlo"), SampleWords::tr("Feed-forward layer"),
         SampleWords::tr("up and down projection, v2")},
        {QStringLiteral("relayout.v5e-2x2.hlo"), SampleWords::tr("Relayout"),
         SampleWords::tr("where a copy comes from, v5e")},
        {QStringLiteral("layernorm.v6e-2x2.hlo"), SampleWords::tr("LayerNorm"),
         SampleWords::tr("reduces and pointwise ops, v6e")},
        {QStringLiteral("transformer_training.cpu8.xplane.pb.gz"), SampleWords::tr("Profile of a training step"),
         SampleWords::tr("measured on 8 CPU devices")},
    };
    std::vector<Sample> found;
    const QDir folder(sampleFolder());
    for (Sample sample : all) {
        sample.path = folder.filePath(sample.path);
        if (QFileInfo::exists(sample.path))
            found.push_back(std::move(sample));
    }
    return found;
}

std::optional<SampleSummary> summariseSample(const QString& path, Progress& progress)
{
    const Expected<Document> document = openDocument(path.toStdString(), &progress);
    if (!document || progress.isCancelled())
        return std::nullopt;
    if (document.value().traces.empty()) {
        if (document.value().modules.empty())
            return std::nullopt;
        const ChipSpec* chip = chipNamedBy(path.toStdString());
        return summariseModule(document.value().modules.front(), chip != nullptr ? *chip : chips().front(), progress);
    }
    const Trace& trace = *document.value().traces.front();
    SampleSummary summary;
    const auto [begin, end] = trace.span();
    summary.figures =
        QStringLiteral("%1, %2").arg(SampleWords::tr("%1 event(s)", nullptr, static_cast<int>(trace.eventCount()))
                                         .arg(formatCount(static_cast<qint64>(trace.eventCount()))),
                                     formatTime(end - begin));
    if (const TrackId track = mainTrack(trace); track.isValid())
        addBlocks(trace, track, summary);
    return summary;
}

} // namespace hloscope
