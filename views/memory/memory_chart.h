// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/memory/memory_series.h"

#include <QChartView>

#include <optional>

class QLineSeries;
class QValueAxis;

namespace hloscope {

// Memory over the program as stacked steps (Qt Charts), with our own marks on top: the selected position, the peak, the
// capacity of the chip, the pointer. Knows no module: whoever owns it gives numbers and words.
class MemoryChart : public QChartView {
    Q_OBJECT

public:
    struct Content {
        MemorySeries series;
        bool isTime = false; // x is picoseconds, else positions
        int64_t peakPosition = 0;
        QString peakLabel;
        std::optional<double> capacityBytes;
        QString capacityLabel;
    };

    explicit MemoryChart(QWidget* parent = nullptr);

    void setContent(Content content);
    void setPosition(int64_t position);
    int64_t position() const { return m_position; }
    // Middle of a position's step, in widget coordinates.
    QPointF pointOf(int64_t position) const;
    // The capacity is drawn above a break of the axis: it is far above everything else.
    bool isAxisBroken() const { return m_isAxisBroken; }

signals:
    void positionChosen(qint64 position);

protected:
    void drawForeground(QPainter* painter, const QRectF& rect) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void rebuild();
    void applyTheme();
    void drawAxes(QPainter& painter, const QRectF& plot) const;
    void drawCapacity(QPainter& painter, const QRectF& plot) const;
    void drawPosition(QPainter& painter, const QRectF& plot) const;
    void drawPeak(QPainter& painter, const QRectF& plot) const;
    void drawHover(QPainter& painter, const QRectF& plot) const;
    double toX(double value) const;
    double toY(double bytes) const;
    int64_t positionUnder(const QPointF& point) const;
    void choose(int64_t position);

    Content m_content;
    int64_t m_position = 0;
    std::optional<int64_t> m_hovered;
    QValueAxis* m_xAxis;
    QValueAxis* m_yAxis;
    double m_yTop = 1; // bytes at the top of the unbroken axis
    bool m_isAxisBroken = false;
};

} // namespace hloscope
