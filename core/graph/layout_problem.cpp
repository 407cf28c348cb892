// SPDX-License-Identifier: Apache-2.0
#include "core/graph/layout_problem.h"

#include "graph_layout.pb.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace hloscope {

namespace {

bool isLength(double value)
{
    return std::isfinite(value) && value >= 0 && value <= LayoutProblem::kMaxLength;
}

Diagnostic badReply(std::string message)
{
    return makeError("graph layout", std::move(message));
}

} // namespace

std::optional<std::string> whyRefused(const LayoutProblem& problem)
{
    if (problem.boxes.size() > LayoutProblem::kMaxBoxes)
        return fmt::format("{} boxes are more than the limit of {}", problem.boxes.size(), LayoutProblem::kMaxBoxes);
    if (problem.edges.size() > LayoutProblem::kMaxEdges)
        return fmt::format("{} edges are more than the limit of {}", problem.edges.size(), LayoutProblem::kMaxEdges);
    if (problem.clusterParents.size() > LayoutProblem::kMaxClusters)
        return fmt::format("{} clusters are more than the limit of {}", problem.clusterParents.size(),
                           LayoutProblem::kMaxClusters);
    if (!isLength(problem.boxGap) || !isLength(problem.levelGap))
        return "a gap is no length";
    for (size_t i = 0; i < problem.boxes.size(); ++i) {
        const LayoutProblem::Box& box = problem.boxes[i];
        if (!isLength(box.width) || !isLength(box.height))
            return fmt::format("box {} has a size that is no length", i);
        if (box.cluster > problem.clusterParents.size())
            return fmt::format("box {} is in cluster {}, which does not exist", i, box.cluster);
    }
    for (size_t i = 0; i < problem.edges.size(); ++i) {
        if (std::max(problem.edges[i].from, problem.edges[i].to) >= problem.boxes.size())
            return fmt::format("edge {} ends at a box that does not exist", i);
    }
    for (size_t i = 0; i < problem.clusterParents.size(); ++i) {
        if (problem.clusterParents[i] > i)
            return fmt::format("the parent of cluster {} does not stand before it", i + 1);
    }
    return std::nullopt;
}

std::string toWire(const LayoutProblem& problem)
{
    wire::LayoutRequest message;
    for (const LayoutProblem::Box& box : problem.boxes) {
        wire::LayoutRequest::Box* out = message.add_boxes();
        out->set_width(box.width);
        out->set_height(box.height);
        out->set_cluster(box.cluster);
    }
    for (const LayoutProblem::Edge& edge : problem.edges) {
        wire::LayoutRequest::Edge* out = message.add_edges();
        out->set_from(edge.from);
        out->set_to(edge.to);
    }
    for (uint32_t parent : problem.clusterParents)
        message.add_clusters()->set_parent(parent);
    message.set_box_gap(problem.boxGap);
    message.set_level_gap(problem.levelGap);
    return message.SerializeAsString();
}

std::string toWire(const LayoutResult& result)
{
    wire::LayoutReply message;
    message.set_width(result.width);
    message.set_height(result.height);
    for (const GraphPoint& centre : result.centres) {
        message.add_x(centre.x);
        message.add_y(centre.y);
    }
    for (const std::vector<GraphPoint>& path : result.paths) {
        wire::LayoutReply::Path* out = message.add_paths();
        for (const GraphPoint& point : path) {
            out->add_x(point.x);
            out->add_y(point.y);
        }
    }
    return message.SerializeAsString();
}

std::string errorToWire(std::string_view error)
{
    wire::LayoutReply message;
    message.set_error(std::string(error));
    return message.SerializeAsString();
}

std::optional<LayoutProblem> problemFromWire(std::string_view bytes)
{
    wire::LayoutRequest message;
    if (bytes.size() > LayoutProblem::kMaxMessageBytes
        || !message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
        return std::nullopt;
    LayoutProblem problem;
    problem.boxes.reserve(static_cast<size_t>(message.boxes_size()));
    for (const auto& box : message.boxes())
        problem.boxes.push_back({box.width(), box.height(), box.cluster()});
    problem.edges.reserve(static_cast<size_t>(message.edges_size()));
    for (const auto& edge : message.edges())
        problem.edges.push_back({edge.from(), edge.to()});
    for (const auto& cluster : message.clusters())
        problem.clusterParents.push_back(cluster.parent());
    problem.boxGap = message.box_gap();
    problem.levelGap = message.level_gap();
    return problem;
}

Expected<LayoutResult> resultFromWire(std::string_view bytes, const LayoutProblem& problem)
{
    wire::LayoutReply message;
    if (bytes.size() > LayoutProblem::kMaxMessageBytes
        || !message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
        return badReply("the reply cannot be read");
    if (!message.error().empty())
        return badReply(message.error());
    if (static_cast<size_t>(message.x_size()) != problem.boxes.size() || message.y_size() != message.x_size()
        || static_cast<size_t>(message.paths_size()) != problem.edges.size())
        return badReply("the reply does not fit the request");
    LayoutResult result;
    result.width = message.width();
    result.height = message.height();
    bool finite = std::isfinite(result.width) && std::isfinite(result.height);
    for (int i = 0; i < message.x_size(); ++i) {
        result.centres.push_back({message.x(i), message.y(i)});
        finite = finite && std::isfinite(message.x(i)) && std::isfinite(message.y(i));
    }
    for (const auto& path : message.paths()) {
        if (path.x_size() != path.y_size())
            return badReply("the reply does not fit the request");
        std::vector<GraphPoint> points;
        for (int i = 0; i < path.x_size(); ++i) {
            points.push_back({path.x(i), path.y(i)});
            finite = finite && std::isfinite(path.x(i)) && std::isfinite(path.y(i));
        }
        result.paths.push_back(std::move(points));
    }
    if (!finite)
        return badReply("the reply has a coordinate that is no number");
    return result;
}

std::string framed(std::string_view message)
{
    const auto length = static_cast<uint32_t>(message.size());
    std::string out;
    out.reserve(message.size() + kFramePrefixBytes);
    for (int shift = 0; shift < 32; shift += 8)
        out.push_back(static_cast<char>(length >> shift & 0xff));
    out.append(message);
    return out;
}

uint32_t frameLength(const char* prefix)
{
    uint32_t length = 0;
    for (int i = 3; i >= 0; --i)
        length = length << 8 | static_cast<unsigned char>(prefix[i]);
    return length;
}

} // namespace hloscope
