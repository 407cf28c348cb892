// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QWidget>

#include <vector>

class QPainter;

namespace hloscope {

// A key that a view understands, for the sheet of keys: "W / S", "Zoom at the pointer".
struct KeyHint {
    QString keys;
    QString what;
};

// A tab of the centre. A view reads Workspace and Selection, paints, and forwards what the user does to Selection.
class View : public QWidget {
    Q_OBJECT

public:
    using QWidget::QWidget;

    // False while a worker still prepares what the view would show; `render` waits for it.
    virtual bool isReady() const { return true; }
    // The picture that the window shows, for export: the whole widget unless a view has something better.
    virtual void exportTo(QPainter& painter);
    // What the view does on keys of its own; what is a QAction of the window is listed without being told.
    virtual std::vector<KeyHint> keys() const { return {}; }

signals:
    void readyChanged();
};

} // namespace hloscope
