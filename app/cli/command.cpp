// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command.h"

#include "core/analysis/module_facts.h"

#include <QFile>
#include <QFileInfo>

#include <array>
#include <fstream>
#include <iostream>

namespace hloscope::cli {
namespace {

constexpr std::array kCommands{
    Command{"info", "FILE... [--json]", "say what is inside", runInfo},
    Command{"print", "FILE [--module M] [--computation C] [--to text|dot] [--form source|xla|dump] [-o OUT]",
            "write the module again", runPrint},
    Command{"layout", "SHAPE [--at I,J,...] [--json]", "explain how an array lies in memory", runLayout},
    Command{"cost", "FILE [--module M] [--chip C] [--json]", "price every instruction", runCost},
    Command{"simulate", "FILE [--module M] [--chip C] [--timing best|model|hardware|compiler] [--json] [-o OUT]",
            "run the schedule on a simulated chip", runSimulate},
    Command{"memory", "FILE [--module M] [--space N] [--json]", "account for memory over the schedule", runMemory},
    Command{"ops", "FILE [--by name] [--json|--csv]", "sum the events of a profile", runOps},
    Command{"chips", "[--json]", "list the chips with the source of each figure", runChips},
};

} // namespace

std::span<const Command> commands()
{
    return kCommands;
}

const Command* findCommand(const QString& name)
{
    for (const Command& command : kCommands) {
        if (name == QLatin1String(command.name))
            return &command;
    }
    return nullptr;
}

CommandParser::CommandParser(const Command& command, Streams streams) : m_command(command), m_streams(streams)
{
    addFlag(QStringLiteral("help"), QStringLiteral("Show this help."));
}

void CommandParser::addFlag(const QString& name, const QString& description)
{
    m_parser.addOption(QCommandLineOption(name, description));
}

void CommandParser::addValue(const QStringList& names, const QString& valueName, const QString& description)
{
    m_parser.addOption(QCommandLineOption(names, description, valueName));
}

bool CommandParser::parse(const QStringList& arguments, int minPositional, int maxPositional)
{
    // QCommandLineParser expects the name of the program in front.
    if (!m_parser.parse(QStringList{QString::fromLatin1(m_command.name)} + arguments)) {
        m_exitCode = usageError(m_parser.errorText());
        return false;
    }
    if (m_parser.isSet(QStringLiteral("help"))) {
        m_streams.out << "usage: hloscope " << m_command.name << ' ' << m_command.synopsis << "\n\n"
                      << m_command.summary << '\n';
        return false;
    }
    const auto count = m_parser.positionalArguments().size();
    if (count < minPositional || count > maxPositional) {
        m_exitCode = usageError(count < minPositional ? QStringLiteral("an argument is missing")
                                                      : QStringLiteral("too many arguments"));
        return false;
    }
    return true;
}

int CommandParser::usageError(const QString& message) const
{
    m_streams.err << "hloscope " << m_command.name << ": " << message.toStdString() << "\nusage: hloscope "
                  << m_command.name << ' ' << m_command.synopsis << '\n';
    return WrongUsage;
}

void writeProblems(const Problems& problems, const std::string& path, Streams streams)
{
    for (const Diagnostic& diagnostic : problems.diagnostics()) {
        Diagnostic warning = diagnostic;
        warning.severity = Severity::Warning;
        if (warning.file.empty())
            warning.file = path;
        streams.err << warning.format() << '\n';
    }
    for (const auto& [what, times] : problems.counts())
        streams.err << path << ": warning: " << what << " (" << times << (times == 1 ? " time)" : " times)") << '\n';
}

std::optional<Document> openForCommand(const QString& path, Streams streams)
{
    auto document = openDocument(QFile::encodeName(path).toStdString());
    if (!document) {
        streams.err << document.error().format() << '\n';
        return std::nullopt;
    }
    writeProblems(document->problems, document->path, streams);
    for (const auto& module : document->modules)
        writeProblems(module->problems, document->path, streams);
    for (const auto& trace : document->traces)
        writeProblems(trace->problems, document->path, streams);
    return std::move(*document);
}

std::shared_ptr<const HloModule> chooseModule(const Document& document, const QString& name, Streams streams)
{
    for (const auto& module : document.modules) {
        if (name.isEmpty() || name.toStdString() == module->name)
            return module;
    }
    if (document.modules.empty())
        streams.err << document.path << ": error: there is no HLO module in this file\n";
    else
        streams.err << document.path << ": error: there is no module '" << name.toStdString() << "' in this file\n";
    return nullptr;
}

const ChipSpec* chooseChip(const QString& option, const Document& document, Streams streams)
{
    if (!option.isEmpty()) {
        const ChipSpec* chip = findChip(option.toStdString());
        if (chip == nullptr) {
            streams.err << "hloscope: unknown chip '" << option.toStdString() << "', known are";
            for (const ChipSpec& known : chips())
                streams.err << ' ' << known.id;
            streams.err << '\n';
        }
        return chip;
    }
    // The folder that the file lies in may name the chip even when the path as given does not show it.
    if (const ChipSpec* chip =
            chipNamedBy(QFileInfo(QString::fromStdString(document.path)).absoluteFilePath().toStdString()))
        return chip;
    streams.err << document.path << ": warning: the file names no chip, v5e is assumed (choose one with --chip)\n";
    return findChip("v5e");
}

void writeJson(const nlohmann::ordered_json& json, Streams streams)
{
    // Names from a damaged file may hold bytes that are no UTF-8.
    streams.out << json.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << '\n';
}

bool writeOutput(const QString& path, const std::string& bytes, Streams streams)
{
    if (path.isEmpty()) {
        streams.out << bytes;
        return true;
    }
    const std::string name = QFile::encodeName(path).toStdString();
    std::ofstream file(name, std::ios::binary);
    file << bytes;
    file.close();
    if (!file) {
        streams.err << name << ": error: cannot be written\n";
        return false;
    }
    return true;
}

} // namespace hloscope::cli
