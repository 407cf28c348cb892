// SPDX-License-Identifier: Apache-2.0
#include "core/memory/memory_report.h"

#include "core/memory/aliasing_operands.h"
#include "core/memory/buffer_kind.h"
#include "core/memory/liveness.h"
#include "core/memory/saturating.h"
#include "core/tiling/physical_layout.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

namespace hloscope {

namespace {

constexpr int64_t kTupleTableGranule = 512; // bytes; XLA rounds the tables of outputs up to this

// Buffers of a module from its values: first the sets that must share, then what aliasing_operands adds.
class ReportBuilder {
public:
    ReportBuilder(const HloModule& module, const Liveness& liveness)
        : m_module(module)
        , m_liveness(liveness)
        , m_ranges(liveness.ranges())
        , m_hasNoBytes(liveness.ranges().size(), false)
        , m_kinds(liveness)
    {
    }

    MemoryReport build()
    {
        m_report.liveRanges = m_liveness.report();
        m_report.isScheduled = m_module.isScheduled;
        m_reportIndex.assign(m_ranges.size(), 0);
        size_t next = 0;
        for (ValueId value = 0; value < m_ranges.size(); ++value) {
            if (m_ranges[value].isKnown())
                m_reportIndex[value] = next++;
        }
        extendConcatenatedPieces();
        collectGroups();
        shareDeclaredAliases();
        addStaticBuffers();
        addTemporaries();
        buildSpaces();
        return std::move(m_report);
    }

private:
    struct Group {
        std::vector<ValueId> values; // ascending
        bool isStatic = false;
        bool isOutput = false;
    };

    int64_t bytesOf(ValueId value) const { return m_hasNoBytes[value] ? 0 : bytesOf(m_liveness.shapeOf(value)); }
    static int64_t bytesOf(const Shape& shape)
    {
        const int64_t bytes = paddedByteSize(shape);
        if (!shape.isTuple())
            return bytes;
        return (bytes + kTupleTableGranule - 1) / kTupleTableGranule * kTupleTableGranule;
    }

    // The result of ConcatBitcast lies in its operands, which live on as long as it does.
    void extendConcatenatedPieces()
    {
        for (ValueId value = 0; value < m_ranges.size(); ++value) {
            const InstructionId creator = m_liveness.dataflow().values()[value].instruction;
            if (!m_ranges[value].isKnown() || m_module.instruction(creator).opcode != Opcode::CustomCall
                || m_module.attribute(creator, "custom_call_target") != "\"ConcatBitcast\"")
                continue;
            m_hasNoBytes[value] = true;
            for (const InstructionId operand : m_module.operands(creator)) {
                const int64_t piece = m_liveness.dataflow().valueAt(operand, 0);
                if (piece >= 0 && m_ranges[static_cast<size_t>(piece)].isKnown()) {
                    int64_t& end = m_ranges[static_cast<size_t>(piece)].end;
                    end = std::max(end, m_ranges[value].end);
                }
            }
        }
    }

    void collectGroups()
    {
        const Dataflow& dataflow = m_liveness.dataflow();
        std::vector<bool> isReturned(m_ranges.size(), false);
        const InstructionId root = m_module.entryComputation().root;
        for (uint32_t slot = 0; slot < m_liveness.shapes().slots(root).size(); ++slot) {
            for (const ValueId value : dataflow.at(root, slot))
                isReturned[value] = true;
        }
        m_groupOf.assign(m_ranges.size(), UINT32_MAX);
        for (ValueId value = 0; value < m_ranges.size(); ++value) {
            if (!m_ranges[value].isKnown())
                continue;
            uint32_t& group = m_groupOf[m_liveness.sets().find(value)];
            if (group == UINT32_MAX) {
                group = static_cast<uint32_t>(m_groups.size());
                m_groups.emplace_back();
            }
            m_groups[group].values.push_back(value);
            const InstructionId creator = dataflow.values()[value].instruction;
            m_groups[group].isOutput = m_groups[group].isOutput || isReturned[value];
            m_groups[group].isStatic = m_groups[group].isStatic || isReturned[value]
                || m_module.instruction(creator).opcode == Opcode::Constant || m_liveness.isEntryParameter(value);
        }
        m_mergedInto.resize(m_groups.size());
        std::iota(m_mergedInto.begin(), m_mergedInto.end(), 0u);
    }

    uint32_t groupOf(ValueId value) const { return merged(m_groupOf[m_liveness.sets().find(value)]); }
    uint32_t merged(uint32_t group) const
    {
        while (m_mergedInto[group] != group)
            group = m_mergedInto[group];
        return group;
    }

    std::vector<int64_t> arraysOf(InstructionId id) const
    {
        std::vector<int64_t> values;
        const auto slots = m_liveness.shapes().slots(id);
        for (uint32_t slot = 0; slot < slots.size(); ++slot) {
            if (!slots[slot].isTuple())
                values.push_back(m_liveness.dataflow().valueAt(id, slot));
        }
        return values;
    }

    // An op writes its result over an operand that ends there, as the compiler wrote down.
    void shareDeclaredAliases()
    {
        for (const InstructionId id : m_liveness.schedule().sequence) {
            const Opcode opcode = m_module.instruction(id).opcode;
            const std::optional<std::string_view> config = m_module.attribute(id, "backend_config");
            if (!config || opcode == Opcode::While || opcode == Opcode::Conditional)
                continue;
            const auto lists = parseAliasingOperands(*config);
            if (lists.empty())
                continue;
            std::vector<int64_t> arrays;
            for (const InstructionId operand : m_module.operands(id)) {
                const std::vector<int64_t> more = arraysOf(operand);
                arrays.insert(arrays.end(), more.begin(), more.end());
            }
            const size_t operandCount = arrays.size();
            const std::vector<int64_t> results = arraysOf(id);
            arrays.insert(arrays.end(), results.begin(), results.end());
            for (const std::vector<int64_t>& list : lists)
                shareList(list, arrays, operandCount);
        }
    }

    void shareList(const std::vector<int64_t>& list, const std::vector<int64_t>& arrays, size_t operandCount)
    {
        const auto known = [&](int64_t number) {
            if (number < 0 || static_cast<size_t>(number) >= arrays.size())
                return false;
            const int64_t value = arrays[static_cast<size_t>(number)];
            return value >= 0 && m_ranges[static_cast<size_t>(value)].isKnown();
        };
        for (const int64_t from : list) {
            for (const int64_t to : list) {
                if (!known(from) || !known(to) || static_cast<size_t>(from) >= operandCount
                    || static_cast<size_t>(to) < operandCount)
                    continue;
                const ValueId operand = static_cast<ValueId>(arrays[static_cast<size_t>(from)]);
                const ValueId result = static_cast<ValueId>(arrays[static_cast<size_t>(to)]);
                const uint32_t a = groupOf(operand);
                const uint32_t b = groupOf(result);
                if (a != b && !m_groups[a].isStatic && !m_groups[b].isStatic
                    && m_ranges[operand].end <= m_ranges[result].begin)
                    m_mergedInto[a] = b;
            }
        }
    }

    Buffer makeBuffer(std::vector<ValueId> values, bool isOutput)
    {
        std::ranges::sort(values, [this](ValueId a, ValueId b) {
            return std::tie(m_ranges[a].begin, m_ranges[a].end, a) < std::tie(m_ranges[b].begin, m_ranges[b].end, b);
        });
        Buffer buffer;
        buffer.kind = m_kinds.of(values, isOutput);
        buffer.begin = m_ranges[values.front()].begin;
        for (const ValueId value : values) {
            buffer.bytes = std::max(buffer.bytes, bytesOf(value));
            buffer.end = std::max(buffer.end, m_ranges[value].end);
            buffer.values.push_back(m_reportIndex[value]);
        }
        const bool namedByLast = buffer.kind == BufferKind::Output;
        const size_t named = namedByLast ? buffer.values.back() : buffer.values.front();
        buffer.name = m_report.liveRanges.ranges[named].buffer;
        buffer.space = m_liveness.shapeOf(values.front()).memorySpace();
        return buffer;
    }

    void addStaticBuffers()
    {
        for (const Group& group : m_groups) {
            if (!group.isStatic)
                continue;
            Buffer buffer = makeBuffer(group.values, group.isOutput);
            buffer.isStatic = true;
            buffer.begin = 0;
            buffer.end = m_liveness.schedule().end();
            add(std::move(buffer));
        }
    }

    void addTemporaries()
    {
        std::vector<std::vector<ValueId>> merges(m_groups.size());
        for (uint32_t i = 0; i < m_groups.size(); ++i) {
            // Tuple tables count only where they are outputs.
            if (!m_groups[i].isStatic && !m_liveness.shapeOf(m_groups[i].values.front()).isTuple()) {
                std::vector<ValueId>& values = merges[merged(i)];
                values.insert(values.end(), m_groups[i].values.begin(), m_groups[i].values.end());
            }
        }
        for (std::vector<ValueId>& values : merges) {
            if (values.empty())
                continue;
            if (m_liveness.shapeOf(values.front()).memorySpace() == 0) {
                addHbmBuffers(std::move(values));
                continue;
            }
            // On chip every value has its own place, so that both sides of an in-place op count for one step.
            for (const ValueId value : values)
                add(makeBuffer({value}, false));
        }
    }

    // One buffer for each stretch of time in which some value of the set is alive; all as large as the largest value.
    void addHbmBuffers(std::vector<ValueId> values)
    {
        std::ranges::sort(values, [this](ValueId a, ValueId b) {
            return std::tie(m_ranges[a].begin, m_ranges[a].end, a) < std::tie(m_ranges[b].begin, m_ranges[b].end, b);
        });
        int64_t bytes = 0;
        for (const ValueId value : values)
            bytes = std::max(bytes, bytesOf(value));
        for (size_t first = 0; first < values.size();) {
            int64_t end = m_ranges[values[first]].end;
            size_t last = first + 1;
            for (; last < values.size() && m_ranges[values[last]].begin <= end; ++last)
                end = std::max(end, m_ranges[values[last]].end);
            Buffer buffer = makeBuffer(
                {values.begin() + static_cast<ptrdiff_t>(first), values.begin() + static_cast<ptrdiff_t>(last)}, false);
            buffer.bytes = bytes;
            add(std::move(buffer));
            first = last;
        }
    }

    void add(Buffer buffer)
    {
        if (buffer.bytes > 0)
            m_report.buffers.push_back(std::move(buffer));
    }

    void buildSpaces()
    {
        std::map<int64_t, MemorySpace> spaces;
        spaces[0].space = 0;
        for (size_t i = 0; i < m_report.buffers.size(); ++i) {
            MemorySpace& space = spaces[m_report.buffers[i].space];
            space.space = m_report.buffers[i].space;
            space.buffers.push_back(i);
        }
        int64_t staticBytes = 0;
        int64_t temporaries = 0;
        for (auto& [number, space] : spaces) {
            fillCurve(space);
            staticBytes = addSaturated(staticBytes, space.staticBytes);
            temporaries = std::max(temporaries, space.peakBytes - space.staticBytes);
            m_report.spaces.push_back(std::move(space));
        }
        m_report.totalPeakBytes = addSaturated(staticBytes, temporaries);
        std::ranges::stable_sort(m_report.spaces, [](const MemorySpace& a, const MemorySpace& b) {
            return std::tuple(a.space != 0, a.space) < std::tuple(b.space != 0, b.space);
        });
        for (MemorySpace& space : m_report.spaces)
            space.liveAtPeak = m_report.liveAt(space, space.peakPosition);
    }

    void fillCurve(MemorySpace& space) const
    {
        const size_t positions = m_liveness.schedule().sequence.size();
        std::vector<int64_t> change(positions + 2, 0);
        for (const size_t index : space.buffers) {
            const Buffer& buffer = m_report.buffers[index];
            if (buffer.isStatic) {
                space.staticBytes = addSaturated(space.staticBytes, buffer.bytes);
                continue;
            }
            int64_t& begin = change[static_cast<size_t>(buffer.begin)];
            int64_t& end = change[static_cast<size_t>(buffer.end) + 1];
            begin = addSaturated(begin, buffer.bytes);
            end = addSaturated(end, -buffer.bytes);
        }
        space.curve.resize(positions);
        space.peakBytes = space.staticBytes;
        int64_t inUse = space.staticBytes;
        for (size_t position = 0; position < positions; ++position) {
            inUse = addSaturated(inUse, change[position]);
            space.curve[position] = inUse;
            if (inUse > space.peakBytes) {
                space.peakBytes = inUse;
                space.peakPosition = static_cast<int64_t>(position);
            }
        }
    }

    const HloModule& m_module;
    const Liveness& m_liveness;
    std::vector<Liveness::Range> m_ranges; // by ValueId; longer than XLA's where pieces are joined
    std::vector<bool> m_hasNoBytes; // by ValueId
    std::vector<size_t> m_reportIndex; // by ValueId: into LiveRangeReport::ranges
    BufferKinds m_kinds;
    std::vector<Group> m_groups;
    std::vector<uint32_t> m_groupOf; // by ValueId of the set's representative
    std::vector<uint32_t> m_mergedInto; // by group
    MemoryReport m_report;
};

} // namespace

std::vector<size_t> MemoryReport::liveAt(const MemorySpace& space, int64_t position) const
{
    std::vector<size_t> live;
    for (const size_t index : space.buffers) {
        if (buffers[index].begin <= position && position <= buffers[index].end)
            live.push_back(index);
    }
    std::ranges::stable_sort(live, [this](size_t a, size_t b) { return buffers[a].bytes > buffers[b].bytes; });
    return live;
}

Expected<MemoryReport> analyseMemory(const HloModule& module, Progress* progress)
{
    const Expected<Liveness> liveness = Liveness::compute(module, progress);
    if (!liveness)
        return liveness.error();
    return ReportBuilder(module, *liveness).build();
}

} // namespace hloscope
