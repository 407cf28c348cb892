// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/graph/layout_problem.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hloscope {

// The levels of a layered drawing, from top to bottom. An edge that crosses levels has a bend in each level between its
// ends; edges of one box that run side by side share their bends and part later, like the branches of a tree.
struct Layers {
    static constexpr uint32_t kBend = UINT32_MAX;

    struct Item {
        uint32_t box = kBend; // index into LayoutProblem::boxes
        uint32_t row = 0;
        double x = 0; // centre
        double width = 0;
    };
    struct Row {
        std::vector<uint32_t> items; // left to right
        double top = 0;
        double bottom = 0;
    };
    // A piece of edge from one row to the next.
    struct Link {
        uint32_t from = 0;
        uint32_t to = 0;
        double port = 0; // where it arrives, relative to the centre of `to`
        double weight = 1; // how much it wants to be straight
    };

    std::vector<Item> items; // boxes first, in the order of the problem
    std::vector<Row> rows;
    std::vector<std::vector<uint32_t>> chains; // by edge: items from the tail's box to the head's, both included
    std::vector<double> ports; // by edge: where it arrives, relative to the centre of its head
    std::vector<Link> links; // each pair of items once
};

// From the positions that a layout engine found: boxes of equal y are a row, and an edge bends where its path crosses a
// row. Edges that do not run downwards, and the longest ones when there would be more than 200 000 bends, have no bends
// and no links.
Layers layersFromLayout(const LayoutProblem& problem, const LayoutResult& layout);

// Spreads the arrivals at the top of each box in the order of where they come from, so that they do not cross, and
// makes the links. Needs rows, items and chains.
void connect(Layers& layers);

// Moves items along their rows, keeping order and gaps, so that edges become straight. In each round every row takes
// the weighted mean of its neighbours' positions as its wish, and the wishes are fitted to the gaps by isotonic
// regression (pool adjacent violators), which is the least-squares optimum for that row. Linear in items and links per
// round.
void straighten(Layers& layers, double boxGap, int rounds = 16);

// A placed graph, ready to be drawn.
struct GraphGeometry {
    double width = 0;
    double height = 0;
    std::vector<GraphPoint> centres; // by box
    // By edge: start point and then three points per cubic Bézier piece, from the bottom of the tail to the top of the
    // head; pieces meet with vertical tangents.
    std::vector<std::vector<GraphPoint>> curves;
};

// All of the above: what a layout engine found, straightened, with curves that pass between the boxes.
GraphGeometry drawLayout(const LayoutProblem& problem, const LayoutResult& layout);

} // namespace hloscope
