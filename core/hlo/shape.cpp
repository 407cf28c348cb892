// SPDX-License-Identifier: Apache-2.0
#include "core/hlo/shape.h"

#include <array>
#include <charconv>

namespace hloscope {
namespace {

struct TypeInfo {
    std::string_view name;
    int bits;
};

// Indexed by PrimitiveType.
constexpr std::array<TypeInfo, 37> kTypes{{
    {"", 0},           {"pred", 8},       {"s8", 8},       {"s16", 16},      {"s32", 32},   {"s64", 64},
    {"u8", 8},         {"u16", 16},       {"u32", 32},     {"u64", 64},      {"f16", 16},   {"f32", 32},
    {"f64", 64},       {"tuple", 0},      {"opaque", 64},  {"c64", 64},      {"bf16", 16},  {"token", 0},
    {"c128", 128},     {"f8e5m2", 8},     {"f8e4m3fn", 8}, {"s4", 8},        {"u4", 8},     {"f8e4m3b11fnuz", 8},
    {"f8e5m2fnuz", 8}, {"f8e4m3fnuz", 8}, {"s2", 8},       {"u2", 8},        {"f8e4m3", 8}, {"f8e3m4", 8},
    {"s1", 8},         {"u1", 8},         {"f4e2m1fn", 8}, {"f8e8m0fnu", 8}, {"buffer", 0}, {"f6e3m2fn", 8},
    {"f6e2m3fn", 8},
}};

constexpr int64_t kIndexInterval = 5;

void appendNumber(std::string& out, int64_t value)
{
    std::array<char, 24> buffer;
    const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    out.append(buffer.data(), result.ptr);
}

void appendList(std::string& out, const std::vector<int64_t>& values)
{
    for (size_t i = 0; i < values.size(); ++i) {
        if (i > 0)
            out += ',';
        appendNumber(out, values[i]);
    }
}

void appendTiles(std::string& out, const std::vector<Tile>& tiles)
{
    if (tiles.empty())
        return;
    out += 'T';
    for (const Tile& tile : tiles) {
        out += '(';
        for (size_t i = 0; i < tile.dimensions.size(); ++i) {
            if (i > 0)
                out += ',';
            if (tile.dimensions[i] == Tile::kCombine)
                out += '*';
            else
                appendNumber(out, tile.dimensions[i]);
        }
        out += ')';
    }
}

void appendNumberSuffix(std::string& out, std::string_view letter, int64_t value)
{
    out += letter;
    out += '(';
    appendNumber(out, value);
    out += ')';
}

void appendTypeSuffix(std::string& out, char letter, PrimitiveType type)
{
    if (type == PrimitiveType::Invalid)
        return;
    out += letter;
    out += '(';
    out += primitiveTypeName(type);
    out += ')';
}

void appendSplits(std::string& out, const std::vector<SplitConfig>& splits)
{
    if (splits.empty())
        return;
    out += "SC";
    for (const SplitConfig& split : splits) {
        out += '(';
        appendNumber(out, split.dimension);
        out += ':';
        appendList(out, split.indices);
        out += ')';
    }
}

bool hasSuffixes(const Layout& layout)
{
    return !layout.tiles.empty() || layout.tailPaddingElements != 1 || layout.elementSizeBits != 0
        || layout.memorySpace != 0 || !layout.splits.empty() || layout.dynamicMetadataPrefixBytes != 0
        || layout.indexType != PrimitiveType::Invalid || layout.pointerType != PrimitiveType::Invalid
        || !layout.dimLevelTypes.empty() || !layout.physicalShape.empty();
}

void appendLayout(std::string& out, const Layout& layout)
{
    out += '{';
    appendList(out, layout.minorToMajor);
    if (hasSuffixes(layout)) {
        out += ':';
        if (!layout.dimLevelTypes.empty())
            out.append("D(").append(layout.dimLevelTypes) += ')';
        appendTiles(out, layout.tiles);
        if (layout.tailPaddingElements != 1)
            appendNumberSuffix(out, "L", layout.tailPaddingElements);
        appendTypeSuffix(out, '#', layout.indexType);
        appendTypeSuffix(out, '*', layout.pointerType);
        if (layout.elementSizeBits != 0)
            appendNumberSuffix(out, "E", layout.elementSizeBits);
        if (layout.memorySpace != 0)
            appendNumberSuffix(out, "S", layout.memorySpace);
        appendSplits(out, layout.splits);
        if (!layout.physicalShape.empty())
            out.append("P(").append(layout.physicalShape) += ')';
        if (layout.dynamicMetadataPrefixBytes != 0)
            appendNumberSuffix(out, "M", layout.dynamicMetadataPrefixBytes);
    }
    out += '}';
}

void appendArray(std::string& out, const Shape& shape, const ShapeText& options)
{
    out += primitiveTypeName(shape.elementType);
    out += '[';
    for (size_t i = 0; i < shape.dimensions.size(); ++i) {
        if (i > 0)
            out += ',';
        if (shape.dimensions[i] == Shape::kUnbounded) {
            out += '?';
            continue;
        }
        if (shape.isDynamic(i))
            out += "<=";
        appendNumber(out, shape.dimensions[i]);
    }
    out += ']';
    if (options.layouts && shape.layout && (!shape.layout->minorToMajor.empty() || hasSuffixes(*shape.layout)))
        appendLayout(out, *shape.layout);
}

void appendTuple(std::string& out, const Shape& shape, const ShapeText& options)
{
    out += '(';
    for (size_t i = 0; i < shape.elements.size(); ++i) {
        if (i > 0)
            out += ", ";
        if (options.indexComments && i > 0 && i % kIndexInterval == 0) {
            out += "/*index=";
            appendNumber(out, static_cast<int64_t>(i));
            out += "*/";
        }
        appendShape(out, shape.elements[i], options);
    }
    out += ')';
}

void visit(std::vector<int64_t>& index, const Shape& shape,
           const std::function<void(const std::vector<int64_t>&, const Shape&)>& visitor)
{
    visitor(index, shape);
    if (!shape.isTuple())
        return;
    for (size_t i = 0; i < shape.elements.size(); ++i) {
        index.push_back(static_cast<int64_t>(i));
        visit(index, shape.elements[i], visitor);
        index.pop_back();
    }
}

} // namespace

std::string_view primitiveTypeName(PrimitiveType type)
{
    const auto index = static_cast<size_t>(type);
    return index < kTypes.size() ? kTypes[index].name : std::string_view();
}

PrimitiveType primitiveTypeFromName(std::string_view name)
{
    if (name.size() < 2)
        return PrimitiveType::Invalid;
    for (size_t i = 1; i < kTypes.size(); ++i) {
        if (kTypes[i].name == name)
            return static_cast<PrimitiveType>(i);
    }
    return PrimitiveType::Invalid;
}

int naturalBits(PrimitiveType type)
{
    const auto index = static_cast<size_t>(type);
    return index < kTypes.size() ? kTypes[index].bits : 0;
}

bool isFloatingPoint(PrimitiveType type)
{
    const std::string_view name = primitiveTypeName(type);
    return type == PrimitiveType::BF16 || (name.size() > 1 && name[0] == 'f');
}

bool isIntegral(PrimitiveType type)
{
    const std::string_view name = primitiveTypeName(type);
    return name.size() > 1 && (name[0] == 's' || name[0] == 'u');
}

bool isComplex(PrimitiveType type)
{
    return type == PrimitiveType::C64 || type == PrimitiveType::C128;
}

bool Shape::isArray() const
{
    switch (elementType) {
    case PrimitiveType::Invalid:
    case PrimitiveType::Tuple:
    case PrimitiveType::Opaque:
    case PrimitiveType::Token:
    case PrimitiveType::Buffer:
        return false;
    default:
        return true;
    }
}

std::optional<int64_t> Shape::elementCount() const
{
    if (!isArray())
        return std::nullopt;
    int64_t count = 1;
    bool empty = false;
    bool overflow = false;
    for (const int64_t size : dimensions) {
        if (size < 0)
            return std::nullopt;
        empty = empty || size == 0;
        overflow = overflow || __builtin_mul_overflow(count, size, &count);
    }
    if (empty)
        return 0;
    return overflow ? std::nullopt : std::optional(count);
}

const Shape* Shape::at(const std::vector<int64_t>& index) const
{
    const Shape* shape = this;
    for (const int64_t position : index) {
        if (!shape->isTuple() || position < 0 || static_cast<size_t>(position) >= shape->elements.size())
            return nullptr;
        shape = &shape->elements[static_cast<size_t>(position)];
    }
    return shape;
}

void appendShape(std::string& out, const Shape& shape, const ShapeText& options)
{
    if (shape.isTuple()) {
        appendTuple(out, shape, options);
    } else if (shape.elementType == PrimitiveType::Buffer) {
        out += "b(";
        if (!shape.elements.empty())
            appendShape(out, shape.elements[0], options);
        out += ')';
    } else {
        appendArray(out, shape, options);
    }
}

std::string toString(const Shape& shape, ShapeText options)
{
    std::string text;
    appendShape(text, shape, options);
    return text;
}

std::string toString(const Layout& layout)
{
    std::string text;
    appendLayout(text, layout);
    return text;
}

void visitSubshapes(const Shape& shape,
                    const std::function<void(const std::vector<int64_t>& index, const Shape& shape)>& visitor)
{
    std::vector<int64_t> index;
    visit(index, shape, visitor);
}

} // namespace hloscope
