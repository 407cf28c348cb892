// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace hloscope {

enum class WireType : uint8_t { Varint = 0, Fixed64 = 1, LengthDelimited = 2, Fixed32 = 5 };

// Walks over the fields of one serialised protobuf message without copying and without a schema. Lengths are never
// trusted: a field that claims more than is left is given as far as it goes, with `isCutOff()`, and ends the walk.
//
//     WireReader reader(bytes, offset);
//     while (reader.next()) {
//         if (reader.is(2, WireType::LengthDelimited)) use(reader.bytes());
//     }
//     if (reader.error() != WireReader::Error::None) report(reader.errorOffset());
class WireReader {
public:
    enum class Error : uint8_t {
        None,
        CutOff, // the message ends inside of a field
        BadNumber, // a varint of more than 10 bytes
        BadTag, // field number 0, a group or a wire type that does not exist
    };

    // `offset` is the place of the first byte in the file, for messages only.
    explicit WireReader(std::string_view bytes, uint64_t offset = 0)
        : m_begin(bytes.data()), m_at(bytes.data()), m_end(bytes.data() + bytes.size()), m_offset(offset)
    {
    }

    // Reads one field; false at the end and after an error.
    bool next();

    uint32_t field() const { return m_field; }
    WireType type() const { return m_type; }
    bool is(uint32_t field, WireType type) const { return m_field == field && m_type == type; }
    // Of a varint or a fixed-width field.
    uint64_t value() const { return m_value; }
    int64_t signedValue() const { return static_cast<int64_t>(m_value); }
    double doubleValue() const;
    // Of a length-delimited field.
    std::string_view bytes() const { return m_bytes; }
    uint64_t bytesOffset() const { return m_offset + static_cast<uint64_t>(m_bytes.data() - m_begin); }
    // The field claims `claimedLength()` bytes, which is more than `bytes()` has.
    bool isCutOff() const { return m_claimed > m_bytes.size(); }
    uint64_t claimedLength() const { return m_claimed; }
    // Where the field begins, i.e. its tag.
    uint64_t fieldOffset() const { return m_offset + static_cast<uint64_t>(m_tag - m_begin); }

    // Behind the last byte of the message.
    uint64_t endOffset() const { return m_offset + static_cast<uint64_t>(m_end - m_begin); }
    Error error() const { return m_error; }
    uint64_t errorOffset() const { return m_offset + static_cast<uint64_t>(m_at - m_begin); }

private:
    bool readVarint(uint64_t& value)
    {
        if (m_at < m_end && static_cast<uint8_t>(*m_at) < 0x80) {
            value = static_cast<uint8_t>(*m_at++);
            return true;
        }
        return readLongVarint(value);
    }
    bool readLongVarint(uint64_t& value);
    bool readFixed(unsigned bytes);
    bool readLengthDelimited();
    bool fail(Error error, const char* at)
    {
        m_error = error;
        m_at = at;
        return false;
    }

    const char* m_begin;
    const char* m_at;
    const char* m_end;
    const char* m_tag = nullptr;
    uint64_t m_offset;
    uint32_t m_field = 0;
    WireType m_type = WireType::Varint;
    Error m_error = Error::None;
    uint64_t m_value = 0;
    uint64_t m_claimed = 0;
    std::string_view m_bytes;
};

inline bool WireReader::next()
{
    if (m_at == m_end || m_error != Error::None)
        return false;
    m_tag = m_at;
    uint64_t tag = 0;
    if (!readVarint(tag))
        return false;
    m_field = static_cast<uint32_t>(tag >> 3);
    if (tag >> 3 == 0 || tag >> 32 != 0)
        return fail(Error::BadTag, m_tag);
    m_type = static_cast<WireType>(tag & 7);
    m_claimed = 0;
    m_bytes = {};
    switch (m_type) {
    case WireType::Varint:
        return readVarint(m_value);
    case WireType::LengthDelimited:
        return readLengthDelimited();
    case WireType::Fixed64:
        return readFixed(8);
    case WireType::Fixed32:
        return readFixed(4);
    }
    return fail(Error::BadTag, m_tag);
}

} // namespace hloscope
