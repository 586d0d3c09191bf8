// SPDX-License-Identifier: Apache-2.0
#include "monitor/nodewatch.h"

#include "locks/lockkeys.h"
#include "monitor/model/monitorcause.h"

namespace lockkeeper::monitor {

using redis::Connection;

NodeWatch::NodeWatch(topology::ShardId shard, topology::Shards& shards, const redis::ConnectionOptions& options,
                     Clock& clock, const MonitorOptions& monitorOptions, const KnownLocks& known)
    : m_shard(shard),
      m_shards(shards),
      m_knownNames(monitorOptions.knownNames),
      m_known(known),
      m_clock(clock),
      m_budget(clock, monitorOptions.readsPerSecond),
      m_observer(options, shards.transports(shard), clock, m_budget, m_denials, monitorOptions.pollInterval, *this),
      m_discovery(options, shards.transports(shard), clock, m_budget, m_denials, monitorOptions.discovery, known,
                  m_observer, *this),
      m_synchronizers(m_discovery.connection(), m_budget, m_denials, m_discovery, *this),
      m_info(m_discovery.connection(), m_denials, *this),
      m_rights(m_discovery.connection(), m_denials),
      m_replicas(m_discovery.connection(), options, shard, *this),
      m_latency(m_discovery.connection(), m_budget, monitorOptions.readLimits(),
                [this] { return m_observer.mode() != ObservationMode::Polling; }),
      m_silence(m_discovery.connection()),
      m_everyWrite(options, shards.transports(shard), clock, monitorOptions.writeLimits),
      m_writtenNames(m_discovery.connection(), m_budget, m_denials, known, m_observer, *this) {
    if (const QByteArrayList& prefixes = monitorOptions.discovery.prefixes; !prefixes.isEmpty()) {
        m_prefixes.emplace(options, shards.transports(shard), clock, prefixes);
        connect(&*m_prefixes, &BroadcastTracking::written, this, &NodeWatch::onWritten);
        connect(&*m_prefixes, &BroadcastTracking::refused, this, [this](BroadcastTracking::Obstacle obstacle) {
            m_denials.note(nameOf(obstacle), Consequence::PrefixesNotTracked);
        });
        connect(&m_info, &InfoWatch::loadRead, &*m_prefixes, &BroadcastTracking::checkLimit);
    }
    connect(&m_everyWrite, &EveryWrite::written, this, &NodeWatch::onWritten);
    connect(&m_everyWrite, &EveryWrite::stateChanged, this, &NodeWatch::figuresChanged);
    connect(&m_info, &InfoWatch::loadRead, this, [this] { m_everyWrite.noteLoad(m_info.commandsPerSecond()); });
    connect(&m_discovery.connection(), &Connection::stateChanged, this, &NodeWatch::onScanConnectionState);
    connect(&m_writtenNames, &WrittenNames::confirmed, this, &NodeWatch::onConfirmed);
    connect(&m_observer, &Observer::stateChanged, this, &NodeWatch::onConnectionState);
    connect(&m_observer.connection(), &Connection::roleRead, this, &NodeWatch::figuresChanged);
    connect(&m_observer, &Observer::began, this, &NodeWatch::onBegan);
    connect(&m_observer, &Observer::lockRead, this, &NodeWatch::lockRead);
    connect(&m_observer, &Observer::lostSightOf, this, &NodeWatch::lostSightOf);
    connect(&m_observer, &Observer::unknownNameReported, this, &NodeWatch::onUnknownNameReported);
    connect(&m_discovery, &Discovery::unknownNameRead, this, &NodeWatch::onUnknownNameRead);
    connect(&m_observer, &Observer::unknownNameInvalidated, this, &NodeWatch::onUnknownNameInvalidated);
    connect(&m_observer.knownNames(), &NameReads::confirmed, this,
            [this](const LockSnapshot& lock) { onConfirmed(lock, Confirmation::Tracked); });
    connect(&m_observer.knownNames(), &NameReads::ended, &m_discovery, &Discovery::beginSweeps);
    for (NameReads* names : {&m_discovery.touchedNames(), &m_discovery.invalidatedNames()}) {
        connect(names, &NameReads::confirmed, this,
                [this](const LockSnapshot& lock) { onConfirmed(lock, Confirmation::Untracked); });
    }
    connect(&m_discovery, &Discovery::confirmed, this, &NodeWatch::onConfirmed);
    connect(&m_discovery, &Discovery::progressed, this, [this] {
        m_everyWrite.setPaused(m_discovery.state() == DiscoveryState::Paused);
        Q_EMIT figuresChanged();
    });
    connect(&m_discovery.subkeyEvents(), &SubkeyEvents::touched, this, &NodeWatch::onTouched);
    connect(&m_discovery.subkeyEvents(), &SubkeyEvents::began, this, &NodeWatch::figuresChanged);
    m_discovery.waiterCount().subtract([this](const QByteArray& channel) { return m_observer.isCounted(channel); });
    connect(&m_discovery.waiterCount(), &WaiterCount::counted, this, &NodeWatch::onWaitersCounted);
    connect(&m_synchronizers, &SynchronizerWatch::changed, this, &NodeWatch::synchronizersRead);
    connect(&m_discovery, &Discovery::synchronizersFound, &m_synchronizers, &SynchronizerWatch::noteFound);
    m_observer.checkClockBy([this](SteadyTime since, SteadyTime ended) { return m_info.checkClock(since, ended); });
    connect(&m_rights, &RightsWatch::restored, this, &NodeWatch::tryEverythingAgain);
    connect(&m_silence, &SilenceWatch::changed, this, &NodeWatch::figuresChanged);
    connect(&m_info, &InfoWatch::stormChanged, this, &NodeWatch::figuresChanged);
    connect(&m_info, &InfoWatch::databasesSwapped, &m_observer, &Observer::readEverything);
    connect(&m_info, &InfoWatch::replicasChanged, this, [this] { Q_EMIT replicasCounted(m_info.replicas()); });
    connect(&m_discovery, &Discovery::swept, this, &NodeWatch::onSwept);
    connect(this, &NodeWatch::readEnded, this, &NodeWatch::onReadEnded);
}

NodeWatch::~NodeWatch() {
    blockSignals(true);
    stop();
}

void NodeWatch::stop() {
    m_everyWrite.stop();
    if (m_prefixes)
        m_prefixes->close();
    m_writtenNames.stop();
    m_synchronizers.stop();
    m_silence.stop();
    m_rights.stop();
    m_info.stop();
    m_replicas.stop();
    m_discovery.stop();
    m_observer.stop();
}

void NodeWatch::interrupt(const Error& why) {
    if (m_phase != NodePhase::Watching)
        return;
    m_phase = NodePhase::Reconnecting;
    m_error = why;
    const auto silence =
        std::chrono::duration_cast<WallTime::duration>(m_clock.now() - m_observer.connection().lastHeard());
    m_lastHeard = m_clock.wallNow() - silence;
    m_observer.interrupt();
}

void NodeWatch::noteMaster() {
    const QString master = m_shards.masterOf(m_shard);
    const redis::Publishing publishing = m_shards.publishingOn(m_observer.connection().server());
    const bool isSameMaster = m_node && m_node->address == master;
    if (isInCluster() && !(isSameMaster && m_node->publishing == publishing))
        m_node = NodePointer(new Node(m_shard, master, publishing));
    if (!isInCluster() || !isSameMaster)
        retryNow();  // after a change of other shards only, attempts to reach this master keep their pauses
}

void NodeWatch::retryNow() {
    m_observer.retryNow();
    m_discovery.connection().retryNow();
}

bool NodeWatch::keeps(const LockName& name) const {
    return !isInCluster() || m_shards.shardOfKey(name.bytes()) == m_shard;
}

// ---- who is subscribed at the replicas ----

// The Cluster may list replicas that are not connected.
void NodeWatch::askReplicas(const topology::ReplicaRoute* route) {
    const bool areListed = route && !route->replicasOf(m_shard).value_or(QList<topology::Address>()).isEmpty();
    m_replicas.setWanted(areListed || !m_info.isWithoutReplicas() ? route : nullptr);
}

bool NodeWatch::hasAskedEveryServer() const {
    if (!m_replicas.isWanted())
        return m_info.isWithoutReplicas();
    return !m_info.replicas().areMissing() && m_replicas.haveAllAnswered();
}

void NodeWatch::onWaitersCounted(const WaiterTotals::Waiting& plain, SteadyTime countBegan,
                                 const WaiterTotals::Waiting& sharded) {
    if (!m_replicas.isWanted())
        return Q_EMIT waitersCounted(plain, countBegan, sharded);
    m_replicas.ask([this, plain, countBegan, sharded] {
        if (m_phase == NodePhase::Watching)
            Q_EMIT waitersCounted(plain, countBegan, sharded);
    });
}

// Each attempt to connect passes through several states; only its end matters.
void NodeWatch::onScanConnectionState(Connection::State state) {
    if (state == Connection::State::Waiting && !m_scanError)
        m_scanError = m_discovery.connection().lastError();
    else if (state == Connection::State::Ready)
        m_scanError.reset();
    Q_EMIT figuresChanged();
}

// ---- keys that the node does not read ----

std::optional<Error> NodeWatch::outage() const {
    if (m_phase != NodePhase::Watching)
        return std::nullopt;
    return m_refused ? std::optional(m_refused->error) : m_shards.outage();
}

void NodeWatch::noteRead(const LockName& name, const std::optional<Error>& refusal) const {
    if (isInCluster())
        Q_EMIT readEnded(name, refusal);
}

void NodeWatch::onReadEnded(const LockName& name, const std::optional<Error>& refusal) {
    m_wasRead = m_wasRead || !refusal;
    const bool servesNothing = refusal && refusal->reply == ReplyKind::ClusterDown && keeps(name);
    if (servesNothing)
        setRefused(Refused{name, *refusal});
    else if (!refusal || refusal->reply != ReplyKind::ClusterDown)
        setRefused(std::nullopt);
    if (refusal && !servesNothing)
        Q_EMIT readRefused(name);
}

void NodeWatch::setRefused(std::optional<Refused> refused) {
    m_refused = std::move(refused);
    showOutage();
}

void NodeWatch::showOutage() {
    if (outage().has_value() == m_outageSince.has_value())
        return;
    m_outageSince = m_outageSince ? std::nullopt : std::optional(m_clock.wallNow());
    Q_EMIT stateChanged();
}

// An answer "Hash slot not served" is such a refusal, too, and concerns one slot only.
void NodeWatch::followOutage() {
    if (m_refused && !keeps(m_refused->name))
        m_refused.reset();
    showOutage();
}

void NodeWatch::noteNoRoom() {
    m_hadNoRoom = true;
    m_denials.note(Denied::Rows, Consequence::LocksLeftOut);
}

void NodeWatch::onSwept(quint64 keys) {
    m_keysInLastSweep = keys;
    if (!std::exchange(m_hadNoRoom, false))
        m_denials.takeBack(Denied::Rows);
    if (m_refused && !std::exchange(m_refused->isOfThisSweep, false))
        setRefused(std::nullopt);
    Q_EMIT swept(keys);
}

// Outside a Cluster, a server without another name has the address that the user gave.
QString NodeWatch::addressOfMaster() const {
    const QString master = m_shards.masterOf(m_shard);
    return master.isEmpty() && !isInCluster() ? m_observer.connection().options().endpoint.display() : master;
}

NodeStatus NodeWatch::status() const {
    NodeStatus status;
    status.shard = m_shard;
    status.address = addressOfMaster();
    status.phase = m_phase;
    status.error = m_error;
    if (m_phase == NodePhase::Reconnecting)
        status.lastHeard = m_lastHeard;
    if (const std::optional<Error> why = outage()) {
        status.phase = NodePhase::NotServing;
        status.error = why;
        status.lastHeard = m_wasRead ? m_outageSince.value_or(m_clock.wallNow()) : WallTime();
    }
    if (m_phase == NodePhase::Watching)
        status.silence = m_silence.silence();
    status.knownLocks = static_cast<int>(m_observer.watchedCount());
    status.readsPerSecond = m_budget.usedPerSecond();
    status.readBudgetPerSecond = m_budget.limitOfLastSecond();
    const Connection& connection = m_observer.connection();
    status.serverVersion = connection.server().version;
    if (m_phase == NodePhase::Watching && connection.role())
        status.replicas = connection.role()->replicas;
    return status;
}

QList<Denial> NodeWatch::denied() const {
    QList<Denial> denied = m_denials.list();
    if (m_phase == NodePhase::Watching && m_scanError)
        denied << Denial{Denied::DiscoveryConnection, {}, Consequence::NoConnectionToScan, *m_scanError};
    if (m_phase == NodePhase::Watching && m_observer.isTableTooSmall())
        denied << Denial{Denied::TrackingTable, {}, Consequence::ChangesSeenLate, {}};
    if (const auto& replica = m_replicas.unanswered(); m_phase == NodePhase::Watching && replica)
        denied << Denial{Denied::Replica, {}, Consequence::DeadWaitersNotProven, replica->why, replica->address};
    return denied;
}

void NodeWatch::noteWaitedFor(const QSet<LockName>& names) {
    m_observer.noteWaitedFor(names);
    m_discovery.noteWaitedFor(names);
}

void NodeWatch::onConnectionState(Connection::State state) {
    const Connection& connection = m_observer.connection();
    m_refused.reset();
    if (state == Connection::State::Ready) {
        noteMaster();
        m_phase = NodePhase::Watching;
        m_error.reset();
        m_wasWatched = true;
    } else if (state == Connection::State::Waiting) {
        m_phase = NodePhase::Reconnecting;
        m_error = connection.lastError();
        const auto silence = std::chrono::duration_cast<WallTime::duration>(m_clock.now() - connection.lastHeard());
        if (m_wasWatched)
            m_lastHeard = m_clock.wallNow() - silence;
    }
    m_outageSince = outage() ? std::optional(m_outageSince.value_or(m_clock.wallNow())) : std::nullopt;
    Q_EMIT stateChanged();
}

// Discovery starts only after the observer has subscribed to messages, so that no change of a found lock is missed.
void NodeWatch::onBegan() {
    Q_EMIT figuresChanged();
    if (!std::exchange(m_discovering, true)) {
        m_discovery.open();
        m_synchronizers.start();
        m_info.start();
        m_silence.start();
        m_rights.start();
    }
    m_everyWrite.startOver();
    if (m_prefixes)
        m_prefixes->open();
    readKnownNames();
}

void NodeWatch::tryEverythingAgain() {
    const Error why(ErrorCode::ConnectionLost, MonitorCause::RightsRestored);
    m_discovery.forgetNonLocks();
    m_discovery.connection().reconnect(why);
    m_observer.reconnect(why);
}

// Also after each reconnect, because the server has forgotten which keys it tracked. The first sweep waits until these
// names have been read.
void NodeWatch::readKnownNames() {
    QList<LockName> names;
    for (const LockName& name : m_knownNames) {
        if (m_discovery.isInScope(name) && !m_known.knows(name))
            names += name;
    }
    m_observer.knownNames().readAll(names);
}

void NodeWatch::onTouched(const LockName& name) {
    if (!m_known.knows(name) && m_discovery.isInScope(name))
        m_discovery.touchedNames().request(name);
}

void NodeWatch::onWritten(const QByteArrayList& keys) {
    for (const QByteArray& key : keys) {
        const LockName name = locks::lockOfHelperKey(key).value_or(LockName(key));
        if (m_discovery.isInScope(name) && !m_writtenNames.request(name))
            return m_everyWrite.giveWay();
    }
}

void NodeWatch::onConfirmed(const LockSnapshot& lock, Confirmation confirmation) {
    if (!m_known.knows(lock.name) && m_discovery.isProven(lock))
        Q_EMIT lockFound(lock, BetweenReads(), confirmation);
}

void NodeWatch::onUnknownNameReported(const LockName& name) {
    if (m_discovery.isInScope(name))
        m_discovery.readUnknownName(name);
    else
        m_observer.dismissUnknownName(name);
}

// Without the other connection the name is read where it is tracked. Such reads are as few as the others.
void NodeWatch::onUnknownNameInvalidated(const LockName& name) {
    if (m_known.knows(name) || !m_discovery.isInScope(name) || m_discovery.isKnownNoLock(name))
        return;
    const bool isConnected = m_discovery.connection().isReady();
    NameReads& reads = isConnected ? m_discovery.invalidatedNames() : m_observer.knownNames();
    reads.request(name);
}

void NodeWatch::onUnknownNameRead(const LockName& name, const std::optional<LockSnapshot>& lock) {
    if (!lock)
        return m_observer.dismissUnknownName(name);
    if (m_known.knows(name))
        return;
    BetweenReads received;
    received.messages = m_observer.unknownNameMessages(name);
    received.releasesReceived = static_cast<quint64>(received.messages);
    Q_EMIT lockFound(*lock, received, Confirmation::Untracked);
    if (!m_known.knows(name))
        m_observer.dismissUnknownName(name);  // there was no room for it
}

}  // namespace lockkeeper::monitor

#include "moc_nodewatch.cpp"
