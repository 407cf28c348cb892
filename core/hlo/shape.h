// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hloscope {

// XLA's element types, numbered as in its protobuf enum.
enum class PrimitiveType : uint8_t {
    Invalid = 0,
    Pred = 1,
    S8 = 2,
    S16 = 3,
    S32 = 4,
    S64 = 5,
    U8 = 6,
    U16 = 7,
    U32 = 8,
    U64 = 9,
    F16 = 10,
    F32 = 11,
    F64 = 12,
    Tuple = 13,
    Opaque = 14,
    C64 = 15,
    BF16 = 16,
    Token = 17,
    C128 = 18,
    F8E5M2 = 19,
    F8E4M3FN = 20,
    S4 = 21,
    U4 = 22,
    F8E4M3B11FNUZ = 23,
    F8E5M2FNUZ = 24,
    F8E4M3FNUZ = 25,
    S2 = 26,
    U2 = 27,
    F8E4M3 = 28,
    F8E3M4 = 29,
    S1 = 30,
    U1 = 31,
    F4E2M1FN = 32,
    F8E8M0FNU = 33,
    Buffer = 34,
    F6E3M2FN = 35,
    F6E2M3FN = 36,
};

// "bf16" for BF16, "opaque" for Opaque; the empty string for Invalid.
std::string_view primitiveTypeName(PrimitiveType type);
// Invalid for a name that is no element type.
PrimitiveType primitiveTypeFromName(std::string_view name);
// Storage bits of one element without an `E(n)` suffix: sub-byte types and pred take a whole byte. Zero for token,
// tuple, buffer and invalid; 64 for opaque (a pointer).
int naturalBits(PrimitiveType type);
bool isFloatingPoint(PrimitiveType type);
bool isIntegral(PrimitiveType type); // pred excluded
bool isComplex(PrimitiveType type);

// One level of tiling, sizes from major to minor. `kCombine` is the `*` of the text: the dimension is merged into the
// next more minor one before tiling.
struct Tile {
    static constexpr int64_t kCombine = -1;

    std::vector<int64_t> dimensions;

    bool operator==(const Tile&) const = default;
};

// `SC(d:i,j)`: physical dimension d (0 is the most major) is cut at the given indices, the pieces live in different
// memories.
struct SplitConfig {
    int64_t dimension = 0;
    std::vector<int64_t> indices;

    bool operator==(const SplitConfig&) const = default;
};

// How an array lies in memory; `{2,1,0:T(8,128)(2,1)S(1)}` in text.
struct Layout {
    std::vector<int64_t> minorToMajor; // entry 0 is the fastest varying logical dimension
    std::vector<Tile> tiles; // applied in this order
    int64_t tailPaddingElements = 1; // L(n)
    int64_t elementSizeBits = 0; // E(n), 0 is the natural width
    int64_t memorySpace = 0; // S(n)
    std::vector<SplitConfig> splits; // SC(...)
    int64_t dynamicMetadataPrefixBytes = 0; // M(n)
    PrimitiveType indexType = PrimitiveType::Invalid; // #(type)
    PrimitiveType pointerType = PrimitiveType::Invalid; // *(type)
    std::string dimLevelTypes; // what stands in D(...), empty when dense
    std::string physicalShape; // what stands in P(...), empty when absent

    bool operator==(const Layout&) const = default;
};

// The type of a value: an array (element type and dimensions), a tuple of shapes, a token, an opaque handle or a buffer
// around one shape.
struct Shape {
    static constexpr int64_t kUnbounded = INT64_MIN; // `?` as a dimension

    PrimitiveType elementType = PrimitiveType::Invalid;
    std::vector<int64_t> dimensions; // sizes, or the bound of a dynamic dimension
    std::vector<bool> dynamic; // per dimension; empty when no dimension is dynamic
    std::vector<Shape> elements; // of a tuple; the one inner shape of a buffer
    std::optional<Layout> layout;

    bool isTuple() const { return elementType == PrimitiveType::Tuple; }
    bool isArray() const;
    int64_t rank() const { return static_cast<int64_t>(dimensions.size()); }
    bool isDynamic(size_t dimension) const { return dimension < dynamic.size() && dynamic[dimension]; }
    // 0 unless the layout says otherwise.
    int64_t memorySpace() const { return layout ? layout->memorySpace : 0; }
    // Product of the dimensions, bounds for dynamic ones. Nothing for tuples, unbounded dimensions and overflow.
    std::optional<int64_t> elementCount() const;
    // The sub-shape at a tuple index such as {0,1}, or null.
    const Shape* at(const std::vector<int64_t>& index) const;

    bool operator==(const Shape&) const = default;
};

struct ShapeText {
    bool layouts = true; // print `{...}` after dimensions
    bool indexComments = true; // print `/*index=5*/` in tuples
};

// As XLA prints it: `(f32[2]{0}, bf16[4,8]{1,0:T(2,4)(2,1)})`.
std::string toString(const Shape& shape, ShapeText options = {});
// The same, appended to `out`.
void appendShape(std::string& out, const Shape& shape, const ShapeText& options = {});
// `{1,0:T(8,128)(2,1)S(1)}`.
std::string toString(const Layout& layout);

// Calls `visit` for the shape itself and every sub-shape with its tuple index, parents first.
void visitSubshapes(const Shape& shape,
                    const std::function<void(const std::vector<int64_t>& index, const Shape& shape)>& visit);

} // namespace hloscope
