// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/timeline/time_scale.h"
#include "views/timeline/trace_index.h"

#include <compare>
#include <cstdint>
#include <memory>
#include <vector>

namespace hloscope {

// What of a trace is drawn as one strip: one nesting level of a track, or a counter.
struct StripKey {
    TrackId track; // invalid for a counter
    CounterId counter;
    uint16_t depth = 0;

    auto operator<=>(const StripKey&) const = default;
};

// The marks of one strip over a range of time at one resolution. Made on a worker, read by painting and hit testing;
// all times are those of the trace, so that a strip can be drawn at any zoom while a better one is made.
struct Strip {
    StripKey key;
    int64_t begin = 0;
    int64_t end = 0;
    double picosecondsPerPixel = 0;
    std::vector<LevelOfDetail::Mark> marks; // disjoint, in order
    std::vector<CounterSpan> counterSpans;
    double counterBefore = 0; // value in force at `begin`
    double counterMost = 0; // over the whole trace

    bool covers(int64_t from, int64_t to) const { return begin <= from && end >= to; }
};

// An event narrower than this many pixels opens a run; runs are cut at multiples of the longest run.
constexpr double kMinMarkPixels = 3;
constexpr double kMaxRunPixels = 40;

std::shared_ptr<const Strip> buildStrip(TraceIndex& index, const StripKey& key, int64_t begin, int64_t end,
                                        double picosecondsPerPixel);

// First mark of a strip that ends at or after a time.
std::vector<LevelOfDetail::Mark>::const_iterator firstMarkFrom(const Strip& strip, int64_t time);

// The mark under a position of the screen, null when there is none within reach. Marks narrower than the reach can be
// hit beside them; of two in reach the nearer one wins.
const LevelOfDetail::Mark* markAt(const Strip& strip, const TimeScale& scale, double x, double reach = 2);

} // namespace hloscope
