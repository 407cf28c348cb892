// SPDX-License-Identifier: Apache-2.0
#include "views/common/view.h"

#include <QPainter>

namespace hloscope {

void View::exportTo(QPainter& painter)
{
    render(&painter, QPoint(), QRegion(), QWidget::DrawWindowBackground | QWidget::DrawChildren);
}

} // namespace hloscope
