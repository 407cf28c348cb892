// SPDX-License-Identifier: Apache-2.0
#include "core/formats/document.h"

#include "core/hlo/hlo_text.h"
#include "core/support/file_bytes.h"

namespace hloscope {

std::string_view fileKindName(FileKind kind)
{
    switch (kind) {
    case FileKind::HloText:
        return "hlo_text";
    case FileKind::HloProto:
        return "hlo_proto";
    case FileKind::HloModuleProto:
        return "hlo_module_proto";
    case FileKind::HloSnapshot:
        return "hlo_snapshot";
    case FileKind::XlaDump:
        return "xla_dump";
    case FileKind::XSpace:
        return "xspace";
    case FileKind::LogDirectory:
        return "log_dir";
    case FileKind::ChromeTrace:
        return "chrome_trace";
    case FileKind::PerfettoTrace:
        return "perfetto_trace";
    case FileKind::HeapProfile:
        return "heap_profile";
    }
    return "unknown";
}

Expected<Document> openDocument(const std::string& path, Progress* progress)
{
    auto file = FileBytes::open(path);
    if (!file)
        return file.error();
    Document document;
    document.path = path;
    if (looksLikeHloText((*file)->bytes())) {
        auto module = parseHloText(*file, progress);
        if (!module)
            return module.error();
        document.modules.push_back(*module);
        return document;
    }
    return makeError(path, "this kind of file is not known");
}

} // namespace hloscope
