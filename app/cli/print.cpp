// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command.h"

#include "core/hlo/hlo_text.h"

#include <ostream>

namespace hloscope::cli {
namespace {

std::optional<HloTextForm> formFromName(const QString& name)
{
    if (name.isEmpty() || name == QLatin1String("source"))
        return HloTextForm::Source;
    if (name == QLatin1String("xla"))
        return HloTextForm::Xla;
    if (name == QLatin1String("dump"))
        return HloTextForm::Dump;
    return std::nullopt;
}

std::string dotString(std::string_view text)
{
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            out += '\\';
        out += c;
    }
    return out + '"';
}

// One cluster of a digraph per call: nodes are instructions, edges are values.
std::string toDot(const HloModule& module, ComputationId id)
{
    const HloComputation& computation = module.computation(id);
    std::string out = "digraph " + dotString(computation.name) + " {\n  node [shape=box];\n";
    for (uint32_t i = computation.instructions.begin; i < computation.instructions.end(); ++i) {
        const InstructionId instruction(i);
        const std::string name = dotString(module.instruction(instruction).name);
        const std::string label = std::string(module.instruction(instruction).name) + "\n"
            + std::string(module.instruction(instruction).opcodeText) + "\n"
            + toString(module.shape(instruction), {.layouts = false});
        std::string dotLabel = dotString(label);
        for (size_t at = dotLabel.find('\n'); at != std::string::npos; at = dotLabel.find('\n', at + 2))
            dotLabel.replace(at, 1, "\\n");
        out += "  " + name + " [label=" + dotLabel + "];\n";
        for (const InstructionId operand : module.operands(instruction)) {
            if (operand.isValid())
                out += "  " + dotString(module.instruction(operand).name) + " -> " + name + ";\n";
        }
    }
    return out + "}\n";
}

} // namespace

int runPrint(const QStringList& arguments, Streams streams)
{
    CommandParser parser(*findCommand(QStringLiteral("print")), streams);
    parser.addValue({QStringLiteral("module")}, QStringLiteral("M"), QStringLiteral("Module to print."));
    parser.addValue({QStringLiteral("computation")}, QStringLiteral("C"), QStringLiteral("Only this computation."));
    parser.addValue({QStringLiteral("to")}, QStringLiteral("kind"), QStringLiteral("text or dot."));
    parser.addValue({QStringLiteral("form")}, QStringLiteral("form"), QStringLiteral("source, xla or dump."));
    parser.addValue({QStringLiteral("o")}, QStringLiteral("file"), QStringLiteral("File to write."));
    if (!parser.parse(arguments, 1, 1))
        return parser.exitCode();
    const auto form = formFromName(parser.value(QStringLiteral("form")));
    const QString to = parser.value(QStringLiteral("to"));
    if (!form)
        return parser.usageError(QStringLiteral("--form takes source, xla or dump"));
    if (!to.isEmpty() && to != QLatin1String("text") && to != QLatin1String("dot"))
        return parser.usageError(QStringLiteral("--to takes text or dot"));

    const auto document = openForCommand(parser.positional().constFirst(), streams);
    if (!document)
        return BadInput;
    const auto module = chooseModule(*document, parser.value(QStringLiteral("module")), streams);
    if (!module)
        return BadInput;
    ComputationId computation;
    if (parser.isSet(QStringLiteral("computation"))) {
        computation = module->findComputation(parser.value(QStringLiteral("computation")).toStdString());
        if (!computation.isValid()) {
            streams.err << document->path << ": error: there is no computation '"
                        << parser.value(QStringLiteral("computation")).toStdString() << "'\n";
            return BadInput;
        }
    }
    const HloPrintOptions options{.form = *form};
    std::string text;
    if (to == QLatin1String("dot"))
        text = toDot(*module, computation.isValid() ? computation : module->entry);
    else if (computation.isValid())
        text = printComputation(*module, computation, options);
    else
        text = printModule(*module, options);
    return writeOutput(parser.value(QStringLiteral("o")), text, streams) ? Success : BadInput;
}

} // namespace hloscope::cli
