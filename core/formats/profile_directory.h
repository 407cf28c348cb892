// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/support/expected.h"

#include <string>
#include <vector>

namespace hloscope {

// One profiling run: the files of all hosts, `LOGDIR/plugins/profile/RUN/HOST.xplane.pb`.
struct ProfileRun {
    std::string path; // of the run's folder
    std::string name; // of the folder, normally the time: "2026_11_29_16_16_20"
    std::vector<std::string> files; // sorted
};

// What there is to open in a directory.
struct DirectoryContents {
    std::vector<ProfileRun> runs; // oldest first, by name
    std::vector<std::string> dumpedModules; // module_NNNN.*after_optimizations.txt, sorted
    size_t otherDumpFiles = 0; // further files of an XLA dump
    bool isEmpty = true;
    Problems problems; // folders that cannot be read, limits reached
};

// Looks for profiles below a log directory (or inside of `plugins`, `profile` or one run), and for the files of an XLA
// dump in the directory itself. Errors: it cannot be read.
Expected<DirectoryContents> scanDirectory(const std::string& path);

} // namespace hloscope
