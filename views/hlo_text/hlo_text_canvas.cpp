// SPDX-License-Identifier: Apache-2.0
#include "views/hlo_text/hlo_text_canvas.h"

#include "views/common/theme.h"
#include "views/words/op_words.h"
#include "views/words/units.h"
#include "views/words/words_tr.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace hloscope {

namespace {

constexpr int kHoverMs = 300;
constexpr int kChooseMs = 100;
constexpr double kBarWidth = 36;
constexpr size_t kMaxLayouts = 2000;
constexpr double kMaxTextWidth = 4e8; // scroll bars count in int

uint64_t foldKey(size_t line, uint32_t begin)
{
    return static_cast<uint64_t>(line) << 32 | begin;
}

} // namespace

HloTextCanvas::HloTextCanvas(QWidget* parent) : QAbstractScrollArea(parent)
{
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("HLO text"));
    viewport()->setMouseTracking(true);
    viewport()->setCursor(Qt::IBeamCursor);
    m_chooseTimer.setSingleShot(true);
    m_chooseTimer.setInterval(kChooseMs);
    connect(&m_chooseTimer, &QTimer::timeout, this, [this] {
        const InstructionId id = m_document ? m_document->instructionAt(m_currentLine) : InstructionId();
        if (id.isValid())
            emit instructionChosen(id);
    });
    m_hoverTimer.setSingleShot(true);
    connect(&m_hoverTimer, &QTimer::timeout, this, [this] {
        if (!m_hover)
            return;
        m_isHovering = true;
        emit hovered(*m_hover);
    });
    connect(&ThemeManager::instance(), &ThemeManager::changed, this, &HloTextCanvas::applyTheme);
    applyTheme();
}

void HloTextCanvas::applyTheme()
{
    const ThemeManager& manager = ThemeManager::instance();
    m_font = manager.monoFont(12);
    m_boldFont = manager.monoFont(12, true);
    m_smallFont = manager.uiFont(11);
    m_lineHeight = manager.scaled(20);
    m_metrics = HloLineMetrics(m_font, m_boldFont);
    forgetLayouts();
    updateGutter();
    updateScrollBars();
    viewport()->update();
}

void HloTextCanvas::setDocument(std::shared_ptr<const HloTextDocument> document)
{
    m_document = std::move(document);
    m_toggledFolds.clear();
    m_hits.clear();
    m_currentHit = SIZE_MAX;
    m_anchor = m_end = {};
    m_currentLine = 0;
    m_selected = {};
    m_cost.reset();
    m_hover.reset();
    m_chooseTimer.stop();
    forgetLayouts();
    m_textWidth = m_document ? (static_cast<double>(m_document->widestFoldedLine()) + 4) * m_metrics.cell() : 0;
    updateGutter();
    verticalScrollBar()->setValue(0);
    horizontalScrollBar()->setValue(0);
    updateScrollBars();
    viewport()->update();
}

void HloTextCanvas::setEmptyText(const QString& text)
{
    m_emptyText = text;
    if (!m_document)
        setAccessibleDescription(text);
    viewport()->update();
}

void HloTextCanvas::setSelected(InstructionId instruction)
{
    m_selected = instruction;
    if (m_document && instruction.isValid() && m_document->lineOf(instruction) != HloTextDocument::kNoLine)
        m_currentLine = m_document->lineOf(instruction);
    viewport()->update();
}

void HloTextCanvas::setCost(std::shared_ptr<const ModuleCost> cost)
{
    m_cost = std::move(cost);
    m_longestPs = 0;
    if (m_cost && m_document && m_cost->ops.size() == m_document->module().instructions.size()) {
        const HloModule& module = m_document->module();
        for (size_t i = 0; i < m_cost->ops.size(); ++i) {
            if (m_cost->occurrences[module.instructions[i].computation.index()] > 0)
                m_longestPs = std::max(m_longestPs, bestTimePs(m_cost->ops[i]).value_or(0));
        }
    } else {
        m_cost.reset();
    }
    updateGutter();
    updateScrollBars();
    viewport()->update();
}

void HloTextCanvas::updateGutter()
{
    const ThemeManager& manager = ThemeManager::instance();
    const QFontMetricsF small(m_smallFont);
    const size_t lines = m_document ? m_document->lineCount() : 1;
    m_gutter.number =
        12 + small.horizontalAdvance(QLatin1Char('0')) * static_cast<double>(QString::number(lines).size());
    if (m_cost) {
        m_gutter.bar = m_gutter.number + manager.scaled(14);
        m_gutter.time = m_gutter.bar + kBarWidth + manager.scaled(64);
        m_gutter.text = m_gutter.time + manager.scaled(16);
    } else {
        m_gutter.text = m_gutter.number + manager.scaled(16);
    }
}

void HloTextCanvas::updateScrollBars()
{
    const double height = m_document ? static_cast<double>(m_document->lineCount()) * m_lineHeight + m_lineHeight : 0;
    const double room = viewport()->height();
    verticalScrollBar()->setRange(0, static_cast<int>(std::clamp(height - room, 0.0, 2e9)));
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep(static_cast<int>(m_lineHeight));
    const double width = std::min(m_textWidth + m_gutter.text + 16, kMaxTextWidth);
    horizontalScrollBar()->setRange(0, static_cast<int>(std::max(width - viewport()->width(), 0.0)));
    horizontalScrollBar()->setPageStep(viewport()->width());
    horizontalScrollBar()->setSingleStep(static_cast<int>(m_metrics.cell() * 4));
}

void HloTextCanvas::resizeEvent(QResizeEvent* event)
{
    QAbstractScrollArea::resizeEvent(event);
    updateScrollBars();
}

void HloTextCanvas::scrollContentsBy(int, int)
{
    if (m_isHovering || m_hover) {
        m_hover.reset();
        m_isHovering = false;
        emit hoverLeft();
    }
    viewport()->update();
}

void HloTextCanvas::forgetLayouts()
{
    m_layouts.clear();
}

const HloLineLayout& HloTextCanvas::layoutOf(size_t line) const
{
    const auto found = m_layouts.find(line);
    if (found != m_layouts.end())
        return found->second;
    if (m_layouts.size() >= kMaxLayouts)
        m_layouts.clear();
    HloLineLayout layout =
        m_metrics.layOut(m_document->line(line), [this, line](uint32_t begin) { return isFoldOpen(line, begin); });
    return m_layouts.emplace(line, std::move(layout)).first->second;
}

double HloTextCanvas::lineTop(size_t line) const
{
    return static_cast<double>(line) * m_lineHeight - verticalScrollBar()->value();
}

std::optional<size_t> HloTextCanvas::lineAt(double y) const
{
    if (!m_document)
        return std::nullopt;
    const double line = std::floor((y + verticalScrollBar()->value()) / m_lineHeight);
    if (line < 0 || line >= static_cast<double>(m_document->lineCount()))
        return std::nullopt;
    return static_cast<size_t>(line);
}

double HloTextCanvas::textX(double x) const
{
    return x - m_gutter.text + horizontalScrollBar()->value();
}

std::pair<size_t, size_t> HloTextCanvas::visibleLines() const
{
    const auto first = static_cast<size_t>(verticalScrollBar()->value() / m_lineHeight);
    const auto count = static_cast<size_t>(std::ceil(viewport()->height() / m_lineHeight)) + 1;
    return {first, std::min(first + count, m_document->lineCount())};
}

bool HloTextCanvas::isFoldOpen(size_t line, uint32_t begin) const
{
    return m_toggledFolds.count(foldKey(line, begin)) > 0 ? !m_foldsOpen : m_foldsOpen;
}

void HloTextCanvas::toggleFold(size_t line, uint32_t begin)
{
    const uint64_t key = foldKey(line, begin);
    if (m_toggledFolds.erase(key) == 0)
        m_toggledFolds.insert(key);
    m_layouts.erase(line);
    m_textWidth = std::max(m_textWidth, layoutOf(line).width);
    updateScrollBars();
    viewport()->update();
}

void HloTextCanvas::openAllFolds(bool open)
{
    m_foldsOpen = open;
    m_toggledFolds.clear();
    forgetLayouts();
    if (m_document && open) {
        size_t longest = 0;
        for (size_t i = 0; i < m_document->lineCount(); ++i)
            longest = std::max(longest, m_document->line(i).size());
        m_textWidth = std::max(m_textWidth, static_cast<double>(longest) * m_metrics.cell());
    }
    updateScrollBars();
    viewport()->update();
}

void HloTextCanvas::setHits(std::vector<size_t> hits, size_t length)
{
    m_hits = std::move(hits);
    m_hitLength = length;
    m_currentHit = SIZE_MAX;
    viewport()->update();
}

void HloTextCanvas::showHit(size_t index)
{
    if (m_hits.empty() || !m_document)
        return;
    m_currentHit = std::min(index, m_hits.size() - 1);
    const size_t offset = m_hits[m_currentHit];
    const size_t line = m_document->lineAt(offset);
    const auto byte = static_cast<uint32_t>(offset - m_document->lineBegin(line));
    const HloPiece* piece = layoutOf(line).ofByte(byte);
    if (piece && piece->isChip)
        toggleFold(line, piece->begin);
    setCurrentLine(line);
    const double x = m_metrics.xOf(m_document->line(line), layoutOf(line), byte);
    const double room = viewport()->width() - m_gutter.text;
    if (textX(m_gutter.text) > x
        || x + static_cast<double>(m_hitLength) * m_metrics.cell() > textX(m_gutter.text) + room)
        horizontalScrollBar()->setValue(static_cast<int>(std::max(0.0, x - room / 3)));
    viewport()->update();
}

void HloTextCanvas::setCurrentLine(size_t line)
{
    if (!m_document)
        return;
    m_currentLine = std::min(line, m_document->lineCount() - 1);
    revealLine(m_currentLine);
    const std::string_view text = m_document->line(m_currentLine).substr(0, 400);
    setAccessibleDescription(tr("Line %1: %2").arg(m_currentLine + 1).arg(toQString(text)));
    viewport()->update();
    emit currentLineChanged(m_currentLine);
}

void HloTextCanvas::revealLine(size_t line)
{
    const double top = lineTop(line);
    if (top >= 0 && top + m_lineHeight <= viewport()->height())
        return;
    const bool isNear = top > -3 * m_lineHeight && top < viewport()->height() + 2 * m_lineHeight;
    const double absolute = static_cast<double>(line) * m_lineHeight;
    double value = absolute - viewport()->height() / 3.0;
    if (isNear)
        value = top < 0 ? absolute : absolute + m_lineHeight - viewport()->height();
    verticalScrollBar()->setValue(static_cast<int>(std::max(0.0, value)));
}

std::optional<QPoint> HloTextCanvas::placeOf(size_t line, HloTokenKind kind, size_t skip) const
{
    if (!m_document || line >= m_document->lineCount())
        return std::nullopt;
    for (const HloPiece& piece : layoutOf(line).pieces) {
        if (piece.kind != kind || (skip > 0 && skip-- > 0))
            continue;
        return QPointF(m_gutter.text - horizontalScrollBar()->value() + piece.x + piece.width / 2,
                       lineTop(line) + m_lineHeight / 2)
            .toPoint();
    }
    return std::nullopt;
}

InstructionId HloTextCanvas::namedBy(size_t line, const HloPiece& piece) const
{
    if (piece.kind == HloTokenKind::Name)
        return m_document->instructionAt(line);
    if (piece.kind != HloTokenKind::Operand)
        return {};
    std::string_view name = m_document->line(line).substr(piece.begin, piece.end - piece.begin);
    if (!name.empty() && name.front() == '%')
        name.remove_prefix(1);
    return m_document->module().findInstruction(name, m_document->computationAt(line));
}

std::optional<HloHover> HloTextCanvas::hoverAt(QPoint point) const
{
    const auto line = lineAt(point.y());
    if (!line || point.x() < m_gutter.text)
        return std::nullopt;
    const HloPiece* piece = layoutOf(*line).at(textX(point.x()));
    if (!piece)
        return std::nullopt;
    const double left = piece->x + m_gutter.text - horizontalScrollBar()->value();
    const QRectF rect(left, lineTop(*line), std::min(piece->width, 1e6), m_lineHeight);
    return HloHover{*line, *piece, rect.toRect().translated(viewport()->pos())};
}

TextPlace HloTextCanvas::placeAt(QPoint point) const
{
    const double lines = static_cast<double>(m_document->lineCount());
    const double number =
        std::clamp(std::floor((point.y() + verticalScrollBar()->value()) / m_lineHeight), 0.0, lines - 1);
    const auto line = static_cast<size_t>(number);
    return {line, m_metrics.byteAt(m_document->line(line), layoutOf(line), textX(point.x()))};
}

void HloTextCanvas::mousePressEvent(QMouseEvent* event)
{
    if (!m_document || event->button() != Qt::LeftButton)
        return;
    m_pressedAt = event->pos();
    m_isDragging = false;
    if (!(event->modifiers() & Qt::ShiftModifier))
        m_anchor = placeAt(event->pos());
    m_end = (event->modifiers() & Qt::ShiftModifier) ? placeAt(event->pos()) : m_anchor;
    viewport()->update();
}

void HloTextCanvas::mouseMoveEvent(QMouseEvent* event)
{
    if (!m_document)
        return;
    if (event->buttons() & Qt::LeftButton) {
        if ((event->pos() - m_pressedAt).manhattanLength() < QApplication::startDragDistance() && !m_isDragging)
            return;
        m_isDragging = true;
        m_end = placeAt(event->pos());
        if (event->pos().y() < 0 || event->pos().y() > viewport()->height())
            verticalScrollBar()->setValue(verticalScrollBar()->value()
                                          + (event->pos().y() < 0 ? -1 : 1) * static_cast<int>(m_lineHeight));
        viewport()->update();
        return;
    }
    const std::optional<HloHover> now = hoverAt(event->pos());
    const bool isLink = now
        && (now->piece.isChip || namedBy(now->line, now->piece).isValid()
            || now->piece.kind == HloTokenKind::ComputationName);
    viewport()->setCursor(isLink ? Qt::PointingHandCursor : Qt::IBeamCursor);
    const bool same = now && m_hover && now->line == m_hover->line && now->piece.begin == m_hover->piece.begin;
    if (same)
        return;
    m_hover = now;
    if (m_isHovering && !m_hover) {
        m_isHovering = false;
        emit hoverLeft();
    }
    if (m_hover)
        m_hoverTimer.start(m_isHovering ? 0 : kHoverMs);
    else
        m_hoverTimer.stop();
    viewport()->update();
}

void HloTextCanvas::mouseReleaseEvent(QMouseEvent* event)
{
    if (!m_document || event->button() != Qt::LeftButton)
        return;
    if (!m_isDragging && !(event->modifiers() & Qt::ShiftModifier))
        click(event->pos(), event->modifiers());
    m_isDragging = false;
}

void HloTextCanvas::mouseDoubleClickEvent(QMouseEvent* event)
{
    const std::optional<HloHover> hit = m_document ? hoverAt(event->pos()) : std::nullopt;
    if (!hit || hit->piece.isChip)
        return;
    m_anchor = {hit->line, hit->piece.begin};
    m_end = {hit->line, hit->piece.end};
    m_isDragging = true; // the release must not select something else
    viewport()->update();
}

void HloTextCanvas::click(QPoint point, Qt::KeyboardModifiers modifiers)
{
    const auto line = lineAt(point.y());
    if (!line)
        return;
    const std::optional<HloHover> hit = hoverAt(point);
    if (hit && hit->piece.isChip) {
        toggleFold(hit->line, hit->piece.begin);
        return;
    }
    if (hit && hit->piece.kind == HloTokenKind::ComputationName) {
        std::string_view name = m_document->line(*line).substr(hit->piece.begin, hit->piece.end - hit->piece.begin);
        if (!name.empty() && name.front() == '%')
            name.remove_prefix(1);
        const ComputationId computation = m_document->module().findComputation(name);
        if (computation.isValid() && (modifiers & Qt::ControlModifier)
            && m_document->lineOf(computation) != HloTextDocument::kNoLine)
            setCurrentLine(m_document->lineOf(computation));
        if (computation.isValid())
            emit computationChosen(computation);
        return;
    }
    InstructionId id = hit ? namedBy(hit->line, hit->piece) : InstructionId();
    const bool isName = id.isValid();
    if (!isName)
        id = m_document->instructionAt(*line);
    m_currentLine = *line;
    viewport()->update();
    if (id.isValid())
        emit instructionChosen(id);
    if (isName && (modifiers & Qt::ControlModifier) && m_document->lineOf(id) != HloTextDocument::kNoLine)
        setCurrentLine(m_document->lineOf(id));
}

void HloTextCanvas::moveLine(qint64 lines)
{
    const auto last = static_cast<qint64>(m_document->lineCount()) - 1;
    setCurrentLine(static_cast<size_t>(std::clamp<qint64>(static_cast<qint64>(m_currentLine) + lines, 0, last)));
    m_chooseTimer.start();
}

void HloTextCanvas::keyPressEvent(QKeyEvent* event)
{
    if (!m_document) {
        QAbstractScrollArea::keyPressEvent(event);
        return;
    }
    const auto page = static_cast<qint64>(viewport()->height() / m_lineHeight) - 1;
    const auto everything = static_cast<qint64>(m_document->lineCount());
    if (event->matches(QKeySequence::Copy)) {
        copy();
    } else if (event->matches(QKeySequence::Find)) {
        emit findRequested();
    } else if (event->matches(QKeySequence::SelectAll)) {
        m_anchor = {};
        m_end = {m_document->lineCount() - 1,
                 static_cast<uint32_t>(m_document->line(m_document->lineCount() - 1).size())};
        viewport()->update();
    } else if (event->key() == Qt::Key_Up) {
        moveLine(-1);
    } else if (event->key() == Qt::Key_Down) {
        moveLine(1);
    } else if (event->key() == Qt::Key_PageUp) {
        moveLine(-page);
    } else if (event->key() == Qt::Key_PageDown) {
        moveLine(page);
    } else if (event->key() == Qt::Key_Home) {
        moveLine(-everything);
    } else if (event->key() == Qt::Key_End) {
        moveLine(everything);
    } else if (event->key() == Qt::Key_Left || event->key() == Qt::Key_Right) {
        const int step = horizontalScrollBar()->singleStep() * (event->key() == Qt::Key_Left ? -1 : 1);
        horizontalScrollBar()->setValue(horizontalScrollBar()->value() + step);
    } else if (event->key() == Qt::Key_Space || event->key() == Qt::Key_Return) {
        const std::vector<HloPiece> pieces = layoutOf(m_currentLine).pieces;
        for (const HloPiece& piece : pieces) {
            if (piece.isChip)
                toggleFold(m_currentLine, piece.begin);
        }
    } else {
        QAbstractScrollArea::keyPressEvent(event);
    }
}

QString HloTextCanvas::selectedText() const
{
    if (!m_document || m_anchor == m_end)
        return {};
    const TextPlace begin = std::min(m_anchor, m_end);
    const TextPlace end = std::max(m_anchor, m_end);
    const size_t from = m_document->lineBegin(begin.line) + begin.byte;
    const size_t to = m_document->lineBegin(end.line) + end.byte;
    return toQString(m_document->text().substr(from, to - from));
}

void HloTextCanvas::copy() const
{
    if (!m_document)
        return;
    const QString selected = selectedText();
    QApplication::clipboard()->setText(selected.isEmpty() ? toQString(m_document->line(m_currentLine)).trimmed()
                                                          : selected);
}

void HloTextCanvas::contextMenuEvent(QContextMenuEvent* event)
{
    if (!m_document)
        return;
    const QPoint inside = event->reason() == QContextMenuEvent::Keyboard
        ? QPoint(static_cast<int>(m_gutter.text), static_cast<int>(lineTop(m_currentLine) + m_lineHeight / 2))
        : viewport()->mapFrom(this, event->pos());
    QMenu menu(this);
    menu.addAction(selectedText().isEmpty() ? tr("Copy line") : tr("Copy"), this, &HloTextCanvas::copy);
    const std::optional<HloHover> hit = hoverAt(inside);
    const InstructionId id = hit ? namedBy(hit->line, hit->piece) : InstructionId();
    if (id.isValid()) {
        menu.addAction(tr("Copy name"), this, [this, id] {
            QApplication::clipboard()->setText(toQString(m_document->module().instruction(id).name));
        });
        menu.addAction(tr("Go to definition"), this, [this, id] {
            if (m_document->lineOf(id) != HloTextDocument::kNoLine)
                setCurrentLine(m_document->lineOf(id));
            emit instructionChosen(id);
        });
    }
    menu.addSeparator();
    menu.addAction(tr("Open all folds"), this, [this] { openAllFolds(true); });
    menu.addAction(tr("Close all folds"), this, [this] { openAllFolds(false); });
    menu.exec(viewport()->mapToGlobal(inside));
}

bool HloTextCanvas::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::Leave) {
        m_hoverTimer.stop();
        m_hover.reset();
        if (m_isHovering) {
            m_isHovering = false;
            emit hoverLeft();
        }
        viewport()->update();
    }
    return QAbstractScrollArea::viewportEvent(event);
}

void HloTextCanvas::focusInEvent(QFocusEvent* event)
{
    viewport()->update();
    QAbstractScrollArea::focusInEvent(event);
}

void HloTextCanvas::focusOutEvent(QFocusEvent* event)
{
    viewport()->update();
    QAbstractScrollArea::focusOutEvent(event);
}

} // namespace hloscope
