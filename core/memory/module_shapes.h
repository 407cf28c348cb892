// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hlo/hlo_module.h"

#include <cstdint>
#include <span>
#include <vector>

namespace hloscope {

// A sub-shape in the flat list of all sub-shapes of one shape. The list is in the order of XLA's tuple indices, parents
// first: {}, {0}, {0,0}, {0,1}, {1}. So a sub-shape with everything below it is one run of slots.
struct ShapeSlot {
    const Shape* shape = nullptr;
    uint32_t parent = 0; // slot of the tuple around it; {} is its own parent
    uint32_t ordinal = 0; // which element of the parent
    uint32_t count = 1; // slots of this sub-shape, itself included
    uint32_t firstChild = 0; // into ModuleShapes' list of children

    bool isTuple() const { return shape->isTuple(); }
};

// The slots of every shape of a module. Dataflow numbers values by slot instead of by tuple index, so that passing on a
// tuple is a copy of a run.
class ModuleShapes {
public:
    explicit ModuleShapes(const HloModule& module);

    std::span<const ShapeSlot> slots(ShapeId id) const;
    std::span<const ShapeSlot> slots(InstructionId id) const { return slots(m_module.instruction(id).shape); }
    // Slot of element `child` of the tuple at `slot`; -1 when there is no such element.
    int64_t childSlot(ShapeId id, uint32_t slot, int64_t child) const;
    // -1 when the shape has no such index.
    int64_t slotOf(ShapeId id, std::span<const int64_t> index) const;
    std::vector<int64_t> indexOf(ShapeId id, uint32_t slot) const;

private:
    void append(const Shape& shape, uint32_t base, uint32_t parent, uint32_t ordinal);

    const HloModule& m_module;
    std::vector<IndexRange> m_ranges; // by ShapeId
    std::vector<ShapeSlot> m_slots;
    std::vector<uint32_t> m_children;
};

} // namespace hloscope
