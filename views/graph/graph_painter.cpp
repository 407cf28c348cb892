// SPDX-License-Identifier: Apache-2.0
#include "views/graph/graph_painter.h"

#include "views/common/theme.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>

namespace hloscope {

namespace {

constexpr double kRadius = 6;
constexpr double kBandWidth = 5;
constexpr double kLeftPadding = 17;
constexpr double kRightPadding = 10;
constexpr double kArrowLength = 7;
constexpr double kArrowHalfWidth = 3.2;
constexpr double kWordsBelow = 0.5; // scale below which a node keeps its band and name
constexpr double kBlocksBelow = 0.25; // scale below which it is a filled block
constexpr double kMinReadablePx = 8;

class GraphPainter {
public:
    GraphPainter(QPainter& painter, const GraphPicture& picture, const Theme& theme, const GraphPaintState& state)
        : m_painter(painter)
        , m_picture(picture)
        , m_theme(theme)
        , m_state(state)
        , m_titleFont(ThemeManager::instance().monoFont(12))
        , m_detailFont(ThemeManager::instance().uiFont(11))
    {
    }

    void paint()
    {
        m_painter.setRenderHint(QPainter::Antialiasing);
        paintEdges();
        for (size_t node = 0; node < m_picture.rects.size(); ++node) {
            if (!m_state.visible.intersects(m_picture.rects[node].adjusted(-4, -4, 4, 4)))
                continue;
            if (m_picture.looks[node].form == GraphNodeLook::Form::Pill)
                paintPill(node);
            else if (m_state.scale < kBlocksBelow)
                paintBlock(node);
            else
                paintBox(node);
            paintOutline(node);
        }
    }

private:
    enum class EdgeRole { Plain, Operand, User };

    EdgeRole roleOf(const GraphEdge& edge) const
    {
        if (m_state.selected && edge.to == *m_state.selected)
            return EdgeRole::Operand;
        if (m_state.selected && edge.from == *m_state.selected)
            return EdgeRole::User;
        return EdgeRole::Plain;
    }

    // Lines keep their width on the screen when the picture is small.
    double lineWidth(double width) const { return m_state.scale < 1 ? width / m_state.scale : width; }

    void paintEdges()
    {
        for (EdgeRole role : {EdgeRole::Plain, EdgeRole::User, EdgeRole::Operand}) {
            for (size_t edge = 0; edge < m_picture.paths.size(); ++edge) {
                if (roleOf(m_picture.scene.edges[edge]) == role)
                    paintEdge(m_picture.paths[edge], role);
            }
        }
    }

    void paintEdge(const QPainterPath& path, EdgeRole role)
    {
        const double width = role == EdgeRole::Plain ? 1.2 : 1.8;
        const QRectF bounds = path.controlPointRect().adjusted(-4, -4, 4, 4);
        if (!m_state.visible.intersects(bounds))
            return;
        QColor colour = m_theme.text3;
        if (role == EdgeRole::Operand)
            colour = m_theme.accent;
        else if (role == EdgeRole::User)
            colour = m_theme.text;
        const bool hasArrow = m_state.scale >= kBlocksBelow;
        QPen pen(colour, lineWidth(m_state.scale < kWordsBelow ? width * 0.7 : width));
        pen.setCapStyle(Qt::FlatCap);
        m_painter.setPen(pen);
        m_painter.setBrush(Qt::NoBrush);
        QPainterPath line = path;
        const int last = line.elementCount() - 1;
        const QPointF tip = line.elementAt(last);
        if (hasArrow && last >= 3) // the line would show beside the tip of the arrow
            line.setElementPositionAt(last, tip.x(), tip.y() - kArrowLength + 1);
        m_painter.drawPath(line);
        if (!hasArrow)
            return;
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(colour);
        const QPointF corners[]{tip, tip + QPointF(-kArrowHalfWidth, -kArrowLength),
                                tip + QPointF(kArrowHalfWidth, -kArrowLength)};
        m_painter.drawPolygon(corners, 3);
    }

    void paintPill(size_t node)
    {
        const QRectF rect = m_picture.rects[node].adjusted(0.5, 0.5, -0.5, -0.5);
        const bool isDashed = m_picture.looks[node].isDashed;
        QPen pen(m_theme.borderStrong, 1);
        if (isDashed)
            pen.setDashPattern({3, 3});
        m_painter.setPen(pen);
        m_painter.setBrush(isDashed ? m_theme.view : m_theme.raised);
        m_painter.drawRoundedRect(rect, rect.height() / 2, rect.height() / 2);
        if (m_state.scale < kWordsBelow)
            return;
        m_painter.setPen(m_theme.text2);
        m_painter.setFont(m_detailFont);
        m_painter.drawText(rect, Qt::AlignCenter, m_picture.looks[node].title);
    }

    void paintBlock(size_t node)
    {
        const GraphNodeLook& look = m_picture.looks[node];
        const QColor fill = look.hasBand ? m_theme.fillOf(look.category) : m_theme.borderStrong;
        m_painter.setPen(m_theme.isDark() || !look.hasBand ? QPen(Qt::NoPen)
                                                           : QPen(m_theme.wordOf(look.category), lineWidth(1)));
        m_painter.setBrush(fill);
        m_painter.drawRoundedRect(m_picture.rects[node], kRadius, kRadius);
    }

    void paintBox(size_t node)
    {
        const GraphNodeLook& look = m_picture.looks[node];
        const QRectF rect = m_picture.rects[node].adjusted(0.5, 0.5, -0.5, -0.5);
        QPainterPath outline;
        outline.addRoundedRect(rect, kRadius, kRadius);
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(m_theme.raised);
        m_painter.drawPath(outline);
        if (look.hasBand)
            paintBand(look, rect, outline);
        m_painter.setPen(QPen(m_theme.borderStrong, lineWidth(1)));
        m_painter.setBrush(Qt::NoBrush);
        m_painter.drawPath(outline);
        if (m_state.scale < kWordsBelow)
            paintNameOnly(look, rect);
        else
            paintWords(look, rect);
    }

    // Cut to the outline as a path: SVG files cannot clip.
    void paintBand(const GraphNodeLook& look, const QRectF& rect, const QPainterPath& outline)
    {
        QPainterPath band;
        band.addRect(QRectF(rect.left(), rect.top(), kBandWidth, rect.height()));
        m_painter.fillPath(outline.intersected(band), m_theme.fillOf(look.category));
        if (!m_theme.isDark()) {
            m_painter.fillRect(QRectF(rect.left() + kBandWidth, rect.top(), 1, rect.height()),
                               m_theme.wordOf(look.category));
        }
    }

    void paintWords(const GraphNodeLook& look, const QRectF& rect)
    {
        const QFontMetricsF titleMetrics(m_titleFont);
        const QFontMetricsF detailMetrics(m_detailFont);
        const double left = rect.left() + kLeftPadding - 0.5;
        const double width = rect.width() - kLeftPadding - kRightPadding + 1;
        const double lines = titleMetrics.height() + (look.subtitle.isEmpty() ? 0 : detailMetrics.height() + 1);
        const double top = rect.center().y() - lines / 2;
        const double baseline = top + titleMetrics.ascent();
        m_painter.setFont(m_titleFont);
        m_painter.setPen(m_theme.text);
        m_painter.drawText(QPointF(left, baseline), look.title);
        m_painter.setFont(m_detailFont);
        m_painter.setPen(m_theme.text2);
        m_painter.drawText(QPointF(left + width - detailMetrics.horizontalAdvance(look.detail), baseline), look.detail);
        if (!look.subtitle.isEmpty()) {
            m_painter.drawText(QPointF(left, top + titleMetrics.height() + 1 + detailMetrics.ascent()), look.subtitle);
        }
    }

    // The name as large as the box allows, since at this scale its usual size could not be read.
    void paintNameOnly(const GraphNodeLook& look, const QRectF& rect)
    {
        QFont font = m_titleFont;
        font.setPixelSize(static_cast<int>(std::max(kMinReadablePx / m_state.scale, double(font.pixelSize()))));
        m_painter.setFont(font);
        m_painter.setPen(m_theme.text);
        const QRectF space = rect.adjusted(kBandWidth + 5, 0, -4, 0);
        m_painter.drawText(space, Qt::AlignVCenter | Qt::AlignLeft,
                           QFontMetricsF(font).elidedText(look.title, Qt::ElideMiddle, space.width()));
    }

    void paintOutline(size_t node)
    {
        const bool isSelected = m_state.selected == node;
        if (!isSelected && m_state.hovered != node)
            return;
        const QRectF rect = m_picture.rects[node];
        const double radius = m_picture.looks[node].form == GraphNodeLook::Form::Pill ? rect.height() / 2 : kRadius;
        m_painter.setPen(QPen(isSelected ? m_theme.text : m_theme.text3, lineWidth(isSelected ? 2 : 1.5)));
        m_painter.setBrush(Qt::NoBrush);
        m_painter.drawRoundedRect(rect, radius, radius);
    }

    QPainter& m_painter;
    const GraphPicture& m_picture;
    const Theme& m_theme;
    const GraphPaintState& m_state;
    QFont m_titleFont;
    QFont m_detailFont;
};

} // namespace

void paintGraph(QPainter& painter, const GraphPicture& picture, const Theme& theme, const GraphPaintState& state)
{
    painter.save();
    GraphPainter(painter, picture, theme, state).paint();
    painter.restore();
}

} // namespace hloscope
