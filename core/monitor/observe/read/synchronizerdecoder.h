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

// The pattern of these channels for PUBSUB CHANNELS.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QByteArray channelPattern(SynchronizerKind kind);

// A name that clients wait for.
struct AwaitedName {
    LockName name;
    QByteArray tag;  // as in the name of a semaphore's helper key
    SynchronizerKind kind = SynchronizerKind::Semaphore;
    int clients = 0;
};

// The commands that read the semaphore or latch. None of them returns more than a few bytes of the counter, whatever
// the key holds.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT std::vector<redis::Command> questionsAbout(const AwaitedName& awaited);
// answers: one for each command of questionsAbout(), in order. They were not read at one moment: the count may have
// changed before the leases were read. The caller handles errors other than WRONGTYPE and those of an unreadable key.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT Synchronizer decodeSynchronizer(
    const AwaitedName& awaited, const std::vector<Result<redis::RespValue>>& answers, SteadyTime at, WallTime atWall);

}  // namespace lockkeeper::monitor
