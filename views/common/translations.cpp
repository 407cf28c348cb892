// SPDX-License-Identifier: Apache-2.0
#include "views/common/translations.h"

#include <QCoreApplication>
#include <QTranslator>

// Resources of a static library are only linked in when something names them; the macro wants the global namespace.
static void initialiseTranslations()
{
    Q_INIT_RESOURCE(translations);
}

namespace hloscope {

namespace {

void install(const QLocale& locale)
{
    const QString name = QStringLiteral("hloscope-") + locale.name();
    if (qApp->findChild<QTranslator*>(name) != nullptr)
        return;
    auto* translator = new QTranslator(qApp);
    translator->setObjectName(name);
    if (translator->load(locale, QStringLiteral("hloscope"), QStringLiteral("_"), QStringLiteral(":/hloscope/i18n")))
        QCoreApplication::installTranslator(translator);
    else
        delete translator;
}

} // namespace

void installTranslations(const QLocale& locale)
{
    initialiseTranslations();
    install(QLocale(QLocale::English));
    if (locale.language() != QLocale::English)
        install(locale);
}

} // namespace hloscope
