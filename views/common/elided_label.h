// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

namespace hloscope {

// One line of plain text that gives way when there is no room: it is elided, and the tooltip has all of it.
class ElidedLabel : public QWidget {
    Q_OBJECT

public:
    explicit ElidedLabel(const QString& text = {}, Qt::TextElideMode mode = Qt::ElideMiddle, QWidget* parent = nullptr);

    QString text() const { return m_text; }
    void setText(const QString& text);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void updateToolTip();

    QString m_text;
    Qt::TextElideMode m_mode;
};

} // namespace hloscope
