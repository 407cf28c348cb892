// SPDX-License-Identifier: Apache-2.0
#include "views/memory/memory_series.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace hloscope {

int64_t sumOf(const MemoryStack& stack)
{
    return std::accumulate(stack.begin(), stack.end(), int64_t{0});
}

int64_t MemorySeries::positionAt(double value) const
{
    if (stacks.empty())
        return 0;
    const auto after = std::upper_bound(x.begin(), x.end(), value);
    const auto position = std::distance(x.begin(), after) - 1;
    return std::clamp<int64_t>(position, 0, static_cast<int64_t>(stacks.size()) - 1);
}

MemorySeries memorySeries(const MemoryReport& report, const MemorySpace& space)
{
    const auto positions = static_cast<int64_t>(space.curve.size());
    std::vector<MemoryStack> changes(space.curve.size() + 1);
    for (const size_t index : space.buffers) {
        const Buffer& buffer = report.buffers[index];
        const int64_t begin = buffer.isStatic ? 0 : std::clamp<int64_t>(buffer.begin, 0, positions);
        const int64_t end = buffer.isStatic ? positions : std::clamp<int64_t>(buffer.end + 1, begin, positions);
        const auto kind = static_cast<size_t>(buffer.kind);
        changes[static_cast<size_t>(begin)][kind] += buffer.bytes;
        changes[static_cast<size_t>(end)][kind] -= buffer.bytes;
    }
    MemorySeries series;
    series.stacks.resize(space.curve.size());
    MemoryStack running{};
    for (size_t position = 0; position < series.stacks.size(); ++position) {
        for (size_t kind = 0; kind < kBufferKindCount; ++kind)
            running[kind] += changes[position][kind];
        series.stacks[position] = running;
    }
    series.x.resize(space.curve.size() + 1);
    std::iota(series.x.begin(), series.x.end(), 0.0);
    return series;
}

void placeInTime(MemorySeries& series, const MemoryReport& report, const Trace& trace,
                 const std::vector<EventId>& eventOf)
{
    const auto& sequence = report.liveRanges.sequence;
    double now = static_cast<double>(trace.span().first);
    for (size_t position = 0; position < series.stacks.size(); ++position) {
        const InstructionId id = position < sequence.size() ? sequence[position] : InstructionId();
        if (id.isValid() && id.index() < eventOf.size() && eventOf[id.index()].isValid())
            now = std::max(now, static_cast<double>(trace.begin(eventOf[id.index()])));
        series.x[position] = now;
    }
    series.x.back() = std::max(now, static_cast<double>(trace.span().second));
}

std::vector<MemoryStep> reduceToColumns(const MemorySeries& series, int columns)
{
    std::vector<MemoryStep> steps;
    const double width = series.xEnd() - series.xBegin();
    if (series.stacks.empty() || columns <= 0 || width <= 0)
        return steps;
    const double perColumn = width / columns;
    double lastColumn = -1;
    for (size_t position = 0; position < series.stacks.size(); ++position) {
        const double begin = series.x[position];
        const double end = series.x[position + 1];
        if (end <= begin)
            continue;
        const MemoryStack& stack = series.stacks[position];
        // A step that ends within the column that the last one began in shares that column.
        const double column = std::floor((begin - series.xBegin()) / perColumn);
        const bool sharesColumn = !steps.empty() && column == lastColumn && end - begin < perColumn;
        if (!steps.empty() && (sharesColumn || steps.back().stack == stack)) {
            MemoryStep& step = steps.back();
            step.end = end;
            if (sumOf(stack) > sumOf(step.stack))
                step.stack = stack;
        } else {
            steps.push_back({begin, end, stack});
        }
        lastColumn = column;
    }
    return steps;
}

} // namespace hloscope
