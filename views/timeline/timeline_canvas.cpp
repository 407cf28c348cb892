// SPDX-License-Identifier: Apache-2.0
#include "views/timeline/timeline_canvas.h"

#include "views/words/opcode_words.h"
#include "views/words/units.h"
#include "views/words/words_tr.h"

#include <QAccessible>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace hloscope {

namespace {

constexpr int kCardDelayMs = 300;
constexpr int kScrollBarWidth = 10;

} // namespace

TimelineCanvas::TimelineCanvas(TimelineController& controller, QWidget* cardParent, QWidget* parent)
    : QWidget(parent)
    , m_controller(controller)
    , m_drag(controller)
    , m_scrollBar(new QScrollBar(Qt::Vertical, this))
    , m_card(new HoverCard(cardParent))
    , m_detailsWorker(std::make_unique<Worker>())
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setAccessibleName(tr("Timeline"));
    m_scrollBar->setFocusPolicy(Qt::NoFocus);
    m_scrollBar->hide();
    m_cardTimer.setSingleShot(true);
    m_cardTimer.setInterval(kCardDelayMs);
    m_glideTimer.setInterval(8);
    m_glideTimer.setTimerType(Qt::PreciseTimer);
    applyTheme();
    describe();

    connect(&m_cardTimer, &QTimer::timeout, this, &TimelineCanvas::showCard);
    connect(&m_glideTimer, &QTimer::timeout, this, &TimelineCanvas::glide);
    connect(m_scrollBar, &QScrollBar::valueChanged, this, [this](int value) { m_controller.setScroll(value); });
    connect(&ThemeManager::instance(), &ThemeManager::changed, this, &TimelineCanvas::applyTheme);
    connect(&controller, &TimelineController::traceChanged, this, [this] {
        m_style->name.clear();
        m_style->small.clear();
        m_detailsOf = {};
        m_drag.cancel();
    });
    connect(&controller, &TimelineController::rowsChanged, this, [this] {
        m_hover.hit = {};
        updateGeometryOfRows();
        updateHover();
        update();
    });
    connect(&controller, &TimelineController::viewChanged, this, [this] {
        updateScrollBar();
        updateHover();
        update();
    });
    connect(&controller, &TimelineController::eventChanged, this, [this] {
        describe();
        update();
    });
    connect(&controller, &TimelineController::rangeChanged, this, qOverload<>(&TimelineCanvas::update));
    connect(&controller.geometry(), &GeometryStore::updated, this, [this] {
        updateHover();
        update();
    });
    connect(&controller.geometry(), &GeometryStore::minimapUpdated, this, qOverload<>(&TimelineCanvas::update));
}

TimelineCanvas::~TimelineCanvas() = default;

TimelineLayout TimelineCanvas::timelineLayout() const
{
    const double bar = m_scrollBar->isVisibleTo(this) ? kScrollBarWidth : 0;
    return TimelineLayout::of(size(), m_controller.metrics(), bar);
}

void TimelineCanvas::applyTheme()
{
    m_style = std::make_unique<TimelineStyle>(ThemeManager::instance());
    m_controller.setMetrics(TimelineMetrics::scaledBy(ThemeManager::instance().textScale()));
    update();
}

void TimelineCanvas::updateGeometryOfRows()
{
    const TimelineLayout without = TimelineLayout::of(size(), m_controller.metrics(), 0);
    m_scrollBar->setVisible(m_controller.rows().height() > without.rows.height());
    const TimelineLayout layout = timelineLayout();
    m_controller.setPlotSize(layout.rows.width(), layout.rows.height());
    updateScrollBar();
}

void TimelineCanvas::updateScrollBar()
{
    const TimelineLayout layout = timelineLayout();
    const QSignalBlocker blocker(m_scrollBar);
    m_scrollBar->setGeometry(
        QRectF(layout.rows.right(), layout.rows.top(), kScrollBarWidth, layout.rows.height()).toRect());
    m_scrollBar->setRange(0, static_cast<int>(std::ceil(m_controller.maxScroll())));
    m_scrollBar->setPageStep(static_cast<int>(layout.rows.height()));
    m_scrollBar->setSingleStep(static_cast<int>(m_controller.metrics().op));
    m_scrollBar->setValue(static_cast<int>(m_controller.scroll()));
}

void TimelineCanvas::resizeEvent(QResizeEvent*)
{
    updateGeometryOfRows();
}

void TimelineCanvas::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::FontChange || event->type() == QEvent::LanguageChange)
        applyTheme();
    QWidget::changeEvent(event);
}

void TimelineCanvas::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    if (!m_controller.trace()) {
        painter.fillRect(rect(), theme().view);
        return;
    }
    const TimelineLayout layout = timelineLayout();
    TimelinePainter(painter, m_controller, layout, *m_style, m_hover).paint();
    if (hasFocus()) {
        painter.setPen(theme().accent);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

TimelineHit TimelineCanvas::hitAt(const QPointF& at) const
{
    const TimelineLayout layout = timelineLayout();
    const double rowsTop = layout.rows.top();
    if (at.y() < rowsTop || at.x() >= layout.rows.right())
        return {};
    const double rowY = at.y() - rowsTop + m_controller.scroll();
    if (at.x() >= layout.left() && !groupHeaderAt(at))
        return m_controller.hitAt(at.x(), rowY, layout.left());
    TimelineHit hit;
    hit.row = m_controller.rows().rowAt(rowY);
    return hit;
}

void TimelineCanvas::updateHover()
{
    TimelineHit hit;
    if (m_hover.pointer && m_controller.trace() && m_drag.kind() == DragTool::Kind::None)
        hit = hitAt(*m_hover.pointer);
    const auto idOf = [](const TimelineHit& h) {
        return h.mark ? std::pair(h.mark->event, h.mark->count) : std::pair(EventId(), 0u);
    };
    const bool isSame = idOf(hit) == idOf(m_hover.hit);
    const bool needsPaint = !isSame || hit.row != m_hover.hit.row;
    m_hover.hit = hit;
    if (needsPaint)
        update();
    if (isSame)
        return;
    if (!hit.mark) {
        hideCard();
        return;
    }
    if (!hit.mark->isRun())
        requestDetails(hit.mark->event);
    // Once a card is there, it follows the pointer from event to event without a delay.
    if (m_card->isVisible())
        showCard();
    else
        m_cardTimer.start();
}

void TimelineCanvas::hideCard()
{
    m_cardTimer.stop();
    m_card->hide();
}

void TimelineCanvas::fillCard()
{
    if (!m_hover.hit.mark || !m_controller.trace())
        return;
    const LevelOfDetail::Mark& mark = *m_hover.hit.mark;
    const Trace& trace = *m_controller.trace();
    m_card->setText(mark.isRun() ? describeRun(trace, mark)
                                 : describeEvent(m_controller.workspace(), trace, mark.event, m_details));
}

void TimelineCanvas::showCard()
{
    if (!m_hover.hit.mark || !m_hover.pointer)
        return;
    fillCard();
    m_card->showAt(mapTo(m_card->parentWidget(), m_hover.pointer->toPoint()));
}

void TimelineCanvas::requestDetails(EventId event)
{
    if (event == m_detailsOf)
        return;
    m_detailsOf = event;
    m_details.reset();
    m_detailsWorker->post([this, trace = m_controller.trace(), event](const Progress&) {
        EventDetails details = detailsOf(*trace, event);
        QMetaObject::invokeMethod(
            this,
            [this, event, trace, details = std::move(details)] {
                if (event != m_detailsOf || trace != m_controller.trace())
                    return;
                m_details = details;
                if (m_card->isVisible())
                    showCard();
            },
            Qt::QueuedConnection);
    });
}

// What a screen reader says.
void TimelineCanvas::describe()
{
    QString text =
        tr("W and S zoom, A and D pan, dragging selects a range, full stop and comma step through the events.");
    const EventId event = m_controller.selectedEvent();
    if (event.isValid()) {
        const Trace& trace = *m_controller.trace();
        const Track& track = trace.tracks[trace.trackOf(event).index()];
        text = tr("%1, %2, %3, starts at %4, on %5")
                   .arg(shortLabel(trace.kind(event)), categoryName(trace.kind(event).category),
                        formatTime(trace.duration(event)), formatTime(trace.begin(event)), toQString(track.name));
    }
    setAccessibleDescription(text);
    QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&changed);
}

} // namespace hloscope
