// SPDX-License-Identifier: Apache-2.0
#include "core/hlo/hlo_text.h"
#include "views/tiling/layout_picture.h"
#include "views/tiling/offset_steps.h"
#include "views/tiling/tile_picture.h"

#include <QElapsedTimer>
#include <QImage>
#include <QPainter>
#include <QtTest>

using namespace hloscope;

namespace {

TilePicture picture(const char* text)
{
    const Expected<Shape> shape = parseShape(text);
    Q_ASSERT(shape);
    Expected<TilePicture> made = TilePicture::create(*shape);
    Q_ASSERT(made);
    return std::move(*made);
}

} // namespace

class TestLayoutPicture : public QObject {
    Q_OBJECT

private slots:
    // The offsets that the mockup 05 shows, row by row; -1 is padding. From hlo-layout.md, section 4.
    void offsets_data()
    {
        QTest::addColumn<QString>("shape");
        QTest::addColumn<QList<QList<int>>>("rows");
        QTest::newRow("two levels") << "bf16[4,8]{1,0:T(2,4)(2,1)}"
                                    << QList<QList<int>>{{0, 2, 4, 6, 8, 10, 12, 14},
                                                         {1, 3, 5, 7, 9, 11, 13, 15},
                                                         {16, 18, 20, 22, 24, 26, 28, 30},
                                                         {17, 19, 21, 23, 25, 27, 29, 31}};
        QTest::newRow("padded") << "f32[3,5]{1,0:T(2,2)}"
                                << QList<QList<int>>{{0, 1, 4, 5, 8, -1},
                                                     {2, 3, 6, 7, 10, -1},
                                                     {12, 13, 16, 17, 20, -1},
                                                     {-1, -1, -1, -1, -1, -1}};
        QTest::newRow("column-major") << "f32[2,3]{0,1}" << QList<QList<int>>{{0, 2, 4}, {1, 3, 5}};
        QTest::newRow("scalar without tiles") << "f32[]" << QList<QList<int>>{{0}};
        QTest::newRow("vector without tiles")
            << "f32[18]{0}"
            << QList<QList<int>>{{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
                                 {16, 17, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1}};
    }

    void offsets()
    {
        QFETCH(QString, shape);
        QFETCH(QList<QList<int>>, rows);
        const TilePicture tiles = picture(shape.toUtf8().constData());
        QCOMPARE(tiles.rows(), int64_t(rows.size()));
        QCOMPARE(tiles.columns(), int64_t(rows[0].size()));
        for (int row = 0; row < rows.size(); ++row) {
            for (int column = 0; column < rows[row].size(); ++column) {
                const GridCell cell{row, column};
                QCOMPARE(tiles.isPadding(cell), rows[row][column] < 0);
                if (rows[row][column] >= 0) {
                    QCOMPARE(tiles.offsetOf(cell), int64_t(rows[row][column]));
                    QCOMPARE(tiles.cellAt(rows[row][column]), std::optional(cell));
                }
            }
        }
    }

    // A vector in three levels is wrapped at the lanes: rows of 128, pairs of rows interleaved. Offsets of
    // hlo-layout.md.
    void vectorsAreWrappedAtTheLanes()
    {
        const TilePicture tiles = picture("bf16[4096]{0:T(1024)(128)(2,1)}");
        QCOMPARE(tiles.columns(), int64_t(128));
        QCOMPARE(tiles.rows(), int64_t(32));
        QCOMPARE(tiles.tileRows(), int64_t(8));
        QCOMPARE(tiles.innerRows(), int64_t(2));
        QCOMPARE(tiles.offsetOf({0, 1}), int64_t(2)); // element 1
        QCOMPARE(tiles.offsetOf({1, 0}), int64_t(1)); // element 128
        QCOMPARE(tiles.offsetOf({1, 127}), int64_t(255));
        QCOMPARE(tiles.offsetOf({31, 127}), int64_t(4095));
        QCOMPARE(*tiles.indexOf({1, 1}), (std::vector<int64_t>{129}));
    }

    void aTileLongerThanTheArrayIsShownWhole()
    {
        const TilePicture scalar = picture("f32[]{:T(128)}");
        QCOMPARE(scalar.columns(), int64_t(128));
        QVERIFY(!scalar.isPadding({0, 0}));
        QVERIFY(scalar.isPadding({0, 1}));
        QVERIFY(!scalar.columnDimension());
        const TilePicture vector = picture("f32[5]{0:T(2,128)}");
        QCOMPARE(vector.rows(), int64_t(2));
        QCOMPARE(vector.columns(), int64_t(128));
        QVERIFY(vector.isPadding({1, 0}));
        QCOMPARE(vector.offsetOf({0, 4}), int64_t(4));
    }

    void outerDimensionsAreChosen()
    {
        // bf16[8,1024,8192]{2,1,0:T(8,128)(2,1)}: [3,517,4099] -> 29393415, [1,0,0] -> 8388608.
        TilePicture tiles = picture("bf16[8,1024,8192]{2,1,0:T(8,128)(2,1)}");
        QCOMPARE(tiles.outerDimensions(), (std::vector<int64_t>{0}));
        tiles.setOuterIndex(0, 3);
        QCOMPARE(tiles.offsetOf({517, 4099}), int64_t(29393415));
        QCOMPARE(tiles.cellOf({3, 517, 4099}), (GridCell{517, 4099}));
        tiles.setOuterIndex(0, 1);
        QCOMPARE(tiles.offsetOf({0, 0}), int64_t(8388608));
        QVERIFY(!tiles.cellAt(0)); // in another slice
        tiles.setOuterIndex(0, 100);
        QCOMPARE(tiles.outerIndex(0), int64_t(7));
        QCOMPARE(tiles.tileGridRows(), int64_t(128));
        QCOMPARE(tiles.tileGridColumns(), int64_t(64));
    }

    // {2,3,1,0}: dimension 2 is the fastest, and still it runs down the picture, because it comes before dimension 3.
    void rowsAndColumnsKeepTheirLogicalPlaces()
    {
        const TilePicture tiles = picture("bf16[8,16,256,1024]{2,3,1,0:T(8,128)(2,1)}");
        QCOMPARE(tiles.rowDimension(), std::optional<int64_t>(2));
        QCOMPARE(tiles.columnDimension(), std::optional<int64_t>(3));
        QCOMPARE(tiles.tileRows(), int64_t(128));
        QCOMPARE(tiles.tileColumns(), int64_t(8));
        QCOMPARE(tiles.innerRows(), int64_t(1));
        QCOMPARE(tiles.innerColumns(), int64_t(2));
    }

    void neighboursDifferInTint()
    {
        for (const char* shape : {"bf16[4,8]{1,0:T(2,4)(2,1)}", "f32[3,5]{1,0:T(2,2)}", "f32[64,64]{1,0:T(2,2)}",
                                  "f32[64,10]{1,0:T(2,2)}"}) {
            const TilePicture tiles = picture(shape);
            for (int64_t row = 0; row + 1 < std::min<int64_t>(tiles.tileGridRows(), 12); ++row) {
                for (int64_t column = 0; column + 1 < std::min<int64_t>(tiles.tileGridColumns(), 12); ++column) {
                    const GridCell here{row * tiles.tileRows(), column * tiles.tileColumns()};
                    const GridCell right{here.row, here.column + tiles.tileColumns()};
                    const GridCell below{here.row + tiles.tileRows(), here.column};
                    QVERIFY2(tiles.tintOf(here) != tiles.tintOf(right) && tiles.tintOf(here) != tiles.tintOf(below),
                             shape);
                }
            }
        }
    }

    void wordsHoldAsManyElements_data()
    {
        QTest::addColumn<QString>("shape");
        QTest::addColumn<int>("elements");
        QTest::newRow("f32") << "f32[8]{0}" << 1;
        QTest::newRow("bf16") << "bf16[8]{0}" << 2;
        QTest::newRow("s8") << "s8[8]{0}" << 4;
        QTest::newRow("packed s4") << "s4[8]{0:E(4)}" << 8;
        QTest::newRow("f64") << "f64[8]{0}" << 1;
    }

    void wordsHoldAsManyElements()
    {
        QFETCH(QString, shape);
        QFETCH(int, elements);
        QCOMPARE(picture(shape.toUtf8().constData()).elementsPerWord(), int64_t(elements));
    }

    void whatCannotBeDrawnSaysWhy()
    {
        for (const char* shape : {"f32[0,4]{1,0}", "token[]", "(f32[2])"}) {
            const Expected<Shape> parsed = parseShape(shape);
            QVERIFY2(parsed.hasValue(), shape);
            const Expected<TilePicture> made = TilePicture::create(*parsed);
            QVERIFY2(!made && !made.error().message.empty(), shape);
        }
    }

    // The steps of the panel end in the same offset as the layout's own arithmetic.
    void stepsLeadToTheOffset_data()
    {
        QTest::addColumn<QString>("shape");
        QTest::addColumn<QList<int>>("index");
        QTest::addColumn<QStringList>("steps");
        QTest::newRow("mockup 05") << "bf16[4,8]{1,0:T(2,4)(2,1)}" << QList<int>{3, 5}
                                   << QStringList{"(4, 8) (3, 5)", "(2, 2 | 2, 4) (1, 1 | 1, 1)",
                                                  "(2, 2 | 1, 4 | 2, 1) (1, 1 | 0, 1 | 1, 0)"};
        QTest::newRow("vector") << "bf16[4096]{0:T(1024)(128)(2,1)}" << QList<int>{129}
                                << QStringList{"(4096) (129)", "(4 | 1024) (0 | 129)", "(4 | 8 | 128) (0 | 1 | 1)",
                                               "(4 | 4, 128 | 2, 1) (0 | 0, 1 | 1, 0)"};
        QTest::newRow("scalar") << "f32[]{:T(128)}" << QList<int>{} << QStringList{"() ()", "(1 | 128) (0 | 0)"};
        QTest::newRow("merged") << "f32[3,4,5]{2,1,0:T(*,2,3)}" << QList<int>{2, 3, 4}
                                << QStringList{"(3, 4, 5) (2, 3, 4)", "(6, 2 | 2, 3) (5, 1 | 1, 1)"};
    }

    void stepsLeadToTheOffset()
    {
        QFETCH(QString, shape);
        QFETCH(QList<int>, index);
        const std::vector<int64_t> at(index.begin(), index.end());
        const Expected<Shape> parsed = parseShape(shape.toStdString());
        const Expected<PhysicalLayout> layout = PhysicalLayout::create(*parsed);
        QVERIFY(layout.hasValue());
        QStringList said;
        int64_t offset = 0;
        for (const OffsetStep& step : offsetSteps(*layout, at)) {
            said << vectorText(step.sizes, step.bars) + QLatin1Char(' ') + vectorText(step.index, step.bars);
            offset = 0;
            for (size_t i = 0; i < step.sizes.size(); ++i)
                offset = offset * step.sizes[i] + step.index[i];
        }
        QTEST(said, "steps");
        QCOMPARE(offset, layout->offsetOf(at));
    }

    void digitsAreThoseOfTheOffset()
    {
        const TilePicture tiles = picture("bf16[4,8]{1,0:T(2,4)(2,1)}");
        QList<int> values;
        QList<int> weights;
        for (const TilePicture::Digit& digit : tiles.digitsOf(27)) {
            values << static_cast<int>(digit.value);
            weights << static_cast<int>(digit.weight);
        }
        QCOMPARE(values, (QList<int>{1, 1, 0, 1, 1, 0}));
        QCOMPARE(weights, (QList<int>{16, 8, 8, 2, 1, 1}));
    }

    void bothPicturesHitTheSameElement()
    {
        LayoutPicture layout(picture("bf16[4,8]{1,0:T(2,4)(2,1)}"));
        layout.arrange(900);
        layout.setCursor(27);
        const QRectF cell = layout.cursorRect();
        QVERIFY(!cell.isEmpty());
        QCOMPARE(layout.hitAt(cell.center()).offset, std::optional<int64_t>(27));
        // Somewhere below, in the strip, the same offset is hit too.
        int hits = 0;
        for (double y = cell.bottom() + 60; y < layout.height(); y += 2) {
            for (double x = 0; x < 900; x += 2)
                hits += layout.hitAt({x, y}).offset == std::optional<int64_t>(27) ? 1 : 0;
        }
        QVERIFY(hits > 0);
        QVERIFY(!layout.hitAt({2, 2}).offset);
    }

    void theCursorMovesAndStays()
    {
        LayoutPicture layout(picture("f32[3,5]{1,0:T(2,2)}"));
        layout.arrange(900);
        layout.moveCursor(0, 1); // the first move lands on the first element
        QCOMPARE(layout.cursor(), std::optional<int64_t>(0));
        layout.moveCursor(2, 4);
        QCOMPARE(layout.cursor(), std::optional<int64_t>(20)); // [2,4]
        layout.moveCursor(0, 1);
        QCOMPARE(layout.cursor(), std::optional<int64_t>(21)); // padding
        layout.moveCursor(0, 1);
        QCOMPARE(layout.cursor(), std::optional<int64_t>(21)); // the edge
        layout.stepInMemory(100);
        QCOMPARE(layout.cursor(), std::optional<int64_t>(23));
        layout.stepInMemory(-1000);
        QCOMPARE(layout.cursor(), std::optional<int64_t>(0));
        layout.setCursor(24); // beyond
        QVERIFY(!layout.cursor());
    }

    void bigArraysScrollToTheCursor()
    {
        LayoutPicture layout(picture("bf16[8,1024,8192]{2,1,0:T(8,128)(2,1)}"));
        layout.arrange(900);
        layout.openTile({100, 50});
        const GridCell cell = *layout.tiles().cellAt(*layout.cursor());
        QCOMPARE(cell, (GridCell{800, 6400}));
        QVERIFY(!layout.cursorRect().isEmpty() && layout.cursorRect().left() > 0 && layout.cursorRect().right() < 900);
        layout.moveCursor(-8, 128);
        QCOMPARE(*layout.tiles().cellAt(*layout.cursor()), (GridCell{792, 6528}));
        QVERIFY(layout.cursorRect().left() > 0 && layout.cursorRect().right() < 900);
        layout.setOuterIndex(0, 5); // the same place in another slice
        QCOMPARE(layout.tiles().indexAt(*layout.cursor()), std::optional(std::vector<int64_t>{5, 792, 6528}));
    }

    // The whole picture of any shape: within a frame on an idle machine; the bound leaves room for instrumented builds.
    void paintingDoesNotDependOnTheArray_data()
    {
        QTest::addColumn<QString>("shape");
        QTest::newRow("small") << "bf16[4,8]{1,0:T(2,4)(2,1)}";
        QTest::newRow("64 Mi elements") << "bf16[8,1024,8192]{2,1,0:T(8,128)(2,1)}";
        QTest::newRow("huge, no tiles") << "f32[1000000,1000000]{1,0}";
        QTest::newRow("huge vector") << "s8[4000000000]{0:T(1024)(128)(4,1)}";
        QTest::newRow("thin") << "f32[1000000,1]{1,0:T(8,128)}";
        QTest::newRow("rank 8") << "f32[3,3,3,3,3,3,3,3]{7,6,5,4,3,2,1,0:T(8,128)}";
    }

    void paintingDoesNotDependOnTheArray()
    {
        QFETCH(QString, shape);
        LayoutPicture layout(picture(shape.toUtf8().constData()));
        const double height = layout.arrange(1400);
        QVERIFY(height > 100 && height < 2000);
        layout.stepInMemory(1);
        QImage image(1400, static_cast<int>(height), QImage::Format_ARGB32_Premultiplied);
        image.fill(Theme::light().window);
        QElapsedTimer clock;
        clock.start();
        constexpr int kFrames = 5;
        for (int i = 0; i < kFrames; ++i) {
            QPainter painter(&image);
            layout.paint(painter, Theme::light());
        }
        const double perFrame = static_cast<double>(clock.nsecsElapsed()) / 1e6 / kFrames;
        qInfo("%.2f ms a frame", perFrame);
        QVERIFY(perFrame < 400);
        // Something of the accent is there: the lit element.
        bool lit = false;
        for (int y = 0; y < image.height() && !lit; ++y) {
            for (int x = 0; x < image.width() && !lit; ++x)
                lit = image.pixelColor(x, y) == Theme::light().accent;
        }
        QVERIFY(lit);
    }

    void thumbnailsAreDrawnForAnyShape()
    {
        for (const char* shape : {"bf16[8,16,256,1024]{2,3,1,0:T(8,128)(2,1)}", "f32[]{:T(128)}",
                                  "f32[3,5]{1,0:T(2,2)}", "f32[7]{0}", "token[]", "f32[0]{0}"}) {
            const Expected<Shape> parsed = parseShape(shape);
            QImage image(92, 48, QImage::Format_ARGB32_Premultiplied);
            image.fill(Qt::black);
            QPainter painter(&image);
            paintMiniTiles(painter, QRectF(0.5, 0.5, 90, 46), *parsed, Theme::dark());
            painter.end();
            const bool drawn = image.pixelColor(1, 1) != QColor(Qt::black);
            QVERIFY2(drawn == TilePicture::create(*parsed).hasValue(), shape);
        }
    }
};

QTEST_MAIN(TestLayoutPicture)
#include "tst_layout_picture.moc"
