// SPDX-License-Identifier: Apache-2.0
#include "views/memory/memory_view.h"

#include "views/common/segmented_control.h"
#include "views/common/selection.h"
#include "views/common/theme.h"
#include "views/common/workspace.h"
#include "views/memory/buffer_table_model.h"
#include "views/memory/life_delegate.h"
#include "views/memory/memory_chart.h"
#include "views/words/layout_words.h"
#include "views/words/units.h"
#include "views/words/words_tr.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStackedLayout>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <cmath>

namespace hloscope {

namespace {

// The kinds of buffer in the order in which the chart stacks them.
class KindLegend : public QWidget {
public:
    using QWidget::QWidget;

    QSize sizeHint() const override { return {layout().first, ThemeManager::instance().scaled(20)}; }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.setFont(font());
        double x = width() - layout().first;
        for (const auto& [kind, advance] : layout().second) {
            // Where there is no room for all, the first ones give way whole.
            if (x < 0) {
                x += advance;
                continue;
            }
            painter.fillRect(QRectF(x, height() / 2.0 - 5, 10, 10), theme().buffer[static_cast<size_t>(kind)]);
            painter.setPen(theme().text2);
            painter.drawText(QRectF(x + 14, 0, advance, height()), Qt::AlignLeft | Qt::AlignVCenter,
                             bufferKindName(kind));
            x += advance;
        }
    }

private:
    std::pair<int, std::vector<std::pair<BufferKind, int>>> layout() const
    {
        std::pair<int, std::vector<std::pair<BufferKind, int>>> result{0, {}};
        for (size_t kind = 0; kind < kBufferKindCount; ++kind) {
            const auto name = bufferKindName(static_cast<BufferKind>(kind));
            const int advance = 14 + fontMetrics().horizontalAdvance(name) + 9;
            result.second.emplace_back(static_cast<BufferKind>(kind), advance);
            result.first += advance;
        }
        return result;
    }
};

QWidget* toolRow(QWidget* parent)
{
    auto* row = new QWidget(parent);
    row->setProperty("role", "toolRow");
    row->setAttribute(Qt::WA_StyledBackground);
    row->setFixedHeight(ThemeManager::instance().scaled(36));
    return row;
}

} // namespace

MemoryView::MemoryView(Workspace& workspace, Selection& selection, QWidget* parent)
    : View(parent)
    , m_workspace(workspace)
    , m_selection(selection)
    , m_pages(new QStackedLayout(this))
    , m_empty(new QLabel(this))
    , m_axis(new SegmentedControl(tr("Axis"), this))
    , m_spaces(new QComboBox(this))
    , m_legend(new KindLegend(this))
    , m_chart(new MemoryChart(this))
    , m_title(new QLabel(this))
    , m_summary(new QLabel(this))
    , m_compared(new QLabel(this))
    , m_model(new BufferTableModel(this))
    , m_table(new QTableView(this))
{
    setAccessibleName(tr("Memory"));
    auto* body = new QWidget(this);
    auto* layout = new QVBoxLayout(body);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeToolRow());
    auto* splitter = new QSplitter(Qt::Vertical, body);
    splitter->addWidget(m_chart);
    splitter->addWidget(makeTablePane());
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    splitter->setChildrenCollapsible(false);
    splitter->setSizes({560, 440}); // shares, whatever the height
    layout->addWidget(splitter, 1);

    m_empty->setContentsMargins(24, 20, 24, 20);
    m_empty->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_empty->setWordWrap(true);
    m_empty->setProperty("role", "secondary");
    m_pages->addWidget(m_empty);
    m_pages->addWidget(body);

    connect(m_chart, &MemoryChart::positionChosen, this, &MemoryView::choosePosition);
    connect(m_axis, &SegmentedControl::chosen, this, &MemoryView::rebuildChart);
    connect(m_spaces, &QComboBox::currentIndexChanged, this, [this] {
        const MemorySpace* shown = space();
        rebuildChart();
        setPosition(shown == nullptr ? 0 : shown->peakPosition);
    });
    connect(&m_selection, &Selection::changed, this, &MemoryView::followSelection);
    connect(&m_workspace, &Workspace::moduleChanged, this, [this](const HloModule* module) {
        if (module == m_module.get())
            reload();
    });
    m_module = m_selection.state().module;
    reload();
}

QWidget* MemoryView::makeToolRow()
{
    QWidget* row = toolRow(this);
    m_axis->addSegment(tr("Program order"));
    m_axis->addSegment(tr("Time"), tr("Simulated time"));
    m_spaces->setAccessibleName(tr("Memory space"));
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(10, 0, 10, 0);
    layout->setSpacing(12);
    layout->addWidget(m_axis);
    layout->addWidget(m_spaces);
    m_legend->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    layout->addWidget(m_legend, 1);
    return row;
}

void MemoryView::makeTable()
{
    m_table->setModel(m_model);
    m_table->setItemDelegateForColumn(BufferTableModel::Life, new LifeDelegate(m_table));
    m_table->setAccessibleName(tr("Buffers alive at the position"));
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setTextElideMode(Qt::ElideMiddle);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(ThemeManager::instance().scaled(24));
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Interactive);
    m_table->horizontalHeader()->setSectionResizeMode(BufferTableModel::Life, QHeaderView::Stretch);
    const std::array<int, BufferTableModel::ColumnCount> widths{206, 140, 124, 176, 80, 90, 100, 112};
    for (size_t column = 0; column < widths.size(); ++column)
        m_table->setColumnWidth(static_cast<int>(column), ThemeManager::instance().scaled(widths[column]));
    connect(m_table, &QTableView::clicked, this, [this](const QModelIndex& index) { selectRow(index.row()); });
    connect(m_table, &QTableView::activated, this, [this](const QModelIndex& index) { selectRow(index.row()); });
}

void MemoryView::resizeEvent(QResizeEvent* event)
{
    View::resizeEvent(event);
    fitColumns();
}

// In a narrow window the columns that others can be worked out from give way.
void MemoryView::fitColumns()
{
    for (const auto column : {BufferTableModel::Cumulative, BufferTableModel::Kind, BufferTableModel::From})
        m_table->setColumnHidden(column, false);
    const int scrollBar = m_table->verticalScrollBar()->sizeHint().width();
    int missing = ThemeManager::instance().scaled(100) + scrollBar - width(); // Life takes what is left
    for (int column = 0; column < BufferTableModel::ColumnCount; ++column) {
        if (column != BufferTableModel::Life)
            missing += m_table->columnWidth(column);
    }
    for (const auto column : {BufferTableModel::Cumulative, BufferTableModel::Kind, BufferTableModel::From}) {
        if (missing <= 0)
            break;
        missing -= m_table->columnWidth(column);
        m_table->setColumnHidden(column, true);
    }
}

QWidget* MemoryView::makeTablePane()
{
    auto* pane = new QWidget(this);
    QWidget* header = toolRow(pane);
    m_summary->setProperty("role", "secondary");
    m_compared->setProperty("role", "caption");
    auto* headerLayout = new QHBoxLayout(header);
    headerLayout->setContentsMargins(10, 0, 10, 0);
    headerLayout->setSpacing(12);
    headerLayout->addWidget(m_title);
    headerLayout->addWidget(m_summary);
    headerLayout->addStretch(1);
    headerLayout->addWidget(m_compared);
    makeTable();
    auto* layout = new QVBoxLayout(pane);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(header);
    layout->addWidget(m_table, 1);
    return pane;
}

const ModuleEntry* MemoryView::entry() const
{
    return m_module ? m_workspace.entry(m_module.get()) : nullptr;
}

const MemorySpace* MemoryView::space() const
{
    const int index = m_spaces->currentIndex();
    if (!m_report || index < 0 || index >= static_cast<int>(m_report->spaces.size()))
        return nullptr;
    return &m_report->spaces[static_cast<size_t>(index)];
}

std::vector<KeyHint> MemoryView::keys() const
{
    return {
        {tr("Left  Right"), tr("Previous and next position")},
        {tr("Home  End"), tr("First and last position")},
        {QStringLiteral("P"), tr("The peak")},
    };
}

bool MemoryView::isReady() const
{
    const ModuleEntry* shown = entry();
    return shown == nullptr || shown->memory != nullptr || shown->isAnalysed;
}

void MemoryView::reload()
{
    const ModuleEntry* shown = entry();
    const auto report = shown != nullptr ? shown->memory : nullptr;
    const bool isNew = report != m_report;
    m_report = report;
    if (!m_report || m_report->spaces.empty()) {
        m_empty->setText(m_module && !isReady()
                             ? tr("Memory is being accounted for.")
                             : tr("The memory that a module needs over its schedule is shown here. Open a compiled HLO "
                                  "module: what compiled.as_text() gives, or a file of an XLA dump."));
        m_pages->setCurrentIndex(0);
        m_model->setBuffers(nullptr, nullptr, nullptr, 0);
        emit readyChanged();
        return;
    }
    m_axis->setSegmentEnabled(1, shown->simulation != nullptr);
    if (isNew) {
        m_positionOf.clear();
        const auto& sequence = m_report->liveRanges.sequence;
        for (size_t position = 0; position < sequence.size(); ++position)
            m_positionOf.emplace(sequence[position].index(), static_cast<int64_t>(position));
        fillSpaces();
    }
    m_pages->setCurrentIndex(1);
    rebuildChart();
    if (isNew)
        setPosition(space()->peakPosition);
    followSelection();
    emit readyChanged();
}

void MemoryView::fillSpaces()
{
    const QSignalBlocker blocker(m_spaces);
    m_spaces->clear();
    for (const MemorySpace& known : m_report->spaces)
        m_spaces->addItem(tr("%1, space %2").arg(memorySpaceName(known.space)).arg(known.space));
    m_compared->setText(
        tr("XLA's live-range report: %1 at %2")
            .arg(formatBytes(m_report->liveRanges.peakBytes), formatCount(m_report->liveRanges.peakPosition)));
    m_compared->setToolTip(
        tr("Logical bytes of all memory spaces, without tile padding: %1. Held by outputs for the whole program, with "
           "padding: at most %2 in all.")
            .arg(formatExactBytes(m_report->liveRanges.peakBytes), formatExactBytes(m_report->totalPeakBytes)));
}

void MemoryView::rebuildChart()
{
    const MemorySpace* shown = space();
    const ModuleEntry* module = entry();
    if (shown == nullptr || module == nullptr)
        return;
    MemoryChart::Content content;
    content.series = memorySeries(*m_report, *shown);
    content.isTime = m_axis->current() == 1 && module->simulation != nullptr;
    if (content.isTime)
        placeInTime(content.series, *m_report, *module->simulation->trace, module->simulation->eventOf);
    content.peakPosition = shown->peakPosition;
    const auto& sequence = m_report->liveRanges.sequence;
    const auto peak = static_cast<size_t>(shown->peakPosition);
    const QString name = peak < sequence.size() ? toQString(m_module->instruction(sequence[peak]).name) : tr("end");
    content.peakLabel =
        tr("Peak %1, %2 (%3)").arg(formatBytes(shown->peakBytes), name, formatCount(shown->peakPosition));
    if (module->chip != nullptr) {
        const SourcedValue& capacity = shown->space == 1 ? module->chip->vmemBytes : module->chip->hbmBytes;
        if (capacity.hasValue() && (shown->space == 0 || shown->space == 1)) {
            content.capacityBytes = *capacity;
            const bool isLarge = *capacity >= 1e9; // makers give GB for HBM, MiB for what is on the chip
            const QString size = isLarge ? formatCapacity(*capacity) : formatBytes(std::llround(*capacity));
            content.capacityLabel = tr("Capacity %1 per device, %2").arg(size, toQString(module->chip->name));
        }
    }
    m_chart->setContent(std::move(content));
    m_chart->setPosition(m_position);
}

void MemoryView::setPosition(int64_t position)
{
    m_position = position;
    m_chart->setPosition(position);
    m_model->setBuffers(m_module, m_report, space(), position);
    const auto& sequence = m_report->liveRanges.sequence;
    const auto at = static_cast<size_t>(position);
    const QString name = at < sequence.size() ? toQString(m_module->instruction(sequence[at]).name) : tr("end");
    m_title->setText(tr("Live at %1, %2").arg(formatCount(position), name));
    m_summary->setText(tr("%n buffer(s), %1", nullptr, m_model->rowCount()).arg(formatBytes(m_model->totalBytes())));
    m_summary->setToolTip(formatExactBytes(m_model->totalBytes()));
}

void MemoryView::choosePosition(int64_t position)
{
    if (!m_report)
        return;
    setPosition(position);
    const auto& sequence = m_report->liveRanges.sequence;
    if (static_cast<size_t>(position) < sequence.size())
        m_selection.selectInstruction(m_module, sequence[static_cast<size_t>(position)]);
}

void MemoryView::selectRow(int row)
{
    if (row >= 0 && row < m_model->rowCount())
        m_selection.selectBuffer(m_module, m_model->buffer(row).name);
}

void MemoryView::followSelection()
{
    const SelectionState& state = m_selection.state();
    if (state.module != m_module) {
        m_module = state.module;
        reload();
        return;
    }
    if (!m_report || m_report->spaces.empty())
        return;
    // A buffer is looked at from where one stands; an op takes one to its place in the schedule.
    if (state.buffer) {
        const int row = m_model->rowOf(*state.buffer);
        if (row >= 0)
            m_table->selectRow(row);
        else
            m_table->clearSelection();
        return;
    }
    const auto found = state.instruction.isValid() ? m_positionOf.find(state.instruction.index()) : m_positionOf.end();
    if (found != m_positionOf.end() && found->second != m_position)
        setPosition(found->second);
    m_table->clearSelection();
}

} // namespace hloscope
