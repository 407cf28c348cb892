// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/timeline/geometry.h"
#include "views/timeline/row_model.h"
#include "views/timeline/timeline_style.h"

#include <QPainter>
#include <QRect>
#include <QString>

#include <array>
#include <optional>
#include <vector>

namespace hloscope {

// Draws the strips of tracks: blocks, merged runs and marks without a length. The shapes of one call of paint() are
// collected by colour and drawn together, then their labels; the cost follows the marks on the screen.
//
// Every pixel column that an event touches is painted: blocks are widened to whole pixels, and where two of them meet
// the first column of the second is darker, which shows as the gap between them.
class EventPainter {
public:
    EventPainter(QPainter& painter, const Trace& trace, TimelineStyle& style, const TimeScale& scale);

    // Events of this kind are outlined with dashes (all but `hovered`).
    void setHovered(std::optional<uint32_t> kind, EventId hovered);

    // Adds the marks of a strip between two positions of the screen.
    void add(const Strip& strip, const TimelineRow& row, double top, double clipLeft, double clipRight);
    // Draws what was added.
    void flush();

    // Where an event is drawn in a level that starts at `top`; at least 3 px wide.
    QRectF rectOf(int64_t begin, int64_t end, double top, double height) const;

private:
    using Mark = LevelOfDetail::Mark;
    struct Text {
        double x;
        double baseline;
        QString text;
        QColor colour;
    };
    // A mark without a length.
    struct Lozenge {
        QPointF centre;
        double size;
        OpCategory category;
        bool isHatched;
    };
    // One level that is being added.
    struct Level {
        const TimelineRow* row;
        int depth;
        int top;
        int height;
        int clipLeft;
        int clipRight;
        double nameBaseline;
        double smallBaseline;
    };

    void addBlock(const Level& level, const Mark& mark, int left, int right, bool touchesPrevious);
    void addScope(const Level& level, int left, int right, bool touchesPrevious);
    void addOp(const Level& level, OpCategory category, int left, int right, bool touchesPrevious);
    void addRun(const Level& level, const Mark& mark, int left, int right);
    void addLozenge(const Level& level, const Mark& mark, double nextX);
    void addLabels(const Level& level, const Mark& mark, int left, int right);
    static void addRounded(std::vector<QRect>& rects, const QRect& rect);
    void addOutline(std::vector<QRect>& rects, int left, int right, int top, int height) const;
    void drawRects(const std::vector<QRect>& rects, const QColor& colour);
    void drawDots();
    void drawTexts(std::vector<Text>& texts, const LabelCache& font);

    QPainter& m_painter;
    const bool m_isRaster; // else a picture of shapes, which has text in it as text
    const Trace& m_trace;
    TimelineStyle& m_style;
    const TimeScale& m_scale;
    std::optional<uint32_t> m_hoveredKind;
    EventId m_hovered;

    // Batches, drawn in this order.
    std::array<std::vector<QRect>, kOpCategoryCount> m_fills;
    std::array<std::vector<QRect>, kOpCategoryCount> m_runs;
    std::array<std::vector<QRect>, kOpCategoryCount> m_edges;
    std::vector<QRect> m_scopes;
    std::vector<QRect> m_scopeRuns;
    std::vector<QRect> m_scopeEdges;
    std::vector<QRect> m_dots; // spans of dotted edges
    std::vector<QRect> m_badges;
    std::vector<Lozenge> m_lozenges;
    std::vector<QRectF> m_sameName;
    std::vector<Text> m_names;
    std::vector<Text> m_numbers;
};

} // namespace hloscope
