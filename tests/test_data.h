// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QString>
#include <QStringList>

// Where tests find their inputs. Files that may not be copied into the repository are looked up in the folder that the
// environment variable HLOSCOPE_SHARED names, or `../shared` beside the sources; tests that need them skip without it.
namespace testdata {

inline QString path(const QString& name)
{
    return QStringLiteral(HLOSCOPE_TEST_DATA "/") + name;
}

// Empty when there is no such folder.
inline QString shared(const QString& name)
{
    QString root = qEnvironmentVariable("HLOSCOPE_SHARED");
    if (root.isEmpty())
        root = QStringLiteral(HLOSCOPE_SOURCE_DIR "/../shared");
    const QString full = root + QLatin1Char('/') + name;
    return QFileInfo::exists(full) ? QDir::cleanPath(full) : QString();
}

// All files of that name in the folders of the shared corpus, sorted.
inline QStringList corpus(const QString& fileName)
{
    QStringList files;
    const QString root = shared(QStringLiteral("corpus"));
    if (root.isEmpty())
        return files;
    const QDir folder(root);
    for (const QString& program : folder.entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name)) {
        const QString file = folder.filePath(program + QLatin1Char('/') + fileName);
        if (QFile::exists(file))
            files << file;
    }
    return files;
}

} // namespace testdata
