// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QTextLayout>
#include <QWidget>

namespace hloscope {

// How a text of a panel looks. Colour and size come from the theme in force and follow its changes.
struct PanelTextStyle {
    enum class Ink : uint8_t { Text, Secondary, Tertiary, Accent, Warning };

    Ink ink = Ink::Text;
    double px = 12;
    bool mono = false;
    bool bold = false;
    Qt::Alignment align = Qt::AlignLeft;
};

// Plain text, lines parted by \n, that wraps wherever it must, inside words too (shapes and names have no blanks), so
// that nothing is ever cut off; it can be selected with the mouse and copied. QLabel wraps at blanks only.
class PanelText : public QWidget {
    Q_OBJECT

public:
    explicit PanelText(const QString& text = {}, const PanelTextStyle& style = {}, QWidget* parent = nullptr);

    QString text() const { return m_text; }
    void setText(const QString& text);
    QString selectedText() const;
    void selectAll();

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    void applyTheme();
    double arrange(int width) const;
    int positionAt(QPoint point) const;
    void copy() const;

    PanelTextStyle m_style;
    QString m_text;
    mutable QTextLayout m_layout;
    mutable int m_arrangedWidth = -1;
    mutable double m_height = 0;
    int m_anchor = 0;
    int m_end = 0;
};

} // namespace hloscope
