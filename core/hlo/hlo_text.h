// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hlo/hlo_module.h"
#include "core/support/expected.h"
#include "core/support/file_bytes.h"
#include "core/support/progress.h"

#include <memory>
#include <string>
#include <vector>

namespace hloscope {

// Reads one module in XLA's text format, of any dialect from 2018 on. One pass, linear in the text. What is wrong or
// unknown is listed in HloModule::problems, and reading resumes at the next instruction; an error is returned only when
// nothing could be read, or on cancel.
Expected<std::shared_ptr<const HloModule>> parseHloText(std::shared_ptr<const FileBytes> source,
                                                        Progress* progress = nullptr);

// True when the bytes look like HLO text: an `HloModule` header or a computation body, after blanks and comments.
bool looksLikeHloText(std::string_view bytes);

// One shape, `bf16[4,8]{1,0:T(2,4)(2,1)}` or a tuple. The diagnostic has line 1 and the offending column.
Expected<Shape> parseShape(std::string_view text);

enum class HloTextForm : uint8_t {
    Source, // as the file has it: order of computations, async sugar, key order, frame tables
    // As HloModule.to_string() prints it. Exact for modules from protobuf; for modules from text, attribute values and
    // constants are still spelled as in the file.
    Xla,
    Dump, // as --xla_dump_hlo_as_text prints it: async ops plain, backend_config keys sorted
};

struct HloPrintOptions {
    HloTextForm form = HloTextForm::Source;
    bool metadata = true;
    bool backendConfig = true;
    bool operandShapes = false;
};

// Where things stand in printed text.
struct HloTextMap {
    std::vector<uint32_t> lineOfInstruction; // by InstructionId, from 0; UINT32_MAX for what is not printed
    std::vector<uint32_t> lineOfComputation; // by ComputationId: the line of its header
};

// Prints from the structure. A file that XLA printed comes back byte for byte in the form `Source`.
std::string printModule(const HloModule& module, const HloPrintOptions& options = {}, HloTextMap* map = nullptr);
std::string printComputation(const HloModule& module, ComputationId id, const HloPrintOptions& options = {});
// One line without indentation.
std::string printInstruction(const HloModule& module, InstructionId id, const HloPrintOptions& options = {});

} // namespace hloscope
