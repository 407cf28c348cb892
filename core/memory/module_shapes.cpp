// SPDX-License-Identifier: Apache-2.0
#include "core/memory/module_shapes.h"

#include <algorithm>

namespace hloscope {

ModuleShapes::ModuleShapes(const HloModule& module) : m_module(module)
{
    m_ranges.reserve(module.shapes.size());
    for (const Shape& shape : module.shapes) {
        const uint32_t begin = static_cast<uint32_t>(m_slots.size());
        append(shape, begin, 0, 0);
        m_ranges.push_back({begin, static_cast<uint32_t>(m_slots.size()) - begin});
    }
}

// Recursion is as deep as the shape, which the readers bound.
void ModuleShapes::append(const Shape& shape, uint32_t base, uint32_t parent, uint32_t ordinal)
{
    const size_t at = m_slots.size();
    ShapeSlot slot;
    slot.shape = &shape;
    slot.parent = parent;
    slot.ordinal = ordinal;
    slot.firstChild = static_cast<uint32_t>(m_children.size());
    m_slots.push_back(slot);
    if (!shape.isTuple())
        return;
    const uint32_t own = static_cast<uint32_t>(at) - base;
    m_children.resize(m_children.size() + shape.elements.size());
    for (uint32_t i = 0; i < shape.elements.size(); ++i) {
        m_children[slot.firstChild + i] = static_cast<uint32_t>(m_slots.size()) - base;
        append(shape.elements[i], base, own, i);
    }
    m_slots[at].count = static_cast<uint32_t>(m_slots.size() - at);
}

std::span<const ShapeSlot> ModuleShapes::slots(ShapeId id) const
{
    const IndexRange range = m_ranges[id.index()];
    return {m_slots.data() + range.begin, range.count};
}

int64_t ModuleShapes::childSlot(ShapeId id, uint32_t slot, int64_t child) const
{
    const ShapeSlot& parent = slots(id)[slot];
    if (!parent.isTuple() || child < 0 || static_cast<size_t>(child) >= parent.shape->elements.size())
        return -1;
    return m_children[parent.firstChild + static_cast<size_t>(child)];
}

int64_t ModuleShapes::slotOf(ShapeId id, std::span<const int64_t> index) const
{
    int64_t slot = 0;
    for (const int64_t element : index) {
        slot = childSlot(id, static_cast<uint32_t>(slot), element);
        if (slot < 0)
            return -1;
    }
    return slot;
}

std::vector<int64_t> ModuleShapes::indexOf(ShapeId id, uint32_t slot) const
{
    const std::span<const ShapeSlot> all = slots(id);
    std::vector<int64_t> index;
    for (; slot != 0; slot = all[slot].parent)
        index.push_back(all[slot].ordinal);
    std::ranges::reverse(index);
    return index;
}

} // namespace hloscope
