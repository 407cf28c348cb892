// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/support/expected.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hloscope {

struct GraphPoint {
    double x = 0;
    double y = 0;

    bool operator==(const GraphPoint&) const = default;
};

// Boxes of known size to be placed, all lengths in pixels.
struct LayoutProblem {
    static constexpr size_t kMaxBoxes = 1000; // Graphviz takes seconds beyond this
    static constexpr size_t kMaxEdges = 20'000;
    static constexpr size_t kMaxClusters = 1000;
    static constexpr double kMaxLength = 20'000;
    static constexpr size_t kMaxMessageBytes = 16 << 20;

    struct Box {
        double width = 0;
        double height = 0;
        uint32_t cluster = 0; // index into clusterParents plus one, 0 for none
    };
    struct Edge {
        uint32_t from = 0; // index into boxes; above `to`
        uint32_t to = 0;
    };
    std::vector<Box> boxes;
    std::vector<Edge> edges;
    std::vector<uint32_t> clusterParents; // index plus one of an earlier cluster, 0 for none
    double boxGap = 18; // between neighbours on one level
    double levelGap = 34; // between levels
};

// Where the boxes go. The origin is the top left corner of the drawing.
struct LayoutResult {
    double width = 0;
    double height = 0;
    std::vector<GraphPoint> centres; // by box
    std::vector<std::vector<GraphPoint>> paths; // by edge: from centre to centre, bends between the boxes; may be empty
};

// Why the layout helper does not take the problem: too large, a size that is no number, an index out of range.
std::optional<std::string> whyRefused(const LayoutProblem& problem);

// Messages of graph_layout.proto without their length prefix.
std::string toWire(const LayoutProblem& problem);
std::string toWire(const LayoutResult& result);
std::string errorToWire(std::string_view message);
// Nothing when the bytes are no such message. What it says is checked by whyRefused().
std::optional<LayoutProblem> problemFromWire(std::string_view bytes);
// Errors: bytes that are no reply, an error that the helper reports, a reply that does not fit the problem.
Expected<LayoutResult> resultFromWire(std::string_view bytes, const LayoutProblem& problem);

// Length prefix of a message: four bytes, little-endian.
constexpr size_t kFramePrefixBytes = 4;
std::string framed(std::string_view message);
uint32_t frameLength(const char* prefix);

} // namespace hloscope
