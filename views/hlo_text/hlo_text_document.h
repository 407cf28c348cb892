// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hlo/hlo_module.h"
#include "core/hlo/hlo_text.h"
#include "core/hlo/op_category.h"
#include "core/support/progress.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace hloscope {

// A module as printed text, with the way from lines to instructions and back. Made off the GUI thread, immutable.
class HloTextDocument : public std::enable_shared_from_this<HloTextDocument> {
public:
    static constexpr uint32_t kNoLine = UINT32_MAX;

    // Null when cancelled.
    static std::shared_ptr<const HloTextDocument> create(std::shared_ptr<const HloModule> module, Progress& progress);

    const HloModule& module() const { return *m_module; }
    const std::shared_ptr<const HloModule>& modulePointer() const { return m_module; }
    std::string_view text() const { return m_text; }
    size_t lineCount() const { return m_lines.size(); }
    std::string_view line(size_t number) const; // from 0, without its line end
    size_t lineBegin(size_t number) const { return m_lines[number]; }
    size_t lineAt(size_t offset) const; // of a byte of the text

    InstructionId instructionAt(size_t line) const; // that the line defines
    ComputationId computationAt(size_t line) const; // whose header or body the line belongs to
    uint32_t lineOf(InstructionId id) const { return m_map.lineOfInstruction[id.index()]; }
    uint32_t lineOf(ComputationId id) const { return m_map.lineOfComputation[id.index()]; }
    OpCategory categoryOf(InstructionId id) const { return m_categories[id.index()]; }
    // Characters of the longest line while everything is folded.
    size_t widestFoldedLine() const { return m_widest; }

private:
    HloTextDocument() = default;
    bool index(Progress& progress);

    std::shared_ptr<const HloModule> m_module;
    std::string m_text;
    HloTextMap m_map;
    std::vector<size_t> m_lines; // where each begins
    std::vector<uint32_t> m_instructionOfLine; // UINT32_MAX for none
    std::vector<std::pair<uint32_t, uint32_t>> m_headers; // line, computation; sorted
    std::vector<OpCategory> m_categories; // by InstructionId
    size_t m_widest = 0;
};

// Where the pattern stands in the text, letter case aside, at most `limit` places. Empty when cancelled.
std::vector<size_t> findAll(std::string_view text, std::string_view pattern, size_t limit, const Progress& progress);

} // namespace hloscope
