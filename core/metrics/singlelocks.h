// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "metrics/presentlocks.h"
#include "metrics/samples.h"

#include <QByteArrayList>
#include <QHash>
#include <QSet>

#include <functional>

namespace lockkeeper::metrics {

// The locks that have series of their own, at most so many: the first ones that are found. A lock that is not known any
// more has none, and makes room for the next one. A value.
class SingleLocks {
public:
    // A longer name has no series, because each scrape would repeat it several times.
    static constexpr qsizetype longestName = 256;  // bytes

    SingleLocks(QByteArrayList patterns, qsizetype most) : m_patterns(std::move(patterns)), m_most(most) {}

    void put(const monitor::LockRow& row);
    void remove(const LockName& name);
    void clear();
    void countAcquired(const LockName& name);
    [[nodiscard]] qsizetype leftOut() const { return m_leftOut.size(); }

    // isWatched: whether the master of a lock is watched now; other locks are left out.
    void write(Samples& samples, const Labels& target, SteadyTime now,
               const std::function<bool(topology::ShardId)>& isWatched) const;

private:
    struct Single {
        LockShare share;
        std::optional<int> waiters;  // nothing: not known
        quint64 acquired = 0;
    };

    [[nodiscard]] bool matches(const LockName& name) const;

    QByteArrayList m_patterns;
    qsizetype m_most;
    QHash<LockName, Single> m_locks;
    QSet<LockName> m_leftOut;  // known, and named by a pattern
};

}  // namespace lockkeeper::metrics
