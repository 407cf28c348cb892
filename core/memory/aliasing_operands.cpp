// SPDX-License-Identifier: Apache-2.0
#include "core/memory/aliasing_operands.h"

#include <charconv>

namespace hloscope {

std::vector<std::vector<int64_t>> parseAliasingOperands(std::string_view backendConfig)
{
    constexpr std::string_view kKey = "\"aliasing_operands\":{\"lists\":[";
    std::vector<std::vector<int64_t>> lists;
    const size_t begin = backendConfig.find(kKey);
    if (begin == std::string_view::npos)
        return lists;
    int depth = 1; // of square brackets: 1 in the list of lists, 2 among indices
    for (size_t i = begin + kKey.size(); i < backendConfig.size() && depth > 0; ++i) {
        const char c = backendConfig[i];
        if (c == '[') {
            ++depth;
            lists.emplace_back();
        } else if (c == ']') {
            --depth;
        } else if (c >= '0' && c <= '9' && depth == 2) {
            int64_t number = -1;
            const char* first = backendConfig.data() + i;
            const auto read = std::from_chars(first, backendConfig.data() + backendConfig.size(), number);
            lists.back().push_back(read.ec == std::errc() ? number : -1);
            i += static_cast<size_t>(read.ptr - first) - 1;
        }
    }
    return lists;
}

} // namespace hloscope
