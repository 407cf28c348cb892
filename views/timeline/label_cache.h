// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/trace.h"

#include <QFont>
#include <QFontMetricsF>
#include <QHash>
#include <QList>
#include <QPointF>
#include <QRawFont>
#include <QString>

#include <array>
#include <string_view>
#include <unordered_map>

namespace hloscope {

// The name that an event is drawn with: the op of a full HLO line ("%fusion.3 = f32[8] ..." -> "fusion.3").
QString shortLabel(const EventKind& kind);

// Widths and shortened forms of the texts in blocks. Thousands of labels are placed per frame, so widths are sums of
// the advances of single characters (names of ops have no kerning to speak of), and names are converted once.
class LabelCache {
public:
    struct Label {
        QString text;
        double width = 0;
    };

    explicit LabelCache(const QFont& font);

    const QFont& font() const { return m_font; }
    // From here to the baseline, for text that is centred in a height.
    double baselineIn(double height) const;
    double width(QStringView text) const;
    const Label& of(const Trace& trace, uint32_t kind);
    // Forgets names of kinds, for another trace.
    void clear() { m_labels.clear(); }

    // Adds the glyphs of a text to a run that is drawn at once, which saves shaping every text in every frame. False
    // when the font has no glyph of its own for a character: such a text is drawn as text.
    bool addGlyphs(const QString& text, const QPointF& baseline, QList<quint32>& indexes,
                   QList<QPointF>& positions) const;
    const QRawFont& rawFont() const { return m_rawFont; }

    // The text if it fits, else shortened in the middle so that it keeps the number at its end ("fusi…1838", "…42"),
    // else cut ("q_p…"). Empty when nothing useful fits.
    QString elided(const Label& label, double available) const;

private:
    struct Glyph {
        double advance = 0;
        quint32 index = 0; // 0 when the font has none
    };
    const Glyph& glyph(QChar c) const;
    double advance(QChar c) const { return glyph(c).advance; }

    QFont m_font;
    QFontMetricsF m_metrics;
    QRawFont m_rawFont;
    mutable std::array<Glyph, 256> m_latin; // of Latin-1
    mutable std::array<bool, 256> m_isKnown{};
    mutable std::unordered_map<char16_t, Glyph> m_others;
    QHash<uint32_t, Label> m_labels;
};

} // namespace hloscope
