// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDialog>

namespace hloscope {

// What the program is, its version, and the licences of what it is made of.
class AboutDialog : public QDialog {
    Q_OBJECT

public:
    explicit AboutDialog(QWidget* parent = nullptr);
};

} // namespace hloscope
