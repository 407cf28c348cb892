// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hlo/hlo_module.h"
#include "core/tpu/chip_spec.h"

#include <string_view>

namespace hloscope {

// "tpu", "gpu", "cpu", or empty when the module does not show what it was compiled for. Only TPU layouts have tiles;
// the other two are told by the custom calls and fusion kinds that their compilers write.
std::string_view platformOf(const HloModule& module);

// The chip that a path names in one of its folders or the file name, as in `ffw.v5e-2x2/module.hlo`: the part nearest
// to the end wins. Null when it names none.
const ChipSpec* chipNamedBy(std::string_view path);

} // namespace hloscope
