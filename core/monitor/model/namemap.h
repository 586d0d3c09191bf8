// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"

#include <QList>

#include <unordered_map>

namespace lockkeeper::monitor {

// Maps names of locks to large values; each value is allocated separately. QHash would store the values in blocks that
// stay half empty, which wastes too much with hundreds of bytes for each lock. The pointer from find() stays valid
// until the value is removed.
template <typename T>
class NameMap {
public:
    // A name and its value; the address does not change until the entry is removed.
    using Entry = std::pair<const LockName, T>;

    // The value; null if there is none.
    [[nodiscard]] T* find(const LockName& name) {
        const auto found = m_values.find(name);
        return found == m_values.end() ? nullptr : &found->second;
    }
    [[nodiscard]] const T* find(const LockName& name) const {
        const auto found = m_values.find(name);
        return found == m_values.end() ? nullptr : &found->second;
    }
    // As find(), with the name as the map keeps it.
    [[nodiscard]] Entry* entry(const LockName& name) {
        const auto found = m_values.find(name);
        return found == m_values.end() ? nullptr : &*found;
    }
    [[nodiscard]] bool contains(const LockName& name) const { return m_values.contains(name); }
    // As entry(); creates the value if there is none.
    [[nodiscard]] Entry& made(const LockName& name) { return *m_values.try_emplace(name).first; }
    T& operator[](const LockName& name) { return made(name).second; }
    void remove(const LockName& name) { m_values.erase(name); }
    void clear() { m_values.clear(); }

    [[nodiscard]] qsizetype size() const { return static_cast<qsizetype>(m_values.size()); }
    [[nodiscard]] QList<LockName> names() const {
        QList<LockName> names;
        names.reserve(size());
        for (const auto& [name, value] : m_values)
            names.append(name);
        return names;
    }
    // Pairs of name and value, in no order.
    [[nodiscard]] auto begin() { return m_values.begin(); }
    [[nodiscard]] auto end() { return m_values.end(); }

private:
    std::unordered_map<LockName, T, LockNameHash> m_values;
};

}  // namespace lockkeeper::monitor
