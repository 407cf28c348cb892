// SPDX-License-Identifier: Apache-2.0
#include "views/timeline/ruler.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace hloscope {

namespace {

struct TimeUnit {
    int64_t size;
    const char* name;
};
constexpr std::array<TimeUnit, 5> kUnits{
    {{1, "ps"}, {1000, "ns"}, {1000000, "\u00b5s"}, {1000000000, "ms"}, {1000000000000, "s"}}};
constexpr int kMaxDecimals = 3;
constexpr double kMinMinorDistance = 6;

const TimeUnit& unitOf(int64_t magnitude)
{
    const TimeUnit* unit = kUnits.data();
    for (const TimeUnit& candidate : kUnits) {
        if (magnitude >= candidate.size)
            unit = &candidate;
    }
    return *unit;
}

// The smallest of 1, 2, 5 times a power of ten that is not below `least`.
int64_t niceStep(double least)
{
    int64_t power = 1;
    while (power < INT64_MAX / 100) {
        for (const int64_t digit : {1, 2, 5}) {
            if (static_cast<double>(power * digit) >= least)
                return power * digit;
        }
        power *= 10;
    }
    return power;
}

int64_t floorTo(int64_t value, int64_t step)
{
    const int64_t rest = value % step;
    return value - rest - (rest < 0 ? step : 0);
}

int decimalsFor(int64_t step, const TimeUnit& unit)
{
    int decimals = 0;
    for (int64_t size = unit.size; size > 1 && step % size != 0; size /= 10)
        ++decimals;
    return decimals;
}

QString withUnit(int64_t time, const TimeUnit& unit, int decimals)
{
    const double value = static_cast<double>(time) / static_cast<double>(unit.size);
    return QString::number(value, 'f', decimals) + QLatin1Char(' ') + QString::fromUtf8(unit.name);
}

} // namespace

QString formatExactTime(int64_t picoseconds)
{
    const TimeUnit& unit = unitOf(std::abs(picoseconds));
    return withUnit(picoseconds, unit, decimalsFor(picoseconds, unit));
}

Ruler layoutRuler(const TimeScale& scale, double labelDistance)
{
    Ruler ruler;
    ruler.step = niceStep(scale.picosecondsPerPixel() * std::max(labelDistance, 1.0));
    const int64_t begin = scale.timeAt(scale.left());
    const int64_t end = scale.timeAt(scale.right());
    int64_t base = 0;
    const TimeUnit* unit = &unitOf(std::max(std::abs(begin), std::abs(end)));
    int decimals = decimalsFor(ruler.step, *unit);
    if (decimals > kMaxDecimals) {
        base = floorTo(begin, niceStep(static_cast<double>(ruler.step) * 100.0));
        ruler.base = formatExactTime(base);
        unit = &unitOf(std::max(end - base, ruler.step));
        decimals = decimalsFor(ruler.step, *unit);
    }

    int64_t leading = ruler.step;
    while (leading % 10 == 0)
        leading /= 10;
    const int64_t parts = leading == 2 ? 4 : 5;
    const bool hasMinor = ruler.step % parts == 0
        && static_cast<double>(ruler.step / parts) / scale.picosecondsPerPixel() >= kMinMinorDistance;
    const int64_t stride = hasMinor ? ruler.step / parts : ruler.step;
    for (int64_t time = floorTo(begin - 1, stride) + stride; time <= end; time += stride) {
        RulerTick tick{scale.xOf(time), {}};
        if (time % ruler.step == 0) {
            tick.label = withUnit(time - base, *unit, decimals);
            if (base != 0)
                tick.label.prepend(QLatin1Char('+'));
        }
        ruler.ticks.push_back(std::move(tick));
    }
    return ruler;
}

} // namespace hloscope
