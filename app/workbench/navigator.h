// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/workbench/navigator_model.h"

#include <QTreeView>
#include <QWidget>

class QLineEdit;

namespace hloscope {

// Tree rows with an icon of ours, the label, and a count at the right end; the arrows are ours too.
class NavigatorTree : public QTreeView {
    Q_OBJECT

public:
    explicit NavigatorTree(QWidget* parent = nullptr);

protected:
    void drawBranches(QPainter* painter, const QRect& rect, const QModelIndex& index) const override;
    void drawRow(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

// The left pane: a filter field over the tree of what is open. A click or the current row changes the selection, and
// the selection moves the current row.
class Navigator : public QWidget {
    Q_OBJECT

public:
    Navigator(Workspace& workspace, Selection& selection, QWidget* parent = nullptr);

    QTreeView* tree() const { return m_tree; }
    QLineEdit* filterField() const { return m_filter; }
    NavigatorModel* model() const { return m_model; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void openFile(const QModelIndex& file);
    void openFiles();
    void followSelection();
    void activate(const QModelIndex& index);
    void applyTheme();

    Selection& m_selection;
    NavigatorModel* m_model;
    QLineEdit* m_filter;
    NavigatorTree* m_tree;
    bool m_isFollowing = false; // the current row moves because the selection did
};

} // namespace hloscope
