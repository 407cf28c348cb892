// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/xspace_reader.h"

#include <string_view>

namespace hloscope {

// True for a binary file that went through a text conversion: every byte that was not valid UTF-8 has become U+FFFD.
// A healthy profile is never valid UTF-8 throughout, and has no U+FFFD to speak of.
bool isMangledText(std::string_view bytes);

// What is left of a profile after that. Numbers of 128 and more are lost, and with them all lengths, times and
// identities; names have survived. The result has the planes and lines whose names can be recognised by what stands
// around them, without events, and says so in its problems. Error: not even a plane is found.
Expected<XSpaceContents> salvageXSpace(const std::shared_ptr<const FileBytes>& file);

} // namespace hloscope
