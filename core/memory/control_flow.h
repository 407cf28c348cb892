// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hlo/hlo_module.h"

#include <optional>
#include <span>
#include <vector>

// Which computations an instruction runs as steps of the program, and in which order. Computations that are applied
// inside an op (fusion, reduce, sort, ...) are no steps.
namespace hloscope {

constexpr int kMaxCallDepth = 500;

struct WhileParts {
    ComputationId condition; // invalid when the text names none
    ComputationId body;
};
WhileParts whileParts(const HloModule& module, InstructionId whileOp);

// while, conditional, call and async-start.
bool runsComputations(Opcode opcode);
// In the order in which XLA flattens them: condition and body of a while, the branches of a conditional (true before
// false), the computation of a call or of an async-start. Empty for all other instructions.
std::vector<ComputationId> runComputations(const HloModule& module, InstructionId id);

// Says where the call graph (fusions and reducers included) is cyclic or deeper than kMaxCallDepth; nothing when it is
// sound. Everything below walks it by recursion and relies on this check.
std::optional<Diagnostic> checkCallGraph(const HloModule& module);

// The number k of get-tuple-element, 0 where it is missing or no number.
int64_t tupleElementIndex(const HloModule& module, InstructionId id);

// async-start, async-update*, async-done chains. XLA binds operands along a chain: those of the start, then those of
// each update without its first.
class AsyncChains {
public:
    struct Chain {
        std::vector<InstructionId> ops; // from start to done; the done is missing in cut files
        ComputationId wrapped;
        bool isFinished(const HloModule& module) const;
    };

    explicit AsyncChains(const HloModule& module);

    // Null for instructions outside any chain.
    const Chain* of(InstructionId id) const;
    // Operands bound up to and including `id`, which must be in a chain.
    std::vector<InstructionId> boundOperands(InstructionId id) const;
    // The first instruction whose operands and result are fully bound: the wrapped computation runs just before it.
    // Invalid when there is none.
    InstructionId firstFullyBound(const Chain& chain) const;

private:
    bool isFullyBound(InstructionId id, const Chain& chain) const;

    const HloModule& m_module;
    std::vector<Chain> m_chains;
    std::vector<int32_t> m_chainOf; // by InstructionId, -1 outside; empty when there are no chains
};

} // namespace hloscope
