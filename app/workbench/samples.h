// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hlo/op_category.h"
#include "core/support/progress.h"

#include <QString>

#include <array>
#include <optional>
#include <vector>

namespace hloscope {

// A file that comes with the program.
struct Sample {
    QString path;
    QString title;
    QString subtitle;
};

// The bundled samples that are found, in the order of the start page. They stand beside the program when it is
// installed (`../share/hloscope/samples`), else in the sources it was built from.
std::vector<Sample> samples();

// What a card of the start page draws: computed from the file, never stored with it.
struct SampleSummary {
    struct Block {
        float begin = 0; // 0 to 1 of the step
        float end = 0;
        OpCategory category = OpCategory::Host;
    };
    std::vector<Block> blocks; // outer events first
    std::array<double, kOpCategoryCount> share{}; // of the time, by category; sums to 1 where anything takes time
    QString figures; // "369 instructions, 13.48 TFLOP"
};

// Reads the file, simulates a module for the chip that it names, and sums the busiest line. Nothing on cancel or where
// the file cannot be read.
std::optional<SampleSummary> summariseSample(const QString& path, Progress& progress);

} // namespace hloscope
