// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tpu/chip_spec.h"

#include <string_view>

namespace hloscope {

// The chip that the path of a file names: a part of a folder or file name that is a topology or the id of a chip, as
// in `ffw.v2-2x2/module.hlo` or `step-tpu7x.hlo`. The part nearest to the file wins. Null when nothing names a chip:
// HLO itself does not say for which one it was compiled.
const ChipSpec* chipNamedByPath(std::string_view path);
// What is used where nothing names a chip.
const ChipSpec& defaultChip();

} // namespace hloscope
