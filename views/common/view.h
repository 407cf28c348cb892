// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

class QPainter;

namespace hloscope {

// A tab of the centre. A view reads Workspace and Selection, paints, and forwards what the user does to Selection.
class View : public QWidget {
    Q_OBJECT

public:
    using QWidget::QWidget;

    // False while a worker still prepares what the view would show; `render` waits for it.
    virtual bool isReady() const { return true; }
    // The picture that the window shows, for export: the whole widget unless a view has something better.
    virtual void exportTo(QPainter& painter);

signals:
    void readyChanged();
};

} // namespace hloscope
