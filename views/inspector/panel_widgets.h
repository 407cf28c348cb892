// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hlo/op_category.h"
#include "core/hlo/shape.h"
#include "views/inspector/panel_text.h"

#include <QWidget>

class QVBoxLayout;

namespace hloscope {

// The parts that side panels are made of.

// A caption and what belongs under it, with a hairline above.
class PanelSection : public QWidget {
    Q_OBJECT

public:
    explicit PanelSection(const QString& caption, QWidget* parent = nullptr);

    QVBoxLayout* body() const { return m_body; }
    PanelText* addText(const QString& text, const PanelTextStyle& style = {});
    // A label on the left, its value on the right; gives the value.
    PanelText* addRow(const QString& label, const QString& value, const QString& toolTip = {});
    void setLineVisible(bool visible);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QVBoxLayout* m_body;
    bool m_hasLine = true;
};

// Adds a label and its value to a column; gives the value.
PanelText* addPanelRow(QVBoxLayout* column, const QString& label, const QString& value, const QString& toolTip = {});

// A name to click: accent, elided in the middle, reached with Tab and opened with Enter or Space.
class PanelLink : public QWidget {
    Q_OBJECT

public:
    explicit PanelLink(const QString& text, bool mono = true, QWidget* parent = nullptr);

    QString text() const { return m_text; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void activated();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    QFont textFont() const;

    QString m_text;
    bool m_mono;
    bool m_isHovered = false;
};

// Words on the fill of a category: "1 matmul".
class CategoryChip : public QWidget {
    Q_OBJECT

public:
    CategoryChip(OpCategory category, const QString& text, QWidget* parent = nullptr);

    QString text() const { return m_text; }
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    OpCategory m_category;
    QString m_text;
};

// Widgets in rows that wrap.
class ChipRow : public QWidget {
    Q_OBJECT

public:
    explicit ChipRow(QWidget* parent = nullptr);

    void add(QWidget* chip);
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    int arrange(int width, bool place) const;

    std::vector<QWidget*> m_chips;
};

// A small square in the colour of a category.
class CategorySquare : public QWidget {
    Q_OBJECT

public:
    explicit CategorySquare(OpCategory category, QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    OpCategory m_category;
};

// The tiles of a shape as a thumbnail.
class MiniTiles : public QWidget {
    Q_OBJECT

public:
    explicit MiniTiles(const Shape& shape, QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Shape m_shape;
};

// A filled part of a bar: the roofline share of a time.
class ShareBar : public QWidget {
    Q_OBJECT

public:
    ShareBar(OpCategory category, double share, QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    OpCategory m_category;
    double m_share;
};

} // namespace hloscope
