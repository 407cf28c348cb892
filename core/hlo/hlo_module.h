// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hlo/name_table.h"
#include "core/hlo/opcode.h"
#include "core/hlo/replica_groups.h"
#include "core/hlo/shape.h"
#include "core/hlo/sharding.h"
#include "core/support/diagnostic.h"
#include "core/support/file_bytes.h"
#include "core/support/typed_id.h"

#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hloscope {

using InstructionId = TypedId<struct InstructionTag>; // index into HloModule::instructions
using ComputationId = TypedId<struct ComputationTag>; // index into HloModule::computations
using ShapeId = TypedId<struct ShapeTag>; // index into HloModule::shapes
using StackFrameId = TypedId<struct StackFrameTag>; // index into HloModule::stackFrames
using ShardingId = TypedId<struct ShardingTag>;
using ReplicaGroupsId = TypedId<struct ReplicaGroupsTag>;

// `key=value` behind the operands of an instruction, in the order of the file. The value is the exact text after the
// `=`; it is taken apart on demand by the functions of attributes.h.
struct Attribute {
    std::string_view key;
    std::string_view value;
};

// One instruction. All text views point into HloModule::source or its arena; ranges point into the module's pools.
struct HloInstruction {
    enum Flag : uint8_t {
        IsRoot = 1,
        IsSugaredAsync = 2, // written `slice-start(...)`: an async op whose wrapped computation the text leaves out
        HasOperandShapes = 4, // operands are written with their shapes, as before 2025
        // Not an instruction of its own in the text: one written inside the operand list of its user, or the stand-in
        // for an operand that is not defined (opcode Unknown, opcodeText empty).
        IsInline = 8,
        HasResultShape = 16, // the text states the shape of the result
    };

    std::string_view name; // without %
    std::string_view opcodeText; // as the file spells it, "slice-start" for a sugared async op
    std::string_view payload; // text between the parentheses of parameter(0) and constant({1, 2}), else empty
    ShapeId shape; // result
    ComputationId computation; // the one that holds this instruction
    IndexRange operands; // HloModule::operandPool
    IndexRange users; // HloModule::userPool, in program order, each user once
    IndexRange called; // HloModule::calledPool, in the order of the text
    IndexRange attributes; // HloModule::attributePool
    uint32_t line = 0; // in the source text, from 1; 0 when there is none
    Opcode opcode = Opcode::Unknown; // AsyncStart, AsyncUpdate, AsyncDone for sugared async ops
    uint8_t flags = 0;

    bool isRoot() const { return (flags & IsRoot) != 0; }
    bool isSugaredAsync() const { return (flags & IsSugaredAsync) != 0; }
    bool isInline() const { return (flags & IsInline) != 0; }
};
static_assert(sizeof(HloInstruction) <= 96);

struct HloComputation {
    std::string_view name; // without %
    IndexRange instructions; // HloModule::instructions, in program order
    InstructionId root;
    std::string_view executionThread; // empty for the main thread
    bool isEntry = false;
    bool hasSignature = false; // the text repeats parameters and result in front of the body
    bool isImplicit = false; // body of a sugared async op, not in the text
    bool isInline = false; // written in place of its name, inside the instruction that calls it
    uint32_t line = 0;
};

// A position in the program that was traced, with its callers. Ids are those of the file minus one.
struct StackFrame {
    std::string_view file;
    std::string_view function;
    int32_t line = 0;
    int32_t column = 0;
    int32_t endLine = 0;
    int32_t endColumn = 0;
    StackFrameId parent; // the caller
};

// What `metadata={...}` says about the origin of an instruction.
struct OpMetadata {
    std::string opType;
    std::string opName; // "jit(f)/layer_0/mlp/dot_general"
    std::string sourceFile;
    int32_t sourceLine = 0;
    int32_t sourceEndLine = 0;
    int32_t sourceColumn = 0;
    int32_t sourceEndColumn = 0;
    StackFrameId stackFrame;
    std::string deduplicatedName;
    std::string schedulingName;
};

// `input_output_alias` entry: an output that lives in the buffer of a parameter.
struct InputOutputAlias {
    std::vector<int64_t> outputIndex;
    int64_t parameter = 0;
    std::vector<int64_t> parameterIndex;
    bool mustAlias = false;
};

// How the text of a module is written, as far as print options of XLA differ in it. The default is what XLA prints
// today.
struct HloTextStyle {
    bool percent = true; // `%` in front of names
    bool operandIndexComments = true; // `/*index=5*/` in operand lists
    bool tupleIndexComments = true; // and in tuple shapes
    bool hasHeader = true; // starts with `HloModule`
    bool isBareInstructions = false; // no computation around the instructions
    bool marksEntry = true; // the entry computation is marked with `ENTRY`
    bool namesClosedBodies = false; // `} // name` behind bodies of more than five instructions
    bool endsWithBlankLine = true; // behind the last computation
};

// A whole module in flat arrays. Built by parseHloText() or readHloProto(), immutable afterwards and safe to share
// between threads. Instructions of one computation are neighbours; callees come before callers as in the file.
class HloModule {
public:
    std::string_view name;
    std::vector<Attribute> attributes; // of the header line, in the order of the file
    bool isScheduled = false;
    int64_t replicaCount = 1;
    int64_t numPartitions = 1;
    std::vector<InputOutputAlias> inputOutputAliases;

    std::vector<HloComputation> computations;
    std::vector<HloInstruction> instructions;
    ComputationId entry;

    std::vector<InstructionId> operandPool;
    std::vector<InstructionId> userPool;
    std::vector<ComputationId> calledPool;
    std::vector<Attribute> attributePool;
    std::vector<Shape> shapes; // each distinct shape once
    std::vector<Sharding> shardings; // each distinct text once
    std::vector<ReplicaGroups> replicaGroupLists; // each distinct text once
    std::vector<StackFrame> stackFrames;
    // The four stack-frame tables as they stand in the file (without the blank lines around), empty when absent.
    std::string_view stackFrameText;

    HloTextStyle style;
    std::shared_ptr<const FileBytes> source; // keeps the text views alive
    std::deque<std::string> arena; // strings that do not stand in the source
    Problems problems; // what was not understood or is wrong in the file

    const HloInstruction& instruction(InstructionId id) const { return instructions[id.index()]; }
    const HloComputation& computation(ComputationId id) const { return computations[id.index()]; }
    const HloComputation& entryComputation() const { return computations[entry.index()]; }
    const Shape& shape(InstructionId id) const { return shapes[instruction(id).shape.index()]; }
    std::span<const InstructionId> operands(InstructionId id) const;
    std::span<const InstructionId> users(InstructionId id) const;
    std::span<const ComputationId> called(InstructionId id) const;
    std::span<const Attribute> attributesOf(InstructionId id) const;
    // The instruction's attribute of that key, as text.
    std::optional<std::string_view> attribute(InstructionId id, std::string_view key) const;
    // The header attribute of that key, as text.
    std::optional<std::string_view> moduleAttribute(std::string_view key) const;
    // Parameter instructions by parameter number; invalid ids where a number is missing.
    std::vector<InstructionId> parameters(ComputationId id) const;
    // Instructions that call the computation.
    std::vector<InstructionId> callers(ComputationId id) const;

    // By name, optionally inside one computation; names are unique in text that XLA printed, else the first one wins.
    InstructionId findInstruction(std::string_view name, ComputationId inside = {}) const;
    ComputationId findComputation(std::string_view name) const;

    OpMetadata metadata(InstructionId id) const;
    // Innermost frame first, through all callers.
    std::vector<StackFrame> stack(InstructionId id) const;
    // Null when the instruction has none.
    const Sharding* sharding(InstructionId id) const;
    const ReplicaGroups* replicaGroups(InstructionId id) const;
    // Number of a parameter instruction, -1 for any other.
    int64_t parameterNumber(InstructionId id) const;

    // Builds users and the look-up tables for names, callers, shardings and replica groups. Readers call it once at the
    // end.
    void finish();

private:
    void indexNames();
    void indexCallers();
    void indexUsers();
    void indexParsedAttributes();

    NameTable m_instructionByName; // the first of each name
    NameTable m_computationByName;
    std::vector<std::pair<ComputationId, InstructionId>> m_callers; // sorted
    std::vector<std::pair<InstructionId, ShardingId>> m_shardingOf; // sorted
    std::vector<std::pair<InstructionId, ReplicaGroupsId>> m_replicaGroupsOf; // sorted
};

} // namespace hloscope
