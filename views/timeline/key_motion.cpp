// SPDX-License-Identifier: Apache-2.0
#include "views/timeline/key_motion.h"

#include <QKeyEvent>

#include <algorithm>

namespace hloscope {

namespace {

constexpr double kStepsPerSecond = 6; // when the glide begins
constexpr double kMostStepsPerSecond = 22;
constexpr double kFullSpeedAfterMs = 1500;

// Places of W, A, S, D: codes of evdev with the offset of X11 and Wayland, or of the PC keyboard's first set.
Motion motionAtScanCode(quint32 code)
{
#ifdef Q_OS_WIN
    constexpr quint32 kW = 0x11, kA = 0x1E, kS = 0x1F, kD = 0x20;
#else
    constexpr quint32 kW = 25, kA = 38, kS = 39, kD = 40;
#endif
    switch (code) {
    case kW:
        return Motion::ZoomIn;
    case kS:
        return Motion::ZoomOut;
    case kA:
        return Motion::PanLeft;
    case kD:
        return Motion::PanRight;
    default:
        return Motion::None;
    }
}

Motion motionOfLetter(int key)
{
    switch (key) {
    case Qt::Key_W:
        return Motion::ZoomIn;
    case Qt::Key_S:
        return Motion::ZoomOut;
    case Qt::Key_A:
        return Motion::PanLeft;
    case Qt::Key_D:
        return Motion::PanRight;
    default:
        return Motion::None;
    }
}

} // namespace

Motion motionOf(const QKeyEvent& event)
{
    if (event.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier))
        return Motion::None;
    switch (event.key()) {
    case Qt::Key_Left:
        return Motion::PanLeft;
    case Qt::Key_Right:
        return Motion::PanRight;
    case Qt::Key_Up:
        return Motion::ScrollUp;
    case Qt::Key_Down:
        return Motion::ScrollDown;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return Motion::ZoomIn;
    case Qt::Key_Minus:
    case Qt::Key_Underscore:
        return Motion::ZoomOut;
    default:
        break;
    }
#ifndef Q_OS_MACOS
    // Synthetic events carry no scan code.
    if (event.nativeScanCode() != 0)
        return motionAtScanCode(event.nativeScanCode());
#endif
    return motionOfLetter(event.key());
}

double glideSteps(double heldMs, double elapsedMs)
{
    const double gliding = heldMs - MotionStep::kGlideAfterMs;
    if (gliding <= 0)
        return 0;
    const double share = std::min(gliding / kFullSpeedAfterMs, 1.0);
    const double speed = kStepsPerSecond + (kMostStepsPerSecond - kStepsPerSecond) * share;
    return speed * std::min(elapsedMs, gliding) / 1000;
}

} // namespace hloscope
