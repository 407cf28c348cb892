// SPDX-License-Identifier: Apache-2.0
#include "app/workbench/problems_pane.h"

#include "views/common/icons.h"
#include "views/common/selection.h"
#include "views/common/theme.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace hloscope {

namespace {

constexpr double kRowHeight = 24;
constexpr double kTitleHeight = 36;

// Severity as an icon before the text.
class ProblemDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        if (index.column() != ProblemsModel::What)
            return;
        const bool isError = index.data(ProblemsModel::SeverityRole).toInt() == static_cast<int>(Severity::Error);
        const QString name = isError ? QStringLiteral("error") : QStringLiteral("warning");
        const QColor& colour = isError ? theme().error : theme().warning;
        option->features |= QStyleOptionViewItem::HasDecoration;
        option->decorationSize = QSize(14, 14);
        option->icon = QIcon(iconPixmap(name, 14, colour, option->widget->devicePixelRatioF()));
        option->textElideMode = Qt::ElideRight;
    }
};

} // namespace

ProblemsPane::ProblemsPane(const Workspace& workspace, Selection& selection, QWidget* parent)
    : QWidget(parent)
    , m_selection(selection)
    , m_model(new ProblemsModel(workspace, this))
    , m_table(new QTableView(this))
    , m_title(new QLabel(this))
{
    setObjectName(QStringLiteral("problemsPane"));
    setProperty("role", "view");
    setAttribute(Qt::WA_StyledBackground);
    auto* close = new QToolButton(this);
    close->setIcon(icon(QStringLiteral("close")));
    close->setIconSize({14, 14});
    close->setToolTip(tr("Close"));
    close->setAccessibleName(tr("Close the problems pane"));
    connect(close, &QToolButton::clicked, this, &ProblemsPane::closeRequested);

    auto* top = new QHBoxLayout;
    top->setContentsMargins(12, 0, 6, 0);
    top->addWidget(m_title, 1);
    top->addWidget(close);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(top);
    layout->addWidget(m_table, 1);

    m_table->setModel(m_model);
    m_table->setItemDelegate(new ProblemDelegate(m_table));
    m_table->setAccessibleName(tr("Problems"));
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->verticalHeader()->hide();
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setSectionResizeMode(ProblemsModel::What, QHeaderView::Stretch);
    m_table->horizontalHeader()->setSectionResizeMode(ProblemsModel::Where, QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setSectionResizeMode(ProblemsModel::Times, QHeaderView::ResizeToContents);
    connect(m_table, &QTableView::activated, this, [this](const QModelIndex& index) { goTo(index.row()); });
    connect(m_table, &QTableView::clicked, this, [this](const QModelIndex& index) { goTo(index.row()); });
    connect(m_model, &QAbstractItemModel::modelReset, this, &ProblemsPane::updateTitle);
    connect(&ThemeManager::instance(), &ThemeManager::changed, this, &ProblemsPane::applyTheme);
    applyTheme();
    updateTitle();
}

void ProblemsPane::updateTitle()
{
    const auto total = static_cast<int>(std::min<quint64>(m_model->total(), INT_MAX));
    m_title->setText(total == 0 ? tr("No problems: nothing was skipped, no unknown fields.")
                                : tr("%n problem(s)", nullptr, total));
}

void ProblemsPane::goTo(int row)
{
    const ProblemsModel::Row& problem = m_model->row(row);
    if (!problem.module || problem.line == 0)
        return;
    const auto& instructions = problem.module->instructions;
    const auto found = std::ranges::find(instructions, problem.line, &HloInstruction::line);
    if (found != instructions.end())
        m_selection.selectInstruction(problem.module, InstructionId(static_cast<size_t>(found - instructions.begin())));
}

void ProblemsPane::applyTheme()
{
    const ThemeManager& manager = ThemeManager::instance();
    m_title->setFont(manager.uiFont(13));
    m_title->setMinimumHeight(manager.scaled(kTitleHeight));
    m_table->verticalHeader()->setDefaultSectionSize(manager.scaled(kRowHeight));
    m_table->verticalHeader()->setMinimumSectionSize(manager.scaled(kRowHeight));
}

} // namespace hloscope
