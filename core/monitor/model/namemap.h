#pragma once

#include "base/ids.h"

#include <QList>

#include <unordered_map>

namespace lockkeeper::monitor {

// Values of many bytes by the names of locks, each with memory of its own. (QHash keeps values side by side in blocks
// that stay half empty: with hundreds of bytes a lock that is too much.) What find() answers stays where it is until
// the value is removed.
template <typename T>
class NameMap {
public:
    // Null when there is none.
    [[nodiscard]] T* find(const LockName& name) {
        const auto found = m_values.find(name);
        return found == m_values.end() ? nullptr : &found->second;
    }
    [[nodiscard]] const T* find(const LockName& name) const {
        const auto found = m_values.find(name);
        return found == m_values.end() ? nullptr : &found->second;
    }
    [[nodiscard]] bool contains(const LockName& name) const { return m_values.contains(name); }
    // Made anew when there is none.
    T& operator[](const LockName& name) { return m_values[name]; }
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
    // Not noexcept: then the map keeps each hash beside its value, rather than to reckon it anew for every neighbour
    // that a search passes.
    struct Hash {
        size_t operator()(const LockName& name) const { return qHash(name); }
    };

    std::unordered_map<LockName, T, Hash> m_values;
};

}  // namespace lockkeeper::monitor
