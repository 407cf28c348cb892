// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/trace.h"

#include <QFont>
#include <QFontMetricsF>
#include <QHash>
#include <QString>

#include <array>
#include <string_view>

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

    // The text if it fits, else shortened in the middle so that it keeps the number at its end ("fusi…1838", "…42"),
    // else cut ("q_p…"). Empty when nothing useful fits.
    QString elided(const Label& label, double available) const;

private:
    double advance(QChar c) const;

    QFont m_font;
    QFontMetricsF m_metrics;
    mutable std::array<float, 256> m_advances{}; // of Latin-1, -1 when not yet measured
    mutable QHash<QChar, double> m_otherAdvances;
    QHash<uint32_t, Label> m_labels;
};

} // namespace hloscope
