// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hlo/text_cursor.h"

#include <optional>
#include <string_view>

namespace hloscope {

// How the value of an attribute is delimited in text, and what the parser takes from it.
enum class AttributeKind : uint8_t {
    Unknown, // not an attribute that any version of XLA writes
    Plain,
    Computations, // names of computations, or their bodies
    FreeText, // anything between balanced braces, single quotes are not special
    Literal, // a shape, then a value
    ReplicaGroups, // may hold commas at the outermost level
};

AttributeKind attributeKind(std::string_view key);

// The extent of the value at the cursor, which moves behind it. Empty values exist (`padding=` of a scalar). Nothing
// when a bracket or quote is not closed.
std::optional<std::string_view> takeAttributeValue(TextCursor& cursor, AttributeKind kind);

} // namespace hloscope
