// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hlo/hlo_module.h"
#include "core/tpu/call_graph.h"
#include "core/tpu/chip_spec.h"
#include "core/tpu/op_cost.h"
#include "core/tpu/value_size.h"

#include <span>
#include <unordered_map>
#include <vector>

namespace hloscope {

enum class XlaSums : uint8_t {
    Plain, // double precision; calls that XLA cannot price add nothing
    AsXla, // 32-bit floats in XLA's order of traversal, -1 for each call that it cannot price: its answers digit by
           // digit
};

// XLA's HloCostAnalysis with the rules that libtpu 0.0.52 adds for tiled values, gathers and fusions. Every instruction
// of every computation gets its cost. A while body counts once, a conditional counts for each figure its largest
// branch. Linear in the module.
class XlaCostAnalysis {
public:
    XlaCostAnalysis(const HloModule& module, const ChipSpec& chip, const CallOrder& order,
                    XlaSums sums = XlaSums::Plain);

    const XlaCost& of(InstructionId id) const { return m_instructions[id.index()]; }
    // Sum over its instructions.
    const XlaCost& of(ComputationId id) const { return m_computations[id.index()]; }

private:
    XlaCost analyse(InstructionId id);
    XlaCost analyseCalls(InstructionId id) const; // while, call, conditional, async-start
    XlaCost customCall(InstructionId id) const;
    XlaCost fusion(InstructionId id);
    XlaCost gather(InstructionId id) const;
    XlaCost scatter(InstructionId id) const;
    double fusionOutputBytes(InstructionId fusion, ComputationId body) const;
    // Bytes that a fused computation reads of one of its parameters.
    double parameterBytes(InstructionId parameter, int depth);
    double nestedParameterBytes(InstructionId user, size_t operand, int depth);

    double defaultBytes(InstructionId id) const; // output and all operands
    double flopsOf(InstructionId id) const;
    double transcendentalsOf(InstructionId id) const;
    double reduceWindowSteps(InstructionId id) const;
    double scaledByCallee(InstructionId id, double count, double XlaCost::*figure) const;
    XlaCost withTime(XlaCost cost) const;

    void add(XlaCost& sum, const XlaCost& part) const;

    const HloModule& m_module;
    const CallOrder& m_order;
    ValueSizes m_sizes;
    XlaSums m_sums;
    double m_flopsPerSecond = 0;
    double m_bytesPerSecond = 0;
    double m_transcendentalsPerSecond = 0;
    double m_leastSeconds = 0;
    std::vector<XlaCost> m_instructions;
    std::vector<XlaCost> m_computations;
    std::unordered_map<uint32_t, double> m_parameterBytes; // by InstructionId
};

} // namespace hloscope
