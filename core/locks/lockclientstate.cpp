// SPDX-License-Identifier: Apache-2.0
#include "locks/lockclientstate.h"

#include "base/logging.h"
#include "base/safetext.h"
#include "locks/dialect/fairdialect.h"

#include <QMetaMethod>

#include <algorithm>

namespace lockkeeper::locks {

LockClientState::LockClientState(LockClient& client, const redis::ConnectionOptions& options, topology::Shards& shards)
    : m_client(client),
      m_commands(options, shards, client.clock()),
      m_unlockSignals(options, shards, client.clock()),
      m_watchdog(m_commands, m_held, client.options().watchdogTimeout),
      m_tracking(m_commands, m_held, m_watchdog),
      m_heldChanged(client, [&client] { Q_EMIT client.heldChanged(); }),
      m_lossDetectionChanged(client, [&client] { Q_EMIT client.lossDetectionChanged(); }) {
    const NameMapper& names = client.options().nameMapper;
    if (names.fairQueue == NameMapper::FairQueue::NotMapped) {
        m_fairDialect = std::make_unique<FairDialect>(names);
        m_nonReentrantFairDialect = std::make_unique<FairDialect>(names, Reentry::Refused);
    }
    // Another server may answer from now on; a closed connection may be deleted.
    QObject::connect(&m_commands, &topology::ShardConnections::stateChanged, &m_client,
                     [this](redis::Connection* connection, redis::Connection::State state) {
                         const auto known = m_replications.find(connection);
                         if (known != m_replications.end())
                             known->second.forget();
                         if (state == redis::Connection::State::Closed)
                             m_replications.erase(connection);
                     });
    const auto onLostHold = [this](const HoldKey& key, LossReason why) { onLost(key, why); };
    QObject::connect(&m_watchdog, &Watchdog::lost, &m_client, onLostHold);
    QObject::connect(&m_watchdog, &Watchdog::renewed, &m_client, [this] { noteHeldChange(); });
    QObject::connect(&m_tracking, &HeldTracking::lost, &m_client, onLostHold);
    QObject::connect(&m_tracking, &HeldTracking::leaseShortened, &m_client, [this] { noteHeldChange(); });
    QObject::connect(&m_tracking, &HeldTracking::lossDetectionChanged, &m_client,
                     [this] { m_lossDetectionChanged.post(); });
}

// ---- signals ----

// Each acquire and each release comes here; most programs have no receiver.
void LockClientState::noteHeldChange() {
    static const QMetaMethod heldChanged = QMetaMethod::fromSignal(&LockClient::heldChanged);
    if (m_client.isSignalConnected(heldChanged))
        m_heldChanged.post();
}

void LockClientState::onLost(const HoldKey& key, LossReason why) {
    qCInfo(logLocks) << "lost" << boundedName(key.name)
                     << (why == LossReason::LeaseExpired ? "because its lease expired" : "because it was taken away");
    noteHeldChange();
    m_unreported.push_back({key, why});
    QMetaObject::invokeMethod(
        &m_client, [this] { reportLoss(); }, Qt::QueuedConnection);
}

void LockClientState::reportLoss() {
    const Loss loss = m_unreported.front();
    m_unreported.pop_front();
    Q_EMIT m_client.lockLost(loss.key, loss.why);
}

bool LockClientState::hasUnreportedLoss(const HoldKey& key) const {
    return std::ranges::find(m_unreported, key, &Loss::key) != m_unreported.end();
}

Completion<Done> LockClientState::whenReported() {
    const Completion<Done> reported;
    QMetaObject::invokeMethod(
        &m_client, [reported] { reported.complete(Done()); }, Qt::QueuedConnection);
    return reported;
}

void LockClientState::acquirePostponed(const HoldKey& key, const Error& why) {
    QMetaObject::invokeMethod(
        &m_client, [client = &m_client, key, why] { Q_EMIT client->acquirePostponed(key, why); }, Qt::QueuedConnection);
}

// ---- what is held ----

bool LockClientState::staysHeld(const LockName& name, qint64 count) const {
    return count > 1 || m_held.holdersOf(name) > 1;
}

const LockDialect& LockClientState::fairDialect(Reentry reentry) const {
    if (reentry == Reentry::Refused)
        return m_nonReentrantFairDialect ? *m_nonReentrantFairDialect : nonReentrantFairDialect();
    return m_fairDialect ? *m_fairDialect : locks::fairDialect();
}

Replication* LockClientState::replication(const LockName& name) {
    redis::Connection* connection = m_commands.of(name.bytes());
    if (!connection)
        return nullptr;
    const LockClientOptions& options = m_client.options();
    return &m_replications.try_emplace(connection, *connection, options.replicasToWaitFor, options.replicaTimeout)
                .first->second;
}

LeaseTicket LockClientState::leaseSent(const HoldKey& key, SteadyTime deadline, LeaseCause cause) {
    const LeaseTicket ticket = m_held.leaseSent(key, deadline, cause);
    m_watchdog.watch(key);
    return ticket;
}

void LockClientState::leaseSet(const HoldKey& key, LeaseTicket ticket, SteadyTime deadline, LeaseCause cause) {
    m_held.leaseSet(key, ticket, deadline, cause);
    m_watchdog.watch(key);
}

void LockClientState::holdAcquired(const HoldKey& key, LeaseTicket ticket, SteadyTime deadline, Milliseconds lease,
                                   Renewal renewal) {
    // This answer may be processed before the timer that ends an earlier hold. The earlier hold may have expired, or
    // this command may have prolonged it. So the client no longer believes in the earlier hold, and reconciles it when
    // the new hold is released.
    const Hold* earlier = m_held.find(key);
    if (earlier && earlier->deadline <= m_client.clock().now())
        m_watchdog.endExpired();
    m_watchdog.watch(m_held.acquired(key, ticket, deadline, lease, renewal));
    m_tracking.taken(key.name);
    noteHeldChange();
}

void LockClientState::holdLeased(const HoldKey& key, LeaseTicket ticket, SteadyTime deadline, Milliseconds lease) {
    m_held.setLease(key, lease);
    leaseSet(key, ticket, deadline, LeaseCause::Renewal);
}

void LockClientState::holdReleasedOnce(const HoldKey& key) {
    const Hold* hold = m_held.find(key);
    if (!hold)
        return;
    m_held.setCount(key, hold->count - 1);
    m_watchdog.watch(key);  // the remaining holds of a reader may expire sooner
    noteHeldChange();
}

void LockClientState::holdEnded(const HoldKey& key) {
    if (m_held.remove(key))
        noteHeldChange();
}

void LockClientState::holdSettled(const HoldKey& key, qint64 count) {
    if (count >= m_held.count(key))
        return;
    m_held.setCount(key, count);
    if (count == 0)
        onLost(key, LossReason::TakenAway);
    else
        noteHeldChange();
}

void LockClientState::queueLeft(const HoldKey& key) {
    const auto queued = m_queued.find(key);
    if (--*queued == 0)
        m_queued.erase(queued);
}

}  // namespace lockkeeper::locks
