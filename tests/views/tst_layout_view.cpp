// SPDX-License-Identifier: Apache-2.0
#include "views/common/theme.h"
#include "views/common/workspace.h"
#include "views/inspector/panel_text.h"
#include "views/tiling/layout_canvas.h"
#include "views/tiling/layout_panel.h"
#include "views/tiling/layout_view.h"

#include "../test_data.h"

#include <QComboBox>
#include <QLineEdit>
#include <QSpinBox>
#include <QToolButton>
#include <QtTest>

using namespace hloscope;

class TestLayoutView : public QObject {
    Q_OBJECT

private:
    Workspace m_workspace;
    std::shared_ptr<const HloModule> m_module;

    static QString panelText(const LayoutView& view)
    {
        QStringList lines;
        for (const PanelText* text : view.panel()->findChildren<PanelText*>()) {
            if (text->isVisibleTo(view.panel()))
                lines << text->text();
        }
        return lines.join(QLatin1Char('\n'));
    }

private slots:
    void initTestCase()
    {
        m_workspace.open(testdata::path(QStringLiteral("corpus/transformer_sharded.v2-2x2/module.hlo")));
        QTRY_VERIFY_WITH_TIMEOUT(!m_workspace.isBusy() && !m_workspace.modules().empty(), 30'000);
        m_module = m_workspace.modules()[0].module;
    }

    void aTypedShapeIsDrawn()
    {
        Selection selection(m_workspace);
        LayoutView view(m_workspace, selection);
        view.resize(1000, 800);
        view.show();
        view.shapeField()->clear();
        QTest::keyClicks(view.shapeField(), QStringLiteral("f32[3,5]{1,0:T(2,2)}"));
        QVERIFY(view.errorText().isEmpty());
        QVERIFY(view.canvas()->picture());
        QCOMPARE(view.canvas()->picture()->tiles().layout().paddedBytes(), int64_t(96));
        const QString text = panelText(view);
        for (const char* part : {"15 elements, 60 B", "24 elements, 96 B", "1.60", "0, HBM", "1.6 times"})
            QVERIFY2(text.contains(QLatin1String(part)), qPrintable(text));
    }

    void aWrongShapePointsAtTheCharacter_data()
    {
        QTest::addColumn<QString>("shape");
        QTest::addColumn<int>("column");
        QTest::newRow("zero tile") << "f32[3,5]{1,0:T(0,2)}" << 16;
        QTest::newRow("unknown type") << "f33[3,5]" << 1;
        QTest::newRow("no closing bracket") << "f32[3,5" << 8;
        QTest::newRow("bad dimension") << "f32[3,x]" << 7;
    }

    void aWrongShapePointsAtTheCharacter()
    {
        QFETCH(QString, shape);
        QFETCH(int, column);
        Selection selection(m_workspace);
        LayoutView view(m_workspace, selection);
        view.show();
        view.showShape(shape);
        const QStringList lines = view.errorText().split(QLatin1Char('\n'));
        QVERIFY2(lines.size() >= 3, qPrintable(view.errorText()));
        QCOMPARE(lines[0], shape);
        QCOMPARE(lines[1].size(), column);
        QVERIFY(lines[1].endsWith(QLatin1Char('^')));
        QVERIFY2(lines[2].startsWith(QStringLiteral("Column %1: ").arg(column)), qPrintable(lines[2]));
        QVERIFY(!view.canvas()->picture());
        view.showShape(QStringLiteral("f32[3,5]"));
        QVERIFY(view.errorText().isEmpty());
        QVERIFY(view.canvas()->picture());
    }

    void aLayoutThatDoesNotFitIsSaid()
    {
        Selection selection(m_workspace);
        LayoutView view(m_workspace, selection);
        view.show();
        for (const char* shape : {"f32[3,5]{0,0}", "f32[1000000000000,1000000000000]{1,0}", "(f32[2])", "token[]"}) {
            view.showShape(QString::fromLatin1(shape));
            QVERIFY2(!view.errorText().isEmpty(), shape);
            QVERIFY(!view.canvas()->picture());
        }
    }

    void theSelectedOpFillsTheField()
    {
        Selection selection(m_workspace);
        LayoutView view(m_workspace, selection);
        view.resize(1000, 800);
        view.show();
        selection.selectInstruction(m_module, m_module->findInstruction("fusion.32"));
        QCOMPARE(view.shapeText(), QStringLiteral("bf16[8,16,256,1024]{2,3,1,0:T(8,128)(2,1)}"));
        auto* values = view.findChild<QComboBox*>();
        QCOMPARE(values->count(), 5); // the result and four operands
        QCOMPARE(values->itemText(0), QStringLiteral("fusion.32"));
        QCOMPARE(values->itemText(2), QStringLiteral("operand get-tuple-element.3"));
        values->setFocus();
        QTest::keyClick(values, Qt::Key_Down);
        QTest::keyClick(values, Qt::Key_Down);
        QCOMPARE(view.shapeText(), QStringLiteral("bf16[8,16,1024,1024]{2,3,1,0:T(8,128)(2,1)}"));
        // The parts of a tuple one by one.
        selection.selectInstruction(m_module, m_module->findInstruction("fusion.6"));
        QCOMPARE(values->itemText(1), QStringLiteral("fusion.6 {1}"));
    }

    void hoverLightsUpTheElement()
    {
        Selection selection(m_workspace);
        LayoutView view(m_workspace, selection);
        view.resize(1100, 800);
        view.show();
        view.showShape(QStringLiteral("bf16[4,8]{1,0:T(2,4)(2,1)}"));
        QCoreApplication::processEvents();
        LayoutCanvas* canvas = view.canvas();
        LayoutPicture* picture = canvas->picture();
        picture->setCursor(27);
        const QPoint place = picture->cursorRect().center().toPoint();
        picture->setCursor(std::nullopt);
        QTest::mouseMove(canvas, place);
        QCOMPARE(picture->cursor(), std::optional<int64_t>(27));
        QString text = panelText(view);
        for (const char* part :
             {"[3, 5]", "27, byte 54", "13, upper half", "(2, 2 | 1, 4 | 2, 1)", "1·16 + 1·8 + 1·2 + 1 = 27"})
            QVERIFY2(text.contains(QString::fromUtf8(part)), qPrintable(text));
        QCOMPARE(canvas->accessibleDescription(), QStringLiteral("[3, 5], offset 27, byte 54"));
        QTest::mouseMove(canvas, QPoint(2, 2));
        QVERIFY(!picture->cursor());
        // A click pins the element: it comes back when the pointer goes.
        QTest::mouseClick(canvas, Qt::LeftButton, {}, place);
        QTest::mouseMove(canvas, QPoint(2, 2));
        QCOMPARE(picture->cursor(), std::optional<int64_t>(27));
    }

    void keysDoWhatTheMouseDoes()
    {
        Selection selection(m_workspace);
        LayoutView view(m_workspace, selection);
        view.resize(1100, 800);
        view.show();
        view.showShape(QStringLiteral("bf16[4,8]{1,0:T(2,4)(2,1)}"));
        LayoutCanvas* canvas = view.canvas();
        canvas->setFocus();
        const auto cursor = [canvas] { return canvas->picture()->cursor(); };
        QTest::keyClick(canvas, Qt::Key_Right);
        QCOMPARE(cursor(), std::optional<int64_t>(0));
        QTest::keyClick(canvas, Qt::Key_Right);
        QCOMPARE(cursor(), std::optional<int64_t>(2)); // [0,1]
        QTest::keyClick(canvas, Qt::Key_Down);
        QCOMPARE(cursor(), std::optional<int64_t>(3)); // [1,1]
        QTest::keyClick(canvas, Qt::Key_PageDown);
        QCOMPARE(cursor(), std::optional<int64_t>(19)); // [3,1]
        QTest::keyClick(canvas, Qt::Key_Up);
        QTest::keyClick(canvas, Qt::Key_Left);
        QCOMPARE(cursor(), std::optional<int64_t>(16)); // [2,0]
        QTest::keyClick(canvas, Qt::Key_Period);
        QCOMPARE(cursor(), std::optional<int64_t>(17));
        QTest::keyClick(canvas, Qt::Key_Comma);
        QTest::keyClick(canvas, Qt::Key_Comma);
        QCOMPARE(cursor(), std::optional<int64_t>(15));
        QTest::keyClick(canvas, Qt::Key_End);
        QCOMPARE(cursor(), std::optional<int64_t>(31));
        QTest::keyClick(canvas, Qt::Key_Home);
        QCOMPARE(cursor(), std::optional<int64_t>(0));
        QTest::keyClick(canvas, Qt::Key_Escape);
        QVERIFY(!cursor());
    }

    void walkingGoesThroughMemory()
    {
        Selection selection(m_workspace);
        LayoutView view(m_workspace, selection);
        view.resize(1100, 800);
        view.show();
        view.showShape(QStringLiteral("f32[2,2]{1,0}"));
        LayoutCanvas* canvas = view.canvas();
        QTest::keyClick(canvas, Qt::Key_Space);
        QTRY_COMPARE(canvas->picture()->cursor(), std::optional<int64_t>(3)); // to the last element, then it stops
        QTest::qWait(120);
        QCOMPARE(canvas->picture()->cursor(), std::optional<int64_t>(3));
        QTest::keyClick(canvas, Qt::Key_Space); // again from the start
        QTRY_VERIFY(canvas->picture()->cursor() < std::optional<int64_t>(3));
        QTest::keyClick(canvas, Qt::Key_Space);
        const auto stopped = canvas->picture()->cursor();
        QTest::qWait(150);
        QCOMPARE(canvas->picture()->cursor(), stopped);
    }

    void slicesAreChosenWithFields()
    {
        Selection selection(m_workspace);
        LayoutView view(m_workspace, selection);
        view.resize(1100, 800);
        view.show();
        view.showShape(QStringLiteral("f32[5,4,8]{2,1,0:T(2,4)}"));
        auto* field = view.findChild<QSpinBox*>();
        QVERIFY(field);
        QTRY_VERIFY(field->isVisible());
        QCOMPARE(field->maximum(), 4);
        QTest::keyClick(view.canvas(), Qt::Key_Right);
        field->setFocus();
        QTest::keyClick(field, Qt::Key_Up);
        QCOMPARE(field->value(), 1);
        QCOMPARE(view.canvas()->picture()->cursor(), std::optional<int64_t>(32)); // [1,0,0], one slice of 4 x 8 further
        view.showShape(QStringLiteral("f32[4,8]{1,0}"));
        QVERIFY(view.findChildren<QSpinBox*>().isEmpty() || !view.findChild<QSpinBox*>()->isVisible());
    }

    void aTileOfABigArrayIsOpenedByClick()
    {
        Selection selection(m_workspace);
        LayoutView view(m_workspace, selection);
        view.resize(1100, 800);
        view.show();
        view.showShape(QStringLiteral("bf16[8,1024,8192]{2,1,0:T(8,128)(2,1)}"));
        QCoreApplication::processEvents();
        LayoutCanvas* canvas = view.canvas();
        // The first point of the picture that is a tile, and one that is not the first tile.
        std::optional<QPoint> place;
        GridCell tile;
        for (int y = 0; y < 400 && !place; y += 4) {
            for (int x = 0; x < canvas->width() && !place; x += 4) {
                const auto hit = canvas->picture()->hitAt(QPointF(x, y)).tile;
                if (hit && hit->row == 3 && hit->column == 5) {
                    place = QPoint(x, y);
                    tile = *hit;
                }
            }
        }
        QVERIFY(place);
        QTest::mouseClick(canvas, Qt::LeftButton, {}, *place);
        QCOMPARE(canvas->picture()->cursor(),
                 std::optional<int64_t>((3 * 64 + 5) * 1024)); // tiles of 1024, 64 in a row
        QVERIFY(panelText(view).contains(QStringLiteral("[0, 24, 640]")));
    }

    void zoomMakesNumbersVisible()
    {
        Selection selection(m_workspace);
        LayoutView view(m_workspace, selection);
        view.resize(1100, 800);
        view.show();
        view.showShape(QStringLiteral("bf16[8,1024,8192]{2,1,0:T(8,128)(2,1)}"));
        LayoutCanvas* canvas = view.canvas();
        QTest::keyClick(canvas, Qt::Key_Right);
        const double before = canvas->picture()->cursorRect().width();
        for (int i = 0; i < 12; ++i)
            QTest::keyClick(canvas, Qt::Key_Plus);
        QVERIFY(canvas->picture()->cursorRect().width() > 30 && before < 10);
        QTest::keyClick(canvas, Qt::Key_Minus);
        QVERIFY(canvas->picture()->cursorRect().width() < 57); // 58 is the most; a step back is seen at once
    }
};

QTEST_MAIN(TestLayoutView)
#include "tst_layout_view.moc"
