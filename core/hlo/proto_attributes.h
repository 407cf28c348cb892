// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hlo/module_builder.h"

#include <functional>
#include <string>
#include <vector>

namespace hloscope::proto {
class HloInstructionProto;
class HloModuleProto;
} // namespace hloscope::proto

namespace hloscope {

// Names behind the numbers of a proto, with `%`; empty for numbers that name nothing.
struct ProtoNames {
    std::function<std::string(int64_t)> computation;
    std::function<std::string(int64_t)> instruction;
};

// The attributes of an instruction as XLA prints them, in its order.
std::vector<Attribute> attributesFromProto(const proto::HloInstructionProto& proto, Opcode opcode, const Shape& shape,
                                           const Shape* firstOperand, const proto::HloModuleProto& module,
                                           const ProtoNames& names, ModuleBuilder& builder);

} // namespace hloscope
