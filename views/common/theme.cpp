// SPDX-License-Identifier: Apache-2.0
#include "views/common/theme.h"

#include <QApplication>
#include <QFontDatabase>
#include <QProxyStyle>
#include <QStyleFactory>

#include <algorithm>

namespace hloscope {

namespace {

using Scheme = Theme::Scheme;

// The same on both grounds, so that a colour learnt in one scheme is known in the other.
void setDataColours(Theme& theme)
{
    theme.onFill = QColor(0x12151A);
    theme.fill = {QColor(0x678EDC), QColor(0x75AC91), QColor(0xE6E79B), QColor(0xE39E50), QColor(0xB5779B),
                  QColor(0xC8ECF6), QColor(0xB3B3DD), QColor(0xCC6E5E), QColor(0xE1D6CB), theme.idle};
    theme.ink = {QColor(0x3F63AD), QColor(0x3D7358), QColor(0x74751F), QColor(0x8F5A0C), QColor(0x8A4F72),
                 QColor(0x3F7380), QColor(0x5C5C9A), QColor(0xA0483A), QColor(0x75685A), theme.text3};
    theme.buffer = {QColor(0x6F7F94), QColor(0x93A0B2), QColor(0xB9C2CE),
                    QColor(0x3F8E9C), QColor(0x58B7C7), QColor(0xB5779B)};
}

// Menus show the underlined letters while Alt is held, and are calm otherwise.
class CalmStyle : public QProxyStyle {
public:
    CalmStyle() : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) { }

    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                  QStyleHintReturn* returnData) const override
    {
        if (hint == SH_UnderlineShortcut)
            return QGuiApplication::queryKeyboardModifiers().testFlag(Qt::AltModifier) ? 1 : 0;
        return QProxyStyle::styleHint(hint, option, widget, returnData);
    }
};

QColor withAlpha(QColor colour, double alpha)
{
    colour.setAlphaF(static_cast<float>(alpha));
    return colour;
}

Theme makeDark()
{
    Theme t;
    t.scheme = Scheme::Dark;
    t.window = QColor(0x121418);
    t.view = QColor(0x15181C);
    t.panel = QColor(0x1A1D22);
    t.raised = QColor(0x23272E);
    t.border = QColor(0x2B3038);
    t.borderStrong = QColor(0x3B424D);
    t.grid = QColor(0x23272D);
    t.text = QColor(0xE5E8EC);
    t.text2 = QColor(0xA6ADB8);
    t.text3 = QColor(0x878F9B);
    t.accent = QColor(0x45BDD0);
    t.onAccent = QColor(0x0C1517);
    t.selection = QColor(0x15363D);
    t.selectionSoft = withAlpha(t.accent, 0.10);
    t.warning = QColor(0xE3B25A);
    t.warningGround = QColor(0x2E2717);
    t.error = QColor(0xF07F76);
    t.errorGround = QColor(0x331F1E);
    t.textMark = QColor(0x4A421C);
    t.idle = QColor(0x292E35);
    t.tileTints = {QColor(0x22333D), QColor(0x3A3025), QColor(0x27352A), QColor(0x362B39)};
    setDataColours(t);
    return t;
}

Theme makeLight()
{
    Theme t;
    t.scheme = Scheme::Light;
    t.window = QColor(0xECEEF1);
    t.view = QColor(0xFFFFFF);
    t.panel = QColor(0xF7F8FA);
    t.raised = QColor(0xFFFFFF);
    t.border = QColor(0xDCE0E5);
    t.borderStrong = QColor(0xC3C9D1);
    t.grid = QColor(0xEEF0F3);
    t.text = QColor(0x1A1E24);
    t.text2 = QColor(0x545C68);
    t.text3 = QColor(0x626A77);
    t.accent = QColor(0x0B7285);
    t.onAccent = QColor(0xFFFFFF);
    t.selection = QColor(0xD3ECF1);
    t.selectionSoft = withAlpha(t.accent, 0.08);
    t.warning = QColor(0x865400);
    t.warningGround = QColor(0xFFF4DC);
    t.error = QColor(0xB3261E);
    t.errorGround = QColor(0xFDECEA);
    t.textMark = QColor(0xFFF0B3);
    t.idle = QColor(0xE4E7EB);
    t.tileTints = {QColor(0xE3EEF4), QColor(0xF6EBDD), QColor(0xE8F0E4), QColor(0xF0E6F1)};
    setDataColours(t);
    return t;
}

} // namespace

const Theme& Theme::dark()
{
    static const Theme theme = makeDark();
    return theme;
}

const Theme& Theme::light()
{
    static const Theme theme = makeLight();
    return theme;
}

QPalette Theme::palette() const
{
    QPalette p;
    const auto set = [&p](QPalette::ColorRole role, const QColor& colour) { p.setColor(QPalette::All, role, colour); };
    set(QPalette::Window, window);
    set(QPalette::WindowText, text);
    set(QPalette::Base, view);
    set(QPalette::AlternateBase, panel);
    set(QPalette::Text, text);
    set(QPalette::PlaceholderText, text3);
    set(QPalette::Button, raised);
    set(QPalette::ButtonText, text);
    set(QPalette::BrightText, error);
    set(QPalette::ToolTipBase, raised);
    set(QPalette::ToolTipText, text);
    set(QPalette::Highlight, selection);
    set(QPalette::HighlightedText, text);
    set(QPalette::Link, accent);
    set(QPalette::LinkVisited, accent);
    // Fusion draws its bevels with these; flat ones keep frames out of the picture.
    set(QPalette::Light, raised);
    set(QPalette::Midlight, border);
    set(QPalette::Mid, border);
    set(QPalette::Dark, borderStrong);
    set(QPalette::Shadow, window);
    for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        p.setColor(QPalette::Disabled, role, text3);
    return p;
}

ThemeManager& ThemeManager::instance()
{
    static ThemeManager manager;
    return manager;
}

ThemeManager::ThemeManager()
    : m_systemScheme(QGuiApplication::palette().color(QPalette::Window).lightness() < 128 ? Scheme::Dark
                                                                                          : Scheme::Light)
    , m_theme(m_systemScheme == Scheme::Dark ? &Theme::dark() : &Theme::light())
{
}

void ThemeManager::install()
{
    if (m_isInstalled)
        return;
    m_isInstalled = true;
    QApplication::setStyle(new CalmStyle); // owned by the application
    apply();
}

void ThemeManager::setScheme(Scheme scheme)
{
    const Theme* wanted = scheme == Scheme::Dark ? &Theme::dark() : &Theme::light();
    if (wanted == m_theme)
        return;
    m_theme = wanted;
    apply();
}

void ThemeManager::setTextScale(int percent)
{
    const int wanted = std::clamp(percent, kMinTextScale, kMaxTextScale);
    if (wanted == m_textScale)
        return;
    m_textScale = wanted;
    apply();
}

void ThemeManager::apply()
{
    if (m_isInstalled) {
        QApplication::setPalette(m_theme->palette());
        QApplication::setFont(uiFont(kBodyPx));
        qApp->setStyleSheet(m_theme->styleSheet(m_textScale));
    }
    emit changed();
}

int ThemeManager::scaled(double px) const
{
    return qRound(px * m_textScale / 100.0);
}

QFont ThemeManager::sized(QFont font, double px, bool bold) const
{
    font.setPixelSize(std::max(1, scaled(px)));
    font.setBold(bold);
    return font;
}

QFont ThemeManager::uiFont(double px, bool bold) const
{
    return sized(QFontDatabase::systemFont(QFontDatabase::GeneralFont), px, bold);
}

QFont ThemeManager::monoFont(double px, bool bold) const
{
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    font.setStyleHint(QFont::Monospace);
    return sized(std::move(font), px, bold);
}

} // namespace hloscope
