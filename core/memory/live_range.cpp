// SPDX-License-Identifier: Apache-2.0
#include "core/memory/live_range.h"

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

Expected<LiveRangeReport> computeLiveRanges(const HloModule& module, Progress*)
{
    return makeError(module.name, "the live ranges of this module cannot be computed");
}

} // namespace hloscope
