// SPDX-License-Identifier: Apache-2.0
#include "views/hlo_text/hlo_hover_card.h"
#include "views/hlo_text/hlo_text_view.h"
#include "views/inspector/panel_widgets.h"

#include "../test_data.h"

#include <QApplication>
#include <QClipboard>
#include <QElapsedTimer>
#include <QLineEdit>
#include <QScrollBar>
#include <QSignalSpy>
#include <QtTest>

using namespace hloscope;

namespace {

struct Fixture {
    Workspace workspace;
    Selection selection{workspace};
    HloTextView view{workspace, selection};
    std::shared_ptr<const HloModule> module;

    bool open(const QString& path)
    {
        workspace.open(path);
        if (!QTest::qWaitFor([this] { return !workspace.isBusy() && !workspace.modules().empty(); }, 60'000))
            return false;
        module = workspace.modules()[0].module;
        view.resize(1100, 900);
        view.show();
        view.setFocus();
        selection.selectComputation(module, module->entry);
        return QTest::qWaitFor([this] { return view.isReady() && view.canvas()->document(); }, 60'000);
    }
    HloTextCanvas& canvas() { return *view.canvas(); }
    InstructionId id(const char* name) const { return module->findInstruction(name); }
    void click(QPoint point, Qt::KeyboardModifiers modifiers = Qt::NoModifier)
    {
        QTest::mouseClick(canvas().viewport(), Qt::LeftButton, modifiers, point);
    }
};

QString sharded()
{
    return testdata::path(QStringLiteral("corpus/transformer_sharded.v2-2x2/module.hlo"));
}

constexpr size_t kFusion32 = 574; // its line in the file, from 0

} // namespace

class TestHloTextView : public QObject {
    Q_OBJECT

private slots:
    void aSelectionElsewhereScrollsToTheOp()
    {
        Fixture f;
        QVERIFY(f.open(sharded()));
        f.selection.selectInstruction(f.module, f.id("fusion.32"));
        QCOMPARE(f.canvas().currentLine(), kFusion32);
        const auto place = f.canvas().placeOf(kFusion32, HloTokenKind::Name);
        QVERIFY(place && f.canvas().viewport()->rect().contains(*place));
    }

    void aClickOnALineSelectsItsOp()
    {
        Fixture f;
        QVERIFY(f.open(sharded()));
        f.selection.selectInstruction(f.module, f.id("fusion.32"));
        const int scroll = f.canvas().verticalScrollBar()->value();
        f.click(*f.canvas().placeOf(kFusion32 + 1, HloTokenKind::Shape));
        QCOMPARE(f.selection.state().instruction, f.id("convolution_bitcast_fusion.1"));
        QCOMPARE(f.canvas().verticalScrollBar()->value(), scroll); // what was clicked stays under the pointer
    }

    void aClickOnAnOperandSelectsThatOp()
    {
        Fixture f;
        QVERIFY(f.open(sharded()));
        f.selection.selectInstruction(f.module, f.id("fusion.32"));
        const int scroll = f.canvas().verticalScrollBar()->value();
        f.click(*f.canvas().placeOf(kFusion32, HloTokenKind::Operand));
        QCOMPARE(f.selection.state().instruction, f.id("fusion.44"));
        QCOMPARE(f.canvas().verticalScrollBar()->value(), scroll);
    }

    void controlClickGoesToTheDefinition()
    {
        Fixture f;
        QVERIFY(f.open(sharded()));
        // An inner op whose fusion is far away: the last convolution of the first fused computation that has one.
        const InstructionId inner = f.id("convolution-base-dilated.4");
        QVERIFY(inner.isValid());
        f.selection.selectInstruction(f.module, inner);
        const size_t line = f.canvas().currentLine();
        QVERIFY(line < 200);
        f.click(*f.canvas().placeOf(line, HloTokenKind::Operand, 1), Qt::ControlModifier);
        QCOMPARE(f.selection.state().instruction, f.id("divide_convert_fusion.2"));
        QCOMPARE(f.canvas().currentLine(), size_t(f.canvas().document()->lineOf(f.id("divide_convert_fusion.2"))));
    }

    void controlClickOnACalledComputationGoesThere()
    {
        Fixture f;
        QVERIFY(f.open(sharded()));
        f.view.resize(2400, 900);
        f.selection.selectInstruction(f.module, f.id("fusion.32"));
        QCoreApplication::processEvents();
        f.click(*f.canvas().placeOf(kFusion32, HloTokenKind::ComputationName), Qt::ControlModifier);
        const ComputationId called = f.module->findComputation("fused_computation.34");
        QCOMPARE(f.selection.state().computation, called);
        QVERIFY(!f.selection.state().instruction.isValid());
        QCOMPARE(f.canvas().currentLine(), size_t(f.canvas().document()->lineOf(called)));
    }

    void aChipOpensAndCloses()
    {
        Fixture f;
        QVERIFY(f.open(sharded()));
        const size_t line = f.canvas().document()->lineOf(f.id("get-tuple-element.3"));
        f.canvas().setCurrentLine(line);
        const InstructionId before = f.selection.state().instruction;
        const auto chip = f.canvas().placeOf(line, HloTokenKind::Fold);
        QVERIFY(chip);
        const auto fold = static_cast<uint32_t>(f.canvas().document()->line(line).find(", metadata"));
        QVERIFY(!f.canvas().isFoldOpen(line, fold));
        f.click(*chip);
        QVERIFY(f.canvas().isFoldOpen(line, fold));
        QCOMPARE(f.selection.state().instruction, before); // opening is no selection
        // The text that was folded is there now and can be hit: the value stands behind the chip.
        QVERIFY(f.canvas().placeOf(line, HloTokenKind::Value, 1));
        f.click(*f.canvas().placeOf(line, HloTokenKind::Fold));
        QVERIFY(!f.canvas().isFoldOpen(line, fold));
        QTest::keyClick(&f.canvas(), Qt::Key_Space);
        QVERIFY(f.canvas().isFoldOpen(line, fold));
    }

    void keysMoveTheCurrentLine()
    {
        Fixture f;
        QVERIFY(f.open(sharded()));
        f.selection.selectInstruction(f.module, f.id("fusion.32"));
        QTest::keyClick(&f.canvas(), Qt::Key_Down);
        QCOMPARE(f.canvas().currentLine(), kFusion32 + 1);
        QTRY_COMPARE(f.selection.state().instruction, f.id("convolution_bitcast_fusion.1"));
        QTest::keyClick(&f.canvas(), Qt::Key_Up);
        QTest::keyClick(&f.canvas(), Qt::Key_Up);
        QTRY_COMPARE(f.selection.state().instruction, f.id("fusion.7"));
        QTest::keyClick(&f.canvas(), Qt::Key_PageUp);
        QVERIFY(f.canvas().currentLine() < kFusion32 - 20);
        QTest::keyClick(&f.canvas(), Qt::Key_Home);
        QCOMPARE(f.canvas().currentLine(), size_t(0));
        QCOMPARE(f.canvas().verticalScrollBar()->value(), 0);
        QTest::keyClick(&f.canvas(), Qt::Key_End);
        QCOMPARE(f.canvas().currentLine(), f.canvas().document()->lineCount() - 1);
        QTest::keyClick(&f.canvas(), Qt::Key_PageUp);
        QVERIFY(f.canvas().currentLine() < f.canvas().document()->lineCount() - 20);
        QTest::keyClick(&f.canvas(), Qt::Key_Right);
        QVERIFY(f.canvas().horizontalScrollBar()->value() > 0);
        QTest::keyClick(&f.canvas(), Qt::Key_Left);
        QCOMPARE(f.canvas().horizontalScrollBar()->value(), 0);
    }

    // Keys that are held down make one choice, not one for every line on the way.
    void heldKeysChooseOnce()
    {
        Fixture f;
        QVERIFY(f.open(sharded()));
        f.selection.selectInstruction(f.module, f.id("fusion.42"));
        QSignalSpy changed(&f.selection, &Selection::changed);
        for (int i = 0; i < 7; ++i)
            QTest::keyClick(&f.canvas(), Qt::Key_Down);
        QTRY_COMPARE(f.selection.state().instruction, f.id("fusion.32"));
        QCOMPARE(changed.count(), 1);
    }

    void findWalksTheHits()
    {
        Fixture f;
        QVERIFY(f.open(sharded()));
        QTest::keyClick(&f.canvas(), Qt::Key_F, Qt::ControlModifier);
        QTRY_VERIFY(f.view.findField()->hasFocus() || QApplication::focusWidget() == f.view.findField());
        QTest::keyClicks(f.view.findField(), QStringLiteral("ALL-gather("));
        // grep -c 'all-gather(' in the file gives 4.
        QTRY_COMPARE(f.view.hitCount(), size_t(4));
        QTest::keyClick(f.view.findField(), Qt::Key_Return);
        const InstructionId first = f.selection.state().instruction;
        QVERIFY(first.isValid());
        QCOMPARE(f.module->instruction(first).opcode, Opcode::AllGather);
        QTest::keyClick(f.view.findField(), Qt::Key_Return);
        const InstructionId second = f.selection.state().instruction;
        QVERIFY(second.index() > first.index());
        QTest::keyClick(f.view.findField(), Qt::Key_Return, Qt::ShiftModifier);
        QCOMPARE(f.selection.state().instruction, first);
        QTest::keyClick(f.view.findField(), Qt::Key_Return, Qt::ShiftModifier); // around the start to the last
        QVERIFY(f.selection.state().instruction.index() > second.index());
        QTest::keyClick(f.view.findField(), Qt::Key_Escape);
        QTRY_COMPARE(f.view.hitCount(), size_t(0));
    }

    void aHitInAFoldOpensIt()
    {
        Fixture f;
        QVERIFY(f.open(sharded()));
        f.view.findField()->setText(QStringLiteral("EmitInputBatchInLanes"));
        QTRY_VERIFY(f.view.hitCount() > 0);
        f.view.findNext();
        const size_t line = f.canvas().currentLine();
        const auto fold = static_cast<uint32_t>(f.canvas().document()->line(line).find(", metadata"));
        QVERIFY(f.canvas().isFoldOpen(line, fold));
        QVERIFY(f.canvas().horizontalScrollBar()->value() > 0); // the hit is far to the right
    }

    void textIsSelectedAndCopied()
    {
        Fixture f;
        QVERIFY(f.open(sharded()));
        f.selection.selectInstruction(f.module, f.id("fusion.32"));
        QWidget* viewport = f.canvas().viewport();
        QTest::mouseDClick(viewport, Qt::LeftButton, {}, *f.canvas().placeOf(kFusion32, HloTokenKind::Layout));
        QCOMPARE(f.canvas().selectedText(), QStringLiteral("{2,3,1,0:T(8,128)(2,1)}"));
        QTest::keyClick(&f.canvas(), Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("{2,3,1,0:T(8,128)(2,1)}"));
        // Dragging over two lines takes the folded text along.
        const QPoint from = *f.canvas().placeOf(kFusion32 - 2, HloTokenKind::Name);
        const QPoint to = *f.canvas().placeOf(kFusion32 - 1, HloTokenKind::Name);
        QTest::mousePress(viewport, Qt::LeftButton, {}, from);
        QMouseEvent move(QEvent::MouseMove, to, viewport->mapToGlobal(to), Qt::NoButton, Qt::LeftButton, {});
        QApplication::sendEvent(viewport, &move);
        QTest::mouseRelease(viewport, Qt::LeftButton, {}, to);
        QVERIFY(f.canvas().selectedText().contains(QStringLiteral("metadata={op_name=")));
        QVERIFY(f.canvas().selectedText().contains(QLatin1Char('\n')));
        // Without a selection the whole line is copied.
        f.click(*f.canvas().placeOf(kFusion32, HloTokenKind::Shape));
        f.canvas().copy();
        QVERIFY(QApplication::clipboard()->text().startsWith(QStringLiteral("%fusion.32 = ")));
        QVERIFY(QApplication::clipboard()->text().endsWith(QLatin1Char('}')));
    }

    void hoverExplainsTokens_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<QStringList>("parts");
        QTest::newRow("layout") << static_cast<int>(HloTokenKind::Layout)
                                << QStringList{
                                       "{2,3,1,0:T(8,128)(2,1)}", "Dimension 2 runs fastest, along the 128 lanes.",
                                       "2 bf16 rows share one 32-bit word", "64 MiB, no padding", "Copy shape"};
        QTest::newRow("shape") << static_cast<int>(HloTokenKind::Shape)
                               << QStringList{"tiles of 8 × 128", "64 MiB, no padding"};
        QTest::newRow("opcode") << static_cast<int>(HloTokenKind::Opcode)
                                << QStringList{"fusion", "Several ops compiled as one", "kOutput"};
        QTest::newRow("operand") << static_cast<int>(HloTokenKind::Operand)
                                 << QStringList{"fusion.44", "Matrix product of all-gather and param.1.", "v_proj"};
        QTest::newRow("attribute") << static_cast<int>(HloTokenKind::Key)
                                   << QStringList{"kind", "how the fusion is built"};
        QTest::newRow("fold") << static_cast<int>(HloTokenKind::Fold)
                              << QStringList{"estimated_cycles", "2\u2009139\u2009691", "EmitInputBatchInLanes"};
    }

    void hoverExplainsTokens()
    {
        QFETCH(int, kind);
        QFETCH(QStringList, parts);
        Fixture f;
        QVERIFY(f.open(sharded()));
        f.view.resize(2400, 900);
        f.selection.selectInstruction(f.module, f.id("fusion.32"));
        QCoreApplication::processEvents();
        const auto place = f.canvas().placeOf(kFusion32, static_cast<HloTokenKind>(kind));
        QVERIFY(place);
        QVERIFY(!f.view.hoverCard()->isVisible());
        QTest::mouseMove(f.canvas().viewport(), *place + QPoint(1, 0));
        QTest::mouseMove(f.canvas().viewport(), *place);
        QTRY_VERIFY(f.view.hoverCard()->isVisible());
        QStringList said;
        for (const PanelText* text : f.view.hoverCard()->findChildren<PanelText*>()) {
            if (!text->isHidden())
                said << text->text();
        }
        for (const PanelLink* link : f.view.hoverCard()->findChildren<PanelLink*>())
            said << link->text();
        const QString all = said.join(QLatin1Char('\n'));
        for (const QString& part : parts)
            QVERIFY2(all.contains(part), qPrintable(part + QStringLiteral(" not in ") + all));
        QVERIFY(f.view.rect().contains(f.view.hoverCard()->geometry()));
    }

    void theCardLeadsToTheLayoutTab()
    {
        Fixture f;
        QVERIFY(f.open(sharded()));
        f.selection.selectInstruction(f.module, f.id("fusion.32"));
        QSignalSpy requested(&f.view, &HloTextView::layoutRequested);
        QTest::mouseMove(f.canvas().viewport(), *f.canvas().placeOf(kFusion32, HloTokenKind::Layout));
        QTRY_VERIFY(f.view.hoverCard()->isVisible());
        PanelLink* link = f.view.hoverCard()->findChildren<PanelLink*>().first();
        QTest::mouseClick(link, Qt::LeftButton);
        QCOMPARE(requested.count(), 1);
        QCOMPARE(requested[0][0].toString(), QStringLiteral("bf16[8,16,256,1024]{2,3,1,0:T(8,128)(2,1)}"));
        QVERIFY(!f.view.hoverCard()->isVisible());
    }

    void theBreadcrumbLeadsToTheComputation()
    {
        Fixture f;
        QVERIFY(f.open(sharded()));
        f.selection.selectInstruction(f.module, f.id("convolution-base-dilated.4"));
        PanelLink* crumb = nullptr;
        for (PanelLink* link : f.view.findChildren<PanelLink*>()) {
            if (link->text() == QStringLiteral("fused_computation.34"))
                crumb = link;
        }
        QVERIFY(crumb);
        QTest::mouseClick(crumb, Qt::LeftButton);
        QCOMPARE(f.canvas().currentLine(),
                 size_t(f.canvas().document()->lineOf(f.module->findComputation("fused_computation.34"))));
    }

    void nothingOpenIsReadyAndEmpty()
    {
        Workspace workspace;
        Selection selection(workspace);
        HloTextView view(workspace, selection);
        view.show();
        QVERIFY(view.isReady());
        QTest::keyClick(view.canvas(), Qt::Key_Down);
        QTest::mouseClick(view.canvas()->viewport(), Qt::LeftButton, {}, QPoint(50, 50));
        QCOMPARE(view.canvas()->currentLine(), size_t(0));
        QVERIFY(!view.canvas()->document());
    }

    // A frame touches the lines that are seen, whatever the size of the text, and a whole walk through 6 MB is quick.
    void aLargeModulePaintsOnlyWhatIsSeen()
    {
        const QString path = testdata::shared(QStringLiteral("corpus/lm_train_16_layers.v5e-4x4/module.hlo"));
        if (path.isEmpty())
            QSKIP("the shared corpus is not here");
        Fixture f;
        QVERIFY(f.open(path));
        QVERIFY(f.canvas().document()->text().size() > 6'000'000);
        QVERIFY(f.canvas().document()->lineCount() > 25'000);
        QScrollBar* bar = f.canvas().verticalScrollBar();
        QElapsedTimer clock;
        clock.start();
        constexpr int kFrames = 200;
        for (int i = 0; i < kFrames; ++i) {
            bar->setValue(static_cast<int>(static_cast<qint64>(bar->maximum()) * i / kFrames));
            f.canvas().viewport()->repaint();
            QVERIFY(f.canvas().paintedLines() <= static_cast<size_t>(f.canvas().viewport()->height() / 20 + 2));
        }
        const double perFrame = static_cast<double>(clock.elapsed()) / kFrames;
        qInfo("%.2f ms a frame", perFrame);
        QVERIFY2(perFrame < 150, "a frame must not depend on the size of the text"); // instrumented builds are slow
    }
};

QTEST_MAIN(TestHloTextView)
#include "tst_hlo_text_view.moc"
