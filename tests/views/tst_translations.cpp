// SPDX-License-Identifier: Apache-2.0
#include "views/common/translations.h"

#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QSet>
#include <QXmlStreamReader>
#include <QtTest>

using namespace hloscope;

namespace {

const auto kCatalogue = QStringLiteral(HLOSCOPE_SOURCE_DIR "/resources/translations/hloscope_en.ts");

}

class TestTranslations : public QObject {
    Q_OBJECT

private slots:
    void englishHasPlurals()
    {
        const auto problems = [](int n) {
            return QCoreApplication::translate("hloscope::StatusRow", "%n problem(s)", nullptr, n);
        };
        QCOMPARE(problems(2), QStringLiteral("2 problem(s)")); // what would be shown without the catalogue
        installTranslations(QLocale(QLocale::English));
        QCOMPARE(problems(0), QStringLiteral("0 problems"));
        QCOMPARE(problems(1), QStringLiteral("1 problem"));
        QCOMPARE(problems(2), QStringLiteral("2 problems"));
        installTranslations(QLocale(QLocale::English));
        QCOMPARE(qApp->findChildren<QTranslator*>().size(), 1);
        installTranslations(QLocale(QLocale::Welsh)); // no catalogue: English stays
        QCOMPARE(problems(1), QStringLiteral("1 problem"));
    }

    // Fails when a text with a number has been added: run `cmake --build BUILD --target update_translations` and fill
    // in the two forms.
    void everyCountedTextIsInTheCatalogue()
    {
        QFile file(kCatalogue);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QSet<QString> known;
        QXmlStreamReader xml(&file);
        QString source;
        int forms = 0;
        while (!xml.atEnd()) {
            if (xml.readNext() == QXmlStreamReader::StartElement && xml.name() == QLatin1String("source")) {
                source = xml.readElementText();
                forms = 0;
            } else if (xml.isStartElement() && xml.name() == QLatin1String("numerusform")) {
                const QString form = xml.readElementText();
                QVERIFY2(!form.isEmpty() && !form.contains(QLatin1String("(s)")), qPrintable(source));
                if (++forms == 2)
                    known.insert(source);
            }
        }
        QVERIFY(!xml.hasError());

        const QRegularExpression counted(QStringLiteral("tr\\(\\s*\"([^\"]*(?:%n|\\(s\\))[^\"]*)\""));
        int found = 0;
        for (const char* folder : {"app", "views"}) {
            QDirIterator sources(QStringLiteral(HLOSCOPE_SOURCE_DIR "/") + QLatin1String(folder),
                                 {QStringLiteral("*.cpp")}, QDir::Files, QDirIterator::Subdirectories);
            while (sources.hasNext()) {
                QFile cpp(sources.next());
                QVERIFY(cpp.open(QIODevice::ReadOnly));
                const QString text = QString::fromUtf8(cpp.readAll());
                for (auto matches = counted.globalMatch(text); matches.hasNext(); ++found) {
                    const QString literal = matches.next().captured(1);
                    QVERIFY2(known.contains(literal),
                             qPrintable(QStringLiteral("%1: %2").arg(cpp.fileName(), literal)));
                }
            }
        }
        QVERIFY(found > 5);
    }
};

QTEST_GUILESS_MAIN(TestTranslations)
#include "tst_translations.moc"
