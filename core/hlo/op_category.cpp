// SPDX-License-Identifier: Apache-2.0
#include "core/hlo/op_category.h"

namespace hloscope {

OpCategory categorize(const HloModule&, InstructionId)
{
    return OpCategory::Pointwise;
}
OpCategory categorizeByName(std::string_view, std::string_view)
{
    return OpCategory::Pointwise;
}
FusionContents fusionContents(const HloModule&, InstructionId)
{
    return {};
}

} // namespace hloscope
