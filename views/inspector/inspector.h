// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/common/selection.h"
#include "views/common/workspace.h"

#include <QWidget>

class QScrollArea;

namespace hloscope {

// The right-hand panel: takes the selected op apart in words and figures, or an event of a profile, a computation, a
// module. Names of other ops are links that select them.
class Inspector : public QWidget {
    Q_OBJECT

public:
    Inspector(Workspace& workspace, Selection& selection, QWidget* parent = nullptr);

    // Everything that is shown, as text.
    QString plainText() const;

    QSize sizeHint() const override { return {336, 600}; }
    QSize minimumSizeHint() const override { return {240, 120}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    void followSelection();
    void rebuild();
    void copyAll() const;

    Workspace& m_workspace;
    Selection& m_selection;
    QScrollArea* m_area;
    SelectionState m_shown;
    bool m_showsAllUsers = false; // and operands, of the op that is shown
};

} // namespace hloscope
