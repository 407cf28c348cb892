// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/support/expected.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hloscope {

// A named mesh, `mesh['x'=2,'y'=4]`: axes from major to minor and the order of the devices in it.
struct Mesh {
    struct Axis {
        std::string name;
        int64_t size = 1;

        bool operator==(const Axis&) const = default;
    };
    std::vector<Axis> axes;
    std::vector<int64_t> deviceIds; // row-major over the axes; empty for 0, 1, 2, ...

    bool operator==(const Mesh&) const = default;
};

// One axis of a mesh, or the middle factor of it: with (m)k an axis of size n is seen as [m, k, n/(m*k)].
struct AxisRef {
    size_t axis = 0; // index into Mesh::axes
    int64_t preSize = 1;
    int64_t size = 0; // 0 is the whole axis

    bool operator==(const AxisRef&) const = default;
};

// How a value is spread over devices: XLA's V1 form (tile assignment), the named V2 form, or a tuple of shardings.
struct Sharding {
    enum class Kind : uint8_t { Replicated, Maximal, Manual, Unknown, Unreduced, Tiled, Named, Tuple };

    Kind kind = Kind::Unknown;
    std::vector<int64_t> tileDimensions; // Tiled: parts per dimension, subgroup dimensions last
    std::vector<int64_t> devices; // Tiled: device ids row-major over tileDimensions; Maximal: the one device
    std::vector<Kind> subgroupKinds; // Tiled: kinds of the last tile dimensions
    Mesh mesh; // Named
    std::vector<std::vector<AxisRef>> dimensionAxes; // Named: axes per dimension, major first
    std::vector<bool> openDimensions; // Named: may be sharded further
    std::vector<AxisRef> replicatedAxes; // Named
    std::vector<AxisRef> unreducedAxes; // Named
    std::vector<Sharding> elements; // Tuple: one per leaf

    // Parts that a dimension of the value is cut into; 1 where it is whole.
    int64_t partsOf(size_t dimension) const;

    bool operator==(const Sharding&) const = default;
};

// `text` is the value of a `sharding=` attribute, braces included.
Expected<Sharding> parseSharding(std::string_view text);

} // namespace hloscope
