// SPDX-License-Identifier: Apache-2.0
#include "core/hlo/literal_text.h"

#include "hlo.pb.h"

#include <QtTest>

#include <functional>
#include <limits>

using namespace hloscope;

namespace {

using Literal = proto::LiteralProto;

Literal literal(int type, std::initializer_list<int64_t> dimensions)
{
    Literal result;
    result.mutable_shape()->set_element_type(type);
    for (const int64_t size : dimensions)
        result.mutable_shape()->add_dimensions(size);
    return result;
}

Literal floats(std::initializer_list<int64_t> dimensions, std::initializer_list<float> values)
{
    Literal result = literal(11, dimensions);
    for (const float value : values)
        result.add_f32s(value);
    return result;
}

} // namespace

// Every expected text is what jaxlib 0.10.2 printed for the same value.
class TestLiteralText : public QObject {
    Q_OBJECT

private slots:
    void nestsBraces()
    {
        QCOMPARE(literalText(floats({}, {1.5f})), std::string("1.5"));
        QCOMPARE(literalText(floats({3}, {1, 2, 3})), std::string("{1, 2, 3}"));
        QCOMPARE(literalText(floats({2, 1}, {1, 2})), std::string("{ {1}, {2} }"));
        QCOMPARE(literalText(floats({1, 2}, {1, 2})), std::string("{ { 1, 2 } }"));
        QCOMPARE(literalText(floats({2, 2, 2}, {1, 2, 3, 4, 1, 2, 3, 4})),
                 std::string("{ { { 1, 2 }, { 3, 4 } }, { { 1, 2 }, { 3, 4 } } }"));
        QCOMPARE(literalText(floats({1, 2, 1, 2}, {1, 2, 1, 2})),
                 std::string("{ { /*i0=0*/ { /*i1=0*/ { 1, 2 } }, { /*i1=1*/ { 1, 2 } } } }"));
        QCOMPARE(literalText(floats({0}, {})), std::string("{}"));
        QCOMPARE(literalText(floats({2, 0}, {})), std::string("{ {}, {} }"));
        QCOMPARE(literalText(floats({0, 2}, {})), std::string("{  }"));
        QCOMPARE(literalText(floats({2, 0, 4, 3}, {})), std::string("{ { /*i0=0*/ }, { /*i0=1*/ } }"));
    }

    void followsTheLayout()
    {
        // Stored column by column, written row by row.
        Literal columns = floats({2, 2}, {1, 3, 2, 4});
        columns.mutable_shape()->mutable_layout()->add_minor_to_major(0);
        columns.mutable_shape()->mutable_layout()->add_minor_to_major(1);
        QCOMPARE(literalText(columns), std::string("{ { 1, 2 }, { 3, 4 } }"));
    }

    void leavesOutWhatIsLong()
    {
        QCOMPARE(literalText(floats({11}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11})), std::string("{...}"));
        QCOMPARE(literalText(literal(13, {})), std::string("{...}"));
        QCOMPARE(literalText(literal(11, {4294967296, 4294967296})), std::string("{...}"));
        // Values that a stripped dump does not have.
        QCOMPARE(literalText(literal(11, {3})), std::string("{...}"));
        QCOMPARE(literalText(literal(21, {3})), std::string("{...}"));
        QCOMPARE(literalText(literal(4294967, {3})), std::string("{...}"));
    }

    void printsFloats()
    {
        QCOMPARE(literalText(floats({3}, {0.1f, 16777217.0f, 3.4028235e38f})),
                 std::string("{0.1, 16777216, 3.40282347e+38}"));
        QCOMPARE(literalText(floats({2}, {1e-7f, 1e10f})), std::string("{1e-07, 1e+10}"));
        const float inf = std::numeric_limits<float>::infinity();
        const float nan = std::bit_cast<float>(0x7fc00000u);
        const float negativeNan = std::bit_cast<float>(0xffc00000u);
        const float payload = std::bit_cast<float>(0x7f812345u);
        QCOMPARE(literalText(floats({5}, {nan, negativeNan, payload, -inf, inf})),
                 std::string("{nan, -nan, nan(0x12345), -inf, inf}"));
        Literal doubles = literal(12, {4});
        for (const double value : {0.1, 1e300, 1234567890123456.0, 0.30000000000000004})
            doubles.add_f64s(value);
        QCOMPARE(literalText(doubles), std::string("{0.1, 1e+300, 1234567890123456, 0.30000000000000004}"));
        Literal complex = literal(15, {2});
        for (const float value : {1.0f, 2.0f, inf, negativeNan})
            complex.add_c64s(value);
        QCOMPARE(literalText(complex), std::string("{(1, 2), (inf, -nan)}"));
    }

    void printsSmallFloats_data()
    {
        QTest::addColumn<int>("type");
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("text");
        // bf16: 0.1, 9.184e-41 (smallest subnormal), 3, 1e38
        QTest::newRow("bf16") << 16 << QByteArray("\xcd\x3d\x01\x00\x40\x40\x96\x7e", 8)
                              << "{0.1001, 9.184e-41, 3, 9.969e+37}";
        QTest::newRow("f16") << 10 << QByteArray("\x66\x2e\xff\x7b\x01\x00", 6) << "{0.099976, 65504, 5.9605e-08}";
        QTest::newRow("f8e4m3fn") << 20 << QByteArray("\x1d\x7e\x7f") << "{0.102, 448, nan}";
        QTest::newRow("f8e5m2") << 19 << QByteArray("\x2e\x7b\x7c") << "{0.094, 5.7e+04, inf}";
        QTest::newRow("f8e3m4") << 29 << QByteArray("\x06\x6f") << "{0.0938, 15.5}";
        QTest::newRow("f8e4m3b11fnuz") << 23 << QByteArray("\x3d\x7f") << "{0.102, 30}";
        QTest::newRow("f8e8m0fnu") << 33 << QByteArray("\x7f\x7e") << "{1, 0.5}";
        QTest::newRow("f4e2m1fn") << 32 << QByteArray("\x01\x07\x0b") << "{0.5, 6, -1.5}";
        QTest::newRow("f6e2m3fn") << 36 << QByteArray("\x01\x1f") << "{0.125, 7.5}";
    }

    void printsSmallFloats()
    {
        QFETCH(int, type);
        QFETCH(QByteArray, bytes);
        QFETCH(QString, text);
        const bool wide = type == 16 || type == 10;
        Literal value = literal(type, {bytes.size() / (wide ? 2 : 1)});
        const std::string content = bytes.toStdString();
        switch (type) {
        case 16:
            value.set_bf16s(content);
            break;
        case 10:
            value.set_f16s(content);
            break;
        case 20:
            value.set_f8e4m3fns(content);
            break;
        case 19:
            value.set_f8e5m2s(content);
            break;
        case 29:
            value.set_f8e3m4s(content);
            break;
        case 23:
            value.set_f8e4m3b11fnuzs(content);
            break;
        case 33:
            value.set_f8e8m0fnus(content);
            break;
        case 32:
            value.set_f4e2m1fns(content);
            break;
        default:
            value.set_f6e2m3fns(content);
        }
        QCOMPARE(QString::fromStdString(literalText(value)), text);
    }

    void printsIntegers()
    {
        Literal preds = literal(1, {2, 2});
        for (const bool value : {true, false, true, false})
            preds.add_preds(value);
        QCOMPARE(literalText(preds), std::string("{ { 1, 0 }, { 1, 0 } }"));
        Literal pred = literal(1, {});
        pred.add_preds(true);
        QCOMPARE(literalText(pred), std::string("true"));
        Literal u64 = literal(9, {1});
        u64.add_u64s(std::numeric_limits<uint64_t>::max());
        QCOMPARE(literalText(u64), std::string("{18446744073709551615}"));
        Literal s8 = literal(2, {3});
        s8.set_s8s("\x80\x7f\xff");
        QCOMPARE(literalText(s8), std::string("{-128, 127, -1}"));
        Literal u16 = literal(7, {2});
        u16.set_u16s(std::string("\xff\xff\x02\x01", 4));
        QCOMPARE(literalText(u16), std::string("{65535, 258}"));
    }

    void printsNarrowIntegers()
    {
        // One to a byte, as jaxlib 0.10.2 writes them.
        Literal s4 = literal(21, {3});
        s4.set_s4s("\x08\x07\x01");
        QCOMPARE(literalText(s4), std::string("{-8, 7, 1}"));
        Literal s2 = literal(26, {2});
        s2.set_s2s("\x02\x01");
        QCOMPARE(literalText(s2), std::string("{-2, 1}"));
        // Packed, the first one in the low bits.
        Literal packed = literal(21, {3});
        packed.set_s4s("\x78\x01");
        QCOMPARE(literalText(packed), std::string("{-8, 7, 1}"));
    }
};

QTEST_APPLESS_MAIN(TestLiteralText)
#include "tst_literal_text.moc"
