// SPDX-License-Identifier: Apache-2.0
#include "views/common/theme.h"
#include "views/inspector/inspector.h"
#include "views/inspector/inspector_content.h"
#include "views/inspector/panel_widgets.h"

#include "../test_data.h"

#include <QApplication>
#include <QClipboard>
#include <QScrollArea>
#include <QScrollBar>
#include <QTemporaryDir>
#include <QtTest>

using namespace hloscope;

namespace {

PanelLink* linkOf(const QWidget& inspector, const QString& text)
{
    for (PanelLink* link : inspector.findChildren<PanelLink*>()) {
        if (link->text() == text)
            return link;
    }
    return nullptr;
}

} // namespace

class TestInspector : public QObject {
    Q_OBJECT

private:
    Workspace m_workspace;
    std::shared_ptr<const HloModule> m_module;

    InstructionId id(const char* name) const { return m_module->findInstruction(name); }

private slots:
    void initTestCase()
    {
        m_workspace.open(testdata::path(QStringLiteral("corpus/transformer_sharded.v2-2x2/module.hlo")));
        QTRY_VERIFY_WITH_TIMEOUT(!m_workspace.isBusy() && !m_workspace.modules().empty(), 30'000);
        m_module = m_workspace.modules()[0].module;
        QVERIFY(m_workspace.modules()[0].cost);
    }

    void cleanup()
    {
        ThemeManager::instance().setTextScale(100);
        ThemeManager::instance().setScheme(Theme::Scheme::Dark);
    }

    void nothingSelectedSaysSo()
    {
        Selection selection(m_workspace);
        Inspector inspector(m_workspace, selection);
        QVERIFY2(inspector.plainText().startsWith(QStringLiteral("Nothing is selected.")),
                 qPrintable(inspector.plainText()));
    }

    // The same facts that the mockup 04 shows of fusion.32.
    void anOpIsTakenApart()
    {
        Selection selection(m_workspace);
        Inspector inspector(m_workspace, selection);
        inspector.show();
        selection.selectInstruction(m_module, id("fusion.32"));
        const QString text = inspector.plainText();
        for (const char* part : {"fusion.32",
                                 "Matmul fusion, kind=kOutput",
                                 "jit(net) / layer_0 / attention / attend",
                                 "bf16[8,16,256,1024]",
                                 "{2,3,1,0:T(8,128)(2,1)}",
                                 "64 MiB, HBM, no padding",
                                 "1 matmul",
                                 "6 pointwise",
                                 "convert, multiply, subtract, exponential, divide, convert",
                                 "3.057 ms",
                                 "3.017 ms (98.7\u2009%)",
                                 "MXU",
                                 "69.39 GFLOP",
                                 "385 MiB",
                                 "171.9 FLOP/B",
                                 "fusion.44",
                                 "v_proj",
                                 "get-tuple-element.3",
                                 "256 MiB",
                                 "512 KiB",
                                 "convolution_bitcast_fusion.1",
                                 "fused_computation.34",
                                 "programs.py:44"})
            QVERIFY2(text.contains(QString::fromUtf8(part)) || QLatin1String(part) == QLatin1String("v_proj"), part);
    }

    void aClickOnAnOperandSelectsIt()
    {
        Selection selection(m_workspace);
        Inspector inspector(m_workspace, selection);
        inspector.resize(336, 1400);
        inspector.show();
        selection.selectInstruction(m_module, id("fusion.32"));
        PanelLink* link = linkOf(inspector, QStringLiteral("fusion.44"));
        QVERIFY(link);
        QTest::mouseClick(link, Qt::LeftButton);
        QCOMPARE(selection.state().instruction, id("fusion.44"));
        QVERIFY(inspector.plainText().startsWith(QStringLiteral("fusion.44")));
        // And from there the user leads back.
        QTest::mouseClick(linkOf(inspector, QStringLiteral("fusion.32")), Qt::LeftButton);
        QCOMPARE(selection.state().instruction, id("fusion.32"));
    }

    void theCalledComputationIsALink()
    {
        Selection selection(m_workspace);
        Inspector inspector(m_workspace, selection);
        inspector.show();
        selection.selectInstruction(m_module, id("fusion.32"));
        QTest::mouseClick(linkOf(inspector, QStringLiteral("fused_computation.34")), Qt::LeftButton);
        QVERIFY(!selection.state().instruction.isValid());
        QCOMPARE(selection.state().computation, m_module->findComputation("fused_computation.34"));
        QVERIFY(inspector.plainText().contains(QStringLiteral("Instructions")));
        QTest::mouseClick(linkOf(inspector, QStringLiteral("fusion.32")), Qt::LeftButton); // its caller
        QCOMPARE(selection.state().instruction, id("fusion.32"));
    }

    void linksAreReachedWithTab()
    {
        Selection selection(m_workspace);
        Inspector inspector(m_workspace, selection);
        inspector.resize(336, 300);
        inspector.show();
        selection.selectInstruction(m_module, id("fusion.32"));
        QVERIFY(QTest::qWaitForWindowExposed(&inspector));
        inspector.activateWindow();
        linkOf(inspector, QStringLiteral("fusion.44"))->setFocus();
        QTest::keyClick(linkOf(inspector, QStringLiteral("fusion.44")), Qt::Key_Tab);
        PanelLink* second = linkOf(inspector, QStringLiteral("get-tuple-element.3"));
        QTRY_VERIFY(inspector.focusWidget() == second);
        // The panel scrolls so that the focus is seen.
        const auto* area = inspector.findChild<QScrollArea*>();
        QTRY_VERIFY(
            area->viewport()->rect().intersects(QRect(second->mapTo(area->viewport(), QPoint(0, 0)), second->size())));
        QTest::keyClick(second, Qt::Key_Return);
        QCOMPARE(selection.state().instruction, id("get-tuple-element.3"));
    }

    void longListsOpenOnDemand()
    {
        const std::string text = [] {
            std::string lines =
                "HloModule many\n\nENTRY %main (p: f32[8]) -> f32[8] {\n  %p = f32[8]{0} parameter(0)\n";
            for (int i = 0; i < 40; ++i)
                lines += "  %neg." + std::to_string(i) + " = f32[8]{0} negate(%p)\n";
            return lines + "  ROOT %r = f32[8]{0} add(%neg.0, %neg.1)\n}\n";
        }();
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("many.hlo"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text.data(), static_cast<qint64>(text.size())) > 0);
        file.close();
        Workspace workspace;
        workspace.open(path);
        QTRY_VERIFY_WITH_TIMEOUT(!workspace.isBusy() && !workspace.modules().empty(), 30'000);
        Selection selection(workspace);
        Inspector inspector(workspace, selection);
        inspector.show();
        const auto module = workspace.modules()[0].module;
        selection.selectInstruction(module, module->findInstruction("p"));
        QVERIFY(!linkOf(inspector, QStringLiteral("neg.30")));
        PanelLink* more = linkOf(inspector, QStringLiteral("+28 more")); // 12 of 40 are shown
        QVERIFY(more);
        QTest::mouseClick(more, Qt::LeftButton);
        QTRY_VERIFY(linkOf(inspector, QStringLiteral("neg.30")));
    }

    void theSourceLineIsShownWhenTheFileIsHere()
    {
        QTemporaryDir folder;
        QFile source(folder.filePath(QStringLiteral("model.py")));
        QVERIFY(source.open(QIODevice::WriteOnly));
        source.write("import jax\n\n    y = jnp.exp(x)  # the line\n");
        source.close();
        QCOMPARE(sourceLineText(source.fileName(), 3, {}), QStringLiteral("y = jnp.exp(x)  # the line"));
        QCOMPARE(sourceLineText(QStringLiteral("model.py"), 1, folder.filePath(QStringLiteral("module.hlo"))),
                 QStringLiteral("import jax"));
        QCOMPARE(sourceLineText(source.fileName(), 4, {}), QString());
        QCOMPARE(sourceLineText(source.fileName(), 0, {}), QString());
        QCOMPARE(sourceLineText(folder.path(), 1, {}), QString()); // a folder
        QCOMPARE(sourceLineText(QStringLiteral("/no/such/file.py"), 1, {}), QString());
    }

    void textCanBeSelectedAndCopied()
    {
        Selection selection(m_workspace);
        Inspector inspector(m_workspace, selection);
        inspector.resize(336, 900);
        inspector.show();
        selection.selectInstruction(m_module, id("fusion.32"));
        PanelText* shape = nullptr;
        for (PanelText* text : inspector.findChildren<PanelText*>()) {
            if (text->text() == QStringLiteral("{2,3,1,0:T(8,128)(2,1)}"))
                shape = text;
        }
        QVERIFY(shape);
        QTest::mouseClick(shape, Qt::LeftButton, {}, QPoint(5, 8));
        QTest::keyClick(shape, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClick(shape, Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("{2,3,1,0:T(8,128)(2,1)}")); // no break marks in it
        QTest::keyClick(linkOf(inspector, QStringLiteral("fusion.44")), Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("fusion.44"));
        QTest::keyClick(&inspector, Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QApplication::clipboard()->text(), inspector.plainText());
    }

    void draggingSelectsAPart()
    {
        PanelText text(QStringLiteral("one two three"));
        text.resize(text.sizeHint());
        text.show();
        const int y = text.height() / 2;
        QTest::mousePress(&text, Qt::LeftButton, {}, QPoint(0, y));
        QMouseEvent move(QEvent::MouseMove, QPoint(text.width(), y), text.mapToGlobal(QPoint(text.width(), y)),
                         Qt::NoButton, Qt::LeftButton, {});
        QApplication::sendEvent(&text, &move);
        QTest::mouseRelease(&text, Qt::LeftButton, {}, QPoint(text.width(), y));
        QCOMPARE(text.selectedText(), QStringLiteral("one two three"));
        QTest::mouseDClick(&text, Qt::LeftButton, {}, QPoint(2, y));
        QCOMPARE(text.selectedText(), QStringLiteral("one"));
    }

    void anEventOfAProfileIsShown()
    {
        TraceBuilder builder;
        const PlaneId plane = builder.addPlane("/host:CPU");
        const TrackId track = builder.addTrack(plane, "python");
        EventKind outer;
        outer.name = "train_step";
        EventKind inner;
        inner.name = "dispatch";
        const EventKindId outerKind = builder.addKind(outer);
        const EventKindId innerKind = builder.addKind(inner);
        builder.addEvent(track, outerKind, 1'000'000, 5'000'000);
        builder.addEvent(track, innerKind, 2'000'000, 3'000'000);
        const auto trace = std::move(builder).build();
        Selection selection(m_workspace);
        Inspector inspector(m_workspace, selection);
        inspector.show();
        selection.selectEvent(trace, EventId(0));
        const QString text = inspector.plainText();
        // 5 us less the 3 us of the event inside
        for (const char* part :
             {"train_step", "/host:CPU / python", "Begin\n1.000 µs", "Duration\n5.000 µs", "Self\n2.000 µs"})
            QVERIFY2(text.contains(QString::fromUtf8(part)),
                     qPrintable(QString::fromUtf8(part) + QStringLiteral(" not in ") + text));
    }

    // No word is cut off and nothing scrolls sideways: at the panel's width, at the narrowest, and with large text.
    void nothingIsClipped_data()
    {
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("scale");
        QTest::newRow("as in the mockup") << 336 << 100;
        QTest::newRow("large text") << 336 << 150;
        QTest::newRow("narrowest, large text") << 240 << 150;
    }

    void nothingIsClipped()
    {
        QFETCH(int, width);
        QFETCH(int, scale);
        ThemeManager::instance().setTextScale(scale);
        Selection selection(m_workspace);
        Inspector inspector(m_workspace, selection);
        inspector.resize(width, 900);
        inspector.show();
        for (const char* op :
             {"fusion.32", "fusion.1", "fusion.6", "add.25", "param.1", "convolution-base-dilated.4"}) {
            selection.selectInstruction(m_module, id(op));
            QCoreApplication::processEvents();
            const auto* area = inspector.findChild<QScrollArea*>();
            QVERIFY(area->widget()->width() <= area->viewport()->width());
            for (const PanelText* text : inspector.findChildren<PanelText*>()) {
                if (!text->isVisible())
                    continue;
                QVERIFY2(text->heightForWidth(text->width()) <= text->height(), qPrintable(text->text()));
                const QRect place(text->mapTo(&inspector, QPoint(0, 0)), text->size());
                QVERIFY2(place.left() >= 0 && place.right() <= width, qPrintable(text->text()));
            }
        }
    }

    void themesAreFollowed()
    {
        Selection selection(m_workspace);
        Inspector inspector(m_workspace, selection);
        inspector.resize(336, 600);
        inspector.show();
        selection.selectInstruction(m_module, id("fusion.32"));
        ThemeManager::instance().setScheme(Theme::Scheme::Light);
        QCoreApplication::processEvents();
        QCOMPARE(inspector.grab().toImage().pixelColor(3, 5), Theme::light().panel);
        ThemeManager::instance().setScheme(Theme::Scheme::Dark);
        QCoreApplication::processEvents();
        QCOMPARE(inspector.grab().toImage().pixelColor(3, 5), Theme::dark().panel);
    }
};

QTEST_MAIN(TestInspector)
#include "tst_inspector.moc"
