// SPDX-License-Identifier: Apache-2.0
#include "views/timeline/timeline_view.h"

#include "views/common/elided_label.h"
#include "views/common/icons.h"
#include "views/common/notice_bar.h"
#include "views/common/theme.h"
#include "views/tables/selection_table.h"
#include "views/timeline/legend.h"
#include "views/timeline/timeline_canvas.h"
#include "views/words/units.h"
#include "views/words/words_tr.h"

#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPixmap>
#include <QSplitter>
#include <QStackedLayout>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace hloscope {

namespace {

constexpr int kToolRowHeight = 36;
constexpr int kTableHeight = 240;

bool isUnwatched()
{
    const QString platform = QGuiApplication::platformName();
    return platform == QLatin1String("offscreen") || platform == QLatin1String("minimal");
}

} // namespace

TimelineView::TimelineView(Workspace& workspace, Selection& selection, QWidget* parent)
    : View(parent)
    , m_workspace(workspace)
    , m_selection(selection)
    , m_controller(workspace, selection)
    , m_pages(new QStackedLayout(this))
{
    m_controller.setReducedMotion(isUnwatched());
    auto* emptyPage = new QWidget(this);
    emptyPage->setProperty("role", "view");
    emptyPage->setAttribute(Qt::WA_StyledBackground);
    m_empty = new QLabel(emptyPage);
    m_empty->setWordWrap(true);
    auto* emptyLayout = new QVBoxLayout(emptyPage);
    emptyLayout->setContentsMargins(24, 24, 24, 24);
    emptyLayout->addWidget(m_empty);
    emptyLayout->addStretch(1);

    auto* page = new QWidget(this);
    auto* toolRow = new QWidget(page);
    toolRow->setProperty("role", "toolRow");
    toolRow->setAttribute(Qt::WA_StyledBackground);
    buildToolRow(toolRow);
    m_notices = new NoticeArea(page);
    m_splitter = new QSplitter(Qt::Vertical, page);
    m_canvas = new TimelineCanvas(m_controller, this, m_splitter);
    m_table = new SelectionTable(m_splitter);
    m_table->hide();
    m_splitter->addWidget(m_canvas);
    m_splitter->addWidget(m_table);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setStretchFactor(0, 1);
    m_splitter->setStretchFactor(1, 0);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(toolRow);
    layout->addWidget(m_notices);
    layout->addWidget(m_splitter, 1);
    m_pages->addWidget(emptyPage);
    m_pages->addWidget(page);
    setFocusProxy(m_canvas);
    setTabOrder(m_canvas, m_fit);

    connect(&m_controller, &TimelineController::traceChanged, this, &TimelineView::showTrace);
    connect(&m_controller, &TimelineController::rangeChanged, this, &TimelineView::showRange);
    connect(&m_controller, &TimelineController::eventChanged, this,
            [this] { m_table->setCurrent(m_controller.trace(), m_controller.selectedEvent()); });
    connect(&m_controller.geometry(), &GeometryStore::minimapUpdated, this, [this] {
        m_legend->setTimes(m_controller.geometry().minimap().time);
        noticeReady();
    });
    connect(&m_controller.geometry(), &GeometryStore::updated, this, &TimelineView::noticeReady);
    connect(m_table, &SelectionTable::readyChanged, this, &TimelineView::noticeReady);
    connect(m_table, &SelectionTable::closeRequested, this, [this] { m_controller.setRange(std::nullopt); });
    connect(m_table, &SelectionTable::eventActivated, this, [this](EventId event) {
        m_controller.selectEvent(event);
        m_controller.reveal(event);
    });
    connect(&selection, &Selection::changed, this, [this] { m_empty->setText(emptyText()); });
    connect(&workspace, &Workspace::moduleChanged, this, [this] {
        m_empty->setText(emptyText());
        showNotices();
    });
    showTrace();
}

TimelineView::~TimelineView() = default;

void TimelineView::buildToolRow(QWidget* row)
{
    row->setFixedHeight(ThemeManager::instance().scaled(kToolRowHeight));
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(10, 0, 10, 0);
    layout->setSpacing(10);
    m_fit = new QToolButton(row);
    m_fit->setText(tr("Fit"));
    m_fit->setIcon(icon(QStringLiteral("fit")));
    m_fit->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_fit->setToolTip(tr("Show the whole trace (0)"));
    connect(m_fit, &QToolButton::clicked, &m_controller, &TimelineController::showAll);
    m_separator = new QFrame(row);
    m_separator->setProperty("role", "verticalSeparator");
    m_separator->setFixedSize(1, 16);
    m_rangeLabel = new ElidedLabel({}, Qt::ElideRight, row);
    m_legend = new CategoryLegend(row);
    layout->addWidget(m_fit);
    layout->addWidget(m_separator);
    layout->addWidget(m_rangeLabel, 2);
    layout->addWidget(m_legend, 3);
}

std::vector<KeyHint> TimelineView::keys() const
{
    return {
        {QStringLiteral("W  S"), tr("Zoom at the pointer")},
        {QStringLiteral("A  D"), tr("Pan")},
        {tr("Arrows"), tr("Pan and zoom")},
        {tr("Shift"), tr("Faster")},
        {tr("Wheel"), tr("Scroll the rows")},
        {tr("Ctrl+Wheel"), tr("Zoom")},
        {tr("Shift+Wheel"), tr("Pan")},
        {tr("Drag"), tr("Select a range")},
        {tr("Double click"), tr("Zoom to the event")},
        {QStringLiteral("F"), tr("Bring the selection to the middle, then fit it")},
        {QStringLiteral("0"), tr("Show everything")},
        {QStringLiteral(".  ,"), tr("Next and previous event of the row")},
        {tr("Esc"), tr("Clear the range, then the selection")},
    };
}

bool TimelineView::isReady() const
{
    if (!m_controller.trace())
        return true;
    return m_controller.geometry().isReady() && m_table->isReady();
}

// Work begins without a signal, so the end of any work is told to whoever waits for it.
void TimelineView::noticeReady()
{
    if (isReady())
        emit readyChanged();
}

QString TimelineView::emptyText() const
{
    if (m_controller.trace())
        return {};
    const ModuleEntry* entry = m_workspace.entry(m_selection.state().module.get());
    if (entry == nullptr)
        return tr(
            "Here you see what runs when. Open a profile (xplane.pb), or a scheduled HLO module, which is simulated.");
    const QString name = entry->label;
    if (!entry->isAnalysed)
        return tr("%1 is being simulated.").arg(name);
    QString text = tr("%1 cannot be simulated, so there is nothing to show over time.").arg(name);
    for (const Diagnostic& diagnostic : entry->problems.diagnostics())
        text += QStringLiteral("\n") + toQString(diagnostic.message);
    return text + QStringLiteral("\n")
        + tr("Open a profile (xplane.pb), or the text of the module after scheduling (after_optimizations).");
}

void TimelineView::showTrace()
{
    m_empty->setText(emptyText());
    m_pages->setCurrentIndex(m_controller.trace() ? 1 : 0);
    m_legend->setTimes({});
    m_notices->dismissAll();
    showNotices();
    showRange();
    noticeReady();
}

void TimelineView::showNotices()
{
    const auto& trace = m_controller.trace();
    if (!trace)
        return;
    if (trace->isSimulated && trace->module && !trace->module->isScheduled) {
        m_notices->post({Severity::Warning,
                         QStringLiteral("no-schedule"),
                         tr("This module has no schedule: its ops are run in the order of the text."),
                         {}});
    }
    const ModuleEntry* entry = trace->module ? m_workspace.entry(trace->module.get()) : nullptr;
    if (entry != nullptr && entry->simulation && entry->simulation->trace == trace
        && entry->simulation->opsWithoutTime > 0) {
        m_notices->post({Severity::Warning,
                         QStringLiteral("no-time"),
                         tr("%n op(s) have no time, so the step is at least %1.", nullptr,
                            static_cast<int>(std::min<int64_t>(entry->simulation->opsWithoutTime, INT_MAX)))
                             .arg(formatTime(entry->simulation->totalPs)),
                         {}});
    }
}

QString TimelineView::rangeText() const
{
    const auto& range = m_controller.range();
    if (!range)
        return {};
    const QString begin = range->begin == 0 ? QStringLiteral("0") : formatTime(range->begin);
    return tr("Selected %1 \u2013 %2").arg(begin, formatTime(range->end));
}

void TimelineView::showRange()
{
    m_rangeLabel->setText(rangeText());
    m_separator->setVisible(m_controller.range().has_value());
    const auto& range = m_controller.range();
    if (!range) {
        m_table->hide();
        m_table->clear();
        return;
    }
    m_table->setRange(m_controller.trace(), m_controller.summedTracks(), range->begin, range->end);
    if (!m_table->isHidden())
        return;
    m_table->show();
    if (m_splitter->sizes().value(1) < 100) {
        const int total = m_splitter->height();
        const int table = std::clamp(ThemeManager::instance().scaled(kTableHeight), 100, std::max(100, total / 2));
        m_splitter->setSizes({total - table, table});
    }
}

void TimelineView::keyPressEvent(QKeyEvent* event)
{
    if (!m_canvas->handleKey(*event))
        View::keyPressEvent(event);
}

void TimelineView::keyReleaseEvent(QKeyEvent* event)
{
    m_canvas->handleKeyRelease(*event);
    View::keyReleaseEvent(event);
}

void TimelineView::showEvent(QShowEvent* event)
{
    View::showEvent(event);
    m_canvas->updateGeometryOfRows();
}

void TimelineView::exportTo(QPainter& painter)
{
    m_canvas->card().hide();
    if (!isVisible()) {
        // A view that was never shown has sizes and strips only after it has been drawn once.
        QPixmap nowhere(1, 1);
        render(&nowhere);
    }
    if (m_controller.trace()) {
        m_canvas->updateGeometryOfRows();
        m_controller.buildGeometryNow();
        m_legend->setTimes(m_controller.geometry().minimap().time);
    }
    render(&painter, QPoint(), QRegion(), QWidget::DrawWindowBackground | QWidget::DrawChildren);
}

} // namespace hloscope
