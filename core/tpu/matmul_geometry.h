// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hlo/hlo_module.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace hloscope {

// A convolution or dot as the matrix unit sees it: per group, `rows` x `contracted` times `contracted` x `columns`,
// repeated over the spatial dimensions.
struct MatmulGeometry {
    struct Spatial {
        int64_t input = 1;
        int64_t kernel = 1;
        int64_t output = 1;
        int64_t valid = 1; // pairs of kernel and output positions that meet an element of the input

        // libtpu writes batched products as spatial dimensions; this one only repeats the product.
        bool isBatch() const { return input == kernel && kernel == output && output == valid; }
        // One element of input against `kernel` outputs: that many narrow products side by side.
        bool isOutputSpread() const { return input == 1 && kernel == output && output == valid; }
    };

    double rows = 1; // input batch, per batch group
    double contracted = 1; // input features, per feature group
    double columns = 1; // output features
    std::vector<Spatial> spatial;
    PrimitiveType inputType = PrimitiveType::Invalid;
    PrimitiveType kernelType = PrimitiveType::Invalid;
    bool isHighestPrecision = false; // operand_precision={highest,...}: several passes for f32

    // Two per multiply-add, padding and holes left out: what XLA counts.
    double flops() const;
};

// Nothing for other opcodes, or when attributes and shapes do not fit together.
std::optional<MatmulGeometry> matmulGeometry(const HloModule& module, InstructionId id);

// Pairs (k, o), 0 <= k < kernel and 0 <= o < output, whose position o*stride - padding + k*windowDilation falls on an
// element of an input of that size with holes of baseDilation - 1 between its elements.
int64_t validPositions(int64_t input, int64_t kernel, int64_t output, int64_t stride, int64_t padding,
                       int64_t windowDilation, int64_t baseDilation);

} // namespace hloscope
