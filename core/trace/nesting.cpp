// SPDX-License-Identifier: Apache-2.0
#include "core/trace/nesting.h"

#include <algorithm>
#include <limits>

namespace hloscope {
namespace {

constexpr size_t kMaxSearchedSlots = 1024;
constexpr size_t kLastDepth = 255;

// What is going on at the time reached so far: one event per depth.
class OpenEvents {
public:
    struct Place {
        size_t depth = 0;
        uint32_t parent = Trace::kNoParent;
    };

    Place add(uint32_t event, int64_t begin, int64_t end)
    {
        while (!m_slots.empty() && m_slots.back().end <= begin)
            m_slots.pop_back();
        if (m_slots.size() <= m_orderedBelow)
            m_orderedBelow = kAll;
        // As long as the events nest, the deepest one began last.
        if (m_slots.empty() || (m_orderedBelow == kAll && m_slots.back().end >= end)) {
            const Place place{m_slots.size(), m_slots.empty() ? Trace::kNoParent : m_slots.back().event};
            m_slots.push_back({end, event});
            return place;
        }
        return addBeside(event, begin, end);
    }

    bool hasOverlaps() const { return m_overlaps; }

private:
    struct Slot {
        int64_t end;
        uint32_t event;
    };
    static constexpr size_t kAll = std::numeric_limits<size_t>::max();

    Place addBeside(uint32_t event, int64_t begin, int64_t end)
    {
        const size_t searched = m_slots.size() > kMaxSearchedSlots ? m_slots.size() - kMaxSearchedSlots : 0;
        Place place{searched, Trace::kNoParent};
        m_overlaps = true;
        for (size_t i = searched; i < m_slots.size(); ++i) {
            const Slot& slot = m_slots[i];
            const bool holds = slot.end > begin && slot.end >= end;
            if (holds && (place.parent == Trace::kNoParent || slot.event > place.parent)) {
                place.parent = slot.event;
                place.depth = i + 1;
            }
        }
        while (place.depth < m_slots.size() && m_slots[place.depth].end > begin)
            ++place.depth;
        if (place.depth == m_slots.size()) {
            m_slots.push_back({end, event});
        } else {
            m_slots[place.depth] = {end, event};
            m_orderedBelow = std::min(m_orderedBelow, place.depth + 1);
        }
        return place;
    }

    std::vector<Slot> m_slots; // by depth; an event that has ended leaves its slot free
    bool m_overlaps = false;
    size_t m_orderedBelow = kAll; // events of the slots from here on may have begun before those above them
};

} // namespace

int64_t assignNesting(Trace& trace, Track& track)
{
    OpenEvents open;
    int64_t lastEnd = std::numeric_limits<int64_t>::min();
    size_t deepest = 0;
    for (uint32_t i = track.events.begin; i < track.events.end(); ++i) {
        const int64_t begin = trace.begins[i];
        const int64_t end = begin + trace.durations[i];
        const OpenEvents::Place place = open.add(i, begin, end);
        const size_t depth = std::min(place.depth, kLastDepth);
        trace.depths[i] = static_cast<uint8_t>(depth);
        trace.parents[i] = place.parent;
        deepest = std::max(deepest, depth);
        lastEnd = std::max(lastEnd, end);
    }
    track.depth = track.events.empty() ? 0 : static_cast<uint16_t>(deepest + 1);
    track.overlaps = open.hasOverlaps();
    return lastEnd;
}

} // namespace hloscope
