// SPDX-License-Identifier: Apache-2.0
#include "views/hlo_text/hlo_line_layout.h"

#include <QString>

#include <algorithm>
#include <cmath>

namespace hloscope {

namespace {

bool isAsciiText(std::string_view text)
{
    return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

QString toText(std::string_view bytes)
{
    return QString::fromUtf8(bytes.data(), static_cast<qsizetype>(bytes.size()));
}

// Back to the first byte of the character that `at` lies in.
size_t characterStart(std::string_view text, size_t at)
{
    while (at > 0 && at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80)
        --at;
    return at;
}

} // namespace

bool isBoldKind(HloTokenKind kind)
{
    return kind == HloTokenKind::Opcode || kind == HloTokenKind::Keyword;
}

const HloPiece* HloLineLayout::at(double x) const
{
    const auto next = std::upper_bound(pieces.begin(), pieces.end(), x,
                                       [](double value, const HloPiece& piece) { return value < piece.x; });
    if (next == pieces.begin())
        return nullptr;
    const HloPiece& piece = *std::prev(next);
    return x < piece.x + piece.width ? &piece : nullptr;
}

const HloPiece* HloLineLayout::ofByte(uint32_t byte) const
{
    for (const HloPiece& piece : pieces) {
        if (byte >= piece.begin && byte < piece.end)
            return &piece;
    }
    return nullptr;
}

HloLineMetrics::HloLineMetrics(const QFont& font, const QFont& boldFont)
    : m_metrics(font)
    , m_boldMetrics(boldFont)
    , m_cell(m_metrics.horizontalAdvance(QLatin1Char('0')))
    , m_boldCell(m_boldMetrics.horizontalAdvance(QLatin1Char('0')))
    , m_chip(m_cell * 2.4)
{
}

double HloLineMetrics::widthOf(std::string_view text, HloTokenKind kind, bool isAscii) const
{
    const bool bold = isBoldKind(kind);
    if (isAscii)
        return static_cast<double>(text.size()) * (bold ? m_boldCell : m_cell);
    return (bold ? m_boldMetrics : m_metrics).horizontalAdvance(toText(text));
}

void HloLineMetrics::addText(std::string_view line, uint32_t begin, uint32_t end, HloTokenKind kind,
                             HloLineLayout& layout) const
{
    if (begin >= end)
        return;
    const std::string_view text = line.substr(begin, end - begin);
    const bool ascii = isAsciiText(text);
    layout.pieces.push_back({begin, end, kind, false, ascii, layout.width, widthOf(text, kind, ascii)});
    layout.width += layout.pieces.back().width;
}

HloLineLayout HloLineMetrics::layOut(std::string_view line, const std::function<bool(uint32_t)>& isOpen) const
{
    HloLineLayout layout;
    uint32_t done = 0;
    for (const HloLineToken& token : lexHloLine(line)) {
        addText(line, done, token.begin, HloTokenKind::Text, layout);
        done = token.end;
        if (token.kind != HloTokenKind::Fold) {
            addText(line, token.begin, token.end, token.kind, layout);
            continue;
        }
        const bool open = isOpen(token.begin);
        layout.width += m_cell / 2;
        layout.pieces.push_back(
            {token.begin, open ? token.begin : token.end, token.kind, true, true, layout.width, m_chip});
        layout.width += m_chip + m_cell / 2;
        if (open)
            addText(line, token.begin, token.end, HloTokenKind::Value, layout);
    }
    addText(line, done, static_cast<uint32_t>(line.size()), HloTokenKind::Text, layout);
    return layout;
}

double HloLineMetrics::xOf(std::string_view line, const HloLineLayout& layout, uint32_t byte) const
{
    const HloPiece* piece = layout.ofByte(byte);
    if (!piece)
        return layout.width;
    if (piece->isChip)
        return piece->x;
    return piece->x + widthOf(line.substr(piece->begin, byte - piece->begin), piece->kind, piece->isAscii);
}

uint32_t HloLineMetrics::byteAt(std::string_view line, const HloLineLayout& layout, double x) const
{
    if (x <= 0 || layout.pieces.empty())
        return 0;
    const HloPiece* piece = layout.at(x);
    if (!piece) {
        // Between pieces (beside a chip) or behind the end.
        if (x >= layout.width)
            return static_cast<uint32_t>(line.size());
        for (const HloPiece& next : layout.pieces) {
            if (next.x > x)
                return next.begin;
        }
        return static_cast<uint32_t>(line.size());
    }
    if (piece->isChip)
        return x < piece->x + piece->width / 2 ? piece->begin : piece->end;
    const std::string_view text = line.substr(piece->begin, piece->end - piece->begin);
    if (piece->isAscii) {
        const double cell = isBoldKind(piece->kind) ? m_boldCell : m_cell;
        return std::min(piece->begin + static_cast<uint32_t>(std::lround((x - piece->x) / cell)), piece->end);
    }
    // Characters of other scripts have widths of their own: halve the text until the place is found.
    size_t low = 0;
    size_t high = text.size();
    while (low < high) {
        const size_t middle = characterStart(text, (low + high + 1) / 2);
        if (middle <= low)
            break;
        if (widthOf(text.substr(0, middle), piece->kind, false) <= x - piece->x)
            low = middle;
        else
            high = middle - 1;
    }
    return piece->begin + static_cast<uint32_t>(characterStart(text, low));
}

} // namespace hloscope
