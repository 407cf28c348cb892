// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/memory/liveness.h"
#include "core/memory/memory_report.h"

#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace hloscope {

// Tells what the buffers of a module are for; the rules stand at BufferKind.
//
// Entry parameters, first rule that holds:
//   1. op_name is the path of a program argument such as `params[0]['q']`. A part of it that names model state (params,
//      weights, opt_state, kernel, ...) makes it Weights.
//   2. A first part that names data (x, batch, tokens, rng, ...) or stands for all arguments (args) makes it Input.
//   3. A path of several parts is a leaf of a nested container, which programs use for state: Weights.
//   4. A parameter that an output overwrites (donated) is state that the program updates: Weights.
//   5. It reaches the kernel operand of a convolution or the right operand of a dot through ops that only move,
//      convert or gather it: Weights.
//   6. Input.
class BufferKinds {
public:
    explicit BufferKinds(const Liveness& liveness);

    // Of the values in a buffer that is held for the whole program.
    BufferKind ofStatic(std::span<const ValueId> values);
    // `isInLoop`: the value shares its buffer with one that isCarried().
    BufferKind ofTemporary(ValueId value, bool isInLoop);
    // The value of a loop's result, or of the parameter of its body or condition, that the loop changes.
    bool isCarried(ValueId value) const;

private:
    struct Reads {
        int64_t first = -1; // positions, -1 for none
        int64_t last = -1;
    };

    void indexReads();
    std::optional<BufferKind> kindOfSource(ValueId value);
    BufferKind kindOfParameter(ValueId value);
    bool isWrittenByCollective(ValueId value);
    bool isReadAgainAfterMatmul(ValueId value) const;

    const Liveness& m_liveness;
    const HloModule& m_module;
    std::vector<int64_t> m_matmulsBefore; // by position, one more at the end: matmuls at smaller positions
    std::vector<Reads> m_reads; // by InstructionId
    std::unordered_map<uint32_t, std::vector<int64_t>> m_matmulReads; // by InstructionId: positions of matmuls
    std::unordered_map<ValueId, BufferKind> m_parameterKinds;
    std::unordered_map<uint32_t, bool> m_isCollective; // by InstructionId
};

// Rules 1 to 3 above, on the op_name of a parameter; nothing when they do not decide.
std::optional<BufferKind> parameterKindByName(std::string_view opName);

} // namespace hloscope
