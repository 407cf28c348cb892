// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hlo/hlo_module.h"
#include "core/hlo/op_category.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hloscope {

// What a graph view shows, before it has a geometry: boxes for instructions and stubs for what is left out.
struct GraphNode {
    enum class Kind : uint8_t { Instruction, Stub };
    Kind kind = Kind::Instruction;
    InstructionId instruction; // of a stub: the instruction on whose behalf neighbours are left out
    int hidden = 0; // Stub: number of instructions it stands for
    bool hiddenAreUsers = false; // Stub: they are users, else operands
};

struct GraphEdge {
    uint32_t from = 0; // index into GraphScene::nodes
    uint32_t to = 0;
    InstructionId producer; // value that flows along the edge
};

struct GraphScene {
    std::vector<GraphNode> nodes;
    std::vector<GraphEdge> edges;
    ComputationId computation;
};

struct GraphRequest {
    ComputationId computation; // show this whole computation ...
    InstructionId centre; // ... or, if valid, only what is near this instruction
    int radius = 2; // edges away from the centre
    size_t maxNodes = 1000; // the rest is behind stubs
    size_t maxNeighbours = 16; // users of one instruction beyond this become one stub
};

GraphScene buildGraphScene(const HloModule& module, const GraphRequest& request);

} // namespace hloscope
