// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/support/expected.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace hloscope {

// A figure with where it comes from. Absent figures stay empty: the model then knows no time instead of a guess.
struct SourcedValue {
    std::optional<double> value;
    std::string_view source;

    bool hasValue() const { return value.has_value(); }
    double operator*() const { return *value; }
};

// One TPU generation. Rates and sizes are per device as XLA sees one: a core on v2, v3, v4 and v7x, a whole chip on
// v5e, v5p and v6e.
struct ChipSpec {
    std::string_view id; // "v5e"
    std::string_view name; // "TPU v5e"
    std::string_view deviceKind; // "TPU v5 lite", as JAX prints it
    int devicesPerChip = 1;
    int mxus = 0; // 128x128 or 256x256 arrays working at once, per device
    int mxuSize = 128;
    int torusDimensions = 2;

    SourcedValue clockHz; // the clock that compiler cycles are divided by
    SourcedValue bf16FlopsPerSecond; // published peak
    SourcedValue int8OpsPerSecond;
    SourcedValue hbmBytes;
    SourcedValue hbmBytesPerSecond; // published peak
    SourcedValue vmemBytes;
    SourcedValue vmemReadBytesPerSecond;
    SourcedValue vmemWriteBytesPerSecond;
    SourcedValue cmemBytes;
    SourcedValue smemBytes;
    SourcedValue vpuOpsPerSecond; // f32 operations
    SourcedValue iciLinkBytesPerSecond; // one link, one way, achievable
    SourcedValue iciLinks; // per chip
    SourcedValue iciHopSeconds;
    SourcedValue pcieBytesPerSecond;
    SourcedValue dcnBytesPerSecond; // per host

    // What libtpu's cost analysis divides by.
    SourcedValue compilerFlopsPerSecond;
    SourcedValue compilerHbmBytesPerSecond;
    SourcedValue compilerTranscendentalsPerSecond;
    SourcedValue compilerLeastOpSeconds; // no op is cheaper; 0 where there is no such limit
    SourcedValue compilerTupleTableBytes; // the pointer table of a tuple is rounded up to this
    SourcedValue dmaLatencySeconds; // per window, in the compiler's estimates
};

// v2, v3, v4, v4i, v5e, v5p, v6e, v7x.
std::span<const ChipSpec> chips();
// By id, topology ("tpu7x:2x2x1", "v5e:4x4") or device kind ("TPU v5 lite"); case does not matter. Null when unknown.
const ChipSpec* findChip(std::string_view name);
// Axis sizes of a topology such as "v5e:4x4"; empty without one.
std::string_view topologyOf(std::string_view name);

} // namespace hloscope
