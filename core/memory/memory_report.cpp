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
        m_isReturned.assign(m_ranges.size(), false);
        const InstructionId root = m_module.entryComputation().root;
        for (uint32_t slot = 0; slot < m_liveness.shapes().slots(root).size(); ++slot) {
            for (const ValueId value : dataflow.at(root, slot))
                m_isReturned[value] = true;
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
            m_groups[group].isStatic = m_groups[group].isStatic || m_isReturned[value]
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

    void sortByBegin(std::vector<ValueId>& values) const
    {
        std::ranges::sort(values, [this](ValueId a, ValueId b) {
            return std::tie(m_ranges[a].begin, m_ranges[a].end, a) < std::tie(m_ranges[b].begin, m_ranges[b].end, b);
        });
    }

    int64_t largest(const std::vector<ValueId>& values) const
    {
        int64_t bytes = 0;
        for (const ValueId value : values)
            bytes = std::max(bytes, bytesOf(value));
        return bytes;
    }

    Buffer makeBuffer(ValueId named, int64_t bytes, int64_t begin, int64_t end) const
    {
        Buffer buffer;
        buffer.name = m_report.liveRanges.ranges[m_reportIndex[named]].buffer;
        buffer.space = m_liveness.shapeOf(named).memorySpace();
        buffer.bytes = bytes;
        buffer.begin = begin;
        buffer.end = end;
        return buffer;
    }

    void addStaticBuffers()
    {
        for (Group& group : m_groups) {
            if (!group.isStatic)
                continue;
            sortByBegin(group.values);
            const BufferKind kind = m_kinds.ofStatic(group.values);
            ValueId named = group.values.front();
            if (kind == BufferKind::Output)
                named = *std::ranges::find_if(group.values, [this](ValueId value) { return m_isReturned[value]; });
            Buffer buffer = makeBuffer(named, largest(group.values), 0, m_liveness.schedule().end());
            buffer.kind = kind;
            buffer.isStatic = true;
            for (const ValueId value : group.values)
                buffer.values.push_back(m_reportIndex[value]);
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
            const bool isInHbm = m_liveness.shapeOf(values.front()).memorySpace() == 0;
            const bool isInLoop = std::ranges::any_of(values, [this](ValueId v) { return m_kinds.isCarried(v); });
            sortByBegin(values);
            if (isInHbm)
                addShared(values, isInLoop);
            else
                addApart(values, isInLoop);
        }
    }

    // On chip every value has its own place, so that both sides of an in-place op count for one step.
    void addApart(const std::vector<ValueId>& values, bool isInLoop)
    {
        for (const ValueId value : values) {
            Buffer buffer = makeBuffer(value, bytesOf(value), m_ranges[value].begin, m_ranges[value].end);
            buffer.kind = m_kinds.ofTemporary(value, isInLoop);
            buffer.values.push_back(m_reportIndex[value]);
            add(std::move(buffer));
        }
    }

    // In HBM the values take turns in one place, as large as the largest: each has it until the next one begins, and
    // the place is free while none of them is alive.
    void addShared(const std::vector<ValueId>& values, bool isInLoop)
    {
        const int64_t bytes = largest(values);
        int64_t end = -1; // of all values so far
        std::vector<size_t> inside;
        for (size_t i = 0; i < values.size(); ++i) {
            const ValueId value = values[i];
            end = std::max(end, m_ranges[value].end);
            inside.push_back(m_reportIndex[value]);
            const int64_t next = i + 1 < values.size() ? m_ranges[values[i + 1]].begin : INT64_MAX;
            if (next == m_ranges[value].begin)
                continue; // two at once: the later one names the buffer
            Buffer buffer = makeBuffer(value, bytes, m_ranges[value].begin, std::min(end, next - 1));
            buffer.kind = m_kinds.ofTemporary(value, isInLoop);
            buffer.values = std::move(inside);
            inside.clear();
            add(std::move(buffer));
        }
    }

    void add(Buffer buffer)
    {
        if (buffer.bytes > 0)
            m_report.buffers.push_back(std::move(buffer));
    }

    // By size, then by name as XLA lists them, so that every list of indices in ascending order is in that order too.
    void sortBuffers()
    {
        std::ranges::stable_sort(m_report.buffers, [this](const Buffer& a, const Buffer& b) {
            if (a.bytes != b.bytes)
                return a.bytes > b.bytes;
            const std::string_view nameA = m_module.instruction(a.name.instruction).name;
            const std::string_view nameB = m_module.instruction(b.name.instruction).name;
            return std::tie(nameA, a.name.index) < std::tie(nameB, b.name.index);
        });
    }

    void buildSpaces()
    {
        sortBuffers();
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
    std::vector<bool> m_isReturned; // by ValueId: in the result of the program
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
