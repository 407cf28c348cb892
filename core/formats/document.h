// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hlo/hlo_module.h"
#include "core/support/expected.h"
#include "core/support/progress.h"
#include "core/trace/trace.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace hloscope {

enum class FileKind : uint8_t {
    HloText,
    HloProto,
    HloModuleProto,
    HloSnapshot,
    XlaDump,
    XSpace,
    LogDirectory,
    ChromeTrace,
    PerfettoTrace,
    HeapProfile,
};
// "hlo_text", "xspace", ...: the words of the JSON output.
std::string_view fileKindName(FileKind kind);

// What one opened file holds.
struct Document {
    std::string path;
    FileKind kind = FileKind::HloText;
    std::vector<std::shared_ptr<const HloModule>> modules;
    std::vector<std::shared_ptr<const Trace>> traces;
    Problems problems; // of the container; modules and traces have their own
};

// Recognises the file by its content and reads it. An input that can be read in part gives a document with problems.
// Errors: nothing readable in it, an empty file, a kind that Hloscope does not know (with what the first bytes are),
// a directory without anything to open, no permission, cancel.
Expected<Document> openDocument(const std::string& path, Progress* progress = nullptr);

} // namespace hloscope
