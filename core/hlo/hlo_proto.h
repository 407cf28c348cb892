// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hlo/hlo_module.h"
#include "core/support/expected.h"
#include "core/support/file_bytes.h"
#include "core/support/progress.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace hloscope {

enum class HloProtoKind : uint8_t { HloProto, HloModuleProto, HloSnapshot };

struct HloProtoFile {
    HloProtoKind kind = HloProtoKind::HloProto;
    // The module in the same structure as from text: attributes are the text that XLA would print for the fields. Lines
    // are 0, as there is no text.
    std::shared_ptr<const HloModule> module;
    std::string_view bufferAssignment; // serialised BufferAssignmentProto, a view into the source; empty when absent
    std::string platform; // of a snapshot
};

// Which of the three the bytes are, judged by their outermost fields; nothing when they are something else.
std::optional<HloProtoKind> probeHloProto(std::string_view bytes);

// Reads a serialised HloProto, HloModuleProto or HloSnapshot. What can be read of a damaged file is kept and reported
// in HloModule::problems. Errors: something else, no computation in it, cancel.
Expected<HloProtoFile> readHloProto(const std::shared_ptr<const FileBytes>& source, Progress* progress = nullptr);
// The same for bytes inside of another file, for example the HLO in a profile. `bytes` is a view into `source`.
Expected<HloProtoFile> readHloProto(const std::shared_ptr<const FileBytes>& source, std::string_view bytes,
                                    Progress* progress = nullptr);

} // namespace hloscope
