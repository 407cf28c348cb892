// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/workbench/settings.h"
#include "views/common/selection.h"
#include "views/common/workspace.h"

#include <QMainWindow>

#include <memory>
#include <vector>

class QSplitter;
class QStackedWidget;
class QTabBar;
class QTemporaryFile;
class QVBoxLayout;

namespace hloscope {

class CommandField;
class KeySheet;
class Navigator;
class NoticeArea;
class OpenNotices;
class ProblemsPane;
class StartPage;
class StatusRow;
class View;
struct GotoHit;
struct ViewKind;
struct WindowActions;

// The workbench: menu row with the command field, navigator, tabs of views, inspector, status row. It owns the
// selection; what is open belongs to the workspace. The window can be shown before anything is read.
class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    explicit MainWindow(Workspace& workspace, QWidget* parent = nullptr);
    ~MainWindow() override;

    // Takes theme, text size and geometry of the last session, and saves the geometry when the window closes.
    void restoreSession();

    void openPath(const QString& path);
    // By the name of the tab: timeline, graph, hlo, memory, layout. False for an unknown name. A view that was asked
    // for stays when a file opens, which else chooses the tab.
    bool showView(const QString& name);
    // Selects the instruction, computation or event of that name as soon as a file that holds it has been opened.
    void selectWhenOpen(const QString& name);
    // True when nothing is being read and the view that is shown has its picture.
    bool isReady() const;

    Selection& selection() { return m_selection; }
    WindowActions& actions() { return *m_actions; }
    Navigator* navigator() const { return m_navigator; }
    CommandField* commandField() const { return m_commandField; }
    NoticeArea* notices() const { return m_notices; }
    ProblemsPane* problemsPane() const { return m_problemsPane; }
    StatusRow* statusRow() const { return m_statusRow; }
    StartPage* startPage() const { return m_startPage; }
    QWidget* inspector() const { return m_inspector; }
    View* currentView() const;
    QString currentViewName() const;

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    QWidget* makeMenuRow();
    QWidget* makeWorkbench();
    QWidget* makeCentre();
    void connectFileActions();
    void connectViewActions();
    void connectGoActions();
    void connectWorkspace();

    void showPage();
    void giveFocusToView();
    void repeatFocus();
    void showTab(int index);
    void documentOpened(const QString& path);
    void selectFirst(const QString& path);
    bool selectByName(const QString& name);
    void go(const GotoHit& hit);
    void askForFile(bool folder);
    void pasteText();
    void fillRecentMenu();
    void copySelected(bool wholeLine);
    void setScheme(SchemeChoice choice);
    void setTextScale(int percent);
    void setChip(int index);
    void showProblems(bool visible);
    void showKeys();
    void showAbout();
    void updateActions();
    void updateTitle();
    void fitPanes();
    QString currentPath() const; // of the file that the selection is in
    QStringList recentPaths() const;

    Workspace& m_workspace;
    Settings m_settings;
    Selection m_selection;
    std::unique_ptr<WindowActions> m_actions;
    std::vector<ViewKind> m_kinds;
    std::vector<View*> m_views; // null until the tab is opened for the first time

    CommandField* m_commandField = nullptr;
    QStackedWidget* m_pages = nullptr; // start page, workbench
    StartPage* m_startPage = nullptr;
    QSplitter* m_panes = nullptr; // navigator, centre, inspector
    QSplitter* m_centreSplitter = nullptr; // view, problems
    Navigator* m_navigator = nullptr;
    QTabBar* m_tabs = nullptr;
    QStackedWidget* m_viewStack = nullptr;
    QWidget* m_inspector = nullptr;
    NoticeArea* m_notices = nullptr;
    OpenNotices* m_openNotices = nullptr;
    ProblemsPane* m_problemsPane = nullptr;
    StatusRow* m_statusRow = nullptr;
    KeySheet* m_keySheet = nullptr;
    QVBoxLayout* m_outerLayout = nullptr; // the notices stand here over the start page ...
    QVBoxLayout* m_centreLayout = nullptr; // ... and here over a view

    QString m_selectWanted;
    bool m_isViewWanted = false;
    bool m_isFocusWanted = false; // by a view that could not take it yet
    bool m_isOpening = false; // a file has been asked for: the workbench stands ready for it
    bool m_savesSession = false;
    std::vector<std::unique_ptr<QTemporaryFile>> m_pasted;
};

} // namespace hloscope
