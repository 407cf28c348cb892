// SPDX-License-Identifier: Apache-2.0
#include "views/timeline/time_scale.h"

#include <algorithm>
#include <cmath>

namespace hloscope {

TimeWindow zoomed(const TimeWindow& window, double anchor, double factor)
{
    if (factor <= 0)
        return window;
    return {anchor - (anchor - window.begin) / factor, anchor + (window.end - anchor) / factor};
}

TimeWindow panned(const TimeWindow& window, double by)
{
    return {window.begin + by, window.end + by};
}

TimeWindow clamped(const TimeWindow& window, double limit)
{
    const double widest = std::max(limit, kMinWindowSpan);
    TimeWindow result = window;
    if (result.span() < kMinWindowSpan) {
        const double middle = (result.begin + result.end) / 2;
        result = {middle - kMinWindowSpan / 2, middle + kMinWindowSpan / 2};
    }
    if (result.span() >= widest)
        return {0, widest};
    if (result.begin < 0)
        return {0, result.span()};
    if (result.end > widest)
        return {widest - result.span(), widest};
    return result;
}

TimeWindow interpolated(const TimeWindow& from, const TimeWindow& to, double fraction)
{
    if (fraction <= 0)
        return from;
    if (fraction >= 1)
        return to;
    const double ratio = to.span() / from.span();
    // Nearly equal spans have their common point far outside: that is a pan.
    if (std::abs(std::log(ratio)) < 1e-3) {
        return {from.begin + (to.begin - from.begin) * fraction, from.end + (to.end - from.end) * fraction};
    }
    const double anchorShare = (to.begin - from.begin) / (from.span() - to.span());
    const double anchor = from.begin + anchorShare * from.span();
    const double span = from.span() * std::pow(ratio, fraction);
    const double begin = anchor - anchorShare * span;
    return {begin, begin + span};
}

double easeOutCubic(double fraction)
{
    const double rest = 1 - std::clamp(fraction, 0.0, 1.0);
    return 1 - rest * rest * rest;
}

TimeScale::TimeScale(int64_t origin, const TimeWindow& window, double left, double width)
    : m_origin(origin)
    , m_window(window)
    , m_left(left)
    , m_width(std::max(width, 1.0))
    , m_perPixel(std::max(window.span(), 1e-6) / m_width)
{
}

int64_t TimeScale::timeAt(double x) const
{
    return m_origin + std::llround(offsetAt(x));
}

} // namespace hloscope
