// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/xspace_index.h"
#include "core/formats/xspace_modules.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace hloscope {

// Gives the events of one plane their kinds. On TPU planes the metadata of an event names one instruction of one
// program. On CPU and GPU planes it is shared by everything of the same name (a kernel, a thunk), and the event itself
// says in its stats `hlo_op`, `hlo_module` and `program_id` what it belongs to: there one metadata becomes several
// kinds, one for each instruction. Kinds are made when their first event comes.
class XPlaneKinds {
public:
    XPlaneKinds(const XPlaneIndex& plane, const ProgramTable& programs, TraceBuilder& builder, WireProblems& problems);

    // The events that follow stand on the line of this name.
    void setLine(std::string_view name);
    // `event` is the whole XEvent message.
    EventKindId kindOf(int64_t metadataId, std::string_view event);

private:
    // What an event says about the instruction it ran.
    struct Op {
        std::optional<uint64_t> programId;
        std::string_view name;
        std::string_view module;

        bool isSet() const { return programId.has_value() || !name.empty(); }
        bool operator==(const Op&) const = default;
    };
    struct OpHash {
        size_t operator()(const Op& op) const;
    };
    struct Entry {
        bool isDecided = false;
        bool isPerOp = false; // decided by the first event
        EventKindId kind; // of all events, or the last one that was looked up
        Op op; // of `kind`
        std::unordered_map<Op, EventKindId, OpHash> kinds;
    };

    Entry& entryOf(int64_t metadataId);
    Op opOf(std::string_view event) const;
    EventKindId addKind(int64_t metadataId, const Op& op);
    void link(EventKind& kind, const Op& op, std::string_view hloCategory) const;

    const XPlaneIndex& m_plane;
    const ProgramTable& m_programs;
    TraceBuilder& m_builder;
    WireProblems& m_problems;
    bool m_isDevice;
    bool m_isOpLine = false;
    std::vector<int64_t> m_opStats; // ids of the stats that make an Op
    std::vector<Entry> m_dense; // ids from 0 on, as files normally have them
    std::unordered_map<int64_t, Entry> m_sparse;
};

} // namespace hloscope
