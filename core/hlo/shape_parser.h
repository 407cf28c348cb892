// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hlo/shape.h"
#include "core/hlo/text_cursor.h"

#include <optional>
#include <string>

namespace hloscope {

// Why a shape cannot be read, and where in its text.
struct ShapeError {
    size_t offset = 0;
    std::string message;
    std::string expected;
    std::string found;
};

// Reads the shape at the cursor and moves behind it. A `{` behind the dimensions opens a layout only when a digit or a
// colon follows, as it may also open the body of a computation.
std::optional<Shape> takeShape(TextCursor& cursor, ShapeError& error);

// Moves behind the shape at the position, found by its brackets alone. False when no shape can start there or a bracket
// is not closed.
bool skipShape(TextCursor& cursor);

} // namespace hloscope
