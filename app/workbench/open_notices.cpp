// SPDX-License-Identifier: Apache-2.0
#include "app/workbench/open_notices.h"

#include "app/workbench/navigator_model.h"
#include "app/workbench/problems_model.h"

#include <algorithm>
#include <climits>

namespace hloscope {

namespace {

QString placed(const Diagnostic& diagnostic, const QString& path)
{
    QString place = displayNameOf(path);
    if (diagnostic.line > 0)
        place += QStringLiteral(":%1:%2").arg(diagnostic.line).arg(diagnostic.column);
    else if (diagnostic.byteOffset)
        place += QStringLiteral(":@%1").arg(*diagnostic.byteOffset);
    return QStringLiteral("%1: %2").arg(place, problemText(diagnostic));
}

} // namespace

OpenNotices::OpenNotices(Workspace& workspace, NoticeArea& area, QObject* parent)
    : QObject(parent), m_workspace(workspace), m_area(area)
{
    connect(&workspace, &Workspace::openFailed, this,
            [this](const QString& path, const QString&, const Diagnostic& error) { reportFailure(path, error); });
    connect(&workspace, &Workspace::documentOpened, this, &OpenNotices::reportOpened);
    connect(&workspace, &Workspace::fileChanged, this, &OpenNotices::reportChange);
    for (const DocumentEntry& document : workspace.documents())
        reportOpened(document.path);
}

void OpenNotices::reportFailure(const QString& path, const Diagnostic& error)
{
    Notice notice;
    notice.severity = Severity::Error;
    notice.key = QStringLiteral("failed:") + path;
    notice.text = placed(error, path);
    notice.actions.push_back({tr("Details"), [this] { emit detailsRequested(); }});
    m_area.post(notice);
}

void OpenNotices::reportOpened(const QString& path)
{
    for (const char* kind : {"failed:", "changed:", "problems:"})
        m_area.dismiss(QLatin1String(kind) + path);
    Problems problems;
    for (const DocumentEntry& document : m_workspace.documents()) {
        if (document.path == path)
            problems.merge(document.problems);
    }
    bool isGuessed = false;
    for (const ModuleEntry& entry : m_workspace.modules()) {
        if (entry.path != path)
            continue;
        problems.merge(entry.module->problems);
        isGuessed = isGuessed || entry.chipIsGuessed;
    }
    for (const TraceEntry& entry : m_workspace.traces()) {
        if (entry.path != path)
            continue;
        problems.merge(entry.trace->problems);
        isGuessed = false; // what was measured needs no chip
    }
    if (isGuessed && !m_chipAsked.contains(path)) {
        m_chipAsked.insert(path);
        Notice notice;
        notice.key = QStringLiteral("chip:") + path;
        notice.text = tr("%1 names no chip: its times are those of a TPU v5e.").arg(displayNameOf(path));
        notice.actions.push_back({tr("Choose the chip"), [this] { emit chipRequested(); }});
        m_area.post(notice);
    }
    if (problems.empty())
        return;
    Notice notice;
    notice.key = QStringLiteral("problems:") + path;
    const auto total = static_cast<int>(std::min<uint64_t>(problems.total(), INT_MAX));
    if (!problems.diagnostics().empty()) {
        notice.text = placed(problems.diagnostics().front(), path);
        if (total > 1)
            notice.text = tr("%1, and %n more problem(s)", nullptr, total - 1).arg(notice.text);
    } else {
        notice.text = tr("%1: %n item(s) skipped", nullptr, total).arg(displayNameOf(path));
    }
    notice.actions.push_back({tr("Details"), [this] { emit detailsRequested(); }});
    m_area.post(notice);
}

void OpenNotices::reportChange(const QString& path)
{
    Notice notice;
    notice.key = QStringLiteral("changed:") + path;
    notice.text = tr("%1 has changed on disk.").arg(displayNameOf(path));
    notice.actions.push_back({tr("Reload"), [this, path] { m_workspace.open(path); }});
    m_area.post(notice);
}

} // namespace hloscope
