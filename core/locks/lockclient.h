#pragma once

#include "async/taskscope.h"
#include "locks/calls/replication.h"
#include "locks/heldlocks.h"
#include "locks/unlocksignals.h"
#include "locks/watchdog.h"

#include <QObject>

namespace lockkeeper::locks {

class FairLock;
class FencedLock;
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
    LockClient(redis::ConnectionOptions options, const redis::TransportFactory& makeTransport, Clock& clock,
               LockClientOptions clientOptions = LockClientOptions(), QObject* parent = nullptr);
    // Uses real sockets.
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
    [[nodiscard]] Clock& clock() const noexcept { return m_commands.clock(); }
    // What this client believes to hold. An entry ends when its lease expires.
    [[nodiscard]] const HeldLocks& held() const noexcept { return m_held; }
    // Whether an acquire or a release of this holder is sent but not answered, even if its caller no longer waits. The
    // server may already have executed it although held() does not show it.
    [[nodiscard]] bool hasCallsUnderWay(const HoldKey& key) const { return m_underWay.contains(key); }
    [[nodiscard]] redis::Connection& connection() noexcept { return m_commands; }

Q_SIGNALS:
    // The client no longer holds a lock that it believed to hold. Work that needs the lock should stop. No slot may run
    // a nested event loop: renewals are delayed until it returns.
    void lockLost(const lockkeeper::locks::HoldKey& key, lockkeeper::locks::LossReason why);
    // held() has changed.
    void heldChanged();

private:
    friend class LockCalls;
    friend class Settling;

    [[nodiscard]] LeaseTicket leaseSent(const HoldKey& key, SteadyTime deadline, LeaseCause cause);
    void leaseSet(const HoldKey& key, LeaseTicket ticket, SteadyTime deadline, LeaseCause cause);
    void holdAcquired(const HoldKey& key, LeaseTicket ticket, SteadyTime deadline, Milliseconds lease, Renewal renewal);
    // The lease of a hold was changed after the acquire.
    void holdLeased(const HoldKey& key, LeaseTicket ticket, SteadyTime deadline, Milliseconds lease);
    void holdReleasedOnce(const HoldKey& key);
    void holdEnded(const HoldKey& key);
    void holdSettled(const HoldKey& key, qint64 count);

    // Acquires and releases of one holder that are sent but not answered, and the callers that wait for the last
    // answer. The reconciliation must not treat their holds as leftovers.
    struct UnderWay {
        int calls = 0;
        std::vector<Completion<Done>> waiters;
    };
    void callBegan(const HoldKey& key) { ++m_underWay[key].calls; }
    void callEnded(const HoldKey& key);
    [[nodiscard]] Completion<Done> whenCallsEnded(const HoldKey& key) { return m_underWay[key].waiters.emplace_back(); }

    // Calls of one holder that want a place in the queue; the last one to stop waiting removes the place.
    void queueJoined(const HoldKey& key) { ++m_queued[key]; }
    void queueLeft(const HoldKey& key);
    [[nodiscard]] bool isQueued(const HoldKey& key) const { return m_queued.contains(key); }

    LockClientOptions m_options;
    redis::Connection m_commands;
    UnlockSignals m_signals;
    HeldLocks m_held;
    Watchdog m_watchdog;
    Replication m_replication;
    QHash<HoldKey, UnderWay> m_underWay;
    QHash<HoldKey, int> m_queued;
    TaskScope m_scope;
};

}  // namespace lockkeeper::locks
