// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hlo/op_category.h"
#include "core/hlo/opcode.h"

#include <QString>

#include <string_view>

namespace hloscope {

// What an opcode does, as one phrase without a full stop. For Unknown it says that XLA's list has no such opcode.
QString opcodeMeaning(Opcode opcode);
// "Matmul", "Data movement", ...: the names that legends, tables and tooltips share.
QString categoryName(OpCategory category);
// What `kind=kLoop` and its siblings mean; empty for any other word.
QString fusionKindMeaning(std::string_view kind);
// What an attribute key of the HLO text says about the op; empty for keys without an entry.
QString attributeMeaning(std::string_view key);

} // namespace hloscope
