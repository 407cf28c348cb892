// SPDX-License-Identifier: Apache-2.0
#include "core/formats/wire_reader.h"

#include <bit>

namespace hloscope {

double WireReader::doubleValue() const
{
    return std::bit_cast<double>(m_value);
}

bool WireReader::readLongVarint(uint64_t& value)
{
    const char* const first = m_at;
    uint64_t result = 0;
    for (unsigned shift = 0; shift < 70; shift += 7) {
        if (m_at == m_end)
            return fail(Error::CutOff, m_tag);
        const auto byte = static_cast<uint8_t>(*m_at++);
        result |= static_cast<uint64_t>(byte & 0x7f) << shift;
        if (byte < 0x80) {
            value = result;
            return true;
        }
    }
    return fail(Error::BadNumber, first);
}

bool WireReader::readFixed(unsigned bytes)
{
    if (m_end - m_at < static_cast<std::ptrdiff_t>(bytes))
        return fail(Error::CutOff, m_tag);
    m_value = 0;
    for (unsigned i = 0; i < bytes; ++i)
        m_value |= static_cast<uint64_t>(static_cast<uint8_t>(m_at[i])) << (8 * i);
    m_at += bytes;
    return true;
}

bool WireReader::readLengthDelimited()
{
    if (!readVarint(m_claimed))
        return false;
    const auto left = static_cast<uint64_t>(m_end - m_at);
    if (m_claimed <= left) {
        m_bytes = {m_at, static_cast<size_t>(m_claimed)};
        m_at += m_claimed;
        return true;
    }
    // What is left is still given; the next call reports the error.
    m_bytes = {m_at, static_cast<size_t>(left)};
    m_error = Error::CutOff;
    m_at = m_tag;
    return true;
}

} // namespace hloscope
