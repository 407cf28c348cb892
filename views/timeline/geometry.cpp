// SPDX-License-Identifier: Apache-2.0
#include "views/timeline/geometry.h"

#include <algorithm>
#include <cmath>

namespace hloscope {

namespace {

int64_t pixels(double count, double picosecondsPerPixel)
{
    return std::max<int64_t>(std::llround(count * picosecondsPerPixel), 1);
}

} // namespace

std::shared_ptr<const Strip> buildStrip(TraceIndex& index, const StripKey& key, int64_t begin, int64_t end,
                                        double picosecondsPerPixel)
{
    auto strip = std::make_shared<Strip>();
    strip->key = key;
    strip->begin = begin;
    strip->end = end;
    strip->picosecondsPerPixel = picosecondsPerPixel;
    const Trace& trace = index.trace();
    if (key.track.isValid()) {
        // An instant at the very end of the trace still belongs to it.
        if (const LevelOfDetail* level = index.level(key.track, key.depth)) {
            level->query(trace, begin, end + 1, pixels(kMinMarkPixels, picosecondsPerPixel),
                         pixels(kMaxRunPixels, picosecondsPerPixel), strip->marks);
        }
    } else if (key.counter.isValid()) {
        const Counter& counter = trace.counters[key.counter.index()];
        const CounterIndex& counterIndex = index.counter(key.counter);
        counterIndex.query(counter, begin, end + 1, pixels(1, picosecondsPerPixel), strip->counterSpans);
        strip->counterBefore = CounterIndex::valueAt(counter, begin - 1);
        strip->counterMost = counterIndex.most();
    }
    return strip;
}

std::vector<LevelOfDetail::Mark>::const_iterator firstMarkFrom(const Strip& strip, int64_t time)
{
    return std::ranges::lower_bound(strip.marks, time, {}, &LevelOfDetail::Mark::end);
}

const LevelOfDetail::Mark* markAt(const Strip& strip, const TimeScale& scale, double x, double reach)
{
    const LevelOfDetail::Mark* best = nullptr;
    double bestDistance = reach;
    for (auto mark = firstMarkFrom(strip, scale.timeAt(x - reach)); mark != strip.marks.end(); ++mark) {
        const double left = scale.xOf(mark->begin);
        const double right = scale.xOf(mark->end);
        if (left > x + reach)
            break;
        if (x >= left && x < right)
            return &*mark;
        const double distance = x < left ? left - x : x - right;
        if (distance <= bestDistance) {
            best = &*mark;
            bestDistance = distance;
        }
    }
    return best;
}

} // namespace hloscope
