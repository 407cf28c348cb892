// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hlo/hlo_module.h"

#include <cstddef>
#include <cstdint>
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
    InstructionId producer; // value that flows along the edge; invalid where a stub stands for several
};

// Nodes stand in program order, each stub beside its instruction; edges are sorted by their ends. The same module and
// request always give the same scene.
struct GraphScene {
    std::vector<GraphNode> nodes;
    std::vector<GraphEdge> edges; // one per pair of nodes, even where an instruction uses a value twice
    ComputationId computation;
    size_t instructionsShown = 0;
    size_t instructionsWanted = 0; // more than shown when `maxNodes` has cut the scene

    bool isCut() const { return instructionsShown < instructionsWanted; }
    // Index of the instruction's node; nodes.size() when it is not shown.
    size_t nodeOf(InstructionId instruction) const;
};

struct GraphRequest {
    ComputationId computation; // show this whole computation ...
    InstructionId centre; // ... or, if valid, only what is near this instruction
    int radius = 2; // edges away from the centre
    size_t maxNodes = 1000; // stubs included; the rest is behind stubs
    size_t maxNeighbours = 16; // near the centre: operands or users of one instruction beyond this become one stub
    InstructionId focus; // whole computation: what to keep the surroundings of if it has more than `maxNodes`
};

// Near the centre a tuple is shown but the walk does not go on to its other elements, which are rarely related. What
// is left out, by radius or by a limit, is counted in stubs: one per node for its operands and one for its users.
// Linear in the size of the computation and of what is shown. An invalid request gives an empty scene.
GraphScene buildGraphScene(const HloModule& module, const GraphRequest& request);

} // namespace hloscope
