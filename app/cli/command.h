// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/document.h"
#include "core/tpu/chip_spec.h"

#include <nlohmann/json.hpp>

#include <QCommandLineParser>
#include <QStringList>

#include <iosfwd>
#include <optional>
#include <span>
#include <string>

namespace hloscope::cli {

enum ExitCode { Success = 0, BadInput = 1, WrongUsage = 2 };

struct Streams {
    std::ostream& out; // results
    std::ostream& err; // diagnostics
};

// A subcommand of the command line. `run` gets the arguments behind the name of the command.
struct Command {
    const char* name;
    const char* synopsis; // behind the name
    const char* summary;
    int (*run)(const QStringList& arguments, Streams streams);
};

std::span<const Command> commands();
const Command* findCommand(const QString& name);

// Options and positional arguments of one command.
class CommandParser {
public:
    CommandParser(const Command& command, Streams streams);

    void addFlag(const QString& name, const QString& description);
    void addValue(const QStringList& names, const QString& valueName, const QString& description);
    // Nothing when the words are wrong (said on stderr) or help was asked for; exitCode() tells which.
    bool parse(const QStringList& arguments, int minPositional, int maxPositional);
    int exitCode() const { return m_exitCode; }
    // Says what is wrong with the words and gives the code for it.
    int usageError(const QString& message) const;

    bool isSet(const QString& name) const { return m_parser.isSet(name); }
    QString value(const QString& name) const { return m_parser.value(name); }
    QStringList positional() const { return m_parser.positionalArguments(); }

private:
    const Command& m_command;
    Streams m_streams;
    QCommandLineParser m_parser;
    int m_exitCode = Success;
};

// Opens the file and writes what is wrong with it to stderr, as errors or warnings.
std::optional<Document> openForCommand(const QString& path, Streams streams);
// The module of that name, or the first one; says on stderr when there is none.
std::shared_ptr<const HloModule> chooseModule(const Document& document, const QString& name, Streams streams);
// The chip of the option, else the one that the file names, else v5e with a warning. Null for an unknown name.
const ChipSpec* chooseChip(const QString& option, const Document& document, Streams streams);

void writeJson(const nlohmann::ordered_json& json, Streams streams);
// Writes to the file, or to stdout for an empty path. False after saying on stderr why not.
bool writeOutput(const QString& path, const std::string& bytes, Streams streams);
void writeProblems(const Problems& problems, const std::string& path, Streams streams);

int runInfo(const QStringList& arguments, Streams streams);
int runPrint(const QStringList& arguments, Streams streams);
int runLayout(const QStringList& arguments, Streams streams);
int runCost(const QStringList& arguments, Streams streams);
int runSimulate(const QStringList& arguments, Streams streams);
int runMemory(const QStringList& arguments, Streams streams);
int runOps(const QStringList& arguments, Streams streams);
int runChips(const QStringList& arguments, Streams streams);

} // namespace hloscope::cli
