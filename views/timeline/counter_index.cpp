// SPDX-License-Identifier: Apache-2.0
#include "views/timeline/counter_index.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hloscope {

namespace {

double finite(double value)
{
    return std::isfinite(value) ? value : 0;
}

size_t countOf(const Counter& counter)
{
    return std::min(counter.times.size(), counter.values.size());
}

int64_t bucketEnd(int64_t time, int64_t step)
{
    const int64_t rest = time % step;
    return time - rest + (rest < 0 ? 0 : step);
}

} // namespace

CounterIndex::CounterIndex(const Counter& counter)
{
    const size_t count = countOf(counter);
    std::vector<Range> level;
    level.reserve(count / kFanOut + 1);
    for (size_t i = 0; i < count; ++i) {
        const double value = finite(counter.values[i]);
        m_most = i == 0 ? value : std::max(m_most, value);
        if (i % kFanOut == 0)
            level.push_back({value, value});
        else
            level.back() = {std::min(level.back().least, value), std::max(level.back().most, value)};
    }
    while (level.size() > 1) {
        std::vector<Range> above;
        above.reserve(level.size() / kFanOut + 1);
        for (size_t i = 0; i < level.size(); ++i) {
            if (i % kFanOut == 0)
                above.push_back(level[i]);
            else
                above.back() = {std::min(above.back().least, level[i].least),
                                std::max(above.back().most, level[i].most)};
        }
        m_levels.push_back(std::move(level));
        level = std::move(above);
    }
}

CounterIndex::Range CounterIndex::rangeOf(const Counter& counter, size_t first, size_t last) const
{
    Range range{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
    const auto add = [&range](double least, double most) {
        range.least = std::min(range.least, least);
        range.most = std::max(range.most, most);
    };
    for (size_t i = first; i < last;) {
        size_t level = 0;
        size_t span = 1;
        while (level < m_levels.size() && i % (span * kFanOut) == 0 && i + span * kFanOut <= last) {
            span *= kFanOut;
            ++level;
        }
        if (level == 0) {
            add(finite(counter.values[i]), finite(counter.values[i]));
        } else {
            const Range& node = m_levels[level - 1][i / span];
            add(node.least, node.most);
        }
        i += span;
    }
    return range;
}

void CounterIndex::query(const Counter& counter, int64_t begin, int64_t end, int64_t step,
                         std::vector<CounterSpan>& spans) const
{
    step = std::max<int64_t>(step, 1);
    const auto times = counter.times.begin();
    const auto last = times + static_cast<std::ptrdiff_t>(countOf(counter));
    auto at = std::lower_bound(times, last, begin);
    while (at != last && *at < end) {
        const auto next = std::lower_bound(at, last, bucketEnd(*at, step));
        const auto firstIndex = static_cast<size_t>(at - times);
        const auto nextIndex = static_cast<size_t>(next - times);
        const Range range = rangeOf(counter, firstIndex, nextIndex);
        spans.push_back(
            {*at, finite(counter.values[firstIndex]), range.least, range.most, finite(counter.values[nextIndex - 1])});
        at = next;
    }
}

double CounterIndex::valueAt(const Counter& counter, int64_t time)
{
    const auto last = counter.times.begin() + static_cast<std::ptrdiff_t>(countOf(counter));
    const auto after = std::upper_bound(counter.times.begin(), last, time);
    if (after == counter.times.begin())
        return 0;
    return finite(counter.values[static_cast<size_t>(after - counter.times.begin()) - 1]);
}

} // namespace hloscope
