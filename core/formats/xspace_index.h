// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/wire_problems.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace hloscope {

// A serialised message inside of the file.
struct WireSlice {
    std::string_view bytes;
    uint64_t offset = 0; // of the first byte
};

using XStatNames = std::unordered_map<int64_t, std::string_view>; // by id of the stat metadata

// One decoded XStat.
struct XStat {
    enum class Kind : uint8_t { None, Double, Unsigned, Signed, Text, Bytes };
    int64_t nameId = 0;
    std::string_view name; // empty when its metadata is missing
    Kind kind = Kind::None;
    uint64_t bits = 0; // of the number
    std::string_view text; // references are resolved; empty when what they refer to is missing

    // Integers, and text that is a decimal integer.
    std::optional<uint64_t> integer() const;
    Argument toArgument() const;
};
XStat decodeXStat(std::string_view bytes, const XStatNames& names);

// Where the parts of one plane are in the file, and its tables of names. Events are not looked at.
struct XPlaneIndex {
    struct EventMetadata {
        int64_t id = 0;
        WireSlice message;
    };
    WireSlice message;
    int64_t id = 0;
    std::string_view name;
    std::vector<WireSlice> lines;
    std::vector<WireSlice> stats;
    std::vector<EventMetadata> eventMetadata; // in the order of the file, each id once: the last one counts
    std::unordered_map<int64_t, uint32_t> eventMetadataById; // index into eventMetadata
    XStatNames statNames;

    const EventMetadata* findEventMetadata(int64_t metadataId) const;
};
XPlaneIndex indexXPlane(WireSlice plane, WireProblems& problems);

// "logs/host0.xplane.pb" -> "host0", for profiles that do not name their host.
std::string nameOfFile(std::string_view path);

} // namespace hloscope
