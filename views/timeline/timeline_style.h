// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/common/theme.h"
#include "views/timeline/label_cache.h"

#include <QBrush>

#include <array>

namespace hloscope {

// Colours that the timeline mixes from the theme, and the texts it draws in each size. Made again when the theme, the
// text scale or the trace changes.
struct TimelineStyle {
    explicit TimelineStyle(const ThemeManager& manager);

    const Theme& theme;
    std::array<QColor, kOpCategoryCount> run; // bands of merged events: between the fill and the ground
    std::array<QColor, kOpCategoryCount> edge; // between two blocks that touch
    QColor scopeRun;
    QColor badge; // ground of the number in a run
    QBrush dots; // every second pixel, for the edge of a run
    LabelCache name; // in blocks, 11.5 px
    LabelCache small; // durations, counts, ticks, 11 px
    LabelCache header; // row names, 13 px
    LabelCache caption; // 12 px
};

QColor mixed(const QColor& a, const QColor& b, double shareOfB);

} // namespace hloscope
