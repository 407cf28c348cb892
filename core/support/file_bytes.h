// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/support/expected.h"

#include <memory>
#include <string>
#include <string_view>

namespace hloscope {

// The bytes of one input, decompressed where the file is gzip or zstd (recognised by content, not by name). Plain
// files of at least `kMapThreshold` bytes are mapped, all others are held in memory. Shared and immutable: whatever
// keeps views into the bytes also keeps this object.
class FileBytes {
public:
    static constexpr uint64_t kMapThreshold = 64ull << 20;
    // A compressed input may not grow beyond this, so that a small file cannot eat the machine's memory.
    static constexpr uint64_t kMaxInflated = 8ull << 30;

    // A pipe may not give more than this.
    static constexpr uint64_t kMaxStream = 2ull << 30;

    // Reads a file, or stdin for the path "-". Errors: missing, a directory or device, no permission, broken
    // compression. A
    // compressed stream that ends early gives what could be read, and `truncated()` is true.
    static Expected<std::shared_ptr<const FileBytes>> open(const std::string& path);
    static std::shared_ptr<const FileBytes> fromString(std::string bytes, std::string name);

    FileBytes(const FileBytes&) = delete;
    FileBytes& operator=(const FileBytes&) = delete;
    ~FileBytes();

    std::string_view bytes() const { return m_bytes; }
    const std::string& path() const { return m_path; }
    bool truncated() const { return m_truncated; }

private:
    FileBytes() = default;

    std::string m_path;
    std::string m_owned;
    std::string_view m_bytes;
    void* m_mapping = nullptr;
    size_t m_mappingSize = 0;
    bool m_truncated = false;
};

} // namespace hloscope
