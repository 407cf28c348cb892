// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/support/diagnostic.h"

#include <utility>
#include <variant>

namespace hloscope {

// A value or the diagnostic that says why there is none.
template <class T> class [[nodiscard]] Expected {
public:
    Expected(T value) // NOLINT(google-explicit-constructor): `return value;` should read naturally
        : m_state(std::in_place_index<0>, std::move(value))
    {
    }
    Expected(Diagnostic error) // NOLINT(google-explicit-constructor)
        : m_state(std::in_place_index<1>, std::move(error))
    {
    }

    bool hasValue() const { return m_state.index() == 0; }
    explicit operator bool() const { return hasValue(); }

    T& value() & { return std::get<0>(m_state); }
    const T& value() const& { return std::get<0>(m_state); }
    T&& value() && { return std::get<0>(std::move(m_state)); }
    T& operator*() & { return value(); }
    const T& operator*() const& { return value(); }
    T&& operator*() && { return std::move(*this).value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }

    const Diagnostic& error() const { return std::get<1>(m_state); }

private:
    std::variant<T, Diagnostic> m_state;
};

} // namespace hloscope
