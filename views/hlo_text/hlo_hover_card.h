// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hlo/hlo_module.h"
#include "core/hlo/shape.h"

#include <QFrame>

class QVBoxLayout;

namespace hloscope {

// The card that explains what the pointer rests on: a layout in words and as a small picture, an opcode, an attribute,
// another op, or what a chip folds away. Filled anew each time.
class HloHoverCard : public QFrame {
    Q_OBJECT

public:
    explicit HloHoverCard(QWidget* parent);

    // Whether somebody can show a shape in the Layout tab; the link is left out otherwise.
    void setLayoutOffered(bool offered) { m_offersLayout = offered; }

    // Each gives false when there is nothing to say.
    bool showShape(const hloscope::Shape& shape);
    bool showOpcode(const HloModule& module, InstructionId id);
    bool showAttribute(const QString& key);
    bool showInstruction(const HloModule& module, InstructionId id);
    bool showComputation(const HloModule& module, ComputationId id);
    bool showFold(const HloModule& module, InstructionId id);

    // Stands below the rectangle, above it where there is no room, inside the parent in any case.
    void placeAt(const QRect& token);

signals:
    void layoutRequested(const QString& shape);
    void pointerLeft();

protected:
    void leaveEvent(QEvent* event) override;

private:
    void clear(const QString& title, const QString& kind);
    void addRow(const QString& label, const QString& value);
    void addSentence(const QString& text);

    QVBoxLayout* m_box;
    bool m_offersLayout = false;
};

} // namespace hloscope
