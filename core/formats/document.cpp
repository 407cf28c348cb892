// SPDX-License-Identifier: Apache-2.0
#include "core/formats/document.h"

#include "core/formats/file_probe.h"
#include "core/formats/profile_directory.h"
#include "core/formats/xspace_reader.h"
#include "core/hlo/hlo_proto.h"
#include "core/hlo/hlo_text.h"
#include "core/support/file_bytes.h"

#include <fmt/format.h>

#include <filesystem>

namespace hloscope {
namespace {

constexpr const char* kWhatCanBeOpened =
    "HLO text, a serialised HLO module, a profile (xplane.pb), a JAX log directory or an XLA dump directory";

Diagnostic cannotOpen(const std::string& path, std::string message)
{
    Diagnostic diagnostic = makeError(path, std::move(message));
    diagnostic.expected = kWhatCanBeOpened;
    return diagnostic;
}

Diagnostic notReadYet(const std::string& path, std::string_view what, std::string hint)
{
    Diagnostic diagnostic = cannotOpen(path, fmt::format("{} is not read yet", what));
    diagnostic.hint = std::move(hint);
    return diagnostic;
}

Diagnostic warning(const std::string& path, std::string message, std::string hint = {})
{
    Diagnostic diagnostic = makeError(path, std::move(message));
    diagnostic.severity = Severity::Warning;
    diagnostic.hint = std::move(hint);
    return diagnostic;
}

Expected<Document> openHloText(std::shared_ptr<const FileBytes> file, Progress* progress)
{
    Document document;
    document.kind = FileKind::HloText;
    document.path = file->path();
    if (file->truncated())
        document.problems.add(warning(file->path(), "the compressed data end early", "the file is cut off"));
    auto module = parseHloText(std::move(file), progress);
    if (!module)
        return module.error();
    document.modules.push_back(std::move(*module));
    return document;
}

FileKind fileKind(HloProtoKind kind)
{
    switch (kind) {
    case HloProtoKind::HloProto:
        return FileKind::HloProto;
    case HloProtoKind::HloModuleProto:
        return FileKind::HloModuleProto;
    case HloProtoKind::HloSnapshot:
        return FileKind::HloSnapshot;
    }
    return FileKind::HloProto;
}

Expected<Document> openHloProto(std::shared_ptr<const FileBytes> file, Progress* progress)
{
    Document document;
    document.path = file->path();
    if (file->truncated())
        document.problems.add(warning(file->path(), "the compressed data end early", "the file is cut off"));
    auto contents = readHloProto(std::move(file), progress);
    if (!contents)
        return contents.error();
    document.kind = fileKind(contents->kind);
    document.modules.push_back(std::move(contents->module));
    return document;
}

Expected<Document> openXSpace(std::shared_ptr<const FileBytes> file, Progress* progress)
{
    Document document;
    document.kind = FileKind::XSpace;
    document.path = file->path();
    XSpaceOptions options;
    options.openModule = [&](const EmbeddedModule& embedded) -> std::shared_ptr<const HloModule> {
        auto contents = readHloProto(file, embedded.hloProto, progress);
        if (contents)
            return std::move(contents->module);
        Diagnostic diagnostic = contents.error();
        diagnostic.severity = Severity::Warning;
        diagnostic.message = fmt::format("the module {} in the profile: {}", embedded.name, diagnostic.message);
        document.problems.add(std::move(diagnostic));
        return nullptr;
    };
    auto contents = readXSpace(file, options, progress);
    if (!contents)
        return contents.error();
    document.modules = contents->trace->modules;
    document.traces.push_back(std::move(contents->trace));
    return document;
}

Expected<Document> openFile(const std::string& path, Progress* progress)
{
    auto opened = FileBytes::open(path);
    if (!opened)
        return opened.error();
    const std::shared_ptr<const FileBytes> file = std::move(*opened);
    const std::string& name = file->path();
    switch (probeContent(file->bytes())) {
    case ContentKind::Empty:
        return cannotOpen(name, "the file is empty");
    case ContentKind::HloText:
        return openHloText(file, progress);
    case ContentKind::XSpace:
        return openXSpace(file, progress);
    case ContentKind::HloProto:
    case ContentKind::HloModuleProto:
    case ContentKind::HloSnapshot:
        return openHloProto(file, progress);
    case ContentKind::ChromeTrace:
        return notReadYet(name, "Chrome trace JSON", "JAX writes an xplane.pb beside its trace.json.gz");
    case ContentKind::PerfettoTrace:
        return notReadYet(name, "a Perfetto trace", {});
    case ContentKind::HeapProfile:
        return notReadYet(name, "a heap profile (pprof)", {});
    case ContentKind::MangledBinary: {
        Diagnostic diagnostic = cannotOpen(name, "the file went through a text conversion that destroyed its bytes");
        diagnostic.hint = "copy it again as a binary file";
        return diagnostic;
    }
    case ContentKind::Other:
        break;
    }
    Diagnostic diagnostic = cannotOpen(name, "this kind of file cannot be opened");
    diagnostic.found = describeOther(file->bytes());
    return diagnostic;
}

// Opens all files of a directory into one document. A file that cannot be opened becomes a warning; when there is none
// left, the first error is the answer.
Expected<Document> openAll(const std::vector<std::string>& files, FileKind kind, Progress* progress)
{
    Document all;
    all.kind = kind;
    std::optional<Diagnostic> firstError;
    for (const std::string& file : files) {
        auto document = openFile(file, progress);
        if (progress != nullptr && progress->isCancelled())
            return makeError(file, "opening was cancelled");
        if (!document) {
            if (!firstError)
                firstError = document.error();
            Diagnostic diagnostic = document.error();
            diagnostic.severity = Severity::Warning;
            all.problems.add(std::move(diagnostic));
            continue;
        }
        all.problems.merge(document->problems);
        std::move(document->modules.begin(), document->modules.end(), std::back_inserter(all.modules));
        std::move(document->traces.begin(), document->traces.end(), std::back_inserter(all.traces));
    }
    if (firstError && all.modules.empty() && all.traces.empty())
        return *firstError;
    return all;
}

// The newest run; what is left out is said.
Expected<Document> openLogDirectory(const std::string& path, const std::vector<ProfileRun>& runs, Progress* progress)
{
    const ProfileRun& newest = runs.back();
    auto document = openAll(newest.files, FileKind::LogDirectory, progress);
    if (document && runs.size() > 1) {
        std::string names;
        for (size_t i = runs.size() - 1; i-- > 0 && names.size() < 200;)
            names += (names.empty() ? "" : ", ") + runs[i].name;
        document->problems.add(warning(
            path, fmt::format("the run {} is shown, {} older ones are not: {}", newest.name, runs.size() - 1, names),
            "open the folder of a run to see it"));
    }
    return document;
}

Expected<Document> openDump(const DirectoryContents& contents, Progress* progress)
{
    auto document = openAll(contents.dumpedModules, FileKind::XlaDump, progress);
    if (document)
        document->problems.count("further files of the dump, not shown", contents.otherDumpFiles);
    return document;
}

Expected<Document> openDirectory(const std::string& path, Progress* progress)
{
    auto contents = scanDirectory(path);
    if (!contents)
        return contents.error();
    if (contents->isEmpty)
        return cannotOpen(path, "the directory is empty");
    if (contents->runs.empty() && contents->dumpedModules.empty()) {
        Diagnostic diagnostic = cannotOpen(path, "there is nothing in this directory that can be opened");
        if (contents->otherDumpFiles > 0)
            diagnostic.found = "an XLA dump without a module after optimisations";
        return diagnostic;
    }
    auto document =
        contents->runs.empty() ? openDump(*contents, progress) : openLogDirectory(path, contents->runs, progress);
    if (document) {
        document->path = path;
        document->problems.merge(contents->problems);
    }
    return document;
}

} // namespace

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
    std::error_code error;
    const bool isDirectory = std::filesystem::is_directory(path, error);
    return isDirectory ? openDirectory(path, progress) : openFile(path, progress);
}

} // namespace hloscope
