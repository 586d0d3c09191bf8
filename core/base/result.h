// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"

#include <utility>
#include <variant>

namespace lockkeeper {

// A value or an Error. Core throws no exceptions; [[nodiscard]] makes the compiler warn about an ignored Result.
template <typename T>
class [[nodiscard]] Result {
public:
    Result(T value) : m_content(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : m_content(std::in_place_index<1>, std::move(error)) {}

    [[nodiscard]] bool ok() const noexcept { return m_content.index() == 0; }
    explicit operator bool() const noexcept { return ok(); }

    // Only when ok(); otherwise a programming error that aborts the program.
    [[nodiscard]] const T& value() const& { return std::get<0>(m_content); }
    [[nodiscard]] T& value() & { return std::get<0>(m_content); }
    [[nodiscard]] T&& value() && { return std::get<0>(std::move(m_content)); }
    const T& operator*() const& { return value(); }
    const T* operator->() const { return &value(); }

    // Only when not ok().
    [[nodiscard]] const Error& error() const { return std::get<1>(m_content); }

    friend bool operator==(const Result&, const Result&) = default;

private:
    std::variant<T, Error> m_content;
};

// Success without a value: use `Result<Done>` where you would write `Result<void>`.
struct Done {
    friend bool operator==(const Done&, const Done&) = default;
};

}  // namespace lockkeeper
