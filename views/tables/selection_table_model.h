// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/tables/range_statistics.h"

#include <QAbstractTableModel>

#include <array>

namespace hloscope {

// The rows of a RangeStatistics: one per op, sortable by every column, largest total first.
class SelectionTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Op, Category, Count, Total, Self, Share, Mean, ColumnCount };
    // The plain value of a cell: what sorting and copying use.
    static constexpr int ValueRole = Qt::UserRole;

    using QAbstractTableModel::QAbstractTableModel;

    void setStatistics(RangeStatistics statistics);
    const RangeStatistics& statistics() const { return m_statistics; }
    const RangeStatistics::Row& row(int index) const { return m_statistics.rows[m_order[static_cast<size_t>(index)]]; }
    // Row of the events of this kind, -1 when there is none.
    int rowOf(const EventKind& kind) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;

    // Colour squares depend on the theme.
    void refreshColours();

private:
    QString titleOf(int section) const;
    QVariant valueOf(const RangeStatistics::Row& row, int column) const;
    QString textOf(const RangeStatistics::Row& row, int column) const;
    std::vector<size_t> sortedOrder() const;

    RangeStatistics m_statistics;
    std::vector<size_t> m_order; // row of the table -> row of the statistics
    int m_sortColumn = Total;
    Qt::SortOrder m_sortOrder = Qt::DescendingOrder;
};

} // namespace hloscope
