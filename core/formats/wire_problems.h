// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/wire_reader.h"
#include "core/support/diagnostic.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace hloscope {

// Gathers what is wrong in a protobuf file, in words for the user. `finish()` moves the counts of unknown fields, which
// are kept by number while reading because they may come millions of times, into the problems.
class WireProblems {
public:
    WireProblems(std::string file, Problems& problems) : m_file(std::move(file)), m_problems(problems) { }

    // The file ends early, and the caller says so: what ends there too is not reported again.
    void setFileIsCutOff(uint64_t fileSize) { m_cutAt = fileSize; }
    bool isAtCut(const WireReader& reader) const { return m_cutAt && reader.endOffset() == *m_cutAt; }
    // If the walk over a message ended early. `what` names the message: "the line 'XLA Ops' of the plane
    // '/device:TPU:0'".
    void check(const WireReader& reader, std::string_view what);
    // The field that the reader stands on is not one that we know; `message` is a literal.
    void countUnknown(const WireReader& reader, const char* message)
    {
        ++m_unknown[{message, reader.field() << 3 | static_cast<uint32_t>(reader.type())}];
    }
    void warnAt(uint64_t offset, std::string message, std::string hint = {});
    void count(std::string_view what, uint64_t times = 1) { m_problems.count(what, times); }
    // A copy as valid UTF-8; broken bytes become U+FFFD and are counted.
    std::string text(std::string_view bytes);
    void finish();
    const std::string& file() const { return m_file; }

private:
    std::string m_file;
    Problems& m_problems;
    std::optional<uint64_t> m_cutAt;
    std::map<std::pair<std::string_view, uint32_t>, uint64_t> m_unknown;
};

// Valid UTF-8 with U+FFFD for each byte that is not.
std::string toValidUtf8(std::string_view bytes);

} // namespace hloscope
