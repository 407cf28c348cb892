// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hlo/hlo_module.h"
#include "core/hlo/op_category.h"
#include "core/tpu/op_cost.h"
#include "views/words/layout_words.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <string_view>
#include <vector>

namespace hloscope {

// One array, token or tuple that an op produces or takes.
struct ValueWords {
    QString index; // of a tuple's part, "{0,1}"; empty for the whole value
    QString shape; // "bf16[8,1024,16384]"
    QString layout; // "{2,1,0:T(8,128)(2,1)S(1)}", empty where the text has none
    QString summary; // valueSummary()
    const Shape* value = nullptr; // points into the module
};

// An operand or user.
struct LinkWords {
    InstructionId instruction;
    QString name;
    QString role; // innermost named scope, or the argument's own name; may be empty
    QString shape; // without layout
    QString bytes; // size with padding; empty for tokens
};

// "15 pointwise"
struct ContentWords {
    OpCategory category = OpCategory::Pointwise;
    int count = 0;
    QString text;
};

// A computation that the op runs.
struct CalledWords {
    ComputationId computation; // invalid when the file does not hold it
    QString role; // "Called computation", "Condition", "Body", "Combines with"
    QString name;
    QString meaning; // "12 ops: an all-reduce followed by a slice, which is a ReduceScatter"
};

// A place in the program that was traced.
struct SourceWords {
    QString file; // as the module has it
    int line = 0;
    QString place; // "programs.py:44"
    QString function; // may be empty
};

// An instruction taken apart in words: facts from the module, nothing guessed. Parts that do not apply are empty.
struct OpWords {
    QString name;
    OpCategory category = OpCategory::Pointwise;
    QString categoryText;
    QString kind; // "Matmul fusion, kind=kOutput"
    QString scope; // "jit(net) / layer_0 / attention / attend"
    QString sentence; // what it does
    QStringList notes; // what its opcode and kind mean, one sentence each
    std::vector<ContentWords> contents; // strongest first
    QString contentNames; // "convert, multiply, subtract, exponential, divide, convert"
    std::vector<ValueWords> results; // the value, or the parts of a tuple (at most kMaxParts)
    size_t hiddenResults = 0; // parts beyond those
    std::vector<LinkWords> operands;
    std::vector<LinkWords> users;
    std::vector<CalledWords> called;
    std::optional<SourceWords> source;
    std::vector<SourceWords> stack; // innermost first, `source` included

    static constexpr size_t kMaxParts = 12;
};

OpWords describeOp(const HloModule& module, InstructionId id);

// `op_name` without the op at its end and without the subscripts of an einsum, outermost first. Empty for arguments.
QStringList scopeParts(std::string_view opName);
// The innermost scope, or what the framework calls an argument ("params[0]['q']"): a short role for lists.
QString roleOf(const HloModule& module, InstructionId id);

// A labelled figure for the Time section; `share` is a percentage in brackets behind it.
struct FigureWords {
    QString label;
    QString value;
    QString share;
    QString exact; // the plain exact value, for tooltips and copying
};

// What limits an op: the larger of its arithmetic at the chip's peak rate and its HBM traffic at the peak bandwidth, in
// picoseconds. Nothing for ops without either, for those that talk to other devices, and for chips without the rates.
std::optional<double> rooflineLimitPs(const HloModule& module, InstructionId id, const OpCost& cost,
                                      const ChipSpec& chip);
// The time that is shown for an op: the compiler's estimate where there is one, else the model's.
std::optional<double> bestTimePs(const OpCost& cost);
// "MXU", "HBM", ...; "not known" for Unknown.
QString boundByText(BoundBy bound);
// Compiler estimate, model, roofline limit, bound by, FLOPs, bytes, intensity: those that exist.
std::vector<FigureWords> costFigures(const HloModule& module, InstructionId id, const OpCost& cost,
                                     const ChipSpec& chip);

// Everything about the op as lines of plain text, for the command line and the clipboard.
QStringList explainOp(const HloModule& module, InstructionId id);

} // namespace hloscope
