// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/completion.h"
#include "locks/hold.h"
#include "locks/namemapper.h"
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

class CountDownLatch;
class FairLock;
class FencedLock;
class LockClientState;
class NonReentrantFairLock;
class NonReentrantLock;
class PermitSemaphore;
class ReadWriteLock;
class ReentrantLock;
class Semaphore;
class SpinLock;

// How long a spin lock's waiter pauses before it tries again. The pauses grow by the factor, from the first to the
// longest one; each is shortened at random by up to a half. With a factor of 1 all pauses are as long as the first.
// Values below 1 ms and factors below 1 count as 1.
struct SpinBackOff {
    Milliseconds first{1};
    Milliseconds longest{128};
    int factor = 2;
};

// What the locks of one client have in common. The timeouts should be those of the Java clients that use the same
// locks.
struct LOCKKEEPER_EXPORT LockClientOptions {
    ClientId id = ClientId::random();
    NameMapper nameMapper;                     // none: locks have the names that the program gives
    Milliseconds watchdogTimeout{30000};       // Redisson's lockWatchdogTimeout: the lease of a lock taken without one
    Milliseconds fairLockWaitTimeout{300000};  // how long a fair lock's waiter without a deadline keeps its place in
                                               // the queue
    // How many of the server's replicas must acknowledge an acquire before it counts. If fewer acknowledge it in time,
    // the lock is released, and acquired again after a pause; at the end of its wait the call fails with Timeout and
    // TooFewReplicas.
    //
    // A server that itself requires replicas, by min-replicas-to-write, and has too few refuses each acquire. The
    // acquire is then tried again in the same way, and at the end the call fails with NoReplicas.
    //
    // On a server with replicas each acquire blocks this client's other commands until the replicas have answered. On a
    // server without replicas the cost is one INFO in ten seconds. For a user who may not run INFO or WAIT, locks are
    // taken as if there were no replicas. 0 switches this off. Redisson does the same: WAIT 1 1000.
    int replicasToWaitFor = 1;
    Milliseconds replicaTimeout{1000};  // time limit of one WAIT
    SpinBackOff spinBackOff;            // Redisson's LockOptions.BackOff
    Milliseconds commandTimeout{5000};  // time limit of one command; after it the outcome counts as unknown
};

// The counterpart of one Redisson client instance: an id, a connection for commands, one for waiting, and a watchdog.
// Makes the objects for locks, semaphores and latches, which are cheap handles and must not outlive the client. Thread:
// that of its clock. No call blocks.
class LOCKKEEPER_EXPORT LockClient : public QObject {
    Q_OBJECT
public:
    // For several servers. A lock is on the shard that keeps its name, so a client in a Cluster has a connection for
    // commands and one for waiting to each master. The shards must outlive the client.
    LockClient(redis::ConnectionOptions options, topology::Shards& shards, Clock& clock,
               LockClientOptions clientOptions = LockClientOptions(), QObject* parent = nullptr);
    // For one server, with these transports.
    LockClient(redis::ConnectionOptions options, const redis::TransportFactory& makeTransport, Clock& clock,
               LockClientOptions clientOptions = LockClientOptions(), QObject* parent = nullptr);
    // For one server, with real sockets.
    LockClient(redis::ConnectionOptions options, Clock& clock, LockClientOptions clientOptions = LockClientOptions(),
               QObject* parent = nullptr);
    // Every unfinished call ends with ConnectionLost. Locks that are still held stay until their lease expires: release
    // them before.
    ~LockClient() override;

    // Connects, and connects again after a loss, until close().
    void open();
    // Closes the connections. Waiting calls end with an error. Locks that are still held stay until their lease
    // expires.
    void close();

    // The handle of the lock with this name in the program. The handle's own name() is the name on the server
    // (LockClientOptions::nameMapper).
    [[nodiscard]] ReentrantLock reentrantLock(const LockName& name);
    [[nodiscard]] FairLock fairLock(const LockName& name);
    [[nodiscard]] ReadWriteLock readWriteLock(const LockName& name);
    [[nodiscard]] NonReentrantLock nonReentrantLock(const LockName& name);
    [[nodiscard]] NonReentrantFairLock nonReentrantFairLock(const LockName& name);
    [[nodiscard]] FencedLock fencedLock(const LockName& name);
    [[nodiscard]] SpinLock spinLock(const LockName& name);
    [[nodiscard]] Semaphore semaphore(const LockName& name);
    [[nodiscard]] PermitSemaphore permitSemaphore(const LockName& name);
    [[nodiscard]] CountDownLatch countDownLatch(const LockName& name);

    [[nodiscard]] const ClientId& id() const noexcept { return m_options.id; }
    [[nodiscard]] const LockClientOptions& options() const noexcept { return m_options; }
    [[nodiscard]] Clock& clock() const noexcept { return m_clock; }
    // The holds that this client believes to have, the earliest deadline first. An entry is removed when its lease
    // expires.
    [[nodiscard]] std::vector<HoldKey> heldKeys() const;
    // What this client believes about the hold. The count is 0 if it believes that it does not hold the lock.
    [[nodiscard]] Hold hold(const HoldKey& key) const;
    // Whether an acquire or a release of this holder is sent but not answered, even if its caller no longer waits. The
    // server may already have executed it although hold() does not show it.
    [[nodiscard]] bool hasCallsUnderWay(const HoldKey& key) const;
    // Completes when no acquire or release of this holder is unanswered, and what such a call may have left on the
    // server, a hold or a place in the queue, is released or has expired; at once if this is so already. It does not
    // complete as long as the server does not answer.
    //
    // If the server refuses the release of what is left, it completes with the server's error. The lock may then stay
    // until the lease of that call has passed; the release is tried again until then, first at a new master if the old
    // one was demoted.
    //
    // NotHeld: by the late answer to a release, the server had no hold of this holder any more, so the lock was lost
    // before. It completes from the event loop, so the caller may then destroy the client. If the client is destroyed
    // before, it completes with ConnectionLost.
    [[nodiscard]] Completion<Done> whenSettled(const HoldKey& key) const;
    // How a loss is noticed. RenewalOnly if at least one of the servers refuses to report changes, or while a server
    // refuses a read of a held lock.
    [[nodiscard]] LossDetection lossDetection() const;
    // Reads what the server keeps of this client's holds of the name. Call it after a command of your own on
    // connections() that may have changed the lock: the server does not report a client's own changes to that client.
    void checkHolds(const LockName& name);
    // Watches a hold that a command of your own on connections() has taken for this holder. The hold counts as held,
    // and its loss is reported, until forgetHold() or leaseEnd. It is not renewed. values: for a faster multi lock, the
    // values that the holder has; the loss of one of them counts as the loss of all.
    void watchHold(const HoldKey& key, Deadline leaseEnd, const QByteArrayList& values = {});
    // Ends watchHold(): a command of your own has released the hold. Call it also after a loss of values.
    void forgetHold(const HoldKey& key);
    // The connections for commands. Include topology/shardconnections.h to use them.
    [[nodiscard]] topology::ShardConnections& connections() noexcept;

    // All signals leave from the event loop, in the order of their causes. A slot may delete the client, call it, or
    // run an event loop, such as a dialog's: locks are renewed, and further signals leave, in that loop.
Q_SIGNALS:
    // The client no longer holds a lock that it believed to hold. Work that needs the lock should stop. A holder that
    // acquires the lock again meanwhile gets it after this signal.
    void lockLost(const lockkeeper::locks::HoldKey& key, lockkeeper::locks::LossReason why);
    // An acquire of this holder is still under way and is tried again after a pause. Either too few replicas have the
    // lock (TooFewReplicas, or NoReplicas as the server's reply), or the lock was lost while the replicas were awaited.
    void acquirePostponed(const lockkeeper::locks::HoldKey& key, const lockkeeper::Error& why);
    // heldKeys() or one of the holds has changed. Changes of one turn of the event loop are reported once.
    void heldChanged();
    void lossDetectionChanged();

private:
    friend class ClientWaits;
    friend class FairLock;
    friend class LeaseCommand;
    friend class LockCalls;
    friend class LockClientState;
    friend class NonReentrantFairLock;
    friend class RefusedRelease;
    friend class ReleaseCalls;
    friend class Settling;
    friend class SynchronizerCalls;
    friend class Unsettled;

    [[nodiscard]] LockClientState& state() const noexcept { return *m_state; }

    const LockClientOptions m_options;
    Clock& m_clock;
    std::unique_ptr<topology::Shards> m_ownShards;  // null if they are the caller's
    std::unique_ptr<LockClientState> m_state;
};

}  // namespace lockkeeper::locks
