// SPDX-License-Identifier: Apache-2.0
#include "views/tables/selection_table.h"

#include "views/common/icons.h"
#include "views/common/theme.h"
#include "views/words/units.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace hloscope {

namespace {

QWidget* row(QWidget* parent, double height, const char* role)
{
    auto* widget = new QWidget(parent);
    widget->setProperty("role", role);
    widget->setAttribute(Qt::WA_StyledBackground);
    widget->setFixedHeight(ThemeManager::instance().scaled(height));
    return widget;
}

} // namespace

SelectionTable::SelectionTable(QWidget* parent)
    : QWidget(parent)
    , m_model(new SelectionTableModel(this))
    , m_title(new QLabel(tr("Selection"), this))
    , m_summary(new QLabel(this))
    , m_close(new QToolButton(this))
    , m_table(new QTableView(this))
    , m_footer(new QLabel(this))
    , m_worker(std::make_unique<Worker>())
{
    auto* header = row(this, 36, "toolRow");
    buildHeader(header);
    auto* footer = row(this, 30, "panel");
    auto* footerLayout = new QHBoxLayout(footer);
    footerLayout->setContentsMargins(10, 0, 10, 0);
    footerLayout->addWidget(m_footer);

    m_table->setModel(m_model);
    m_table->setAccessibleName(tr("Events of the selected range"));
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setShowGrid(false);
    m_table->setIconSize(QSize(10, 10));
    m_table->setWordWrap(false);
    m_table->setTextElideMode(Qt::ElideMiddle);
    m_table->setMouseTracking(true);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->verticalHeader()->hide();
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Interactive);
    m_table->horizontalHeader()->setMinimumSectionSize(40);
    // The model puts the arrow beside the word; the style would draw it over the right-aligned text.
    m_table->horizontalHeader()->setStyleSheet(
        QStringLiteral("QHeaderView::up-arrow, QHeaderView::down-arrow { image: none; width: 0; height: 0; }"));
    m_table->viewport()->installEventFilter(this);
    m_table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_table->horizontalHeader()->setSortIndicator(SelectionTableModel::Total, Qt::DescendingOrder);
    m_table->setSortingEnabled(true);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(header);
    auto* body = new QWidget(this);
    body->setProperty("role", "view");
    body->setAttribute(Qt::WA_StyledBackground);
    auto* bodyLayout = new QHBoxLayout(body);
    bodyLayout->setContentsMargins(6, 0, 4, 0);
    bodyLayout->addWidget(m_table);
    layout->addWidget(body, 1);
    layout->addWidget(footer);

    const auto activate = [this](const QModelIndex& index) {
        const EventId first = m_model->row(index.row()).first;
        if (first.isValid())
            emit eventActivated(first);
    };
    connect(m_table, &QTableView::clicked, this, activate);
    connect(m_table, &QTableView::activated, this, activate);
    connect(m_close, &QToolButton::clicked, this, &SelectionTable::closeRequested);
    connect(&ThemeManager::instance(), &ThemeManager::changed, this, &SelectionTable::applyTheme);
    applyTheme();
}

SelectionTable::~SelectionTable() = default;

void SelectionTable::buildHeader(QWidget* header)
{
    auto* layout = new QHBoxLayout(header);
    layout->setContentsMargins(10, 0, 8, 0);
    layout->setSpacing(10);
    m_summary->setProperty("role", "secondary");
    m_close->setIcon(icon(QStringLiteral("close")));
    m_close->setToolTip(tr("Close the selection (Esc)"));
    m_close->setAccessibleName(tr("Close the selection"));
    m_close->setAutoRaise(true);
    layout->addWidget(m_title);
    layout->addWidget(m_summary);
    layout->addStretch(1);
    layout->addWidget(m_close);
}

void SelectionTable::applyTheme()
{
    const ThemeManager& manager = ThemeManager::instance();
    QFont title = manager.uiFont(13);
    title.setWeight(QFont::Medium);
    m_title->setFont(title);
    m_summary->setFont(manager.uiFont(12));
    m_footer->setFont(manager.uiFont(12));
    m_table->setFont(manager.uiFont(12));
    m_table->verticalHeader()->setDefaultSectionSize(manager.scaled(24));
    m_table->verticalHeader()->setMinimumSectionSize(manager.scaled(20));
    layOutColumns();
    m_model->refreshColours();
}

// The columns share the width, so that a row can be followed by the eye; names get the most.
void SelectionTable::layOutColumns()
{
    const int width = m_table->viewport()->width();
    int left = width;
    for (int column = SelectionTableModel::ColumnCount - 1; column > SelectionTableModel::Op; --column) {
        const int wanted = width * (column == SelectionTableModel::Category ? 13 : 11) / 100;
        const int section =
            std::max(wanted, ThemeManager::instance().scaled(column == SelectionTableModel::Category ? 110 : 78));
        m_table->setColumnWidth(column, section);
        left -= section;
    }
    m_table->setColumnWidth(SelectionTableModel::Op, std::max(left, ThemeManager::instance().scaled(120)));
}

bool SelectionTable::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize)
        layOutColumns();
    return QWidget::eventFilter(watched, event);
}

void SelectionTable::setRange(std::shared_ptr<const Trace> trace, std::vector<TrackId> tracks, int64_t beginPs,
                              int64_t endPs)
{
    Request request{std::move(trace), std::move(tracks), beginPs, endPs};
    if (m_isRunning) {
        m_progress->cancel();
        m_pending = std::make_unique<Request>(std::move(request));
        return;
    }
    start(std::move(request));
}

void SelectionTable::start(Request request)
{
    m_isRunning = true;
    m_progress =
        m_worker->post([this, request = std::move(request), generation = m_generation](const Progress& progress) {
            auto result = std::make_shared<RangeStatistics>(
                rangeStatistics(request.trace, request.tracks, request.beginPs, request.endPs, &progress));
            const bool isCancelled = progress.isCancelled();
            QMetaObject::invokeMethod(
                this,
                [this, result, isCancelled, generation] {
                    m_isRunning = false;
                    if (generation == m_generation && !isCancelled)
                        take(std::move(*result));
                    if (const std::unique_ptr<Request> next = std::move(m_pending))
                        start(std::move(*next));
                    if (!m_isRunning)
                        emit readyChanged();
                },
                Qt::QueuedConnection);
        });
}

void SelectionTable::take(RangeStatistics statistics)
{
    m_model->setStatistics(std::move(statistics));
    showWords();
    setCurrent(m_currentTrace, m_current);
}

void SelectionTable::clear()
{
    ++m_generation;
    m_pending.reset();
    if (m_progress)
        m_progress->cancel();
    m_model->setStatistics({});
    showWords();
}

void SelectionTable::showWords()
{
    const RangeStatistics& all = m_model->statistics();
    QString summary =
        tr("%1 events in %2").arg(formatCount(static_cast<qint64>(all.events)), formatTime(all.endPs - all.beginPs));
    if (all.tracks.size() > 1)
        summary += tr(" on %n line(s)", nullptr, static_cast<int>(all.tracks.size()));
    if (all.eventsWithoutTime > 0)
        summary += tr(", of them %1 without a time").arg(formatCount(static_cast<qint64>(all.eventsWithoutTime)));
    m_summary->setText(summary);

    if (all.events == 0) {
        m_footer->setText(tr("Nothing runs in this range."));
        return;
    }
    const int64_t mean = all.totalPs / static_cast<int64_t>(all.events);
    m_footer->setText(tr("Sum of %1    total %2    self %3    mean %4")
                          .arg(formatCount(static_cast<qint64>(all.events)), formatTime(all.totalPs),
                               formatTime(all.selfPs), formatTime(mean)));
}

void SelectionTable::setCurrent(std::shared_ptr<const Trace> trace, EventId event)
{
    m_currentTrace = std::move(trace);
    m_current = event;
    if (!event.isValid() || m_currentTrace != m_model->statistics().trace) {
        m_table->clearSelection();
        return;
    }
    const int rowIndex = m_model->rowOf(m_currentTrace->kind(event));
    if (rowIndex < 0) {
        m_table->clearSelection();
        return;
    }
    m_table->selectRow(rowIndex);
}

QString SelectionTable::summary() const
{
    return m_summary->text();
}

QString SelectionTable::footer() const
{
    return m_footer->text();
}

} // namespace hloscope
