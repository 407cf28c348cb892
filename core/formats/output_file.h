// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/support/expected.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace hloscope {

// A file that is written from start to end, gzipped when its name ends in ".gz". Errors are kept until `finish()`. A
// file that is not finished, or not well, is removed.
class OutputFile {
public:
    explicit OutputFile(std::string path);
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;
    ~OutputFile();

    void write(std::string_view bytes);
    // Bytes written, before compression. Errors: the file cannot be created or written.
    Expected<uint64_t> finish();

private:
    void fail();
    void flush();

    std::string m_path;
    std::string m_buffer;
    void* m_file = nullptr; // gzFile: zlib writes plain files too
    uint64_t m_written = 0;
    int m_errno = 0;
    bool m_isCreated = false;
    bool m_isFinished = false;
};

} // namespace hloscope
