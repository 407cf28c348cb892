// SPDX-License-Identifier: Apache-2.0
#include "core/hlo/shape_parser.h"

#include "core/hlo/hlo_text.h"

#include <algorithm>

namespace hloscope {
namespace {

constexpr int kMaxDepth = 500;
constexpr size_t kMaxRank = 4096;

// Recursive descent over one shape. Every function gives false after it has set the error.
class ShapeReader {
public:
    ShapeReader(TextCursor& cursor, ShapeError& error) : m_cursor(cursor), m_error(error) { }

    bool shape(Shape& shape, int depth);

private:
    bool tuple(Shape& shape, int depth);
    bool buffer(Shape& shape, int depth);
    bool dimensions(Shape& shape);
    bool dimension(Shape& shape);
    bool oldSparseFormat();
    bool layout(Shape& shape);
    bool minorToMajor(Layout& layout, int64_t rank);
    bool suffixes(Layout& layout);
    bool suffix(Layout& layout, std::string_view name);
    bool tiles(Layout& layout);
    bool tileDimension(Tile& tile);
    bool splits(Layout& layout);
    bool numberInParentheses(int64_t& value, int64_t smallest);
    bool typeInParentheses(PrimitiveType& type);
    bool textInParentheses(std::string& text);

    bool expect(char c);
    bool failAt(const char* at, std::string message, std::string expected = {});
    bool fail(std::string message, std::string expected = {})
    {
        return failAt(m_cursor.pos(), std::move(message), std::move(expected));
    }

    TextCursor& m_cursor;
    ShapeError& m_error;
};

bool ShapeReader::failAt(const char* at, std::string message, std::string expected)
{
    const char* const begin = m_cursor.pos() - m_cursor.offset();
    m_error.offset = static_cast<size_t>(at - begin);
    m_error.message = std::move(message);
    m_error.expected = std::move(expected);
    if (m_error.expected.empty())
        return false;
    TextCursor found(std::string_view(at, static_cast<size_t>(m_cursor.end() - at)));
    if (found.atEnd())
        m_error.found = "the end of the text";
    else if (const std::string_view word = found.takeNameRest(); !word.empty())
        m_error.found.assign("'").append(word.substr(0, 40)) += '\'';
    else
        m_error.found = {'\'', found.peekRaw(), '\''};
    return false;
}

bool ShapeReader::expect(char c)
{
    return m_cursor.take(c) || fail("malformed shape", {'\'', c, '\''});
}

bool ShapeReader::shape(Shape& shape, int depth)
{
    if (depth > kMaxDepth)
        return fail("the shape is nested too deeply");
    if (m_cursor.peek() == '(')
        return tuple(shape, depth);
    const char* const start = m_cursor.pos();
    const std::string_view name = m_cursor.takeNameRaw();
    if (name == "b" && m_cursor.peek() == '(')
        return buffer(shape, depth);
    shape.elementType = primitiveTypeFromName(name);
    if (shape.elementType == PrimitiveType::Invalid || shape.elementType == PrimitiveType::Tuple
        || shape.elementType == PrimitiveType::Buffer) {
        return failAt(start, name.empty() ? "malformed shape" : "unknown element type", "an element type or '('");
    }
    return expect('[') && dimensions(shape) && oldSparseFormat() && layout(shape);
}

bool ShapeReader::tuple(Shape& shape, int depth)
{
    shape.elementType = PrimitiveType::Tuple;
    m_cursor.take('(');
    if (m_cursor.take(')'))
        return true;
    do {
        if (!this->shape(shape.elements.emplace_back(), depth + 1))
            return false;
    } while (m_cursor.take(','));
    return m_cursor.take(')') || fail("malformed tuple shape", "',' or ')'");
}

bool ShapeReader::buffer(Shape& shape, int depth)
{
    shape.elementType = PrimitiveType::Buffer;
    m_cursor.take('(');
    return this->shape(shape.elements.emplace_back(), depth + 1) && expect(')');
}

bool ShapeReader::dimensions(Shape& shape)
{
    if (m_cursor.take(']'))
        return true;
    do {
        if (shape.dimensions.size() >= kMaxRank)
            return fail("the shape has too many dimensions");
        if (!dimension(shape))
            return false;
    } while (m_cursor.take(','));
    return m_cursor.take(']') || fail("malformed dimensions", "',' or ']'");
}

bool ShapeReader::dimension(Shape& shape)
{
    const bool unbounded = m_cursor.take('?');
    const bool dynamic = unbounded || m_cursor.take("<=");
    const char* const start = m_cursor.pos();
    if (unbounded) {
        shape.dimensions.push_back(Shape::kUnbounded);
    } else if (!TextClass::is(m_cursor.peek(), TextClass::Digit)) {
        return fail("malformed dimensions", "a dimension size");
    } else if (const std::optional<int64_t> size = m_cursor.takeInt()) {
        shape.dimensions.push_back(*size);
    } else {
        return failAt(start, "the dimension size does not fit into 64 bits");
    }
    if (dynamic)
        shape.dynamic.resize(shape.dimensions.size() - 1);
    if (dynamic || !shape.dynamic.empty())
        shape.dynamic.push_back(dynamic);
    return true;
}

// `f32[2,3]sparse{10}`, `f32[2]dense{0}` and `f32[2]invalid{}` of 2018. Dense is how every other layout is meant, the
// other two say nothing that a reader of today could use.
bool ShapeReader::oldSparseFormat()
{
    const char* const start = m_cursor.pos();
    const std::string_view word = m_cursor.takeNameRaw();
    if (word.empty() || word == "dense")
        return true;
    if (word != "sparse" && word != "invalid") {
        m_cursor.seek(start);
        return true;
    }
    if (!expect('{'))
        return false;
    m_cursor.takeInt();
    return expect('}');
}

bool ShapeReader::layout(Shape& shape)
{
    const char* const start = m_cursor.pos();
    if (!m_cursor.take('{'))
        return true;
    const char next = m_cursor.peek();
    if (!TextClass::is(next, TextClass::Digit) && next != ':') {
        m_cursor.seek(start);
        return true;
    }
    if (!shape.isArray())
        return failAt(start, "only an array has a layout");
    Layout& layout = shape.layout.emplace();
    if (!minorToMajor(layout, shape.rank()))
        return false;
    if (m_cursor.take(':') && !suffixes(layout))
        return false;
    return m_cursor.take('}') || fail("malformed layout", "a layout suffix or '}'");
}

bool ShapeReader::minorToMajor(Layout& layout, int64_t rank)
{
    std::vector<bool> seen(static_cast<size_t>(rank));
    if (m_cursor.peek() != ':') {
        do {
            m_cursor.skipBlanks();
            const char* const start = m_cursor.pos();
            const std::optional<int64_t> dimension = m_cursor.takeInt();
            if (!dimension)
                return fail("malformed layout", "a dimension number");
            if (*dimension < 0 || *dimension >= rank)
                return failAt(start,
                              "the layout names dimension " + std::to_string(*dimension) + " of a shape with "
                                  + std::to_string(rank) + " dimensions");
            if (seen[static_cast<size_t>(*dimension)])
                return failAt(start, "the layout names dimension " + std::to_string(*dimension) + " twice");
            seen[static_cast<size_t>(*dimension)] = true;
            layout.minorToMajor.push_back(*dimension);
        } while (m_cursor.take(','));
    }
    if (static_cast<int64_t>(layout.minorToMajor.size()) != rank)
        return fail("the layout orders " + std::to_string(layout.minorToMajor.size()) + " of " + std::to_string(rank)
                    + " dimensions");
    return true;
}

bool ShapeReader::suffixes(Layout& layout)
{
    while (m_cursor.peek() != '}') {
        const char* const start = m_cursor.pos();
        std::string_view name = m_cursor.takeNameRaw();
        if (name.empty() && (m_cursor.peekRaw() == '#' || m_cursor.peekRaw() == '*')) {
            name = std::string_view(m_cursor.pos(), 1);
            m_cursor.advance(1);
        }
        if (m_cursor.peek() != '(') {
            m_cursor.seek(start);
            return fail("malformed layout", "a layout suffix or '}'");
        }
        const char* const open = m_cursor.pos();
        m_cursor.seek(start);
        if (name.empty())
            return fail("malformed layout", "a layout suffix or '}'");
        m_cursor.seek(open);
        if (!suffix(layout, name))
            return false;
    }
    return true;
}

bool ShapeReader::suffix(Layout& layout, std::string_view name)
{
    if (name == "T")
        return tiles(layout);
    if (name == "S")
        return numberInParentheses(layout.memorySpace, 0);
    if (name == "E")
        return numberInParentheses(layout.elementSizeBits, 0);
    if (name == "L")
        return numberInParentheses(layout.tailPaddingElements, 1);
    if (name == "M")
        return numberInParentheses(layout.dynamicMetadataPrefixBytes, 0);
    if (name == "SC")
        return splits(layout);
    if (name == "#")
        return typeInParentheses(layout.indexType);
    if (name == "*")
        return typeInParentheses(layout.pointerType);
    if (name == "D")
        return textInParentheses(layout.dimLevelTypes);
    if (name == "P")
        return textInParentheses(layout.physicalShape);
    return failAt(name.data(), "unknown layout suffix", "one of D T L # * E S SC P M");
}

bool ShapeReader::tiles(Layout& layout)
{
    while (m_cursor.take('(')) {
        Tile& tile = layout.tiles.emplace_back();
        if (m_cursor.take(')'))
            continue;
        do {
            if (!tileDimension(tile))
                return false;
        } while (m_cursor.take(','));
        if (!m_cursor.take(')'))
            return fail("malformed tile", "',' or ')'");
    }
    return true;
}

bool ShapeReader::tileDimension(Tile& tile)
{
    if (m_cursor.take('*')) {
        tile.dimensions.push_back(Tile::kCombine);
        return true;
    }
    m_cursor.skipBlanks();
    const char* const start = m_cursor.pos();
    const std::optional<int64_t> size = m_cursor.takeInt();
    if (!size)
        return fail("malformed tile", "a tile size or '*'");
    if (*size <= 0)
        return failAt(start, "a tile size must be at least 1");
    tile.dimensions.push_back(*size);
    return true;
}

bool ShapeReader::splits(Layout& layout)
{
    while (m_cursor.take('(')) {
        SplitConfig& split = layout.splits.emplace_back();
        const std::optional<int64_t> dimension = m_cursor.takeInt();
        if (!dimension)
            return fail("malformed split", "a dimension number");
        split.dimension = *dimension;
        if (!expect(':'))
            return false;
        do {
            const std::optional<int64_t> index = m_cursor.takeInt();
            if (!index)
                return fail("malformed split", "an index");
            split.indices.push_back(*index);
        } while (m_cursor.take(','));
        if (!expect(')'))
            return false;
    }
    return true;
}

bool ShapeReader::numberInParentheses(int64_t& value, int64_t smallest)
{
    m_cursor.take('(');
    m_cursor.skipBlanks();
    const char* const start = m_cursor.pos();
    const std::optional<int64_t> number = m_cursor.takeInt();
    if (!number)
        return fail("malformed layout suffix", "a number");
    if (*number < smallest)
        return failAt(start, "the number of a layout suffix must be at least " + std::to_string(smallest));
    value = *number;
    return expect(')');
}

bool ShapeReader::typeInParentheses(PrimitiveType& type)
{
    m_cursor.take('(');
    m_cursor.skipBlanks();
    const char* const start = m_cursor.pos();
    const std::string_view name = m_cursor.takeNameRaw();
    type = primitiveTypeFromName(name);
    if (type == PrimitiveType::Invalid && name != "invalid")
        return failAt(start, "malformed layout suffix", "an element type");
    return expect(')');
}

bool ShapeReader::textInParentheses(std::string& text)
{
    const char* const open = m_cursor.pos();
    if (!m_cursor.skipBracket())
        return fail("malformed layout suffix", "')'");
    text.assign(open + 1, m_cursor.pos() - 1);
    return true;
}

} // namespace

std::optional<Shape> takeShape(TextCursor& cursor, ShapeError& error)
{
    Shape shape;
    if (!ShapeReader(cursor, error).shape(shape, 0))
        return std::nullopt;
    return shape;
}

bool skipShape(TextCursor& cursor)
{
    if (cursor.peekRaw() == '(')
        return cursor.skipBracket();
    const std::string_view word = cursor.takeNameRaw();
    if (cursor.peekRaw() == '(')
        return word == "b" && cursor.skipBracket();
    if (word.empty() || cursor.peekRaw() != '[' || !cursor.skipBracket())
        return false;
    const char* const behindDimensions = cursor.pos();
    const bool oldFormat = !cursor.takeNameRaw().empty() && cursor.peekRaw() == '{';
    if (oldFormat)
        return cursor.skipBracket();
    cursor.seek(behindDimensions);
    if (cursor.peek() == '{') {
        const char* const open = cursor.pos();
        cursor.advance(1);
        const char next = cursor.peek();
        cursor.seek(open);
        if (TextClass::is(next, TextClass::Digit) || next == ':')
            return cursor.skipBracket();
    }
    cursor.seek(behindDimensions);
    return true;
}

Expected<Shape> parseShape(std::string_view text)
{
    TextCursor cursor(text);
    ShapeError error;
    std::optional<Shape> shape = takeShape(cursor, error);
    if (shape && !cursor.atEnd()) {
        // Alone, `{}` can only be the empty layout of a scalar.
        const bool emptyLayout = cursor.take('{') && cursor.take('}') && shape->isArray() && shape->rank() == 0;
        if (!emptyLayout || !cursor.atEnd()) {
            error.offset = cursor.offset();
            error.message = "text behind the shape";
            shape.reset();
        }
    }
    if (shape && shape->isArray() && !shape->elementCount()
        && std::find(shape->dimensions.begin(), shape->dimensions.end(), Shape::kUnbounded)
            == shape->dimensions.end()) {
        error.message = "the number of elements does not fit into 64 bits";
        error.offset = text.find('[');
        shape.reset();
    }
    if (shape)
        return std::move(*shape);
    Diagnostic diagnostic = makeError("", error.message);
    diagnostic.expected = error.expected;
    diagnostic.found = error.found;
    diagnostic.line = 1;
    diagnostic.column = static_cast<uint32_t>(error.offset + 1);
    return diagnostic;
}

} // namespace hloscope
