// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtGlobal>

QT_FORWARD_DECLARE_CLASS(QKeyEvent)

namespace hloscope {

enum class Motion { None, ZoomIn, ZoomOut, PanLeft, PanRight, ScrollUp, ScrollDown };

// W/S zoom, A/D pan: by the place of the key on the keyboard where the platform tells it (so that AZERTY has them at
// the same place), else by its letter. Left/Right pan, Up/Down scroll the rows, +/- zoom. None with Ctrl, Alt or Meta,
// which belong to commands.
Motion motionOf(const QKeyEvent& event);

// One press moves by a step; a key that stays down glides, faster the longer it is held.
struct MotionStep {
    static constexpr double kZoomFactor = 1.3;
    static constexpr double kPanWindows = 0.12;
    static constexpr double kScrollPixels = 60;
    static constexpr double kFast = 3; // with Shift
    static constexpr int kGlideAfterMs = 220;
};

// How much of a step a key moves in `elapsedMs` after it has been held for `heldMs`; 0 before the glide begins.
double glideSteps(double heldMs, double elapsedMs);

} // namespace hloscope
