// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hlo/hlo_module.h"

#include <cstdint>
#include <string_view>

namespace hloscope {

// The groups that colours and legends use, in legend order.
enum class OpCategory : uint8_t {
    Matmul,
    Pointwise,
    Reduce,
    DataMovement,
    Collective,
    AsyncDma,
    ControlFlow,
    CustomCall,
    Host,
    Idle,
};
constexpr size_t kOpCategoryCount = 10;

// A fusion takes the category of its strongest content: collective, custom call, matmul, reduce, data movement,
// pointwise.
OpCategory categorize(const HloModule& module, InstructionId id);
// From what a profile says: XProf's hlo_category, or the name of the op or event when that is empty.
OpCategory categorizeByName(std::string_view hloCategory, std::string_view name);

// What a fused computation holds, nested fusions included.
struct FusionContents {
    int matmuls = 0; // convolution and dot
    int pointwise = 0;
    int reduces = 0;
    int dataMovement = 0; // copy, transpose, slice, pad, concatenate, ...
    int collectives = 0;
    int customCalls = 0;
    bool isReduceScatter = false; // an all-reduce whose result is cut by a dynamic-slice
};
// Zero for anything but a fusion, call or async op.
FusionContents fusionContents(const HloModule& module, InstructionId id);

} // namespace hloscope
