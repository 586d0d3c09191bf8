// SPDX-License-Identifier: Apache-2.0
#include "metrics/presentlocks.h"

#include <algorithm>

namespace lockkeeper::metrics {

namespace {

template <typename Key>
void changeCount(std::map<Key, qint64>& counts, const Key& key, qint64 by) {
    const auto count = counts.try_emplace(key, 0).first;
    count->second += by;
    if (count->second == 0)
        counts.erase(count);
}

std::optional<SteadyTime> earlier(std::optional<SteadyTime> one, std::optional<SteadyTime> other) {
    if (!one || !other)
        return one ? one : other;
    return std::min(*one, *other);
}

}  // namespace

QList<DiagnosisKey> keysOf(const QList<monitor::Diagnosis>& diagnoses) {
    QList<DiagnosisKey> keys;
    for (const monitor::Diagnosis& diagnosis : diagnoses)
        keys += {diagnosis.kind(), diagnosis.certainty};
    return keys;
}

LockShare shareOf(const monitor::LockRow& row, int group, bool isLeftOut) {
    const monitor::LockSnapshot& lock = row.lock;
    LockShare share;
    share.shard = lock.node ? lock.node->shard : topology::ShardId();
    share.group = group;
    share.kind = lock.kind;
    share.isHeld = lock.isHeld();
    share.isLeftOut = isLeftOut;
    share.waiters = std::max(lock.certainWaiters(), static_cast<int>(lock.fairQueue.size()));
    if (share.isHeld)
        share.heldSince = row.hold.since;
    share.diagnoses = keysOf(row.diagnoses);
    return share;
}

void PresentSums::change(const LockShare& share, int by) {
    changeCount(m_locks, {share.kind, share.isHeld}, by);
    m_waiters += by * share.waiters;
    for (const DiagnosisKey& key : share.diagnoses)
        changeCount(m_diagnoses, key, by);
    if (!share.isHeld)
        return;
    if (by > 0)
        m_holds.insert(share.heldSince);
    else if (const auto hold = m_holds.find(share.heldSince); hold != m_holds.end())
        m_holds.erase(hold);
}

void PresentSums::add(const PresentSums& other) {
    for (const auto& [key, count] : other.m_locks)
        changeCount(m_locks, key, count);
    m_waiters += other.m_waiters;
    for (const auto& [key, count] : other.m_diagnoses)
        changeCount(m_diagnoses, key, count);
    m_oldestOfOthers = earlier(m_oldestOfOthers, other.oldestHold());
}

std::optional<SteadyTime> PresentSums::oldestHold() const {
    return earlier(m_holds.empty() ? std::nullopt : std::optional(*m_holds.begin()), m_oldestOfOthers);
}

}  // namespace lockkeeper::metrics
