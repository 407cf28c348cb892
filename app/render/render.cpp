// SPDX-License-Identifier: Apache-2.0
#include "app/render/render.h"

#include "app/workbench/main_window.h"
#include "app/workbench/view_registry.h"
#include "views/common/selection.h"
#include "views/common/theme.h"
#include "views/common/translations.h"
#include "views/common/view.h"
#include "views/common/workspace.h"
#include "views/timeline/timeline_view.h"

#include <QApplication>
#include <QDeadlineTimer>
#include <QImage>
#include <QPainter>
#include <QRegularExpression>
#include <QSvgGenerator>

#include <array>
#include <functional>
#include <ostream>

namespace hloscope::render {
namespace {

constexpr int kWaitMs = 120'000;
constexpr int kMaxSide = 16'384;

constexpr std::array kCommands{
    cli::Command{
        "render",
        "FILE --view timeline|graph|hlo|memory|layout|window [--tab T] [--select OP] [--range A:B] [--size WxH]"
        " [--theme light|dark] -o OUT.png|svg",
        "draw what the window shows", runRender},
    cli::Command{"report", "FILE [-o FOLDER] [--theme light|dark]", "write the overview and a picture of every view",
                 runReport},
};

std::unique_ptr<View> makeView(const QString& name, Workspace& workspace, Selection& selection)
{
    for (const ViewKind& kind : viewKinds()) {
        if (kind.name == name)
            return std::unique_ptr<View>(kind.make(workspace, selection, nullptr));
    }
    return nullptr;
}

QStringList viewNames()
{
    QStringList names;
    for (const ViewKind& kind : viewKinds())
        names << kind.name;
    return names;
}

bool waitUntil(const std::function<bool()>& condition)
{
    const QDeadlineTimer deadline(kWaitMs);
    while (!condition()) {
        if (deadline.hasExpired())
            return false;
        QApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents, 20);
    }
    return true;
}

// Gives workers that a change of selection or size has started a chance to say that they run.
void settle()
{
    const QDeadlineTimer deadline(250);
    while (!deadline.hasExpired())
        QApplication::processEvents(QEventLoop::AllEvents, 20);
}

// What the window selects after opening (a recorded trace before the modules inside it), then the op that was asked
// for: an instruction of any module, else an event.
bool applySelection(const Workspace& workspace, Selection& selection, const QString& name)
{
    const auto& modules = workspace.modules();
    const auto& traces = workspace.traces();
    if (!traces.empty())
        selection.selectTrace(traces.front().trace);
    else if (!modules.empty())
        selection.selectComputation(modules.front().module, modules.front().module->entry);
    if (name.isEmpty())
        return true;
    const std::string wanted = name.toStdString();
    for (const TraceEntry& entry : traces) {
        const Trace& trace = *entry.trace;
        for (size_t event = 0; event < trace.eventCount(); ++event) {
            if (trace.kind(EventId(event)).label() == wanted) {
                selection.selectEvent(entry.trace, EventId(event));
                return true;
            }
        }
    }
    for (const ModuleEntry& entry : modules) {
        const InstructionId id = entry.module->findInstruction(wanted);
        if (id.isValid()) {
            selection.selectInstruction(entry.module, id);
            return true;
        }
    }
    return false;
}

template <class Draw> bool writePicture(const QString& output, QSize size, const Draw& draw)
{
    if (output.endsWith(QLatin1String(".svg"), Qt::CaseInsensitive)) {
        QSvgGenerator generator;
        generator.setFileName(output);
        generator.setSize(size);
        generator.setViewBox(QRect(QPoint(), size));
        QPainter painter;
        if (!painter.begin(&generator))
            return false;
        draw(painter);
        return painter.end();
    }
    QImage image(size, QImage::Format_ARGB32_Premultiplied);
    image.fill(theme().window);
    QPainter painter(&image);
    draw(painter);
    painter.end();
    return image.save(output, "PNG");
}

// Picoseconds from "12", "3us", "1.5ms"; nothing for other text.
std::optional<qint64> parseTime(const QString& text)
{
    static const QRegularExpression pattern(QStringLiteral("^([0-9.]+)(ps|ns|us|ms|s)?$"));
    const auto match = pattern.match(text.trimmed());
    bool ok = false;
    const double value = match.captured(1).toDouble(&ok);
    if (!match.hasMatch() || !ok)
        return std::nullopt;
    static const std::array<std::pair<const char*, double>, 5> kUnits{
        {{"ps", 1.0}, {"ns", 1e3}, {"us", 1e6}, {"ms", 1e9}, {"s", 1e12}}};
    double scale = 1.0;
    for (const auto& [unit, factor] : kUnits) {
        if (match.captured(2) == QLatin1String(unit))
            scale = factor;
    }
    return static_cast<qint64>(value * scale);
}

std::optional<QSize> parseSize(const QString& text)
{
    static const QRegularExpression pattern(QStringLiteral("^(\\d{2,5})x(\\d{2,5})$"));
    const auto match = pattern.match(text);
    if (!match.hasMatch())
        return std::nullopt;
    const QSize size(match.captured(1).toInt(), match.captured(2).toInt());
    if (size.width() > kMaxSide || size.height() > kMaxSide)
        return std::nullopt;
    return size;
}

struct OpenedFile {
    Workspace workspace;
    QString error;
};

bool openAndAnalyse(OpenedFile& file, const QString& path, cli::Streams streams)
{
    QObject::connect(&file.workspace, &Workspace::openFailed, &file.workspace,
                     [&file](const QString&, const QString& message) { file.error = message; });
    file.workspace.open(path);
    if (!waitUntil([&] { return !file.error.isEmpty() || !file.workspace.isBusy(); })) {
        streams.err << path.toStdString() << ": error: opening took too long\n";
        return false;
    }
    if (!file.error.isEmpty()) {
        streams.err << file.error.toStdString() << '\n';
        return false;
    }
    return true;
}

int drawWindow(const PictureRequest& request, OpenedFile& file, cli::Streams streams)
{
    MainWindow window(file.workspace);
    window.resize(request.size);
    window.show();
    window.showView(request.tab.isEmpty() ? QStringLiteral("timeline") : request.tab);
    if (!applySelection(file.workspace, window.selection(), request.select)) {
        streams.err << request.path.toStdString() << ": error: there is no op '" << request.select.toStdString()
                    << "'\n";
        return cli::BadInput;
    }
    settle();
    waitUntil([&] { return window.isReady(); });
    settle();
    if (!writePicture(request.output, request.size, [&](QPainter& painter) { window.render(&painter); })) {
        streams.err << request.output.toStdString() << ": error: cannot be written\n";
        return cli::BadInput;
    }
    return cli::Success;
}

} // namespace

std::span<const cli::Command> commands()
{
    return kCommands;
}

const cli::Command* findCommand(const QString& name)
{
    for (const cli::Command& command : kCommands) {
        if (name == QLatin1String(command.name))
            return &command;
    }
    return nullptr;
}

int drawPicture(const PictureRequest& request, cli::Streams streams)
{
    installTranslations();
    ThemeManager::instance().install();
    ThemeManager::instance().setScheme(request.dark ? Theme::Scheme::Dark : Theme::Scheme::Light);
    OpenedFile file;
    if (!openAndAnalyse(file, request.path, streams))
        return cli::BadInput;
    if (file.workspace.modules().empty() && request.view != QLatin1String("timeline")
        && request.view != QLatin1String("window")) {
        streams.err << request.path.toStdString() << ": error: there is no HLO module in this file\n";
        return cli::BadInput;
    }
    if (request.view == QLatin1String("window"))
        return drawWindow(request, file, streams);

    Selection selection(file.workspace);
    const std::unique_ptr<View> view = makeView(request.view, file.workspace, selection);
    view->resize(request.size);
    view->show();
    if (!applySelection(file.workspace, selection, request.select)) {
        streams.err << request.path.toStdString() << ": error: there is no op '" << request.select.toStdString()
                    << "'\n";
        return cli::BadInput;
    }
    settle();
    if (request.range) {
        if (auto* timeline = qobject_cast<TimelineView*>(view.get()))
            timeline->controller().zoomToTimes(request.range->first, request.range->second);
    }
    settle();
    if (!waitUntil([&] { return view->isReady(); })) {
        streams.err << request.path.toStdString() << ": error: drawing took too long\n";
        return cli::BadInput;
    }
    settle();
    if (!writePicture(request.output, request.size, [&](QPainter& painter) { view->exportTo(painter); })) {
        streams.err << request.output.toStdString() << ": error: cannot be written\n";
        return cli::BadInput;
    }
    return cli::Success;
}

int runRender(const QStringList& arguments, cli::Streams streams)
{
    cli::CommandParser parser(*findCommand(QStringLiteral("render")), streams);
    parser.addValue({QStringLiteral("view")}, QStringLiteral("V"), QStringLiteral("View to draw."));
    parser.addValue({QStringLiteral("tab")}, QStringLiteral("T"), QStringLiteral("Tab of the window."));
    parser.addValue({QStringLiteral("select")}, QStringLiteral("OP"), QStringLiteral("Op to select."));
    parser.addValue({QStringLiteral("range")}, QStringLiteral("A:B"), QStringLiteral("Time range."));
    parser.addValue({QStringLiteral("size")}, QStringLiteral("WxH"), QStringLiteral("Size in pixels."));
    parser.addValue({QStringLiteral("theme")}, QStringLiteral("theme"), QStringLiteral("light or dark."));
    parser.addValue({QStringLiteral("o")}, QStringLiteral("file"), QStringLiteral("File to write."));
    if (!parser.parse(arguments, 1, 1))
        return parser.exitCode();
    PictureRequest request;
    request.path = parser.positional().constFirst();
    request.view = parser.value(QStringLiteral("view"));
    request.tab = parser.value(QStringLiteral("tab"));
    request.select = parser.value(QStringLiteral("select"));
    request.output = parser.value(QStringLiteral("o"));
    const QStringList views = viewNames();
    const QString list = views.join(QStringLiteral(", "));
    if (!views.contains(request.view) && request.view != QLatin1String("window"))
        return parser.usageError(QStringLiteral("--view takes %1 or window").arg(list));
    if (!request.tab.isEmpty() && !views.contains(request.tab))
        return parser.usageError(QStringLiteral("--tab takes one of %1").arg(list));
    if (request.output.isEmpty())
        return parser.usageError(QStringLiteral("-o is missing"));
    if (!request.output.endsWith(QLatin1String(".png")) && !request.output.endsWith(QLatin1String(".svg")))
        return parser.usageError(QStringLiteral("-o takes a name that ends in .png or .svg"));
    if (parser.isSet(QStringLiteral("size"))) {
        const auto size = parseSize(parser.value(QStringLiteral("size")));
        if (!size)
            return parser.usageError(QStringLiteral("--size takes two numbers from 10 to 16384 such as 1600x1000"));
        request.size = *size;
    }
    if (parser.isSet(QStringLiteral("range"))) {
        const QStringList ends = parser.value(QStringLiteral("range")).split(QLatin1Char(':'));
        const auto begin = parseTime(ends.value(0));
        const auto end = parseTime(ends.value(1));
        if (ends.size() != 2 || !begin || !end || *begin >= *end)
            return parser.usageError(QStringLiteral("--range takes two times such as 0:1.5ms"));
        request.range = {*begin, *end};
    }
    const QString themeName = parser.value(QStringLiteral("theme"));
    if (!themeName.isEmpty() && themeName != QLatin1String("light") && themeName != QLatin1String("dark"))
        return parser.usageError(QStringLiteral("--theme takes light or dark"));
    request.dark = themeName != QLatin1String("light");
    return drawPicture(request, streams);
}

} // namespace hloscope::render
