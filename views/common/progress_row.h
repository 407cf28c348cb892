// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/common/workspace.h"

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>

class QLabel;
class QPushButton;

namespace hloscope {

// Says that the workspace is at work: nothing for the first 300 ms, then a line of two pixels, and after a second also
// what is done, how far it is, and Cancel. It never takes the focus.
class ProgressRow : public QWidget {
    Q_OBJECT

public:
    static constexpr int kLineAfterMs = 300;
    static constexpr int kWordsAfterMs = 1000;

    explicit ProgressRow(Workspace& workspace, QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void follow(bool busy);
    void poll();

    Workspace& m_workspace;
    QElapsedTimer m_since;
    QTimer m_timer;
    double m_fraction = 0;
    QWidget* m_words;
    QLabel* m_text;
};

} // namespace hloscope
