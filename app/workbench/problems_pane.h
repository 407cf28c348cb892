// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/workbench/problems_model.h"

#include <QWidget>

class QLabel;
class QTableView;

namespace hloscope {

class Selection;

// The bottom pane: all problems with their places. A row with a place in a module goes there.
class ProblemsPane : public QWidget {
    Q_OBJECT

public:
    ProblemsPane(const Workspace& workspace, Selection& selection, QWidget* parent = nullptr);

    ProblemsModel* model() const { return m_model; }
    QTableView* table() const { return m_table; }

signals:
    void closeRequested();

private:
    void updateTitle();
    void goTo(int row);
    void applyTheme();

    Selection& m_selection;
    ProblemsModel* m_model;
    QTableView* m_table;
    QLabel* m_title;
};

} // namespace hloscope
