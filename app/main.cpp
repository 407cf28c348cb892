// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command.h"
#include "app/render/render.h"
#include "app/workbench/main_window.h"
#include "views/common/workspace.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QFileInfo>
#include <QTimer>

#include <iostream>

namespace {

using namespace hloscope;

QStringList wordsOf(int argc, char** argv)
{
    QStringList words;
    for (int i = 1; i < argc; ++i)
        words << QString::fromLocal8Bit(argv[i]);
    return words;
}

void printUsage(std::ostream& out)
{
    out << "usage: hloscope [FILE|FOLDER...] [--view VIEW] [--select OP]\n"
           "       hloscope COMMAND ...\n\ncommands:\n";
    for (const cli::Command& command : cli::commands())
        out << "  " << command.name << ' ' << command.synopsis << "\n      " << command.summary << '\n';
    for (const cli::Command& command : render::commands())
        out << "  " << command.name << ' ' << command.synopsis << "\n      " << command.summary << '\n';
}

// What Qt says of a machine without a display is no news to who asked for a picture.
void dropPlatformNotes(QtMsgType, const QMessageLogContext&, const QString& message)
{
    if (message.startsWith(QLatin1String("QStandardPaths: ")) || message.startsWith(QLatin1String("This plugin ")))
        return;
    std::cerr << message.toStdString() << '\n';
}

// A window system can be reached, as far as the environment tells.
bool hasDisplay()
{
    return qEnvironmentVariableIsSet("DISPLAY") || qEnvironmentVariableIsSet("WAYLAND_DISPLAY")
        || qEnvironmentVariableIsSet("QT_QPA_PLATFORM");
}

// What was written is complete: a full disk shows only when the last bytes go out.
int flushed(int exitCode)
{
    std::cout.flush();
    if (std::cout)
        return exitCode;
    std::cerr << "hloscope: error: the output could not be written\n";
    return exitCode == cli::Success ? cli::BadInput : exitCode;
}

int openWindow(int argc, char** argv)
{
    if (!hasDisplay()) {
        std::cerr << "hloscope: error: there is no display; `hloscope report FILE` writes an overview and pictures\n";
        return cli::BadInput;
    }
    const QApplication application(argc, argv);
    QCommandLineParser parser;
    const QCommandLineOption view(QStringLiteral("view"), QString(), QStringLiteral("view"));
    const QCommandLineOption select(QStringLiteral("select"), QString(), QStringLiteral("op"));
    parser.addOptions({view, select});
    if (!parser.parse(QApplication::arguments())) {
        std::cerr << "hloscope: " << parser.errorText().toStdString() << '\n';
        printUsage(std::cerr);
        return cli::WrongUsage;
    }
    Workspace workspace;
    MainWindow window(workspace);
    window.restoreSession();
    window.show();
    // The window is on screen before the first byte is read.
    QTimer::singleShot(0, &window, [&] {
        for (const QString& path : parser.positionalArguments())
            window.openPath(path);
        if (parser.isSet(view))
            window.showView(parser.value(view));
        if (parser.isSet(select))
            window.selectWhenOpen(parser.value(select));
    });
    return QApplication::exec();
}

} // namespace

int main(int argc, char** argv)
{
    QCoreApplication::setApplicationName(QStringLiteral("hloscope"));
    QCoreApplication::setOrganizationName(QStringLiteral("hloscope"));
    QCoreApplication::setApplicationVersion(QStringLiteral(HLOSCOPE_VERSION));
    const QStringList words = wordsOf(argc, argv);
    const QString first = words.value(0);
    if (first == QLatin1String("--help") || first == QLatin1String("-h")) {
        printUsage(std::cout);
        return cli::Success;
    }
    if (first == QLatin1String("--version")) {
        std::cout << "hloscope " HLOSCOPE_VERSION "\n";
        return cli::Success;
    }
    const cli::Streams streams{std::cout, std::cerr};
    // A file of that name in the current folder can be opened as ./info.
    if (const cli::Command* command = cli::findCommand(first))
        return flushed(command->run(words.mid(1), streams));
    if (const cli::Command* command = render::findCommand(first)) {
        // Pictures are drawn without a display, and look the same with one.
        qputenv("QT_QPA_PLATFORM", "offscreen");
        qInstallMessageHandler(dropPlatformNotes);
        const QApplication application(argc, argv);
        return flushed(command->run(words.mid(1), streams));
    }
    // A lone word that is no file is a command that does not exist; files are missed in the window, with all their
    // path.
    if (!first.isEmpty() && !first.startsWith(QLatin1Char('-')) && !first.contains(QLatin1Char('/'))
        && !first.contains(QLatin1Char('.')) && !QFileInfo::exists(first)) {
        std::cerr << "hloscope: there is no command or file '" << first.toStdString() << "'\n";
        printUsage(std::cerr);
        return cli::WrongUsage;
    }
    return openWindow(argc, argv);
}
