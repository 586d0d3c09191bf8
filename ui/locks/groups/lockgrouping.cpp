// SPDX-License-Identifier: Apache-2.0
#include "ui/locks/groups/lockgrouping.h"

#include <utility>

namespace lockkeeper::ui {

namespace {

// The rows of the locks that are shown, in their order.
std::vector<int> tableRows(const LockFilterModel& shown) {
    std::vector<int> rows(static_cast<size_t>(shown.rowCount()));
    for (int i = 0; i < shown.rowCount(); ++i)
        rows[static_cast<size_t>(i)] = shown.mapToSource(shown.index(i, 0)).row();
    return rows;
}

}  // namespace

LockGrouping::LockGrouping(const LockTableModel& locks, const LockFilterModel& shown, Options options)
    : m_locks(locks),
      m_options(std::move(options)),
      m_walk(locks, m_options.by == GroupBy::None ? std::vector<int>() : tableRows(shown)) {}

void LockGrouping::step(size_t count) {
    if (m_walk.isDone())
        return makeRows();
    m_walk.step(count, [this](const LockWalk::Met& met) {
        Members& members = membersOf(met.lock);
        members.group->add(met.lock);
        if (members.isExpanded || met.lock.lock.name == m_options.kept)
            members.locks.push_back(m_locks.arrivalAt(met.row));
    });
}

LockGrouping::Members& LockGrouping::membersOf(const monitor::LockRow& lock) {
    if (m_groups.empty() || !hasGroupKey(lock, m_groups[m_last].group->key)) {
        const GroupKey key = groupKeyOf(lock, m_options.by);
        m_last = m_placeOf.value(key, m_groups.size());
        if (m_last == m_groups.size()) {
            m_placeOf.insert(key, m_last);
            m_groups.push_back(started(key, lock.lock.name));
        }
    }
    return m_groups[m_last];
}

LockGrouping::Members LockGrouping::started(const GroupKey& key, const LockName& first) const {
    Members members{std::make_shared<LockGroup>(), m_options.isExpanded(key), {}};
    members.group->key = key;
    members.group->prefix = key.kind == GroupKey::Kind::Prefix ? prefixOf(first) : QString();
    return members;
}

void LockGrouping::makeRows() {
    m_rows.reserve(m_walk.size() + m_groups.size());
    for (Members& members : m_groups) {
        m_rows.push_back({members.group});
        for (const LockTableModel::Arrival lock : members.locks)
            m_rows.push_back({nullptr, lock});
    }
    m_isDone = true;
}

}  // namespace lockkeeper::ui
