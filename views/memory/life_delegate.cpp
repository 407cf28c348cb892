// SPDX-License-Identifier: Apache-2.0
#include "views/memory/life_delegate.h"

#include "views/common/theme.h"
#include "views/memory/buffer_table_model.h"

#include <QPainter>

#include <algorithm>

namespace hloscope {

void LifeDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QStyledItemDelegate::paint(painter, option, index);
    const QVariantList life = index.data(BufferTableModel::LifeRole).toList();
    if (life.size() != 4)
        return;
    const QRectF row = QRectF(option.rect).adjusted(8, 0, -8, 0);
    const double middle = row.center().y();
    const auto x = [&](qsizetype i) { return row.left() + life[i].toDouble() * row.width(); };
    painter->save();
    painter->setPen(QPen(theme().border, 1));
    painter->drawLine(QPointF(row.left(), middle), QPointF(row.right(), middle));
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(life[3].value<QColor>());
    painter->drawRoundedRect(QRectF(x(0), middle - 3, std::max(4.0, x(1) - x(0)), 6), 2, 2);
    painter->setRenderHint(QPainter::Antialiasing, false);
    painter->setPen(QPen(theme().text, 1));
    painter->drawLine(QPointF(x(2), middle - 4), QPointF(x(2), middle + 4));
    painter->restore();
}

} // namespace hloscope
