// SPDX-License-Identifier: Apache-2.0

// The painting of HloTextCanvas; everything else of it is in hlo_text_canvas.cpp.

#include "views/common/theme.h"
#include "views/hlo_text/hlo_text_canvas.h"
#include "views/words/op_words.h"
#include "views/words/units.h"

#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace hloscope {

namespace {

constexpr double kBarWidth = 36;
constexpr double kBarHeight = 6;

QColor translucent(QColor colour, float alpha)
{
    colour.setAlphaF(alpha);
    return colour;
}

// Ops that only pass values on: their opcode is not worth a colour.
bool isPlumbing(Opcode opcode)
{
    switch (opcode) {
    case Opcode::AfterAll:
    case Opcode::Bitcast:
    case Opcode::Constant:
    case Opcode::GetTupleElement:
    case Opcode::Parameter:
    case Opcode::PartitionId:
    case Opcode::ReplicaId:
    case Opcode::Tuple:
        return true;
    default:
        return false;
    }
}

} // namespace

void HloTextCanvas::paintEvent(QPaintEvent*)
{
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), theme().view);
    m_paintedLines = 0;
    if (m_document) {
        const auto [first, last] = visibleLines();
        for (size_t line = first; line < last; ++line) {
            paintLine(painter, line);
            ++m_paintedLines;
        }
    } else if (!m_emptyText.isEmpty()) {
        painter.setFont(ThemeManager::instance().uiFont(13));
        painter.setPen(theme().text2);
        painter.drawText(viewport()->rect().adjusted(24, 24, -24, -24), Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap,
                         m_emptyText);
    }
    if (hasFocus()) {
        painter.setPen(QPen(theme().accent, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(viewport()->rect().adjusted(0, 0, -1, -1));
    }
}

void HloTextCanvas::paintLine(QPainter& painter, size_t line)
{
    const double top = lineTop(line);
    const QRectF row(0, top, viewport()->width(), m_lineHeight);
    const InstructionId id = m_document->instructionAt(line);
    if (id.isValid() && id == m_selected)
        painter.fillRect(row, theme().selection);
    else if (line == m_currentLine)
        painter.fillRect(row, theme().selectionSoft);
    const HloLineLayout& layout = layoutOf(line);
    painter.save();
    painter.setClipRect(QRectF(m_gutter.text - 3, top, viewport()->width() - m_gutter.text + 3, m_lineHeight));
    paintGrounds(painter, line, layout, top);
    paintHits(painter, line, layout, top);
    const double left = horizontalScrollBar()->value();
    const double right = left + viewport()->width() - m_gutter.text;
    for (const HloPiece& piece : layout.pieces) {
        if (piece.x + piece.width < left - 8)
            continue;
        if (piece.x > right)
            break;
        paintPiece(painter, line, piece, top);
    }
    painter.restore();
    paintGutter(painter, line, top);
}

// What lies behind the text: the selected range, the token under the pointer.
void HloTextCanvas::paintGrounds(QPainter& painter, size_t line, const HloLineLayout& layout, double top)
{
    const double origin = m_gutter.text - horizontalScrollBar()->value();
    const std::string_view text = m_document->line(line);
    if (m_hover && m_hover->line == line && !m_hover->piece.isChip && m_hover->piece.kind != HloTokenKind::Text)
        painter.fillRect(QRectF(origin + m_hover->piece.x, top + 1, m_hover->piece.width, m_lineHeight - 2),
                         theme().textMark);
    const TextPlace begin = std::min(m_anchor, m_end);
    const TextPlace end = std::max(m_anchor, m_end);
    if (begin == end || line < begin.line || line > end.line)
        return;
    const double from = line == begin.line ? m_metrics.xOf(text, layout, begin.byte) : 0;
    const double to = line == end.line ? m_metrics.xOf(text, layout, end.byte) : layout.width + m_metrics.cell();
    painter.fillRect(QRectF(origin + from, top, to - from, m_lineHeight), translucent(theme().accent, 0.28F));
}

void HloTextCanvas::paintHits(QPainter& painter, size_t line, const HloLineLayout& layout, double top)
{
    if (m_hits.empty())
        return;
    const size_t begin = m_document->lineBegin(line);
    const std::string_view text = m_document->line(line);
    const double origin = m_gutter.text - horizontalScrollBar()->value();
    auto hit = std::lower_bound(m_hits.begin(), m_hits.end(), begin);
    for (; hit != m_hits.end() && *hit < begin + text.size(); ++hit) {
        const auto byte = static_cast<uint32_t>(*hit - begin);
        const auto end = static_cast<uint32_t>(std::min(byte + m_hitLength, text.size()));
        const double from = m_metrics.xOf(text, layout, byte);
        const double to = std::max(m_metrics.xOf(text, layout, end), from + m_metrics.cell());
        const QRectF rect(origin + from - 1, top + 1.5, to - from + 2, m_lineHeight - 3);
        const bool isCurrent = static_cast<size_t>(hit - m_hits.begin()) == m_currentHit;
        painter.setPen(QPen(isCurrent ? theme().warning : translucent(theme().warning, 0.5F), isCurrent ? 1.5 : 1));
        painter.setBrush(theme().warningGround);
        painter.drawRoundedRect(rect, 2, 2);
    }
}

QColor HloTextCanvas::colourOf(size_t line, const HloPiece& piece) const
{
    switch (piece.kind) {
    case HloTokenKind::Opcode: {
        const InstructionId id = m_document->instructionAt(line);
        if (!id.isValid() || isPlumbing(m_document->module().instruction(id).opcode))
            return theme().text;
        return theme().wordOf(m_document->categoryOf(id));
    }
    case HloTokenKind::Name:
    case HloTokenKind::Operand:
    case HloTokenKind::ComputationName:
    case HloTokenKind::Keyword:
        return theme().text;
    case HloTokenKind::Layout:
    case HloTokenKind::Key:
    case HloTokenKind::Comment:
        return theme().text3;
    case HloTokenKind::Text:
    case HloTokenKind::Shape:
    case HloTokenKind::Value:
    case HloTokenKind::Fold:
        return theme().text2;
    }
    return theme().text2;
}

bool HloTextCanvas::isUseOfSelected(size_t line, const HloPiece& piece) const
{
    if (!m_selected.isValid() || piece.kind != HloTokenKind::Operand)
        return false;
    const HloInstruction& selected = m_document->module().instruction(m_selected);
    std::string_view name = m_document->line(line).substr(piece.begin, piece.end - piece.begin);
    if (!name.empty() && name.front() == '%')
        name.remove_prefix(1);
    return name == selected.name && m_document->computationAt(line) == selected.computation;
}

void HloTextCanvas::paintPiece(QPainter& painter, size_t line, const HloPiece& piece, double top)
{
    if (piece.isChip) {
        paintChip(painter, piece, top, piece.begin == piece.end);
        return;
    }
    const double origin = m_gutter.text - horizontalScrollBar()->value();
    const QRectF rect(origin + piece.x, top, piece.width, m_lineHeight);
    const bool isSelectedLine = m_selected.isValid() && m_document->instructionAt(line) == m_selected;
    const bool isDefinition = isSelectedLine && piece.kind == HloTokenKind::Name;
    if (isDefinition || isUseOfSelected(line, piece)) {
        painter.setPen(QPen(isDefinition ? theme().accent : translucent(theme().accent, 0.7F), 1));
        painter.setBrush(isDefinition ? translucent(theme().accent, 0.18F) : Qt::transparent);
        painter.drawRoundedRect(rect.adjusted(-1.5, 1.5, 1.5, -1.5), 2, 2);
    }
    if (isSelectedLine && piece.kind == HloTokenKind::Operand)
        painter.fillRect(QRectF(rect.left(), rect.bottom() - 3, rect.width(), 1.5), theme().accent);

    painter.setFont(isBoldKind(piece.kind) ? m_boldFont : m_font);
    painter.setPen(colourOf(line, piece));
    std::string_view text = m_document->line(line).substr(piece.begin, piece.end - piece.begin);
    double x = rect.left();
    if (piece.isAscii && !text.empty()) {
        // Of a value of a megabyte only the part that is seen goes to the painter.
        const double cell = piece.width / static_cast<double>(text.size());
        const auto skip = static_cast<size_t>(std::max(0.0, std::floor((m_gutter.text - x) / cell) - 1));
        const auto room = static_cast<size_t>(std::ceil(viewport()->width() / cell)) + 2;
        text = text.substr(std::min(skip, text.size()), room);
        x += static_cast<double>(skip) * cell;
    }
    const QFontMetricsF metrics(painter.font());
    const double baseline = top + (m_lineHeight - metrics.height()) / 2 + metrics.ascent();
    painter.drawText(QPointF(x, std::round(baseline)),
                     QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())));
}

void HloTextCanvas::paintChip(QPainter& painter, const HloPiece& piece, double top, bool open)
{
    const QRectF rect(m_gutter.text - horizontalScrollBar()->value() + piece.x, top + 3, piece.width, m_lineHeight - 6);
    const bool hovered =
        m_hover && m_hover->piece.isChip && m_hover->piece.x == piece.x && std::abs(lineTop(m_hover->line) - top) < 1;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(hovered ? theme().borderStrong : theme().border, 1));
    painter.setBrush(theme().raised);
    painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setFont(m_font);
    painter.setPen(theme().text2);
    painter.drawText(rect, Qt::AlignCenter, open ? QStringLiteral("\u2013") : QStringLiteral("\u2026"));
}

QString HloTextCanvas::timeText(InstructionId id) const
{
    const HloInstruction& op = m_document->module().instruction(id);
    if (m_cost->occurrences[op.computation.index()] <= 0 || isPlumbing(op.opcode))
        return {};
    const std::optional<double> time = bestTimePs(m_cost->of(id));
    if (!time)
        return tr("no time");
    return *time > 0 ? formatTime(std::llround(*time)) : QString();
}

void HloTextCanvas::paintGutter(QPainter& painter, size_t line, double top)
{
    painter.setFont(m_smallFont);
    const bool isCurrent = line == m_currentLine;
    painter.setPen(isCurrent ? theme().text2 : theme().text3);
    painter.drawText(QRectF(0, top, m_gutter.number, m_lineHeight), Qt::AlignRight | Qt::AlignVCenter,
                     QString::number(line + 1));
    const InstructionId id = m_document->instructionAt(line);
    if (!m_cost || !id.isValid())
        return;
    const QString text = timeText(id);
    if (text.isEmpty())
        return;
    painter.setPen(id == m_selected ? theme().text : theme().text2);
    painter.drawText(QRectF(m_gutter.bar + kBarWidth, top, m_gutter.time - m_gutter.bar - kBarWidth, m_lineHeight),
                     Qt::AlignRight | Qt::AlignVCenter, text);
    const double time = bestTimePs(m_cost->of(id)).value_or(0);
    if (time <= 0 || m_longestPs <= 0)
        return;
    const double width = std::max(1.5, kBarWidth * time / m_longestPs);
    const QRectF bar(m_gutter.bar, top + (m_lineHeight - kBarHeight) / 2, width, kBarHeight);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(theme().isDark() ? Qt::NoPen : QPen(theme().wordOf(m_document->categoryOf(id)), 1));
    painter.setBrush(theme().fillOf(m_document->categoryOf(id)));
    painter.drawRoundedRect(bar, 1.5, 1.5);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

} // namespace hloscope
