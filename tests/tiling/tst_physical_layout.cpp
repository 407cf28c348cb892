// SPDX-License-Identifier: Apache-2.0
#include "core/hlo/hlo_text.h"
#include "core/tiling/physical_layout.h"
#include "tests/test_data.h"

#include <QRandomGenerator>
#include <QRegularExpression>
#include <QtTest>

#include <numeric>

using namespace hloscope;

namespace {

using Index = std::vector<int64_t>;

Index toIndex(const QString& text)
{
    Index index;
    for (const QString& part : text.split(QLatin1Char(','), Qt::SkipEmptyParts))
        index.push_back(part.toLongLong());
    return index;
}

std::string toText(const Index& index)
{
    QStringList parts;
    for (int64_t value : index)
        parts << QString::number(value);
    return parts.join(QLatin1Char(',')).toStdString();
}

Shape shapeOf(const QString& text)
{
    Expected<Shape> shape = parseShape(text.toStdString());
    if (!shape)
        qFatal("%s: %s", qPrintable(text), shape.error().format().c_str());
    return *shape;
}

int64_t productOf(const Index& sizes)
{
    return std::accumulate(sizes.begin(), sizes.end(), int64_t{1}, std::multiplies<>());
}

// Counts up through all indices of an array, last dimension fastest; false at the end.
bool advance(Index& index, const Index& sizes)
{
    for (size_t i = sizes.size(); i-- > 0;) {
        if (++index[i] < sizes[i])
            return true;
        index[i] = 0;
    }
    return false;
}

// A dense array, last dimension fastest. The reference below pads, reshapes and transposes it as a whole, which shares
// nothing with the arithmetic on single offsets that is tested.
struct DenseArray {
    static constexpr int64_t kPadding = -1;

    Index sizes;
    Index cells;

    int64_t& at(const Index& index)
    {
        int64_t offset = 0;
        for (size_t i = 0; i < sizes.size(); ++i)
            offset = offset * sizes[i] + index[i];
        return cells[static_cast<size_t>(offset)];
    }

    static DenseArray filled(const Index& sizes, int64_t value)
    {
        return {sizes, Index(static_cast<size_t>(productOf(sizes)), value)};
    }

    // Dimension i of the result is dimension order[i] of this.
    DenseArray transposed(const std::vector<size_t>& order)
    {
        Index newSizes;
        for (size_t dimension : order)
            newSizes.push_back(sizes[dimension]);
        DenseArray result = filled(newSizes, kPadding);
        if (cells.empty())
            return result;
        Index index(sizes.size(), 0);
        do {
            Index moved;
            for (size_t dimension : order)
                moved.push_back(index[dimension]);
            result.at(moved) = at(index);
        } while (advance(index, sizes));
        return result;
    }

    DenseArray padded(const Index& newSizes)
    {
        DenseArray result = filled(newSizes, kPadding);
        if (cells.empty())
            return result;
        Index index(sizes.size(), 0);
        do
            result.at(index) = at(index);
        while (advance(index, sizes));
        return result;
    }
};

// Ids of the elements (row-major in logical order) by offset.
Index referenceCells(const Shape& shape)
{
    DenseArray array = DenseArray::filled(shape.dimensions, 0);
    std::iota(array.cells.begin(), array.cells.end(), 0);
    const Layout& layout = *shape.layout;
    std::vector<size_t> order(layout.minorToMajor.rbegin(), layout.minorToMajor.rend());
    array = array.transposed(order);
    for (const Tile& tile : layout.tiles) {
        Index sizes = array.sizes;
        while (sizes.size() < tile.dimensions.size())
            sizes.insert(sizes.begin(), 1);
        const size_t first = sizes.size() - tile.dimensions.size();
        Index merged(sizes.begin(), sizes.begin() + static_cast<ptrdiff_t>(first));
        Index roundedUp = merged;
        Index split = merged;
        std::vector<size_t> outer(first);
        std::iota(outer.begin(), outer.end(), 0);
        std::vector<size_t> inner;
        int64_t run = 1;
        for (size_t i = 0; i < tile.dimensions.size(); ++i) {
            run *= sizes[first + i];
            const int64_t size = tile.dimensions[i];
            if (size == Tile::kCombine)
                continue;
            merged.push_back(run);
            roundedUp.push_back((run + size - 1) / size * size);
            outer.push_back(split.size());
            split.push_back((run + size - 1) / size);
            inner.push_back(split.size());
            split.push_back(size);
            run = 1;
        }
        array.sizes = merged; // neighbouring dimensions merge without moving a cell
        array = array.padded(roundedUp);
        array.sizes = split;
        outer.insert(outer.end(), inner.begin(), inner.end());
        array = array.transposed(outer);
    }
    while (static_cast<int64_t>(array.cells.size()) % std::max<int64_t>(layout.tailPaddingElements, 1) != 0)
        array.cells.push_back(DenseArray::kPadding);
    return array.cells;
}

Shape randomShape(QRandomGenerator& random)
{
    Shape shape;
    shape.elementType = PrimitiveType::BF16;
    Layout layout;
    const int rank = random.bounded(0, 5);
    for (int i = 0; i < rank; ++i) {
        shape.dimensions.push_back(random.bounded(20) == 0 ? 0 : random.bounded(1, 7));
        layout.minorToMajor.insert(layout.minorToMajor.begin() + random.bounded(0, i + 1), i);
    }
    const int levels = random.bounded(0, 4);
    for (int i = 0; i < levels; ++i) {
        Tile tile;
        const int tileRank = random.bounded(1, 5);
        for (int j = 0; j < tileRank; ++j) {
            const bool combine = j + 1 < tileRank && random.bounded(5) == 0;
            tile.dimensions.push_back(combine ? Tile::kCombine : random.bounded(1, 5));
        }
        layout.tiles.push_back(tile);
    }
    if (random.bounded(4) == 0)
        layout.tailPaddingElements = random.bounded(1, 9);
    shape.layout = layout;
    return shape;
}

} // namespace

class TestPhysicalLayout : public QObject {
    Q_OBJECT

private slots:
    void offsets_data();
    void offsets();
    void sizes_data();
    void sizes();
    void matchesReferenceOnRandomLayouts();
    void roundTripsOnLargeArrays_data();
    void roundTripsOnLargeArrays();
    void refusesBadLayouts_data();
    void refusesBadLayouts();
    void sizesOfOtherShapes();
    void saturates();
    void matchesBufferAssignments();
};

// The verified tables of XLA's layouts: offset of an element, in elements.
void TestPhysicalLayout::offsets_data()
{
    QTest::addColumn<QString>("shape");
    QTest::addColumn<QString>("offsets"); // index=offset index=offset ...
    const auto row = [](const char* shape, const char* offsets) {
        QTest::newRow(shape) << QString::fromLatin1(shape) << QString::fromLatin1(offsets);
    };
    row("f32[3,5]{1,0:T(2,2)}", "0,0=0 0,1=1 1,0=2 1,1=3 0,2=4 0,4=8 2,0=12 2,3=17 2,4=20");
    row("bf16[4,8]{1,0:T(2,4)(2,1)}", "0,0=0 1,0=1 0,1=2 1,1=3 0,3=6 1,3=7 0,4=8 2,0=16 3,5=27 3,7=31");
    row("bf16[4096]{0:T(1024)(128)(2,1)}", "0=0 1=2 127=254 128=1 129=3 255=255 256=256 1023=1023 1024=1024 4095=4095");
    row("bf16[8,1024,8192]{2,1,0:T(8,128)(2,1)}",
        "0,0,0=0 0,0,1=2 0,1,0=1 0,2,0=256 0,7,127=1023 0,0,128=1024 0,8,0=65536 1,0,0=8388608 "
        "3,517,4099=29393415 7,1023,8191=67108863");
    row("f32[16,64]{1,0:T(8,128)}", "1,0=128 8,0=1024 15,63=1983");
    row("f32[128,16]{0,1:T(8,128)}", "1,0=1 0,1=128 127,15=2047");
    row("f32[5]{0:T(2,128)}", "4=4");
    row("f32[2,2,2,5]{3,2,1,0:T(2,128)}", "1,1,1,4=900");
    row("f8e4m3fn[64,256]{1,0:T(32,128)(4,1)}", "1,0=1 4,0=512 0,1=4 0,128=4096 32,0=8192");
    row("s4[64,256]{1,0:T(64,128)(8,1)E(4)}", "1,0=1 0,1=8 8,0=1024");
    row("s8[100]{0:T(512)(128)(4,1)}", "1=4 99=396");
    row("bf16[8,1024,2,4096]{3,1,2,0:T(8,128)(2,1)}", "0,1,0,0=1 0,0,1,0=4194304");
    row("f32[3,4,5]{2,1,0:T(*,2,3)}", "0,0,3=6 0,1,0=3 1,0,0=24 2,3,4=70");
    row("f32[2,3,4,5]{3,2,1,0:T(2,*,6)}", "0,0,1,1=12 0,1,0,0=6 1,2,3,4=181");
    row("f32[4,5]", "0,1=1 1,0=5 3,4=19");
}

void TestPhysicalLayout::offsets()
{
    QFETCH(QString, shape);
    QFETCH(QString, offsets);
    const Expected<PhysicalLayout> layout = PhysicalLayout::create(shapeOf(shape));
    QVERIFY(layout);
    for (const QString& pair : offsets.split(QLatin1Char(' '))) {
        const Index index = toIndex(pair.section(QLatin1Char('='), 0, 0));
        const int64_t offset = pair.section(QLatin1Char('='), 1).toLongLong();
        QCOMPARE(layout->offsetOf(index), offset);
        const std::optional<Index> back = layout->indexAt(offset);
        QVERIFY(back);
        QCOMPARE(toText(*back), toText(index));
    }
}

void TestPhysicalLayout::sizes_data()
{
    QTest::addColumn<QString>("shape");
    QTest::addColumn<QString>("physical");
    QTest::addColumn<QString>("padded");
    QTest::addColumn<qint64>("paddedElements");
    QTest::addColumn<qint64>("paddedBytes");
    QTest::addColumn<qint64>("unpaddedBytes");
    const auto row = [](const char* shape, const char* physical, const char* padded, qint64 elements, qint64 bytes,
                        qint64 logical) {
        QTest::newRow(shape) << QString::fromLatin1(shape) << QString::fromLatin1(physical)
                             << QString::fromLatin1(padded) << elements << bytes << logical;
    };
    row("f32[3,5]{1,0:T(2,2)}", "2,3,2,2", "4,6", 24, 96, 60);
    row("bf16[4,8]{1,0:T(2,4)(2,1)}", "2,2,1,4,2,1", "4,8", 32, 64, 64);
    row("bf16[4096]{0:T(1024)(128)(2,1)}", "4,4,128,2,1", "4096", 4096, 8192, 8192);
    row("bf16[8,1024,8192]{2,1,0:T(8,128)(2,1)}", "8,128,64,4,128,2,1", "8,1024,8192", 67108864, 134217728, 134217728);
    row("f32[16,64]{1,0:T(8,128)}", "2,1,8,128", "16,128", 2048, 8192, 4096);
    row("f32[128,16]{0,1:T(8,128)}", "2,1,8,128", "128,16", 2048, 8192, 8192);
    row("f32[]{:T(128)}", "1,128", "", 128, 512, 4);
    row("pred[]{:T(512)}", "1,512", "", 512, 512, 1);
    row("f32[1,1]{1,0:T(1,128)}", "1,1,1,128", "1,128", 128, 512, 4);
    row("f32[5]{0:T(2,128)}", "1,1,2,128", "128", 256, 1024, 20);
    row("f32[2,2,2,5]{3,2,1,0:T(2,128)}", "2,2,1,1,2,128", "2,2,2,128", 1024, 4096, 160);
    row("f8e4m3fn[64,256]{1,0:T(32,128)(4,1)}", "2,2,8,128,4,1", "64,256", 16384, 16384, 16384);
    row("s4[64,256]{1,0:T(64,128)(8,1)E(4)}", "1,2,8,128,8,1", "64,256", 16384, 8192, 8192);
    row("s8[100]{0:T(512)(128)(4,1)}", "1,1,128,4,1", "512", 512, 512, 100);
    row("bf16[8,1024,2,4096]{3,1,2,0:T(8,128)(2,1)}", "8,2,128,32,4,128,2,1", "8,1024,2,4096", 67108864, 134217728,
        134217728);
    row("f32[3,4,5]{2,1,0:T(*,2,3)}", "6,2,2,3", "3,4,6", 72, 288, 240);
    row("f32[2,3,4,5]{3,2,1,0:T(2,*,6)}", "2,2,4,2,6", "2,4,4,5", 192, 768, 480);
    row("s8[3]{0:L(128)}", "3", "3", 128, 128, 3);
    row("f32[<=5,3]{1,0}", "5,3", "5,3", 15, 60, 60);
    row("f32[0,7]{1,0:T(8,128)}", "0,1,8,128", "0,128", 0, 0, 0);
    row("c64[2,3]{1,0}", "2,3", "2,3", 6, 48, 48);
}

void TestPhysicalLayout::sizes()
{
    QFETCH(QString, shape);
    QFETCH(QString, physical);
    QFETCH(QString, padded);
    QFETCH(qint64, paddedElements);
    QFETCH(qint64, paddedBytes);
    QFETCH(qint64, unpaddedBytes);
    const Shape parsed = shapeOf(shape);
    const Expected<PhysicalLayout> layout = PhysicalLayout::create(parsed);
    QVERIFY(layout);
    QCOMPARE(toText(layout->physicalDimensions()), physical.toStdString());
    QCOMPARE(toText(layout->paddedDimensions()), padded.toStdString());
    QCOMPARE(layout->paddedElements(), paddedElements);
    QCOMPARE(layout->paddedBytes(), paddedBytes);
    QCOMPARE(layout->unpaddedBytes(), unpaddedBytes);
    QCOMPARE(paddedByteSize(parsed), layout->xlaBytes());
    QCOMPARE(unpaddedByteSize(parsed), unpaddedBytes);
    if (paddedElements != 0)
        QCOMPARE(layout->expansion(), double(paddedElements) / double(layout->elements()));
    else
        QCOMPARE(layout->expansion(), 1.0);
    // XLA sizes arrays by the first tile; only a `*` or an inner tile that does not divide the outer one differs.
    if (!shape.contains(QLatin1Char('*')))
        QCOMPARE(layout->xlaBytes(), paddedBytes);
}

void TestPhysicalLayout::matchesReferenceOnRandomLayouts()
{
    QRandomGenerator random(20261129);
    int64_t checked = 0;
    for (int round = 0; round < 3000; ++round) {
        const Shape shape = randomShape(random);
        const Expected<PhysicalLayout> layout = PhysicalLayout::create(shape);
        QVERIFY2(layout, toString(shape).c_str());
        if (layout->paddedElements() > 20000)
            continue;
        const Index cells = referenceCells(shape);
        QVERIFY2(layout->paddedElements() == static_cast<int64_t>(cells.size()), toString(shape).c_str());
        int64_t elements = 0;
        for (size_t offset = 0; offset < cells.size(); ++offset) {
            const std::optional<Index> index = layout->indexAt(static_cast<int64_t>(offset));
            QVERIFY2(index.has_value() == (cells[offset] != DenseArray::kPadding), toString(shape).c_str());
            if (!index)
                continue;
            int64_t id = 0;
            for (size_t i = 0; i < index->size(); ++i)
                id = id * shape.dimensions[i] + (*index)[i];
            QVERIFY2(id == cells[offset], toString(shape).c_str());
            QVERIFY2(layout->offsetOf(*index) == static_cast<int64_t>(offset), toString(shape).c_str());
            ++elements;
        }
        QCOMPARE(elements, layout->elements()); // so every element has exactly one place
        checked += elements;
    }
    QVERIFY(checked > 50000);
}

void TestPhysicalLayout::roundTripsOnLargeArrays_data()
{
    QTest::addColumn<QString>("shape");
    for (const char* shape : {"bf16[8,1024,8192]{2,1,0:T(8,128)(2,1)}", "f8e4m3fn[100,3001,77]{0,2,1:T(32,128)(4,1)}",
                              "s4[1000003]{0:T(2048)(128)(8,1)E(4)}"})
        QTest::newRow(shape) << QString::fromLatin1(shape);
}

void TestPhysicalLayout::roundTripsOnLargeArrays()
{
    QFETCH(QString, shape);
    const Shape parsed = shapeOf(shape);
    const Expected<PhysicalLayout> layout = PhysicalLayout::create(parsed);
    QVERIFY(layout);
    QRandomGenerator random(7);
    for (int i = 0; i < 2000; ++i) {
        Index index;
        for (int64_t size : parsed.dimensions)
            index.push_back(random.bounded(static_cast<quint64>(size)));
        const int64_t offset = layout->offsetOf(index);
        QVERIFY(offset >= 0 && offset < layout->paddedElements());
        const std::optional<Index> back = layout->indexAt(offset);
        QVERIFY(back);
        QCOMPARE(toText(*back), toText(index));
    }
    QVERIFY(!layout->indexAt(-1));
    QVERIFY(!layout->indexAt(layout->paddedElements()));
}

void TestPhysicalLayout::refusesBadLayouts_data()
{
    QTest::addColumn<Index>("dimensions");
    QTest::addColumn<Index>("minorToMajor");
    QTest::addColumn<Index>("tile");
    const int64_t huge = int64_t{1} << 40;
    QTest::newRow("order of another rank") << Index{2, 3} << Index{0} << Index{};
    QTest::newRow("dimension twice") << Index{2, 3} << Index{1, 1} << Index{};
    QTest::newRow("dimension out of range") << Index{2, 3} << Index{2, 0} << Index{};
    QTest::newRow("tile of zero") << Index{2, 3} << Index{1, 0} << Index{0, 2};
    QTest::newRow("ends with *") << Index{2, 3} << Index{1, 0} << Index{2, Tile::kCombine};
    QTest::newRow("unbounded") << Index{2, Shape::kUnbounded} << Index{1, 0} << Index{};
    QTest::newRow("elements overflow") << Index{huge, huge} << Index{1, 0} << Index{};
    QTest::newRow("bytes overflow") << Index{huge, int64_t{1} << 22} << Index{1, 0} << Index{};
    QTest::newRow("padding overflows") << Index{2, 3} << Index{1, 0} << Index{huge, huge};
    QTest::newRow("merging overflows") << Index{huge, huge, 2} << Index{2, 1, 0} << Index{Tile::kCombine, 2, 2};
    QTest::newRow("too many tiles") << Index{2} << Index{0} << Index(5000, 1);
}

void TestPhysicalLayout::refusesBadLayouts()
{
    QFETCH(Index, dimensions);
    QFETCH(Index, minorToMajor);
    QFETCH(Index, tile);
    Shape shape;
    shape.elementType = PrimitiveType::F32;
    shape.dimensions = dimensions;
    shape.layout = Layout{};
    shape.layout->minorToMajor = minorToMajor;
    if (!tile.empty())
        shape.layout->tiles = {Tile{tile}};
    const Expected<PhysicalLayout> layout = PhysicalLayout::create(shape);
    QVERIFY(!layout);
    QVERIFY(!layout.error().message.empty());
    QVERIFY(paddedByteSize(shape) >= 0);
    QVERIFY(unpaddedByteSize(shape) >= 0);
}

void TestPhysicalLayout::sizesOfOtherShapes()
{
    const Shape tuple = shapeOf(QStringLiteral("(f32[2]{0}, s32[])"));
    QCOMPARE(paddedByteSize(tuple), int64_t{16});
    QCOMPARE(unpaddedByteSize(tuple, 4), int64_t{8});
    QCOMPARE(paddedByteSize(shapeOf(QStringLiteral("token[]"))), int64_t{0});
    QVERIFY(!PhysicalLayout::create(tuple));
    // libtpu on v5p keeps one half in each core's memory: the allocator counts a half, offsets go through the whole.
    const Shape split = shapeOf(QStringLiteral("f32[128,128]{1,0:T(8,128)S(1)SC(0:64)}"));
    QCOMPARE(paddedByteSize(split), int64_t{64 * 128 * 4});
    QCOMPARE(PhysicalLayout::create(split)->paddedBytes(), int64_t{128 * 128 * 4});
    // Dimension 0 of a cut is the most major one, whatever its logical number.
    QCOMPARE(paddedByteSize(shapeOf(QStringLiteral("f32[128,16]{0,1:T(8,128)S(1)SC(0:8)}"))), int64_t{8 * 128 * 4});
}

void TestPhysicalLayout::saturates()
{
    Shape shape;
    shape.elementType = PrimitiveType::F32;
    shape.dimensions = {int64_t{1} << 40, int64_t{1} << 40};
    QCOMPARE(paddedByteSize(shape), std::numeric_limits<int64_t>::max());
    QCOMPARE(unpaddedByteSize(shape), std::numeric_limits<int64_t>::max());
}

// Sizes that libtpu's own allocator wrote down for every array of every program.
void TestPhysicalLayout::matchesBufferAssignments()
{
    const QStringList files = testdata::corpus(QStringLiteral("buffer-assignment.txt"));
    if (files.isEmpty())
        QSKIP("the shared corpus is not here");
    const QRegularExpression line(QStringLiteral("^\\s*value: <.*> \\(size=(\\d+),offset=\\d+\\): (.*)$"));
    int checked = 0;
    int rounded = 0;
    for (const QString& name : files) {
        QFile file(name);
        QVERIFY(file.open(QIODevice::ReadOnly | QIODevice::Text));
        while (!file.atEnd()) {
            const QRegularExpressionMatch match = line.match(QString::fromUtf8(file.readLine()).trimmed());
            if (!match.hasMatch() || match.captured(2).startsWith(QLatin1Char('(')))
                continue;
            const int64_t expected = match.captured(1).toLongLong();
            const Shape shape = shapeOf(match.captured(2));
            const int64_t size = paddedByteSize(shape);
            // Untiled scalars get a whole register in HBM or SMEM, arrays in SMEM its smallest unit; neither is part of
            // the shape.
            const bool isRounded = (shape.rank() == 0 && size != expected && expected == 1024 * size)
                || (shape.memorySpace() == 4 && expected == 4096);
            rounded += isRounded;
            if (!isRounded)
                QVERIFY2(size == expected, qPrintable(name + QLatin1Char(' ') + match.captured(2)));
            ++checked;
        }
    }
    qInfo("%d arrays in %d programs, %d of them rounded up by the allocator", checked, int(files.size()), rounded);
    QVERIFY(checked > 15000);
    QVERIFY(rounded < checked / 50);
}

QTEST_APPLESS_MAIN(TestPhysicalLayout)
#include "tst_physical_layout.moc"
