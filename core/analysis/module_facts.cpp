// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/module_facts.h"

#include <algorithm>
#include <cctype>

namespace hloscope {
namespace {

bool hasTiles(const Shape& shape)
{
    if (shape.layout && !shape.layout->tiles.empty())
        return true;
    return std::any_of(shape.elements.begin(), shape.elements.end(), hasTiles);
}

bool isWordCharacter(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0;
}

} // namespace

std::string_view platformOf(const HloModule& module)
{
    if (std::any_of(module.shapes.begin(), module.shapes.end(), hasTiles))
        return "tpu";
    for (const Attribute& attribute : module.attributePool) {
        if (attribute.key == "custom_call_target") {
            if (attribute.value.starts_with("\"__cublas") || attribute.value.starts_with("\"__cudnn")
                || attribute.value.starts_with("\"__triton") || attribute.value.starts_with("\"__gpu"))
                return "gpu";
            if (attribute.value.starts_with("\"__onednn") || attribute.value.starts_with("\"__xla_cpu"))
                return "cpu";
        }
        if (attribute.key == "backend_config") {
            if (attribute.value.find("fusion_backend_config") != std::string_view::npos
                || attribute.value.find("collective_backend_config") != std::string_view::npos)
                return "gpu";
            if (attribute.value.find("outer_dimension_partitions") != std::string_view::npos)
                return "cpu";
        }
    }
    return {};
}

const ChipSpec* chipNamedBy(std::string_view path)
{
    // Words of letters and digits, from the end: "ffw.v5e-2x2/module.hlo" -> hlo, module, 2x2, v5e.
    size_t end = path.size();
    while (end > 0) {
        while (end > 0 && !isWordCharacter(path[end - 1]))
            --end;
        size_t begin = end;
        while (begin > 0 && isWordCharacter(path[begin - 1]))
            --begin;
        const std::string_view word = path.substr(begin, end - begin);
        if (!word.empty()) {
            if (const ChipSpec* chip = findChip(word))
                return chip;
        }
        end = begin;
    }
    return nullptr;
}

} // namespace hloscope
