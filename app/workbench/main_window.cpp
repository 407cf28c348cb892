// SPDX-License-Identifier: Apache-2.0
#include "app/workbench/main_window.h"

#include "app/workbench/command_field.h"
#include "app/workbench/key_sheet.h"
#include "app/workbench/navigator.h"
#include "app/workbench/open_notices.h"
#include "app/workbench/problems_pane.h"
#include "app/workbench/start_page.h"
#include "app/workbench/status_row.h"
#include "app/workbench/view_registry.h"
#include "app/workbench/window_actions.h"
#include "views/common/icons.h"
#include "views/common/notice_bar.h"
#include "views/common/progress_row.h"
#include "views/common/theme.h"
#include "views/common/translations.h"
#include "views/common/view.h"

#include <QApplication>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QMenuBar>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QTemporaryFile>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace hloscope {

namespace {

constexpr double kMenuHeight = 36;
constexpr double kTabHeight = 36;
constexpr double kNavigatorWidth = 256;
constexpr double kInspectorWidth = 336;
// Below these widths the centre would have less than half of the window: the inspector goes first.
constexpr int kInspectorFrom = 1240;
constexpr int kNavigatorFrom = 900;

} // namespace

MainWindow::MainWindow(Workspace& workspace, QWidget* parent)
    : QMainWindow(parent)
    , m_workspace(workspace)
    , m_selection(workspace)
    , m_actions(std::make_unique<WindowActions>(*this))
    , m_kinds(viewKinds())
    , m_views(m_kinds.size(), nullptr)
{
    installTranslations();
    ThemeManager::instance().install();
    setWindowIcon(QIcon(iconPixmap(QStringLiteral("hloscope"), 64, theme().accent)));
    setAcceptDrops(true);
    setContextMenuPolicy(Qt::NoContextMenu);
    resize(1600, 1000);
    setMinimumSize(760, 520);

    setMenuWidget(makeMenuRow());
    auto* central = new QWidget(this);
    m_outerLayout = new QVBoxLayout(central);
    m_outerLayout->setContentsMargins(0, 0, 0, 0);
    m_outerLayout->setSpacing(0);
    m_outerLayout->addWidget(new ProgressRow(m_workspace, central));
    m_notices = new NoticeArea(central);
    m_outerLayout->addWidget(m_notices);
    m_pages = new QStackedWidget(central);
    m_startPage = new StartPage(m_settings, m_pages);
    m_pages->addWidget(m_startPage);
    m_pages->addWidget(makeWorkbench());
    m_outerLayout->addWidget(m_pages, 1);
    setCentralWidget(central);
    m_statusRow = new StatusRow(m_workspace, m_selection, this);
    setStatusBar(m_statusRow);
    m_keySheet = new KeySheet(this);
    m_openNotices = new OpenNotices(m_workspace, *m_notices, this);

    connectFileActions();
    connectViewActions();
    connectGoActions();
    connectWorkspace();
    for (const DocumentEntry& document : m_workspace.documents())
        documentOpened(document.path);
    showPage();
    updateActions();
    giveFocusToView(); // not the command field, where letters would not be keys
}

MainWindow::~MainWindow() = default;

QWidget* MainWindow::makeMenuRow()
{
    const ThemeManager& manager = ThemeManager::instance();
    auto* row = new QWidget(this);
    row->setProperty("role", "menuRow");
    row->setAttribute(Qt::WA_StyledBackground);
    row->setObjectName(QStringLiteral("menuRow"));
    auto* menuBar = new QMenuBar(row);
    menuBar->setNativeMenuBar(false);
    m_actions->fillMenuBar(*menuBar);

    auto* model = new GotoModel(
        m_workspace, m_selection, [this] { return m_actions->all(); }, [this] { return recentPaths(); }, this);
    m_commandField = new CommandField(model, row);
    m_commandField->setKeyCap(m_actions->goTo->shortcut().toString(QKeySequence::NativeText));
    const auto makeArrow = [&](QAction* action, const QString& iconName) {
        auto* button = new QToolButton(row);
        action->setIcon(icon(iconName));
        action->setToolTip(QStringLiteral("%1 (%2)").arg(commandText(*action), action->shortcut().toString()));
        button->setDefaultAction(action);
        button->setToolButtonStyle(Qt::ToolButtonIconOnly);
        button->setIconSize({16, 16});
        button->setFocusPolicy(Qt::TabFocus);
        return button;
    };
    // The field stands in the middle of the window, whatever the menus take.
    auto* left = new QHBoxLayout;
    left->addWidget(menuBar, 0, Qt::AlignVCenter);
    left->addStretch(1);
    left->addWidget(makeArrow(m_actions->back, QStringLiteral("back")));
    left->addWidget(makeArrow(m_actions->forward, QStringLiteral("forward")));
    left->addSpacing(8);
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(left, 1);
    layout->addWidget(m_commandField);
    layout->addStretch(1);
    const auto setHeight = [row, menuBar, &manager] {
        row->setFixedHeight(manager.scaled(kMenuHeight));
        menuBar->setFont(manager.uiFont(13));
    };
    setHeight();
    connect(&manager, &ThemeManager::changed, row, setHeight);
    return row;
}

QWidget* MainWindow::makeWorkbench()
{
    const ThemeManager& manager = ThemeManager::instance();
    m_panes = new QSplitter(Qt::Horizontal, this);
    m_panes->setHandleWidth(1);
    m_panes->setChildrenCollapsible(false);
    m_navigator = new Navigator(m_workspace, m_selection, m_panes);
    m_panes->addWidget(m_navigator);
    m_panes->addWidget(makeCentre());
    m_inspector = makeInspector(m_workspace, m_selection, m_panes);
    m_inspector->setObjectName(QStringLiteral("inspector"));
    m_panes->addWidget(m_inspector);
    m_panes->setStretchFactor(0, 0);
    m_panes->setStretchFactor(1, 1);
    m_panes->setStretchFactor(2, 0);
    const int navigatorWidth = manager.scaled(kNavigatorWidth);
    const int inspectorWidth = manager.scaled(kInspectorWidth);
    m_panes->setSizes({navigatorWidth, width() - navigatorWidth - inspectorWidth, inspectorWidth});
    return m_panes;
}

QWidget* MainWindow::makeCentre()
{
    const ThemeManager& manager = ThemeManager::instance();
    auto* centre = new QWidget(this);
    centre->setMinimumWidth(320);
    m_centreLayout = new QVBoxLayout(centre);
    m_centreLayout->setContentsMargins(0, 0, 0, 0);
    m_centreLayout->setSpacing(0);

    auto* tabRow = new QWidget(centre);
    tabRow->setProperty("role", "tabRow");
    tabRow->setAttribute(Qt::WA_StyledBackground);
    m_tabs = new QTabBar(tabRow);
    m_tabs->setObjectName(QStringLiteral("viewTabs"));
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_tabs->setFocusPolicy(Qt::TabFocus);
    m_tabs->setAccessibleName(tr("Views"));
    for (const ViewKind& kind : m_kinds)
        m_tabs->addTab(kind.title);
    auto* tabLayout = new QHBoxLayout(tabRow);
    tabLayout->setContentsMargins(8, 0, 8, 0);
    tabLayout->addWidget(m_tabs);
    tabLayout->addStretch(1);
    const auto setHeight = [this, tabRow, &manager] {
        tabRow->setFixedHeight(manager.scaled(kTabHeight));
        m_tabs->setFont(manager.uiFont(13));
    };
    setHeight();
    connect(&manager, &ThemeManager::changed, tabRow, setHeight);

    m_viewStack = new QStackedWidget(centre);
    auto* blank = new QWidget(m_viewStack); // until the first view is shown
    blank->setFocusPolicy(Qt::StrongFocus);
    m_viewStack->addWidget(blank);
    m_problemsPane = new ProblemsPane(m_workspace, m_selection, centre);
    m_problemsPane->hide();
    m_centreSplitter = new QSplitter(Qt::Vertical, centre);
    m_centreSplitter->setHandleWidth(1);
    m_centreSplitter->setChildrenCollapsible(false);
    m_centreSplitter->addWidget(m_viewStack);
    m_centreSplitter->addWidget(m_problemsPane);
    m_centreSplitter->setStretchFactor(0, 3);
    m_centreSplitter->setStretchFactor(1, 1);
    m_centreLayout->addWidget(tabRow);
    m_centreLayout->addWidget(m_centreSplitter, 1);
    return centre;
}

void MainWindow::connectWorkspace()
{
    connect(&m_workspace, &Workspace::documentOpened, this, &MainWindow::documentOpened);
    connect(&m_workspace, &Workspace::busyChanged, this, [this](bool busy) {
        if (!busy)
            m_isOpening = false;
        showPage();
        repeatFocus();
    });
    connect(&m_workspace, &Workspace::closed, this, [this] {
        m_isViewWanted = false;
        showPage();
        updateActions();
    });
    connect(&m_workspace, &Workspace::moduleChanged, this, &MainWindow::updateActions);
    connect(&m_workspace, &Workspace::moduleChanged, this, &MainWindow::repeatFocus);
    connect(&m_selection, &Selection::changed, this, &MainWindow::updateActions);
    connect(m_openNotices, &OpenNotices::detailsRequested, this, [this] { showProblems(true); });
    connect(m_openNotices, &OpenNotices::chipRequested, this,
            [this] { m_actions->chipMenu->popup(m_statusRow->mapToGlobal(QPoint(m_statusRow->width() - 300, 0))); });
    connect(m_problemsPane->model(), &QAbstractItemModel::modelReset, this,
            [this] { m_statusRow->setProblems(static_cast<int>(m_problemsPane->model()->total())); });
    m_statusRow->setProblems(static_cast<int>(m_problemsPane->model()->total()));
    connect(m_problemsPane, &ProblemsPane::closeRequested, this, [this] { showProblems(false); });
    connect(m_statusRow->problemsButton(), &QToolButton::clicked, this, [this] { showProblems(true); });
    connect(m_statusRow->chipButton(), &QToolButton::clicked, this,
            [this] { m_actions->chipMenu->popup(m_statusRow->chipButton()->mapToGlobal(QPoint(0, 0))); });
}

void MainWindow::openPath(const QString& path)
{
    m_isOpening = true;
    m_workspace.open(path);
    if (path != QLatin1String("-"))
        m_settings.setLastFolder(QFileInfo(path).absolutePath());
    showPage();
}

bool MainWindow::showView(const QString& name)
{
    const auto found = std::ranges::find(m_kinds, name, &ViewKind::name);
    if (found == m_kinds.end())
        return false;
    m_isViewWanted = true;
    showTab(static_cast<int>(found - m_kinds.begin()));
    return true;
}

void MainWindow::selectWhenOpen(const QString& name)
{
    if (!selectByName(name))
        m_selectWanted = name;
}

bool MainWindow::isReady() const
{
    if (m_workspace.isBusy())
        return false;
    if (m_pages->currentWidget() == m_startPage)
        return m_startPage->isReady();
    return currentView() == nullptr || currentView()->isReady();
}

View* MainWindow::currentView() const
{
    return qobject_cast<View*>(m_viewStack->currentWidget());
}

QString MainWindow::currentViewName() const
{
    return currentView() != nullptr ? m_kinds[static_cast<size_t>(m_tabs->currentIndex())].name : QString();
}

// The start page as long as nothing is open or being opened.
void MainWindow::showPage()
{
    const bool showsStart = m_workspace.documents().empty() && !m_isOpening;
    QVBoxLayout* wanted = showsStart ? m_outerLayout : m_centreLayout;
    if (wanted->indexOf(m_notices) < 0) {
        m_outerLayout->removeWidget(m_notices);
        m_centreLayout->removeWidget(m_notices);
        wanted->insertWidget(1, m_notices); // under the progress line, or under the tabs
        m_notices->setVisible(!m_notices->rows().empty());
    }
    const int page = showsStart ? 0 : 1;
    if (page != m_pages->currentIndex()) {
        m_pages->setCurrentIndex(page);
        giveFocusToView();
    }
    m_commandField->setPlaceholder(showsStart ? tr("Open, search, or run a command")
                                              : tr("Go to op, computation, file or command"));
    updateTitle();
}

// The keys of a view work at once, without a click on it.
void MainWindow::giveFocusToView()
{
    QWidget* target = m_startPage;
    if (m_pages->currentWidget() != m_startPage)
        target = m_viewStack->currentWidget();
    target->setFocus(Qt::OtherFocusReason);
    m_isFocusWanted = true;
}

// A view that had nothing to show yet could not take the keyboard: it gets it with its picture, unless the user has
// begun to type somewhere.
void MainWindow::repeatFocus()
{
    if (!m_isFocusWanted || qobject_cast<QLineEdit*>(QApplication::focusWidget()) != nullptr)
        return;
    giveFocusToView();
    m_isFocusWanted = !isReady();
}

void MainWindow::showTab(int index)
{
    const auto at = static_cast<size_t>(index);
    if (index < 0 || at >= m_views.size())
        return;
    if (m_views[at] == nullptr) {
        m_views[at] = m_kinds[at].make(m_workspace, m_selection, m_viewStack);
        m_views[at]->setObjectName(m_kinds[at].name);
        m_viewStack->addWidget(m_views[at]);
        connect(m_views[at], &View::readyChanged, this, &MainWindow::repeatFocus);
    }
    m_viewStack->setCurrentWidget(m_views[at]);
    if (m_pages->currentWidget() != m_startPage)
        giveFocusToView();
    if (m_tabs->currentIndex() != index)
        m_tabs->setCurrentIndex(index);
    updateActions();
}

void MainWindow::documentOpened(const QString& path)
{
    const bool isPasted = std::ranges::any_of(m_pasted, [&](const auto& file) { return file->fileName() == path; });
    if (m_savesSession && !isPasted && path != QLatin1String("-"))
        m_settings.addRecentFile(path);
    selectFirst(path);
    if (!m_selectWanted.isEmpty() && selectByName(m_selectWanted))
        m_selectWanted.clear();
    if (m_viewStack->currentIndex() == 0 && !m_isViewWanted)
        showTab(0);
    showPage();
    repeatFocus();
    updateActions();
}

// A file that is read again keeps its place; a new one is shown from its entry, or its first trace, in the view that
// has most to say about it.
void MainWindow::selectFirst(const QString& path)
{
    const auto isIts = [&](const auto& entry) { return entry.path == path; };
    if (currentPath() == path)
        return;
    const auto module = std::ranges::find_if(m_workspace.modules(), isIts);
    const auto trace = std::ranges::find_if(m_workspace.traces(), isIts);
    bool hasTimeline = true;
    if (trace != m_workspace.traces().end()) {
        m_selection.selectTrace(trace->trace);
    } else if (module != m_workspace.modules().end()) {
        hasTimeline = module->module->isScheduled;
        if (module->module->entry.isValid())
            m_selection.selectComputation(module->module, module->module->entry);
        else
            m_selection.selectModule(module->module);
    }
    if (!m_isViewWanted) {
        const auto wanted = std::ranges::find(
            m_kinds, hasTimeline ? QStringLiteral("timeline") : QStringLiteral("graph"), &ViewKind::name);
        showTab(static_cast<int>(wanted - m_kinds.begin()));
    }
}

bool MainWindow::selectByName(const QString& name)
{
    QString plain = name;
    if (plain.startsWith(QLatin1Char('%')))
        plain.remove(0, 1);
    const std::string wanted = plain.toStdString();
    for (const ModuleEntry& entry : m_workspace.modules()) {
        if (const InstructionId id = entry.module->findInstruction(wanted); id.isValid()) {
            m_selection.selectInstruction(entry.module, id);
            return true;
        }
        if (const ComputationId id = entry.module->findComputation(wanted); id.isValid()) {
            m_selection.selectComputation(entry.module, id);
            return true;
        }
    }
    for (const TraceEntry& entry : m_workspace.traces()) {
        const Trace& trace = *entry.trace;
        for (size_t i = 0; i < trace.eventCount(); ++i) {
            if (trace.kind(EventId(i)).label() == wanted) {
                m_selection.selectEvent(entry.trace, EventId(i));
                return true;
            }
        }
    }
    return false;
}

QString MainWindow::currentPath() const
{
    const SelectionState& state = m_selection.state();
    if (const ModuleEntry* entry = m_workspace.entry(state.module.get()))
        return entry->path;
    for (const TraceEntry& entry : m_workspace.traces()) {
        if (entry.trace == state.trace)
            return entry.path;
    }
    return {};
}

void MainWindow::updateTitle()
{
    const QString path = currentPath();
    setWindowTitle(path.isEmpty() ? QStringLiteral("Hloscope")
                                  : QStringLiteral("%1 \u2013 Hloscope").arg(displayNameOf(path)));
}

void MainWindow::updateActions()
{
    const SelectionState& state = m_selection.state();
    m_actions->back->setEnabled(m_selection.canGoBack());
    m_actions->forward->setEnabled(m_selection.canGoForward());
    const bool hasFile = !m_workspace.documents().empty();
    m_actions->closeAll->setEnabled(hasFile);
    m_actions->closeFile->setEnabled(hasFile);
    m_actions->reload->setEnabled(!currentPath().isEmpty());
    m_actions->copyName->setEnabled(state.instruction.isValid() || state.event.isValid());
    m_actions->copyLine->setEnabled(state.module && state.instruction.isValid());
    const ModuleEntry* entry = m_workspace.entry(state.module.get());
    m_actions->chipMenu->setEnabled(entry != nullptr);
    for (QAction* action : m_actions->chip->actions()) {
        action->setEnabled(entry != nullptr);
        action->setChecked(entry != nullptr && entry->chip == &chips()[static_cast<size_t>(action->data().toInt())]);
    }
    updateTitle();
}

// Narrow windows keep the centre: first the inspector goes, then the navigator, and they come back with the room.
void MainWindow::fitPanes()
{
    const double scale = ThemeManager::instance().textScale() / 100.0;
    m_inspector->setVisible(m_actions->inspector->isChecked() && width() >= kInspectorFrom * scale);
    m_navigator->setVisible(m_actions->navigator->isChecked() && width() >= kNavigatorFrom * scale);
}

} // namespace hloscope
