// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include <vector>

class QWidget;

namespace hloscope {

class Selection;
class View;
class Workspace;

// The tabs of the centre, from left to right.
struct ViewKind {
    QString name; // as `--view` and links spell it
    QString title;
    View* (*make)(Workspace& workspace, Selection& selection, QWidget* parent);
};

std::vector<ViewKind> viewKinds();

// The right pane.
QWidget* makeInspector(Workspace& workspace, Selection& selection, QWidget* parent);

} // namespace hloscope
