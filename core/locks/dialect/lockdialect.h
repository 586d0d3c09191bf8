#pragma once

#include "base/result.h"
#include "locks/lockattempt.h"
#include "locks/scriptcall.h"
#include "redis/respvalue.h"

namespace lockkeeper::locks {

// What differs between the kinds of lock: their scripts, and how those answer. Stateless; LockCalls does the rest for
// all kinds alike. Source: protocol.md, and the recordings in tests/data.
class LockDialect {
public:
    LockDialect() = default;
    LockDialect(const LockDialect&) = delete;
    LockDialect& operator=(const LockDialect&) = delete;
    virtual ~LockDialect() = default;

    // Which of a holder's holds of a name this kind's are.
    [[nodiscard]] virtual HoldMode mode() const { return HoldMode::Exclusive; }

    // Takes the lock for `lease` or says what it waits for. queueFor: how long a waiter keeps its place in the queue,
    // for kinds that have one; nothing does not queue.
    [[nodiscard]] virtual ScriptCall acquire(const HoldKey& key, Milliseconds lease,
                                             std::optional<Milliseconds> queueFor) const = 0;
    // Answers nil when the holder does not hold it, 0 when it has holds left, 1 when it has none.
    [[nodiscard]] virtual ScriptCall release(const HoldKey& key, Milliseconds lease) const = 0;
    // Brings the holder's count down to `believed`, and answers the count that it has then. Running it again does no
    // harm.
    [[nodiscard]] virtual ScriptCall settle(const HoldKey& key, qint64 believed) const = 0;
    // Answers 1 when something was freed, else 0.
    [[nodiscard]] virtual ScriptCall force(const LockName& name) const = 0;
    [[nodiscard]] virtual bool hasQueue() const { return false; }
    // Gives up the place in the queue, as somebody who does not wait any longer; nothing for kinds without a queue.
    // Running it again does no harm.
    [[nodiscard]] virtual std::optional<ScriptCall> leaveQueue(const HoldKey& key, Milliseconds queuedFor) const;

    // Where messages for this waiter come; nothing for kinds that publish none, whose waiters look again by themselves.
    [[nodiscard]] virtual std::optional<QByteArray> channel(const HoldKey& key) const = 0;
    // What the answer to acquire() says. Without an override: nil is taken, a number the PTTL of the lock.
    [[nodiscard]] virtual Result<LockAttempt> attemptOf(const redis::RespValue& answer) const;

protected:
    // Of these files in locks/lua: what it shares with other scripts stands first.
    [[nodiscard]] static redis::Script script(std::initializer_list<const char*> files);
};

}  // namespace lockkeeper::locks
