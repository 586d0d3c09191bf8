#include "locks/lockclient.h"

#include "base/logging.h"
#include "base/safetext.h"
#include "locks/kinds/fairlock.h"
#include "locks/kinds/fencedlock.h"
#include "locks/kinds/readwritelock.h"
#include "locks/kinds/spinlock.h"
#include "locks/kinds/reentrantlock.h"
#include "redis/sockettransport.h"

namespace lockkeeper::locks {

LockClient::LockClient(redis::ConnectionOptions options, const redis::TransportFactory& makeTransport, Clock& clock,
                       LockClientOptions clientOptions, QObject* parent)
    : QObject(parent),
      m_options(std::move(clientOptions)),
      m_commands(options, makeTransport, clock),
      m_signals(options, makeTransport, clock),
      m_watchdog(m_commands, m_held, m_options.watchdogTimeout),
      m_replication(m_commands, m_options.replicasToWaitFor, m_options.replicaTimeout) {
    connect(&m_commands, &redis::Connection::stateChanged, this, [this] { m_replication.forget(); });
    connect(&m_watchdog, &Watchdog::lost, this, [this](const HoldKey& key, LossReason why) {
        qCInfo(logLocks) << "lost" << boundedName(key.name)
                         << (why == LossReason::LeaseExpired ? "because its lease expired"
                                                             : "because it was taken away");
        Q_EMIT heldChanged();
        Q_EMIT lockLost(key, why);
    });
}

LockClient::LockClient(redis::ConnectionOptions options, Clock& clock, LockClientOptions clientOptions, QObject* parent)
    : LockClient(
          options, [endpoint = options.endpoint] { return redis::makeSocketTransport(endpoint); }, clock,
          std::move(clientOptions), parent) {}

LockClient::~LockClient() {
    close();
    m_scope.stop();
}

void LockClient::open() {
    m_commands.open();
}

void LockClient::close() {
    m_signals.close();
    m_commands.close();
}

ReentrantLock LockClient::reentrantLock(const LockName& name) {
    return {*this, name};
}

FairLock LockClient::fairLock(const LockName& name) {
    return {*this, name};
}

ReadWriteLock LockClient::readWriteLock(const LockName& name) {
    return {*this, name};
}

FencedLock LockClient::fencedLock(const LockName& name) {
    return {*this, name};
}

SpinLock LockClient::spinLock(const LockName& name) {
    return {*this, name};
}

LeaseTicket LockClient::leaseSent(const HoldKey& key, SteadyTime deadline, LeaseCause cause) {
    const LeaseTicket ticket = m_held.leaseSent(key, deadline, cause);
    m_watchdog.watch(key);
    return ticket;
}

void LockClient::leaseSet(const HoldKey& key, LeaseTicket ticket, SteadyTime deadline, LeaseCause cause) {
    m_held.leaseSet(key, ticket, deadline, cause);
    m_watchdog.watch(key);
}

void LockClient::holdAcquired(const HoldKey& key, LeaseTicket ticket, SteadyTime deadline, Milliseconds lease,
                              Renewal renewal) {
    // An answer may be processed before the timer that ends an earlier hold. That hold may have expired, or may have
    // been prolonged by this very command. So it is not believed, and it is reconciled when the new hold is released.
    const Hold* earlier = m_held.find(key);
    if (earlier && earlier->deadline <= clock().now()) {
        const QPointer<LockClient> alive(this);
        m_watchdog.endExpired();
        if (!alive)
            return;
    }
    m_held.acquired(key, ticket, deadline, lease, renewal);
    m_watchdog.watch(key);
    Q_EMIT heldChanged();
}

void LockClient::holdLeased(const HoldKey& key, LeaseTicket ticket, SteadyTime deadline, Milliseconds lease) {
    m_held.setLease(key, lease);
    leaseSet(key, ticket, deadline, LeaseCause::Renewal);
}

void LockClient::holdReleasedOnce(const HoldKey& key) {
    const Hold* hold = m_held.find(key);
    if (!hold)
        return;
    m_held.setCount(key, hold->count - 1);
    m_watchdog.watch(key);  // the remaining holds of a reader may expire sooner
    Q_EMIT heldChanged();
}

void LockClient::holdEnded(const HoldKey& key) {
    if (!m_held.find(key))
        return;
    m_held.remove(key);
    Q_EMIT heldChanged();
}

void LockClient::holdSettled(const HoldKey& key, qint64 count) {
    if (count >= m_held.count(key))
        return;
    m_held.setCount(key, count);
    Q_EMIT heldChanged();
    if (count == 0)
        Q_EMIT lockLost(key, LossReason::TakenAway);
}

void LockClient::queueLeft(const HoldKey& key) {
    const auto queued = m_queued.find(key);
    if (--*queued == 0)
        m_queued.erase(queued);
}

void LockClient::callEnded(const HoldKey& key) {
    const auto underWay = m_underWay.find(key);
    if (--underWay->calls > 0)
        return;
    const std::vector<Completion<Done>> waiters = std::move(underWay->waiters);
    m_underWay.erase(underWay);
    for (const Completion<Done>& waiter : waiters)
        waiter.complete(Done());
}

}  // namespace lockkeeper::locks

#include "moc_lockclient.cpp"
