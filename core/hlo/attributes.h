// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hlo/hlo_module.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Reading of attribute values. Every function takes the text after the `=` and gives nothing for text that does not
// have the form of that attribute.
namespace hloscope {

// `{0,1,2}`
std::optional<std::vector<int64_t>> parseIntList(std::string_view text);

struct WindowDimension {
    int64_t size = 1;
    int64_t stride = 1;
    int64_t paddingLow = 0;
    int64_t paddingHigh = 0;
    int64_t windowDilation = 1; // rhs_dilate
    int64_t baseDilation = 1; // lhs_dilate
    bool reversed = false;

    bool operator==(const WindowDimension&) const = default;
};
// `{size=3x3 stride=2x2 pad=1_1x0_2}`, one entry per spatial dimension.
std::optional<std::vector<WindowDimension>> parseWindow(std::string_view text);

// `bf_io->bf`, `b01f_01io->b01f`: positions in the shapes of input, kernel and output. -1 where the label is missing.
struct ConvolutionDimensions {
    int64_t inputBatch = -1;
    int64_t inputFeature = -1;
    std::vector<int64_t> inputSpatial;
    int64_t kernelInputFeature = -1;
    int64_t kernelOutputFeature = -1;
    std::vector<int64_t> kernelSpatial;
    int64_t outputBatch = -1;
    int64_t outputFeature = -1;
    std::vector<int64_t> outputSpatial;

    bool operator==(const ConvolutionDimensions&) const = default;
};
std::optional<ConvolutionDimensions> parseDimLabels(std::string_view text);

// `{[0:8], [0:16:2]}`
struct SliceDimension {
    int64_t start = 0;
    int64_t limit = 0;
    int64_t stride = 1;

    bool operator==(const SliceDimension&) const = default;
};
std::optional<std::vector<SliceDimension>> parseSlice(std::string_view text);

// `{{0,1},{1,2}}`
std::optional<std::vector<std::pair<int64_t, int64_t>>> parseSourceTargetPairs(std::string_view text);

// `output_to_operand_aliasing={{0}: (1, {}), ...}`
struct OutputOperandAlias {
    std::vector<int64_t> outputIndex;
    int64_t operand = 0;
    std::vector<int64_t> operandIndex;

    bool operator==(const OutputOperandAlias&) const = default;
};
std::optional<std::vector<OutputOperandAlias>> parseOutputOperandAliasing(std::string_view text);

// `input_output_alias={ {1}: (0, {}, may-alias) }` of a module.
std::optional<std::vector<InputOutputAlias>> parseInputOutputAlias(std::string_view text);

// `metadata={op_type="..." source_line=7 stack_frame_id=2}`. Unknown keys are skipped.
OpMetadata parseOpMetadata(std::string_view text);

// A quoted string without its quotes, C escapes resolved; text without quotes comes back as it is.
std::string unquote(std::string_view text);

// The literal of a constant as numbers, row-major in logical order, at most `limit` of them. pred gives 0 and 1.
// Nothing when the text is elided (`{...}`), not numeric, or longer.
std::optional<std::vector<double>> parseNumericLiteral(std::string_view text, size_t limit);

// What libtpu writes into backend_config and the model needs. Absent fields stay empty.
struct TpuBackendConfig {
    std::optional<int64_t> estimatedCycles; // nothing for 2^63-1 too, which means "no estimate"
    std::vector<int64_t> iterationBounds; // window_config
    std::vector<int64_t> outputWindowBounds;
    std::vector<int64_t> kernelWindowBounds;
    std::vector<int64_t> inputWindowBounds;
    std::string emitter; // convolution_algorithm_config.emitter
    std::optional<int64_t> bufferingLevel;
    std::optional<int64_t> knownTripCount; // known_trip_count.n of a while
};
TpuBackendConfig parseTpuBackendConfig(std::string_view text);

} // namespace hloscope
