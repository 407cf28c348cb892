// SPDX-License-Identifier: Apache-2.0
#include "core/hlo/attributes.h"

#include "core/hlo/text_cursor.h"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace hloscope {
namespace {

// `{0,1}` at the cursor.
bool takeIntList(TextCursor& cursor, std::vector<int64_t>& list)
{
    if (!cursor.take('{'))
        return false;
    if (cursor.take('}'))
        return true;
    do {
        const std::optional<int64_t> value = cursor.takeInt();
        if (!value)
            return false;
        list.push_back(*value);
    } while (cursor.take(','));
    return cursor.take('}');
}

// `{item, item}`; `item` reads one and says whether it could.
template <class Item> bool takeBraced(TextCursor& cursor, const Item& item)
{
    if (!cursor.take('{'))
        return false;
    if (cursor.take('}'))
        return true;
    do {
        if (!item())
            return false;
    } while (cursor.take(','));
    return cursor.take('}');
}

// Runs one entry of `window={...}` over its dimensions: `3x3`, `1_1x0_2`. Gives false for text of another form or a
// number of dimensions that differs from that of `size`.
template <class One> bool forEachX(std::string_view text, size_t dimensions, const One& one)
{
    TextCursor cursor(text);
    for (size_t i = 0; i < dimensions; ++i) {
        if ((i > 0 && !cursor.take('x')) || !one(cursor, i))
            return false;
    }
    return cursor.atEnd();
}

bool applyWindowField(std::vector<WindowDimension>& window, std::string_view key, std::string_view text)
{
    const auto each = [&](int64_t WindowDimension::*field) {
        return forEachX(text, window.size(), [&](TextCursor& cursor, size_t i) {
            const std::optional<int64_t> value = cursor.takeInt();
            window[i].*field = value.value_or(0);
            return value.has_value();
        });
    };
    if (key == "stride")
        return each(&WindowDimension::stride);
    if (key == "lhs_dilate")
        return each(&WindowDimension::baseDilation);
    if (key == "rhs_dilate")
        return each(&WindowDimension::windowDilation);
    if (key == "rhs_reversal") {
        return forEachX(text, window.size(), [&](TextCursor& cursor, size_t i) {
            const std::optional<int64_t> value = cursor.takeInt();
            window[i].reversed = value.value_or(0) != 0;
            return value.has_value();
        });
    }
    if (key == "pad") {
        return forEachX(text, window.size(), [&](TextCursor& cursor, size_t i) {
            const std::optional<int64_t> low = cursor.takeInt();
            const std::optional<int64_t> high = cursor.take('_') ? cursor.takeInt() : std::nullopt;
            window[i].paddingLow = low.value_or(0);
            window[i].paddingHigh = high.value_or(0);
            return low.has_value() && high.has_value();
        });
    }
    return false;
}

// The fields of `window={...}` as key and value.
std::optional<std::vector<std::pair<std::string_view, std::string_view>>> windowFields(std::string_view text)
{
    TextCursor cursor(text);
    std::vector<std::pair<std::string_view, std::string_view>> fields;
    if (!cursor.take('{'))
        return std::nullopt;
    while (!cursor.take('}')) {
        const std::string_view key = cursor.takeName();
        if (key.empty() || !cursor.take('='))
            return std::nullopt;
        cursor.skipBlanks();
        const std::string_view value = cursor.takeNameRest();
        if (value.empty())
            return std::nullopt;
        fields.emplace_back(key, value);
        cursor.take(',');
    }
    return fields;
}

void appendUtf8OrByte(std::string& out, unsigned value)
{
    out += static_cast<char>(value & 0xff);
}

// Resolves the escape behind the backslash at `i - 1` and gives the index of what follows it.
size_t appendEscape(std::string& out, std::string_view text, size_t i)
{
    constexpr std::array<std::pair<char, char>, 7> kNamed{
        {{'n', '\n'}, {'r', '\r'}, {'t', '\t'}, {'a', '\a'}, {'b', '\b'}, {'f', '\f'}, {'v', '\v'}}};
    const char c = text[i];
    for (const auto& [letter, value] : kNamed) {
        if (c == letter) {
            out += value;
            return i + 1;
        }
    }
    unsigned value = 0;
    if (c == 'x' || c == 'X') {
        const char* const begin = text.data() + i + 1;
        const auto result = std::from_chars(begin, text.data() + std::min(text.size(), i + 3), value, 16);
        if (result.ptr == begin) {
            out += c;
            return i + 1;
        }
        appendUtf8OrByte(out, value);
        return static_cast<size_t>(result.ptr - text.data());
    }
    if (c >= '0' && c <= '7') {
        const char* const begin = text.data() + i;
        const auto result = std::from_chars(begin, text.data() + std::min(text.size(), i + 3), value, 8);
        appendUtf8OrByte(out, value);
        return static_cast<size_t>(result.ptr - text.data());
    }
    out += c;
    return i + 1;
}

struct LiteralReader {
    TextCursor cursor;
    std::vector<double>& values;
    size_t limit;

    // One number, `true`, `inf`, `nan(0x1)`.
    bool scalar()
    {
        const bool negative = cursor.take('-');
        if (TextClass::is(cursor.peek(), TextClass::Letter))
            return word(negative);
        double value = 0;
        const auto result = std::from_chars(cursor.pos(), cursor.end(), value);
        if (result.ptr == cursor.pos())
            return false;
        cursor.seek(result.ptr);
        values.push_back(negative ? -value : value);
        return true;
    }

    bool word(bool negative)
    {
        const std::string_view text = cursor.takeName();
        if (text == "true" || text == "false") {
            values.push_back(text == "true" ? 1 : 0);
        } else if (text == "inf") {
            values.push_back(negative ? -std::numeric_limits<double>::infinity()
                                      : std::numeric_limits<double>::infinity());
        } else if (text == "nan") {
            if (cursor.peekRaw() == '(' && !cursor.skipBracket())
                return false;
            values.push_back(std::numeric_limits<double>::quiet_NaN());
        } else {
            return false;
        }
        return true;
    }

    bool all()
    {
        int depth = 0;
        while (!cursor.atEnd()) {
            if (cursor.take('{')) {
                ++depth;
            } else if (cursor.take('}')) {
                if (--depth < 0)
                    return false;
            } else if (!cursor.take(',')) {
                if (values.size() >= limit || !scalar())
                    return false;
            }
        }
        return depth == 0;
    }
};

} // namespace

std::optional<std::vector<int64_t>> parseIntList(std::string_view text)
{
    TextCursor cursor(text);
    std::vector<int64_t> list;
    if (!takeIntList(cursor, list) || !cursor.atEnd())
        return std::nullopt;
    return list;
}

std::optional<std::vector<WindowDimension>> parseWindow(std::string_view text)
{
    const auto fields = windowFields(text);
    if (!fields)
        return std::nullopt;
    std::vector<WindowDimension> window;
    for (const auto& [key, value] : *fields) {
        if (key != "size")
            continue;
        TextCursor cursor(value);
        do {
            const std::optional<int64_t> size = cursor.takeInt();
            if (!size)
                return std::nullopt;
            window.emplace_back().size = *size;
        } while (cursor.take('x'));
        if (!cursor.atEnd())
            return std::nullopt;
    }
    for (const auto& [key, value] : *fields) {
        if (key != "size" && !applyWindowField(window, key, value))
            return std::nullopt;
    }
    return window;
}

std::optional<ConvolutionDimensions> parseDimLabels(std::string_view text)
{
    const size_t underscore = text.find('_');
    const size_t arrow = text.find("->");
    if (underscore == std::string_view::npos || arrow == std::string_view::npos || arrow < underscore)
        return std::nullopt;
    ConvolutionDimensions result;
    const auto read = [](std::string_view labels, char first, int64_t& firstAt, char second, int64_t& secondAt,
                         std::vector<int64_t>& spatial) {
        for (size_t i = 0; i < labels.size(); ++i) {
            const char c = labels[i];
            const auto at = static_cast<int64_t>(i);
            if (c == first) {
                firstAt = at;
            } else if (c == second) {
                secondAt = at;
            } else if (c >= '0' && c <= '9') {
                const auto dimension = static_cast<size_t>(c - '0');
                if (dimension >= spatial.size())
                    spatial.resize(dimension + 1, -1);
                spatial[dimension] = at;
            } else if (c != '?') {
                return false;
            }
        }
        return true;
    };
    if (!read(text.substr(0, underscore), 'b', result.inputBatch, 'f', result.inputFeature, result.inputSpatial)
        || !read(text.substr(underscore + 1, arrow - underscore - 1), 'i', result.kernelInputFeature, 'o',
                 result.kernelOutputFeature, result.kernelSpatial)
        || !read(text.substr(arrow + 2), 'b', result.outputBatch, 'f', result.outputFeature, result.outputSpatial))
        return std::nullopt;
    return result;
}

std::optional<std::vector<SliceDimension>> parseSlice(std::string_view text)
{
    TextCursor cursor(text);
    std::vector<SliceDimension> slice;
    const bool ok = takeBraced(cursor, [&] {
        SliceDimension& dimension = slice.emplace_back();
        const auto number = [&](int64_t& value) {
            const std::optional<int64_t> read = cursor.takeInt();
            value = read.value_or(0);
            return read.has_value();
        };
        return cursor.take('[') && number(dimension.start) && cursor.take(':') && number(dimension.limit)
            && (!cursor.take(':') || number(dimension.stride)) && cursor.take(']');
    });
    if (!ok || !cursor.atEnd())
        return std::nullopt;
    return slice;
}

std::optional<std::vector<std::pair<int64_t, int64_t>>> parseSourceTargetPairs(std::string_view text)
{
    TextCursor cursor(text);
    std::vector<std::pair<int64_t, int64_t>> pairs;
    const bool ok = takeBraced(cursor, [&] {
        std::vector<int64_t> pair;
        if (!takeIntList(cursor, pair) || pair.size() != 2)
            return false;
        pairs.emplace_back(pair[0], pair[1]);
        return true;
    });
    if (!ok || !cursor.atEnd())
        return std::nullopt;
    return pairs;
}

std::optional<std::vector<OutputOperandAlias>> parseOutputOperandAliasing(std::string_view text)
{
    TextCursor cursor(text);
    std::vector<OutputOperandAlias> aliases;
    const bool ok = takeBraced(cursor, [&] {
        OutputOperandAlias& alias = aliases.emplace_back();
        if (!takeIntList(cursor, alias.outputIndex) || !cursor.take(':') || !cursor.take('('))
            return false;
        const std::optional<int64_t> operand = cursor.takeInt();
        alias.operand = operand.value_or(0);
        return operand && cursor.take(',') && takeIntList(cursor, alias.operandIndex) && cursor.take(')');
    });
    if (!ok || !cursor.atEnd())
        return std::nullopt;
    return aliases;
}

std::optional<std::vector<InputOutputAlias>> parseInputOutputAlias(std::string_view text)
{
    TextCursor cursor(text);
    std::vector<InputOutputAlias> aliases;
    const bool ok = takeBraced(cursor, [&] {
        InputOutputAlias& alias = aliases.emplace_back();
        if (!takeIntList(cursor, alias.outputIndex) || !cursor.take(':') || !cursor.take('('))
            return false;
        const std::optional<int64_t> parameter = cursor.takeInt();
        alias.parameter = parameter.value_or(0);
        if (!parameter || !cursor.take(',') || !takeIntList(cursor, alias.parameterIndex))
            return false;
        if (cursor.take(',')) {
            const std::string_view kind = cursor.takeName();
            alias.mustAlias = kind == "must-alias";
            if (!alias.mustAlias && kind != "may-alias")
                return false;
        }
        return cursor.take(')');
    });
    if (!ok || !cursor.atEnd())
        return std::nullopt;
    return aliases;
}

std::string unquote(std::string_view text)
{
    if (text.size() < 2 || (text.front() != '"' && text.front() != '\'') || text.back() != text.front())
        return std::string(text);
    text = text.substr(1, text.size() - 2);
    std::string result;
    result.reserve(text.size());
    for (size_t i = 0; i < text.size();) {
        if (text[i] == '\\' && i + 1 < text.size())
            i = appendEscape(result, text, i + 1);
        else
            result += text[i++];
    }
    return result;
}

std::optional<std::vector<double>> parseNumericLiteral(std::string_view text, size_t limit)
{
    std::vector<double> values;
    LiteralReader reader{TextCursor(text), values, limit};
    // Text of 2018 repeats the shape in front of the value.
    const std::string_view word = reader.cursor.takeName();
    if (word.empty() || reader.cursor.peekRaw() != '[' || !reader.cursor.skipBracket())
        reader.cursor = TextCursor(text);
    if (reader.cursor.atEnd() || !reader.all())
        return std::nullopt;
    return values;
}

} // namespace hloscope
