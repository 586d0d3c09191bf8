#pragma once

#include "base/result.h"
#include "lockkeeper_monitor_export.h"
#include "monitor/model/synchronizer.h"
#include "redis/command.h"
#include "redis/respvalue.h"

namespace lockkeeper::monitor {

// Where clients listen that wait for a semaphore or a latch (protocol.md, "Seen with the real client"). Kind: never
// Unknown.
struct LOCKKEEPER_MONITOR_EXPORT SynchronizerChannel {
    SynchronizerKind kind = SynchronizerKind::Semaphore;
    QByteArray tag;  // the name as Redisson writes it in channels and helper keys; see locks::untagged()

    [[nodiscard]] QByteArray name() const;
    // Nothing for other channels.
    [[nodiscard]] static std::optional<SynchronizerChannel> parse(QByteArrayView channel);
};

// What PUBSUB CHANNELS is asked for.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QByteArray channelPattern(SynchronizerKind kind);

// A name that clients wait on.
struct AwaitedName {
    LockName name;
    QByteArray tag;
    SynchronizerKind kind = SynchronizerKind::Semaphore;
    int clients = 0;
};

// Reading commands, none of which brings more than a few bytes of a counter, whatever its key holds.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT std::vector<redis::Command> questionsAbout(const AwaitedName& awaited);
// Answers: one to each question, in their order. They are not of one moment: a count may have changed before its leases
// were read. Errors other than WRONGTYPE and of a key that may not be read are the caller's.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT Synchronizer decodeSynchronizer(const AwaitedName& awaited,
                                                                const std::vector<Result<redis::RespValue>>& answers,
                                                                SteadyTime at, WallTime atWall);

}  // namespace lockkeeper::monitor
