// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

namespace lockkeeper::ui {

// Of many keys with a number each, keeps those with the largest numbers, and no more. Equal numbers have the order of
// their keys.
template <typename Key, typename Number>
class Largest {
public:
    using Entry = std::pair<Key, Number>;

    // most: at least 1.
    explicit Largest(size_t most) : m_most(most) {}

    // A key may come again with a larger number, which takes the place of its former one.
    void put(const Key& key, Number number) {
        if (m_entries.size() == m_most && !isBefore(number, key, m_entries.back()))
            return;
        std::erase_if(m_entries, [&key](const Entry& entry) { return entry.first == key; });
        const auto place =
            std::ranges::find_if(m_entries, [&](const Entry& entry) { return isBefore(number, key, entry); });
        m_entries.emplace(place, key, number);
        if (m_entries.size() > m_most)
            m_entries.pop_back();
    }
    // The largest first.
    [[nodiscard]] const std::vector<Entry>& entries() const noexcept { return m_entries; }

private:
    [[nodiscard]] static bool isBefore(Number number, const Key& key, const Entry& entry) {
        return number != entry.second ? number > entry.second : key < entry.first;
    }

    size_t m_most;
    std::vector<Entry> m_entries;
};

}  // namespace lockkeeper::ui
