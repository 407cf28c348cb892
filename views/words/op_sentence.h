// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hlo/hlo_module.h"
#include "core/hlo/op_category.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace hloscope {

// Where the two operands of the first matmul or convolution of an op come from.
struct MatmulFacts {
    InstructionId op; // the convolution, dot, ...
    InstructionId left; // operands of the op that was asked about; invalid when computed inside a fusion
    InstructionId right;
    bool slides = false; // a window really moves: a convolution and not a matrix product written as one
};
// Nothing when there is no matmul in the instruction or in what it calls.
std::optional<MatmulFacts> findMatmul(const HloModule& module, InstructionId id);

// The pointwise ops of what an instruction calls, nested fusions included, in program order.
std::vector<InstructionId> pointwiseOps(const HloModule& module, InstructionId id);

// One or two plain sentences about what the op does.
QString opSentence(const HloModule& module, InstructionId id, const FusionContents& contents);

// What a called computation amounts to: "10 ops: an all-reduce followed by a slice, which is a ReduceScatter".
QString computationMeaning(const HloModule& module, ComputationId id, bool isReduceScatter);

} // namespace hloscope
