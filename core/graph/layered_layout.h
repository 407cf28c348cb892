// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/graph/layout_problem.h"

namespace hloscope {

// A layout without Graphviz, for when its helper is missing, dies or takes too long. Levels by longest path, then eight
// sweeps that order each level by the mean place of its neighbours, then Layers::straighten(). More crossings than
// Graphviz makes, but linear in boxes and edges (edges over more than 20 levels are not routed around boxes) and never
// fails: edges that close a cycle simply do not count for the levels. Clusters are ignored.
LayoutResult layeredLayout(const LayoutProblem& problem);

} // namespace hloscope
