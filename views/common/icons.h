// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QColor>
#include <QIcon>
#include <QPixmap>
#include <QString>

namespace hloscope {

// Line icons of our own (`resources/icons/NAME.svg`, 16 px grid), tinted from the theme when they are painted: text2,
// text where active or selected, text3 where disabled. An unknown name gives an icon that paints nothing.
QIcon icon(const QString& name);
// The same with a fixed token, for example theme().warning; not tinted again when the theme changes.
QPixmap iconPixmap(const QString& name, int size, const QColor& colour, double devicePixelRatio = 1.0);

} // namespace hloscope
