// SPDX-License-Identifier: Apache-2.0
#include "ui/locks/model/ownholds.h"

namespace lockkeeper::ui {

namespace {

OwnLease leaseOf(const control::OwnLock& lock) {
    if (lock.isQuarantine)
        return OwnLease::Quarantine;
    return lock.renewed ? OwnLease::Renewed : OwnLease::Fixed;
}

}  // namespace

QSet<LockName> OwnHolds::set(const QList<control::OwnLock>& locks, const Moment& now) {
    const QHash<LockName, OwnHold> before = std::exchange(m_holds, {});
    QSet<LockName> changed(before.keyBegin(), before.keyEnd());
    for (const control::OwnLock& lock : locks) {
        const auto known = before.constFind(lock.name);
        const bool isKnown = known != before.cend() && known->holder == lock.holder;
        OwnHold hold = isKnown ? *known : OwnHold{lock.holder, now, OwnLease::None};
        hold.lease = leaseOf(lock);
        // The writer may read, too: the lock stays as long as one of its holds is renewed.
        if (lease(lock.name) == OwnLease::Renewed)
            hold.lease = OwnLease::Renewed;
        m_holds.insert(lock.name, hold);
        if (known == before.cend())
            changed.insert(lock.name);
        else
            changed.remove(lock.name);
    }
    return changed;
}

monitor::SharedRow OwnHolds::completed(const monitor::SharedRow& row) const {
    const auto own = m_holds.constFind(row->lock.name);
    if (own == m_holds.cend() || row->hold.isBeginSeen() || row->lock.holderCount() != 1)
        return row;
    const monitor::Holder& holder = row->lock.holders.front();
    if (holder.id != own->holder || holder.mode == monitor::HoldMode::Read)
        return row;
    auto completed = std::make_shared<monitor::LockRow>(*row);
    completed->hold.begin = monitor::HoldBegin::Seen;
    completed->hold.since = std::min(row->hold.since, own->since.steady);
    completed->hold.sinceWall = std::min(row->hold.sinceWall, own->since.wall);
    return completed;
}

}  // namespace lockkeeper::ui
