// SPDX-License-Identifier: Apache-2.0
#include "core/hlo/literal_text.h"

#include "core/hlo/proto_shape.h"

#include "hlo.pb.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>

namespace hloscope {
namespace {

constexpr int64_t kMostElements = 10;
constexpr const char* kElided = "{...}";

// Layout of a small floating point type. `Ieee` has infinities; `Finite` has none, and one NaN per sign with all bits
// set; `NoNegativeZero` has one NaN in place of the negative zero; `Scale` is a bare exponent without sign.
enum class FloatKind : uint8_t { Ieee, Finite, NoSpecials, NoNegativeZero, Scale };

struct FloatFormat {
    int exponentBits;
    int mantissaBits;
    int bias;
    FloatKind kind;
};

FloatFormat formatOf(PrimitiveType type)
{
    switch (type) {
    case PrimitiveType::F16:
        return {5, 10, 15, FloatKind::Ieee};
    case PrimitiveType::BF16:
        return {8, 7, 127, FloatKind::Ieee};
    case PrimitiveType::F8E5M2:
        return {5, 2, 15, FloatKind::Ieee};
    case PrimitiveType::F8E4M3:
        return {4, 3, 7, FloatKind::Ieee};
    case PrimitiveType::F8E3M4:
        return {3, 4, 3, FloatKind::Ieee};
    case PrimitiveType::F8E4M3FN:
        return {4, 3, 7, FloatKind::Finite};
    case PrimitiveType::F8E4M3B11FNUZ:
        return {4, 3, 11, FloatKind::NoNegativeZero};
    case PrimitiveType::F8E4M3FNUZ:
        return {4, 3, 8, FloatKind::NoNegativeZero};
    case PrimitiveType::F8E5M2FNUZ:
        return {5, 2, 16, FloatKind::NoNegativeZero};
    case PrimitiveType::F4E2M1FN:
        return {2, 1, 1, FloatKind::NoSpecials};
    case PrimitiveType::F6E3M2FN:
        return {3, 2, 3, FloatKind::NoSpecials};
    case PrimitiveType::F6E2M3FN:
        return {2, 3, 1, FloatKind::NoSpecials};
    default:
        return {8, 0, 127, FloatKind::Scale};
    }
}

// `nan`, `-nan`, or `nan(0x12345)` for another payload than that of the usual quiet NaN.
std::string nanText(bool negative, uint64_t payload, uint64_t quiet)
{
    std::string text = negative ? "-nan" : "nan";
    if (payload != quiet && payload != 0)
        text += fmt::format("(0x{:x})", payload);
    return text;
}

std::string infinityText(bool negative)
{
    return negative ? "-inf" : "inf";
}

std::string smallFloatText(uint32_t bits, PrimitiveType type)
{
    const FloatFormat format = formatOf(type);
    const uint32_t mantissaMask = (1u << format.mantissaBits) - 1;
    const uint32_t exponentMask = (1u << format.exponentBits) - 1;
    const uint32_t mantissa = bits & mantissaMask;
    const uint32_t exponent = (bits >> format.mantissaBits) & exponentMask;
    const bool negative =
        format.kind != FloatKind::Scale && ((bits >> (format.mantissaBits + format.exponentBits)) & 1);
    if (format.kind == FloatKind::Ieee && exponent == exponentMask) {
        if (mantissa == 0)
            return infinityText(negative);
        return nanText(negative, mantissa, 1u << (format.mantissaBits - 1));
    }
    if ((format.kind == FloatKind::Finite && exponent == exponentMask && mantissa == mantissaMask)
        || (format.kind == FloatKind::Scale && exponent == exponentMask))
        return nanText(negative, 0, 0);
    if (format.kind == FloatKind::NoNegativeZero && negative && exponent == 0 && mantissa == 0)
        return nanText(true, 0, 0);
    const bool subnormal = exponent == 0 && format.kind != FloatKind::Scale;
    const double fraction = std::ldexp(static_cast<double>(mantissa), -format.mantissaBits);
    const int power = static_cast<int>(subnormal ? 1 : exponent) - format.bias;
    const double value = std::ldexp(subnormal ? fraction : 1 + fraction, power);
    const int digits = 1 + static_cast<int>(std::ceil((format.mantissaBits + 1) * std::log10(2.0)));
    return fmt::format("{:.{}g}", negative ? -value : value, digits);
}

std::string floatText(float value)
{
    const auto bits = std::bit_cast<uint32_t>(value);
    if (std::isnan(value))
        return nanText(std::signbit(value), bits & 0x7fffff, 0x400000);
    if (std::isinf(value))
        return infinityText(value < 0);
    std::string text = fmt::format("{:.6g}", value);
    return std::strtof(text.c_str(), nullptr) == value ? text : fmt::format("{:.9g}", value);
}

std::string doubleText(double value)
{
    const auto bits = std::bit_cast<uint64_t>(value);
    if (std::isnan(value))
        return nanText(std::signbit(value), bits & 0xfffffffffffffu, 0x8000000000000u);
    if (std::isinf(value))
        return infinityText(value < 0);
    return shortestNumber(value, 15, 17);
}

template <class T> std::optional<T> loadAt(const std::string& bytes, size_t index)
{
    if ((index + 1) * sizeof(T) > bytes.size())
        return std::nullopt;
    T value{};
    std::memcpy(&value, bytes.data() + index * sizeof(T), sizeof(T));
    return value;
}

template <class T> std::string wholeNumber(const std::string& bytes, size_t index)
{
    const std::optional<T> value = loadAt<T>(bytes, index);
    return value ? fmt::format("{}", static_cast<int64_t>(*value)) : std::string();
}

// Integers of fewer than eight bits stand one to a byte, or packed with the first one in the low bits: what the number
// of bytes says. Versions of XLA differ.
std::string narrowNumber(const std::string& bytes, size_t index, size_t count, unsigned bits, bool isSigned)
{
    const size_t perByte = bytes.size() < count ? 8 / bits : 1;
    if (index / perByte >= bytes.size())
        return {};
    const auto byte = static_cast<uint8_t>(bytes[index / perByte]);
    const unsigned value = (byte >> (index % perByte * bits)) & ((1u << bits) - 1);
    const bool negative = isSigned && (value >> (bits - 1)) != 0;
    return std::to_string(static_cast<int>(value) - (negative ? 1 << bits : 0));
}

std::string smallFloatAt(const std::string& bytes, size_t index, PrimitiveType type)
{
    if (type == PrimitiveType::F16 || type == PrimitiveType::BF16) {
        const std::optional<uint16_t> bits = loadAt<uint16_t>(bytes, index);
        return bits ? smallFloatText(*bits, type) : std::string();
    }
    const std::optional<uint8_t> bits = loadAt<uint8_t>(bytes, index);
    return bits ? smallFloatText(*bits, type) : std::string();
}

template <class Field> bool has(const Field& field, size_t index)
{
    return index < static_cast<size_t>(field.size());
}

// The element at a place of the stored order; empty when the proto does not have it.
std::string elementText(const proto::LiteralProto& literal, PrimitiveType type, size_t i, size_t count, bool isScalar)
{
    const int at = static_cast<int>(i);
    switch (type) {
    case PrimitiveType::Pred:
        if (!has(literal.preds(), i))
            return {};
        return isScalar ? (literal.preds(at) ? "true" : "false") : (literal.preds(at) ? "1" : "0");
    case PrimitiveType::S8:
        return wholeNumber<int8_t>(literal.s8s(), i);
    case PrimitiveType::U8:
        return wholeNumber<uint8_t>(literal.u8s(), i);
    case PrimitiveType::S16:
        return wholeNumber<int16_t>(literal.s16s(), i);
    case PrimitiveType::U16:
        return wholeNumber<uint16_t>(literal.u16s(), i);
    case PrimitiveType::S32:
        return has(literal.s32s(), i) ? std::to_string(literal.s32s(at)) : std::string();
    case PrimitiveType::U32:
        return has(literal.u32s(), i) ? std::to_string(literal.u32s(at)) : std::string();
    case PrimitiveType::S64:
        return has(literal.s64s(), i) ? std::to_string(literal.s64s(at)) : std::string();
    case PrimitiveType::U64:
        return has(literal.u64s(), i) ? std::to_string(literal.u64s(at)) : std::string();
    case PrimitiveType::F32:
        return has(literal.f32s(), i) ? floatText(literal.f32s(at)) : std::string();
    case PrimitiveType::F64:
        return has(literal.f64s(), i) ? doubleText(literal.f64s(at)) : std::string();
    case PrimitiveType::C64:
        return has(literal.c64s(), 2 * i + 1)
            ? fmt::format("({}, {})", floatText(literal.c64s(2 * at)), floatText(literal.c64s(2 * at + 1)))
            : std::string();
    case PrimitiveType::C128:
        return has(literal.c128s(), 2 * i + 1)
            ? fmt::format("({}, {})", doubleText(literal.c128s(2 * at)), doubleText(literal.c128s(2 * at + 1)))
            : std::string();
    case PrimitiveType::S4:
        return narrowNumber(literal.s4s(), i, count, 4, true);
    case PrimitiveType::U4:
        return narrowNumber(literal.u4s(), i, count, 4, false);
    case PrimitiveType::S2:
        return narrowNumber(literal.s2s(), i, count, 2, true);
    case PrimitiveType::U2:
        return narrowNumber(literal.u2s(), i, count, 2, false);
    case PrimitiveType::S1:
        return narrowNumber(literal.s1s(), i, count, 1, true);
    case PrimitiveType::U1:
        return narrowNumber(literal.u1s(), i, count, 1, false);
    case PrimitiveType::F16:
        return smallFloatAt(literal.f16s(), i, type);
    case PrimitiveType::BF16:
        return smallFloatAt(literal.bf16s(), i, type);
    case PrimitiveType::F8E5M2:
        return smallFloatAt(literal.f8e5m2s(), i, type);
    case PrimitiveType::F8E4M3FN:
        return smallFloatAt(literal.f8e4m3fns(), i, type);
    case PrimitiveType::F8E4M3B11FNUZ:
        return smallFloatAt(literal.f8e4m3b11fnuzs(), i, type);
    case PrimitiveType::F8E5M2FNUZ:
        return smallFloatAt(literal.f8e5m2fnuzs(), i, type);
    case PrimitiveType::F8E4M3FNUZ:
        return smallFloatAt(literal.f8e4m3fnuzs(), i, type);
    case PrimitiveType::F8E4M3:
        return smallFloatAt(literal.f8e4m3s(), i, type);
    case PrimitiveType::F8E3M4:
        return smallFloatAt(literal.f8e3m4s(), i, type);
    case PrimitiveType::F4E2M1FN:
        return smallFloatAt(literal.f4e2m1fns(), i, type);
    case PrimitiveType::F8E8M0FNU:
        return smallFloatAt(literal.f8e8m0fnus(), i, type);
    case PrimitiveType::F6E3M2FN:
        return smallFloatAt(literal.f6e3m2fns(), i, type);
    case PrimitiveType::F6E2M3FN:
        return smallFloatAt(literal.f6e2m3fns(), i, type);
    default:
        return {};
    }
}

// Writes an array with its braces. Values are stored in the order of the literal's layout and written row-major.
class ArrayText {
public:
    ArrayText(const proto::LiteralProto& literal, const Shape& shape)
        : m_literal(literal)
        , m_shape(shape)
        , m_strides(shape.dimensions.size(), 1)
        , m_count(static_cast<size_t>(shape.elementCount().value_or(0)))
    {
        int64_t stride = 1;
        const size_t rank = shape.dimensions.size();
        const bool hasLayout = shape.layout && shape.layout->minorToMajor.size() == rank;
        for (size_t i = 0; i < rank; ++i) {
            const auto dimension = hasLayout ? static_cast<size_t>(shape.layout->minorToMajor[i]) : rank - 1 - i;
            if (dimension >= rank)
                continue;
            m_strides[dimension] = stride;
            stride *= shape.dimensions[dimension];
        }
    }

    // Empty when a value is missing.
    std::string text()
    {
        level(0, 0, -1);
        return m_complete ? std::move(m_out) : std::string();
    }

private:
    void level(size_t depth, int64_t offset, int64_t index)
    {
        const size_t rank = m_shape.dimensions.size();
        if (depth == rank) {
            const std::string element =
                elementText(m_literal, m_shape.elementType, static_cast<size_t>(offset), m_count, rank == 0);
            m_complete = m_complete && !element.empty();
            m_out += element;
            return;
        }
        const int64_t size = m_shape.dimensions[depth];
        const bool innermost = depth + 1 == rank;
        const bool blanks = rank > 1 && (!innermost || size > 1);
        m_out += '{';
        const bool numbered = rank > 3 && index >= 0 && !innermost;
        if (numbered)
            m_out += fmt::format(" /*i{}={}*/", depth - 1, index);
        if (blanks && !(numbered && size == 0))
            m_out += ' ';
        for (int64_t i = 0; i < size; ++i) {
            if (i > 0)
                m_out += ", ";
            level(depth + 1, offset + i * m_strides[depth], i);
        }
        if (blanks)
            m_out += ' ';
        m_out += '}';
    }

    const proto::LiteralProto& m_literal;
    const Shape& m_shape;
    std::vector<int64_t> m_strides;
    size_t m_count;
    std::string m_out;
    bool m_complete = true;
};

// How many braces an array without elements still has.
bool hasManyEmptyRows(const Shape& shape)
{
    int64_t rows = 1;
    for (const int64_t size : shape.dimensions) {
        if (size == 0)
            return false;
        if (__builtin_mul_overflow(rows, size, &rows) || rows > 1000)
            return true;
    }
    return false;
}

} // namespace

std::string shortestNumber(double value, int significant, int enough)
{
    std::string text = fmt::format("{:.{}g}", value, significant);
    return std::strtod(text.c_str(), nullptr) == value ? text : fmt::format("{:.{}g}", value, enough);
}

std::string literalText(const proto::LiteralProto& literal)
{
    const Shape shape = shapeFromProto(literal.shape());
    const std::optional<int64_t> count = shape.elementCount();
    if (!count || *count > kMostElements || hasManyEmptyRows(shape))
        return kElided;
    std::string text = ArrayText(literal, shape).text();
    return text.empty() ? kElided : text;
}

} // namespace hloscope
