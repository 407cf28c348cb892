// SPDX-License-Identifier: Apache-2.0
#include "app/workbench/settings.h"

#include <QDir>
#include <QFileInfo>
#include <QSettings>

#include <algorithm>

namespace hloscope {

namespace {

const auto kScheme = QStringLiteral("view/scheme");
const auto kTextScale = QStringLiteral("view/textScale");
const auto kRecent = QStringLiteral("recentFiles");
const auto kLastFolder = QStringLiteral("lastFolder");

std::vector<RecentFile> readRecent()
{
    std::vector<RecentFile> files;
    QSettings settings;
    const int count = settings.beginReadArray(kRecent);
    for (int i = 0; i < std::min(count, Settings::kMaxRecent); ++i) {
        settings.setArrayIndex(i);
        files.push_back(
            {settings.value(QStringLiteral("path")).toString(), settings.value(QStringLiteral("opened")).toDateTime()});
    }
    return files;
}

void writeRecent(const std::vector<RecentFile>& files)
{
    QSettings settings;
    settings.remove(kRecent);
    settings.beginWriteArray(kRecent);
    for (size_t i = 0; i < files.size(); ++i) {
        settings.setArrayIndex(static_cast<int>(i));
        settings.setValue(QStringLiteral("path"), files[i].path);
        settings.setValue(QStringLiteral("opened"), files[i].opened);
    }
    settings.endArray();
}

} // namespace

SchemeChoice Settings::scheme() const
{
    const QString text = QSettings().value(kScheme).toString();
    if (text == QLatin1String("dark"))
        return SchemeChoice::Dark;
    return text == QLatin1String("light") ? SchemeChoice::Light : SchemeChoice::System;
}

void Settings::setScheme(SchemeChoice choice)
{
    const QString text = choice == SchemeChoice::Dark ? QStringLiteral("dark")
        : choice == SchemeChoice::Light               ? QStringLiteral("light")
                                                      : QStringLiteral("system");
    QSettings().setValue(kScheme, text);
}

int Settings::textScale() const
{
    return QSettings().value(kTextScale, 100).toInt();
}

void Settings::setTextScale(int percent)
{
    QSettings().setValue(kTextScale, percent);
}

std::vector<RecentFile> Settings::recentFiles() const
{
    std::vector<RecentFile> files = readRecent();
    std::erase_if(files, [](const RecentFile& file) { return !QFileInfo::exists(file.path); });
    return files;
}

void Settings::addRecentFile(const QString& path, const QDateTime& when)
{
    std::vector<RecentFile> files = readRecent();
    std::erase_if(files, [&](const RecentFile& file) { return file.path == path; });
    files.insert(files.begin(), {path, when});
    if (files.size() > static_cast<size_t>(kMaxRecent))
        files.resize(kMaxRecent);
    writeRecent(files);
}

void Settings::clearRecentFiles()
{
    writeRecent({});
}

QByteArray Settings::value(const QString& key) const
{
    return QSettings().value(key).toByteArray();
}

void Settings::setValue(const QString& key, const QByteArray& value)
{
    QSettings().setValue(key, value);
}

QString Settings::lastFolder() const
{
    return QSettings().value(kLastFolder, QDir::homePath()).toString();
}

void Settings::setLastFolder(const QString& folder)
{
    QSettings().setValue(kLastFolder, folder);
}

} // namespace hloscope
