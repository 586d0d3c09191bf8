// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/model/listeners.h"
#include "monitor/model/locksnapshot.h"
#include "topology/shardid.h"

#include <QHash>
#include <QSet>

#include <optional>

namespace lockkeeper::monitor {

// The last count of the waiters for the locks of each shard. A lock that is not in its shard's count has no waiters.
// For a shard without a count nothing is known. Thread: one.
class LOCKKEEPER_MONITOR_EXPORT WaitingCounts {
public:
    using Waiting = QHash<LockName, Listeners>;

    // Returns the shard's count before; nothing if this is its first count.
    std::optional<Waiting> set(topology::ShardId shard, const Waiting& waiting);
    // The last count of each shard.
    [[nodiscard]] const QHash<topology::ShardId, Waiting>& all() const noexcept { return m_waiting; }
    // A lock was read again. Clients that left its queue have unsubscribed. If the lock has moved to another shard, its
    // count stays valid until that shard counts again.
    void follow(const LockSnapshot& before, const LockSnapshot& after);
    // Sets the lock's waiters, unless its read has counted them itself.
    void apply(LockSnapshot& lock) const;
    // Whether this waiter of a fair lock is subscribed on any server.
    [[nodiscard]] bool isListening(const HolderId& fairWaiter);

private:
    [[nodiscard]] const Waiting* of(const LockSnapshot& lock) const;

    QHash<topology::ShardId, Waiting> m_waiting;
    std::optional<QSet<HolderId>> m_listening;  // all fair waiters in m_waiting; nothing: not gathered yet
};

[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT topology::ShardId shardOf(const LockSnapshot& lock);

}  // namespace lockkeeper::monitor
