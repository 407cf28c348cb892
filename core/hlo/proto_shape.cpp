// SPDX-License-Identifier: Apache-2.0
#include "core/hlo/proto_shape.h"

#include "hlo.pb.h"

namespace hloscope {
namespace {

std::string dimLevels(const proto::LayoutProto& proto)
{
    constexpr std::string_view kLetters = "DCSH"; // dense, compressed, singleton, loose-compressed
    std::string text;
    for (int i = 0; i < proto.dim_level_types_size(); ++i) {
        if (i > 0)
            text += ',';
        const auto type = static_cast<size_t>(proto.dim_level_types(i));
        text += type < kLetters.size() ? kLetters[type] : '?';
        if (i < proto.dim_unique_size() && !proto.dim_unique(i))
            text += '+';
        if (i < proto.dim_ordered_size() && !proto.dim_ordered(i))
            text += '~';
    }
    // All dense is the default, which is not written.
    return text.find_first_not_of("D,") != std::string::npos ? text : std::string();
}

Layout layoutFromProto(const proto::LayoutProto& proto)
{
    Layout layout;
    layout.minorToMajor.assign(proto.minor_to_major().begin(), proto.minor_to_major().end());
    for (const proto::TileProto& tile : proto.tiles()) {
        std::vector<int64_t>& dimensions = layout.tiles.emplace_back().dimensions;
        for (const int64_t size : tile.dimensions())
            dimensions.push_back(size < 0 ? Tile::kCombine : size);
    }
    layout.elementSizeBits = proto.element_size_in_bits();
    layout.memorySpace = proto.memory_space();
    layout.indexType = primitiveTypeFromNumber(proto.index_primitive_type());
    layout.pointerType = primitiveTypeFromNumber(proto.pointer_primitive_type());
    layout.dimLevelTypes = dimLevels(proto);
    if (proto.has_physical_shape())
        layout.physicalShape = toString(shapeFromProto(proto.physical_shape()));
    layout.dynamicMetadataPrefixBytes = proto.dynamic_shape_metadata_prefix_bytes();
    layout.tailPaddingElements = std::max<int64_t>(proto.tail_padding_alignment_in_elements(), 1);
    for (const proto::SplitConfigProto& split : proto.split_configs())
        layout.splits.push_back({split.dimension(), {split.split_indices().begin(), split.split_indices().end()}});
    return layout;
}

} // namespace

PrimitiveType primitiveTypeFromNumber(int number)
{
    const bool isKnown = number >= 0 && number <= static_cast<int>(PrimitiveType::F6E2M3FN);
    return isKnown ? static_cast<PrimitiveType>(number) : PrimitiveType::Invalid;
}

Shape shapeFromProto(const proto::ShapeProto& proto)
{
    Shape shape;
    shape.elementType = primitiveTypeFromNumber(proto.element_type());
    for (const proto::ShapeProto& element : proto.tuple_shapes())
        shape.elements.push_back(shapeFromProto(element));
    if (!shape.isArray())
        return shape;
    shape.dimensions.assign(proto.dimensions().begin(), proto.dimensions().end());
    bool anyDynamic = false;
    for (const bool dynamic : proto.is_dynamic_dimension())
        anyDynamic = anyDynamic || dynamic;
    if (anyDynamic) {
        shape.dynamic.assign(proto.is_dynamic_dimension().begin(), proto.is_dynamic_dimension().end());
        shape.dynamic.resize(shape.dimensions.size());
    }
    // An empty layout of a scalar says nothing, and text does not have it.
    if (proto.has_layout()) {
        Layout layout = layoutFromProto(proto.layout());
        if (layout != Layout() || !shape.dimensions.empty())
            shape.layout = std::move(layout);
    }
    return shape;
}

} // namespace hloscope
