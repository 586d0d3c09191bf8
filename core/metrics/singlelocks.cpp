// SPDX-License-Identifier: Apache-2.0
#include "metrics/singlelocks.h"

#include "redis/keypattern.h"

#include <algorithm>

namespace lockkeeper::metrics {

bool SingleLocks::matches(const LockName& name) const {
    return std::ranges::any_of(
        m_patterns, [&name](const QByteArray& pattern) { return redis::matchesPattern(pattern, name.bytes()); });
}

void SingleLocks::put(const monitor::LockRow& row) {
    const LockName& name = row.lock.name;
    auto known = m_locks.find(name);
    if (known == m_locks.end()) {
        if (m_patterns.isEmpty() || !matches(name))
            return;
        if (m_locks.size() >= m_most || name.bytes().size() > longestName) {
            m_leftOut.insert(name);
            return;
        }
        m_leftOut.remove(name);
        known = m_locks.insert(name, Single());
    }
    known->share = shareOf(row, 0, false);
    const bool isCounted = row.lock.waiters.has_value() || !row.lock.fairQueue.isEmpty();
    known->waiters = isCounted ? std::optional(known->share.waiters) : std::nullopt;
}

void SingleLocks::remove(const LockName& name) {
    m_locks.remove(name);
    m_leftOut.remove(name);
}

void SingleLocks::clear() {
    m_locks.clear();
    m_leftOut.clear();
}

void SingleLocks::countAcquired(const LockName& name) {
    if (const auto known = m_locks.find(name); known != m_locks.end())
        ++known->acquired;
}

void SingleLocks::write(Samples& samples, const Labels& target, SteadyTime now,
                        const std::function<bool(topology::ShardId)>& isWatched) const {
    for (const auto& [name, single] : m_locks.asKeyValueRange()) {
        const Labels labels = target.with("lock", name.display().toUtf8());
        samples.add(Metric::LockAcquired, labels, static_cast<double>(single.acquired));
        if (!isWatched(single.share.shard))
            continue;
        samples.add(Metric::LockHeld, labels, single.share.isHeld ? 1 : 0);
        if (single.share.isHeld)
            samples.add(Metric::LockHoldTime, labels,
                        std::chrono::duration<double>(now - single.share.heldSince).count());
        if (single.waiters)
            samples.add(Metric::LockWaiters, labels, *single.waiters);
        for (const DiagnosisKey& key : single.share.diagnoses)
            samples.add(Metric::LockDiagnoses,
                        labels.with("diagnosis", monitor::wordFor(key.kind).toLatin1())
                            .with("certainty", monitor::wordFor(key.certainty).toLatin1()),
                        1);
    }
}

}  // namespace lockkeeper::metrics
