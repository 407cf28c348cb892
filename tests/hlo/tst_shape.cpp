// SPDX-License-Identifier: Apache-2.0
#include "core/hlo/hlo_text.h"
#include "core/hlo/shape.h"

#include <QtTest>

using namespace hloscope;

namespace {

Shape shapeOf(const char* text)
{
    const Expected<Shape> shape = parseShape(text);
    return shape ? *shape : Shape();
}

} // namespace

class TestShape : public QObject {
    Q_OBJECT

private slots:
    void namesElementTypes_data()
    {
        QTest::addColumn<int>("number");
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("bits");
        // Numbers: PrimitiveType of xla_data.proto. Bits: storage without an E(n) suffix.
        const struct {
            int number;
            const char* name;
            int bits;
        } rows[] = {{1, "pred", 8},        {2, "s8", 8},
                    {3, "s16", 16},        {4, "s32", 32},
                    {5, "s64", 64},        {6, "u8", 8},
                    {7, "u16", 16},        {8, "u32", 32},
                    {9, "u64", 64},        {10, "f16", 16},
                    {11, "f32", 32},       {12, "f64", 64},
                    {14, "opaque", 64},    {15, "c64", 64},
                    {16, "bf16", 16},      {17, "token", 0},
                    {18, "c128", 128},     {19, "f8e5m2", 8},
                    {20, "f8e4m3fn", 8},   {21, "s4", 8},
                    {22, "u4", 8},         {23, "f8e4m3b11fnuz", 8},
                    {24, "f8e5m2fnuz", 8}, {25, "f8e4m3fnuz", 8},
                    {26, "s2", 8},         {27, "u2", 8},
                    {28, "f8e4m3", 8},     {29, "f8e3m4", 8},
                    {30, "s1", 8},         {31, "u1", 8},
                    {32, "f4e2m1fn", 8},   {33, "f8e8m0fnu", 8},
                    {35, "f6e3m2fn", 8},   {36, "f6e2m3fn", 8}};
        for (const auto& row : rows)
            QTest::newRow(row.name) << row.number << QString::fromLatin1(row.name) << row.bits;
    }

    void namesElementTypes()
    {
        QFETCH(int, number);
        QFETCH(QString, name);
        QFETCH(int, bits);
        const PrimitiveType type = primitiveTypeFromName(name.toStdString());
        QCOMPARE(static_cast<int>(type), number);
        QCOMPARE(std::string(primitiveTypeName(type)), name.toStdString());
        QCOMPARE(naturalBits(type), bits);
    }

    void sortsElementTypes()
    {
        QVERIFY(isFloatingPoint(PrimitiveType::BF16));
        QVERIFY(isFloatingPoint(PrimitiveType::F4E2M1FN));
        QVERIFY(!isFloatingPoint(PrimitiveType::C64));
        QVERIFY(isIntegral(PrimitiveType::U4));
        QVERIFY(!isIntegral(PrimitiveType::Pred));
        QVERIFY(isComplex(PrimitiveType::C128));
        QCOMPARE(primitiveTypeFromName("f33"), PrimitiveType::Invalid);
        QCOMPARE(primitiveTypeFromName(""), PrimitiveType::Invalid);
        QCOMPARE(primitiveTypeName(PrimitiveType::Invalid), std::string_view());
    }

    void readsALayout()
    {
        const Shape shape = shapeOf("bf16[8,1024]{0,1:T(8,128)(2,1)L(256)E(4)S(1)SC(0:64,96)M(12)}");
        QCOMPARE(shape.elementType, PrimitiveType::BF16);
        QCOMPARE(shape.dimensions, (std::vector<int64_t>{8, 1024}));
        QVERIFY(shape.layout.has_value());
        const Layout& layout = *shape.layout;
        QCOMPARE(layout.minorToMajor, (std::vector<int64_t>{0, 1}));
        QCOMPARE(layout.tiles.size(), size_t(2));
        QCOMPARE(layout.tiles[0].dimensions, (std::vector<int64_t>{8, 128}));
        QCOMPARE(layout.tiles[1].dimensions, (std::vector<int64_t>{2, 1}));
        QCOMPARE(layout.tailPaddingElements, int64_t(256));
        QCOMPARE(layout.elementSizeBits, int64_t(4));
        QCOMPARE(layout.memorySpace, int64_t(1));
        QCOMPARE(layout.splits.size(), size_t(1));
        QCOMPARE(layout.splits[0].dimension, int64_t(0));
        QCOMPARE(layout.splits[0].indices, (std::vector<int64_t>{64, 96}));
        QCOMPARE(layout.dynamicMetadataPrefixBytes, int64_t(12));
        QCOMPARE(shape.memorySpace(), int64_t(1));
    }

    void printsWhatItReads_data()
    {
        QTest::addColumn<QString>("text");
        // Written by XLA (corpus, or examples that jaxlib accepts and prints back).
        for (const char* text : {"f32[]",
                                 "f32[4]",
                                 "f32[3,5]{1,0:T(2,2)}",
                                 "bf16[4096]{0:T(1024)(128)(2,1)}",
                                 "f32[]{:T(128)}",
                                 "u32[]{:S(2)}",
                                 "pred[]{:T(512)}",
                                 "s4[64,256]{1,0:T(64,128)(8,1)E(4)}",
                                 "s8[3]{0:L(128)}",
                                 "f32[3,4,5]{2,1,0:T(*,2,3)}",
                                 "f8e4m3fn[64,256]{1,0:T(32,128)(4,1)S(1)SC(0:32)}",
                                 "f32[<=4,?]{1,0}",
                                 "token[]",
                                 "opaque[]",
                                 "()",
                                 "(f32[2]{0}, s32[])",
                                 "((f32[4]), (s32[], ()), u32[])",
                                 "b(f32[2]{0})",
                                 "f32[0,3]{1,0}",
                                 "f32[2,2]{1,0:#(u32)*(u8)}",
                                 "f32[4,4]{1,0:D(D,C+~)P(f32[9]{0})}",
                                 "(s32[], s32[], s32[], s32[], s32[], /*index=5*/s32[])",
                                 "s32[128]{0:T(1)L(128)S(4)}"})
            QTest::newRow(text) << QString::fromLatin1(text);
    }

    void printsWhatItReads()
    {
        QFETCH(QString, text);
        const Expected<Shape> shape = parseShape(text.toStdString());
        QVERIFY2(shape.hasValue(), shape ? "" : shape.error().format().c_str());
        QCOMPARE(QString::fromStdString(toString(*shape)), text);
    }

    void readsOtherSpellings_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("printed");
        QTest::newRow("blanks") << " ( f32[ 2 , 3 ] { 1 , 0 } ,s32[] ) "
                                << "(f32[2,3]{1,0}, s32[])";
        QTest::newRow("comments") << "(/*first*/f32[2], // end\n s32[])"
                                  << "(f32[2], s32[])";
        QTest::newRow("other order of suffixes") << "f32[8]{0:S(1)T(8)}"
                                                 << "f32[8]{0:T(8)S(1)}";
        QTest::newRow("defaults are not printed") << "f32[8]{0:L(1)S(0)E(0)}"
                                                  << "f32[8]{0}";
        QTest::newRow("empty layout of a scalar") << "f32[]{}"
                                                  << "f32[]";
        QTest::newRow("dense layout of 2018") << "f32[2,3]dense{1,0}"
                                              << "f32[2,3]{1,0}";
        QTest::newRow("sparse layout of 2018") << "f32[2,3]sparse{10}"
                                               << "f32[2,3]";
        QTest::newRow("no index comments") << "(s32[],s32[],s32[],s32[],s32[],s32[])"
                                           << "(s32[], s32[], s32[], s32[], s32[], /*index=5*/s32[])";
    }

    void readsOtherSpellings()
    {
        QFETCH(QString, text);
        QFETCH(QString, printed);
        QCOMPARE(QString::fromStdString(toString(shapeOf(text.toUtf8().constData()))), printed);
    }

    void leavesOutWhatIsNotAskedFor()
    {
        const Shape shape = shapeOf("(f32[2]{0}, s32[1]{0:S(1)}, s32[], s32[], s32[], s32[])");
        QCOMPARE(toString(shape, {.layouts = false, .indexComments = false}),
                 std::string("(f32[2], s32[1], s32[], s32[], s32[], s32[])"));
        QCOMPARE(toString(*shape.elements[1].layout), std::string("{0:S(1)}"));
    }

    void pointsAtWhatIsWrong_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("column");
        QTest::addColumn<QString>("message");
        QTest::newRow("type") << "f33[2]" << 1 << "unknown element type";
        QTest::newRow("nothing") << "" << 1 << "malformed shape";
        QTest::newRow("no dimensions") << "f32" << 4 << "malformed shape";
        QTest::newRow("open dimensions") << "f32[3,5" << 8 << "malformed dimensions";
        QTest::newRow("missing size") << "f32[3,,5]" << 7 << "malformed dimensions";
        QTest::newRow("negative size") << "f32[-3]" << 5 << "malformed dimensions";
        QTest::newRow("large size") << "f32[1000000000000000000000000000000]" << 5 << "does not fit into 64 bits";
        QTest::newRow("large product") << "f32[4294967296,4294967296]" << 4 << "does not fit into 64 bits";
        QTest::newRow("tile of zero") << "f32[3,5]{1,0:T(0,2)}" << 16 << "a tile size must be at least 1";
        QTest::newRow("negative tile") << "f32[3,5]{1,0:T(2,-8)}" << 18 << "a tile size must be at least 1";
        QTest::newRow("dimension twice") << "f32[3,5]{1,1}" << 12 << "names dimension 1 twice";
        QTest::newRow("dimension too high") << "f32[3]{1,0}" << 8 << "dimension 1 of a shape with 1 dimensions";
        QTest::newRow("dimensions missing") << "f32[3,5]{1:T(8)}" << 11 << "orders 1 of 2 dimensions";
        QTest::newRow("suffix") << "f32[3]{0:Q(2)}" << 10 << "unknown layout suffix";
        QTest::newRow("open layout") << "f32[3]{0:T(2)" << 14 << "malformed layout";
        QTest::newRow("memory space") << "f32[3]{0:S(-1)}" << 12 << "at least 0";
        QTest::newRow("layout of a token") << "token[]{:S(1)}" << 8 << "only an array has a layout";
        QTest::newRow("open tuple") << "(f32[3], s32[]" << 15 << "malformed tuple";
        QTest::newRow("more text") << "f32[3] f32[4]" << 8 << "text behind the shape";
    }

    void pointsAtWhatIsWrong()
    {
        QFETCH(QString, text);
        QFETCH(int, column);
        QFETCH(QString, message);
        const Expected<Shape> shape = parseShape(text.toStdString());
        QVERIFY(!shape.hasValue());
        QCOMPARE(shape.error().line, 1u);
        QCOMPARE(static_cast<int>(shape.error().column), column);
        QVERIFY2(shape.error().message.find(message.toStdString()) != std::string::npos, shape.error().message.c_str());
    }

    void saysWhatItExpected()
    {
        const Expected<Shape> shape = parseShape("f32[3,5]{1,0:T(a)}");
        QVERIFY(!shape.hasValue());
        QCOMPARE(shape.error().expected, std::string("a tile size or '*'"));
        QCOMPARE(shape.error().found, std::string("'a'"));
    }

    void boundsNesting()
    {
        const std::string open(10'000'000, '(');
        const Expected<Shape> shape = parseShape(open);
        QVERIFY(!shape.hasValue());
        QCOMPARE(shape.error().message, std::string("the shape is nested too deeply"));
    }

    void countsElements_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<qint64>("count"); // -1: no count
        QTest::newRow("scalar") << "f32[]" << qint64(1);
        QTest::newRow("matrix") << "f32[3,5]" << qint64(15);
        QTest::newRow("empty") << "f32[0,9223372036854775807,9223372036854775807]" << qint64(0);
        QTest::newRow("dynamic") << "f32[<=4,2]" << qint64(8);
        QTest::newRow("unbounded") << "f32[?,2]" << qint64(-1);
        QTest::newRow("tuple") << "(f32[2])" << qint64(-1);
        QTest::newRow("token") << "token[]" << qint64(-1);
    }

    void countsElements()
    {
        QFETCH(QString, text);
        QFETCH(qint64, count);
        QCOMPARE(static_cast<qint64>(shapeOf(text.toUtf8().constData()).elementCount().value_or(-1)), count);
    }

    void refusesToOverflow()
    {
        Shape shape;
        shape.elementType = PrimitiveType::F32;
        shape.dimensions = {int64_t(1) << 32, int64_t(1) << 31};
        QVERIFY(!shape.elementCount().has_value());
    }

    void findsSubshapes()
    {
        const Shape shape = shapeOf("(f32[1], (s32[2], pred[3]))");
        QVERIFY(shape.at({1, 1}) != nullptr);
        QCOMPARE(toString(*shape.at({1, 1})), std::string("pred[3]"));
        QCOMPARE(shape.at({}), &shape);
        QCOMPARE(shape.at({2}), nullptr);
        QCOMPARE(shape.at({-1}), nullptr);
        QCOMPARE(shape.at({0, 0}), nullptr);
        QStringList visited;
        visitSubshapes(shape, [&](const std::vector<int64_t>& index, const Shape& part) {
            QStringList numbers;
            for (const int64_t i : index)
                numbers << QString::number(i);
            visited << QStringLiteral("{%1} %2").arg(numbers.join(','), QString::fromStdString(toString(part)));
        });
        QCOMPARE(visited,
                 (QStringList{"{} (f32[1], (s32[2], pred[3]))", "{0} f32[1]", "{1} (s32[2], pred[3])", "{1,0} s32[2]",
                              "{1,1} pred[3]"}));
    }
};

QTEST_APPLESS_MAIN(TestShape)
#include "tst_shape.moc"
