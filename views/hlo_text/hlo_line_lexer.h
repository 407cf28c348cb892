// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace hloscope {

enum class HloTokenKind : uint8_t {
    Text, // punctuation, numbers and whatever has no kind of its own
    Keyword, // HloModule, ENTRY, ROOT
    Name, // of the instruction that the line defines
    Operand, // name of another instruction
    ComputationName,
    Opcode,
    Shape, // "bf16[8,1024]", without layout
    Layout, // "{1,0:T(8,128)(2,1)}"
    Key, // of an attribute, with its `=`
    Value, // of an attribute; a literal
    Comment,
    Fold, // shown as a chip until it is opened: metadata, backend_config, and very long values
};

// Bytes [begin, end) of the line. Tokens are in order and do not overlap; what lies between them is Text.
struct HloLineToken {
    uint32_t begin = 0;
    uint32_t end = 0;
    HloTokenKind kind = HloTokenKind::Text;

    bool operator==(const HloLineToken&) const = default;
};

// Takes one line of printed HLO apart for colouring. Any text is accepted: what does not look like HLO stays Text. One
// pass, linear in the line.
std::vector<HloLineToken> lexHloLine(std::string_view line);

} // namespace hloscope
