// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "lockkeeper_monitor_export.h"
#include "monitor/model/synchronizer.h"
#include "redis/command.h"
#include "redis/respvalue.h"

namespace lockkeeper::monitor {

// The channel of clients that wait for a semaphore or a latch (core/locks/protocol.md, "Semaphores and latches"). kind
// is never Unknown.
struct LOCKKEEPER_MONITOR_EXPORT SynchronizerChannel {
    SynchronizerKind kind = SynchronizerKind::Semaphore;
    QByteArray tag;  // the name as Redisson writes it in this channel, mostly with braces

    [[nodiscard]] QByteArray name() const;
    // The names that the channel may belong to, the most likely first.
    [[nodiscard]] QList<LockName> owners() const;
    // Nothing for other channels.
    [[nodiscard]] static std::optional<SynchronizerChannel> parse(QByteArrayView channel);
};

// When the lease of a permit ends, in an answer to ZSCORE; nothing: never.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT std::optional<WallTime> leaseEndIn(const redis::RespValue& score);

// The pattern of these channels for PUBSUB CHANNELS.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QByteArray channelPattern(SynchronizerKind kind);

// A name that may be a semaphore's or a latch's.
struct LOCKKEEPER_MONITOR_EXPORT AwaitedName {
    // Why: clients wait for it, there is a sorted set like that of its permits, or the user has named it.
    enum class By { Waiters, Leases, User };

    LockName name;
    QByteArray tag;  // as in the name of a semaphore's helper key
    SynchronizerKind kind = SynchronizerKind::Semaphore;
    int clients = 0;
    By by = By::Waiters;

    // For the key of a sorted set; nothing if it cannot be that of a semaphore's permits.
    [[nodiscard]] static std::optional<AwaitedName> ofLeases(const QByteArray& key);
    [[nodiscard]] static AwaitedName ofUser(const LockName& name);
};

// Whether what was read is a semaphore: other programs have sorted sets with such names, and strings that are no
// numbers.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT bool isProven(const Synchronizer& read, AwaitedName::By by);

// The commands that read the semaphore or latch. None of them returns more than a few bytes of the counter, whatever
// the key holds.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT std::vector<redis::Command> questionsAbout(const AwaitedName& awaited);
// answers: one for each command of questionsAbout(), in order. They were not read at one moment: the count may have
// changed before the leases were read. The caller handles errors other than WRONGTYPE and those of an unreadable key.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT Synchronizer decodeSynchronizer(
    const AwaitedName& awaited, const std::vector<Result<redis::RespValue>>& answers, SteadyTime at, WallTime atWall);

}  // namespace lockkeeper::monitor
