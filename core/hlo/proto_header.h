// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hlo/module_builder.h"

namespace hloscope::proto {
class HloModuleProto;
class StackFrameIndexProto;
} // namespace hloscope::proto

namespace hloscope {

// Fills in what XLA prints in front of the computations: the header attributes and the stack frame tables.
void readProtoHeader(const proto::HloModuleProto& proto, ModuleBuilder& builder);

} // namespace hloscope
