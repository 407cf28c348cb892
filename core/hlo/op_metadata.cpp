// SPDX-License-Identifier: Apache-2.0
#include "core/hlo/attributes.h"
#include "core/hlo/text_cursor.h"

namespace hloscope {
namespace {

// One field of `metadata={...}` behind its `=`.
bool takeField(TextCursor& cursor, std::string_view key, OpMetadata& metadata)
{
    constexpr std::pair<std::string_view, std::string OpMetadata::*> kTexts[] = {
        {"op_name", &OpMetadata::opName},
        {"op_type", &OpMetadata::opType},
        {"source_file", &OpMetadata::sourceFile},
        {"deduplicated_name", &OpMetadata::deduplicatedName},
        {"scheduling_name", &OpMetadata::schedulingName},
    };
    constexpr std::pair<std::string_view, int32_t OpMetadata::*> kNumbers[] = {
        {"source_line", &OpMetadata::sourceLine},
        {"source_end_line", &OpMetadata::sourceEndLine},
        {"source_column", &OpMetadata::sourceColumn},
        {"source_end_column", &OpMetadata::sourceEndColumn},
    };
    const char first = cursor.peek();
    if (first == '"' || first == '\'') {
        const std::string_view text = cursor.takeString();
        for (const auto& [name, field] : kTexts) {
            if (name == key)
                metadata.*field = unquote(text);
        }
        return !text.empty();
    }
    if (first == '{')
        return cursor.skipBracket();
    const std::optional<int64_t> number = cursor.takeInt();
    if (!number)
        return !cursor.takeNameRest().empty();
    for (const auto& [name, field] : kNumbers) {
        if (name == key)
            metadata.*field = static_cast<int32_t>(*number);
    }
    if (key == "stack_frame_id" && *number >= 1 && *number < INT32_MAX)
        metadata.stackFrame = StackFrameId(static_cast<size_t>(*number - 1));
    return true;
}

} // namespace

OpMetadata parseOpMetadata(std::string_view text)
{
    OpMetadata metadata;
    TextCursor cursor(text);
    cursor.take('{');
    while (!cursor.atEnd() && !cursor.take('}')) {
        const std::string_view key = cursor.takeName();
        if (key.empty() || !cursor.take('=') || !takeField(cursor, key, metadata))
            break;
        cursor.take(',');
    }
    return metadata;
}

} // namespace hloscope
