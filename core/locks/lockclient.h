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
    Milliseconds watchdogTimeout{30000};       // Redisson's lockWatchdogTimeout: lease of a lock taken without one
    Milliseconds fairLockWaitTimeout{300000};  // how long a fair lock's waiter without a deadline keeps its place
    // How many replicas must have an acquire before it counts, of those that the server has: with fewer within the
    // time, the lock is given back and the call fails with Timeout. On a server with replicas each acquire holds up
    // this client's other commands until they have answered; on one without, it costs one INFO in ten seconds. A user
    // who may not ask (INFO, WAIT) takes locks as if there were none. 0 does not ask. Redisson does the same: WAIT 1
    // 1000.
    int replicasToWaitFor = 1;
    Milliseconds replicaTimeout{1000};
    Milliseconds commandTimeout{5000};  // how long one command may take before its outcome counts as unknown
};

// What one Redisson client instance is to the server: an id, a connection for commands, one for waiting, a watchdog.
// Makes lock objects, which are cheap handles and must not outlive it. Thread: one, that of its clock; no call blocks.
class LOCKKEEPER_EXPORT LockClient : public QObject {
    Q_OBJECT
public:
    LockClient(redis::ConnectionOptions options, const redis::TransportFactory& makeTransport, Clock& clock,
               LockClientOptions clientOptions = LockClientOptions(), QObject* parent = nullptr);
    // Over real sockets.
    LockClient(redis::ConnectionOptions options, Clock& clock, LockClientOptions clientOptions = LockClientOptions(),
               QObject* parent = nullptr);
    // Every call under way ends with ConnectionLost. Locks still held are left to their lease: release them first.
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
    // What this client believes to hold; each belief ends with its lease.
    [[nodiscard]] const HeldLocks& held() const noexcept { return m_held; }
    // Whether an acquire or a release of this holder was sent and is not answered, be it that its caller has left: what
    // it does may be on record already and not yet be believed.
    [[nodiscard]] bool hasCallsUnderWay(const HoldKey& key) const { return m_underWay.contains(key); }
    [[nodiscard]] redis::Connection& connection() noexcept { return m_commands; }

Q_SIGNALS:
    // A lock this client believed to hold is not its own any more. Whoever works under it should stop. No slot may run
    // an event loop of its own: renewals wait until it returns.
    void lockLost(const lockkeeper::locks::HoldKey& key, const QString& why);
    // held() is another now.
    void heldChanged();

private:
    friend class LockCalls;
    friend class Settling;

    [[nodiscard]] LeaseTicket leaseSent(const HoldKey& key, SteadyTime deadline, LeaseCause cause);
    void leaseSet(const HoldKey& key, LeaseTicket ticket, SteadyTime deadline, LeaseCause cause);
    void holdAcquired(const HoldKey& key, LeaseTicket ticket, SteadyTime deadline, Milliseconds lease, Renewal renewal);
    // A hold was given another lease than it was taken for.
    void holdLeased(const HoldKey& key, LeaseTicket ticket, SteadyTime deadline, Milliseconds lease);
    void holdReleasedOnce(const HoldKey& key);
    void holdEnded(const HoldKey& key);
    void holdSettled(const HoldKey& key, qint64 count);

    // Acquires and releases of one holder that were sent and not answered, and who waits for the last answer: settling
    // must not take their holds for strays.
    struct UnderWay {
        int calls = 0;
        std::vector<Completion<Done>> waiters;
    };
    void callBegan(const HoldKey& key) { ++m_underWay[key].calls; }
    void callEnded(const HoldKey& key);
    [[nodiscard]] Completion<Done> whenCallsEnded(const HoldKey& key) { return m_underWay[key].waiters.emplace_back(); }

    // Calls of one holder that want to stand in a queue: the last to leave gives up the place.
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
