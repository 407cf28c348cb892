// SPDX-License-Identifier: Apache-2.0
#include "core/support/file_bytes.h"

#include <fmt/format.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hloscope {
namespace {

constexpr size_t kChunk = 1u << 20;

struct Inflated {
    std::string bytes;
    bool truncated = false;
};

class Descriptor {
public:
    explicit Descriptor(int fd) : m_fd(fd) { }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor()
    {
        if (m_fd > STDIN_FILENO)
            ::close(m_fd);
    }
    int get() const { return m_fd; }

private:
    int m_fd;
};

bool isGzip(std::string_view bytes)
{
    return bytes.size() >= 2 && bytes[0] == '\x1f' && bytes[1] == '\x8b';
}

bool isZstd(std::string_view bytes)
{
    return bytes.size() >= 4 && bytes.substr(0, 4) == std::string_view("\x28\xb5\x2f\xfd", 4);
}

Diagnostic tooLarge(const std::string& path)
{
    return makeError(path, fmt::format("the decompressed input is larger than {} GiB", FileBytes::kMaxInflated >> 30));
}

Expected<Inflated> inflateGzip(std::string_view input, const std::string& path)
{
    z_stream stream{};
    if (inflateInit2(&stream, 16 + MAX_WBITS) != Z_OK)
        return makeError(path, "zlib could not be initialised");
    Inflated out;
    size_t consumed = 0;
    std::string chunk(kChunk, '\0');
    std::optional<Diagnostic> error;
    for (;;) {
        const size_t offered = std::min(input.size() - consumed, kChunk);
        // zlib's interface predates const; it does not write through next_in.
        stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(input.data() + consumed));
        stream.avail_in = static_cast<uInt>(offered);
        stream.next_out = reinterpret_cast<Bytef*>(chunk.data());
        stream.avail_out = static_cast<uInt>(kChunk);
        const int status = inflate(&stream, Z_NO_FLUSH);
        const size_t produced = kChunk - stream.avail_out;
        consumed += offered - stream.avail_in;
        out.bytes.append(chunk, 0, produced);
        if (out.bytes.size() > FileBytes::kMaxInflated) {
            error = tooLarge(path);
            break;
        }
        if (status == Z_STREAM_END) {
            // A gzip file may hold several members one after another.
            if (!isGzip(input.substr(consumed)) || inflateReset(&stream) != Z_OK)
                break;
            continue;
        }
        if (status != Z_OK && status != Z_BUF_ERROR) {
            out.truncated = true;
            if (out.bytes.empty())
                error = makeErrorAt(path, consumed, "the gzip data is broken");
            break;
        }
        if (consumed == input.size() && produced == 0) {
            out.truncated = true;
            break;
        }
    }
    inflateEnd(&stream);
    if (error)
        return *error;
    return out;
}

Expected<Inflated> inflateZstd(std::string_view input, const std::string& path)
{
    const std::unique_ptr<ZSTD_DStream, size_t (*)(ZSTD_DStream*)> stream(ZSTD_createDStream(), ZSTD_freeDStream);
    Inflated out;
    std::string chunk(kChunk, '\0');
    ZSTD_inBuffer in{input.data(), input.size(), 0};
    size_t pending = 1;
    for (;;) {
        ZSTD_outBuffer buffer{chunk.data(), chunk.size(), 0};
        pending = ZSTD_decompressStream(stream.get(), &buffer, &in);
        if (ZSTD_isError(pending)) {
            if (out.bytes.empty())
                return makeErrorAt(path, in.pos,
                                   fmt::format("the zstd data is broken: {}", ZSTD_getErrorName(pending)));
            out.truncated = true;
            return out;
        }
        out.bytes.append(chunk, 0, buffer.pos);
        if (out.bytes.size() > FileBytes::kMaxInflated)
            return tooLarge(path);
        if (in.pos == in.size && buffer.pos < buffer.size)
            break;
    }
    out.truncated = pending != 0;
    return out;
}

Expected<std::string> readAll(int fd, const std::string& path)
{
    std::string bytes;
    std::string chunk(kChunk, '\0');
    for (;;) {
        const ssize_t got = ::read(fd, chunk.data(), chunk.size());
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return makeError(path, fmt::format("cannot be read: {}", std::strerror(errno)));
        if (got == 0)
            return bytes;
        bytes.append(chunk, 0, static_cast<size_t>(got));
        if (bytes.size() > FileBytes::kMaxStream)
            return makeError(path, fmt::format("gives more than {} GiB without an end", FileBytes::kMaxStream >> 30));
    }
}

} // namespace

Expected<std::shared_ptr<const FileBytes>> FileBytes::open(const std::string& path)
{
    const bool isStdin = path == "-";
    const Descriptor fd(isStdin ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (fd.get() < 0)
        return makeError(path, fmt::format("cannot be opened: {}", std::strerror(errno)));
    struct stat info { };
    if (::fstat(fd.get(), &info) != 0)
        return makeError(path, fmt::format("cannot be examined: {}", std::strerror(errno)));
    if (S_ISDIR(info.st_mode))
        return makeError(path, "is a directory, not a file");
    if (!isStdin && (S_ISCHR(info.st_mode) || S_ISBLK(info.st_mode)))
        return makeError(path, "is a device, not a file");

    const std::shared_ptr<FileBytes> file(new FileBytes);
    file->m_path = isStdin ? "<stdin>" : path;
    const auto size = static_cast<uint64_t>(info.st_size);
    if (S_ISREG(info.st_mode) && size >= kMapThreshold) {
        void* mapping = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd.get(), 0);
        if (mapping != MAP_FAILED) {
            file->m_mapping = mapping;
            file->m_mappingSize = size;
            file->m_bytes = {static_cast<const char*>(mapping), size};
        }
    }
    if (file->m_mapping == nullptr) {
        auto bytes = readAll(fd.get(), file->m_path);
        if (!bytes)
            return bytes.error();
        file->m_owned = std::move(*bytes);
        file->m_bytes = file->m_owned;
    }

    const bool gzip = isGzip(file->m_bytes);
    if (gzip || isZstd(file->m_bytes)) {
        auto inflated = gzip ? inflateGzip(file->m_bytes, file->m_path) : inflateZstd(file->m_bytes, file->m_path);
        if (!inflated)
            return inflated.error();
        auto plain = std::shared_ptr<FileBytes>(new FileBytes);
        plain->m_path = file->m_path;
        plain->m_owned = std::move(inflated->bytes);
        plain->m_bytes = plain->m_owned;
        plain->m_truncated = inflated->truncated;
        return std::shared_ptr<const FileBytes>(std::move(plain));
    }
    return std::shared_ptr<const FileBytes>(file);
}

std::shared_ptr<const FileBytes> FileBytes::fromString(std::string bytes, std::string name)
{
    std::shared_ptr<FileBytes> file(new FileBytes);
    file->m_path = std::move(name);
    file->m_owned = std::move(bytes);
    file->m_bytes = file->m_owned;
    return file;
}

FileBytes::~FileBytes()
{
    if (m_mapping != nullptr)
        ::munmap(m_mapping, m_mappingSize);
}

} // namespace hloscope
