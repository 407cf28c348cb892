// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/graph/graph_picture.h"

#include <QRectF>

#include <optional>

class QPainter;

namespace hloscope {

struct Theme;

struct GraphPaintState {
    double scale = 1; // pixels of the screen per pixel of the picture; less detail below 0.5 and 0.25
    QRectF visible; // in picture coordinates: the rest is skipped
    std::optional<size_t> selected; // node
    std::optional<size_t> hovered; // node
};

// Draws a picture that has its geometry; the painter is in picture coordinates.
void paintGraph(QPainter& painter, const GraphPicture& picture, const Theme& theme, const GraphPaintState& state);

} // namespace hloscope
