// SPDX-License-Identifier: Apache-2.0
#include "views/common/notice_bar.h"
#include "views/common/segmented_control.h"
#include "views/common/selection.h"
#include "views/common/theme.h"
#include "views/common/workspace.h"
#include "views/graph/graph_canvas.h"
#include "views/graph/graph_layout_client.h"
#include "views/graph/graph_minimap.h"
#include "views/graph/graph_view.h"

#include <QHelpEvent>
#include <QImage>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QToolButton>
#include <QToolTip>
#include <QWheelEvent>
#include <QtTest>

#include <cstdlib>

using namespace hloscope;

namespace {

QPoint centreOf(const GraphCanvas& canvas, size_t node)
{
    return canvas.nodeOnScreen(node).center().toPoint();
}

void wheel(QWidget* target, QPointF at, int notches, Qt::KeyboardModifiers modifiers = Qt::NoModifier)
{
    QWheelEvent event(at, target->mapToGlobal(at), QPoint(), QPoint(0, notches * 120), Qt::NoButton, modifiers,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(target, &event);
}

void drag(QWidget* target, QPoint from, QPoint to)
{
    QTest::mousePress(target, Qt::LeftButton, Qt::NoModifier, from);
    for (const QPoint point : {from + (to - from) / 3, from + (to - from) / 3 * 2, to}) {
        QMouseEvent move(QEvent::MouseMove, point, target->mapToGlobal(point), Qt::NoButton, Qt::LeftButton,
                         Qt::NoModifier);
        QApplication::sendEvent(target, &move);
    }
    QTest::mouseRelease(target, Qt::LeftButton, Qt::NoModifier, to);
}

} // namespace

// On the bundled sample transformer_sharded.v2-2x2: an entry of 47 ops, with fusions. What its ops are and how they
// hang together is read off the text of the file.
class TestGraphView : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<Workspace> m_workspace;
    std::unique_ptr<Selection> m_selection;
    std::unique_ptr<GraphView> m_view;
    std::shared_ptr<const HloModule> m_module;

    GraphCanvas& canvas() const { return *m_view->canvas(); }
    InstructionId op(const char* name) const { return m_module->findInstruction(name); }
    size_t nodeOf(const char* name) const { return canvas().picture().nodeOf(op(name)).value_or(SIZE_MAX); }
    void select(const char* name)
    {
        m_selection->selectInstruction(m_module, op(name));
        QTRY_VERIFY(m_view->isReady());
    }
    size_t instructionsShown() const { return canvas().picture().scene.instructionsShown; }
    QStringList breadcrumb() const
    {
        QStringList texts;
        for (QWidget* widget : m_view->findChildren<QWidget*>()) {
            if (widget->isHidden() || !widget->parentWidget() || widget->parentWidget()->objectName() != "breadcrumb")
                continue;
            if (const auto* link = qobject_cast<QPushButton*>(widget))
                texts << link->text();
            else if (const auto* label = qobject_cast<QLabel*>(widget); label && label->text() != QStringLiteral("›"))
                texts << label->text();
        }
        return texts;
    }

private slots:
    void initTestCase() { ThemeManager::instance().install(); }

    void init()
    {
        ThemeManager::instance().setScheme(Theme::Scheme::Dark);
        m_workspace = std::make_unique<Workspace>();
        m_selection = std::make_unique<Selection>(*m_workspace);
        m_view = std::make_unique<GraphView>(*m_workspace, *m_selection);
        m_view->resize(1000, 800);
        m_view->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_view.get()));
        m_workspace->open(QStringLiteral(HLOSCOPE_SOURCE_DIR "/resources/samples/transformer_sharded.v2-2x2.hlo"));
        QTRY_VERIFY_WITH_TIMEOUT(!m_workspace->isBusy() && !m_workspace->modules().empty(), 20000);
        m_module = m_workspace->modules().front().module;
        m_selection->selectComputation(m_module, m_module->entry);
        QTRY_VERIFY(m_view->isReady());
    }

    void cleanup()
    {
        m_view.reset();
        m_selection.reset();
        m_workspace.reset();
        m_module.reset();
    }

    void saysWhatWouldBeHereWhenNothingIsOpen()
    {
        Workspace workspace;
        Selection selection(workspace);
        GraphView view(workspace, selection);
        view.resize(600, 400);
        view.show();
        QVERIFY(view.isReady());
        QVERIFY(!view.canvas()->isVisible());
        bool isSaid = false;
        for (const QLabel* label : view.findChildren<QLabel*>())
            isSaid = isSaid || (label->isVisible() && label->text().contains(QStringLiteral("Open")));
        QVERIFY(isSaid);
    }

    void showsTheEntryFirst()
    {
        QCOMPARE(instructionsShown(), size_t(47));
        QCOMPARE(canvas().scale(), 1.0);
        QVERIFY(!canvas().selected());
        // Not a piece of nothing: some node is in sight.
        bool isAnyVisible = false;
        for (size_t node = 0; node < canvas().picture().rects.size(); ++node)
            isAnyVisible = isAnyVisible || canvas().rect().contains(centreOf(canvas(), node));
        QVERIFY(isAnyVisible);
    }

    void showsTheNeighbourhoodOfTheSelection()
    {
        select("fusion.32");
        QCOMPARE(canvas().selected(), canvas().picture().nodeOf(op("fusion.32")));
        QCOMPARE(canvas().scale(), 1.0);
        for (InstructionId operand : m_module->operands(op("fusion.32")))
            QVERIFY(canvas().picture().nodeOf(operand));
        for (InstructionId user : m_module->users(op("fusion.32")))
            QVERIFY(canvas().picture().nodeOf(user));
        QVERIFY(instructionsShown() < 47);
        // In the middle.
        const QPoint off = centreOf(canvas(), *canvas().selected()) - canvas().rect().center();
        QVERIFY2(off.manhattanLength() <= 4, qPrintable(QStringLiteral("%1 %2").arg(off.x()).arg(off.y())));
    }

    void writesNameTimeAndScope()
    {
        select("fusion.32");
        const GraphNodeLook& look = canvas().picture().looks[*canvas().selected()];
        QCOMPARE(look.title, QStringLiteral("fusion.32"));
        // 2139691 cycles (its estimated_cycles) at 700 MHz.
        QCOMPARE(look.detail, QStringLiteral("3.057 ms"));
        QVERIFY2(look.subtitle.contains(QStringLiteral("attend")), qPrintable(look.subtitle));
        QCOMPARE(look.category, OpCategory::Matmul);
    }

    void clickSelects()
    {
        select("fusion.32");
        const InstructionId operand = m_module->operands(op("fusion.32")).front();
        const size_t node = *canvas().picture().nodeOf(operand);
        canvas().ensureVisible(node);
        const QPoint place = centreOf(canvas(), node);
        QSignalSpy changed(m_selection.get(), &Selection::changed);
        QTest::mouseClick(&canvas(), Qt::LeftButton, Qt::NoModifier, place);
        QCOMPARE(changed.count(), 1);
        QCOMPARE(m_selection->state().instruction, operand);
        QTRY_VERIFY(m_view->isReady());
        QCOMPARE(canvas().selected(), canvas().picture().nodeOf(operand));
        // The picture is another one now, but the op that was clicked is still under the pointer.
        const QPoint moved = centreOf(canvas(), *canvas().selected()) - place;
        QVERIFY2(moved.manhattanLength() <= 3, qPrintable(QStringLiteral("%1 %2").arg(moved.x()).arg(moved.y())));
    }

    void clickBesideNodesSelectsNothing()
    {
        select("fusion.32");
        QSignalSpy changed(m_selection.get(), &Selection::changed);
        const QPoint corner(canvas().width() - 4, canvas().height() - 4);
        QVERIFY(!canvas().picture().nodeAt(canvas().toPicture(corner)));
        QTest::mouseClick(&canvas(), Qt::LeftButton, Qt::NoModifier, corner);
        QCOMPARE(changed.count(), 0);
    }

    void doubleClickGoesIntoAFusion()
    {
        select("fusion.32");
        QTest::mouseDClick(&canvas(), Qt::LeftButton, Qt::NoModifier, centreOf(canvas(), *canvas().selected()));
        QTRY_VERIFY(m_view->isReady());
        const ComputationId inner = m_module->called(op("fusion.32")).front();
        QCOMPARE(m_selection->state().computation, inner);
        QCOMPARE(canvas().picture().scene.computation, inner);
        QCOMPARE(instructionsShown(), size_t(m_module->computation(inner).instructions.count));
        QCOMPARE(breadcrumb(), QStringList({"main.0_spmd", "fusion.32", "fused_computation.34"}));
        QTest::keyClick(&canvas(), Qt::Key_Backspace);
        QCOMPARE(m_selection->state().instruction, op("fusion.32"));
    }

    void enterGoesIntoAFusion()
    {
        select("fusion.32");
        QTest::keyClick(&canvas(), Qt::Key_Return);
        QCOMPARE(m_selection->state().computation, m_module->called(op("fusion.32")).front());
    }

    void breadcrumbLeadsBack()
    {
        select("fusion.32");
        QCOMPARE(breadcrumb(), QStringList({"main.0_spmd", "fusion.32"}));
        for (QPushButton* link : m_view->findChildren<QPushButton*>()) {
            if (link->isVisible() && link->text() == "main.0_spmd") {
                QTest::mouseClick(link, Qt::LeftButton);
                break;
            }
        }
        QVERIFY(!m_selection->state().instruction.isValid());
        QCOMPARE(m_selection->state().computation, m_module->entry);
        QTRY_VERIFY(m_view->isReady());
        QCOMPARE(instructionsShown(), size_t(47));
    }

    void modeShowsTheWholeComputation()
    {
        select("fusion.32");
        const QPoint before = centreOf(canvas(), *canvas().selected());
        auto* control = m_view->findChild<SegmentedControl*>();
        QVERIFY(control);
        const auto buttons = control->findChildren<QToolButton*>();
        QTest::mouseClick(buttons.at(1), Qt::LeftButton);
        QCOMPARE(m_view->mode(), GraphView::Mode::Computation);
        QTRY_VERIFY(m_view->isReady());
        QCOMPARE(instructionsShown(), size_t(47));
        QVERIFY((centreOf(canvas(), *canvas().selected()) - before).manhattanLength() <= 3);
        // Another op of the same picture: no new layout, and it comes into sight.
        const QSizeF size = canvas().picture().size;
        m_selection->selectInstruction(m_module, m_module->entryComputation().root);
        QVERIFY(m_view->isReady());
        QCOMPARE(canvas().picture().size, size);
        QVERIFY(canvas().rect().contains(centreOf(canvas(), *canvas().selected())));
        QTest::mouseClick(buttons.at(0), Qt::LeftButton);
        QTRY_VERIFY(m_view->isReady());
        QVERIFY(instructionsShown() < 47);
    }

    void radiusWidensTheNeighbourhood()
    {
        select("fusion.32");
        const size_t before = instructionsShown();
        auto* box = m_view->findChild<QSpinBox*>();
        QTest::keyClick(box, Qt::Key_Up);
        QCOMPARE(m_view->radius(), 3);
        QTRY_VERIFY(m_view->isReady());
        QVERIFY(instructionsShown() > before);
        QTest::keyClick(box, Qt::Key_Down);
        QTest::keyClick(box, Qt::Key_Down);
        QTest::keyClick(box, Qt::Key_Down); // not below 1
        QCOMPARE(m_view->radius(), 1);
        QTRY_VERIFY(m_view->isReady());
        // The op itself, its operands and its users.
        QCOMPARE(instructionsShown(),
                 1 + m_module->operands(op("fusion.32")).size() + m_module->users(op("fusion.32")).size());
    }

    void wheelZoomsAtThePointer_data()
    {
        QTest::addColumn<int>("notches");
        QTest::addColumn<Qt::KeyboardModifiers>("modifiers");
        QTest::newRow("in") << 2 << Qt::KeyboardModifiers(Qt::NoModifier);
        QTest::newRow("out") << -3 << Qt::KeyboardModifiers(Qt::NoModifier);
        QTest::newRow("in with Ctrl") << 1 << Qt::KeyboardModifiers(Qt::ControlModifier);
    }

    void wheelZoomsAtThePointer()
    {
        QFETCH(int, notches);
        QFETCH(Qt::KeyboardModifiers, modifiers);
        select("fusion.32");
        const QPointF pointer(310, 270);
        const QPointF before = canvas().toPicture(pointer);
        wheel(&canvas(), pointer, notches, modifiers);
        QVERIFY(qAbs(canvas().scale() - std::pow(1.25, notches)) < 1e-9);
        const QPointF moved = (canvas().toPicture(pointer) - before) * canvas().scale();
        QVERIFY2(moved.manhattanLength() <= 1.5, qPrintable(QStringLiteral("%1 %2").arg(moved.x()).arg(moved.y())));
    }

    void zoomHasLimits()
    {
        for (int i = 0; i < 40; ++i)
            wheel(&canvas(), {100, 100}, 3);
        QCOMPARE(canvas().scale(), GraphCanvas::kMaxScale);
        for (int i = 0; i < 60; ++i)
            wheel(&canvas(), {100, 100}, -3);
        QCOMPARE(canvas().scale(), GraphCanvas::kMinScale);
    }

    void dragPans()
    {
        select("fusion.32");
        const QPointF before = canvas().nodeOnScreen(*canvas().selected()).center();
        QSignalSpy changed(m_selection.get(), &Selection::changed);
        drag(&canvas(), before.toPoint(), before.toPoint() + QPoint(90, -60)); // begins on a node: still no click
        const QPointF after = canvas().nodeOnScreen(*canvas().selected()).center();
        QVERIFY(((after - before) - QPointF(90, -60)).manhattanLength() <= 2);
        QCOMPARE(changed.count(), 0);
    }

    void keysPanAndZoom_data()
    {
        QTest::addColumn<int>("key");
        QTest::addColumn<QPointF>("move"); // of the picture on the screen
        QTest::addColumn<double>("scale");
        QTest::newRow("left") << int(Qt::Key_Left) << QPointF(48, 0) << 1.0;
        QTest::newRow("right") << int(Qt::Key_Right) << QPointF(-48, 0) << 1.0;
        QTest::newRow("up") << int(Qt::Key_Up) << QPointF(0, 48) << 1.0;
        QTest::newRow("down") << int(Qt::Key_Down) << QPointF(0, -48) << 1.0;
        QTest::newRow("A") << int(Qt::Key_A) << QPointF(48, 0) << 1.0;
        QTest::newRow("D") << int(Qt::Key_D) << QPointF(-48, 0) << 1.0;
        QTest::newRow("W") << int(Qt::Key_W) << QPointF(0, 0) << 1.25;
        QTest::newRow("S") << int(Qt::Key_S) << QPointF(0, 0) << 0.8;
    }

    void keysPanAndZoom()
    {
        QFETCH(int, key);
        QFETCH(QPointF, move);
        QFETCH(double, scale);
        select("fusion.32"); // its centre is the middle, about which the keys zoom
        const QPointF before = canvas().nodeOnScreen(*canvas().selected()).center();
        QTest::keyClick(&canvas(), static_cast<Qt::Key>(key));
        QCOMPARE(canvas().scale(), scale);
        const QPointF moved = canvas().nodeOnScreen(*canvas().selected()).center() - before;
        QVERIFY2((moved - move).manhattanLength() <= 3,
                 qPrintable(QStringLiteral("%1 %2").arg(moved.x()).arg(moved.y())));
        QTest::keyClick(&canvas(), Qt::Key_0);
        QCOMPARE(canvas().scale(), 1.0);
    }

    void showsEverythingOnDemand()
    {
        select("fusion.32");
        QTest::keyClick(&canvas(), Qt::Key_F, Qt::ShiftModifier);
        for (size_t node = 0; node < canvas().picture().rects.size(); ++node)
            QVERIFY(QRectF(canvas().rect()).contains(canvas().nodeOnScreen(node)));
        wheel(&canvas(), {5, 5}, 8);
        QTest::keyClick(&canvas(), Qt::Key_F);
        const QPoint off = centreOf(canvas(), *canvas().selected()) - canvas().rect().center();
        QVERIFY(off.manhattanLength() <= 4);
    }

    void minimapMovesTheView()
    {
        auto* map = canvas().findChild<GraphMinimap*>();
        QVERIFY(map);
        QVERIFY(map->isVisible()); // the entry is higher than the view
        QVERIFY(canvas().rect().contains(map->geometry()));
        QTest::mouseClick(map, Qt::LeftButton, Qt::NoModifier, QPoint(map->width() / 2, map->height() - 8));
        const QSizeF size = canvas().picture().size;
        const QPointF shown = canvas().toPicture(QPointF(canvas().width(), canvas().height()) / 2);
        // 8 px above the lower edge, 6 of which are margin: 2 px of a map whose content is height - 12.
        const double expected = size.height() * (1 - 2.0 / (map->height() - 12));
        QVERIFY2(qAbs(shown.y() - expected) < size.height() / (map->height() - 12) + 2,
                 qPrintable(QStringLiteral("%1 instead of %2").arg(shown.y()).arg(expected)));
        QTest::keyClick(&canvas(), Qt::Key_F, Qt::ShiftModifier);
        QVERIFY(!map->isVisible());
    }

    void hoverTellsNameAndShape()
    {
        select("fusion.32");
        const QPoint place = centreOf(canvas(), *canvas().selected());
        QHelpEvent help(QEvent::ToolTip, place, canvas().mapToGlobal(place));
        QApplication::sendEvent(&canvas(), &help);
        const QString text = QToolTip::text();
        QVERIFY2(text.startsWith(QStringLiteral("fusion.32\nbf16[8,16,256,1024]{2,3,1,0:T(8,128)(2,1)}")),
                 qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("jit(net)")), qPrintable(text));
        QToolTip::hideText();
    }

    void hoverOutlinesTheNode()
    {
        select("fusion.32");
        const size_t node = *canvas().picture().nodeOf(m_module->operands(op("fusion.32")).front());
        canvas().ensureVisible(node);
        const QPoint edge = canvas().nodeOnScreen(node).toRect().topLeft() + QPoint(30, 0);
        const QColor before = canvas().grab().toImage().pixelColor(edge);
        QTest::mouseMove(&canvas(), centreOf(canvas(), node));
        QTRY_VERIFY(canvas().grab().toImage().pixelColor(edge) != before);
    }

    void paintsSelectionAndCategory()
    {
        select("fusion.32");
        const QImage image = canvas().grab().toImage();
        const QRect rect = canvas().nodeOnScreen(*canvas().selected()).toRect();
        QCOMPARE(image.pixelColor(rect.left() + 3, rect.center().y()), theme().fillOf(OpCategory::Matmul));
        QCOMPARE(image.pixelColor(rect.center().x(), rect.top()), theme().text);
        QCOMPARE(image.pixelColor(rect.left() + 10, rect.bottom() - 4), theme().raised);
    }

    // Operand edges in the accent, edges to users in text colour, seen in the pixels of the arrows.
    void paintsEdgesOfTheSelection()
    {
        select("fusion.32");
        const QImage image = canvas().grab().toImage();
        // The rim of an arrow is smoothed into its ground: a few steps of 255 away from the pure colour.
        const auto isNear = [](const QColor& pixel, const QColor& colour) {
            return std::abs(pixel.red() - colour.red()) <= 4 && std::abs(pixel.green() - colour.green()) <= 4
                && std::abs(pixel.blue() - colour.blue()) <= 4;
        };
        const GraphPicture& picture = canvas().picture();
        int operands = 0;
        int users = 0;
        for (size_t e = 0; e < picture.paths.size(); ++e) {
            const QPainterPath& path = picture.paths[e];
            const QPoint arrow = canvas().toScreen(path.pointAtPercent(1)).toPoint() - QPoint(0, 4);
            if (!image.rect().contains(arrow))
                continue;
            if (picture.scene.edges[e].to == *canvas().selected()) {
                QVERIFY(isNear(image.pixelColor(arrow), theme().accent));
                ++operands;
            } else if (picture.scene.edges[e].from == *canvas().selected()) {
                QVERIFY(isNear(image.pixelColor(arrow), theme().text));
                ++users;
            }
        }
        QVERIFY(operands >= 2);
        QVERIFY(users >= 1);
    }

    void farAwayNodesAreBlocks()
    {
        select("fusion.32");
        canvas().setScale(0.2, canvas().rect().center());
        const QRect rect = canvas().nodeOnScreen(*canvas().selected()).toRect();
        QCOMPARE(canvas().grab().toImage().pixelColor(rect.center()), theme().fillOf(OpCategory::Matmul));
    }

    void followsTheTheme()
    {
        select("fusion.32");
        ThemeManager::instance().setScheme(Theme::Scheme::Light);
        QTRY_VERIFY(m_view->isReady());
        QCOMPARE(canvas().grab().toImage().pixelColor(canvas().width() - 5, 5), Theme::light().view);
    }

    void stubLeadsToWhatItHides()
    {
        m_view->setRadius(1);
        select("fusion.32");
        const GraphPicture& picture = canvas().picture();
        size_t stub = 0;
        while (stub < picture.looks.size() && !picture.isStub(stub))
            ++stub;
        QVERIFY(stub < picture.looks.size());
        const InstructionId owner = picture.scene.nodes[stub].instruction;
        canvas().centreOn(stub);
        QTest::mouseClick(&canvas(), Qt::LeftButton, Qt::NoModifier, centreOf(canvas(), stub));
        QCOMPARE(m_selection->state().instruction, owner);
        QTRY_VERIFY(m_view->isReady());
        for (InstructionId operand : m_module->operands(owner))
            QVERIFY(canvas().picture().nodeOf(operand));
    }

    void saysWhenTheHelperIsMissing()
    {
        m_view->layoutClient()->setHelper(QStringLiteral("/nonexistent/helper"));
        m_view->layoutClient()->cancel();
        m_view->setRadius(4);
        select("fusion.32");
        QTRY_VERIFY(m_view->isReady());
        QVERIFY(canvas().selected());
        QTRY_COMPARE(m_view->notices()->rows().size(), size_t(1));
        QVERIFY(m_view->notices()->rows().front()->text().contains(QStringLiteral("/nonexistent/helper")));
    }

    void exportsTheWholePictureWhenItFits()
    {
        m_view->setRadius(1);
        select("fusion.32");
        QImage image(m_view->size(), QImage::Format_ARGB32_Premultiplied);
        image.fill(Qt::magenta);
        QPainter painter(&image);
        m_view->exportTo(painter);
        painter.end();
        const auto [scale, origin] = canvas().fitting(m_view->size());
        for (size_t node = 0; node < canvas().picture().rects.size(); ++node) {
            const QRectF rect = canvas().picture().rects[node];
            const QPointF topLeft = (rect.topLeft() - origin) * scale;
            QVERIFY(QRectF(image.rect()).contains(QRectF(topLeft, rect.size() * scale)));
        }
        QCOMPARE(image.pixelColor(2, 2), theme().view);
        const QRectF rect = canvas().picture().rects[*canvas().selected()];
        const QPointF band = (rect.topLeft() + QPointF(3, rect.height() / 2) - origin) * scale;
        QCOMPARE(image.pixelColor(band.toPoint()), theme().fillOf(OpCategory::Matmul));
    }

    void closingEmptiesTheView()
    {
        select("fusion.32");
        m_workspace->closeAll();
        QTRY_VERIFY(!canvas().isVisible());
        QVERIFY(canvas().picture().isEmpty());
        QVERIFY(m_view->isReady());
    }
};

QTEST_MAIN(TestGraphView)
#include "tst_graph_view.moc"
