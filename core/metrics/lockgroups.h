// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"

#include <QHash>

#include <optional>
#include <vector>

namespace lockkeeper::metrics {

// Groups of locks by the beginning of their names, at most so many; all other locks are in one more, the first. A group
// without a known lock makes room for a new one. Without a separator the first group has all locks. A value.
class LockGroups {
public:
    static constexpr int rest = 0;                   // the number of the first group
    static constexpr qsizetype longestPrefix = 128;  // bytes; a longer one would make each scrape long
    static constexpr const char* restWord = "other";

    struct Place {
        int group = rest;
        bool isLeftOut = false;  // its name has a group for which there was no room
        bool isNew = false;      // the group has just begun, perhaps in the place of another one
    };

    // most: from 1.
    LockGroups(QByteArray separator, int most);

    // The group of a name that is known now, made if there is room.
    [[nodiscard]] Place placeOf(const LockName& name);
    // The same without making one.
    [[nodiscard]] int groupOf(const LockName& name) const;
    // One more known lock, or one less.
    void enter(int group) { ++m_groups[static_cast<size_t>(group)].known; }
    void leave(int group) { --m_groups[static_cast<size_t>(group)].known; }

    // As a label: empty without a separator.
    [[nodiscard]] QByteArray labelOf(int group) const { return m_groups[static_cast<size_t>(group)].label; }
    [[nodiscard]] int count() const { return static_cast<int>(m_groups.size()); }
    [[nodiscard]] bool isGrouping() const { return !m_separator.isEmpty(); }

private:
    struct Group {
        QByteArray prefix;
        QByteArray label;
        qint64 known = 0;
    };

    // Nothing if the name has no group of its own.
    [[nodiscard]] std::optional<QByteArray> prefixOf(const LockName& name) const;

    QByteArray m_separator;
    size_t m_most;
    std::vector<Group> m_groups;
    QHash<QByteArray, int> m_byPrefix;
};

}  // namespace lockkeeper::metrics
