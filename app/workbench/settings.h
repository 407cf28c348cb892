// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QDateTime>
#include <QString>

#include <vector>

namespace hloscope {

enum class SchemeChoice { System, Dark, Light };

struct RecentFile {
    QString path;
    QDateTime opened;

    bool operator==(const RecentFile&) const = default;
};

// The only place that knows how preferences are stored (QSettings of the user).
class Settings {
public:
    static constexpr int kMaxRecent = 12;

    SchemeChoice scheme() const;
    void setScheme(SchemeChoice choice);
    int textScale() const; // percent
    void setTextScale(int percent);

    // Newest first; files that are gone are left out.
    std::vector<RecentFile> recentFiles() const;
    void addRecentFile(const QString& path, const QDateTime& when = QDateTime::currentDateTime());
    void clearRecentFiles();

    QByteArray value(const QString& key) const; // geometry, state of splitters
    void setValue(const QString& key, const QByteArray& value);
    QString lastFolder() const;
    void setLastFolder(const QString& folder);
};

} // namespace hloscope
