// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hlo/op_category.h"
#include "core/memory/memory_report.h"

#include <QColor>
#include <QFont>
#include <QObject>
#include <QPalette>
#include <QString>

#include <array>

namespace hloscope {

// The colour tokens of one scheme. Painters read them from here and never name a colour themselves; the palette and the
// style sheet of the widgets are made from the same struct.
struct Theme {
    enum class Scheme : uint8_t { Dark, Light };

    Scheme scheme = Scheme::Dark;
    QColor window; // menu and status rows, gaps between cards
    QColor view; // painted canvas, table body, text editor
    QColor panel; // navigator, inspector, tool rows, row headers
    QColor raised; // buttons, graph nodes, pop-ups, group headers
    QColor border; // 1 px separators
    QColor borderStrong; // node outlines, ticks, key caps
    QColor grid; // chart grid, table lines
    QColor text;
    QColor text2; // secondary text, labels
    QColor text3; // counts, ticks, placeholders
    QColor accent;
    QColor onAccent; // text on accent
    QColor selection; // selected row
    QColor selectionSoft; // row under the pointer, time range
    QColor warning;
    QColor warningGround;
    QColor error;
    QColor errorGround;
    QColor textMark; // span under the pointer in HLO text
    QColor idle; // row ground of the timeline where nothing runs
    QColor onFill; // text on every category fill
    std::array<QColor, kOpCategoryCount> fill; // by OpCategory, the same in both schemes
    std::array<QColor, kOpCategoryCount> ink; // outline and coloured words on white
    std::array<QColor, kBufferKindCount> buffer; // by BufferKind
    std::array<QColor, 4> tileTints; // cycled over first-level tiles

    bool isDark() const { return scheme == Scheme::Dark; }
    const QColor& fillOf(OpCategory category) const { return fill[static_cast<size_t>(category)]; }
    // Colour for lines and words of a category: the fill on dark grounds, the ink on light ones.
    const QColor& wordOf(OpCategory category) const
    {
        return isDark() ? fillOf(category) : ink[static_cast<size_t>(category)];
    }

    static const Theme& dark();
    static const Theme& light();
    QPalette palette() const;
    // Sizes in it are multiplied by the text scale (percent).
    QString styleSheet(int textScale = 100) const;
};

// The theme and the type sizes in force. One object for the program; views repaint on changed().
class ThemeManager : public QObject {
    Q_OBJECT

public:
    static constexpr int kMinTextScale = 90;
    static constexpr int kMaxTextScale = 150;
    static constexpr double kBodyPx = 13;

    // The first call wants a QGuiApplication: it reads the scheme of the system from the lightness of its palette.
    static ThemeManager& instance();

    // Gives the application the Fusion style and, now and on every change, palette, font and style sheet.
    void install();

    const Theme& theme() const { return *m_theme; }
    Theme::Scheme systemScheme() const { return m_systemScheme; }
    void setScheme(Theme::Scheme scheme);
    // Text scale in percent, 90 to 150.
    int textScale() const { return m_textScale; }
    void setTextScale(int percent);
    // Whole pixels of a length that grows with the text, such as the height of a row.
    int scaled(double px) const;

    // System font and fixed font at a size in unscaled pixels. Qt 6.4 cannot ask a font for tabular figures: columns of
    // numbers are right-aligned.
    QFont uiFont(double px, bool bold = false) const;
    QFont monoFont(double px, bool bold = false) const;

signals:
    void changed();

private:
    ThemeManager();
    void apply();
    QFont sized(QFont font, double px, bool bold) const;

    Theme::Scheme m_systemScheme;
    const Theme* m_theme;
    int m_textScale = 100;
    bool m_isInstalled = false;
};

inline const Theme& theme()
{
    return ThemeManager::instance().theme();
}

} // namespace hloscope
