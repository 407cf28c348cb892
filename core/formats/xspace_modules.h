// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/xspace_index.h"
#include "core/hlo/hlo_module.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace hloscope {

// An HLO module that travels inside a profile, in the plane `/host:metadata`.
struct EmbeddedModule {
    std::string name; // "jit_step(20)": module name and program id
    std::optional<uint64_t> programId;
    std::string_view hloProto; // serialised HloProto, a view into the file
    uint64_t offset = 0; // of these bytes
};

// Opens an embedded module; null when it cannot be opened (the function has reported why).
using ModuleOpener = std::function<std::shared_ptr<const HloModule>(const EmbeddedModule&)>;

// "jit_step(20)" -> "jit_step" and 20.
struct ProgramName {
    std::string_view module;
    std::optional<uint64_t> programId;
};
ProgramName parseProgramName(std::string_view text);

// The modules of the plane, in the order of the file. The program id is the stat `program_id`, else the number in the
// name, else the id of the metadata (which is another number in most files).
std::vector<EmbeddedModule> embeddedModules(const XPlaneIndex& plane, WireProblems& problems);

// Finds the module that an event belongs to.
class ProgramTable {
public:
    // Opens the modules with `open` (if any) and puts those that could be opened into `opened`.
    ProgramTable(std::vector<EmbeddedModule> modules, const ModuleOpener& open,
                 std::vector<std::shared_ptr<const HloModule>>& opened);

    struct Program {
        std::string_view moduleName; // empty when the profile does not say
        std::optional<uint32_t> moduleIndex; // into the opened modules
    };
    // By program id, which is unique; `moduleName` decides only where there is no id and no other module of that name.
    Program find(std::optional<uint64_t> programId, std::string_view moduleName) const;
    const std::vector<EmbeddedModule>& modules() const { return m_modules; }

private:
    std::vector<EmbeddedModule> m_modules;
    std::vector<std::optional<uint32_t>> m_openedIndex; // by module
    std::unordered_map<uint64_t, size_t> m_byProgram;
    std::unordered_map<std::string_view, std::vector<size_t>> m_byName;
};

} // namespace hloscope
