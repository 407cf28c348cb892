// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/command.h"

#include <QSize>
#include <QString>

#include <optional>
#include <span>

namespace hloscope::render {

// Commands that draw: they need a QApplication, with any platform.
std::span<const cli::Command> commands();
const cli::Command* findCommand(const QString& name);

struct PictureRequest {
    QString path; // file to open
    QString view; // timeline, graph, hlo, memory or layout; window for the whole window
    QString tab; // of the window, when view is window
    QString select; // name of an instruction or event kind, may be empty
    std::optional<std::pair<qint64, qint64>> range; // picoseconds, timeline only
    QSize size{1600, 1000};
    bool dark = true;
    QString output; // *.png or *.svg
};

// Opens the file, waits for what the view shows, and draws it. The exit code; says on stderr what went wrong.
int drawPicture(const PictureRequest& request, cli::Streams streams);

int runRender(const QStringList& arguments, cli::Streams streams);
int runReport(const QStringList& arguments, cli::Streams streams);

} // namespace hloscope::render
