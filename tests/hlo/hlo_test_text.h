// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hlo/hlo_text.h"
#include "tests/test_data.h"

#include <QString>
#include <QStringList>

#include <string>

// Shared by the tests of HLO text.
namespace hlotest {

using ModulePtr = std::shared_ptr<const hloscope::HloModule>;

inline hloscope::Expected<ModulePtr> parse(std::string text)
{
    return hloscope::parseHloText(hloscope::FileBytes::fromString(std::move(text), "test.hlo"));
}

// Null with a warning when the text cannot be read.
inline ModulePtr moduleOf(std::string text)
{
    const hloscope::Expected<ModulePtr> module = parse(std::move(text));
    if (!module)
        qWarning("%s", module.error().format().c_str());
    return module ? *module : nullptr;
}

inline ModulePtr open(const QString& path)
{
    const auto bytes = hloscope::FileBytes::open(path.toStdString());
    if (!bytes)
        return nullptr;
    const auto module = hloscope::parseHloText(*bytes);
    return module ? *module : nullptr;
}

// The first problem in words, to be shown when a test fails.
inline std::string firstProblem(const hloscope::HloModule& module)
{
    const auto& diagnostics = module.problems.diagnostics();
    if (!diagnostics.empty())
        return diagnostics.front().format();
    return module.problems.counts().empty() ? std::string("no problem") : module.problems.counts().begin()->first;
}

// Names of the HLO texts in a program's folder.
inline QStringList textNames()
{
    return {QStringLiteral("module.hlo"), QStringLiteral("before.hlo"), QStringLiteral("after_optimizations.hlo"),
            QStringLiteral("after_codegen.hlo")};
}

// HLO texts of the shared corpus where it is present, else those in the repository.
inline QStringList corpusTexts()
{
    QStringList files;
    for (const QString& name : textNames())
        files << testdata::corpus(name);
    if (!files.isEmpty())
        return files;
    const QDir folder(testdata::path(QStringLiteral("corpus")));
    for (const QString& program : folder.entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name)) {
        for (const QString& name : textNames()) {
            if (QFile::exists(folder.filePath(program + QLatin1Char('/') + name)))
                files << folder.filePath(program + QLatin1Char('/') + name);
        }
    }
    return files;
}

inline QStringList committedTexts(const QString& name)
{
    QStringList files;
    const QDir folder(testdata::path(QStringLiteral("corpus")));
    for (const QString& program : folder.entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name)) {
        if (QFile::exists(folder.filePath(program + QLatin1Char('/') + name)))
            files << folder.filePath(program + QLatin1Char('/') + name);
    }
    return files;
}

// What holds for every module, however broken its text: all ids lead somewhere, operands stand in front of their user
// inside the same computation, callees in front of their caller. Gives the first rule that is broken, or nothing.
inline QString brokenInvariant(const hloscope::HloModule& module)
{
    using namespace hloscope;
    const auto fits = [](IndexRange range, size_t size) { return range.begin <= size && range.end() <= size; };
    if (module.computations.empty() || !module.entry.isValid() || module.entry.index() >= module.computations.size())
        return QStringLiteral("no entry");
    uint32_t next = 0;
    for (size_t c = 0; c < module.computations.size(); ++c) {
        const HloComputation& computation = module.computations[c];
        if (computation.instructions.begin != next || computation.instructions.empty())
            return QStringLiteral("computations do not cover the instructions");
        next = computation.instructions.end();
        if (!computation.root.isValid() || computation.root.index() < computation.instructions.begin
            || computation.root.index() >= next)
            return QStringLiteral("no root");
    }
    if (next != module.instructions.size())
        return QStringLiteral("instructions outside of computations");
    for (uint32_t i = 0; i < module.instructions.size(); ++i) {
        const HloInstruction& op = module.instructions[i];
        if (!op.shape.isValid() || op.shape.index() >= module.shapes.size())
            return QStringLiteral("no shape");
        const IndexRange range = module.computation(op.computation).instructions;
        if (i < range.begin || i >= range.end())
            return QStringLiteral("wrong computation");
        if (!fits(op.operands, module.operandPool.size()) || !fits(op.called, module.calledPool.size())
            || !fits(op.attributes, module.attributePool.size()) || !fits(op.users, module.userPool.size()))
            return QStringLiteral("range outside of its pool");
        for (const InstructionId operand : module.operands(InstructionId(i))) {
            if (!operand.isValid() || operand.index() >= i || operand.index() < range.begin)
                return QStringLiteral("operand behind its user or in another computation");
            const auto users = module.users(operand);
            if (std::count(users.begin(), users.end(), InstructionId(i)) != 1)
                return QStringLiteral("operand does not know its user");
        }
        for (const ComputationId callee : module.called(InstructionId(i))) {
            if (!callee.isValid() || callee >= op.computation)
                return QStringLiteral("callee behind its caller");
        }
    }
    return {};
}

} // namespace hlotest
