// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hlo/hlo_module.h"
#include "core/memory/memory_report.h"

#include <QAbstractTableModel>

#include <memory>
#include <vector>

namespace hloscope {

QString bufferKindName(BufferKind kind);

// The buffers that are alive at one position of one memory space, largest first.
class BufferTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Name, From, Kind, ShapeText, Size, Cumulative, Life, Positions, ColumnCount };
    // Of the Life column: begin and end of the buffer and the position that is looked at, each 0 to 1 of the program.
    static constexpr int LifeRole = Qt::UserRole;

    using QAbstractTableModel::QAbstractTableModel;

    void setBuffers(std::shared_ptr<const HloModule> module, std::shared_ptr<const MemoryReport> report,
                    const MemorySpace* space, int64_t position);
    const Buffer& buffer(int row) const { return m_report->buffers[m_rows[static_cast<size_t>(row)]]; }
    int64_t totalBytes() const { return m_cumulative.empty() ? 0 : m_cumulative.back(); }
    // -1 when it is not alive here.
    int rowOf(const BufferName& name) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString textOf(const Buffer& buffer, int row, int column) const;

    std::shared_ptr<const HloModule> m_module;
    std::shared_ptr<const MemoryReport> m_report;
    std::vector<size_t> m_rows; // indices into the report's buffers
    std::vector<int64_t> m_cumulative;
    int64_t m_position = 0;
    int64_t m_positions = 1;
};

} // namespace hloscope
