// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/hlo_text/hlo_line_lexer.h"

#include <QFont>
#include <QFontMetricsF>

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

namespace hloscope {

// A run of bytes of one line that is drawn in one way.
struct HloPiece {
    uint32_t begin = 0; // bytes of the line
    uint32_t end = 0;
    HloTokenKind kind = HloTokenKind::Text;
    bool isChip = false; // drawn as a chip; `begin` is the fold it belongs to
    bool isAscii = true; // every byte is one cell wide
    double x = 0; // from the start of the text
    double width = 0;
};

// Where the parts of one line stand, with closed folds as chips.
struct HloLineLayout {
    std::vector<HloPiece> pieces; // in order, without gaps in bytes
    double width = 0;

    const HloPiece* at(double x) const; // null beyond the end
    const HloPiece* ofByte(uint32_t byte) const;
};

// Measures lines for one font.
class HloLineMetrics {
public:
    HloLineMetrics() = default;
    HloLineMetrics(const QFont& font, const QFont& boldFont);

    double cell() const { return m_cell; } // width of one ASCII character
    double chipWidth() const { return m_chip; }
    // `isOpen` says of a fold, by its first byte, whether its text is shown.
    HloLineLayout layOut(std::string_view line, const std::function<bool(uint32_t)>& isOpen) const;
    double xOf(std::string_view line, const HloLineLayout& layout, uint32_t byte) const;
    uint32_t byteAt(std::string_view line, const HloLineLayout& layout, double x) const;

private:
    void addText(std::string_view line, uint32_t begin, uint32_t end, HloTokenKind kind, HloLineLayout& layout) const;
    double widthOf(std::string_view text, HloTokenKind kind, bool isAscii) const;

    QFontMetricsF m_metrics{QFont()};
    QFontMetricsF m_boldMetrics{QFont()};
    double m_cell = 1;
    double m_boldCell = 1;
    double m_chip = 1;
};

// Whether a kind is drawn bold.
bool isBoldKind(HloTokenKind kind);

} // namespace hloscope
