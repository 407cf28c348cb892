// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hlo/hlo_module.h"
#include "core/hlo/name_table.h"
#include "core/hlo/shape_parser.h"

#include <string_view>
#include <vector>

namespace hloscope {

// A computation whose instructions are being read. Instructions of the outermost one go straight into the module; those
// of a computation written inside another one are kept apart, numbered from 0, until the outer one is complete.
class OpenComputation {
public:
    explicit OpenComputation(std::vector<HloInstruction>& instructions, NameTable& names)
        : m_instructions(instructions), m_names(names), m_first(static_cast<uint32_t>(instructions.size()))
    {
        names.setFloor(m_first);
    }

    std::vector<HloInstruction>& instructions() { return m_instructions; }
    uint32_t first() const { return m_first; }
    uint32_t count() const { return static_cast<uint32_t>(m_instructions.size()) - m_first; }
    // An invalid id when the name is not defined yet.
    InstructionId find(std::string_view name) const;
    // False when the name stood for an instruction before; that one keeps it.
    bool add(const HloInstruction& instruction);

private:
    std::vector<HloInstruction>& m_instructions;
    NameTable& m_names;
    uint32_t m_first;
};

// Puts a module together: interns shapes, resolves names of called computations, and keeps the order of the arrays
// (instructions of a computation are neighbours, callees in front of callers) also where the text nests computations.
class ModuleBuilder {
public:
    explicit ModuleBuilder(HloModule& module);

    HloModule& module() { return m_module; }

    // The shape with this text, read on first sight. Gives an invalid id and the reason when it cannot be read.
    ShapeId shape(std::string_view text, ShapeError& error);
    ShapeId shape(Shape shape);
    // Stands for "not known".
    ShapeId unknownShape() const { return m_unknownShape; }
    // Keeps a string that does not stand in the source.
    std::string_view keep(std::string text);

    NameTable& scope() { return m_scope; }
    // Completes the computation; `open` must not be used afterwards. The id is final. At least one instruction.
    ComputationId addComputation(OpenComputation& open, HloComputation header);
    // Completes a computation that stands inside the one being read.
    ComputationId addNested(std::vector<HloInstruction> instructions, HloComputation header);
    ComputationId findComputation(std::string_view name) const;

private:
    struct Nested {
        std::vector<HloInstruction> instructions;
        HloComputation header;
    };

    std::string_view nameOf(uint32_t computation) const;
    void declare(std::string_view name, ComputationId id);
    void closeComputation(HloComputation& header, uint32_t first, uint32_t count, ComputationId id);
    void shiftOperands(const HloInstruction& instruction, uint32_t by);
    void placeNested(uint32_t first);

    HloModule& m_module;
    NameTable m_scope;
    NameTable m_computations;
    std::vector<Nested> m_nested; // waiting for the outermost computation that holds them
    NameTable m_shapesByText;
    std::vector<std::pair<std::string_view, ShapeId>> m_shapeTexts;
    NameTable m_shapesByCanonicalText;
    std::vector<std::string> m_canonicalTexts; // by ShapeId
    ShapeId m_unknownShape;
    std::string* m_block = nullptr; // of the arena
};

} // namespace hloscope
