// SPDX-License-Identifier: Apache-2.0
#include "app/workbench/window_actions.h"

#include "app/workbench/settings.h"
#include "app/workbench/view_registry.h"
#include "core/tpu/chip_spec.h"

#include <QCoreApplication>
#include <QMainWindow>
#include <QMenuBar>

namespace hloscope {

namespace {

struct Commands {
    Q_DECLARE_TR_FUNCTIONS(Commands)
};

constexpr char kCommandText[] = "commandText";

QString withoutMnemonic(QString text)
{
    return text.remove(QLatin1Char('&'));
}

// In a menu the word of the menu is read along, in the command field it has to be said.
void setCommandText(QAction* action, const QString& pattern)
{
    action->setProperty(kCommandText, pattern.arg(withoutMnemonic(action->text())));
}

} // namespace

QString commandText(const QAction& action)
{
    const QString text = action.property(kCommandText).toString();
    return text.isEmpty() ? withoutMnemonic(action.text()) : text;
}

WindowActions::WindowActions(QMainWindow& window) : m_window(window)
{
    makeFileActions();
    makeEditActions();
    makeViewActions();
    makeGoActions();
    makeToolsActions();
    makeHelpActions();
}

QAction* WindowActions::add(Section& section, const QString& text, const QList<QKeySequence>& shortcuts)
{
    auto* action = new QAction(text, &m_window);
    action->setShortcuts(shortcuts);
    m_window.addAction(action); // keys work while the menus are closed
    section.actions.push_back(action);
    return action;
}

void WindowActions::makeFileActions()
{
    m_file.title = Commands::tr("&File");
    openFile = add(m_file, Commands::tr("&Open file\u2026"), {QKeySequence::Open});
    openFolder = add(m_file, Commands::tr("Open &folder\u2026"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O)});
    reload = add(m_file, Commands::tr("&Reload from disk"), {QKeySequence(Qt::Key_F5)});
    closeFile = add(m_file, Commands::tr("&Close file"), {QKeySequence(Qt::CTRL | Qt::Key_W)});
    closeAll = add(m_file, Commands::tr("Close &all"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_W)});
    quit = add(m_file, Commands::tr("&Quit"), {QKeySequence(Qt::CTRL | Qt::Key_Q)});
    quit->setMenuRole(QAction::QuitRole);
    recentMenu = new QMenu(Commands::tr("Open &recent"), &m_window);
}

void WindowActions::makeEditActions()
{
    m_edit.title = Commands::tr("&Edit");
    copyName = add(m_edit, Commands::tr("Copy &name"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C)});
    copyLine = add(m_edit, Commands::tr("Copy HLO &line"), {QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_C)});
    paste = add(m_edit, Commands::tr("&Paste HLO text"), {QKeySequence::Paste});
}

void WindowActions::makeViewActions()
{
    m_view.title = Commands::tr("&View");
    int number = 0;
    for (const ViewKind& kind : viewKinds()) {
        QAction* tab = add(m_view, kind.title, {QKeySequence(Qt::CTRL | Qt::Key(Qt::Key_1 + number++))});
        tab->setData(kind.name);
        setCommandText(tab, Commands::tr("View: %1"));
        tabs.push_back(tab);
    }
    navigator = add(m_view, Commands::tr("&Navigator"), {QKeySequence(Qt::CTRL | Qt::Key_B)});
    inspector = add(m_view, Commands::tr("&Inspector"), {QKeySequence(Qt::CTRL | Qt::Key_I)});
    problems = add(m_view, Commands::tr("&Problems"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_M)});
    for (QAction* action : {navigator, inspector, problems})
        action->setCheckable(true);

    scheme = new QActionGroup(&m_window);
    const std::vector<std::pair<QString, SchemeChoice>> schemes{{Commands::tr("As the &system"), SchemeChoice::System},
                                                                {Commands::tr("&Dark"), SchemeChoice::Dark},
                                                                {Commands::tr("&Light"), SchemeChoice::Light}};
    for (const auto& [text, choice] : schemes) {
        QAction* action = add(m_view, text);
        action->setCheckable(true);
        action->setData(static_cast<int>(choice));
        setCommandText(action, Commands::tr("Theme: %1"));
        scheme->addAction(action);
    }
    textSize = new QActionGroup(&m_window);
    for (const int percent : {90, 100, 110, 125, 150}) {
        QAction* action = add(m_view, Commands::tr("%1\u2009%").arg(percent));
        action->setCheckable(true);
        action->setData(percent);
        setCommandText(action, Commands::tr("Text size: %1"));
        textSize->addAction(action);
    }
    larger = add(m_view, Commands::tr("Larger text"),
                 {QKeySequence(Qt::CTRL | Qt::Key_Plus), QKeySequence(Qt::CTRL | Qt::Key_Equal)});
    smaller = add(m_view, Commands::tr("Smaller text"), {QKeySequence(Qt::CTRL | Qt::Key_Minus)});
    fullScreen = add(m_view, Commands::tr("&Full screen"), {QKeySequence(Qt::Key_F11)});
    fullScreen->setCheckable(true);
}

void WindowActions::makeGoActions()
{
    m_go.title = Commands::tr("&Go");
    goTo = add(m_go, Commands::tr("Go to &anything by name"), {QKeySequence(Qt::CTRL | Qt::Key_P)});
    runCommand = add(m_go, Commands::tr("Run a &command"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P)});
    back = add(m_go, Commands::tr("&Back"), {QKeySequence(Qt::ALT | Qt::Key_Left), QKeySequence(Qt::Key_Back)});
    forward =
        add(m_go, Commands::tr("&Forward"), {QKeySequence(Qt::ALT | Qt::Key_Right), QKeySequence(Qt::Key_Forward)});
    filterNavigator =
        add(m_go, Commands::tr("Filter the &navigator"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F)});
}

void WindowActions::makeToolsActions()
{
    m_tools.title = Commands::tr("&Tools");
    chip = new QActionGroup(&m_window);
    chipMenu = new QMenu(Commands::tr("&Chip"), &m_window);
    int index = 0;
    for (const ChipSpec& spec : chips()) {
        const QString name = QString::fromUtf8(spec.name.data(), static_cast<qsizetype>(spec.name.size()));
        QAction* action = add(m_tools, name);
        action->setCheckable(true);
        action->setData(index++);
        setCommandText(action, Commands::tr("Chip: %1"));
        chip->addAction(action);
        chipMenu->addAction(action);
    }
}

void WindowActions::makeHelpActions()
{
    m_help.title = Commands::tr("&Help");
    keys = add(m_help, Commands::tr("&Keys"), {QKeySequence(Qt::Key_Question), QKeySequence(Qt::Key_F1)});
    samples = add(m_help, Commands::tr("&Samples"));
    about = add(m_help, Commands::tr("&About Hloscope"));
    about->setMenuRole(QAction::AboutRole);
}

void WindowActions::fillMenuBar(QMenuBar& menuBar)
{
    QMenu* file = menuBar.addMenu(m_file.title);
    file->addActions({openFile, openFolder});
    file->addMenu(recentMenu);
    file->addSeparator();
    file->addActions({reload, closeFile, closeAll});
    file->addSeparator();
    file->addAction(quit);

    menuBar.addMenu(m_edit.title)->addActions({copyName, copyLine, paste});

    QMenu* view = menuBar.addMenu(m_view.title);
    for (QAction* tab : tabs)
        view->addAction(tab);
    view->addSeparator();
    view->addActions({navigator, inspector, problems});
    view->addSeparator();
    view->addMenu(submenu(Commands::tr("&Theme"), scheme));
    QMenu* sizes = submenu(Commands::tr("Te&xt size"), textSize);
    sizes->addSeparator();
    sizes->addActions({larger, smaller});
    view->addMenu(sizes);
    view->addAction(fullScreen);

    QMenu* go = menuBar.addMenu(m_go.title);
    go->addActions({back, forward});
    go->addSeparator();
    go->addActions({goTo, runCommand, filterNavigator});

    menuBar.addMenu(m_tools.title)->addMenu(chipMenu);
    menuBar.addMenu(m_help.title)->addActions({keys, samples, about});
}

QMenu* WindowActions::submenu(const QString& title, const QActionGroup* group)
{
    auto* menu = new QMenu(title, &m_window);
    menu->addActions(group->actions());
    return menu;
}

std::vector<WindowActions::Section> WindowActions::sections() const
{
    return {m_file, m_edit, m_view, m_go, m_tools, m_help};
}

std::vector<QAction*> WindowActions::all() const
{
    std::vector<QAction*> actions;
    for (const Section& section : sections())
        actions.insert(actions.end(), section.actions.begin(), section.actions.end());
    return actions;
}

} // namespace hloscope
