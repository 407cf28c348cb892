// SPDX-License-Identifier: Apache-2.0
#include "views/common/segmented_control.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QToolButton>

namespace hloscope {

SegmentedControl::SegmentedControl(const QString& accessibleName, QWidget* parent)
    : QWidget(parent), m_buttons(new QButtonGroup(this))
{
    setProperty("role", "segments");
    setAttribute(Qt::WA_StyledBackground);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setAccessibleName(accessibleName);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(1, 1, 1, 1);
    row->setSpacing(0);
    m_buttons->setExclusive(true);
    connect(m_buttons, &QButtonGroup::idClicked, this, &SegmentedControl::chosen);
}

void SegmentedControl::addSegment(const QString& text, const QString& toolTip)
{
    auto* button = new QToolButton(this);
    button->setText(text);
    button->setToolTip(toolTip);
    button->setCheckable(true);
    button->setFocusPolicy(Qt::TabFocus);
    const int id = static_cast<int>(m_buttons->buttons().size());
    button->setChecked(id == 0);
    m_buttons->addButton(button, id);
    layout()->addWidget(button);
}

int SegmentedControl::current() const
{
    return m_buttons->checkedId();
}

void SegmentedControl::setCurrent(int segment)
{
    if (QAbstractButton* button = m_buttons->button(segment))
        button->setChecked(true);
}

void SegmentedControl::setSegmentEnabled(int segment, bool isEnabled)
{
    if (QAbstractButton* button = m_buttons->button(segment))
        button->setEnabled(isEnabled);
}

} // namespace hloscope
