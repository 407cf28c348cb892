// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tpu/op_cost.h"
#include "views/hlo_text/hlo_line_layout.h"
#include "views/hlo_text/hlo_text_document.h"

#include <QAbstractScrollArea>
#include <QTimer>

#include <memory>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace hloscope {

// A place in the text.
struct TextPlace {
    size_t line = 0;
    uint32_t byte = 0;

    bool operator==(const TextPlace&) const = default;
    bool operator<(const TextPlace& other) const { return line != other.line ? line < other.line : byte < other.byte; }
};

// What the pointer rests on.
struct HloHover {
    size_t line = 0;
    HloPiece piece;
    QRect rect; // in the coordinates of the canvas
};

// Paints the text of a module: only the lines that are seen are taken apart, measured and drawn, so that a frame costs
// the same for any size of text. Mouse: click selects the op of a line or the name that was hit, Ctrl+click goes to
// where a name is defined, a chip opens what it folds, dragging selects text. Keys: arrows, Page Up and Down, Home and
// End move the current line, Space opens and closes its chips, Ctrl+C copies.
class HloTextCanvas : public QAbstractScrollArea {
    Q_OBJECT

public:
    explicit HloTextCanvas(QWidget* parent = nullptr);

    void setDocument(std::shared_ptr<const HloTextDocument> document);
    // What is said while there is no document.
    void setEmptyText(const QString& text);
    const HloTextDocument* document() const { return m_document.get(); }
    // Marks the op, its operands and its uses. Nothing is scrolled.
    void setSelected(InstructionId instruction);
    // Times for the gutter; null hides them.
    void setCost(std::shared_ptr<const ModuleCost> cost);
    // Places of the search, ascending, and how long each is.
    void setHits(std::vector<size_t> hits, size_t length);
    // Shows a hit and opens the fold that hides it; the index is kept within the hits.
    void showHit(size_t index);

    size_t currentLine() const { return m_currentLine; }
    void setCurrentLine(size_t line);
    // Scrolls as little as needed; a line out of sight lands in the upper third.
    void revealLine(size_t line);
    bool isFoldOpen(size_t line, uint32_t begin) const;
    void toggleFold(size_t line, uint32_t begin);
    void openAllFolds(bool open);
    QString selectedText() const;
    void copy() const;

    // Lines that the last paint touched, for tests of its cost.
    size_t paintedLines() const { return m_paintedLines; }
    // The middle of the first piece of that kind on a line, in viewport coordinates; for tests and keyboard menus.
    std::optional<QPoint> placeOf(size_t line, HloTokenKind kind, size_t skip = 0) const;

signals:
    void instructionChosen(hloscope::InstructionId id);
    void computationChosen(hloscope::ComputationId id);
    void currentLineChanged(size_t line);
    void hovered(const hloscope::HloHover& hover);
    void hoverLeft();
    void findRequested();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool viewportEvent(QEvent* event) override;

private:
    struct Gutter {
        double number = 0; // right edge of the line number
        double bar = 0; // left edge of the time bar, 36 px wide
        double time = 0; // right edge of the time
        double text = 0; // where the text begins
    };

    void applyTheme();
    void updateScrollBars();
    void updateGutter();
    const HloLineLayout& layoutOf(size_t line) const;
    double lineTop(size_t line) const;
    std::optional<size_t> lineAt(double y) const;
    double textX(double x) const; // viewport to line
    std::pair<size_t, size_t> visibleLines() const;

    void paintLine(QPainter& painter, size_t line);
    void paintGrounds(QPainter& painter, size_t line, const HloLineLayout& layout, double top);
    void paintHits(QPainter& painter, size_t line, const HloLineLayout& layout, double top);
    void paintPiece(QPainter& painter, size_t line, const HloPiece& piece, double top);
    void paintChip(QPainter& painter, const HloPiece& piece, double top, bool open);
    void paintGutter(QPainter& painter, size_t line, double top);
    QColor colourOf(size_t line, const HloPiece& piece) const;
    QString timeText(InstructionId id) const;

    std::optional<HloHover> hoverAt(QPoint point) const;
    InstructionId namedBy(size_t line, const HloPiece& piece) const;
    bool isUseOfSelected(size_t line, const HloPiece& piece) const;
    void click(QPoint point, Qt::KeyboardModifiers modifiers);
    TextPlace placeAt(QPoint point) const;
    void moveLine(qint64 lines);
    void forgetLayouts();

    std::shared_ptr<const HloTextDocument> m_document;
    QString m_emptyText;
    std::shared_ptr<const ModuleCost> m_cost;
    double m_longestPs = 0;
    InstructionId m_selected;
    size_t m_currentLine = 0;
    std::unordered_set<uint64_t> m_toggledFolds; // those that differ from m_foldsOpen
    bool m_foldsOpen = false;
    std::vector<size_t> m_hits;
    size_t m_hitLength = 0;
    size_t m_currentHit = SIZE_MAX;
    TextPlace m_anchor;
    TextPlace m_end;
    bool m_isDragging = false;
    QPoint m_pressedAt;

    HloLineMetrics m_metrics;
    QFont m_font;
    QFont m_boldFont;
    QFont m_smallFont;
    Gutter m_gutter;
    double m_lineHeight = 20;
    double m_textWidth = 0;
    mutable std::unordered_map<size_t, HloLineLayout> m_layouts;
    size_t m_paintedLines = 0;

    QTimer m_chooseTimer; // gathers key presses: holding a key down is one choice
    QTimer m_hoverTimer;
    std::optional<HloHover> m_hover;
    bool m_isHovering = false; // the card is out: neighbours follow at once
};

} // namespace hloscope
