// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hlo/sharding.h"
#include "core/support/expected.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace hloscope {

// Which devices take part together in a collective. All three notations (lists, `[2,4]<=[8]`, mesh axes) are kept with
// their parts, and `groups()` gives them as lists.
struct ReplicaGroups {
    enum class Notation : uint8_t { List, Iota, Mesh };

    Notation notation = Notation::List;
    std::vector<std::vector<int64_t>> lists; // List; empty is one group of all devices
    int64_t groupCount = 0; // Iota
    int64_t groupSize = 0; // Iota
    std::vector<int64_t> reshapeDimensions; // Iota
    std::vector<int64_t> transposePermutation; // Iota, empty when there is no T(...)
    Mesh mesh; // Mesh
    std::vector<AxisRef> axes; // Mesh: axes that vary inside a group, major first

    // Device ids by group. An empty List gives no groups: everyone belongs together.
    std::vector<std::vector<int64_t>> groups() const;
    // Members of the largest group; `deviceCount` for an empty List.
    int64_t sizeOfGroups(int64_t deviceCount) const;

    bool operator==(const ReplicaGroups&) const = default;
};

// `text` is the value of a `replica_groups=` attribute.
Expected<ReplicaGroups> parseReplicaGroups(std::string_view text);

} // namespace hloscope
