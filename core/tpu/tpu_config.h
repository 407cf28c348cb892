// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

// Parts of libtpu's backend_config that only the cost model looks at. Each function takes the attribute's text and
// gives nothing when that part is missing or malformed.
namespace hloscope {

// An async collective fusion carries the buffers of a collective along. Only these outputs and operands (both ends
// inclusive) belong to the computation itself.
struct ContinuationRange {
    int64_t firstOutput = 0;
    int64_t lastOutput = 0;
    int64_t firstOperand = 0;
    int64_t lastOperand = 0;

    bool hasOutput(size_t index) const { return contains(firstOutput, lastOutput, index); }
    bool hasOperand(size_t index) const { return contains(firstOperand, lastOperand, index); }

private:
    static bool contains(int64_t first, int64_t last, size_t index)
    {
        return static_cast<int64_t>(index) >= first && static_cast<int64_t>(index) <= last;
    }
};
std::optional<ContinuationRange> parseContinuation(std::string_view backendConfig);

// What the author of a Pallas kernel says that it does.
struct KernelEstimate {
    double flops = 0;
    double transcendentals = 0;
    double bytesAccessed = 0;
};
std::optional<KernelEstimate> parseKernelEstimate(std::string_view backendConfig);

// `aliasing_operands`: outputs that are written over an operand, as output numbers. In the file, operands are counted
// first and outputs behind them.
std::vector<int64_t> parseAliasedOutputs(std::string_view backendConfig, size_t operandCount);

// Sizes of the torus axes that libtpu's algorithm runs a collective over, from the `debug` text of
// collective_algorithm_config. Empty when it does not say.
std::vector<int64_t> parseCollectiveAxes(std::string_view backendConfig);

} // namespace hloscope
