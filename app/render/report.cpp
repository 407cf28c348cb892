// SPDX-License-Identifier: Apache-2.0
#include "app/render/render.h"

#include <QDir>

#include <fstream>
#include <ostream>
#include <sstream>

namespace hloscope::render {
namespace {

// The output of commands of the command line, one after the other. Commands that do not apply to the file (memory of a
// profile without a module) are left out.
std::string overview(const QString& path, const Document& document, cli::Streams streams)
{
    QList<QStringList> commands{{"info", path}};
    if (!document.modules.empty())
        commands << QStringList{"simulate", path} << QStringList{"memory", path} << QStringList{"cost", path};
    if (!document.traces.empty())
        commands << QStringList{"ops", path};
    std::string text;
    for (const QStringList& words : commands) {
        std::ostringstream out;
        std::ostringstream err;
        cli::findCommand(words.constFirst())->run(words.mid(1), cli::Streams{out, err});
        text += "== hloscope " + words.constFirst().toStdString() + "\n" + out.str() + '\n';
        // Warnings about the file are the same for each command.
        if (words.constFirst() == QLatin1String("info"))
            streams.err << err.str();
    }
    return text;
}

} // namespace

int runReport(const QStringList& arguments, cli::Streams streams)
{
    cli::CommandParser parser(*findCommand(QStringLiteral("report")), streams);
    parser.addValue({QStringLiteral("o")}, QStringLiteral("folder"), QStringLiteral("Folder to write to."));
    parser.addValue({QStringLiteral("theme")}, QStringLiteral("theme"), QStringLiteral("light or dark."));
    if (!parser.parse(arguments, 1, 1))
        return parser.exitCode();
    const QString path = parser.positional().constFirst();
    const QString folder =
        parser.isSet(QStringLiteral("o")) ? parser.value(QStringLiteral("o")) : QStringLiteral("out");
    if (!QDir().mkpath(folder)) {
        streams.err << folder.toStdString() << ": error: cannot be made\n";
        return cli::BadInput;
    }
    std::ostringstream ignored;
    const auto document = cli::openForCommand(path, {streams.out, ignored});
    if (!document) {
        streams.err << ignored.str();
        return cli::BadInput;
    }
    const QDir out(folder);
    if (!cli::writeOutput(out.filePath(QStringLiteral("overview.txt")), overview(path, *document, streams), streams))
        return cli::BadInput;
    QStringList written{out.filePath(QStringLiteral("overview.txt"))};
    QStringList views{"timeline"};
    if (!document->modules.empty())
        views << "graph"
              << "memory"
              << "layout";
    for (const QString& view : views) {
        PictureRequest request;
        request.path = path;
        request.view = view;
        request.dark = parser.value(QStringLiteral("theme")) == QLatin1String("dark");
        request.output = out.filePath(view + QStringLiteral(".png"));
        if (drawPicture(request, streams) != cli::Success)
            return cli::BadInput;
        written << request.output;
    }
    streams.out << "There is no display: wrote the overview and the pictures instead of opening a window.\n";
    for (const QString& file : written)
        streams.out << "  " << QDir::cleanPath(QDir::current().absoluteFilePath(file)).toStdString() << '\n';
    return cli::Success;
}

} // namespace hloscope::render
