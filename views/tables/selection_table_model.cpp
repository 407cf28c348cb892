// SPDX-License-Identifier: Apache-2.0
#include "views/tables/selection_table_model.h"

#include "views/common/theme.h"
#include "views/words/opcode_words.h"
#include "views/words/units.h"
#include "views/words/words_tr.h"

#include <QIcon>
#include <QPainter>
#include <QPixmap>

#include <algorithm>
#include <numeric>

namespace hloscope {

namespace {

QIcon swatch(OpCategory category)
{
    constexpr int kSize = 10;
    constexpr qreal kRatio = 2;
    QPixmap pixmap(QSize(kSize, kSize) * kRatio);
    pixmap.setDevicePixelRatio(kRatio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(theme().isDark() ? QPen(Qt::NoPen) : QPen(theme().ink[static_cast<size_t>(category)], 1));
    painter.setBrush(theme().fillOf(category));
    painter.drawRoundedRect(QRectF(0.5, 0.5, kSize - 1, kSize - 1), 2, 2);
    painter.end();
    // In selected rows as well: the style would tint it.
    QIcon icon(pixmap);
    icon.addPixmap(pixmap, QIcon::Selected);
    return icon;
}

double shareOf(const RangeStatistics& all, const RangeStatistics::Row& row)
{
    return all.selfPs > 0 ? static_cast<double>(row.sums.selfPs) / static_cast<double>(all.selfPs) : 0;
}

int64_t meanOf(const RangeStatistics::Row& row)
{
    return row.sums.occurrences > 0 ? row.sums.totalPs / static_cast<int64_t>(row.sums.occurrences) : 0;
}

} // namespace

void SelectionTableModel::setStatistics(RangeStatistics statistics)
{
    beginResetModel();
    m_statistics = std::move(statistics);
    m_order = sortedOrder();
    endResetModel();
}

int SelectionTableModel::rowOf(const EventKind& kind) const
{
    for (size_t i = 0; i < m_order.size(); ++i) {
        if (m_statistics.rows[m_order[i]].sums.key == kind.name)
            return static_cast<int>(i);
    }
    return -1;
}

int SelectionTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_order.size());
}

int SelectionTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant SelectionTableModel::valueOf(const RangeStatistics::Row& row, int column) const
{
    switch (column) {
    case Op:
        return row.label;
    case Category:
        return static_cast<int>(row.sums.category);
    case Count:
        return static_cast<qulonglong>(row.sums.occurrences);
    case Total:
        return static_cast<qlonglong>(row.sums.totalPs);
    case Self:
        return static_cast<qlonglong>(row.sums.selfPs);
    case Share:
        return shareOf(m_statistics, row);
    case Mean:
        return static_cast<qlonglong>(meanOf(row));
    default:
        return {};
    }
}

QString SelectionTableModel::textOf(const RangeStatistics::Row& row, int column) const
{
    const bool hasTime = row.sums.totalPs > 0;
    switch (column) {
    case Op:
        return row.label;
    case Category:
        return categoryName(row.sums.category);
    case Count:
        return formatCount(static_cast<qint64>(row.sums.occurrences));
    case Total:
        return hasTime ? formatTime(row.sums.totalPs) : tr("no time");
    case Self:
        return hasTime ? formatTime(row.sums.selfPs) : QString(QChar(0x2013));
    case Share:
        return hasTime ? formatPercent(shareOf(m_statistics, row)) : QString(QChar(0x2013));
    case Mean:
        return hasTime ? formatTime(meanOf(row)) : QString(QChar(0x2013));
    default:
        return {};
    }
}

QVariant SelectionTableModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const RangeStatistics::Row& cell = row(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return textOf(cell, index.column());
    case ValueRole:
        return valueOf(cell, index.column());
    case Qt::DecorationRole:
        return index.column() == Op ? QVariant(swatch(cell.sums.category)) : QVariant();
    case Qt::FontRole:
        return index.column() == Op ? QVariant(ThemeManager::instance().monoFont(12)) : QVariant();
    case Qt::ForegroundRole:
        return index.column() == Category ? QVariant(theme().text2) : QVariant();
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::AlignVCenter | (index.column() <= Category ? Qt::AlignLeft : Qt::AlignRight));
    case Qt::ToolTipRole:
        if (index.column() == Op)
            return toQString(std::string_view(cell.sums.key).substr(0, 1000));
        if (index.column() == Total || index.column() == Self || index.column() == Mean)
            return tr("%1 ps").arg(formatCount(valueOf(cell, index.column()).toLongLong()));
        return {};
    default:
        return {};
    }
}

QVariant SelectionTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::AlignVCenter | (section <= Category ? Qt::AlignLeft : Qt::AlignRight));
    if (role == Qt::ToolTipRole) {
        switch (section) {
        case Total:
            return tr("Time of all these events within the range");
        case Self:
            return tr("Total without the time of what is nested inside");
        case Share:
            return tr("Self time as a share of the self time of all events in the range");
        default:
            return {};
        }
    }
    if (role != Qt::DisplayRole)
        return {};
    if (section != m_sortColumn)
        return titleOf(section);
    const QChar arrow(m_sortOrder == Qt::DescendingOrder ? 0x25BE : 0x25B4);
    return QString(titleOf(section) + QLatin1Char(' ') + arrow);
}

QString SelectionTableModel::titleOf(int section) const
{
    switch (section) {
    case Op:
        return tr("Op");
    case Category:
        return tr("Category");
    case Count:
        return tr("Count");
    case Total:
        return tr("Total");
    case Self:
        return tr("Self");
    case Share:
        return tr("Share");
    default:
        return tr("Mean");
    }
}

std::vector<size_t> SelectionTableModel::sortedOrder() const
{
    std::vector<size_t> order(m_statistics.rows.size());
    std::iota(order.begin(), order.end(), size_t(0));
    const bool isDescending = m_sortOrder == Qt::DescendingOrder;
    const auto sortBy = [&](auto keyOf) {
        std::ranges::stable_sort(order, [&](size_t a, size_t b) {
            const auto left = keyOf(m_statistics.rows[a]);
            const auto right = keyOf(m_statistics.rows[b]);
            return isDescending ? right < left : left < right;
        });
    };
    using Row = RangeStatistics::Row;
    switch (m_sortColumn) {
    case Op:
        sortBy([](const Row& row) { return row.label; });
        break;
    case Category:
        sortBy([](const Row& row) { return row.sums.category; });
        break;
    case Count:
        sortBy([](const Row& row) { return row.sums.occurrences; });
        break;
    case Self:
    case Share:
        sortBy([](const Row& row) { return row.sums.selfPs; });
        break;
    case Mean:
        sortBy([](const Row& row) { return meanOf(row); });
        break;
    default:
        sortBy([](const Row& row) { return row.sums.totalPs; });
        break;
    }
    return order;
}

void SelectionTableModel::sort(int column, Qt::SortOrder order)
{
    m_sortColumn = column;
    m_sortOrder = order;
    emit layoutAboutToBeChanged({}, VerticalSortHint);
    const std::vector<size_t> before = std::exchange(m_order, sortedOrder());
    std::vector<int> rowOfStatistics(m_order.size());
    for (size_t i = 0; i < m_order.size(); ++i)
        rowOfStatistics[m_order[i]] = static_cast<int>(i);
    const QModelIndexList from = persistentIndexList();
    QModelIndexList to;
    for (const QModelIndex& index : from)
        to << this->index(rowOfStatistics[before[static_cast<size_t>(index.row())]], index.column());
    changePersistentIndexList(from, to);
    emit layoutChanged({}, VerticalSortHint);
    emit headerDataChanged(Qt::Horizontal, 0, ColumnCount - 1);
}

void SelectionTableModel::refreshColours()
{
    if (!m_order.empty())
        emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1),
                         {Qt::DecorationRole, Qt::ForegroundRole, Qt::FontRole});
}

} // namespace hloscope
