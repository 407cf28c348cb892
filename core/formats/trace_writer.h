// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/support/expected.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <string>

namespace hloscope {

// Writes a trace as a profile (XSpace, normally *.xplane.pb) that readXSpace() and XProf open: planes, lines, events,
// kinds with their categories (as `hlo_category`) and programs, all arguments. Counters become the line `_counters_` of
// their plane, as in TPU profiles. Arguments keep their text; those that are bytes keep their size only. Returns the
// number of bytes. Errors: the file cannot be written.
Expected<uint64_t> writeXSpace(const Trace& trace, const std::string& path);

// Writes a trace as Chrome trace JSON in the shape JAX gives it, which XProf's viewer, Perfetto and chrome://tracing
// open; gzipped when the path ends in ".gz". Times are exact decimals in microseconds. Sums of events without a time
// (Trace::aggregates) have no place in this format; they are listed under "aggregates" in its metadata.
Expected<uint64_t> writeTraceJson(const Trace& trace, const std::string& path);

// The name of the line that holds counters, and of the stat that holds a counter's value: "% util", "bytes", ...
constexpr const char* kCounterLineName = "_counters_";
const char* counterStatName(Counter::Unit unit);

} // namespace hloscope
