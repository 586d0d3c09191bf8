// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QSharedData>

#include <concepts>
#include <utility>

namespace lockkeeper::monitor {

// A value that only a few of many objects have: an optional that takes one pointer, and memory only where there is a
// value. Without a value it reads as T(). A value type: copies share the memory until one of them is edited, also in
// other threads.
template <typename T>
class Rare {
public:
    Rare() = default;
    Rare(T value) : m_data(new Data(std::move(value))) {}  // implicit, as for std::optional

    [[nodiscard]] explicit operator bool() const noexcept { return m_data.constData() != nullptr; }
    [[nodiscard]] const T& operator*() const { return m_data ? m_data->value : none(); }
    [[nodiscard]] const T* operator->() const { return &**this; }
    // The value for changes; T() at first. The reference is valid until this object is copied, assigned to or reset.
    [[nodiscard]] T& edit() {
        if (!m_data)
            m_data = new Data(T());
        return m_data->value;
    }
    void reset() { m_data = nullptr; }

    // An object without a value equals one with T().
    friend bool operator==(const Rare& a, const Rare& b) requires std::equality_comparable<T> {
        return a.m_data.constData() == b.m_data.constData() || *a == *b;
    }

private:
    struct Data : QSharedData {
        explicit Data(T kept) : value(std::move(kept)) {}
        T value;
    };

    static const T& none() {
        static const T none{};
        return none;
    }

    QSharedDataPointer<Data> m_data;
};

}  // namespace lockkeeper::monitor
