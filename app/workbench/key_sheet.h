// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/workbench/window_actions.h"
#include "views/common/view.h"

#include <QFrame>
#include <QPointer>

namespace hloscope {

// The sheet of keys: made from the commands that exist, so it cannot promise what is not there. Any key or click closes
// it.
class KeySheet : public QFrame {
    Q_OBJECT

public:
    struct Line {
        QString keys;
        QString what;
    };
    struct Section {
        QString title;
        std::vector<Line> lines;
    };

    explicit KeySheet(QWidget* window);

    // Commands with a key, by menu, then the keys of the view that is open.
    static std::vector<Section> sectionsOf(const WindowActions& actions, const QString& viewTitle, const View* view);
    void showSections(const std::vector<Section>& sections);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void finish();

    QWidget* m_body = nullptr;
    QPointer<QWidget> m_focusBefore;
};

} // namespace hloscope
