// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>

namespace hloscope {

// An index into one particular flat array. `Tag` keeps ids of different arrays from being mixed up. A default
// constructed id is invalid.
template <class Tag> class TypedId {
public:
    constexpr TypedId() = default;
    constexpr explicit TypedId(size_t index) : m_value(static_cast<uint32_t>(index)) { }

    constexpr bool isValid() const { return m_value != kNone; }
    constexpr size_t index() const { return m_value; }
    constexpr auto operator<=>(const TypedId&) const = default; // NOLINT(modernize-use-nullptr): it compares with 0

private:
    static constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();
    uint32_t m_value = kNone;
};

// A run of entries in a flat array.
struct IndexRange {
    uint32_t begin = 0;
    uint32_t count = 0;

    constexpr bool empty() const { return count == 0; }
    constexpr uint32_t end() const { return begin + count; }
    constexpr bool operator==(const IndexRange&) const = default;
};

} // namespace hloscope

template <class Tag> struct std::hash<hloscope::TypedId<Tag>> {
    size_t operator()(hloscope::TypedId<Tag> id) const { return std::hash<size_t>()(id.index()); }
};
