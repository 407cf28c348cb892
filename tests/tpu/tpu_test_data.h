// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hlo/hlo_text.h"
#include "tests/test_data.h"

#include <QByteArray>
#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>

#include <memory>

// Modules of the shared corpus and what libtpu said about them.
namespace testdata {

// Fails the test by returning null.
inline std::shared_ptr<const hloscope::HloModule> parseModule(const QString& path)
{
    auto bytes = hloscope::FileBytes::open(path.toStdString());
    if (!bytes) {
        qWarning("%s", bytes.error().format().c_str());
        return nullptr;
    }
    auto module = hloscope::parseHloText(*bytes);
    if (!module) {
        qWarning("%s", module.error().format().c_str());
        return nullptr;
    }
    return *module;
}

inline std::shared_ptr<const hloscope::HloModule> parseText(const QByteArray& text)
{
    auto module = hloscope::parseHloText(hloscope::FileBytes::fromString(text.toStdString(), "test.hlo"));
    if (!module) {
        qWarning("%s", module.error().format().c_str());
        return nullptr;
    }
    return *module;
}

inline QJsonObject readJson(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return QJsonDocument::fromJson(file.readAll()).object();
}

// A program with libtpu's cost analysis.
struct PricedProgram {
    QString name; // "corpus/ffw.v2-2x2", "op-corpus/v5e/cond"
    QString hloPath;
    QString chip; // topology or chip id
    QJsonObject costAnalysis;
};

// Those of the shared corpus, or the few that are committed where it is missing.
inline QList<PricedProgram> corpusPrograms()
{
    QList<PricedProgram> programs;
    QStringList answers = corpus(QStringLiteral("compiled.json"));
    if (answers.isEmpty()) {
        const QDir committed(path(QStringLiteral("corpus")));
        for (const QString& program : committed.entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name))
            answers << committed.filePath(program + QStringLiteral("/compiled.json"));
    }
    for (const QString& path : answers) {
        const QDir folder = QFileInfo(path).dir();
        const QJsonObject json = readJson(path);
        programs.append({QStringLiteral("corpus/") + folder.dirName(), folder.filePath(QStringLiteral("module.hlo")),
                         json.value(QLatin1String("topology")).toString(),
                         json.value(QLatin1String("cost_analysis")).toObject()});
    }
    return programs;
}

inline QList<PricedProgram> opCorpusPrograms()
{
    QList<PricedProgram> programs;
    const QString root = shared(QStringLiteral("op-corpus"));
    if (root.isEmpty())
        return programs;
    for (const char* chip : {"v2", "v3", "v4", "v5e", "v5p", "v6e", "tpu7x"}) {
        const QDir folder(root + QLatin1Char('/') + QLatin1String(chip));
        const QJsonObject results = readJson(folder.filePath(QStringLiteral("results.json")));
        for (auto entry = results.begin(); entry != results.end(); ++entry) {
            const QString hlo = folder.filePath(entry.key() + QStringLiteral(".hlo.txt.gz"));
            if (entry.value().toObject().value(QLatin1String("ok")).toBool() && QFile::exists(hlo))
                programs.append({QStringLiteral("op-corpus/%1/%2").arg(QLatin1String(chip), entry.key()), hlo,
                                 QLatin1String(chip),
                                 entry.value().toObject().value(QLatin1String("cost")).toObject()});
        }
    }
    return programs;
}

} // namespace testdata
