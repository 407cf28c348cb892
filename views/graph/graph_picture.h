// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/graph/graph_scene.h"
#include "core/graph/layers.h"
#include "core/graph/layout_problem.h"
#include "core/hlo/op_category.h"
#include "core/tpu/op_cost.h"

#include <QPainterPath>
#include <QRectF>
#include <QSizeF>
#include <QString>

#include <memory>
#include <optional>
#include <vector>

namespace hloscope {

// What is written in a node, already shortened to its width.
struct GraphNodeLook {
    enum class Form : uint8_t { Box, Pill };

    Form form = Form::Box;
    OpCategory category = OpCategory::Pointwise;
    bool hasBand = true; // the category band; ops that only rename or bundle values have none
    bool isDashed = false; // a pill for what is not shown, or for a parameter with a single user
    QString title; // name of the op
    QString detail; // at the right: time, size, "parameter"
    QString subtitle; // scope or shape, may be empty
    QSizeF size;
};

// A scene with its words and, once it is laid out, its geometry. Lengths are pixels at 100 %.
class GraphPicture {
public:
    std::shared_ptr<const HloModule> module;
    GraphScene scene;
    std::vector<GraphNodeLook> looks; // by node
    std::vector<QRectF> rects; // by node
    std::vector<QPainterPath> paths; // by edge
    QSizeF size;

    bool isEmpty() const { return rects.empty(); }
    bool isStub(size_t node) const { return scene.nodes[node].kind == GraphNode::Kind::Stub; }
    std::optional<size_t> nodeAt(QPointF point) const;
    std::optional<size_t> nodeOf(InstructionId instruction) const;

    LayoutProblem problem() const;
    void setGeometry(const GraphGeometry& geometry);
};

// Texts and sizes of the nodes with the fonts in force. `cost` may be null: times are left out, the room for them
// stays.
std::vector<GraphNodeLook> describeNodes(const HloModule& module, const GraphScene& scene, const ModuleCost* cost);

// Hover text of a node, plain lines: name, shape with layout, op_name.
QString describeNode(const HloModule& module, const GraphNode& node);

} // namespace hloscope
