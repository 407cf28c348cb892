// SPDX-License-Identifier: Apache-2.0
#include "core/support/diagnostic.h"

#include <fmt/format.h>

namespace hloscope {

std::string Diagnostic::format() const
{
    std::string text = file;
    if (line != 0)
        text += fmt::format(":{}:{}", line, column);
    else if (byteOffset)
        text += fmt::format(":@{}", *byteOffset);
    text += severity == Severity::Error ? ": error: " : ": warning: ";
    text += message;
    if (!expected.empty())
        text += ", expected " + expected;
    if (!found.empty())
        text += ", found " + found;
    if (!hint.empty())
        text += " (" + hint + ")";
    return text;
}

Diagnostic makeError(std::string_view file, std::string message)
{
    Diagnostic diagnostic;
    diagnostic.file = file;
    diagnostic.message = std::move(message);
    return diagnostic;
}

Diagnostic makeErrorAt(std::string_view file, uint64_t byteOffset, std::string message)
{
    Diagnostic diagnostic = makeError(file, std::move(message));
    diagnostic.byteOffset = byteOffset;
    return diagnostic;
}

void Problems::add(Diagnostic diagnostic)
{
    ++m_total;
    if (m_diagnostics.size() < kMaxDiagnostics)
        m_diagnostics.push_back(std::move(diagnostic));
    else
        ++m_counts["more problems than are listed"];
}

void Problems::count(std::string_view what, uint64_t times)
{
    if (times == 0)
        return;
    m_total += times;
    const auto found = m_counts.find(what);
    if (found != m_counts.end())
        found->second += times;
    else
        m_counts.emplace(std::string(what), times);
}

void Problems::merge(const Problems& other)
{
    for (const Diagnostic& diagnostic : other.m_diagnostics)
        add(diagnostic);
    for (const auto& [what, times] : other.m_counts)
        count(what, times);
}

} // namespace hloscope
