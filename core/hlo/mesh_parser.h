// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hlo/sharding.h"
#include "core/hlo/text_cursor.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace hloscope {

// Most devices that a list written as `[4096]<=[4096]` may stand for: more than any machine has, few enough to hold.
constexpr int64_t kMaxDevices = 1 << 20;

// `2,4]` behind an opening bracket; at least one number.
bool takeNumbers(TextCursor& cursor, char close, std::vector<int64_t>& numbers);
// Product of sizes that are all positive; nothing beyond kMaxDevices.
std::optional<int64_t> deviceCount(const std::vector<int64_t>& sizes);
// Whether iotaDevices() would give something.
bool isIota(const std::vector<int64_t>& dimensions, const std::vector<int64_t>& permutation);
// 0, 1, 2, ... seen as an array of these dimensions, transposed, read row-major. Nothing when the permutation is none.
std::optional<std::vector<int64_t>> iotaDevices(const std::vector<int64_t>& dimensions,
                                                const std::vector<int64_t>& permutation);
// `[4,2]T(1,0)` at the cursor.
bool takeIota(TextCursor& cursor, std::vector<int64_t>& dimensions, std::vector<int64_t>& permutation);
// `mesh['x'=2,'y'=4]` with `, device_ids=(...)` behind it.
bool takeMesh(TextCursor& cursor, Mesh& mesh);
// `'x'` or `'x':(1)2`: an axis of the mesh.
bool takeAxis(TextCursor& cursor, const Mesh& mesh, AxisRef& axis);
// `{'x', 'y'}` behind its opening brace.
bool takeAxes(TextCursor& cursor, const Mesh& mesh, std::vector<AxisRef>& axes);
// Size of an axis or of the part of it that the reference takes.
int64_t axisSize(const Mesh& mesh, const AxisRef& axis);

} // namespace hloscope
