// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace hloscope {

// The part of a trace that is on the screen, in picoseconds after the first event of the trace. Doubles, since an
// animated window moves by fractions of a picosecond.
struct TimeWindow {
    double begin = 0;
    double end = 0;

    double span() const { return end - begin; }
    bool operator==(const TimeWindow&) const = default;
};

// A window is never narrower than one nanosecond: nothing in a profile is worth a closer look.
constexpr double kMinWindowSpan = 1000;

// Shows `factor` times less (more for factors below 1) while the time `anchor` keeps its place on the screen.
TimeWindow zoomed(const TimeWindow& window, double anchor, double factor);
TimeWindow panned(const TimeWindow& window, double by);
// The nearest window inside [0, limit]: its span is kept where possible, then it is moved.
TimeWindow clamped(const TimeWindow& window, double limit);
// A window on the way from one to another, `fraction` in [0, 1]. The span changes by a constant ratio, around the time
// that stands at the same place in both, so that a zoom keeps its anchor at every moment.
TimeWindow interpolated(const TimeWindow& from, const TimeWindow& to, double fraction);
// Fast start, soft end.
double easeOutCubic(double fraction);

// Maps times to positions on a line of `width` pixels that starts at `left`. Times are those of the trace; `origin` is
// the time that the window counts from, so that doubles keep their precision in traces that start late.
class TimeScale {
public:
    TimeScale() = default;
    TimeScale(int64_t origin, const TimeWindow& window, double left, double width);

    int64_t origin() const { return m_origin; }
    const TimeWindow& window() const { return m_window; }
    double left() const { return m_left; }
    double right() const { return m_left + m_width; }
    double width() const { return m_width; }
    double picosecondsPerPixel() const { return m_perPixel; }

    double xOf(int64_t time) const
    {
        return m_left + (static_cast<double>(time - m_origin) - m_window.begin) / m_perPixel;
    }
    // In picoseconds after the origin.
    double offsetAt(double x) const { return m_window.begin + (x - m_left) * m_perPixel; }
    int64_t timeAt(double x) const;

private:
    int64_t m_origin = 0;
    TimeWindow m_window{0, 1};
    double m_left = 0;
    double m_width = 1;
    double m_perPixel = 1;
};

} // namespace hloscope
