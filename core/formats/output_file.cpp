// SPDX-License-Identifier: Apache-2.0
#include "core/formats/output_file.h"

#include <fmt/format.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace hloscope {
namespace {

constexpr size_t kBufferSize = 1u << 20;

} // namespace

OutputFile::OutputFile(std::string path) : m_path(std::move(path))
{
    errno = 0;
    m_file = gzopen(m_path.c_str(), m_path.ends_with(".gz") ? "wb6" : "wbT");
    m_isCreated = m_file != nullptr;
    if (!m_isCreated)
        fail();
}

OutputFile::~OutputFile()
{
    if (m_file != nullptr)
        gzclose(static_cast<gzFile>(m_file));
    std::error_code ignored;
    if (m_isCreated && !m_isFinished && std::filesystem::is_regular_file(m_path, ignored))
        std::filesystem::remove(m_path, ignored);
}

void OutputFile::fail()
{
    if (m_errno == 0)
        m_errno = errno != 0 ? errno : EIO;
}

void OutputFile::flush()
{
    if (m_file != nullptr && m_errno == 0 && !m_buffer.empty()) {
        errno = 0;
        if (gzwrite(static_cast<gzFile>(m_file), m_buffer.data(), static_cast<unsigned>(m_buffer.size())) <= 0)
            fail();
    }
    m_buffer.clear();
}

void OutputFile::write(std::string_view bytes)
{
    m_written += bytes.size();
    while (!bytes.empty()) {
        const std::string_view part = bytes.substr(0, kBufferSize - m_buffer.size());
        m_buffer += part;
        bytes.remove_prefix(part.size());
        if (m_buffer.size() == kBufferSize)
            flush();
    }
}

Expected<uint64_t> OutputFile::finish()
{
    flush();
    if (m_file != nullptr) {
        errno = 0;
        if (gzclose(static_cast<gzFile>(m_file)) != Z_OK)
            fail();
        m_file = nullptr;
    }
    if (m_errno != 0)
        return makeError(m_path, fmt::format("cannot be written: {}", std::strerror(m_errno)));
    m_isFinished = true;
    return m_written;
}

} // namespace hloscope
