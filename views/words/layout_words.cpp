// SPDX-License-Identifier: Apache-2.0
#include "views/words/layout_words.h"

#include "views/words/units.h"
#include "views/words/words_tr.h"

#include <algorithm>
#include <limits>

namespace hloscope {

namespace {

constexpr int64_t kLanes = 128;
constexpr int64_t kWordBits = 32;
const QChar kTimes(0x00D7);

int64_t ceilDivide(int64_t value, int64_t divisor)
{
    return value / divisor + (value % divisor != 0 ? 1 : 0);
}

int64_t saturatingProduct(std::span<const int64_t> sizes)
{
    int64_t product = 1;
    for (int64_t size : sizes) {
        if (__builtin_mul_overflow(product, size, &product))
            return std::numeric_limits<int64_t>::max();
    }
    return product;
}

QString tileNotation(const Tile& tile, bool isFirst)
{
    QStringList entries;
    for (int64_t size : tile.dimensions)
        entries << (size == Tile::kCombine ? QStringLiteral("*") : QString::number(size));
    const QString inner = QLatin1Char('(') + entries.join(QLatin1Char(',')) + QLatin1Char(')');
    return isFirst ? QLatin1Char('T') + inner : inner;
}

QString joinAnd(const QStringList& parts)
{
    if (parts.size() < 2)
        return parts.join(QString());
    return Words::tr("%1 and %2", "list").arg(parts.mid(0, parts.size() - 1).join(QStringLiteral(", ")), parts.last());
}

bool hasMergedDimensions(const Tile& tile)
{
    return std::find(tile.dimensions.begin(), tile.dimensions.end(), Tile::kCombine) != tile.dimensions.end();
}

// Logical dimensions from the fastest to the slowest; row-major without a layout.
std::vector<int64_t> fastToSlow(const Shape& shape)
{
    if (shape.layout && shape.layout->minorToMajor.size() == shape.dimensions.size())
        return shape.layout->minorToMajor;
    std::vector<int64_t> order;
    for (int64_t i = shape.rank() - 1; i >= 0; --i)
        order.push_back(i);
    return order;
}

const std::vector<Tile>& tilesOf(const Shape& shape)
{
    static const std::vector<Tile> none;
    return shape.layout ? shape.layout->tiles : none;
}

QString untiledOrder(const std::vector<int64_t>& order)
{
    const auto rank = static_cast<int64_t>(order.size());
    if (rank == 1)
        return Words::tr("The elements follow each other.");
    const bool rowMajor = std::is_sorted(order.rbegin(), order.rend());
    QStringList slower;
    for (size_t i = 1; i < order.size(); ++i)
        slower << QString::number(order[i]);
    const QString sentence = Words::tr("Dimension %1 runs fastest, then %2.")
                                 .arg(order.front())
                                 .arg(slower.join(Words::tr(", then ", "order of dimensions")));
    return rowMajor ? sentence + QLatin1Char(' ') + Words::tr("This is row-major order.") : sentence;
}

QString orderWords(const Shape& shape)
{
    const std::vector<int64_t> order = fastToSlow(shape);
    if (order.empty())
        return Words::tr("A single value.");
    const std::vector<Tile>& tiles = tilesOf(shape);
    if (tiles.empty() || tiles.front().dimensions.empty() || hasMergedDimensions(tiles.front()))
        return untiledOrder(order);

    const std::vector<int64_t>& tile = tiles.front().dimensions;
    const int64_t columns = tile.back();
    // A rank-1 tile that later levels cut into rows of 128 reaches the lanes too, only a level later.
    const bool laneRows = tile.size() == 1 && tiles.size() > 1 && tiles[1].dimensions == std::vector<int64_t>{kLanes};
    QString text;
    if (columns == kLanes || laneRows)
        text = Words::tr("Dimension %1 runs fastest, along the %2 lanes.").arg(order[0]).arg(kLanes);
    else if (tile.size() == 1)
        text = Words::tr("Dimension %1 runs fastest.").arg(order[0]);
    else
        text = Words::tr("Dimension %1 runs fastest, across the %2 columns of a tile.").arg(order[0]).arg(columns);
    size_t inside = 1;
    if (tile.size() > 1 && order.size() > 1) {
        text += QLatin1Char(' ')
            + Words::tr("Dimension %1 runs down the %2 rows of a tile.").arg(order[1]).arg(tile[tile.size() - 2]);
        inside = 2;
    }
    QStringList outer;
    for (size_t i = inside; i < order.size(); ++i)
        outer << QString::number(order[i]);
    if (outer.size() == 1)
        text += QLatin1Char(' ') + Words::tr("Dimension %1 numbers the slices.").arg(outer.front());
    else if (!outer.isEmpty())
        text += QLatin1Char(' ')
            + Words::tr("Dimensions %1 number the slices, %2 slowest.").arg(joinAnd(outer), outer.last());
    return text;
}

// "T(8,128)": tiles of 8 × 128, here 128 × 2 of them in each of 128 slices.
QString firstTileWords(const Shape& shape, const Tile& tile)
{
    if (hasMergedDimensions(tile))
        return Words::tr("* merges a dimension into the next faster one before the tile %1 is cut")
            .arg(tileNotation(tile, false));
    std::vector<int64_t> sizes; // slow to fast
    for (int64_t dimension : fastToSlow(shape))
        sizes.insert(sizes.begin(), shape.dimensions[static_cast<size_t>(dimension)]);
    const bool isShort = sizes.size() < tile.dimensions.size();
    while (sizes.size() < tile.dimensions.size())
        sizes.insert(sizes.begin(), 1);
    const size_t outer = sizes.size() - tile.dimensions.size();
    std::vector<int64_t> counts;
    for (size_t i = 0; i < tile.dimensions.size(); ++i)
        counts.push_back(tile.dimensions[i] > 0 ? ceilDivide(std::max<int64_t>(sizes[outer + i], 0), tile.dimensions[i])
                                                : 0);

    const QString size = dimensionsText(tile.dimensions);
    const int64_t slices = saturatingProduct(std::span(sizes).first(outer));
    if (saturatingProduct(counts) == 1 && slices == 1) {
        if (shape.dimensions.empty())
            return Words::tr("one tile of %1 for a single value").arg(size);
        return isShort ? Words::tr("one tile of %1, which has more dimensions than the array").arg(size)
                       : Words::tr("one tile of %1").arg(size);
    }
    const QString text = tile.dimensions.size() == 1
        ? Words::tr("chunks of %1, here %2 of them").arg(size, dimensionsText(counts))
        : Words::tr("tiles of %1, here %2 of them").arg(size, dimensionsText(counts));
    return slices > 1 ? Words::tr("%1 in each of %2 slices").arg(text, formatCount(slices)) : text;
}

QString innerTileWords(const Tile& tile, int64_t bits, const QString& type)
{
    const std::vector<int64_t>& sizes = tile.dimensions;
    if (hasMergedDimensions(tile))
        return Words::tr("* merges a dimension into the next faster one before the tile is cut");
    if (sizes.size() == 1 && sizes.front() == kLanes)
        return Words::tr("cut into rows of %1, one element per lane").arg(kLanes);
    if (sizes.size() == 1)
        return Words::tr("cut into runs of %1").arg(sizes.front());
    if (sizes.size() == 2 && sizes.back() == 1 && sizes.front() * bits == kWordBits)
        return Words::tr("%1 %2 rows share one 32-bit word").arg(sizes.front()).arg(type);
    if (sizes.size() == 2 && sizes.back() == 1)
        return Words::tr("%1 rows are interleaved, element by element").arg(sizes.front());
    return Words::tr("inside, tiles of %1").arg(dimensionsText(sizes));
}

QString sizeWords(const PhysicalLayout& physical)
{
    if (physical.paddedElements() == physical.elements())
        return Words::tr("%1, no padding").arg(formatBytes(physical.paddedBytes()));
    if (physical.elements() == 0)
        return Words::tr("%1 for no elements").arg(formatBytes(physical.paddedBytes()));
    return Words::tr("%1 for %2, %3")
        .arg(formatBytes(physical.paddedBytes()), formatBytes(physical.unpaddedBytes()),
             timesText(physical.expansion()));
}

QString roundedDimensions(const PhysicalLayout& physical)
{
    const Shape& shape = physical.shape();
    QStringList parts;
    for (size_t i = 0; i < shape.dimensions.size(); ++i) {
        const int64_t size = shape.dimensions[i];
        const int64_t padded = physical.paddedDimensions()[i];
        if (padded != size)
            parts << Words::tr("dimension %1 from %2 to %3").arg(i).arg(formatCount(size), formatCount(padded));
    }
    return joinAnd(parts);
}

QString paddingWords(const PhysicalLayout& physical)
{
    if (physical.paddedElements() == physical.elements())
        return {};
    const Shape& shape = physical.shape();
    const std::vector<Tile>& tiles = tilesOf(shape);
    const QString tile = tiles.empty() ? QString() : dimensionsText(tiles.front().dimensions);
    QStringList sentences;
    const QString rounded = roundedDimensions(physical);
    int64_t afterFirst = saturatingProduct(physical.paddedDimensions());
    if (!rounded.isEmpty())
        sentences << Words::tr("Whole tiles of %1 round up %2.").arg(tile, rounded);
    if (!tiles.empty() && tiles.front().dimensions.size() > shape.dimensions.size()
        && !hasMergedDimensions(tiles.front())) {
        const auto missing = tiles.front().dimensions.size() - shape.dimensions.size();
        const int64_t extra = saturatingProduct(std::span(tiles.front().dimensions).first(missing));
        afterFirst = saturatingProduct(std::vector<int64_t>{afterFirst, extra});
        if (extra > 1)
            sentences << Words::tr("The tile has more dimensions than the array, and whole tiles of %1 are stored.")
                             .arg(tile);
    }
    const int64_t tail = shape.layout ? shape.layout->tailPaddingElements : 1;
    if (tail > 1)
        sentences << Words::tr("L(%1) rounds the end up to a multiple of %1 elements.").arg(tail);
    else if (afterFirst != physical.paddedElements() || sentences.isEmpty())
        sentences << Words::tr("Inner tiles do not divide the outer ones and add padding too.");
    return sentences.join(QLatin1Char(' '));
}

QString nonArrayWords(const Shape& shape)
{
    if (shape.isTuple())
        return Words::tr("tuple of %1").arg(shape.elements.size());
    if (shape.elementType == PrimitiveType::Token)
        return Words::tr("token: it only orders ops and holds no data");
    return toQString(primitiveTypeName(shape.elementType));
}

} // namespace

QString memorySpaceName(int64_t space, std::string_view platform)
{
    if (platform != "tpu") {
        if (space == 0)
            return platform == "cpu" ? Words::tr("host memory") : Words::tr("device memory");
        return space == 5 ? Words::tr("host memory") : QStringLiteral("S(%1)").arg(space);
    }
    switch (space) {
    case 0:
        return Words::tr("HBM");
    case 1:
        return Words::tr("VMEM");
    case 2:
        return Words::tr("sync flags");
    case 3:
        return Words::tr("CMEM");
    case 4:
        return Words::tr("SMEM");
    case 5:
        return Words::tr("host memory");
    case 6:
        return Words::tr("scalar");
    default:
        return QStringLiteral("S(%1)").arg(space);
    }
}

QString memorySpaceMeaning(int64_t space, std::string_view platform)
{
    if (platform != "tpu") {
        if (space == 0 && platform != "cpu")
            return Words::tr("the device's main memory");
        return space == 5 ? Words::tr("pinned memory of the host") : QString();
    }
    switch (space) {
    case 0:
        return Words::tr("the device's main memory");
    case 1:
        return Words::tr("the vector memory on the chip");
    case 2:
        return Words::tr("semaphores that asynchronous ops signal with");
    case 3:
        return Words::tr("the memory that the cores of a v4 chip share");
    case 4:
        return Words::tr("the scalar memory on the chip");
    case 5:
        return Words::tr("pinned memory of the host");
    case 6:
        return Words::tr("single values kept on the chip");
    default:
        return {};
    }
}

QString dimensionsText(std::span<const int64_t> sizes)
{
    QStringList parts;
    for (int64_t size : sizes)
        parts << (size == Tile::kCombine ? QStringLiteral("*") : QString::number(size));
    return parts.join(QStringLiteral(" %1 ").arg(kTimes));
}

QString elementSizeText(int64_t bits)
{
    if (bits == 8)
        return Words::tr("1 byte");
    if (bits % 8 != 0)
        return bits == 1 ? Words::tr("1 bit") : Words::tr("%1 bits").arg(bits);
    return Words::tr("%1 bytes").arg(bits / 8);
}

QString timesText(double factor)
{
    // Three digits, but never the exponent that 'g' would choose from 1000 on.
    const QString number = factor < 1000 ? QString::number(factor, 'g', 3) : formatCount(qRound64(factor));
    return Words::tr("%1 times").arg(number);
}

LayoutWords describeLayout(const Shape& shape, std::string_view platform)
{
    LayoutWords words;
    if (!shape.isArray()) {
        words.element = nonArrayWords(shape);
        return words;
    }
    const QString type = toQString(primitiveTypeName(shape.elementType));
    words.space = memorySpaceName(shape.memorySpace(), platform);
    const Expected<PhysicalLayout> physical = PhysicalLayout::create(shape);
    if (!physical) {
        words.element = type;
        words.problem = toQString(physical.error().message);
        return words;
    }
    words.element = Words::tr("%1, %2 an element").arg(type, elementSizeText(physical->elementBits()));
    words.order = orderWords(shape);
    const std::vector<Tile>& tiles = tilesOf(shape);
    for (size_t i = 0; i < tiles.size(); ++i) {
        const QString meaning =
            i == 0 ? firstTileWords(shape, tiles[i]) : innerTileWords(tiles[i], physical->elementBits(), type);
        words.tiles.push_back({tileNotation(tiles[i], i == 0), meaning});
    }
    words.size = sizeWords(*physical);
    words.padding = paddingWords(*physical);
    words.isPadded = physical->paddedElements() != physical->elements();
    return words;
}

QStringList layoutSentences(const LayoutWords& words)
{
    QStringList lines;
    const auto add = [&lines](const QString& text) {
        if (!text.isEmpty())
            lines << text;
    };
    add(words.element);
    add(words.order);
    for (const TileWords& tile : words.tiles)
        lines << QStringLiteral("%1: %2").arg(tile.notation, tile.meaning);
    add(words.size);
    add(words.padding);
    add(words.problem);
    return lines;
}

QString valueSummary(const Shape& shape, std::string_view platform)
{
    if (shape.isTuple()) {
        int64_t bytes = 0;
        int arrays = 0;
        visitSubshapes(shape, [&](const std::vector<int64_t>&, const Shape& part) {
            if (!part.isArray())
                return;
            ++arrays;
            if (__builtin_add_overflow(bytes, paddedByteSize(part), &bytes))
                bytes = std::numeric_limits<int64_t>::max();
        });
        return arrays == 1 ? Words::tr("1 array, %1").arg(formatBytes(bytes))
                           : Words::tr("%1 arrays, %2").arg(arrays).arg(formatBytes(bytes));
    }
    if (!shape.isArray())
        return shape.elementType == PrimitiveType::Token ? Words::tr("no data") : nonArrayWords(shape);
    const LayoutWords words = describeLayout(shape, platform);
    if (!words.problem.isEmpty())
        return QStringLiteral("%1, %2").arg(words.space, words.problem);
    const Expected<PhysicalLayout> physical = PhysicalLayout::create(shape);
    const QString bytes = formatBytes(physical->paddedBytes());
    if (!words.isPadded)
        return Words::tr("%1, %2, no padding").arg(bytes, words.space);
    return Words::tr("%1, %2, %3 with padding").arg(bytes, words.space, timesText(physical->expansion()));
}

} // namespace hloscope
