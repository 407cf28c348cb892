// SPDX-License-Identifier: Apache-2.0
#include "views/common/chip_hint.h"

#include <string>

namespace hloscope {

namespace {

// "v2-2x2" is how a topology "v2:2x2" is written in the name of a folder.
const ChipSpec* chipNamedByWord(std::string_view word)
{
    std::string topology(word);
    if (const size_t dash = topology.find('-'); dash != std::string::npos)
        topology[dash] = ':';
    return findChip(topology);
}

const ChipSpec* chipNamedByPart(std::string_view part)
{
    // Words between dots and underlines, then pieces between dashes.
    for (const std::string_view separators : {std::string_view("._"), std::string_view("._-")}) {
        size_t begin = 0;
        while (begin < part.size()) {
            const size_t end = std::min(part.find_first_of(separators, begin), part.size());
            if (end > begin) {
                if (const ChipSpec* chip = chipNamedByWord(part.substr(begin, end - begin)))
                    return chip;
            }
            begin = end + 1;
        }
    }
    return nullptr;
}

} // namespace

const ChipSpec* chipNamedByPath(std::string_view path)
{
    while (!path.empty()) {
        const size_t slash = path.find_last_of("/\\");
        const std::string_view part = slash == std::string_view::npos ? path : path.substr(slash + 1);
        if (const ChipSpec* chip = chipNamedByPart(part))
            return chip;
        path = slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
    }
    return nullptr;
}

const ChipSpec& defaultChip()
{
    const ChipSpec* chip = findChip("v5e");
    return chip != nullptr ? *chip : chips().front();
}

} // namespace hloscope
