// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hloscope {

enum class Severity : uint8_t { Warning, Error };

// One thing that is wrong with an input, and where. Text inputs give line and column (both from 1), binary inputs the
// byte offset; an input that could not be read at all gives neither.
struct Diagnostic {
    Severity severity = Severity::Error;
    std::string file;
    std::string message; // what is wrong, as one sentence without a full stop
    std::string expected; // what should have stood there, may be empty
    std::string found; // what stood there, may be empty
    std::string hint; // what the user can do, may be empty
    uint32_t line = 0;
    uint32_t column = 0;
    std::optional<uint64_t> byteOffset;

    // `path:line:col: error: message, expected X, found Y (hint)`, with `path:@offset:` for binary inputs.
    std::string format() const;
};

Diagnostic makeError(std::string_view file, std::string message);
Diagnostic makeErrorAt(std::string_view file, uint64_t byteOffset, std::string message);

// What a reader met and did not stop for: the first `kMaxDiagnostics` diagnostics in full, and a count per kind of
// skipped or unknown item ("unknown field 37 in XStat" -> 12). Nothing is dropped in silence.
class Problems {
public:
    static constexpr size_t kMaxDiagnostics = 50;

    void add(Diagnostic diagnostic);
    void count(std::string_view what, uint64_t times = 1);

    const std::vector<Diagnostic>& diagnostics() const { return m_diagnostics; }
    const std::map<std::string, uint64_t, std::less<>>& counts() const { return m_counts; }
    uint64_t total() const { return m_total; }
    bool empty() const { return m_total == 0; }
    // Joins what another reader reported.
    void merge(const Problems& other);

private:
    std::vector<Diagnostic> m_diagnostics;
    std::map<std::string, uint64_t, std::less<>> m_counts;
    uint64_t m_total = 0;
};

} // namespace hloscope
