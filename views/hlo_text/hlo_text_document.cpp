// SPDX-License-Identifier: Apache-2.0
#include "views/hlo_text/hlo_text_document.h"

#include "views/hlo_text/hlo_line_lexer.h"

#include <algorithm>
#include <array>

namespace hloscope {

namespace {

constexpr size_t kPollEvery = 4096; // lines, instructions
constexpr size_t kFoldChars = 3; // room of a chip

size_t foldedLength(std::string_view line)
{
    size_t length = line.size();
    // Only long lines have something to fold that could matter for the widest one.
    for (const HloLineToken& token : lexHloLine(line)) {
        if (token.kind == HloTokenKind::Fold)
            length -= token.end - token.begin - std::min<size_t>(kFoldChars, token.end - token.begin);
    }
    return length;
}

unsigned char folded(char c)
{
    return static_cast<unsigned char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

} // namespace

std::shared_ptr<const HloTextDocument> HloTextDocument::create(std::shared_ptr<const HloModule> module,
                                                               Progress& progress)
{
    std::shared_ptr<HloTextDocument> document(new HloTextDocument);
    document->m_module = std::move(module);
    document->m_text = printModule(*document->m_module, {}, &document->m_map);
    if (progress.isCancelled() || !document->index(progress))
        return nullptr;
    return document;
}

bool HloTextDocument::index(Progress& progress)
{
    m_lines.push_back(0);
    for (size_t at = m_text.find('\n'); at != std::string::npos; at = m_text.find('\n', at + 1)) {
        if (at + 1 < m_text.size())
            m_lines.push_back(at + 1);
    }
    m_instructionOfLine.assign(m_lines.size(), UINT32_MAX);
    m_map.lineOfInstruction.resize(m_module->instructions.size(), kNoLine);
    m_map.lineOfComputation.resize(m_module->computations.size(), kNoLine);
    for (size_t i = 0; i < m_map.lineOfInstruction.size(); ++i) {
        if (m_map.lineOfInstruction[i] < m_lines.size())
            m_instructionOfLine[m_map.lineOfInstruction[i]] = static_cast<uint32_t>(i);
    }
    for (size_t i = 0; i < m_map.lineOfComputation.size(); ++i) {
        if (m_map.lineOfComputation[i] < m_lines.size())
            m_headers.emplace_back(m_map.lineOfComputation[i], static_cast<uint32_t>(i));
    }
    std::sort(m_headers.begin(), m_headers.end());
    m_categories.reserve(m_module->instructions.size());
    for (size_t i = 0; i < m_module->instructions.size(); ++i) {
        if (i % kPollEvery == 0 && progress.isCancelled())
            return false;
        m_categories.push_back(categorize(*m_module, InstructionId(i)));
    }
    for (size_t i = 0; i < m_lines.size(); ++i) {
        if (i % kPollEvery == 0 && progress.isCancelled())
            return false;
        const std::string_view text = line(i);
        if (text.size() > m_widest)
            m_widest = std::max(m_widest, foldedLength(text));
    }
    return true;
}

std::string_view HloTextDocument::line(size_t number) const
{
    const size_t begin = m_lines[number];
    size_t end = number + 1 < m_lines.size() ? m_lines[number + 1] - 1 : m_text.size();
    if (end > begin && m_text[end - 1] == '\n')
        --end;
    return std::string_view(m_text).substr(begin, end - begin);
}

size_t HloTextDocument::lineAt(size_t offset) const
{
    const auto next = std::upper_bound(m_lines.begin(), m_lines.end(), offset);
    return static_cast<size_t>(next - m_lines.begin()) - 1;
}

InstructionId HloTextDocument::instructionAt(size_t line) const
{
    if (line >= m_instructionOfLine.size() || m_instructionOfLine[line] == UINT32_MAX)
        return {};
    return InstructionId(m_instructionOfLine[line]);
}

ComputationId HloTextDocument::computationAt(size_t line) const
{
    const InstructionId instruction = instructionAt(line);
    if (instruction.isValid())
        return m_module->instruction(instruction).computation;
    const auto next =
        std::upper_bound(m_headers.begin(), m_headers.end(), std::pair(static_cast<uint32_t>(line), UINT32_MAX));
    if (next == m_headers.begin() || this->line(line).empty())
        return {};
    return ComputationId(std::prev(next)->second);
}

std::vector<size_t> findAll(std::string_view text, std::string_view pattern, size_t limit, const Progress& progress)
{
    std::vector<size_t> places;
    const size_t length = pattern.size();
    if (length == 0 || length > text.size())
        return places;
    // Horspool's algorithm on folded letters: skips by the letter under the pattern's last position.
    std::array<size_t, 256> skip;
    skip.fill(length);
    for (size_t i = 0; i + 1 < length; ++i)
        skip[folded(pattern[i])] = length - 1 - i;
    size_t poll = 0;
    for (size_t at = 0; at + length <= text.size();) {
        if (++poll % (1 << 20) == 0 && progress.isCancelled())
            return {};
        const unsigned char last = folded(text[at + length - 1]);
        bool matches = last == folded(pattern[length - 1]);
        for (size_t i = 0; matches && i + 1 < length; ++i)
            matches = folded(text[at + i]) == folded(pattern[i]);
        if (!matches) {
            at += skip[last];
            continue;
        }
        places.push_back(at);
        if (places.size() == limit)
            return places;
        at += length;
    }
    return places;
}

} // namespace hloscope
