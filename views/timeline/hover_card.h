// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/timeline/hover_text.h"

#include <QWidget>

namespace hloscope {

// The card beside the pointer. Never takes the mouse or the focus.
class HoverCard : public QWidget {
    Q_OBJECT

public:
    explicit HoverCard(QWidget* parent);

    const HoverText& text() const { return m_text; }
    void setText(const HoverText& text);
    // Shows the card below and right of a point of the parent, or on the other side where there is no room.
    void showAt(const QPoint& pointer);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    // Lays the text out, and draws it when there is a painter.
    QSize arrange(QPainter* painter) const;

    HoverText m_text;
};

} // namespace hloscope
