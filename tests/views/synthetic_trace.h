// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/trace.h"

#include <memory>
#include <random>
#include <string>
#include <vector>

// A small trace whose every number is known to the tests that use it.
namespace hloscope::synthetic {

constexpr int64_t kUs = 1'000'000; // picoseconds
constexpr int64_t kMs = 1'000'000'000;
constexpr int kTinyEvents = 1000; // of 1 us, every 2 us, from 90 ms on
constexpr int kThreads = 40;

struct Example {
    std::shared_ptr<const Trace> trace;
    TrackId modules;
    TrackId ops; // two levels
    TrackId collectives; // instants
    std::vector<TrackId> threads;

    // The n-th event of a track in the order of time.
    EventId event(TrackId track, size_t n) const { return EventId(trace->tracks[track.index()].events.begin + n); }
    // The n-th event of that name.
    EventId named(const std::string& name, int n = 0) const
    {
        for (size_t i = 0; i < trace->eventCount(); ++i) {
            if (trace->kind(EventId(i)).name == name && n-- == 0)
                return EventId(i);
        }
        return {};
    }
};

// Milliseconds:  0 fusion.1 10 copy.2 12   20 fusion.3 40 while.4                                    80   90 tiny.7 x
// 1000
//                                                         41 fusion.5 50  51 fusion.5 60 all-reduce.6 80
// The modules line covers 0 to 100, each host thread n has one event "work" from n to n + 10 ms.
inline Example makeExample(bool isSimulated = false)
{
    Example example;
    TraceBuilder builder;
    const PlaneId host = builder.addPlane("/host:CPU");
    const PlaneId device = builder.addPlane("/device:TPU:0");
    const auto kind = [&](const char* name, OpCategory category) {
        EventKind k;
        k.name = name;
        k.category = category;
        return builder.addKind(std::move(k));
    };
    for (int i = 0; i < kThreads; ++i)
        example.threads.push_back(builder.addTrack(host, "thread " + std::to_string(i)));
    const EventKindId work = kind("work", OpCategory::Host);
    for (int i = 0; i < kThreads; ++i)
        builder.addEvent(example.threads[static_cast<size_t>(i)], work, i * kMs, 10 * kMs);
    example.modules = builder.addTrack(device, "XLA Modules");
    example.ops = builder.addTrack(device, "XLA Ops");
    example.collectives = builder.addTrack(device, "Collectives");
    builder.addEvent(example.modules, kind("jit_net", OpCategory::ControlFlow), 0, 100 * kMs);
    const auto op = [&](EventKindId k, int64_t beginMs, int64_t endMs) {
        builder.addEvent(example.ops, k, beginMs * kMs, (endMs - beginMs) * kMs);
    };
    op(kind("fusion.1", OpCategory::Matmul), 0, 10);
    op(kind("copy.2", OpCategory::DataMovement), 10, 12);
    op(kind("fusion.3", OpCategory::Matmul), 20, 40);
    op(kind("while.4", OpCategory::ControlFlow), 40, 80);
    const EventKindId fusion5 = kind("fusion.5", OpCategory::Pointwise);
    op(fusion5, 41, 50);
    op(fusion5, 51, 60);
    op(kind("all-reduce.6", OpCategory::Collective), 60, 80);
    const EventKindId tiny = kind("tiny.7", OpCategory::Reduce);
    for (int i = 0; i < kTinyEvents; ++i)
        builder.addEvent(example.ops, tiny, 90 * kMs + 2 * i * kUs, kUs);
    const EventKindId noTime = kind("all-gather.8", OpCategory::Collective);
    for (const int64_t at : {5, 30, 70})
        builder.addEvent(example.collectives, noTime, at * kMs, 0);
    builder.trace().name = "example";
    builder.trace().isSimulated = isSimulated;
    Counter counter;
    counter.plane = device;
    counter.name = "HBM in use";
    counter.unit = Counter::Unit::Bytes;
    counter.times = {0, 20 * kMs, 60 * kMs};
    counter.values = {1e9, 2e9, 1.5e9};
    builder.trace().counters.push_back(counter);
    example.trace = std::move(builder).build();
    return example;
}

// Nested and disjoint events at random, from nanoseconds to milliseconds, on `tracks` lines of one plane.
inline std::shared_ptr<const Trace> makeRandom(uint32_t seed, int tracks, int events, int64_t span)
{
    std::mt19937 random(seed);
    const auto pick = [&](int64_t below) {
        return static_cast<int64_t>(random() % static_cast<uint64_t>(std::max<int64_t>(below, 1)));
    };
    TraceBuilder builder;
    const PlaneId plane = builder.addPlane("/device:TPU:0");
    std::vector<EventKindId> kinds;
    for (size_t i = 0; i + 1 < kOpCategoryCount; ++i) {
        EventKind kind;
        kind.name = "op." + std::to_string(i);
        kind.category = static_cast<OpCategory>(i);
        kinds.push_back(builder.addKind(std::move(kind)));
    }
    for (int t = 0; t < tracks; ++t) {
        const TrackId track = builder.addTrack(plane, "line " + std::to_string(t));
        for (int i = 0; i < events; ++i) {
            const int64_t length = int64_t(1) << pick(24);
            builder.addEvent(track, kinds[static_cast<size_t>(pick(static_cast<int64_t>(kinds.size())))], pick(span),
                             1 + pick(length));
        }
    }
    return std::move(builder).build();
}

} // namespace hloscope::synthetic
