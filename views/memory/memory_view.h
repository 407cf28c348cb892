// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/memory/memory_report.h"
#include "views/common/view.h"

#include <memory>
#include <unordered_map>

class QComboBox;
class QLabel;
class QStackedLayout;
class QTableView;

namespace hloscope {

class BufferTableModel;
class MemoryChart;
class SegmentedControl;
class Selection;
class Workspace;
struct ModuleEntry;

// Memory over the schedule of the selected module: the chart above, the buffers alive at one position below.
class MemoryView : public View {
    Q_OBJECT

public:
    MemoryView(Workspace& workspace, Selection& selection, QWidget* parent = nullptr);

    bool isReady() const override;
    std::vector<KeyHint> keys() const override;

    MemoryChart& chart() { return *m_chart; }
    BufferTableModel& buffers() { return *m_model; }
    QTableView& table() { return *m_table; }
    QComboBox& spaces() { return *m_spaces; }
    int64_t position() const { return m_position; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* makeToolRow();
    QWidget* makeTablePane();
    void makeTable();
    void fitColumns();
    void reload(); // the module or what is known of it is another
    void fillSpaces();
    void rebuildChart();
    void setPosition(int64_t position);
    void choosePosition(int64_t position); // by the user
    void followSelection();
    void selectRow(int row);
    const ModuleEntry* entry() const;
    const MemorySpace* space() const;

    Workspace& m_workspace;
    Selection& m_selection;
    std::shared_ptr<const HloModule> m_module;
    std::shared_ptr<const MemoryReport> m_report;
    std::unordered_map<size_t, int64_t> m_positionOf; // by instruction
    int64_t m_position = 0;

    QStackedLayout* m_pages;
    QLabel* m_empty;
    SegmentedControl* m_axis;
    QComboBox* m_spaces;
    QWidget* m_legend;
    MemoryChart* m_chart;
    QLabel* m_title;
    QLabel* m_summary;
    QLabel* m_compared;
    BufferTableModel* m_model;
    QTableView* m_table;
};

} // namespace hloscope
