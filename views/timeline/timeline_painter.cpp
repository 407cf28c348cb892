// SPDX-License-Identifier: Apache-2.0
#include "views/timeline/timeline_painter.h"

#include "views/words/units.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace hloscope {

namespace {

struct TimelineWords {
    Q_DECLARE_TR_FUNCTIONS(Timeline)
};

constexpr double kHeaderPadding = 14;
constexpr double kNotePadding = 9;
constexpr double kTickDistance = 110; // pixels from label to label
constexpr double kRangeOpacity = 0.07;

} // namespace

TimelineLayout TimelineLayout::of(const QSizeF& size, const TimelineMetrics& metrics, double scrollBarWidth)
{
    TimelineLayout layout;
    layout.width = size.width();
    layout.height = size.height();
    const double plot = std::max(1.0, size.width() - metrics.header - scrollBarWidth);
    layout.minimap = QRectF(metrics.header, 0, plot, metrics.minimap);
    layout.ruler = QRectF(metrics.header, metrics.minimap, plot, metrics.ruler);
    const double top = metrics.minimap + metrics.ruler;
    layout.rows = QRectF(metrics.header, top, plot, std::max(1.0, size.height() - top));
    return layout;
}

TimelinePainter::TimelinePainter(QPainter& painter, const TimelineController& controller, const TimelineLayout& layout,
                                 TimelineStyle& style, const TimelineHover& hover)
    : m_painter(painter)
    , m_controller(controller)
    , m_trace(*controller.trace())
    , m_layout(layout)
    , m_style(style)
    , m_theme(style.theme)
    , m_hover(hover)
    , m_scale(controller.scale(layout.left()))
    , m_events(painter, *controller.trace(), style, m_scale)
{
    if (controller.range()) {
        m_rangeTracks = controller.summedTracks();
        std::ranges::sort(m_rangeTracks);
    }
    if (hover.hit.mark && !hover.hit.mark->isRun())
        m_events.setHovered(m_trace.eventKinds[hover.hit.mark->event.index()], hover.hit.mark->event);
}

std::optional<std::pair<size_t, double>> TimelinePainter::stickyGroup(const TimelineController& controller,
                                                                      const TimelineLayout& layout)
{
    const RowModel& rows = controller.rows();
    const TimelineRow* first = rows.rowAt(controller.scroll());
    if (first == nullptr || (first->kind == RowKind::Group && first->y >= controller.scroll()))
        return std::nullopt;
    // The header of the next group pushes this one out.
    double y = layout.rows.top();
    const double height = controller.metrics().group;
    const auto [begin, end] = rows.rowsBetween(controller.scroll(), controller.scroll() + height);
    for (size_t i = begin; i < end; ++i) {
        const TimelineRow& row = rows.rows()[i];
        if (row.kind == RowKind::Group && row.group != first->group)
            y = std::min(y, layout.rows.top() + row.y - controller.scroll() - height);
    }
    return std::pair(first->group, y);
}

void TimelinePainter::paint()
{
    const Ruler ruler = layoutRuler(m_scale, kTickDistance);
    paintGrounds();
    m_painter.save();
    m_painter.setClipRect(QRectF(0, m_layout.rows.top(), m_layout.rows.right(), m_layout.rows.height()));
    paintGrid(ruler);
    const auto [first, last] =
        m_controller.rows().rowsBetween(m_controller.scroll(), m_controller.scroll() + m_layout.rows.height());
    for (size_t i = first; i < last; ++i)
        paintRow(m_controller.rows().rows()[i]);
    paintHighlights();
    paintRange();
    if (const auto sticky = stickyGroup(m_controller, m_layout)) {
        for (const TimelineRow& row : m_controller.rows().rows()) {
            if (row.kind == RowKind::Group && row.group == sticky->first)
                paintGroup(row, sticky->second);
        }
    }
    m_painter.restore();
    paintOverviewHeaders(ruler);
}

void TimelinePainter::paintGrounds()
{
    m_painter.fillRect(QRectF(0, 0, m_layout.width, m_layout.height), m_theme.view);
    m_painter.fillRect(QRectF(0, 0, m_layout.rows.left(), m_layout.height), m_theme.panel);
    m_painter.fillRect(QRectF(0, 0, m_layout.width, m_layout.rows.top()), m_theme.panel);
}

void TimelinePainter::paintGrid(const Ruler& ruler)
{
    m_painter.setPen(m_theme.grid);
    for (const RulerTick& tick : ruler.ticks) {
        const double x = std::floor(tick.x) + 0.5;
        if (tick.isMajor() && x > m_layout.rows.left())
            m_painter.drawLine(QPointF(x, m_layout.rows.top()), QPointF(x, m_layout.rows.bottom()));
    }
    m_painter.setPen(m_theme.border);
    const double x = m_layout.rows.left() - 0.5;
    m_painter.drawLine(QPointF(x, m_layout.rows.top()), QPointF(x, m_layout.rows.bottom()));
}

void TimelinePainter::drawText(LabelCache& font, const QColor& colour, double x, double baseline, const QString& text)
{
    m_painter.setFont(font.font());
    m_painter.setPen(colour);
    m_painter.drawText(QPointF(std::round(x), std::round(baseline)), text);
}

void TimelinePainter::paintRow(const TimelineRow& row)
{
    const double y = toWidget(row.y);
    if (row.kind == RowKind::Group) {
        paintGroup(row, y);
        return;
    }
    if (row.kind == RowKind::Counter)
        paintCounterRow(row, y);
    else
        paintTrack(row, y);
    m_painter.setPen(m_theme.border);
    const double bottom = y + row.height - 0.5;
    m_painter.drawLine(QPointF(0, bottom), QPointF(m_layout.rows.right(), bottom));
}

void TimelinePainter::paintGroup(const TimelineRow& row, double y)
{
    const QRectF rect(0, y, m_layout.rows.right(), row.height);
    m_painter.fillRect(rect, m_theme.raised);
    m_painter.setPen(m_theme.border);
    m_painter.drawLine(QPointF(0, rect.bottom() - 0.5), QPointF(rect.right(), rect.bottom() - 0.5));
    const QPointF centre(kHeaderPadding + 3, std::round(rect.center().y()));
    m_painter.setRenderHint(QPainter::Antialiasing, true);
    m_painter.setPen(QPen(m_theme.text2, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    const bool isCollapsed = m_controller.rows().groups()[row.group].isCollapsed;
    const std::array<QPointF, 3> chevron = isCollapsed
        ? std::array{centre + QPointF(-1.5, -4), centre + QPointF(2.5, 0), centre + QPointF(-1.5, 4)}
        : std::array{centre + QPointF(-4, -2), centre + QPointF(0, 2), centre + QPointF(4, -2)};
    m_painter.drawPolyline(chevron.data(), 3);
    m_painter.setRenderHint(QPainter::Antialiasing, false);

    const double noteWidth = m_style.small.width(row.note);
    const double nameLeft = kHeaderPadding + 14;
    const double nameRoom = rect.right() - nameLeft - noteWidth - 30;
    const LabelCache::Label name{row.name, m_style.header.width(row.name)};
    drawText(m_style.header, m_theme.text, nameLeft, y + m_style.header.baselineIn(row.height),
             m_style.header.elided(name, nameRoom));
    drawText(m_style.small, m_theme.text2, rect.right() - noteWidth - 10, y + m_style.small.baselineIn(row.height),
             row.note);
}

void TimelinePainter::paintHeader(const TimelineRow& row, double y)
{
    const double width = m_layout.rows.left();
    if (row.track.isValid() && row.track == m_controller.selectedTrack())
        m_painter.fillRect(QRectF(0, y, width - 1, row.height - 1), m_theme.selection);
    else if (m_hover.pointer && m_hover.hit.row == &row)
        m_painter.fillRect(QRectF(0, y, width - 1, row.height - 1), m_theme.selectionSoft);
    const bool isSelected = row.track.isValid() && row.track == m_controller.selectedTrack();

    const double line = row.depth > 1 ? std::max(row.levelHeight, 20.0) : row.height;
    const double noteWidth = m_style.small.width(row.note);
    drawText(m_style.small, isSelected ? m_theme.text2 : m_theme.text3, width - kNotePadding - noteWidth,
             y + m_style.small.baselineIn(line), row.note);
    const LabelCache::Label name{row.name, m_style.header.width(row.name)};
    const double room = width - kHeaderPadding - kNotePadding - noteWidth - 8;
    drawText(m_style.header, m_theme.text, kHeaderPadding, y + m_style.header.baselineIn(line),
             m_style.header.elided(name, room));
}

void TimelinePainter::paintTrack(const TimelineRow& row, double y)
{
    paintHeader(row, y);
    m_painter.save();
    m_painter.setClipRect(m_layout.rows, Qt::IntersectClip);
    const double scroll = m_controller.scroll();
    const int firstLevel = row.levelAt(scroll);
    const int lastLevel = row.levelAt(scroll + m_layout.rows.height());
    for (int level = firstLevel; level <= lastLevel; ++level) {
        const double top = toWidget(row.blockTop(level));
        const auto strips = m_controller.geometry().strips({row.track, {}, static_cast<uint16_t>(level)},
                                                           m_controller.window(), m_controller.plotWidth());
        if (strips.empty())
            continue;
        const Strip& fine = *strips.back();
        if (strips.size() == 1) {
            m_events.add(fine, row, top, m_layout.rows.left(), m_layout.rows.right());
            continue;
        }
        // Beyond the edges of the fine strip the coarse one fills in until the worker has caught up.
        const double from = std::clamp(m_scale.xOf(fine.begin), m_layout.rows.left(), m_layout.rows.right());
        const double to = std::clamp(m_scale.xOf(fine.end), m_layout.rows.left(), m_layout.rows.right());
        if (from > m_layout.rows.left())
            m_events.add(*strips.front(), row, top, m_layout.rows.left(), from);
        if (to < m_layout.rows.right())
            m_events.add(*strips.front(), row, top, to, m_layout.rows.right());
        if (to > from)
            m_events.add(fine, row, top, from, to);
    }
    m_events.flush();
    m_painter.restore();
}

void TimelinePainter::paintCounterRow(const TimelineRow& row, double y)
{
    const Counter& counter = m_trace.counters[row.counter.index()];
    const StripKey key{{}, row.counter, 0};
    const auto strips = m_controller.geometry().strips(key, m_controller.window(), m_controller.plotWidth());
    const double most = strips.empty() ? 0 : strips.back()->counterMost;
    const CounterAxis axis = CounterAxis::of(counter, most, row.height > m_controller.metrics().counter);
    const QRectF rect(m_layout.rows.left(), y, m_layout.rows.width(), row.height - 1);
    m_painter.save();
    m_painter.setClipRect(rect, Qt::IntersectClip);
    paintCounter(m_painter, counter, axis, strips, m_scale, rect, m_theme);
    m_painter.restore();
    paintCounterHeader(row, y, axis, most);
}

void TimelinePainter::paintCounterHeader(const TimelineRow& row, double y, const CounterAxis& axis, double most)
{
    const double width = m_layout.rows.left();
    const Counter& counter = m_trace.counters[row.counter.index()];
    const QRectF rect(width, y, 1, row.height - 1);
    double widestTick = 0;
    for (const CounterAxis::Tick& tick : axis.ticks) {
        const double tickWidth = m_style.small.width(tick.label);
        widestTick = std::max(widestTick, tickWidth);
        const double centre = counterY(axis, rect, tick.value);
        const double height = 14;
        drawText(m_style.small, m_theme.text3, width - kNotePadding - tickWidth,
                 centre - height / 2 + m_style.small.baselineIn(height), tick.label);
    }
    const double room = width - kHeaderPadding - kNotePadding - widestTick - 8;
    const LabelCache::Label name{row.name, m_style.header.width(row.name)};
    drawText(m_style.header, m_theme.text, kHeaderPadding, y + 4 + m_style.header.baselineIn(20),
             m_style.header.elided(name, room));
    QString note = axis.unit;
    if (counter.unit == Counter::Unit::Bytes)
        note = TimelineWords::tr("peak %1").arg(formatCounterValue(counter, most));
    QColor colour = m_theme.text3;
    if (m_hover.pointer && m_layout.rows.contains(*m_hover.pointer)) {
        note = formatCounterValue(counter, CounterIndex::valueAt(counter, m_scale.timeAt(m_hover.pointer->x())));
        colour = m_theme.text;
    }
    const LabelCache::Label noteLabel{note, m_style.small.width(note)};
    drawText(m_style.small, colour, kHeaderPadding, y + 22 + m_style.small.baselineIn(16),
             m_style.small.elided(noteLabel, room));
}

void TimelinePainter::paintHighlights()
{
    m_painter.save();
    m_painter.setClipRect(m_layout.rows, Qt::IntersectClip);
    m_painter.setRenderHint(QPainter::Antialiasing, true);
    m_painter.setBrush(Qt::NoBrush);
    const auto outline = [&](const TimelineRow& row, int level, int64_t begin, int64_t end, double pen, double grow) {
        const QRectF rect = m_events.rectOf(begin, end, toWidget(row.blockTop(level)), row.blockHeight);
        m_painter.setPen(QPen(m_theme.text, pen));
        m_painter.drawRoundedRect(rect.adjusted(-grow, -grow, grow, grow), 2 + grow, 2 + grow);
    };
    if (m_hover.hit.mark && m_hover.hit.row != nullptr)
        outline(*m_hover.hit.row, m_hover.hit.level, m_hover.hit.mark->begin, m_hover.hit.mark->end, 1.5, -0.25);
    const EventId selected = m_controller.selectedEvent();
    if (selected.isValid()) {
        if (const TimelineRow* row = m_controller.rows().rowOf(m_trace.trackOf(selected))) {
            const int level = std::min<int>(m_trace.depths[selected.index()], row->depth - 1);
            outline(*row, level, m_trace.begin(selected), m_trace.end(selected), 2, 0);
        }
    }
    m_painter.restore();
}

void TimelinePainter::paintRange()
{
    const auto& range = m_controller.range();
    if (!range)
        return;
    m_painter.save();
    m_painter.setClipRect(m_layout.rows, Qt::IntersectClip);
    const double from = std::clamp(m_scale.xOf(range->begin), m_layout.rows.left() - 2, m_layout.rows.right() + 2);
    const double to = std::clamp(m_scale.xOf(range->end), m_layout.rows.left() - 2, m_layout.rows.right() + 2);
    QColor ground = m_theme.accent;
    ground.setAlphaF(static_cast<float>(kRangeOpacity));
    const bool coversAll = m_controller.rangeTracks().empty();
    const double rowsBottom = std::min(m_layout.rows.bottom(), toWidget(m_controller.rows().height()));
    if (coversAll) {
        m_painter.fillRect(QRectF(from, m_layout.rows.top(), to - from, rowsBottom - m_layout.rows.top()), ground);
    } else {
        const auto [first, last] =
            m_controller.rows().rowsBetween(m_controller.scroll(), m_controller.scroll() + m_layout.rows.height());
        for (size_t i = first; i < last; ++i) {
            const TimelineRow& row = m_controller.rows().rows()[i];
            if (row.kind == RowKind::Track && std::ranges::binary_search(m_rangeTracks, row.track))
                m_painter.fillRect(QRectF(from, toWidget(row.y), to - from, row.height), ground);
        }
    }
    m_painter.setPen(m_theme.accent);
    for (const double x : {std::floor(from) + 0.5, std::ceil(to) - 0.5})
        m_painter.drawLine(QPointF(x, m_layout.rows.top()), QPointF(x, rowsBottom));
    m_painter.restore();
}

void TimelinePainter::paintOverviewHeaders(const Ruler& ruler)
{
    const double limit = m_controller.limit();
    const QString whole = m_trace.isSimulated ? TimelineWords::tr("Whole step") : TimelineWords::tr("Whole trace");
    const double lines = 32;
    const double top = m_layout.minimap.top() + (m_layout.minimap.height() - lines) / 2;
    drawText(m_style.caption, m_theme.text2, kHeaderPadding, top + m_style.caption.baselineIn(17), whole);
    drawText(m_style.small, m_theme.text3, kHeaderPadding, top + 16 + m_style.small.baselineIn(16),
             formatTime(static_cast<qint64>(limit)));

    std::vector<std::pair<double, double>> scopes;
    if (const auto strip = m_controller.geometry().whole({m_controller.scopeTrack(), {}, 0})) {
        for (const LevelOfDetail::Mark& mark : strip->marks)
            scopes.emplace_back(static_cast<double>(mark.begin - m_scale.origin()),
                                static_cast<double>(mark.end - m_scale.origin()));
    }
    paintMinimap(m_painter, m_layout.minimap, m_controller.geometry().minimap(),
                 {m_layout.minimap.left(), m_layout.minimap.width(), limit}, scopes, m_controller.window(), m_theme);
    const double flags = m_controller.metrics().flags;
    paintRuler(m_painter, m_layout.ruler, ruler, m_style, flags);

    const double labelTop = m_layout.ruler.top() + flags;
    const double labelHeight = m_layout.ruler.height() - flags - 4;
    const QString left = ruler.base.isEmpty()
        ? TimelineWords::tr("%1 shown").arg(formatTime(static_cast<qint64>(m_controller.window().span())))
        : TimelineWords::tr("from %1").arg(ruler.base);
    const LabelCache::Label label{left, m_style.small.width(left)};
    drawText(m_style.small, m_theme.text3, kHeaderPadding, labelTop + m_style.small.baselineIn(labelHeight),
             m_style.small.elided(label, m_layout.rows.left() - kHeaderPadding - kNotePadding));

    m_painter.setPen(m_theme.border);
    for (const double y : {m_layout.minimap.bottom() - 0.5, m_layout.ruler.bottom() - 0.5})
        m_painter.drawLine(QPointF(0, y), QPointF(m_layout.width, y));
    const double x = m_layout.rows.left() - 0.5;
    m_painter.drawLine(QPointF(x, 0), QPointF(x, m_layout.rows.top()));

    if (const auto& range = m_controller.range()) {
        const double from = m_scale.xOf(range->begin);
        const double to = m_scale.xOf(range->end);
        if (to >= m_layout.ruler.left() && from <= m_layout.ruler.right()) {
            const QRectF band(m_layout.ruler.left(), m_layout.ruler.top() + 2, m_layout.ruler.width(), flags - 1);
            paintRangeFlag(m_painter, band, std::max(from, band.left() - 1), std::min(to, band.right() + 1),
                           formatTime(range->end - range->begin), m_style);
            m_painter.setPen(m_theme.accent);
            for (const double edge : {std::floor(from) + 0.5, std::ceil(to) - 0.5}) {
                if (edge >= m_layout.ruler.left() && edge <= m_layout.ruler.right())
                    m_painter.drawLine(QPointF(edge, m_layout.ruler.top() + 3), QPointF(edge, m_layout.ruler.bottom()));
            }
        }
    }
}

} // namespace hloscope
