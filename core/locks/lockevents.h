// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"
#include "redis/connectionoptions.h"
#include "topology/shards.h"

#include <QByteArrayList>
#include <QObject>

#include <memory>

namespace lockkeeper::redis {
class Connection;
}

namespace lockkeeper::locks {

// Reports when locks are acquired and released, by whomever: this program, another one, a lease that ends, a DEL. It
// reads each watched lock, and again whenever the server reports a change of it (CLIENT TRACKING, on a connection of
// its own at each server), but not sooner than 10 ms after the last read. So it shows states, not messages: what
// happens between two reads is not seen, such as a lock that its holder releases and takes again at once. Where the
// server refuses CLIENT TRACKING (no right to it, a proxy, RESP2), it reads each second instead. Any kind of lock; the
// user needs the right to HGETALL. Thread: one, that of the clock.
class LOCKKEEPER_EXPORT LockEvents : public QObject {
    Q_OBJECT
public:
    // As a LockClient's. The shards outlive it.
    LockEvents(redis::ConnectionOptions options, topology::Shards& shards, Clock& clock, QObject* parent = nullptr);
    ~LockEvents() override;

    // The name on the server: Lock::name(). If the lock is held now, this is reported as acquired().
    void watch(const LockName& name);
    void unwatch(const LockName& name);
    // False: it is read each second, or the server is not connected.
    [[nodiscard]] bool isTracked(const LockName& name);

Q_SIGNALS:
    // The lock was free, or others held it. holders: the fields of its hash, "UUID:THREAD", of a writer
    // "UUID:THREAD:write". Further readers beside those that were seen before are not reported.
    void acquired(const lockkeeper::LockName& name, const QByteArrayList& holders);
    // Nobody of those that were seen holds it any more. If others hold it already, acquired() follows.
    void released(const lockkeeper::LockName& name);

private:
    class Names;
    std::unique_ptr<Names> m_names;
};

}  // namespace lockkeeper::locks
