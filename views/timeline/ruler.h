// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/timeline/time_scale.h"

#include <QString>

#include <cstdint>
#include <vector>

namespace hloscope {

struct RulerTick {
    double x = 0;
    QString label; // empty for the small ticks between labels

    bool isMajor() const { return !label.isEmpty(); }
};

// Ticks at 1, 2 or 5 times a power of ten, labelled in one unit ("70 ms", "80 ms"). Where a label would need more than
// three decimals, the labels count from `base` ("+20 ns" after "304.7 ms").
struct Ruler {
    int64_t step = 0; // picoseconds between labels
    QString base; // empty when the labels are absolute
    std::vector<RulerTick> ticks; // from left to right
};

// `labelDistance` is the least number of pixels from one label to the next. Times are shown relative to time 0 of the
// trace.
Ruler layoutRuler(const TimeScale& scale, double labelDistance);

// Every digit that matters, without trailing zeros: "304.70002 ms".
QString formatExactTime(int64_t picoseconds);

} // namespace hloscope
