// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStyledItemDelegate>

namespace hloscope {

// Draws the life of a buffer as a bar over the length of the program, with a tick at the position that is looked at.
// The index gives BufferTableModel::LifeRole.
class LifeDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

} // namespace hloscope
