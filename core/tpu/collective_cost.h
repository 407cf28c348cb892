// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hlo/hlo_module.h"
#include "core/tpu/chip_spec.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace hloscope {

enum class CollectiveKind : uint8_t { AllGather, AllReduce, ReduceScatter, AllToAll, Permute, Broadcast };

// What a collective moves.
struct Collective {
    CollectiveKind kind = CollectiveKind::AllReduce;
    // Bytes of the whole array of one group: gathered, to be reduced, or all parts of an all-to-all together. Of a
    // permutation or broadcast: what one device sends.
    double bytes = 0;
    int64_t groupSize = 1;
    std::vector<int64_t> axes; // sizes of the torus axes it runs over; empty is one axis of groupSize
};

// A collective op, its start op, an async-start around one, or a custom fusion built of one (libtpu's
// `all-reduce-scatter`: an all-reduce of which each device keeps a slice). Nothing for any other op; fusions that only
// carry the buffers of a running collective along count as other ops.
std::optional<Collective> collectiveOf(const HloModule& module, InstructionId id);

struct CollectiveTime {
    double bandwidthSeconds = 0;
    double latencySeconds = 0; // hops
    double sentBytes = 0; // by one device
    double seconds() const { return bandwidthSeconds + latencySeconds; }
};

// On rings of bidirectional links, both directions used, all axes at once; on lines half of that. With V bytes, n
// members, w bytes/s one way, a axes and r = 2w on rings or w on lines:
//   all-gather, reduce-scatter: V (n-1)/n / (r a);  all-reduce: twice that;  all-to-all: V / (4 r a);
//   permutation: V / w to a neighbour;  broadcast: V / w.
// Each hop adds its latency: half of a ring, the whole of a line. A group of two has one link. Source: How to Scale
// Your Model, chapter on sharded matrices. Nothing when the chip's link rate is not known.
std::optional<CollectiveTime> collectiveTime(const Collective& collective, const ChipSpec& chip);

// Whether an axis of that size closes to a ring: on v2, v3, v5e and v6e only a full side of the pod (16, on v3 32), on
// the three-dimensional tori of v4, v5p and v7x multiples of 4.
bool axisWraps(const ChipSpec& chip, int64_t size);

} // namespace hloscope
