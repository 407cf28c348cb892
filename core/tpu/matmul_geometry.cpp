// SPDX-License-Identifier: Apache-2.0
#include "core/tpu/matmul_geometry.h"

#include "core/hlo/attributes.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace hloscope {

namespace {

constexpr double kFlopsPerMultiplyAdd = 2;
// Windows are walked along one side; no real one is larger, and a hostile one must not take hours.
constexpr int64_t kMaxWalk = 1 << 22;

__int128 floorDivide(__int128 a, __int128 b)
{
    const __int128 quotient = a / b;
    return quotient - ((a % b != 0 && (a < 0) != (b < 0)) ? 1 : 0);
}

// How many o in [0, count) have o*step + base in [0, limit] and divisible by hole.
int64_t countOnElements(int64_t count, int64_t step, __int128 base, __int128 limit, int64_t hole)
{
    if (step == 0)
        return base >= 0 && base <= limit && base % hole == 0 ? count : 0;
    const __int128 low = std::max<__int128>(0, -floorDivide(base, step)); // ceil(-base / step)
    const __int128 high = std::min<__int128>(count - 1, floorDivide(limit - base, step));
    if (low > high)
        return 0;
    // o*step = -base (mod hole) has a solution every hole/gcd, if it has one at all.
    const int64_t period = hole / std::gcd(step, hole);
    for (__int128 o = low; o <= high && o < low + period; ++o) {
        if ((o * step + base) % hole == 0)
            return static_cast<int64_t>((high - o) / period + 1);
    }
    return 0;
}

int64_t groupCount(const HloModule& module, InstructionId id, std::string_view key)
{
    const auto text = module.attribute(id, key);
    if (!text)
        return 1;
    int64_t value = 0;
    for (char c : *text) {
        if (c < '0' || c > '9' || value > (INT64_MAX >> 8))
            return 1;
        value = value * 10 + (c - '0');
    }
    return std::max<int64_t>(value, 1);
}

bool isHighest(const HloModule& module, InstructionId id)
{
    const auto precision = module.attribute(id, "operand_precision");
    return precision && precision->starts_with("{highest");
}

std::optional<int64_t> sizeAt(const Shape& shape, int64_t dimension)
{
    if (dimension < 0 || dimension >= shape.rank())
        return std::nullopt;
    return shape.dimensions[static_cast<size_t>(dimension)];
}

std::optional<MatmulGeometry::Spatial> spatialOf(const Shape& input, const Shape& kernel, const Shape& output,
                                                 const ConvolutionDimensions& labels, size_t index,
                                                 const WindowDimension& window)
{
    if (index >= labels.kernelSpatial.size() || index >= labels.outputSpatial.size())
        return std::nullopt;
    const auto inputSize = sizeAt(input, labels.inputSpatial[index]);
    const auto kernelSize = sizeAt(kernel, labels.kernelSpatial[index]);
    const auto outputSize = sizeAt(output, labels.outputSpatial[index]);
    if (!inputSize || !kernelSize || !outputSize)
        return std::nullopt;
    return MatmulGeometry::Spatial{*inputSize, *kernelSize, *outputSize,
                                   validPositions(*inputSize, *kernelSize, *outputSize, window.stride,
                                                  window.paddingLow, window.windowDilation, window.baseDilation)};
}

std::optional<MatmulGeometry> convolutionGeometry(const HloModule& module, InstructionId id)
{
    const auto operands = module.operands(id);
    const auto labelText = module.attribute(id, "dim_labels");
    if (operands.size() < 2 || !labelText)
        return std::nullopt;
    const auto labels = parseDimLabels(*labelText);
    if (!labels)
        return std::nullopt;
    const Shape& input = module.shape(operands[0]);
    const Shape& kernel = module.shape(operands[1]);
    const Shape& output = module.shape(id);
    const auto batch = sizeAt(input, labels->inputBatch);
    const auto features = sizeAt(input, labels->inputFeature);
    const auto outputFeatures = sizeAt(output, labels->outputFeature);
    if (!batch || !features || !outputFeatures)
        return std::nullopt;

    std::vector<WindowDimension> windows;
    if (const auto text = module.attribute(id, "window")) {
        const auto parsed = parseWindow(*text);
        if (!parsed)
            return std::nullopt;
        windows = *parsed;
    }
    windows.resize(std::max(windows.size(), labels->inputSpatial.size()));

    MatmulGeometry result;
    const int64_t rows = *batch / groupCount(module, id, "batch_group_count");
    const int64_t contracted = *features / groupCount(module, id, "feature_group_count");
    result.rows = static_cast<double>(rows);
    result.contracted = static_cast<double>(contracted);
    result.columns = static_cast<double>(*outputFeatures);
    result.inputType = input.elementType;
    result.kernelType = kernel.elementType;
    result.isHighestPrecision = isHighest(module, id);
    for (size_t i = 0; i < labels->inputSpatial.size(); ++i) {
        const auto spatial = spatialOf(input, kernel, output, *labels, i, windows[i]);
        if (!spatial)
            return std::nullopt;
        result.spatial.push_back(*spatial);
    }
    return result;
}

std::vector<int64_t> dimensionList(const HloModule& module, InstructionId id, std::string_view key)
{
    const auto text = module.attribute(id, key);
    return text ? parseIntList(*text).value_or(std::vector<int64_t>()) : std::vector<int64_t>();
}

std::optional<MatmulGeometry> dotGeometry(const HloModule& module, InstructionId id)
{
    const auto operands = module.operands(id);
    if (operands.size() < 2)
        return std::nullopt;
    const Shape& left = module.shape(operands[0]);
    const Shape& right = module.shape(operands[1]);
    const std::vector<int64_t> contracted = dimensionList(module, id, "lhs_contracting_dims");
    const std::vector<int64_t> batched = dimensionList(module, id, "lhs_batch_dims");
    const std::vector<int64_t> rightContracted = dimensionList(module, id, "rhs_contracting_dims");
    const std::vector<int64_t> rightBatched = dimensionList(module, id, "rhs_batch_dims");
    const auto contains = [](const std::vector<int64_t>& list, int64_t value) {
        return std::find(list.begin(), list.end(), value) != list.end();
    };
    MatmulGeometry result;
    for (int64_t i = 0; i < left.rank(); ++i) {
        const int64_t size = left.dimensions[static_cast<size_t>(i)];
        if (contains(contracted, i))
            result.contracted *= static_cast<double>(size);
        else if (contains(batched, i))
            result.spatial.push_back({size, size, size, size});
        else
            result.rows *= static_cast<double>(size);
    }
    for (int64_t i = 0; i < right.rank(); ++i) {
        if (!contains(rightContracted, i) && !contains(rightBatched, i))
            result.columns *= static_cast<double>(right.dimensions[static_cast<size_t>(i)]);
    }
    result.inputType = left.elementType;
    result.kernelType = right.elementType;
    result.isHighestPrecision = isHighest(module, id);
    return result;
}

} // namespace

int64_t validPositions(int64_t input, int64_t kernel, int64_t output, int64_t stride, int64_t padding,
                       int64_t windowDilation, int64_t baseDilation)
{
    if (input <= 0 || kernel <= 0 || output <= 0)
        return 0;
    const int64_t hole = std::max<int64_t>(baseDilation, 1);
    const __int128 limit = static_cast<__int128>(input - 1) * hole;
    // Kernel and output positions play the same part in the sum, so the shorter side is walked.
    int64_t walked = kernel;
    int64_t walkedStep = windowDilation;
    int64_t counted = output;
    int64_t countedStep = stride;
    if (walked > counted) {
        std::swap(walked, counted);
        std::swap(walkedStep, countedStep);
    }
    if (walked > kMaxWalk || walkedStep < 0 || countedStep < 0 || hole > kMaxWalk)
        return std::max(kernel, output);
    __int128 total = 0;
    for (int64_t i = 0; i < walked; ++i) {
        const __int128 base = static_cast<__int128>(i) * walkedStep - padding;
        total += countOnElements(counted, countedStep, base, limit, hole);
    }
    return static_cast<int64_t>(std::min<__int128>(total, std::numeric_limits<int64_t>::max()));
}

double MatmulGeometry::flops() const
{
    double positions = 1;
    for (const Spatial& dimension : spatial)
        positions *= static_cast<double>(dimension.valid);
    return kFlopsPerMultiplyAdd * rows * contracted * columns * positions;
}

std::optional<MatmulGeometry> matmulGeometry(const HloModule& module, InstructionId id)
{
    switch (module.instruction(id).opcode) {
    case Opcode::Convolution:
        return convolutionGeometry(module, id);
    case Opcode::Dot:
        return dotGeometry(module, id);
    default:
        return std::nullopt;
    }
}

} // namespace hloscope
