// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace hloscope {

// Sums of bytes near the limit of int64 only come from broken shapes; they must not wrap around.
inline int64_t addSaturated(int64_t a, int64_t b)
{
    int64_t sum = 0;
    if (__builtin_add_overflow(a, b, &sum))
        return b > 0 ? INT64_MAX : INT64_MIN;
    return sum;
}

} // namespace hloscope
