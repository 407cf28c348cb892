// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/memory/control_flow.h"

namespace hloscope {

// The units that work beside each other. Each does one thing at a time.
enum class Lane : uint8_t { Core, Dma, Ici, SparseCore, Host };
constexpr size_t kLaneCount = 5;

enum class OpRole : uint8_t {
    Free, // takes no time: parameter, constant, bitcast, tuple, ...
    Run, // occupies the core
    RunCollective, // a synchronous collective: the core waits while the links work
    Start, // hands work to another lane
    Done, // waits until that work has finished
    While,
    Conditional,
    Call,
};

// Where an instruction runs in a simulated step.
struct OpPlacement {
    OpRole role = OpRole::Free;
    Lane lane = Lane::Core; // of Start: who does the work
    InstructionId start; // of Start and Done: the op that names the transfer and has its cost; invalid for a Done
                         // whose start is not in sight
};

OpPlacement placementOf(const HloModule& module, const AsyncChains& chains, InstructionId id);

} // namespace hloscope
