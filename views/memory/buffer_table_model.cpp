// SPDX-License-Identifier: Apache-2.0
#include "views/memory/buffer_table_model.h"

#include "views/common/theme.h"
#include "views/words/op_words.h"
#include "views/words/units.h"

#include <QPixmap>

#include <algorithm>

namespace hloscope {

namespace {

QPixmap square(const QColor& colour)
{
    QPixmap pixmap(8, 8);
    pixmap.fill(colour);
    return pixmap;
}

bool isNumeric(int column)
{
    return column == BufferTableModel::Size || column == BufferTableModel::Cumulative
        || column == BufferTableModel::Positions;
}

} // namespace

QString bufferKindName(BufferKind kind)
{
    switch (kind) {
    case BufferKind::Weights:
        return BufferTableModel::tr("Weights");
    case BufferKind::Input:
        return BufferTableModel::tr("Input");
    case BufferKind::Output:
        return BufferTableModel::tr("Output");
    case BufferKind::Residual:
        return BufferTableModel::tr("Residual");
    case BufferKind::Activations:
        return BufferTableModel::tr("Activations");
    case BufferKind::Collective:
        return BufferTableModel::tr("Collective");
    }
    return {};
}

void BufferTableModel::setBuffers(std::shared_ptr<const HloModule> module, std::shared_ptr<const MemoryReport> report,
                                  const MemorySpace* space, int64_t position)
{
    beginResetModel();
    m_module = std::move(module);
    m_report = std::move(report);
    m_position = position;
    m_rows.clear();
    m_cumulative.clear();
    m_positions = 1;
    if (m_report && space != nullptr) {
        m_rows = m_report->liveAt(*space, position);
        m_positions = std::max<int64_t>(1, static_cast<int64_t>(space->curve.size()));
        int64_t sum = 0;
        for (const size_t index : m_rows)
            m_cumulative.push_back(sum += m_report->buffers[index].bytes);
    }
    endResetModel();
}

int BufferTableModel::rowOf(const BufferName& name) const
{
    for (size_t row = 0; row < m_rows.size(); ++row) {
        const Buffer& candidate = m_report->buffers[m_rows[row]];
        if (candidate.name == name)
            return static_cast<int>(row);
        const auto isValue = [&](size_t value) { return m_report->liveRanges.ranges[value].buffer == name; };
        if (std::any_of(candidate.values.begin(), candidate.values.end(), isValue))
            return static_cast<int>(row);
    }
    return -1;
}

int BufferTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int BufferTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString BufferTableModel::textOf(const Buffer& buffer, int row, int column) const
{
    switch (column) {
    case Name:
        return QString::fromStdString(toString(*m_module, buffer.name));
    case From:
        return roleOf(*m_module, buffer.name.instruction);
    case Kind:
        return bufferKindName(buffer.kind);
    case ShapeText: {
        const Shape* shape = m_module->shape(buffer.name.instruction).at(buffer.name.index);
        return shape == nullptr ? QString() : QString::fromStdString(toString(*shape, {.layouts = false}));
    }
    case Size:
        return formatBytes(buffer.bytes);
    case Cumulative:
        return formatBytes(m_cumulative[static_cast<size_t>(row)]);
    case Positions:
        return QStringLiteral("%1 – %2")
            .arg(buffer.isStatic ? 0 : buffer.begin)
            .arg(buffer.isStatic ? m_positions : buffer.end);
    default:
        return {};
    }
}

QVariant BufferTableModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const Buffer& shown = buffer(index.row());
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole:
        return textOf(shown, index.row(), column);
    case Qt::ToolTipRole:
        if (column == Size)
            return formatExactBytes(shown.bytes);
        if (column == Cumulative)
            return formatExactBytes(m_cumulative[static_cast<size_t>(index.row())]);
        return textOf(shown, index.row(), column);
    case Qt::TextAlignmentRole:
        return QVariant(isNumeric(column) ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
    case Qt::FontRole:
        return column == Name || column == ShapeText ? QVariant(ThemeManager::instance().monoFont(12)) : QVariant();
    case Qt::ForegroundRole:
        return column == Name || column == Size ? QVariant() : QVariant(theme().text2);
    case Qt::DecorationRole:
        return column == Name ? QVariant(square(theme().buffer[static_cast<size_t>(shown.kind)])) : QVariant();
    case LifeRole: {
        const auto scale = static_cast<double>(m_positions);
        const double begin = shown.isStatic ? 0 : static_cast<double>(shown.begin) / scale;
        const double end = shown.isStatic ? 1 : std::min(1.0, static_cast<double>(shown.end + 1) / scale);
        const double now = (static_cast<double>(m_position) + 0.5) / scale;
        return QVariantList{begin, end, now, theme().buffer[static_cast<size_t>(shown.kind)]};
    }
    default:
        return {};
    }
}

QVariant BufferTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant(isNumeric(section) ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Name:
        return tr("Buffer");
    case From:
        return tr("From");
    case Kind:
        return tr("Kind");
    case ShapeText:
        return tr("Shape");
    case Size:
        return tr("Size");
    case Cumulative:
        return tr("Cumulative");
    case Life:
        return tr("Life");
    case Positions:
        return tr("Positions");
    default:
        return {};
    }
}

} // namespace hloscope
