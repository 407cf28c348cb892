// SPDX-License-Identifier: Apache-2.0
#include "core/hlo/name_table.h"

#include <bit>

namespace hloscope {

void NameTable::reserve(size_t count)
{
    const size_t slots = std::bit_ceil(count * 2 + 2);
    if (slots > m_slots.size())
        resize(slots);
}

void NameTable::grow()
{
    resize(m_slots.empty() ? 64 : m_slots.size() * 2);
}

void NameTable::resize(size_t slots)
{
    std::vector<Slot> old(slots);
    old.swap(m_slots);
    m_mask = slots - 1;
    for (const Slot& slot : old) {
        if (slot.next <= m_floor)
            continue;
        size_t i = slot.hash & m_mask;
        while (m_slots[i].next > m_floor)
            i = (i + 1) & m_mask;
        m_slots[i] = slot;
    }
}

} // namespace hloscope
