// SPDX-License-Identifier: Apache-2.0
#include "core/memory/memory_report.h"

namespace hloscope {

std::vector<size_t> MemoryReport::liveAt(const MemorySpace&, int64_t) const
{
    return {};
}

Expected<MemoryReport> analyseMemory(const HloModule& module, Progress* progress)
{
    Expected<LiveRangeReport> ranges = computeLiveRanges(module, progress);
    if (!ranges)
        return ranges.error();
    MemoryReport report;
    report.liveRanges = *std::move(ranges);
    return report;
}

} // namespace hloscope
