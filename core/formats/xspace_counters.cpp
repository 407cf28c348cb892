// SPDX-License-Identifier: Apache-2.0
#include "core/formats/xspace_counters.h"

#include "core/formats/trace_writer.h"

#include "xplane.pb.h"

#include <algorithm>

namespace hloscope {
namespace {

Counter::Unit unitOf(std::string_view statName)
{
    using Unit = Counter::Unit;
    for (const Unit unit : {Unit::Bytes, Unit::BytesPerSecond, Unit::FlopsPerSecond, Unit::Fraction}) {
        if (statName == counterStatName(unit))
            return unit;
    }
    return Unit::None;
}

} // namespace

void XPlaneCounters::add(EventKindId kind, int64_t timePs, std::string_view event)
{
    WireReader reader(event);
    while (reader.next()) {
        if (!reader.is(proto::XEvent::kStatsFieldNumber, WireType::LengthDelimited))
            continue;
        const XStat stat = decodeXStat(reader.bytes(), m_plane.statNames);
        if (const auto number = stat.toArgument().number) {
            Samples& samples = m_samples[kind.index()];
            samples.statName = stat.name;
            samples.samples.push_back({std::clamp(timePs, -Trace::kMaxTime, Trace::kMaxTime), *number});
            return;
        }
    }
}

void XPlaneCounters::finish(PlaneId plane, Trace& trace)
{
    for (auto& [kind, entry] : m_samples) {
        std::stable_sort(entry.samples.begin(), entry.samples.end(),
                         [](const Sample& a, const Sample& b) { return a.time < b.time; });
        Counter counter;
        counter.plane = plane;
        counter.name = trace.kinds[kind].label();
        counter.unit = unitOf(entry.statName);
        const double scale = counter.unit == Counter::Unit::Fraction ? 0.01 : 1.0;
        if (counter.unit == Counter::Unit::Fraction)
            counter.limit = 1.0;
        for (const Sample& sample : entry.samples) {
            counter.times.push_back(sample.time);
            counter.values.push_back(sample.value * scale);
        }
        trace.counters.push_back(std::move(counter));
    }
    m_samples.clear();
}

} // namespace hloscope
