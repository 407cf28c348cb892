// SPDX-License-Identifier: Apache-2.0
#include "app/workbench/status_row.h"

#include "views/common/theme.h"
#include "views/words/units.h"

#include <QLabel>
#include <QToolButton>

#include <algorithm>
#include <climits>

namespace hloscope {

namespace {

constexpr double kHeight = 24;

QString joined(const QString& first, const QString& second)
{
    return QStringLiteral("%1, %2").arg(first, second);
}

QString toQt(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

} // namespace

QString chipText(const ChipSpec& chip)
{
    const QString name = chip.devicesPerChip > 1 ? StatusRow::tr("%1 core").arg(toQt(chip.name)) : toQt(chip.name);
    QStringList figures;
    if (chip.bf16FlopsPerSecond.hasValue())
        figures << formatRate(*chip.bf16FlopsPerSecond, QStringLiteral("FLOP/s")) + QStringLiteral(" bf16");
    if (chip.hbmBytesPerSecond.hasValue())
        figures << formatRate(*chip.hbmBytesPerSecond, QStringLiteral("B/s")) + QStringLiteral(" HBM");
    return figures.isEmpty() ? name : QStringLiteral("%1: %2").arg(name, figures.join(QStringLiteral(", ")));
}

StatusRow::StatusRow(const Workspace& workspace, const Selection& selection, QWidget* parent)
    : QStatusBar(parent)
    , m_workspace(workspace)
    , m_selection(selection)
    , m_name(new QLabel(this))
    , m_counts(new QLabel(this))
    , m_peak(new QLabel(this))
    , m_problems(new QToolButton(this))
    , m_chip(new QToolButton(this))
    , m_timing(new QLabel(this))
{
    setSizeGripEnabled(false);
    for (QLabel* label : {m_name, m_counts, m_peak})
        addWidget(label);
    addPermanentWidget(m_problems);
    addPermanentWidget(m_chip);
    addPermanentWidget(m_timing);
    m_problems->setToolTip(tr("Show what was skipped or not understood"));
    m_chip->setToolTip(tr("Choose the chip to simulate"));
    connect(&workspace, &Workspace::documentOpened, this, &StatusRow::update);
    connect(&workspace, &Workspace::moduleChanged, this, &StatusRow::update);
    connect(&workspace, &Workspace::closed, this, &StatusRow::update);
    connect(&selection, &Selection::changed, this, &StatusRow::update);
    connect(&ThemeManager::instance(), &ThemeManager::changed, this, &StatusRow::applyTheme);
    applyTheme();
    setProblems(0);
    update();
}

QString StatusRow::text() const
{
    QStringList parts{m_name->text(),     m_counts->text(), m_peak->text(),
                      m_problems->text(), m_chip->text(),   m_timing->text()};
    parts.removeAll(QString());
    return parts.join(QStringLiteral(" | "));
}

void StatusRow::setProblems(int count)
{
    m_problems->setText(tr("%n problem(s)", nullptr, count));
    m_problems->setVisible(count > 0);
}

void StatusRow::update()
{
    for (QLabel* label : {m_counts, m_peak, m_timing})
        label->clear();
    m_chip->hide();
    const SelectionState& state = m_selection.state();
    if (const ModuleEntry* entry = m_workspace.entry(state.module.get()))
        showModule(*entry);
    else if (state.trace)
        showTrace(*state.trace);
    else if (m_workspace.documents().empty()) {
        m_name->setText(tr("No file open"));
        m_timing->setText(tr("Press ? for keys"));
    } else
        m_name->setText(tr("Nothing selected"));
}

void StatusRow::showModule(const ModuleEntry& entry)
{
    const HloModule& module = *entry.module;
    m_name->setText(entry.label);
    const auto instructions = static_cast<int>(module.instructions.size());
    const auto computations = static_cast<int>(module.computations.size());
    m_counts->setText(joined(tr("%1 instruction(s)", nullptr, instructions).arg(formatCount(instructions)),
                             tr("%1 computation(s)", nullptr, computations).arg(formatCount(computations))));
    if (entry.memory && !entry.memory->spaces.empty()) {
        const qint64 peak = entry.memory->spaces.front().peakBytes;
        QString text = tr("Peak HBM %1").arg(formatBytes(peak));
        if (entry.chip != nullptr && entry.chip->hbmBytes.hasValue())
            text = tr("%1 of %2").arg(text, formatCapacity(*entry.chip->hbmBytes));
        m_peak->setText(text);
        m_peak->setToolTip(formatExactBytes(peak));
    }
    if (entry.chip == nullptr)
        return;
    m_chip->setText(entry.chipIsGuessed ? tr("%1 (assumed)").arg(chipText(*entry.chip)) : chipText(*entry.chip));
    m_chip->show();
    if (!module.isScheduled)
        m_timing->setText(entry.simulation ? tr("not scheduled: run in program order")
                                           : tr("not scheduled: no simulated step"));
    else if (entry.cost && entry.simulation)
        m_timing->setText(entry.cost->compilerPs > 0 ? tr("Timing: compiler estimate") : tr("Timing: model"));
    else
        m_timing->setText(entry.isAnalysed ? tr("no simulated step") : tr("simulating\u2026"));
}

void StatusRow::showTrace(const Trace& trace)
{
    m_name->setText(toQt(trace.name));
    const auto events = static_cast<int>(std::min<size_t>(trace.eventCount(), INT_MAX));
    const auto planes = static_cast<int>(trace.planes.size());
    m_counts->setText(joined(tr("%1 event(s)", nullptr, events).arg(formatCount(events)),
                             tr("%1 plane(s)", nullptr, planes).arg(formatCount(planes))));
    const auto [begin, end] = trace.span();
    m_peak->setText(formatTime(end - begin));
    m_peak->setToolTip(QString());
    m_timing->setText(trace.isSimulated ? tr("simulated") : tr("measured"));
}

void StatusRow::applyTheme()
{
    setFixedHeight(ThemeManager::instance().scaled(kHeight));
}

} // namespace hloscope
