// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/common/selection.h"
#include "views/common/view.h"
#include "views/common/workspace.h"
#include "views/timeline/timeline_controller.h"

QT_FORWARD_DECLARE_CLASS(QLabel)
QT_FORWARD_DECLARE_CLASS(QSplitter)
QT_FORWARD_DECLARE_CLASS(QStackedLayout)
QT_FORWARD_DECLARE_CLASS(QToolButton)

namespace hloscope {

class CategoryLegend;
class ElidedLabel;
class NoticeArea;
class SelectionTable;
class TimelineCanvas;

// The timeline of the selected trace, or of the simulation of the selected module, with a tool row above and the table
// of the selected range below.
class TimelineView : public View {
    Q_OBJECT

public:
    TimelineView(Workspace& workspace, Selection& selection, QWidget* parent = nullptr);
    ~TimelineView() override;

    bool isReady() const override;
    std::vector<KeyHint> keys() const override;
    void exportTo(QPainter& painter) override;

    // Animations take no time. On by default where nobody watches (the offscreen and minimal platforms).
    void setReducedMotion(bool isReduced) { m_controller.setReducedMotion(isReduced); }

    TimelineController& controller() { return m_controller; }
    TimelineCanvas& canvas() { return *m_canvas; }
    SelectionTable& table() { return *m_table; }
    CategoryLegend& legend() { return *m_legend; }
    // What is said instead of a timeline; empty while there is one.
    QString emptyText() const;
    QString rangeText() const;

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void buildToolRow(QWidget* row);
    void showTrace();
    void showRange();
    void showNotices();
    void noticeReady();

    Workspace& m_workspace;
    Selection& m_selection;
    TimelineController m_controller;
    QStackedLayout* m_pages;
    QLabel* m_empty;
    QToolButton* m_fit;
    QWidget* m_separator;
    ElidedLabel* m_rangeLabel;
    CategoryLegend* m_legend;
    NoticeArea* m_notices;
    QSplitter* m_splitter;
    TimelineCanvas* m_canvas;
    SelectionTable* m_table;
};

} // namespace hloscope
