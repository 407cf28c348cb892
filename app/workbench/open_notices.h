// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/common/notice_bar.h"
#include "views/common/workspace.h"

#include <QObject>
#include <QSet>

namespace hloscope {

// Turns what happens to files into notice rows: a file that cannot be opened, problems in one that can, a chip that is
// only assumed, a change on disk. Each warning once per file.
class OpenNotices : public QObject {
    Q_OBJECT

public:
    OpenNotices(Workspace& workspace, NoticeArea& area, QObject* parent = nullptr);

signals:
    void detailsRequested();
    void chipRequested();

private:
    void reportFailure(const QString& path, const Diagnostic& error);
    void reportOpened(const QString& path);
    void reportChange(const QString& path);

    Workspace& m_workspace;
    NoticeArea& m_area;
    QSet<QString> m_chipAsked; // paths
};

} // namespace hloscope
