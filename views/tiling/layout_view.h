// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hlo/shape.h"
#include "views/common/selection.h"
#include "views/common/view.h"

#include <QTimer>

#include <memory>
#include <optional>
#include <vector>

class QBoxLayout;
class QComboBox;
class QHBoxLayout;
class QLineEdit;
class QScrollArea;
class QSpinBox;
class QToolButton;

namespace hloscope {

class LayoutCanvas;
class LayoutPanel;
class PanelText;
class SegmentedControl;
class Workspace;

// The Layout tab: what an array looks like in memory. Shows the result or an operand of the selected instruction, or
// any shape that is typed. The element under the pointer or the keyboard cursor lights up in all pictures at once.
class LayoutView : public View {
    Q_OBJECT

public:
    LayoutView(Workspace& workspace, Selection& selection, QWidget* parent = nullptr);

    // Shows this shape as if it had been typed.
    void showShape(const QString& text);
    QString shapeText() const;
    // What is wrong with the typed shape, empty when it is drawn.
    QString errorText() const;

    QLineEdit* shapeField() const { return m_field; }
    LayoutCanvas* canvas() const { return m_canvas; }
    LayoutPanel* panel() const { return m_panel; }

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    QWidget* makeToolRow();
    void fillExamples(QToolButton* button);
    void followSelection();
    void parseField();
    void showPicture(const Shape& shape);
    void showError(const QString& text, const QString& message, int column);
    void markError(int column);
    void makeOuterFields();
    void setWalking(bool walking);
    void applyTheme();
    void placePanel();

    Selection& m_selection;
    QLineEdit* m_field = nullptr;
    QComboBox* m_values = nullptr; // result and operands of the selected op
    std::vector<QString> m_valueShapes;
    SegmentedControl* m_label = nullptr;
    QToolButton* m_walk = nullptr;
    QWidget* m_outerRow = nullptr;
    QHBoxLayout* m_outerLayout = nullptr;
    QWidget* m_errorRow = nullptr;
    PanelText* m_error = nullptr;
    QBoxLayout* m_body = nullptr;
    QScrollArea* m_pictureArea = nullptr;
    QScrollArea* m_panelArea = nullptr;
    LayoutCanvas* m_canvas = nullptr;
    LayoutPanel* m_panel = nullptr;
    QTimer m_walkTimer;
    SelectionState m_shown;
};

} // namespace hloscope
