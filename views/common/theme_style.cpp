// SPDX-License-Identifier: Apache-2.0
#include "views/common/theme.h"

#include <QRegularExpression>

#include <utility>
#include <vector>

namespace hloscope {

namespace {

// `@name` stands for a token of the theme, `#12px` for a length that grows with the text.
// Dynamic properties give a widget its place in the frame: role = panel, toolRow, caption, link, card, primary, ...
constexpr char kStyle[] = R"(
* { outline: 0; }
QToolTip { color: @text; background: @raised; border: 1px solid @borderStrong; padding: 4px 6px; font-size: #12px; }

QMainWindow, QDialog, QMessageBox { background: @window; }
QWidget[role="window"] { background: @window; }
QWidget[role="panel"] { background: @panel; }
QWidget[role="view"] { background: @view; }
QWidget[role="toolRow"] { background: @panel; border-bottom: 1px solid @border; }
QFrame[role="card"] { background: @panel; border: 1px solid @border; border-radius: 8px; }
QFrame[role="popup"] { background: @raised; border: 1px solid @borderStrong; border-radius: 8px; }
QFrame[role="separator"] { background: @border; border: 0; max-height: 1px; min-height: 1px; }
QFrame[role="verticalSeparator"] { background: @border; border: 0; max-width: 1px; min-width: 1px; }
QLabel { background: transparent; color: @text; }
QLabel[role="secondary"] { color: @text2; }
QLabel[role="caption"] { color: @text3; font-size: #11px; }
QLabel[role="title"] { font-size: #20px; }
QLabel[role="heading"] { font-size: #13px; }
QLabel:disabled { color: @text3; }

QWidget[role="menuRow"] { background: @window; border-bottom: 1px solid @border; }
QMenuBar { background: transparent; color: @text; border: 0; padding: 0 #8px; }
QMenuBar::item { background: transparent; padding: #5px #10px; border-radius: 5px; }
QMenuBar::item:selected { background: @raised; }
QMenu { background: @raised; color: @text; border: 1px solid @borderStrong; padding: 4px; }
QMenu::item { padding: #4px #28px #4px #24px; border-radius: 4px; background: transparent; }
QMenu::item:selected { background: @selection; }
QMenu::item:disabled { color: @text3; }
QMenu::separator { height: 1px; background: @border; margin: 4px 8px; }
QMenu::indicator { width: 14px; height: 14px; left: 6px; }

QStatusBar { background: @window; color: @text2; border-top: 1px solid @border; font-size: #11px; }
QStatusBar::item { border: 0; }
QStatusBar QLabel, QStatusBar QToolButton { color: @text2; font-size: #11px; background: transparent; border: 0; padding: 0 8px; }
QStatusBar QToolButton:hover { color: @text; background: @selectionSoft; }
QStatusBar QToolButton:focus { border: 1px solid @accent; }
QSizeGrip { width: 0; height: 0; }

QSplitter::handle { background: @border; }
QSplitter::handle:horizontal { width: 1px; }
QSplitter::handle:vertical { height: 1px; }

QWidget[role="tabRow"] { background: @panel; border-bottom: 1px solid @border; }
QTabBar { background: transparent; border: 0; qproperty-drawBase: 0; }
QTabBar::tab { background: transparent; color: @text2; border: 0; border-bottom: 2px solid transparent; padding: #8px #3px #7px #3px; margin: 0 #9px; }
QTabBar::tab:selected { color: @text; border-bottom: 2px solid @accent; }
QTabBar::tab:hover:!selected { color: @text; }
QTabBar::tab:focus { color: @text; border: 1px solid @accent; border-bottom: 2px solid @accent; border-radius: 3px; }

QAbstractItemView { background: @view; color: @text; border: 0; font-size: #12px; selection-background-color: @selection;
  selection-color: @text; show-decoration-selected: 1; }
QAbstractItemView::item { min-height: #24px; border: 0; padding: 0 4px; }
QAbstractItemView::item:hover { background: @selectionSoft; }
QAbstractItemView::item:selected { background: @selection; color: @text; }
QTreeView[role="panel"], QListView[role="panel"] { background: @panel; }
QListView[role="popupList"] { background: @raised; }
QTreeView::branch { background: transparent; }
QTreeView::branch:hover { background: @selectionSoft; }
QTreeView::branch:selected { background: @selection; }
QTableView { gridline-color: @grid; }
QHeaderView { background: @view; border: 0; }
QHeaderView::section { background: @view; color: @text2; border: 0; border-bottom: 1px solid @border; padding: 0 8px;
  height: #26px; font-size: #12px; }
QTableCornerButton::section { background: @view; border: 0; }

QLineEdit, QPlainTextEdit[role="field"], QSpinBox, QDoubleSpinBox { background: @view; color: @text; border: 1px solid @border;
  border-radius: 5px; padding: 0 8px; min-height: #22px; selection-background-color: @accent; selection-color: @onAccent; }
QLineEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus { border: 1px solid @accent; }
QPlainTextEdit, QTextEdit, QTextBrowser { background: @view; color: @text; border: 0;
  selection-background-color: @selection; selection-color: @text; }

QPushButton { background: @raised; color: @text; border: 1px solid @border; border-radius: 5px; padding: 0 #10px; min-height: #22px; }
QPushButton:hover { border-color: @borderStrong; }
QPushButton:pressed { background: @border; }
QPushButton:focus { border: 1px solid @accent; }
QPushButton:disabled { color: @text3; }
QPushButton[role="primary"] { background: @accent; color: @onAccent; border: 1px solid @accent; }
QPushButton[role="primary"]:focus { border: 1px solid @text; }
QPushButton[form="true"] { min-height: #30px; padding: 0 #14px; }
QPushButton[role="link"] { background: transparent; color: @accent; border: 1px solid transparent; padding: 0 2px; min-height: 18px; }
QPushButton[role="link"]:hover { text-decoration: underline; }
QPushButton[role="link"]:focus { border: 1px solid @accent; }

QToolButton { background: transparent; color: @text2; border: 1px solid transparent; border-radius: 5px; padding: #2px #5px; font-size: #12px; }
QToolButton:hover { background: @raised; color: @text; }
QToolButton:pressed, QToolButton:checked { background: @raised; color: @text; }
QToolButton:focus { border: 1px solid @accent; }
QToolButton:disabled { color: @text3; }
QToolButton::menu-indicator { image: none; }
QWidget[role="segments"] { border: 1px solid @border; border-radius: 5px; }
QWidget[role="segments"] QToolButton { border-radius: 4px; padding: 1px #9px; }

QComboBox { background: @raised; color: @text; border: 1px solid @border; border-radius: 5px; padding: 0 8px; min-height: #22px; }
QComboBox:focus { border: 1px solid @accent; }
QComboBox::drop-down { border: 0; width: 18px; }
QComboBox QAbstractItemView { background: @raised; border: 1px solid @borderStrong; }

QScrollArea { background: transparent; border: 0; }
QScrollBar { background: transparent; border: 0; }
QScrollBar:vertical { width: 10px; margin: 0; }
QScrollBar:horizontal { height: 10px; margin: 0; }
QScrollBar::handle { background: @borderStrong; border-radius: 3px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 28px; }
QScrollBar::handle:horizontal { min-width: 28px; }
QScrollBar::handle:hover { background: @text3; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; border: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QAbstractScrollArea::corner { background: transparent; border: 0; }

QProgressBar { background: transparent; border: 0; max-height: 2px; min-height: 2px; }
QProgressBar::chunk { background: @accent; }

QWidget[role="notice"][severity="warning"] { background: @warningGround; border-bottom: 1px solid @border; }
QWidget[role="notice"][severity="error"] { background: @errorGround; border-bottom: 1px solid @border; }
QWidget[role="notice"] QLabel { font-size: #12px; }
)";

QString cssColour(const QColor& colour)
{
    if (colour.alpha() == 255)
        return colour.name();
    return QStringLiteral("rgba(%1,%2,%3,%4)")
        .arg(colour.red())
        .arg(colour.green())
        .arg(colour.blue())
        .arg(colour.alpha());
}

} // namespace

QString Theme::styleSheet(int textScale) const
{
    const std::vector<std::pair<const char*, const QColor*>> tokens{
        {"window", &window},       {"view", &view},
        {"panel", &panel},         {"raised", &raised},
        {"border", &border},       {"borderStrong", &borderStrong},
        {"grid", &grid},           {"text", &text},
        {"text2", &text2},         {"text3", &text3},
        {"accent", &accent},       {"onAccent", &onAccent},
        {"selection", &selection}, {"selectionSoft", &selectionSoft},
        {"warning", &warning},     {"warningGround", &warningGround},
        {"error", &error},         {"errorGround", &errorGround}};

    static const QRegularExpression placeholder(QStringLiteral("@([A-Za-z0-9]+)|#([0-9]+)px"));
    const QString source = QString::fromLatin1(kStyle);
    QString out;
    qsizetype done = 0;
    for (auto matches = placeholder.globalMatch(source); matches.hasNext();) {
        const QRegularExpressionMatch match = matches.next();
        out += QStringView(source).mid(done, match.capturedStart() - done);
        done = match.capturedEnd();
        if (match.capturedLength(2) > 0) {
            out += QStringLiteral("%1px").arg(qRound(match.capturedView(2).toInt() * textScale / 100.0));
            continue;
        }
        for (const auto& [name, colour] : tokens) {
            if (match.capturedView(1) == QLatin1String(name))
                out += cssColour(*colour);
        }
    }
    out += QStringView(source).mid(done);
    return out;
}

} // namespace hloscope
