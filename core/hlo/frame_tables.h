// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hlo/text_reader.h"

namespace hloscope {

// Reads the tables FileNames, FunctionNames, FileLocations and StackFrames that follow the header of a module, if they
// do, into HloModule::stackFrames and stackFrameText.
void readFrameTables(TextReader& reader);

} // namespace hloscope
