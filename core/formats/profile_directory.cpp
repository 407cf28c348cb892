// SPDX-License-Identifier: Apache-2.0
#include "core/formats/profile_directory.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string_view>
#include <system_error>

namespace hloscope {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxDepth = 6; // of folders; a log directory is LOGDIR/[NAME/]plugins/profile/RUN
constexpr size_t kMaxEntries = 200'000;

bool isProfileName(std::string_view name)
{
    return name.ends_with(".xplane.pb") || name.ends_with(".xplane.pb.gz") || name.ends_with(".xplane.pb.zst");
}

// module_0001.jit_f.cl_123.after_optimizations.txt
bool isDumpName(std::string_view name)
{
    return name.starts_with("module_") && name.size() > 11
        && std::all_of(name.begin() + 7, name.begin() + 11, [](char c) { return c >= '0' && c <= '9'; });
}

Diagnostic cannotRead(const fs::path& folder, const std::error_code& error)
{
    return makeError(folder.string(), fmt::format("the directory cannot be read: {}", error.message()));
}

class Scanner {
public:
    explicit Scanner(fs::path root) : m_root(std::move(root)) { }

    Expected<DirectoryContents> scan()
    {
        std::error_code error;
        fs::recursive_directory_iterator entries(m_root, error);
        if (error)
            return cannotRead(m_root, error);
        for (const fs::recursive_directory_iterator end; entries != end;) {
            m_contents.isEmpty = false;
            visit(entries);
            if (++m_visited == kMaxEntries) {
                m_contents.problems.add(warning(fmt::format("only the first {} entries were looked at", kMaxEntries)));
                break;
            }
            const fs::path at = entries->path();
            entries.increment(error);
            if (error) {
                Diagnostic diagnostic = cannotRead(at, error);
                diagnostic.severity = Severity::Warning;
                m_contents.problems.add(std::move(diagnostic));
                error.clear();
            }
        }
        for (auto& [path, run] : m_runs) {
            std::sort(run.files.begin(), run.files.end());
            m_contents.runs.push_back(std::move(run));
        }
        std::stable_sort(m_contents.runs.begin(), m_contents.runs.end(),
                         [](const ProfileRun& a, const ProfileRun& b) { return a.name < b.name; });
        std::sort(m_contents.dumpedModules.begin(), m_contents.dumpedModules.end());
        return std::move(m_contents);
    }

private:
    Diagnostic warning(std::string message) const
    {
        Diagnostic diagnostic = makeError(m_root.string(), std::move(message));
        diagnostic.severity = Severity::Warning;
        return diagnostic;
    }

    void visit(fs::recursive_directory_iterator& entries)
    {
        std::error_code error;
        if (entries->is_directory(error)) {
            if (entries.depth() >= kMaxDepth)
                entries.disable_recursion_pending();
            return;
        }
        const fs::path& path = entries->path();
        const std::string name = path.filename().string();
        if (isProfileName(name)) {
            const fs::path folder = path.parent_path();
            ProfileRun& run = m_runs[folder.string()];
            run.path = folder.string();
            run.name = folder.filename().string();
            run.files.push_back(path.string());
        } else if (entries.depth() == 0 && isDumpName(name)) {
            if (name.ends_with(".after_optimizations.txt"))
                m_contents.dumpedModules.push_back(path.string());
            else
                ++m_contents.otherDumpFiles;
        }
    }

    fs::path m_root;
    DirectoryContents m_contents;
    std::map<std::string, ProfileRun> m_runs; // by folder
    size_t m_visited = 0;
};

} // namespace

Expected<DirectoryContents> scanDirectory(const std::string& path)
{
    return Scanner(path).scan();
}

} // namespace hloscope
