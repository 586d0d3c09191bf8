// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"

#include <QList>

namespace lockkeeper::locks {

// The lock names that Redisson writes as `text` in its keys and channels, the most likely first. Braces around the
// whole text were either added by Redisson or are part of the name.
[[nodiscard]] LOCKKEEPER_EXPORT QList<LockName> untagged(QByteArrayView text);

// All keys and channels of one lock, named as Redisson names them (core/locks/protocol.md, "Names"). A channel and
// each key but the hash are made when they are asked for.
class LOCKKEEPER_EXPORT LockKeys {
public:
    explicit LockKeys(const LockName& name);

    [[nodiscard]] QByteArray hash() const { return m_name.bytes(); }  // the lock itself
    [[nodiscard]] QByteArray channel() const;                         // unlock messages
    [[nodiscard]] QByteArray rwChannel() const;                       // unlock messages of a read/write lock
    [[nodiscard]] QByteArray fairQueue() const;                       // list of the waiting holders
    // Sorted set with the deadlines of the waiting holders.
    [[nodiscard]] QByteArray fairTimeouts() const;
    [[nodiscard]] QByteArray token() const;  // fenced lock: the last token

    // The prefix of the readers' timeout keys; a reader and ":rwlock_timeout:N" follow.
    [[nodiscard]] QByteArray readTimeoutBase() const { return m_tagged + ':'; }
    // One key for each hold of a reader; hold counts from 1.
    [[nodiscard]] QByteArray readTimeout(const HolderId& reader, qint64 hold) const;
    // The channel on which a fair lock's waiter is woken.
    [[nodiscard]] QByteArray fairWaiterChannel(const HolderId& waiter) const;

private:
    LockName m_name;
    QByteArray m_tagged;  // the name in braces, as the other names have it
};

// Patterns (as of SCAN's MATCH and of an ACL rule) of the keys that locks, semaphores and latches have beside the key
// of their name, for all names that match `pattern`.
[[nodiscard]] LOCKKEEPER_EXPORT QByteArrayList helperKeyPatterns(const QByteArray& pattern);
// Patterns of the channels that scripts declare as keys: a user who runs these scripts needs the rights to such keys.
[[nodiscard]] LOCKKEEPER_EXPORT QByteArrayList declaredChannelPatterns(const QByteArray& pattern);

// The locks that a message on this channel may belong to, the most likely first; none for other channels. There may be
// several, because Redisson's names are ambiguous: `abc` and `{abc}` share every channel, and the channel of a fair
// waiter has the same name as the channel of a lock whose name ends like a holder.
[[nodiscard]] LOCKKEEPER_EXPORT QList<LockName> locksOfChannel(QByteArrayView channel);
// Whether a message on one of these channels announces a release. On the channel of a plain lock "1" only wakes the
// waiters (control/lua/set_expiry.lua).
[[nodiscard]] LOCKKEEPER_EXPORT bool announcesRelease(QByteArrayView channel, QByteArrayView message);
// The most likely lock of locksOfChannel(); nothing for other channels.
[[nodiscard]] LOCKKEEPER_EXPORT std::optional<LockName> lockOfChannel(QByteArrayView channel);

// The fair waiter that this channel belongs to, if any.
[[nodiscard]] LOCKKEEPER_EXPORT std::optional<HolderId> fairWaiterOfChannel(QByteArrayView channel);

// The lock that a helper key (queue, timeouts, token, a reader's timeout, an unlock latch) belongs to; nothing for
// other keys.
[[nodiscard]] LOCKKEEPER_EXPORT std::optional<LockName> lockOfHelperKey(QByteArrayView key);
[[nodiscard]] inline bool isHelperKey(QByteArrayView key) {
    return lockOfHelperKey(key).has_value();
}

}  // namespace lockkeeper::locks
