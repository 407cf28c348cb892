// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/common/selection.h"
#include "views/common/workspace.h"

#include <QStatusBar>

class QLabel;
class QToolButton;

namespace hloscope {

// The bottom row: what is selected, how large it is and its peak on the left; problems, chip and timing on the right.
class StatusRow : public QStatusBar {
    Q_OBJECT

public:
    StatusRow(const Workspace& workspace, const Selection& selection, QWidget* parent = nullptr);

    QToolButton* chipButton() const { return m_chip; }
    QToolButton* problemsButton() const { return m_problems; }
    QString text() const; // of all parts, for tests and for accessibility
    void setProblems(int count);

private:
    void update();
    void showModule(const ModuleEntry& entry);
    void showTrace(const Trace& trace);
    void applyTheme();

    const Workspace& m_workspace;
    const Selection& m_selection;
    QLabel* m_name;
    QLabel* m_counts;
    QLabel* m_peak;
    QToolButton* m_problems;
    QToolButton* m_chip;
    QLabel* m_timing;
};

// "TPU v2 core: 23.00 TFLOP/s bf16, 350.0 GB/s HBM".
QString chipText(const ChipSpec& chip);

} // namespace hloscope
