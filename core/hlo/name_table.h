// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace hloscope {

// Hash table from names to indices of an array that holds the names. It stores 8 bytes per slot and no copy of a name;
// `nameOf(index)` must give the name that stood there when the index was inserted. Open addressing, at most half full.
//
// Indices below the `floor` count as absent. A scope that fills up with ever larger indices is thus emptied in O(1) by
// raising the floor to the next index.
class NameTable {
public:
    static constexpr uint32_t kNone = UINT32_MAX;

    void reserve(size_t count);
    void setFloor(uint32_t floor)
    {
        m_floor = floor;
        m_count = 0;
    }

    template <class NameOf> uint32_t find(std::string_view name, uint32_t hash, const NameOf& nameOf) const
    {
        if (m_slots.empty())
            return kNone;
        for (size_t i = hash & m_mask;; i = (i + 1) & m_mask) {
            const Slot slot = m_slots[i];
            if (slot.next <= m_floor)
                return kNone;
            if (slot.hash == hash && nameOf(slot.next - 1) == name)
                return slot.next - 1;
        }
    }
    // Adds the index unless the name is there; gives the index that the name has from now on.
    template <class NameOf> uint32_t insert(std::string_view name, uint32_t hash, uint32_t index, const NameOf& nameOf)
    {
        if ((m_count + 1) * 2 > m_slots.size())
            grow();
        for (size_t i = hash & m_mask;; i = (i + 1) & m_mask) {
            Slot& slot = m_slots[i];
            if (slot.next <= m_floor) {
                slot = {hash, index + 1};
                ++m_count;
                return index;
            }
            if (slot.hash == hash && nameOf(slot.next - 1) == name)
                return slot.next - 1;
        }
    }

private:
    struct Slot {
        uint32_t hash = 0;
        uint32_t next = 0; // index + 1; 0 is free
    };

    void grow();
    void resize(size_t slots);

    std::vector<Slot> m_slots;
    size_t m_mask = 0;
    size_t m_count = 0;
    uint32_t m_floor = 0;
};

} // namespace hloscope
