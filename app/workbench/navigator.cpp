// SPDX-License-Identifier: Apache-2.0
#include "app/workbench/navigator.h"

#include "views/common/icons.h"
#include "views/common/theme.h"

#include <QAction>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPainter>
#include <QScopedValueRollback>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

namespace hloscope {

namespace {

constexpr double kRowHeight = 24;
constexpr double kIndent = 16;
constexpr double kIconSize = 14;
constexpr int kGap = 6;
constexpr int kMargin = 12;

class NavigatorDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const ThemeManager& manager = ThemeManager::instance();
        const bool isMarked = (option.state & (QStyle::State_Selected | QStyle::State_MouseOver)) != 0;
        const int size = manager.scaled(kIconSize);
        QRect rect = option.rect.adjusted(0, 0, -kMargin, 0);

        const QString iconName = index.data(NavigatorModel::IconRole).toString();
        const QPixmap picture = iconPixmap(iconName, size, theme().text2, painter->device()->devicePixelRatioF());
        painter->drawPixmap(rect.left(), rect.center().y() - size / 2, picture);
        rect.setLeft(rect.left() + size + kGap);

        const QString count = index.data(NavigatorModel::CountRole).toString();
        painter->setFont(manager.uiFont(11));
        painter->setPen(isMarked ? theme().text2 : theme().text3);
        painter->drawText(rect, Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine, count);
        if (!count.isEmpty())
            rect.setRight(rect.right() - painter->fontMetrics().horizontalAdvance(count) - kGap);

        painter->setFont(index.data(NavigatorModel::MonoRole).toBool() ? manager.monoFont(11.5) : manager.uiFont(12));
        painter->setPen(theme().text);
        const QString label = index.data().toString();
        const QString shown = painter->fontMetrics().elidedText(label, Qt::ElideMiddle, rect.width());
        painter->drawText(rect, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, shown);
    }

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override
    {
        return {10, ThemeManager::instance().scaled(kRowHeight)};
    }
};

} // namespace

NavigatorTree::NavigatorTree(QWidget* parent) : QTreeView(parent)
{
    setProperty("role", "panel");
    setHeaderHidden(true);
    setUniformRowHeights(true);
    setItemDelegate(new NavigatorDelegate(this));
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setExpandsOnDoubleClick(true);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setMouseTracking(true);
}

void NavigatorTree::drawBranches(QPainter* painter, const QRect& rect, const QModelIndex& index) const
{
    if (!model()->hasChildren(index))
        return;
    const QString name = isExpanded(index) ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right");
    const int size = ThemeManager::instance().scaled(kIconSize);
    const QPixmap arrow = iconPixmap(name, size, theme().text2, devicePixelRatioF());
    painter->drawPixmap(rect.right() - indentation() + 1, rect.center().y() - size / 2, arrow);
}

void NavigatorTree::drawRow(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    // The ground reaches from edge to edge, under arrow and label alike.
    if (selectionModel()->isSelected(index))
        painter->fillRect(option.rect, theme().selection);
    else if (indexAt(viewport()->mapFromGlobal(QCursor::pos())) == index && underMouse())
        painter->fillRect(option.rect, theme().selectionSoft);
    QTreeView::drawRow(painter, option, index);
}

Navigator::Navigator(Workspace& workspace, Selection& selection, QWidget* parent)
    : QWidget(parent)
    , m_selection(selection)
    , m_model(new NavigatorModel(workspace, this))
    , m_filter(new QLineEdit(this))
    , m_tree(new NavigatorTree(this))
{
    setObjectName(QStringLiteral("navigator"));
    setProperty("role", "panel");
    setAttribute(Qt::WA_StyledBackground);
    m_filter->setPlaceholderText(tr("Filter"));
    m_filter->setAccessibleName(tr("Filter the navigator"));
    m_filter->addAction(icon(QStringLiteral("filter")), QLineEdit::LeadingPosition);
    m_filter->setClearButtonEnabled(true);
    m_filter->setFocusPolicy(Qt::ClickFocus); // never by accident: letters are commands elsewhere
    m_filter->installEventFilter(this);
    m_tree->setModel(m_model);
    m_tree->setAccessibleName(tr("Navigator"));
    m_tree->installEventFilter(this);

    auto* top = new QVBoxLayout;
    top->setContentsMargins(8, 8, 8, 8);
    top->addWidget(m_filter);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(top);
    layout->addWidget(m_tree, 1);

    connect(m_filter, &QLineEdit::textChanged, m_model, &NavigatorModel::setFilter);
    connect(m_model, &NavigatorModel::rebuilt, this, &Navigator::openFiles);
    connect(m_model, &NavigatorModel::fileAdded, this, &Navigator::openFile);
    connect(m_tree, &QTreeView::clicked, this, &Navigator::activate);
    connect(m_tree->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& current) {
        // The keyboard selects as it moves; "n more" waits for a click or Enter.
        if (!m_isFollowing && m_tree->hasFocus())
            m_model->select(current, m_selection);
    });
    connect(&m_selection, &Selection::changed, this, &Navigator::followSelection);
    connect(&ThemeManager::instance(), &ThemeManager::changed, this, &Navigator::applyTheme);
    applyTheme();
    openFiles();
}

bool Navigator::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (watched == m_filter && key == Qt::Key_Down) {
        m_tree->setFocus();
        if (!m_tree->currentIndex().isValid())
            m_tree->setCurrentIndex(m_model->index(0, 0));
        return true;
    }
    if (watched == m_filter && key == Qt::Key_Escape && !m_filter->text().isEmpty()) {
        m_filter->clear();
        return true;
    }
    if (watched == m_tree && (key == Qt::Key_Return || key == Qt::Key_Enter)) {
        activate(m_tree->currentIndex());
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

// A file is open from the start with the first thing in it, and everything when a filter has left few rows.
void Navigator::openFile(const QModelIndex& file)
{
    if (!m_model->filter().isEmpty()) {
        m_tree->expandRecursively(file);
    } else {
        m_tree->expand(file);
        m_tree->expand(m_model->index(0, 0, file));
    }
}

void Navigator::openFiles()
{
    for (int i = 0; i < m_model->rowCount(); ++i)
        openFile(m_model->index(i, 0));
    followSelection();
}

void Navigator::followSelection()
{
    const QScopedValueRollback<bool> guard(m_isFollowing, true);
    const QModelIndex index = m_model->indexOf(m_selection.state());
    if (!index.isValid()) {
        m_tree->selectionModel()->clearSelection();
        return;
    }
    // A row of the selected trace is not taken away from under the pointer.
    const QModelIndex current = m_tree->currentIndex();
    const bool isRowOfTrace =
        current.data(NavigatorModel::KindRole).toInt() >= static_cast<int>(NavigatorModel::Kind::Step);
    if (current.isValid() && isRowOfTrace && !m_selection.state().instruction.isValid()
        && !m_selection.state().computation.isValid())
        return;
    m_tree->setCurrentIndex(index);
    m_tree->scrollTo(index);
}

void Navigator::activate(const QModelIndex& index)
{
    if (!index.isValid())
        return;
    if (index.data(NavigatorModel::KindRole).toInt() == static_cast<int>(NavigatorModel::Kind::More)) {
        const QModelIndex parent = index.parent();
        const int row = index.row();
        m_model->showMore(index);
        m_tree->setCurrentIndex(m_model->index(row, 0, parent));
        return;
    }
    m_model->select(index, m_selection);
}

void Navigator::applyTheme()
{
    m_filter->setFont(ThemeManager::instance().uiFont(12));
    m_tree->setIndentation(ThemeManager::instance().scaled(kIndent));
    m_tree->doItemsLayout();
}

} // namespace hloscope
