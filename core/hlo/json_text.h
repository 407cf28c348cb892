// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace hloscope {

// The JSON with the keys of all objects sorted and without blanks; numbers and strings stay as they are written.
// Nothing for text that is no JSON.
std::optional<std::string> sortedJson(std::string_view text);

} // namespace hloscope
