// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QAction>
#include <QActionGroup>
#include <QMenu>

#include <utility>
#include <vector>

class QMainWindow;
class QMenuBar;

namespace hloscope {

// What the command field calls an action: "Theme: Dark" for "Dark" in the menu "Theme".
QString commandText(const QAction& action);

// All commands of the window: they stand in the menus, in the command field and on the sheet of keys. What they do is
// connected by the window.
struct WindowActions {
    explicit WindowActions(QMainWindow& window);
    WindowActions(const WindowActions&) = delete;
    WindowActions& operator=(const WindowActions&) = delete;

    void fillMenuBar(QMenuBar& menuBar);
    // The menus with their commands, as the sheet of keys lists them.
    struct Section {
        QString title;
        std::vector<QAction*> actions;
    };
    std::vector<Section> sections() const;
    std::vector<QAction*> all() const;

    QAction* openFile;
    QAction* openFolder;
    QAction* reload;
    QAction* closeFile;
    QAction* closeAll;
    QAction* quit;

    QAction* copyName;
    QAction* copyLine;
    QAction* paste;

    std::vector<QAction*> tabs; // in the order of viewKinds()
    QAction* navigator;
    QAction* inspector;
    QAction* problems;
    QActionGroup* scheme; // data(): SchemeChoice
    QActionGroup* textSize; // data(): percent
    QAction* larger;
    QAction* smaller;
    QAction* fullScreen;

    QAction* goTo;
    QAction* runCommand;
    QAction* back;
    QAction* forward;
    QAction* filterNavigator;

    QActionGroup* chip; // data(): index into chips()
    QMenu* chipMenu;
    QMenu* recentMenu;

    QAction* keys;
    QAction* samples;
    QAction* about;

private:
    QAction* add(Section& section, const QString& text, const QList<QKeySequence>& shortcuts = {});
    QMenu* submenu(const QString& title, const QActionGroup* group);
    void makeFileActions();
    void makeEditActions();
    void makeViewActions();
    void makeGoActions();
    void makeToolsActions();
    void makeHelpActions();

    QMainWindow& m_window;
    Section m_file;
    Section m_edit;
    Section m_view;
    Section m_go;
    Section m_tools;
    Section m_help;
};

} // namespace hloscope
