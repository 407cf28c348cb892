// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/level_of_detail.h"
#include "core/trace/trace.h"
#include "views/common/workspace.h"

#include <QString>

#include <optional>
#include <utility>
#include <vector>

namespace hloscope {

// What the card at the pointer says.
struct HoverText {
    OpCategory category = OpCategory::Host;
    QString title;
    QString duration;
    QString subtitle;
    std::vector<std::pair<QString, QString>> rows;
    QString footer;

    bool operator==(const HoverText&) const = default;
};

// What takes time to find out about an event: the decoder reads the file, self time looks at everything nested inside.
struct EventDetails {
    int64_t selfPs = 0;
    std::vector<Argument> arguments;
};
EventDetails detailsOf(const Trace& trace, EventId event); // on a worker

// `details` may still be missing.
HoverText describeEvent(const Workspace& workspace, const Trace& trace, EventId event,
                        const std::optional<EventDetails>& details);
HoverText describeRun(const Trace& trace, const LevelOfDetail::Mark& run);

} // namespace hloscope
