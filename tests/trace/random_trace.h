// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/trace.h"

#include <memory>
#include <random>

namespace testdata {

enum class TraceShape {
    Nested, // events hold or miss each other
    Overlapping, // any intervals
    Dense, // many instants and equal times
};

// One track "t" of `count` events in random order, with one kind per op category.
inline std::shared_ptr<const hloscope::Trace> randomTrace(TraceShape shape, size_t count, unsigned seed)
{
    using namespace hloscope;
    std::mt19937_64 random(seed);
    const auto upTo = [&random](int64_t limit) {
        return static_cast<int64_t>(random() % static_cast<uint64_t>(limit));
    };
    TraceBuilder builder;
    const TrackId track = builder.addTrack(builder.addPlane("p"), "t");
    for (size_t i = 0; i < kOpCategoryCount; ++i) {
        EventKind kind;
        kind.name = "kind" + std::to_string(i);
        kind.category = static_cast<OpCategory>(i);
        builder.addKind(kind);
    }
    struct Span {
        int64_t begin;
        int64_t end;
    };
    std::vector<Span> spans;
    if (shape == TraceShape::Nested) {
        // Splits random spans at random places: what is inside of a span stays inside.
        std::vector<Span> open = {{-1000, 100000}, {100000, 250000}};
        while (spans.size() < count && !open.empty()) {
            const auto at = static_cast<size_t>(upTo(static_cast<int64_t>(open.size())));
            const Span span = open[at];
            open[at] = open.back();
            open.pop_back();
            spans.push_back(span);
            int64_t begin = span.begin + upTo(5);
            while (begin < span.end) {
                const int64_t end = std::min(span.end, begin + upTo(1 + (span.end - span.begin) / (1 + upTo(40))));
                if (upTo(4) > 0 && (begin != span.begin || end != span.end))
                    open.push_back({begin, end});
                begin = end + 1 + upTo(upTo(8) == 0 ? 2000 : 3);
            }
        }
    } else {
        const int64_t length = shape == TraceShape::Dense ? 40 : 100000;
        for (size_t i = 0; i < count; ++i) {
            const int64_t begin = upTo(length) - length / 2;
            const int64_t duration = upTo(3) == 0 ? 0 : upTo(1 + (upTo(20) == 0 ? length / 2 : length / 100));
            spans.push_back({begin, begin + duration});
        }
    }
    std::shuffle(spans.begin(), spans.end(), random);
    for (const Span& span : spans)
        builder.addEvent(track, EventKindId(random() % kOpCategoryCount), span.begin, span.end - span.begin);
    return std::move(builder).build();
}

} // namespace testdata
