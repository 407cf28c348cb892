// SPDX-License-Identifier: Apache-2.0
#include "views/tiling/layout_canvas.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <cmath>

namespace hloscope {

namespace {

constexpr double kZoomStep = 1.25;

}

LayoutCanvas::LayoutCanvas(QWidget* parent) : QWidget(parent)
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Layout picture"));
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    connect(&ThemeManager::instance(), &ThemeManager::changed, this, [this] {
        arrange();
        update();
    });
}

void LayoutCanvas::setPicture(std::unique_ptr<LayoutPicture> picture)
{
    m_picture = std::move(picture);
    m_pinned.reset();
    if (m_picture)
        m_picture->setCellLabel(m_label);
    arrange();
    update();
    emit cursorChanged();
}

void LayoutCanvas::setCellLabel(CellLabel label)
{
    m_label = label;
    if (m_picture)
        m_picture->setCellLabel(label);
    update();
}

void LayoutCanvas::setOuterIndex(size_t position, int64_t index)
{
    if (!m_picture)
        return;
    m_picture->setOuterIndex(position, index);
    m_pinned = m_picture->cursor();
    update();
    emit cursorChanged();
}

bool LayoutCanvas::walk()
{
    if (!m_picture)
        return false;
    const std::optional<int64_t> before = m_picture->cursor();
    m_picture->stepInMemory(1);
    m_pinned = m_picture->cursor();
    update();
    emit cursorChanged();
    return m_picture->cursor() != before;
}

void LayoutCanvas::arrange()
{
    if (!m_picture)
        return;
    m_picture->arrange(width());
    updateGeometry();
}

int LayoutCanvas::heightForWidth(int width) const
{
    if (!m_picture)
        return 120;
    if (width == this->width())
        return static_cast<int>(std::ceil(m_picture->height()));
    LayoutPicture other = *m_picture; // asked about a width that the picture does not have yet
    return static_cast<int>(std::ceil(other.arrange(width)));
}

QSize LayoutCanvas::sizeHint() const
{
    return {600, m_picture ? static_cast<int>(std::ceil(m_picture->height())) : 120};
}

void LayoutCanvas::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme().window);
    if (m_picture)
        m_picture->paint(painter, theme());
    else
        paintEmpty(painter);
    if (hasFocus()) {
        painter.setPen(QPen(theme().accent, 1));
        painter.drawRect(rect().adjusted(1, 1, -2, -2));
    }
}

void LayoutCanvas::paintEmpty(QPainter& painter) const
{
    painter.setFont(ThemeManager::instance().uiFont(13));
    painter.setPen(theme().text2);
    painter.drawText(rect().adjusted(24, 24, -24, -24), Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap,
                     tr("Here an array is drawn as it lies in memory. Type its shape above, or select an op."));
}

void LayoutCanvas::resizeEvent(QResizeEvent* event)
{
    arrange();
    QWidget::resizeEvent(event);
}

void LayoutCanvas::setCursorOffset(std::optional<int64_t> offset)
{
    if (!m_picture || m_picture->cursor() == offset)
        return;
    m_picture->setCursor(offset);
    update();
    emit cursorChanged();
}

void LayoutCanvas::mouseMoveEvent(QMouseEvent* event)
{
    if (!m_picture)
        return;
    const LayoutPicture::Hit hit = m_picture->hitAt(event->position());
    setCursor(hit.tile ? Qt::PointingHandCursor : Qt::ArrowCursor);
    setCursorOffset(hit.offset ? hit.offset : m_pinned);
}

void LayoutCanvas::mousePressEvent(QMouseEvent* event)
{
    setFocus(Qt::MouseFocusReason);
    if (!m_picture || event->button() != Qt::LeftButton)
        return;
    const LayoutPicture::Hit hit = m_picture->hitAt(event->position());
    if (hit.tile) {
        m_picture->openTile(*hit.tile);
        m_pinned = m_picture->cursor();
        update();
        emit cursorChanged();
    } else if (hit.offset) {
        m_pinned = hit.offset;
        setCursorOffset(hit.offset);
    }
}

void LayoutCanvas::leaveEvent(QEvent*)
{
    setCursorOffset(m_pinned);
}

bool LayoutCanvas::moveByKey(const QKeyEvent& event)
{
    const TilePicture& tiles = m_picture->tiles();
    switch (event.key()) {
    case Qt::Key_Left:
        m_picture->moveCursor(0, -1);
        return true;
    case Qt::Key_Right:
        m_picture->moveCursor(0, 1);
        return true;
    case Qt::Key_Up:
        m_picture->moveCursor(-1, 0);
        return true;
    case Qt::Key_Down:
        m_picture->moveCursor(1, 0);
        return true;
    case Qt::Key_PageUp:
        m_picture->moveCursor(-tiles.tileRows(), 0);
        return true;
    case Qt::Key_PageDown:
        m_picture->moveCursor(tiles.tileRows(), 0);
        return true;
    case Qt::Key_Comma:
        m_picture->stepInMemory(-1);
        return true;
    case Qt::Key_Period:
        m_picture->stepInMemory(1);
        return true;
    case Qt::Key_Home:
        m_picture->setCursor(0);
        m_picture->revealCursor();
        return true;
    case Qt::Key_End:
        m_picture->setCursor(tiles.layout().paddedElements() - 1);
        m_picture->revealCursor();
        return true;
    default:
        return false;
    }
}

void LayoutCanvas::keyPressEvent(QKeyEvent* event)
{
    if (!m_picture) {
        QWidget::keyPressEvent(event);
        return;
    }
    if (moveByKey(*event)) {
        m_pinned = m_picture->cursor();
        update();
        emit cursorChanged();
    } else if (event->key() == Qt::Key_Plus || event->key() == Qt::Key_Equal) {
        m_picture->zoom(kZoomStep);
        arrange();
        update();
    } else if (event->key() == Qt::Key_Minus) {
        m_picture->zoom(1 / kZoomStep);
        arrange();
        update();
    } else if (event->key() == Qt::Key_Space) {
        emit walkRequested();
    } else if (event->key() == Qt::Key_Escape && m_pinned) {
        m_pinned.reset();
        setCursorOffset(std::nullopt);
    } else {
        QWidget::keyPressEvent(event);
    }
}

void LayoutCanvas::wheelEvent(QWheelEvent* event)
{
    if (!m_picture || !(event->modifiers() & Qt::ControlModifier)) {
        event->ignore(); // the scroll area scrolls
        return;
    }
    m_picture->zoom(std::pow(kZoomStep, event->angleDelta().y() / 120.0));
    arrange();
    update();
}

void LayoutCanvas::focusInEvent(QFocusEvent* event)
{
    update();
    QWidget::focusInEvent(event);
}

void LayoutCanvas::focusOutEvent(QFocusEvent* event)
{
    update();
    QWidget::focusOutEvent(event);
}

} // namespace hloscope
