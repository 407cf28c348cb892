// SPDX-License-Identifier: Apache-2.0
#include "core/memory/live_range.h"

#include "core/memory/liveness.h"

namespace hloscope {

std::string toString(const HloModule& module, const BufferName& name)
{
    std::string text(module.instruction(name.instruction).name);
    text += '{';
    for (size_t i = 0; i < name.index.size(); ++i) {
        if (i > 0)
            text += ',';
        text += std::to_string(name.index[i]);
    }
    text += '}';
    return text;
}

Expected<LiveRangeReport> computeLiveRanges(const HloModule& module, Progress* progress)
{
    if (!module.isScheduled) {
        Diagnostic diagnostic = makeError(module.source ? module.source->path() : std::string(),
                                          "the module is not scheduled, so nothing says when a value is alive");
        diagnostic.hint = "give a module after optimisations (is_scheduled=true)";
        return diagnostic;
    }
    const Expected<Liveness> liveness = Liveness::compute(module, progress);
    if (!liveness)
        return liveness.error();
    return liveness->report();
}

} // namespace hloscope
