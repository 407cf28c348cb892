// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/tiling/tile_picture.h"

#include <QWidget>

#include <optional>
#include <vector>

namespace hloscope {

class DigitBoxes;
class PanelSection;
class PanelText;

// The words beside the layout picture: the element under the pointer, how its offset comes about, sizes, and the layout
// in sentences. Every text can be selected and copied.
class LayoutPanel : public QWidget {
    Q_OBJECT

public:
    explicit LayoutPanel(QWidget* parent = nullptr);

    // Null where there is no picture. The picture must outlive its display here.
    void setPicture(const TilePicture* picture);
    // The element at an offset of the picture, padding included; nothing clears it.
    void showElement(std::optional<int64_t> offset);
    // What the panel says about the element, for screen readers: "[3, 5], offset 27, byte 54".
    QString elementText() const { return m_elementText; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void addElementSection();
    void addStepSection();
    void addSizeSection();
    void showSteps(int64_t offset);
    void showPlace(int64_t offset);

    const TilePicture* m_picture = nullptr;
    QString m_elementText;
    PanelText* m_hint = nullptr; // while no element is shown
    QWidget* m_rows = nullptr;
    PanelText* m_index = nullptr;
    PanelText* m_offset = nullptr;
    PanelText* m_word = nullptr;
    PanelText* m_tile = nullptr;
    PanelSection* m_stepSection = nullptr;
    std::vector<PanelText*> m_steps; // title and details of each step in turn
    DigitBoxes* m_digits = nullptr;
    PanelText* m_logical = nullptr;
    PanelText* m_padded = nullptr;
    PanelText* m_expansion = nullptr;
    PanelText* m_space = nullptr;
    PanelText* m_words = nullptr;
};

} // namespace hloscope
