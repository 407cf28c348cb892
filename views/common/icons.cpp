// SPDX-License-Identifier: Apache-2.0
#include "views/common/icons.h"

#include "views/common/theme.h"

#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>

#include <cmath>

// Resources of a static library are only linked in when something names them; the macro wants the global namespace.
static void initialiseIcons()
{
    Q_INIT_RESOURCE(icons);
}

namespace hloscope {

namespace {

QColor tintOf(QIcon::Mode mode)
{
    switch (mode) {
    case QIcon::Disabled:
        return theme().text3;
    case QIcon::Active:
    case QIcon::Selected:
        return theme().text;
    case QIcon::Normal:
        break;
    }
    return theme().text2;
}

class TintedIconEngine : public QIconEngine {
public:
    explicit TintedIconEngine(QString name) : m_name(std::move(name)) { }

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override
    {
        const double ratio = painter->device()->devicePixelRatioF();
        const int size = std::min(rect.width(), rect.height());
        const QPixmap picture = iconPixmap(m_name, size, tintOf(mode), ratio);
        painter->drawPixmap(rect.x() + (rect.width() - size) / 2, rect.y() + (rect.height() - size) / 2, picture);
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State) override
    {
        return iconPixmap(m_name, std::min(size.width(), size.height()), tintOf(mode));
    }

    QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State, qreal scale) override
    {
        const int side = static_cast<int>(std::lround(std::min(size.width(), size.height()) / scale));
        return iconPixmap(m_name, side, tintOf(mode), scale);
    }

    QIconEngine* clone() const override { return new TintedIconEngine(m_name); }
    QString key() const override { return QStringLiteral("hloscope"); }

private:
    QString m_name;
};

} // namespace

QIcon icon(const QString& name)
{
    return QIcon(new TintedIconEngine(name));
}

QPixmap iconPixmap(const QString& name, int size, const QColor& colour, double devicePixelRatio)
{
    initialiseIcons();
    const QString key =
        QStringLiteral("hloscope-icon:%1:%2:%3:%4").arg(name).arg(size).arg(colour.rgba(), 0, 16).arg(devicePixelRatio);
    QPixmap pixmap;
    if (QPixmapCache::find(key, &pixmap))
        return pixmap;
    const int pixels = std::max(1, static_cast<int>(std::lround(size * devicePixelRatio)));
    pixmap = QPixmap(pixels, pixels);
    pixmap.fill(Qt::transparent);
    QFile file(QStringLiteral(":/hloscope/icons/%1.svg").arg(name));
    if (file.open(QIODevice::ReadOnly)) {
        QByteArray svg = file.readAll();
        svg.replace("currentColor", colour.name().toLatin1());
        QSvgRenderer renderer(svg);
        QPainter painter(&pixmap);
        painter.setRenderHint(QPainter::Antialiasing);
        renderer.render(&painter, QRectF(0, 0, pixels, pixels));
    }
    pixmap.setDevicePixelRatio(devicePixelRatio);
    QPixmapCache::insert(key, pixmap);
    return pixmap;
}

} // namespace hloscope
