// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command.h"

#include "core/hlo/hlo_text.h"
#include "core/tiling/physical_layout.h"
#include "views/words/units.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <ostream>

namespace hloscope::cli {
namespace {

using Json = nlohmann::ordered_json;

Json tilesJson(const Shape& shape)
{
    Json tiles = Json::array();
    if (shape.layout) {
        for (const Tile& tile : shape.layout->tiles)
            tiles.push_back(tile.dimensions);
    }
    return tiles;
}

std::vector<int64_t> orderOf(const Shape& shape)
{
    if (shape.layout && !shape.layout->minorToMajor.empty())
        return shape.layout->minorToMajor;
    std::vector<int64_t> order;
    for (int64_t dimension = shape.rank() - 1; dimension >= 0; --dimension)
        order.push_back(dimension);
    return order;
}

// Nothing unless there is one number per dimension, within bounds.
std::optional<std::vector<int64_t>> parseIndex(const QString& text, const Shape& shape)
{
    std::vector<int64_t> index;
    const auto parts = text.split(QLatin1Char(','), Qt::SkipEmptyParts);
    if (parts.size() != shape.rank())
        return std::nullopt;
    for (const QString& part : parts) {
        bool ok = false;
        const qint64 value = part.trimmed().toLongLong(&ok);
        if (!ok || value < 0 || value >= shape.dimensions[index.size()])
            return std::nullopt;
        index.push_back(value);
    }
    return index;
}

Json layoutJson(const PhysicalLayout& layout)
{
    const Shape& shape = layout.shape();
    Json json{{"shape", toString(shape)},
              {"element_type", primitiveTypeName(shape.elementType)},
              {"element_bits", layout.elementBits()},
              {"dimensions", shape.dimensions},
              {"minor_to_major", orderOf(shape)},
              {"tiles", tilesJson(shape)},
              {"memory_space", shape.memorySpace()},
              {"padded_dimensions", layout.paddedDimensions()},
              {"elements", layout.elements()},
              {"padded_elements", layout.paddedElements()},
              {"unpadded_bytes", layout.unpaddedBytes()},
              {"padded_bytes", layout.paddedBytes()},
              {"expansion", layout.expansion()}};
    if (layout.xlaBytes() != layout.paddedBytes())
        json["xla_bytes"] = layout.xlaBytes();
    return json;
}

void writeText(const PhysicalLayout& layout, Streams streams)
{
    const Shape& shape = layout.shape();
    streams.out << fmt::format("{}\n", toString(shape));
    streams.out << fmt::format("  dimensions         [{}], {} bits an element\n", fmt::join(shape.dimensions, ","),
                               layout.elementBits());
    streams.out << fmt::format("  minor to major     {{{}}}\n", fmt::join(orderOf(shape), ","));
    streams.out << fmt::format("  memory space       S({})\n", shape.memorySpace());
    streams.out << fmt::format("  padded to          [{}]\n", fmt::join(layout.paddedDimensions(), ","));
    streams.out << fmt::format("  elements           {} of {} ({:.4g}x)\n", layout.elements(), layout.paddedElements(),
                               layout.expansion());
    streams.out << fmt::format("  bytes              {} of {} ({})\n", layout.unpaddedBytes(), layout.paddedBytes(),
                               formatBytes(layout.paddedBytes()).toStdString());
}

} // namespace

int runLayout(const QStringList& arguments, Streams streams)
{
    CommandParser parser(*findCommand(QStringLiteral("layout")), streams);
    parser.addValue({QStringLiteral("at")}, QStringLiteral("index"), QStringLiteral("Element to locate, i,j,..."));
    parser.addFlag(QStringLiteral("json"), QStringLiteral("Write JSON."));
    if (!parser.parse(arguments, 1, 1))
        return parser.exitCode();
    const auto shape = parseShape(parser.positional().constFirst().toStdString());
    const auto fail = [&](Diagnostic error) {
        error.file = "shape";
        streams.err << error.format() << '\n';
        return BadInput;
    };
    if (!shape)
        return fail(shape.error());
    const auto layout = PhysicalLayout::create(*shape);
    if (!layout)
        return fail(layout.error());
    std::optional<int64_t> offset;
    if (parser.isSet(QStringLiteral("at"))) {
        const auto index = parseIndex(parser.value(QStringLiteral("at")), *shape);
        if (!index) {
            streams.err << "hloscope layout: error: --at takes one index per dimension, within ["
                        << fmt::format("{}", fmt::join(shape->dimensions, ",")) << "]\n";
            return BadInput;
        }
        offset = layout->offsetOf(*index);
    }
    // Sub-byte elements start inside a byte.
    const auto bits = offset ? *offset * layout->elementBits() : 0;
    if (parser.isSet(QStringLiteral("json"))) {
        Json json = layoutJson(*layout);
        if (offset) {
            json["offset_elements"] = *offset;
            json["offset_bytes"] = bits / 8;
        }
        writeJson(json, streams);
        return Success;
    }
    writeText(*layout, streams);
    if (offset) {
        streams.out << fmt::format("  element at [{}]     offset {}, byte {}\n",
                                   parser.value(QStringLiteral("at")).toStdString(), *offset, bits / 8);
    }
    return Success;
}

} // namespace hloscope::cli
