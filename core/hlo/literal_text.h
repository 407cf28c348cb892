// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace hloscope::proto {
class LiteralProto;
}

namespace hloscope {

// The value of a literal as XLA writes it on one line. More than ten elements, tuples and values that the proto leaves
// out come as `{...}`.
std::string literalText(const proto::LiteralProto& literal);

// A number as XLA prints it: `significant` digits when they read back as the same value, else `enough` digits.
std::string shortestNumber(double value, int significant, int enough);

} // namespace hloscope
