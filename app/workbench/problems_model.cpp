// SPDX-License-Identifier: Apache-2.0
#include "app/workbench/problems_model.h"

#include "app/workbench/navigator_model.h"
#include "views/words/units.h"

#include <numeric>

namespace hloscope {

namespace {

QString placeOf(const Diagnostic& diagnostic, const QString& path)
{
    const QString name = displayNameOf(path);
    if (diagnostic.line > 0)
        return QStringLiteral("%1:%2:%3").arg(name).arg(diagnostic.line).arg(diagnostic.column);
    if (diagnostic.byteOffset)
        return QStringLiteral("%1:@%2").arg(name).arg(*diagnostic.byteOffset);
    return name;
}

} // namespace

QString problemText(const Diagnostic& diagnostic)
{
    QString text = QString::fromStdString(diagnostic.message);
    if (!diagnostic.expected.empty())
        text = ProblemsModel::tr("%1, expected %2").arg(text, QString::fromStdString(diagnostic.expected));
    if (!diagnostic.found.empty())
        text = ProblemsModel::tr("%1, found %2").arg(text, QString::fromStdString(diagnostic.found));
    if (!diagnostic.hint.empty())
        text += QStringLiteral(" (%1)").arg(QString::fromStdString(diagnostic.hint));
    return text;
}

ProblemsModel::ProblemsModel(const Workspace& workspace, QObject* parent)
    : QAbstractTableModel(parent), m_workspace(workspace)
{
    connect(&workspace, &Workspace::openFailed, this,
            [this](const QString& path, const QString&, const Diagnostic& error) {
                m_failures.insert(m_failures.begin(),
                                  {Severity::Error, problemText(error), placeOf(error, path), 1, {}, 0});
                rebuild();
            });
    connect(&workspace, &Workspace::documentOpened, this, &ProblemsModel::rebuild);
    connect(&workspace, &Workspace::moduleChanged, this, &ProblemsModel::rebuild);
    connect(&workspace, &Workspace::closed, this, &ProblemsModel::rebuild);
    rebuild();
}

quint64 ProblemsModel::total() const
{
    return std::accumulate(m_rows.begin(), m_rows.end(), quint64(0),
                           [](quint64 sum, const Row& row) { return sum + row.times; });
}

void ProblemsModel::clearFailures()
{
    m_failures.clear();
    rebuild();
}

int ProblemsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int ProblemsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant ProblemsModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const Row& row = m_rows[static_cast<size_t>(index.row())];
    if (role == SeverityRole)
        return static_cast<int>(row.severity);
    if (role == Qt::TextAlignmentRole && index.column() == Times)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return {};
    switch (index.column()) {
    case What:
        return row.what;
    case Where:
        return row.where;
    case Times:
        return formatCount(static_cast<qint64>(row.times));
    default:
        return {};
    }
}

QVariant ProblemsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant(section == Times ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case What:
        return tr("Problem");
    case Where:
        return tr("Where");
    case Times:
        return tr("Times");
    default:
        return {};
    }
}

void ProblemsModel::rebuild()
{
    beginResetModel();
    m_rows = m_failures;
    for (const DocumentEntry& document : m_workspace.documents())
        add(document.problems, document.path);
    for (const ModuleEntry& entry : m_workspace.modules()) {
        add(entry.module->problems, entry.path, entry.module);
        add(entry.problems, entry.path, entry.module);
    }
    for (const TraceEntry& entry : m_workspace.traces())
        add(entry.trace->problems, entry.path);
    for (const ModuleEntry& entry : m_workspace.modules()) {
        if (entry.simulation && entry.simulation->trace)
            add(entry.simulation->trace->problems, entry.path);
    }
    endResetModel();
}

void ProblemsModel::add(const Problems& problems, const QString& path, const std::shared_ptr<const HloModule>& module)
{
    for (const Diagnostic& diagnostic : problems.diagnostics()) {
        m_rows.push_back(
            {diagnostic.severity, problemText(diagnostic), placeOf(diagnostic, path), 1, module, diagnostic.line});
    }
    for (const auto& [what, times] : problems.counts())
        m_rows.push_back({Severity::Warning, QString::fromStdString(what), displayNameOf(path), times, {}, 0});
}

} // namespace hloscope
