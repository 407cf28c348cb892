// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

class QButtonGroup;

namespace hloscope {

// A choice of one out of a few words, side by side in one frame.
class SegmentedControl : public QWidget {
    Q_OBJECT

public:
    explicit SegmentedControl(const QString& accessibleName, QWidget* parent = nullptr);

    // Segments are numbered from 0; the first is chosen.
    void addSegment(const QString& text, const QString& toolTip = {});
    int current() const;
    // Tells nobody: only what the user does is signalled.
    void setCurrent(int segment);
    void setSegmentEnabled(int segment, bool isEnabled);

signals:
    void chosen(int segment);

private:
    QButtonGroup* m_buttons;
};

} // namespace hloscope
