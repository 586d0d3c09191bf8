// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "locks/heldlocks.h"
#include "locks/lockattempt.h"
#include "redis/respvalue.h"
#include "redis/script.h"

namespace lockkeeper::locks {

using redis::ScriptCall;

// What a second acquire by the holder of an exclusive lock does.
enum class Reentry { Counted, Refused };

// The differences between the kinds of lock: their scripts, and how to read the answers. Stateless; LockCalls contains
// what all kinds share. Sources: core/locks/protocol.md and the recordings in tests/data.
class LockDialect {
public:
    explicit LockDialect(Reentry reentry = Reentry::Counted) : m_reentry(reentry) {}
    LockDialect(const LockDialect&) = delete;
    LockDialect& operator=(const LockDialect&) = delete;
    virtual ~LockDialect() = default;

    [[nodiscard]] Reentry reentry() const { return m_reentry; }
    // Which mode of hold this kind of lock takes.
    [[nodiscard]] virtual HoldMode mode() const { return HoldMode::Exclusive; }

    // Takes the lock for `lease`, or answers what it must wait for. queueFor: how long a waiter keeps its place in the
    // queue, for kinds that have one; nothing: do not queue.
    [[nodiscard]] virtual ScriptCall acquire(const HoldKey& key, Milliseconds lease,
                                             std::optional<Milliseconds> queueFor) const = 0;
    // Answers nil if the holder does not hold the lock, 0 if holds remain, 1 if none remain. Answers text if none
    // remain and the server has refused to wake the waiters, see notAnnounced().
    [[nodiscard]] virtual ScriptCall release(const HoldKey& key, Milliseconds lease) const = 0;
    // Reduces the holder's count to `believed` and answers the count that remains. May safely be repeated.
    [[nodiscard]] virtual ScriptCall settle(const HoldKey& key, qint64 believed) const = 0;
    // Answers 1 if a lock was freed, else 0; text as release() answers it.
    [[nodiscard]] virtual ScriptCall force(const LockName& name) const = 0;
    [[nodiscard]] virtual bool hasQueue() const { return false; }
    // Removes a holder that stopped waiting from the queue; nothing for kinds without a queue. May safely be repeated.
    [[nodiscard]] virtual std::optional<ScriptCall> leaveQueue(const HoldKey& key, Milliseconds queuedFor) const;

    // The channel on which messages for this waiter arrive; nothing for kinds that publish none, whose waiters retry
    // after pauses.
    [[nodiscard]] virtual std::optional<QByteArray> channel(const HoldKey& key) const = 0;
    // Decodes the answer to acquire(). By default, nil means taken, a number is the PTTL of the lock, and an empty list
    // refuses a reentry.
    [[nodiscard]] virtual Result<LockAttempt> attemptOf(const HoldKey& key, const redis::RespValue& answer) const;
    // All keys of the lock on the server, the lock itself first; without the timeout keys of readers.
    [[nodiscard]] virtual QByteArrayList keysOf(const LockName& name) const { return {name.bytes()}; }

protected:
    // A script made of these files in locks/lua; shared functions come first.
    [[nodiscard]] static redis::Script script(std::initializer_list<const char*> files);
    // A script of these files that calls publish(), in all its forms.
    [[nodiscard]] static redis::Script publishingScript(std::initializer_list<const char*> files);

private:
    const Reentry m_reentry;
};

// A script made of these embedded files, which call publish(channel, message), in all its forms.
[[nodiscard]] LOCKKEEPER_EXPORT redis::Script publishingScript(const QStringList& paths);

// Decodes the answer of a publishing script: NotAnnounced if the script has done its work, but the server has refused a
// message.
[[nodiscard]] LOCKKEEPER_EXPORT std::optional<Error> notAnnounced(const redis::RespValue& answer);

// The number that a publishing script answers; NotAnnounced as notAnnounced(), or Protocol for any other answer.
[[nodiscard]] Result<qint64> numberIn(const redis::RespValue& answer);

// Deletes all these keys, unless the first of them exists. Answers how many were deleted, -1 if it exists.
[[nodiscard]] ScriptCall removalOf(const QByteArrayList& keys);

// Sets the leases of holds of any kind that are still held. Answers a list with 1 (set) or 0 (not held) for each.
[[nodiscard]] ScriptCall renewalOf(const std::vector<HoldKey>& holds, Milliseconds lease);

struct CheckedHold {
    HoldKey key;
    std::vector<Milliseconds> left{};  // for a reader: the time left to each of its holds
    QByteArrayList values{};           // for a hold of a faster multi lock: its values
};

// Reads what the server keeps of these holds of one lock. If the server's TTL is shorter than the time left to a
// reader's hold, the script prolongs it. Answers a list: the PTTL, the mode of a read/write lock, and for each hold 1
// (held), 0 (not held) or -1 (another holder has one of its values). Tracked.
[[nodiscard]] ScriptCall checkOf(const std::vector<CheckedHold>& holds);

}  // namespace lockkeeper::locks
