// SPDX-License-Identifier: Apache-2.0
#include "ui/groups/lockgroups.h"

#include <QSet>

#include <algorithm>

namespace lockkeeper::ui {

namespace {

constexpr qsizetype longestPrefix = 80;  // characters of the name that are searched

// A group for each key, in the order in which they appear.
template <typename Key>
class GroupCounts {
public:
    LockGroup& of(const Key& key) {
        const auto known = m_places.constFind(key);
        if (known != m_places.cend())
            return m_groups[*known];
        m_places.insert(key, m_groups.size());
        return m_groups.emplace_back();
    }
    [[nodiscard]] std::vector<LockGroup> take() { return std::move(m_groups); }

private:
    QHash<Key, size_t> m_places;
    std::vector<LockGroup> m_groups;
};

// Letter by letter, as QString compares without case: the filter of a group then shows as many locks as were counted.
QString foldedCase(QString text) {
    for (QChar& letter : text)
        letter = letter.toCaseFolded();
    return text;
}

void count(LockGroup& group, const LockTableModel& locks, int row) {
    const monitor::LockSnapshot& lock = locks.rowAt(row).lock;
    ++group.locks;
    group.held += lock.isHeld() ? 1 : 0;
    group.waitedFor += isWaitedFor(lock) ? 1 : 0;
    group.faulty += locks.index(row, 0).data(LockTableModel::FaultRole).toBool() ? 1 : 0;
}

std::vector<LockGroup> byPrefix(const LockTableModel& locks) {
    GroupCounts<QString> counts;
    for (int row = 0; row < locks.rowCount(); ++row) {
        const QString prefix = prefixOf(locks.rowAt(row).lock.name);
        LockGroup& group = counts.of(foldedCase(prefix));
        if (group.locks == 0)
            group.prefix = prefix;
        count(group, locks, row);
    }
    return counts.take();
}

std::vector<LockGroup> byClient(const LockTableModel& locks) {
    GroupCounts<ClientId> counts;
    for (int row = 0; row < locks.rowCount(); ++row) {
        QSet<ClientId> clients;
        for (const monitor::Holder& holder : locks.rowAt(row).lock.holders)
            clients.insert(holder.id.client());
        for (const ClientId& client : std::as_const(clients)) {
            LockGroup& group = counts.of(client);
            group.client = client;
            count(group, locks, row);
        }
    }
    return counts.take();
}

}  // namespace

QString prefixOf(const LockName& name) {
    const QString text = plainName(name, longestPrefix);
    const auto isEnd = [](QChar c) { return QStringView(u":/{.#").contains(c); };
    const auto end = std::ranges::find_if(text, isEnd);
    return end == text.end() ? QString() : text.left(end - text.begin() + 1);
}

std::vector<LockGroup> lockGroups(const LockTableModel& locks, GroupBy by) {
    std::vector<LockGroup> groups = by == GroupBy::Prefix ? byPrefix(locks) : byClient(locks);
    std::ranges::stable_sort(groups, [](const LockGroup& a, const LockGroup& b) {
        return a.locks != b.locks ? a.locks > b.locks : a.prefix < b.prefix;
    });
    return groups;
}

QString filterOf(const LockGroup& group) {
    if (group.client)
        return QStringLiteral("holder:") + QString::fromLatin1(group.client->bytes());
    if (group.prefix.isEmpty() || group.prefix.contains(u'"'))
        return {};
    const bool hasSpace = std::ranges::any_of(group.prefix, [](QChar c) { return c.isSpace(); });
    return QStringLiteral("prefix:") + (hasSpace ? u'"' + group.prefix + u'"' : group.prefix);
}

}  // namespace lockkeeper::ui
