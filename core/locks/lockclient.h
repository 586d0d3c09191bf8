// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/completion.h"
#include "locks/hold.h"
#include "redis/connectionoptions.h"
#include "redis/transport.h"
#include "topology/shards.h"

#include <QObject>

#include <memory>
#include <vector>

namespace lockkeeper::topology {
class ShardConnections;
}

namespace lockkeeper::locks {

class FairLock;
class FencedLock;
class LockClientState;
class ReadWriteLock;
class ReentrantLock;
class SpinLock;

struct LOCKKEEPER_EXPORT LockClientOptions {
    ClientId id = ClientId::random();
    Milliseconds watchdogTimeout{30000};       // Redisson's lockWatchdogTimeout: the lease of a lock taken without one
    Milliseconds fairLockWaitTimeout{300000};  // how long a fair lock's waiter without a deadline keeps its place in
                                               // the queue
    // How many of the server's replicas must acknowledge an acquire before it counts. If fewer do so in time, the lock
    // is released and the call fails with Timeout. On a server with replicas each acquire blocks this client's other
    // commands until they have answered; on one without replicas the cost is one INFO in ten seconds. For a user who
    // may not run INFO or WAIT, locks are taken as if there were no replicas. 0 switches this off. Redisson does the
    // same: WAIT 1 1000.
    int replicasToWaitFor = 1;
    Milliseconds replicaTimeout{1000};
    Milliseconds commandTimeout{5000};  // time limit of one command; after it the outcome counts as unknown
};

// The counterpart of one Redisson client instance: an id, a connection for commands, one for waiting, and a watchdog.
// Makes lock objects, which are cheap handles and must not outlive it. Thread: one, that of its clock. No call blocks.
class LOCKKEEPER_EXPORT LockClient : public QObject {
    Q_OBJECT
public:
    // Locks are on the shard that keeps their name, so a client in a Cluster has these connections to each master. The
    // shards outlive it.
    LockClient(redis::ConnectionOptions options, topology::Shards& shards, Clock& clock,
               LockClientOptions clientOptions = LockClientOptions(), QObject* parent = nullptr);
    // One server.
    LockClient(redis::ConnectionOptions options, const redis::TransportFactory& makeTransport, Clock& clock,
               LockClientOptions clientOptions = LockClientOptions(), QObject* parent = nullptr);
    // One server, with real sockets.
    LockClient(redis::ConnectionOptions options, Clock& clock, LockClientOptions clientOptions = LockClientOptions(),
               QObject* parent = nullptr);
    // Every unfinished call ends with ConnectionLost. Locks still held stay until their lease expires: release them
    // first.
    ~LockClient() override;

    void open();
    void close();

    [[nodiscard]] ReentrantLock reentrantLock(const LockName& name);
    [[nodiscard]] FairLock fairLock(const LockName& name);
    [[nodiscard]] ReadWriteLock readWriteLock(const LockName& name);
    [[nodiscard]] FencedLock fencedLock(const LockName& name);
    [[nodiscard]] SpinLock spinLock(const LockName& name);

    [[nodiscard]] const ClientId& id() const noexcept { return m_options.id; }
    [[nodiscard]] const LockClientOptions& options() const noexcept { return m_options; }
    [[nodiscard]] Clock& clock() const noexcept { return m_clock; }
    // What this client believes to hold, the earliest deadline first. An entry ends when its lease expires.
    [[nodiscard]] std::vector<HoldKey> heldKeys() const;
    // Its count is 0 if this client believes not to hold it.
    [[nodiscard]] Hold hold(const HoldKey& key) const;
    // Whether an acquire or a release of this holder is sent but not answered, even if its caller no longer waits. The
    // server may already have executed it although hold() does not show it.
    [[nodiscard]] bool hasCallsUnderWay(const HoldKey& key) const;
    // Completes when no acquire or release of this holder is unanswered any more, and what such a call may have left on
    // the server is released; at once if it is so. As long as the server does not answer, it does not complete.
    [[nodiscard]] Completion<Done> whenSettled(const HoldKey& key) const;
    // The connections for commands. Include topology/shardconnections.h to use them.
    [[nodiscard]] topology::ShardConnections& connections() noexcept;

Q_SIGNALS:
    // The client no longer holds a lock that it believed to hold. Work that needs the lock should stop. No slot may run
    // a nested event loop: renewals are delayed until it returns.
    void lockLost(const lockkeeper::locks::HoldKey& key, lockkeeper::locks::LossReason why);
    // heldKeys() or one of the holds has changed.
    void heldChanged();

private:
    friend class LockCalls;
    friend class Settling;
    friend class Unsettled;

    [[nodiscard]] LockClientState& state() const noexcept { return *m_state; }

    const LockClientOptions m_options;
    Clock& m_clock;
    std::unique_ptr<topology::Shards> m_ownShards;  // null if they are the caller's
    std::unique_ptr<LockClientState> m_state;
};

}  // namespace lockkeeper::locks
