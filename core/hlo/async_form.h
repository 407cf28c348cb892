// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hlo/hlo_module.h"

#include <string>
#include <vector>

namespace hloscope {

// An async op as a line says it: `slice-start(...), slice={...}` or `async-start(...), calls=%...`.
struct AsyncLine {
    std::string opcode;
    std::vector<Attribute> attributes; // values may point into `calls`
    std::string calls;
};

// True for the computation of an async op that one line can stand for: parameters and a single other instruction.
bool isExpressedBySugar(const HloModule& module, ComputationId id);

// The line in the sugared form, or in the plain one, whichever the text has.
AsyncLine sugaredLine(const HloModule& module, InstructionId id);
AsyncLine plainLine(const HloModule& module, InstructionId id);

// Attributes that an async op has for itself; what else stands on a sugared line belongs to the wrapped op.
bool belongsToAsyncOp(std::string_view key);

} // namespace hloscope
