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

// Reports when locks are acquired and released, for any cause: this program, another one, a lease that expires, a DEL.
// It reads each watched lock, and reads it again when the server reports a change of it (CLIENT TRACKING, on a
// connection of its own to each server), but not sooner than 10 ms after the last read. So it shows states, not
// messages: changes between two reads are not seen, such as a release that the same holder follows at once with an
// acquire. Where the server refuses CLIENT TRACKING (no right to it, a proxy, RESP2), it reads each second instead.
// Works for any kind of lock; the user needs the right to HGETALL. Thread: that of the clock.
class LOCKKEEPER_EXPORT LockEvents : public QObject {
    Q_OBJECT
public:
    // options and shards: as those of a LockClient. The shards must outlive this object.
    LockEvents(redis::ConnectionOptions options, topology::Shards& shards, Clock& clock, QObject* parent = nullptr);
    ~LockEvents() override;

    // name: the one on the server, Lock::name(). If the lock is held now, acquired() reports it.
    void watch(const LockName& name);
    void unwatch(const LockName& name);
    // Whether the server reports changes of this lock. False: the lock is read each second, or the server is not
    // connected.
    [[nodiscard]] bool isTracked(const LockName& name);

Q_SIGNALS:
    // The lock is held; it was free before, or others held it. holders: the fields of its hash, "UUID:THREAD", for a
    // writer "UUID:THREAD:write". Further readers beside those that were seen before are not reported.
    void acquired(const lockkeeper::LockName& name, const QByteArrayList& holders);
    // None of the holders that were seen holds the lock any more. If others hold it already, acquired() follows.
    void released(const lockkeeper::LockName& name);

private:
    class Names;
    std::unique_ptr<Names> m_names;
};

}  // namespace lockkeeper::locks
