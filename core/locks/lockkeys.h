#pragma once

#include "base/ids.h"

#include <QList>

namespace lockkeeper::locks {

// The names that Redisson writes as this within its keys and channels, the likeliest first: braces around the whole were
// put there by it, or brought along by the name.
[[nodiscard]] LOCKKEEPER_EXPORT QList<LockName> untagged(QByteArrayView text);

// Where waiters listen for the lock's release; also LockKeys::channel, without the other names.
[[nodiscard]] LOCKKEEPER_EXPORT QByteArray unlockChannel(const LockName& name);

// Every key and channel that belongs to one lock, named as Redisson names them (protocol.md, "Names").
struct LOCKKEEPER_EXPORT LockKeys {
    explicit LockKeys(const LockName& name);

    QByteArray hash;          // the lock itself
    QByteArray channel;       // unlock messages
    QByteArray rwChannel;     // unlock messages of a read/write lock
    QByteArray fairQueue;     // list of waiting holders
    QByteArray fairTimeouts;  // sorted set of their deadlines
    QByteArray token;         // fenced lock: the last token given

    // What the names of the readers' timeout keys begin with: a reader and ":rwlock_timeout:N" follow.
    [[nodiscard]] QByteArray readTimeoutBase() const { return m_tagged + ':'; }
    // One per hold of a reader; hold counts from 1.
    [[nodiscard]] QByteArray readTimeout(const HolderId& reader, qint64 hold) const;
    // Where a fair lock's waiter is woken.
    [[nodiscard]] QByteArray fairWaiterChannel(const HolderId& waiter) const;

private:
    QByteArray m_tagged;
};

// The locks that a message on this channel may be about, the likeliest first; none for other channels. More than one
// where Redisson's names do not tell them apart: `abc` and `{abc}` share every channel, and a fair waiter's own channel
// could be that of a lock whose name ends like a holder.
[[nodiscard]] LOCKKEEPER_EXPORT QList<LockName> locksOfChannel(QByteArrayView channel);
// The likeliest of them.
[[nodiscard]] LOCKKEEPER_EXPORT std::optional<LockName> lockOfChannel(QByteArrayView channel);

// Whose own channel this is, when it is a fair waiter's.
[[nodiscard]] LOCKKEEPER_EXPORT std::optional<HolderId> fairWaiterOfChannel(QByteArrayView channel);

// The lock that a helper key (queue, timeouts, token, a reader's timeout, an unlock latch) belongs to; nothing when the
// key is no helper.
[[nodiscard]] LOCKKEEPER_EXPORT std::optional<LockName> lockOfHelperKey(QByteArrayView key);
[[nodiscard]] inline bool isHelperKey(QByteArrayView key) {
    return lockOfHelperKey(key).has_value();
}

}  // namespace lockkeeper::locks
