// SPDX-License-Identifier: Apache-2.0
#include "views/timeline/event_painter.h"

#include "views/words/units.h"

#include <QGlyphRun>
#include <QPaintEngine>

#include <algorithm>
#include <array>
#include <climits>
#include <cmath>

namespace hloscope {

namespace {

constexpr int kLabelPadding = 6;
constexpr int kLabelGap = 12; // between name and duration
constexpr int kLeastLabel = 20; // blocks narrower than this have no label
constexpr int kRounded = 6; // and those narrower than this no round corners
constexpr int kLozenge = 12;
constexpr int kSmallLozenge = 8;
constexpr int kOffScreen = 8; // shapes end this many pixels outside, so that coordinates stay small
constexpr double kSnap = 1e-3; // pixels; keeps 99.9999 from opening another column
constexpr size_t kMaxSameName = 1000;

int leftColumn(double x)
{
    return static_cast<int>(std::floor(x + kSnap));
}

int rightColumn(double x)
{
    return static_cast<int>(std::ceil(x - kSnap));
}

// A square on its corner; hatched along one pair of its sides where the time is unknown.
void drawLozenge(QPainter& painter, const QPointF& centre, double size, bool isHatched)
{
    const double r = size / 2;
    const QPointF top = centre + QPointF(0, -r);
    const QPointF right = centre + QPointF(r, 0);
    const QPointF bottom = centre + QPointF(0, r);
    const QPointF left = centre + QPointF(-r, 0);
    painter.drawPolygon(std::array<QPointF, 4>{top, right, bottom, left}.data(), 4);
    if (!isHatched)
        return;
    for (const double share : {1 / 3.0, 2 / 3.0})
        painter.drawLine(left + (bottom - left) * share, top + (right - top) * share);
}

} // namespace

EventPainter::EventPainter(QPainter& painter, const Trace& trace, TimelineStyle& style, const TimeScale& scale)
    : m_painter(painter)
    , m_isRaster(painter.paintEngine() != nullptr && painter.paintEngine()->type() == QPaintEngine::Raster)
    , m_trace(trace)
    , m_style(style)
    , m_scale(scale)
{
}

void EventPainter::setHovered(std::optional<uint32_t> kind, EventId hovered)
{
    m_hoveredKind = kind;
    m_hovered = hovered;
}

QRectF EventPainter::rectOf(int64_t begin, int64_t end, double top, double height) const
{
    const double left = std::clamp(m_scale.xOf(begin), m_scale.left() - kOffScreen, m_scale.right() + kOffScreen);
    const double right = std::clamp(m_scale.xOf(end), m_scale.left() - kOffScreen, m_scale.right() + kOffScreen);
    const int x = leftColumn(left);
    return QRectF(x, top, std::max(rightColumn(right) - x, 3), height);
}

void EventPainter::add(const Strip& strip, const TimelineRow& row, double top, double clipLeft, double clipRight)
{
    Level level;
    level.row = &row;
    level.depth = strip.key.depth;
    level.top = static_cast<int>(std::lround(top));
    level.height = static_cast<int>(row.blockHeight);
    level.clipLeft = static_cast<int>(std::floor(clipLeft));
    level.clipRight = static_cast<int>(std::ceil(clipRight));
    level.nameBaseline = level.top + m_style.name.baselineIn(level.height);
    level.smallBaseline = level.top + m_style.small.baselineIn(level.height);

    int previousRight = INT_MIN;
    for (auto mark = firstMarkFrom(strip, m_scale.timeAt(clipLeft - kLozenge)); mark != strip.marks.end(); ++mark) {
        const double begin = m_scale.xOf(mark->begin);
        if (begin > clipRight + kLozenge)
            break;
        if (mark->busy == 0) {
            const auto next = std::next(mark);
            addLozenge(level, *mark, next == strip.marks.end() ? clipRight : m_scale.xOf(next->begin));
            continue;
        }
        const int left = std::max(leftColumn(begin), level.clipLeft - kOffScreen);
        const int right =
            std::min(std::max(rightColumn(m_scale.xOf(mark->end)), left + 1), level.clipRight + kOffScreen);
        if (right <= left)
            continue;
        if (mark->isRun())
            addRun(level, *mark, left, right);
        else
            addBlock(level, *mark, left, right, left <= previousRight);
        previousRight = right;
    }
}

void EventPainter::addBlock(const Level& level, const Mark& mark, int left, int right, bool touchesPrevious)
{
    const uint32_t kind = m_trace.eventKinds[mark.event.index()];
    if (level.row->style == TrackStyle::Scopes)
        addScope(level, left, right, touchesPrevious);
    else
        addOp(level, m_trace.kinds[kind].category, left, right, touchesPrevious);
    if (kind == m_hoveredKind && mark.event != m_hovered && m_sameName.size() < kMaxSameName)
        m_sameName.emplace_back(left, level.top, right - left, level.height);
    if (right - left >= kLeastLabel)
        addLabels(level, mark, left, right);
}

// Four lines inside the rectangle whose corners stay free.
void EventPainter::addOutline(std::vector<QRect>& rects, int left, int right, int top, int height) const
{
    const int width = right - left;
    const int inset = width >= kRounded ? 1 : 0;
    rects.emplace_back(left + inset, top, width - 2 * inset, 1);
    rects.emplace_back(left + inset, top + height - 1, width - 2 * inset, 1);
    rects.emplace_back(left, top + 1, 1, height - 2);
    if (width > 1)
        rects.emplace_back(right - 1, top + 1, 1, height - 2);
}

// A rectangle without its corner pixels: at the size of a block that looks round, and costs a tenth of a real curve.
void EventPainter::addRounded(std::vector<QRect>& rects, const QRect& rect)
{
    rects.push_back(rect.adjusted(0, 1, 0, -1));
    rects.emplace_back(rect.left() + 1, rect.top(), rect.width() - 2, 1);
    rects.emplace_back(rect.left() + 1, rect.bottom(), rect.width() - 2, 1);
}

void EventPainter::addScope(const Level& level, int left, int right, bool touchesPrevious)
{
    const bool isPlain = level.row->depth == 1;
    if (level.depth == 0)
        m_scopes.emplace_back(left, level.top, right - left, level.height);
    if (!isPlain)
        addOutline(m_scopeEdges, left, right, level.top, level.height);
    else if (touchesPrevious)
        m_scopeEdges.emplace_back(left, level.top, 1, level.height);
}

void EventPainter::addOp(const Level& level, OpCategory category, int left, int right, bool touchesPrevious)
{
    const auto index = static_cast<size_t>(category);
    std::vector<QRect>& fills = m_fills[index];
    const int width = right - left;
    if (width < kRounded)
        fills.emplace_back(left, level.top, width, level.height);
    else
        addRounded(fills, QRect(left, level.top, width, level.height));
    if (!m_style.theme.isDark())
        addOutline(m_edges[index], left, right, level.top, level.height);
    else if (touchesPrevious && width >= kMinMarkPixels)
        m_edges[index].emplace_back(left, level.top, 1, level.height);
}

// Height: the share of the span in which something runs. Bands: that time by category, from below in legend order.
void EventPainter::addRun(const Level& level, const Mark& mark, int left, int right)
{
    const int width = right - left;
    const double span = static_cast<double>(std::max<int64_t>(mark.end - mark.begin, 1));
    const double full = level.height - 2; // the dotted edge stands above
    const double busyHeight = std::clamp(full * static_cast<double>(mark.busy) / span, 2.0, full);
    const int bottom = level.top + level.height;
    if (level.row->style == TrackStyle::Scopes) {
        const int height = static_cast<int>(std::lround(busyHeight));
        m_scopeRuns.emplace_back(left, bottom - height, width, height);
    } else {
        double sum = 0;
        int y = bottom;
        for (size_t i = kOpCategoryCount; i-- > 0;) {
            if (mark.busyByCategory[i] == 0)
                continue;
            sum += static_cast<double>(mark.busyByCategory[i]);
            const int next = bottom - static_cast<int>(std::lround(busyHeight * sum / static_cast<double>(mark.busy)));
            if (next < y)
                m_runs[i].emplace_back(left, next, width, y - next);
            y = next;
        }
    }
    m_dots.emplace_back(left, level.top, width, 1);
    if (width < kLeastLabel)
        return;
    const QString number = formatCount(mark.count);
    const double numberWidth = m_style.small.width(number);
    if (numberWidth + 8 > width)
        return;
    const double middle = (left + right) / 2.0;
    const int badgeHeight = std::min(level.height - 6, 16);
    addRounded(m_badges,
               QRect(static_cast<int>(middle - numberWidth / 2 - 4), level.top + (level.height - badgeHeight) / 2 + 1,
                     static_cast<int>(numberWidth + 8), badgeHeight));
    m_numbers.push_back({middle - numberWidth / 2, level.smallBaseline + 1, number, m_style.theme.text});
}

void EventPainter::addLozenge(const Level& level, const Mark& mark, double nextX)
{
    const bool isNoTime = level.row->style == TrackStyle::NoTime;
    const double size = isNoTime ? kLozenge : kSmallLozenge;
    const double x = (m_scale.xOf(mark.begin) + m_scale.xOf(mark.end)) / 2;
    const uint32_t kind = m_trace.eventKinds[mark.event.index()];
    m_lozenges.push_back(
        {QPointF(std::round(x), level.top + level.height / 2.0), size, m_trace.kinds[kind].category, isNoTime});
    // What stands beside it: how many there are, or the name where there is room for it.
    const double room = nextX - x - size - 4;
    const LabelCache::Label count{mark.isRun() ? formatCount(mark.count) : QString(), 0};
    if (mark.isRun() && m_style.small.width(count.text) <= room) {
        m_numbers.push_back({x + size / 2 + 4, level.smallBaseline, count.text, m_style.theme.text2});
    } else if (!mark.isRun() && isNoTime) {
        const LabelCache::Label& label = m_style.small.of(m_trace, kind);
        if (label.width <= room)
            m_numbers.push_back({x + size / 2 + 4, level.smallBaseline, label.text, m_style.theme.text2});
    }
}

void EventPainter::addLabels(const Level& level, const Mark& mark, int left, int right)
{
    // A block that reaches out of the window keeps its label in view.
    const int from = std::max(left, level.clipLeft) + kLabelPadding;
    const int to = std::min(right, level.clipRight) - kLabelPadding;
    if (to - from < kLeastLabel - kLabelPadding - 2)
        return;
    const bool isScope = level.row->style == TrackStyle::Scopes;
    const Theme& theme = m_style.theme;
    const QColor& ink = !isScope ? theme.onFill : level.depth == 0 ? theme.text : theme.text2;
    const LabelCache::Label& label = m_style.name.of(m_trace, m_trace.eventKinds[mark.event.index()]);
    // The last pixels before the edge may be used by the name alone.
    const QString name = m_style.name.elided(label, to - from + 3);
    if (!name.isEmpty())
        m_names.push_back({static_cast<double>(from), level.nameBaseline, name, ink});
    const double room = to - from - label.width - kLabelGap;
    if (room < 24 || (isScope && level.depth > 0))
        return;
    const QString duration = formatTime(mark.busy);
    const double width = m_style.small.width(duration);
    if (width <= room)
        m_numbers.push_back({to - width, level.smallBaseline, duration, ink});
}

void EventPainter::drawRects(const std::vector<QRect>& rects, const QColor& colour)
{
    if (rects.empty())
        return;
    m_painter.setBrush(colour);
    m_painter.drawRects(rects.data(), static_cast<int>(rects.size()));
}

// Every second pixel of the spans, counted from the left edge of the picture so that they join.
void EventPainter::drawDots()
{
    if (m_dots.empty())
        return;
    if (m_isRaster) {
        m_painter.setBrush(m_style.dots);
        m_painter.drawRects(m_dots.data(), static_cast<int>(m_dots.size()));
    } else {
        std::vector<QRect> dots;
        for (const QRect& span : m_dots) {
            for (int x = span.left() + (span.left() & 1); x <= span.right(); x += 2)
                dots.emplace_back(x, span.top(), 1, 1);
        }
        drawRects(dots, m_style.theme.text2);
    }
    m_dots.clear();
}

void EventPainter::drawTexts(std::vector<Text>& texts, const LabelCache& font)
{
    QList<quint32> indexes;
    QList<QPointF> positions;
    QColor colour;
    const auto drawGlyphs = [&] {
        if (!indexes.isEmpty()) {
            QGlyphRun run;
            run.setRawFont(font.rawFont());
            run.setGlyphIndexes(indexes);
            run.setPositions(positions);
            m_painter.setPen(colour);
            m_painter.drawGlyphRun(QPointF(), run);
        }
        indexes.clear();
        positions.clear();
    };
    m_painter.setFont(font.font());
    for (const Text& text : texts) {
        if (text.colour != colour)
            drawGlyphs();
        colour = text.colour;
        if (m_isRaster && font.addGlyphs(text.text, QPointF(text.x, text.baseline), indexes, positions))
            continue;
        m_painter.setPen(colour);
        m_painter.drawText(QPointF(text.x, text.baseline), text.text);
    }
    drawGlyphs();
    texts.clear();
}

void EventPainter::flush()
{
    const Theme& theme = m_style.theme;
    m_painter.setPen(Qt::NoPen);
    drawRects(m_scopes, theme.idle);
    drawRects(m_scopeRuns, m_style.scopeRun);
    drawRects(m_scopeEdges, theme.borderStrong);
    for (auto* batch : {&m_fills, &m_runs, &m_edges}) {
        for (size_t i = 0; i < kOpCategoryCount; ++i) {
            drawRects((*batch)[i],
                      batch == &m_fills      ? theme.fill[i]
                          : batch == &m_runs ? m_style.run[i]
                                             : m_style.edge[i]);
            (*batch)[i].clear();
        }
    }
    drawDots();
    drawRects(m_badges, m_style.badge);
    for (auto* rects : {&m_scopes, &m_scopeRuns, &m_scopeEdges, &m_badges})
        rects->clear();

    m_painter.setRenderHint(QPainter::Antialiasing, true);
    for (const Lozenge& mark : m_lozenges) {
        m_painter.setPen(QPen(theme.wordOf(mark.category), 1.2));
        m_painter.setBrush(mark.isHatched ? theme.view : m_style.run[static_cast<size_t>(mark.category)]);
        drawLozenge(m_painter, mark.centre, mark.size, mark.isHatched);
    }
    m_lozenges.clear();
    if (!m_sameName.empty()) {
        QPen pen(theme.text, 1.2, Qt::CustomDashLine);
        pen.setDashPattern({2.5, 2});
        m_painter.setPen(pen);
        m_painter.setBrush(Qt::NoBrush);
        for (const QRectF& rect : m_sameName)
            m_painter.drawRoundedRect(rect.adjusted(0.6, 0.6, -0.6, -0.6), 2, 2);
        m_sameName.clear();
    }
    m_painter.setRenderHint(QPainter::Antialiasing, false);
    drawTexts(m_names, m_style.name);
    drawTexts(m_numbers, m_style.small);
}

} // namespace hloscope
