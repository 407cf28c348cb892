// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hlo/attribute_scanner.h"
#include "core/hlo/text_reader.h"

#include <string_view>
#include <vector>

namespace hloscope {

// Reads bodies of computations: instructions with their operands and attributes.
class BodyParser {
public:
    explicit BodyParser(TextReader& reader)
        : m_reader(reader), m_cursor(reader.cursor), m_builder(reader.builder), m_module(reader.module)
    {
    }

    // What ends a body.
    enum class End : uint8_t { Brace, Text };

    // Reads instructions up to the end, which is consumed. Wrong instructions are reported, and reading goes on with
    // the next one.
    void body(OpenComputation& open, End end);
    // Text that holds single instructions takes its operands from nowhere; they are no mistake then.
    void setLenientNames(bool lenient) { m_lenientNames = lenient; }
    // Fills in calls of computations that the text defines behind their callers. Call it when all are read.
    void resolveForwardCalls();

private:
    struct Called {
        ComputationId id; // invalid when the text defines it further down
        std::string_view name;
    };
    struct ForwardCall {
        uint32_t poolIndex;
        std::string_view name;
    };
    // Where the lists of the instruction being read begin in the scratch arrays.
    struct Marks {
        size_t operands;
        size_t attributes;
        size_t called;
    };

    bool instruction(OpenComputation& open);
    bool result(HloInstruction& op);
    bool startsShape();
    bool shape(ShapeId& id);
    bool opcodeAndOperands(OpenComputation& open, HloInstruction& op);
    bool payload(HloInstruction& op);
    void recover(const char* start);

    Marks marks() const { return {m_operands.size(), m_attributes.size(), m_called.size()}; }
    void drop(const Marks& marks);
    void commit(OpenComputation& open, HloInstruction& op, const Marks& marks, const char* at);
    IndexRange commitCalls(const Marks& marks);
    void wrapSugaredAsync(OpenComputation& open, HloInstruction& op, const Marks& marks);
    InstructionId standIn(OpenComputation& open, std::string_view name, ShapeId shape);

    bool operands(OpenComputation& open, HloInstruction& op);
    bool operand(OpenComputation& open, HloInstruction& op);
    InstructionId namedOperand(OpenComputation& open, std::string_view name, ShapeId type, const char* at);
    InstructionId tupleElement(OpenComputation& open, InstructionId tuple, std::string_view name,
                               std::string_view index);
    bool inlineOperand(OpenComputation& open, std::string_view opcode, ShapeId type, bool hasShape);

    bool attributes(HloInstruction& op);
    bool attribute(HloInstruction& op);
    bool plainValue(std::string_view& value, AttributeKind kind);
    bool swallowsInstruction(std::string_view value) const;
    bool computations(std::string_view& value);
    bool computationName();
    bool inlineBody();

    TextReader& m_reader;
    TextCursor& m_cursor;
    ModuleBuilder& m_builder;
    HloModule& m_module;
    bool m_lenientNames = false;
    bool m_missingBrace = false; // the head of a computation stands where an instruction should
    int m_depth = 0;
    uint32_t m_readSinceCheck = 0;
    uint32_t m_inlineNames = 0;
    // Lists of the instructions being read. They nest, so each instruction owns the part behind its marks.
    std::vector<InstructionId> m_operands;
    std::vector<Attribute> m_attributes;
    std::vector<Called> m_called;
    std::vector<ForwardCall> m_forwardCalls;
};

} // namespace hloscope
