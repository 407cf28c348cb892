// SPDX-License-Identifier: Apache-2.0
// What the commands of the main window do.
#include "app/workbench/about_dialog.h"
#include "app/workbench/command_field.h"
#include "app/workbench/key_sheet.h"
#include "app/workbench/main_window.h"
#include "app/workbench/navigator.h"
#include "app/workbench/problems_pane.h"
#include "app/workbench/start_page.h"
#include "app/workbench/view_registry.h"
#include "app/workbench/window_actions.h"
#include "core/hlo/hlo_text.h"
#include "views/common/theme.h"
#include "views/common/view.h"

#include <QApplication>
#include <QClipboard>
#include <QCloseEvent>
#include <QDir>
#include <QDropEvent>
#include <QFileDialog>
#include <QLineEdit>
#include <QMimeData>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QTemporaryFile>

namespace hloscope {

namespace {

const auto kGeometry = QStringLiteral("window/geometry");
const auto kPanes = QStringLiteral("window/panes");

QStringList localFiles(const QMimeData* data)
{
    QStringList paths;
    for (const QUrl& url : data->urls()) {
        if (url.isLocalFile())
            paths << url.toLocalFile();
    }
    return paths;
}

} // namespace

void MainWindow::connectFileActions()
{
    connect(m_actions->openFile, &QAction::triggered, this, [this] { askForFile(false); });
    connect(m_actions->openFolder, &QAction::triggered, this, [this] { askForFile(true); });
    connect(m_actions->recentMenu, &QMenu::aboutToShow, this, &MainWindow::fillRecentMenu);
    connect(m_actions->reload, &QAction::triggered, this, [this] { m_workspace.open(currentPath()); });
    connect(m_actions->closeFile, &QAction::triggered, this, [this] {
        const QString path = currentPath();
        m_workspace.close(path.isEmpty() ? m_workspace.documents().back().path : path);
    });
    connect(m_actions->closeAll, &QAction::triggered, &m_workspace, &Workspace::closeAll);
    connect(m_actions->quit, &QAction::triggered, this, &QWidget::close);
    connect(m_actions->paste, &QAction::triggered, this, &MainWindow::pasteText);
    connect(m_actions->copyName, &QAction::triggered, this, [this] { copySelected(false); });
    connect(m_actions->copyLine, &QAction::triggered, this, [this] { copySelected(true); });

    connect(m_startPage, &StartPage::openFileRequested, m_actions->openFile, &QAction::trigger);
    connect(m_startPage, &StartPage::openFolderRequested, m_actions->openFolder, &QAction::trigger);
    connect(m_startPage, &StartPage::pasteRequested, this, &MainWindow::pasteText);
    connect(m_startPage, &StartPage::openRequested, this, &MainWindow::openPath);
}

void MainWindow::connectViewActions()
{
    for (QAction* tab : m_actions->tabs)
        connect(tab, &QAction::triggered, this, [this, tab] { showView(tab->data().toString()); });
    connect(m_tabs, &QTabBar::currentChanged, this, &MainWindow::showTab);
    connect(m_tabs, &QTabBar::tabBarClicked, this, [this](int index) {
        m_isViewWanted = index >= 0 || m_isViewWanted;
        showTab(index);
    });
    m_actions->navigator->setChecked(true);
    m_actions->inspector->setChecked(true);
    connect(m_actions->navigator, &QAction::toggled, m_navigator, &QWidget::setVisible);
    connect(m_actions->inspector, &QAction::toggled, m_inspector, &QWidget::setVisible);
    connect(m_actions->problems, &QAction::toggled, this, &MainWindow::showProblems);
    connect(m_actions->fullScreen, &QAction::toggled, this,
            [this](bool full) { full ? showFullScreen() : showNormal(); });

    connect(m_actions->scheme, &QActionGroup::triggered, this, [this](const QAction* action) {
        const auto choice = static_cast<SchemeChoice>(action->data().toInt());
        m_settings.setScheme(choice);
        setScheme(choice);
    });
    const auto changeText = [this](int percent) {
        setTextScale(percent);
        m_settings.setTextScale(ThemeManager::instance().textScale());
    };
    connect(m_actions->textSize, &QActionGroup::triggered, this,
            [changeText](const QAction* action) { changeText(action->data().toInt()); });
    connect(m_actions->larger, &QAction::triggered, this,
            [changeText] { changeText(ThemeManager::instance().textScale() + 10); });
    connect(m_actions->smaller, &QAction::triggered, this,
            [changeText] { changeText(ThemeManager::instance().textScale() - 10); });
    connect(m_actions->chip, &QActionGroup::triggered, this,
            [this](const QAction* action) { setChip(action->data().toInt()); });
}

void MainWindow::connectGoActions()
{
    connect(m_actions->back, &QAction::triggered, &m_selection, &Selection::goBack);
    connect(m_actions->forward, &QAction::triggered, &m_selection, &Selection::goForward);
    connect(m_actions->goTo, &QAction::triggered, this, [this] { m_commandField->start(); });
    connect(m_actions->runCommand, &QAction::triggered, this, [this] { m_commandField->start(QStringLiteral(">")); });
    connect(m_actions->filterNavigator, &QAction::triggered, this, [this] {
        m_actions->navigator->setChecked(true);
        m_navigator->show();
        m_navigator->filterField()->setFocus(Qt::ShortcutFocusReason);
    });
    connect(m_commandField, &CommandField::chosen, this, &MainWindow::go);
    connect(m_actions->keys, &QAction::triggered, this, &MainWindow::showKeys);
    connect(m_actions->about, &QAction::triggered, this, &MainWindow::showAbout);
    connect(m_actions->samples, &QAction::triggered, &m_workspace, &Workspace::closeAll);
}

void MainWindow::restoreSession()
{
    m_savesSession = true;
    setScheme(m_settings.scheme());
    setTextScale(m_settings.textScale());
    restoreGeometry(m_settings.value(kGeometry));
    m_panes->restoreState(m_settings.value(kPanes));
    m_panes->setHandleWidth(1);
}

void MainWindow::go(const GotoHit& hit)
{
    switch (hit.kind) {
    case GotoHit::Kind::Instruction:
        m_selection.selectInstruction(hit.module, hit.instruction);
        break;
    case GotoHit::Kind::Computation:
        m_selection.selectComputation(hit.module, hit.computation);
        break;
    case GotoHit::Kind::File:
        openPath(hit.path);
        break;
    case GotoHit::Kind::Command:
        if (hit.command != nullptr)
            hit.command->trigger();
        break;
    }
}

void MainWindow::askForFile(bool folder)
{
    const QString from = m_settings.lastFolder();
    if (folder) {
        const QString path = QFileDialog::getExistingDirectory(this, tr("Open folder"), from);
        if (!path.isEmpty())
            openPath(path);
        return;
    }
    for (const QString& path : QFileDialog::getOpenFileNames(this, tr("Open file"), from))
        openPath(path);
}

// The text gets a file of its own, so that it is read like any other.
void MainWindow::pasteText()
{
    const QString text = QApplication::clipboard()->text();
    if (text.trimmed().isEmpty())
        return;
    auto file = std::make_unique<QTemporaryFile>(QDir::tempPath() + QStringLiteral("/pasted-XXXXXX.hlo"));
    if (!file->open())
        return;
    file->write(text.toUtf8());
    file->close();
    const QString path = file->fileName();
    m_pasted.push_back(std::move(file));
    openPath(path);
}

void MainWindow::fillRecentMenu()
{
    QMenu* menu = m_actions->recentMenu;
    menu->clear();
    for (const RecentFile& file : m_settings.recentFiles()) {
        QString text = displayNameOf(file.path);
        QAction* action = menu->addAction(text.replace(QLatin1Char('&'), QLatin1String("&&")));
        action->setToolTip(file.path);
        connect(action, &QAction::triggered, this, [this, path = file.path] { openPath(path); });
    }
    if (menu->isEmpty())
        menu->addAction(tr("No file has been opened yet"))->setEnabled(false);
}

QStringList MainWindow::recentPaths() const
{
    QStringList paths;
    for (const RecentFile& file : m_settings.recentFiles())
        paths << file.path;
    return paths;
}

void MainWindow::copySelected(bool wholeLine)
{
    const SelectionState& state = m_selection.state();
    std::string text;
    if (state.module && state.instruction.isValid()) {
        text = wholeLine ? printInstruction(*state.module, state.instruction)
                         : std::string(state.module->instruction(state.instruction).name);
    } else if (state.trace && state.event.isValid()) {
        text = state.trace->kind(state.event).label();
    }
    if (!text.empty())
        QApplication::clipboard()->setText(QString::fromStdString(text));
}

void MainWindow::setScheme(SchemeChoice choice)
{
    ThemeManager& manager = ThemeManager::instance();
    for (QAction* action : m_actions->scheme->actions())
        action->setChecked(action->data().toInt() == static_cast<int>(choice));
    manager.setScheme(choice == SchemeChoice::Dark        ? Theme::Scheme::Dark
                          : choice == SchemeChoice::Light ? Theme::Scheme::Light
                                                          : manager.systemScheme());
}

void MainWindow::setTextScale(int percent)
{
    ThemeManager& manager = ThemeManager::instance();
    const int before = manager.textScale();
    manager.setTextScale(percent);
    QList<int> widths = m_panes->sizes();
    for (int& width : widths)
        width = width * manager.textScale() / before;
    m_panes->setSizes(widths); // the centre gives or takes the rest
    for (QAction* action : m_actions->textSize->actions())
        action->setChecked(action->data().toInt() == manager.textScale());
    fitPanes();
}

void MainWindow::setChip(int index)
{
    if (const ModuleEntry* entry = m_workspace.entry(m_selection.state().module.get()))
        m_workspace.setChip(entry->module.get(), &chips()[static_cast<size_t>(index)]);
}

void MainWindow::showProblems(bool visible)
{
    if (m_pages->currentWidget() == m_startPage && visible)
        m_pages->setCurrentIndex(1);
    if (visible && m_problemsPane->isHidden()) {
        const int height = m_centreSplitter->height();
        m_centreSplitter->setSizes({height - height / 4, height / 4});
    }
    m_problemsPane->setVisible(visible);
    m_actions->problems->setChecked(visible);
}

void MainWindow::showKeys()
{
    const int tab = m_tabs->currentIndex();
    const QString title = tab >= 0 ? m_kinds[static_cast<size_t>(tab)].title : QString();
    m_keySheet->showSections(KeySheet::sectionsOf(*m_actions, title, currentView()));
}

void MainWindow::showAbout()
{
    auto* dialog = new AboutDialog(this);
    dialog->show();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (!localFiles(event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    const QStringList paths = localFiles(event->mimeData());
    for (const QString& path : paths)
        openPath(path);
    if (!paths.isEmpty())
        event->acceptProposedAction();
}

void MainWindow::resizeEvent(QResizeEvent* event)
{
    QMainWindow::resizeEvent(event);
    // Only a change of width decides, so that what was opened by hand on a narrow window stays.
    if (event->size().width() != event->oldSize().width())
        fitPanes();
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (m_savesSession) {
        m_settings.setValue(kGeometry, saveGeometry());
        m_settings.setValue(kPanes, m_panes->saveState());
    }
    QMainWindow::closeEvent(event);
}

void MainWindow::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::BackButton)
        m_selection.goBack();
    else if (event->button() == Qt::ForwardButton)
        m_selection.goForward();
    else
        QMainWindow::mousePressEvent(event);
}

} // namespace hloscope
