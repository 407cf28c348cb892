// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace hloscope {

// libtpu's `"aliasing_operands":{"lists":[{"indices":["0","2"]},...]}` in a backend_config: each list names arrays that
// share one buffer. Arrays are numbered through all operands, then the results. Empty when there is none.
std::vector<std::vector<int64_t>> parseAliasingOperands(std::string_view backendConfig);

} // namespace hloscope
