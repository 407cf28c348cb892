// SPDX-License-Identifier: Apache-2.0
#include "views/common/theme.h"

#include "colour_math.h"

#include <QApplication>
#include <QSignalSpy>
#include <QtTest>

#include <limits>
#include <string_view>

using namespace hloscope;
using namespace colourmath;

Q_DECLARE_METATYPE(colourmath::Vision)

namespace {

std::vector<std::pair<const char*, const Theme*>> schemes()
{
    return {{"dark", &Theme::dark()}, {"light", &Theme::light()}};
}

} // namespace

class TestTheme : public QObject {
    Q_OBJECT

private slots:
    // Pairs 1, 7, 17, 25 and 34 of the test data of Sharma, Wu and Dalal 2005.
    void ciede2000AgreesWithPublishedPairs_data()
    {
        QTest::addColumn<QList<double>>("lab");
        QTest::addColumn<double>("difference");
        QTest::newRow("1") << QList<double>{50, 2.6772, -79.7751, 50, 0, -82.7485} << 2.0425;
        QTest::newRow("7") << QList<double>{50, 0, 0, 50, -1, 2} << 2.3669;
        QTest::newRow("17") << QList<double>{50, 2.5, 0, 73, 25, -18} << 27.1492;
        QTest::newRow("25") << QList<double>{60.2574, -34.0099, 36.2677, 60.4626, -34.1751, 39.4387} << 1.2644;
        QTest::newRow("34") << QList<double>{2.0776, 0.0795, -1.1350, 0.9033, -0.0636, -0.5514} << 0.9082;
    }
    void ciede2000AgreesWithPublishedPairs()
    {
        QFETCH(QList<double>, lab);
        QFETCH(double, difference);
        const double got = ciede2000({lab[0], lab[1], lab[2]}, {lab[3], lab[4], lab[5]});
        QVERIFY2(std::abs(got - difference) < 0.00005, qPrintable(QString::number(got)));
    }

    void categoriesKeepTheirDistance_data()
    {
        QTest::addColumn<Vision>("vision");
        QTest::addColumn<double>("documented"); // smallest pair as style.md gives it
        QTest::newRow("normal") << Vision::Normal << 17.7;
        QTest::newRow("deuteranopia") << Vision::Deuteranopia << 13.0;
        QTest::newRow("protanopia") << Vision::Protanopia << 12.9;
    }
    void categoriesKeepTheirDistance()
    {
        QFETCH(Vision, vision);
        QFETCH(double, documented);
        double smallest = std::numeric_limits<double>::max();
        const Theme& theme = Theme::dark();
        const size_t count = static_cast<size_t>(OpCategory::Idle); // idle is a ground, never a block
        for (size_t i = 0; i < count; ++i) {
            for (size_t j = i + 1; j < count; ++j)
                smallest = std::min(smallest, distance(theme.fill[i], theme.fill[j], vision));
        }
        QVERIFY2(smallest >= 12, qPrintable(QString::number(smallest)));
        QVERIFY2(std::abs(smallest - documented) < 0.06, qPrintable(QString::number(smallest)));
    }

    void fillsAreTheSameInBothSchemes()
    {
        for (size_t i = 0; i < static_cast<size_t>(OpCategory::Idle); ++i) {
            QCOMPARE(Theme::dark().fill[i], Theme::light().fill[i]);
            QVERIFY(contrast(Theme::dark().onFill, Theme::dark().fill[i]) >= 5.15); // documented as 5.2 to 14.6
            QVERIFY(contrast(Theme::light().ink[i], Theme::light().view) >= 4.5);
        }
        QCOMPARE(Theme::dark().fillOf(OpCategory::Matmul), QColor(0x67, 0x8E, 0xDC));
        QCOMPARE(Theme::dark().fillOf(OpCategory::Host), QColor(0xE1, 0xD6, 0xCB));
        QCOMPARE(Theme::dark().wordOf(OpCategory::Matmul), QColor(0x67, 0x8E, 0xDC));
        QCOMPARE(Theme::light().wordOf(OpCategory::Matmul), QColor(0x3F, 0x63, 0xAD));
    }

    void wordsAreLegibleOnEveryGround_data()
    {
        QTest::addColumn<int>("scheme");
        for (size_t i = 0; i < schemes().size(); ++i)
            QTest::newRow(schemes()[i].first) << static_cast<int>(i);
    }
    void wordsAreLegibleOnEveryGround()
    {
        QFETCH(int, scheme);
        const Theme& t = *schemes()[static_cast<size_t>(scheme)].second;
        const std::vector<std::pair<const char*, QColor>> grounds{
            {"window", t.window},
            {"view", t.view},
            {"panel", t.panel},
            {"raised", t.raised},
            {"selection", t.selection},
            {"soft on view", over(t.selectionSoft, t.view)},
            {"soft on panel", over(t.selectionSoft, t.panel)},
            {"warning", t.warningGround},
            {"error", t.errorGround},
        };
        const auto check = [](const char* ink, const QColor& colour, const char* ground, const QColor& on,
                              double least) {
            const double got = contrast(colour, on);
            QVERIFY2(got >= least, qPrintable(QStringLiteral("%1 on %2: %3").arg(ink, ground).arg(got)));
        };
        for (const auto& [name, ground] : grounds) {
            const bool isRowState = name == std::string_view("selection") || QByteArray(name).startsWith("soft");
            check("text", t.text, name, ground, 10.5);
            check("text2", t.text2, name, ground, 5.4);
            check("accent", t.accent, name, ground, 4.5);
            if (ground != t.errorGround)
                check("warning", t.warning, name, ground, 4.5);
            if (ground != t.warningGround)
                check("error", t.error, name, ground, 4.5);
            // Rows that are selected or under the pointer show their counts in text2.
            if (!isRowState)
                check("text3", t.text3, name, ground, 4.5);
        }
        check("onAccent", t.onAccent, "accent", t.accent, 4.5);
    }

    void paletteAndStyleSheetComeFromTheTokens()
    {
        for (const auto& [name, t] : schemes()) {
            QCOMPARE(t->palette().color(QPalette::Window), t->window);
            QCOMPARE(t->palette().color(QPalette::Text), t->text);
            QCOMPARE(t->palette().color(QPalette::Highlight), t->selection);
            const QString sheet = t->styleSheet();
            QVERIFY(!sheet.contains(QLatin1Char('@')));
            QVERIFY(sheet.contains(t->accent.name()));
            QVERIFY(sheet.contains(QStringLiteral("font-size: 12px")));
            QVERIFY(t->styleSheet(150).contains(QStringLiteral("font-size: 18px")));
            // An unknown name would be dropped and leave an empty value.
            QVERIFY(!QRegularExpression(QStringLiteral(":\\s*;")).match(sheet).hasMatch());
        }
    }

    void aSwitchReachesTheApplication()
    {
        ThemeManager& manager = ThemeManager::instance();
        manager.install();
        manager.setScheme(Theme::Scheme::Dark);
        QSignalSpy spy(&manager, &ThemeManager::changed);
        manager.setScheme(Theme::Scheme::Light);
        QCOMPARE(spy.count(), 1);
        QCOMPARE(QApplication::palette().color(QPalette::Window), Theme::light().window);
        QVERIFY(!theme().isDark());
        manager.setScheme(Theme::Scheme::Light);
        QCOMPARE(spy.count(), 1);
        manager.setScheme(Theme::Scheme::Dark);
        QCOMPARE(QApplication::palette().color(QPalette::Window), Theme::dark().window);
    }

    void textScaleIsBoundedAndScalesFonts()
    {
        ThemeManager& manager = ThemeManager::instance();
        manager.setTextScale(100);
        QCOMPARE(manager.uiFont(20).pixelSize(), 20);
        QVERIFY(manager.monoFont(12, true).bold());
        manager.setTextScale(150);
        QCOMPARE(manager.uiFont(20).pixelSize(), 30);
        QCOMPARE(manager.scaled(24), 36);
        manager.setTextScale(1000);
        QCOMPARE(manager.textScale(), 150);
        manager.setTextScale(1);
        QCOMPARE(manager.textScale(), 90);
        manager.setTextScale(100);
    }
};

QTEST_MAIN(TestTheme)
#include "tst_theme.moc"
