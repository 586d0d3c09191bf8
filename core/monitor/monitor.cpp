// SPDX-License-Identifier: Apache-2.0
#include "monitor/monitor.h"

namespace lockkeeper::monitor {

using namespace std::chrono_literals;
using redis::Connection;

namespace {

constexpr Milliseconds statsInterval = 500ms;

}  // namespace

Monitor::Monitor(redis::ConnectionOptions options, redis::TransportFactory makeTransport, Clock& clock,
                 MonitorOptions monitorOptions, QObject* parent)
    : QObject(parent),
      m_clock(clock),
      m_options(monitorOptions),
      m_budget(clock, monitorOptions.readsPerSecond),
      m_store(monitorOptions.limits),
      m_observer(options, makeTransport, clock, m_budget, m_denials, monitorOptions.pollInterval),
      m_discovery(options, makeTransport, clock, m_budget, m_denials, m_options.discovery, m_store,
                  m_observer),
      m_synchronizers(m_discovery.connection(), m_budget, m_denials, m_discovery),
      m_prefixes(options, makeTransport, clock, m_denials, m_options.discovery.prefixes) {
    connect(&m_observer, &Observer::stateChanged, this, &Monitor::onConnectionState);
    connect(&m_observer, &Observer::began, this, &Monitor::onBegan);
    connect(&m_observer, &Observer::lockRead, this, &Monitor::onLockRead);
    connect(&m_observer, &Observer::lostSightOf, this, [this](const LockName& name) {
        m_store.loseSightOf(name, m_clock.now());
        scheduleBatch();
    });
    connect(&m_observer, &Observer::unknownNameReported, this, &Monitor::onUnknownNameReported);
    connect(&m_discovery, &Discovery::unknownNameRead, this, &Monitor::onUnknownNameRead);
    // Reading this key would track it again although it is not a lock.
    m_observer.knownNames().passOver([this](const LockName& name) { return m_discovery.isKnownNoLock(name); });
    connect(&m_observer.knownNames(), &NameReads::confirmed, this,
            [this](const LockSnapshot& lock) { onConfirmed(lock, Confirmation::Tracked); });
    connect(&m_observer.knownNames(), &NameReads::ended, &m_discovery, &Discovery::beginSweeps);
    connect(&m_discovery.touchedNames(), &NameReads::confirmed, this,
            [this](const LockSnapshot& lock) { onConfirmed(lock, Confirmation::Untracked); });
    connect(&m_prefixes, &PrefixTracking::touched, this, &Monitor::onTouched);
    connect(&m_discovery, &Discovery::confirmed, this, &Monitor::onConfirmed);
    connect(&m_discovery, &Discovery::progressed, this, &Monitor::scheduleStats);
    connect(&m_discovery.subkeyEvents(), &SubkeyEvents::touched, this, &Monitor::onTouched);
    connect(&m_discovery.subkeyEvents(), &SubkeyEvents::began, this, &Monitor::scheduleStats);
    connect(&m_discovery.waiterCount(), &WaiterCount::counted, this,
            [this](const QHash<LockName, Listeners>& waiting, SteadyTime countBegan) {
                m_store.setWaiting(waiting, countBegan, m_clock.wallNow());
                scheduleReads();
                scheduleBatch();
            });
    connect(&m_synchronizers, &SynchronizerWatch::changed, this, [this](const SynchronizerReading& reading) {
        m_newSynchronizers = reading;
        scheduleBatch();
    });
    connect(&m_discovery, &Discovery::swept, this, [this](quint64 keys) {
        m_keysInLastSweep = keys;
        m_store.endSweep(keys, m_clock.wallNow());
        scheduleBatch();
    });
}

Monitor::~Monitor() {
    blockSignals(true);
    stop();
}

void Monitor::start() {
    MonitorStatus connecting;
    connecting.phase = MonitorPhase::Connecting;
    setStatus(connecting);
    scheduleBatch();
    m_observer.open();
}

void Monitor::stop() {
    m_status = MonitorStatus();
    m_prefixes.stop();
    m_synchronizers.stop();
    m_discovery.stop();
    m_observer.stop();
    for (Clock::TimerId* timer : {&m_batchTimer, &m_readTimer, &m_coolingTimer, &m_forgetTimer, &m_statsTimer})
        m_clock.cancel(std::exchange(*timer, Clock::TimerId::None));
}

void Monitor::readAgain(const LockName& name) {
    if (m_store.knows(name))
        m_observer.readAgain(name);
    else
        m_discovery.readUnknownName(name);
}

// ---- the connection ----

void Monitor::onConnectionState(Connection::State state) {
    MonitorStatus status = m_status;
    if (state == Connection::State::Ready) {
        m_everReady = true;
        status = MonitorStatus();
        status.phase = MonitorPhase::Watching;
        status.server = m_observer.connection().server();
    } else if (state == Connection::State::Waiting && m_everReady) {
        status.phase = MonitorPhase::Reconnecting;
        status.error = m_observer.connection().lastError();
        const auto silence = m_clock.now() - m_observer.connection().lastHeard();
        status.lastHeard = m_clock.wallNow() - std::chrono::duration_cast<WallTime::duration>(silence);
    } else if (state == Connection::State::Waiting) {
        status.phase = MonitorPhase::Failed;
        status.error = m_observer.connection().lastError();
    }
    scheduleStats();
    const bool failed = status.phase == MonitorPhase::Failed;
    setStatus(status);
    if (failed && m_status.phase == MonitorPhase::Failed)
        m_observer.stop();
}

void Monitor::setStatus(MonitorStatus status) {
    if (m_status == status)
        return;
    m_status = std::move(status);
    Q_EMIT statusChanged(m_status);
}

// Discovery starts only after the observer has subscribed to messages, so that no change of a found lock is missed.
void Monitor::onBegan() {
    scheduleStats();
    if (!std::exchange(m_discovering, true)) {
        m_discovery.open();
        m_synchronizers.start();
        m_prefixes.open();
    }
    readKnownNames();
}

// Again after each reconnect: the server has forgotten which keys it tracked. The first sweep waits until these names
// have been read.
void Monitor::readKnownNames() {
    QList<LockName> names;
    for (const LockName& name : m_options.knownNames) {
        if (m_discovery.isInScope(name) && !m_store.knows(name))
            names += name;
    }
    m_observer.knownNames().readAll(names);
}

// ---- reads ----

void Monitor::onLockRead(const LockSnapshot& lock, const BetweenReads& between) {
    if (m_store.knows(lock.name))
        learn(lock, between);
}

void Monitor::onTouched(const LockName& name) {
    if (!m_store.knows(name) && m_discovery.isInScope(name))
        m_discovery.touchedNames().request(name);
}

void Monitor::onConfirmed(const LockSnapshot& lock, Confirmation confirmation) {
    if (m_store.knows(lock.name))
        return;
    if (learn(lock, BetweenReads()) == Stored::Yes)
        m_observer.watch(lock, confirmation);
}

void Monitor::onUnknownNameReported(const LockName& name) {
    if (m_discovery.isInScope(name))
        m_discovery.readUnknownName(name);
    else
        m_observer.dismissUnknownName(name);
}

void Monitor::onUnknownNameRead(const LockName& name, const std::optional<LockSnapshot>& lock) {
    if (!lock)
        return m_observer.dismissUnknownName(name);
    if (m_store.knows(name))
        return;
    BetweenReads received;
    received.messages = m_observer.unknownNameMessages(name);
    received.releasesReceived = static_cast<quint64>(received.messages);
    if (learn(*lock, received) == Stored::Yes)
        m_observer.watch(*lock, Confirmation::Untracked);
}

Stored Monitor::learn(const LockSnapshot& lock, const BetweenReads& between) {
    const Stored kept = m_store.apply(lock, between);
    if (kept == Stored::NoRoom)
        m_denials.note(Denied::Rows, Consequence::LocksLeftOut);
    scheduleBatch();
    scheduleReads();
    scheduleCooling();
    scheduleForget();
    return kept;
}

// ---- diagnoses that depend on time: they are decided by one more read ----

void Monitor::scheduleReads() {
    const std::optional<SteadyTime> next = m_store.nextRead();
    if (!next || (m_readTimer != Clock::TimerId::None && m_readTimerAt <= *next))
        return;
    m_clock.cancel(m_readTimer);
    m_readTimerAt = *next;
    m_readTimer = m_clock.schedule(*next, [this] {
        m_readTimer = Clock::TimerId::None;
        readDue();
    });
}

// Without a connection nothing is read; after a reconnect every lock is read, and its history begins again.
void Monitor::readDue() {
    for (const LockName& name : m_store.takeDueReads(m_clock.now()))
        m_observer.readAgain(name);
    scheduleReads();
}

// ---- batches ----

void Monitor::scheduleBatch() {
    scheduleStats();
    if (m_batchTimer != Clock::TimerId::None)
        return;
    const SteadyTime now = m_clock.now();
    const SteadyTime due =
        m_lastBatch == SteadyTime::min() ? now : std::max(now, m_lastBatch + m_options.batchInterval);
    m_batchTimer = m_clock.schedule(due, [this] {
        m_batchTimer = Clock::TimerId::None;
        sendBatch();
    });
}

void Monitor::sendBatch() {
    if (!m_store.hasChanges() && !m_newStats && !m_newSynchronizers)
        return;
    m_lastBatch = m_clock.now();
    MonitorBatch batch = m_store.take();
    batch.stats = std::exchange(m_newStats, std::nullopt);
    batch.synchronizers = std::exchange(m_newSynchronizers, std::nullopt);
    Q_EMIT batchReady(std::make_shared<const MonitorBatch>(std::move(batch)));
}

// Only while a lock is busy: then its throughput must be removed in time.
void Monitor::scheduleCooling() {
    const std::optional<SteadyTime> next = m_store.nextCooling();
    if (!next || m_coolingTimer != Clock::TimerId::None)
        return;
    m_coolingTimer = m_clock.schedule(*next, [this] {
        m_coolingTimer = Clock::TimerId::None;
        m_store.coolDown(m_clock.now());
        if (m_store.hasChanges())
            scheduleBatch();
        scheduleCooling();
    });
}

void Monitor::scheduleForget() {
    const std::optional<SteadyTime> next = m_store.nextForget();
    if (!next || (m_forgetTimer != Clock::TimerId::None && m_forgetTimerAt <= *next))
        return;
    m_clock.cancel(m_forgetTimer);
    m_forgetTimerAt = *next;
    m_forgetTimer = m_clock.schedule(*next, [this] {
        m_forgetTimer = Clock::TimerId::None;
        forgetFree();
    });
}

void Monitor::forgetFree() {
    for (const LockName& name : m_store.forgetFree(m_clock.now()))
        m_observer.forget(name);
    if (m_store.hasChanges())
        scheduleBatch();
    scheduleForget();
}

// ---- figures ----

void Monitor::scheduleStats() {
    if (m_statsTimer != Clock::TimerId::None || m_status.phase == MonitorPhase::Stopped)
        return;
    const SteadyTime now = m_clock.now();
    const SteadyTime due = m_lastStats == SteadyTime::min() ? now : std::max(now, m_lastStats + statsInterval);
    m_statsTimer = m_clock.schedule(due, [this] {
        m_statsTimer = Clock::TimerId::None;
        refreshStats();
    });
}

void Monitor::refreshStats() {
    m_lastStats = m_clock.now();
    const MonitorStats now = stats();
    if (now.readsPerSecond > 0)
        scheduleStats();  // no other event reports when it falls
    if (now == m_sentStats)
        return;
    m_sentStats = now;
    m_newStats = now;
    scheduleBatch();
}

MonitorStats Monitor::stats() const {
    MonitorStats stats;
    stats.observation = m_observer.mode();
    stats.observationLimit = m_observer.limit();
    stats.knownLocks = static_cast<int>(m_store.known());
    stats.heldLocks = static_cast<int>(m_store.held());
    stats.faultyLocks = static_cast<int>(m_store.faulty());
    stats.readsPerSecond = m_budget.usedPerSecond();
    stats.readBudgetPerSecond = m_budget.perSecond();
    stats.discovery = m_discovery.state();
    stats.sweepsDone = m_store.sweepsDone();
    stats.keysInLastSweep = m_keysInLastSweep;
    stats.keysThisSweep = m_discovery.keysThisSweep();
    stats.databaseSize = m_discovery.databaseSize();
    stats.noticesFairQueues = m_observer.noticesFairQueues();
    stats.noticesNewNames = m_discovery.noticesNewNames();
    stats.tokenLitter = m_discovery.tokenLitter();
    stats.denied = m_denials.list();
    stats.eventsDropped = m_store.eventsDropped();
    if (m_discovering && m_discovery.connection().state() == Connection::State::Waiting)
        stats.denied << Denial{
            Denied::DiscoveryConnection, {}, Consequence::NoConnectionToScan, m_discovery.connection().lastError()};
    return stats;
}

}  // namespace lockkeeper::monitor

#include "moc_monitor.cpp"
