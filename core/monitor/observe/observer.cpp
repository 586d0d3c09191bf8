// SPDX-License-Identifier: Apache-2.0
#include "monitor/observe/observer.h"

#include "base/logging.h"
#include "base/safetext.h"
#include "locks/lockkeys.h"
#include "redis/replyerrors.h"

#include <QPointer>

namespace lockkeeper::monitor {

using namespace std::chrono_literals;
using redis::Connection;

namespace {

constexpr Milliseconds retryAfterError = 2s;
// The first pause before a read of keys that are moving to another node; doubled after each failed read.
constexpr Milliseconds firstPause = 50ms;
constexpr quint8 mostDoublings = 6;
// After so long an answer, a lease that nobody has seen may have begun and ended.
constexpr Milliseconds slowAnswer = 2s;
// A master without changes says something to its replicas every 10 s by default (repl-ping-replica-period).
constexpr Milliseconds patienceAtReplica = 12s;
constexpr Milliseconds askReplicaAgain = 1s;
constexpr int pollsLeftOut = 10;  // if changes are published: a flush is not published, and an event may be lost

}  // namespace

Observer::Observer(const redis::ConnectionOptions& options, const redis::TransportFactory& makeTransport, Clock& clock,
                   ReadBudget& budget, Denials& denials, Milliseconds pollInterval, const NodeScope& scope)
    : m_clock(clock),
      m_budget(budget),
      m_denials(denials),
      m_pollInterval(pollInterval),
      m_scope(scope),
      m_connection(options, makeTransport, clock),
      m_flags(m_connection, denials),
      m_sources(m_connection, makeTransport, denials, scope),
      m_reader(m_connection, denials, scope),
      m_trackedBulk(m_reader, budget, clock),
      m_knownNames(m_reader, budget, clock, NameReads::Reports::MayBeNothing) {
    connect(&m_connection, &Connection::stateChanged, this, &Observer::onStateChanged);
    connect(&m_sources, &ChangeSources::invalidated, this, &Observer::onInvalidated);
    connect(&m_sources, &ChangeSources::flushed, this, &Observer::readEverything);
    connect(&m_sources, &ChangeSources::touched, this, &Observer::onKeyEvent);
    connect(&m_sources, &ChangeSources::queueTouched, this, &Observer::onQueueEvent);
    connect(&m_sources, &ChangeSources::messageReceived, this, &Observer::onMessage);
    connect(&m_sources, &ChangeSources::movedAway, this, &Observer::onMovedAway);
    connect(&m_sources, &ChangeSources::eventsRefused, this, &Observer::onKeyspaceEventsRefused);
    connect(&m_sources, &ChangeSources::eventsInterrupted, this, &Observer::followAll);
}

Observer::~Observer() {
    stop();
}

void Observer::interrupt() {
    m_connection.close();
}

void Observer::stop() {
    m_tasks.stop();
    m_knownNames.stop();
    m_connection.close();
    m_sources.close();
    m_pollTimer.stop();
    m_watched.clear();
}

// ---- sessions: from one handshake to the loss of the connection ----

void Observer::onStateChanged(Connection::State state) {
    if (state == Connection::State::Ready) {
        m_wasReady = true;
        m_tasks.spawn(startSession(++m_session));
    } else if (std::exchange(m_wasReady, false)) {
        endSession();
    }
    Q_EMIT stateChanged(state);
}

void Observer::endSession() {
    ++m_session;
    m_mode = ObservationMode::None;
    m_pollTimer.stop();
    m_unknownNames.clear();
    m_watched.interrupt();
    const bool isKnown = m_connection.state() == Connection::State::Waiting;
    const auto why = isKnown ? std::make_shared<const Error>(m_connection.lastError()) : nullptr;
    m_watched.forEach([this, &why](WatchedLock& watched) {
        if (!watched.unwatched)
            watched.setUnwatched(unwatched(m_connection.lastHeard(), why));
    });
}

WatchedLock::Unwatched Observer::unwatched(SteadyTime since, std::shared_ptr<const Error> why) const {
    return {since, m_serverRole, m_master, std::move(why)};
}

Task<void> Observer::startSession(quint64 session) {
    m_serverRole = m_connection.server().role;
    m_master = m_scope.master();
    m_reader.startOver();
    m_denials.clear();
    const Result<ObservationMode> mode = co_await m_sources.choose(m_tasks.stopToken());
    if (!mode || session != m_session)
        co_return;
    m_mode = *mode;
    m_watched.resume();
    if (m_mode != ObservationMode::Tracking)
        schedulePoll();
    askWhetherEmpty();
    followAll();
    Q_EMIT began();
}

// Sent before the reads, and so answered before. A refusal is noted by discovery, which asks the same.
void Observer::askWhetherEmpty() {
    if (m_watched.size() == 0)
        return;
    m_connection.send(redis::Command("DBSIZE")).then([this, alive = QPointer(this)](const auto& size) {
        if (alive && size && size->isInteger() && size->integer == 0)
            Q_EMIT cameBackEmpty();
    });
}

// If one subscription is refused, poll every lock: mixing both would show some locks late.
void Observer::onKeyspaceEventsRefused() {
    m_mode = ObservationMode::Polling;
    schedulePoll();
    Q_EMIT began();
}

void Observer::followAll() {
    for (const LockName& name : m_watched.names())
        m_sources.follow(name);
    m_watched.requestAll();
}

// A lock that is still queued from the last round is not queued again. With more locks than the budget allows, the
// rounds get longer, and each lock keeps its place.
void Observer::schedulePoll() {
    const int rounds = m_mode == ObservationMode::KeyspaceEvents ? pollsLeftOut : 1;
    m_pollTimer.start(rounds * m_pollInterval);
}

void Observer::poll() {
    m_watched.requestAll();
    schedulePoll();
}

// ---- what the server pushes ----

// A helper key of an unknown name is no reason to read the name: who holds the lock has also written the lock's own
// key.
void Observer::onInvalidated(const QByteArray& key) {
    const LockName name(key);
    if (ReadSchedule::Lock* lock = m_watched.entry(name)) {
        lock->second.touch(m_clock.now());
        return m_watched.requestAfterReport(*lock);
    }
    const std::optional<LockName> owner = locks::lockOfHelperKey(key);
    if (!owner)
        return Q_EMIT unknownNameInvalidated(name);
    if (ReadSchedule::Lock* lock = m_watched.entry(*owner)) {
        lock->second.touchHelper();
        m_watched.requestAfterReport(*lock);
    }
}

// On separate connections an event may be about a change that the last read has shown, or that no read has shown yet.
void Observer::onKeyEvent(const LockName& name) {
    if (m_sources.isApart())
        return readAgain(name);
    if (ReadSchedule::Lock* lock = m_watched.entry(name)) {
        lock->second.touch(m_clock.now());
        readSoon(*lock);
    }
}

void Observer::onQueueEvent(const LockName& name) {
    if (m_sources.isApart())
        readAgain(name);
    else
        readSoon(name);
}

void Observer::readEverything() {
    m_watched.forEach([this](WatchedLock& watched) { watched.noteFlush(m_clock.now()); });
    m_watched.requestAll();
}

// Several names may share a channel, and the message does not say which is meant: all of them that are watched are
// read. A Cluster sends each message to all of its nodes: it counts at the one that keeps the lock.
void Observer::onMessage(const QList<LockName>& candidates) {
    if (!m_scope.keeps(candidates.first()))
        return;
    bool isUnknown = true;
    for (const LockName& name : candidates) {
        ReadSchedule::Lock* lock = m_watched.entry(name);
        if (!lock)
            continue;
        isUnknown = false;
        lock->second.addMessage(m_clock.now());
        readSoon(*lock);
    }
    if (isUnknown && m_unknownNames.count(candidates.first(), m_clock.now()) == UnknownNames::Report::First)
        Q_EMIT unknownNameReported(candidates.first());
}

// A read of each lock shows whether its keys are still here.
void Observer::onMovedAway(const QList<LockName>& candidates) {
    for (const LockName& name : candidates)
        readAgain(name);
}

// ---- from the request to the read ----

void Observer::watch(const LockSnapshot& confirmed, Confirmation confirmation) {
    if (m_watched.contains(confirmed.name))
        return;
    // A read made of several commands may have missed a change between them.
    const bool isTracked =
        confirmation == Confirmation::Tracked && m_mode == ObservationMode::Tracking && m_reader.isAtomic();
    WatchedLock watched;
    watched.last = LastRead(confirmed);
    watched.tracked = isTracked;
    watched.lastSentAt = m_clock.now();
    const int earlierMessages = m_unknownNames.take(confirmed.name);
    watched.messages = isTracked ? 0 : earlierMessages;  // a read on the messages' connection shows their results
    watched.messagesBefore = watched.messages;
    watched.releasesReceived = static_cast<quint64>(earlierMessages);
    if (m_mode == ObservationMode::None)
        watched.setUnwatched(unwatched(confirmed.seenAt));
    ReadSchedule::Lock& kept = m_watched.add(confirmed.name, std::move(watched));
    m_sources.follow(confirmed.name);
    noteRead(confirmed.name, kept.second.last);
    if (isTracked)
        m_watched.requestAtLeaseEnd(kept);
    else
        m_watched.request(kept);
}

void Observer::forget(const LockName& name) {
    if (m_watched.remove(name))
        m_sources.unfollow(name);
}

std::optional<WatchedLock> Observer::handOver(const LockName& name) {
    std::optional<WatchedLock> watched = m_watched.remove(name);
    if (!watched)
        return std::nullopt;
    watched->loseSight(unwatched(m_connection.lastHeard()));
    m_sources.unfollow(name);
    return watched;
}

void Observer::takeOver(const LockName& name, WatchedLock watched) {
    watched.request = WatchedLock::Request::None;
    watched.redirections = 0;
    if (watched.unwatched)
        watched.unwatched->master = m_master;  // a moved slot is not a failover
    ReadSchedule::Lock& kept = m_watched.add(name, std::move(watched));
    m_sources.follow(name);
    m_watched.request(kept);
}

void Observer::noteWaitedFor(const QSet<LockName>& names) {
    const QSet<LockName> changed = (names - m_waitedFor) | (m_waitedFor - names);
    m_waitedFor = names;
    for (const LockName& name : changed) {
        if (const WatchedLock* watched = m_watched.find(name); watched && m_mode != ObservationMode::None)
            noteRead(name, watched->last);
    }
}

void Observer::noteRead(const LockName& name, const LastRead& lock) {
    using Demand = ShardedMessages::Demand;
    m_sources.noteRead(name, lock, m_waitedFor.contains(name) ? Demand::WaitedFor : Demand::None);
}

void Observer::readAgain(const LockName& name) {
    if (ReadSchedule::Lock* lock = m_watched.entry(name)) {
        lock->second.askedInFlight = true;
        readSoon(*lock);
    }
}

void Observer::readSoon(const LockName& name) {
    if (ReadSchedule::Lock* lock = m_watched.entry(name))
        readSoon(*lock);
}

void Observer::readSoon(ReadSchedule::Lock& lock) {
    lock.second.touchedInFlight = true;
    m_watched.request(lock);
}

Task<void> Observer::read(LockName name, quint64 session) {
    const Completion<Done> granted = m_budget.take();
    const Result<Done> turn = co_await granted.wait(Deadline::never(m_clock), m_tasks.stopToken());
    if (!turn || session != m_session)
        co_return;
    const SteadyTime sentAt = m_clock.now();
    if (WatchedLock* watched = m_watched.find(name)) {
        watched->beginRead(sentAt);
        triggerExpiry(name, *watched);
        const Completion<LockReading> answer = m_reader.read(name, watched->readers());
        Result<LockReading> reading = co_await answer.wait(Deadline::never(m_clock), m_tasks.stopToken());
        if (m_sources.isApart() && reading && session == m_session)
            co_await catchUpAfter(name, *reading);
        if (session != m_session || m_tasks.stopToken().stop_requested())
            co_return;
        if (needsConfirmation(name, sentAt, reading))
            co_return co_await readConfirmed(std::move(name), session);
        onLockRead(name, sentAt, std::move(reading));
    }
    m_watched.noteReadEnd();
}

// ---- how a hold has ended, where only time explains it ----

// On a master only an end before its time must be confirmed: the server's clock may have jumped. A replica drops a key
// by its own clock, although its master may have renewed the lease.
bool Observer::needsConfirmation(const LockName& name, SteadyTime sentAt, const Result<LockReading>& reading) {
    WatchedLock* watched = m_watched.find(name);
    if (!watched || !reading)
        return false;
    const SteadyTime now = m_clock.now();
    if (now - sentAt > slowAnswer)
        watched->countdown = Countdown::Doubtful;
    const LockSnapshot* found = std::get_if<LockSnapshot>(&*reading);
    const bool isUnreadable = !found && std::get<NotALock>(*reading).isUnreadable;
    if (isUnreadable || !watched->endsSilently(found ? *found : LockSnapshot()))
        return false;
    const bool isEarly = now < watched->earliestEnd(now);
    return isOfReplica() || (m_checkClock && isEarly && watched->countdown == Countdown::Even);
}

// Reads the lock again after the confirmation, so that nothing that was reported meanwhile is lost.
Task<void> Observer::readConfirmed(LockName name, quint64 session) {
    const EndOfLease end = co_await proveEnd(name);
    if (session != m_session || m_tasks.stopToken().stop_requested())
        co_return;
    ReadSchedule::Lock* lock = m_watched.entry(name);
    if (lock && end == EndOfLease::NotYet) {
        lock->second.request = WatchedLock::Request::None;
        m_watched.requestAt(*lock, m_clock.now() + askReplicaAgain);
    } else if (lock) {
        if (end == EndOfLease::Doubtful)
            lock->second.countdown = Countdown::Doubtful;
        const SteadyTime sentAt = m_clock.now();
        lock->second.beginRead(sentAt);
        const Completion<LockReading> answer = m_reader.read(name, lock->second.readers());
        Result<LockReading> reading = co_await answer.wait(Deadline::never(m_clock), m_tasks.stopToken());
        if (m_sources.isApart() && reading && session == m_session)
            co_await catchUpAfter(name, *reading);
        if (session != m_session || m_tasks.stopToken().stop_requested())
            co_return;
        onLockRead(name, sentAt, std::move(reading));
    }
    m_watched.noteReadEnd();
}

// Not a coroutine: there co_await may not stand behind `?`.
Task<Observer::EndOfLease> Observer::proveEnd(const LockName& name) {
    return isOfReplica() ? proveAtReplica(name) : proveByClock(name);
}

// Whatever the master did before its last sign of life has arrived: a renewal before the end of the lease, too. A
// replica deletes no key itself, so a change that it reports after that end is its master's.
Task<Observer::EndOfLease> Observer::proveAtReplica(LockName name) {
    const SteadyTime askedAt = m_clock.now();
    const Completion<Done> confirmed = m_connection.confirmRole();
    const Result<Done> isLinked = co_await confirmed.wait(Deadline::never(m_clock), m_tasks.stopToken());
    const WatchedLock* watched = m_watched.find(name);
    if (!isLinked || !watched || !watched->last.expiry || !m_connection.role())
        co_return EndOfLease::Doubtful;
    if (askedAt < watched->earliestEnd(askedAt))
        co_return co_await proveByClock(std::move(name));
    const SteadyTime leaseEnd = watched->last.expiry->latest;
    const std::optional<std::chrono::seconds> silence = m_connection.role()->silence;
    constexpr auto rounding = 1s;
    const bool isReported = watched->tracked && watched->isTouched() && watched->touchedAt >= leaseEnd;
    if (isReported || (silence && askedAt - *silence - rounding >= leaseEnd))
        co_return EndOfLease::Proven;
    const bool maySpeakYet = silence && askedAt < leaseEnd + patienceAtReplica;
    co_return maySpeakYet ? EndOfLease::NotYet : EndOfLease::Doubtful;
}

Task<Observer::EndOfLease> Observer::proveByClock(LockName name) {
    const WatchedLock* watched = m_watched.find(name);
    if (!watched || !m_checkClock)
        co_return EndOfLease::Proven;
    const SteadyTime ended = watched->isTouched() ? watched->touchedAt : m_clock.now();
    const Completion<bool> checked = m_checkClock(watched->last.seenAt, ended);
    const Result<bool> keptPace = co_await checked.wait(Deadline::never(m_clock), m_tasks.stopToken());
    const bool isEven = keptPace && *keptPace;
    co_return isEven ? EndOfLease::Proven : EndOfLease::Doubtful;
}

// ---- what a read shows ----

// A command that finds an expired key deletes it; from Redis 7.2 on the event follows that command's own answer. With
// keyspace events a lease counts as expired only after its event was received. So a command before the read triggers
// the event: one for each lease that ends, in addition to the read budget.
void Observer::triggerExpiry(const LockName& name, const WatchedLock& watched) {
    const bool reportsExpiry = m_mode == ObservationMode::KeyspaceEvents && !m_sources.isApart();
    if (reportsExpiry && watched.last.expiry && watched.last.expiry->latest <= m_clock.now())
        m_connection.send(redis::Command("PTTL", {name.bytes()}));
}

// Not a coroutine, and so not a part of read(): the frame of a coroutine keeps room for all its values.
Task<void> Observer::catchUpAfter(const LockName& name, const LockReading& reading) {
    const LockSnapshot* lock = std::get_if<LockSnapshot>(&reading);
    return catchUpWithMessages(name, lock ? *lock : LockSnapshot());
}

// Messages and reads use different connections. Before a change is explained without a message, all earlier messages
// must have been received.
Task<void> Observer::catchUpWithMessages(LockName name, LockSnapshot found) {
    const WatchedLock* before = m_watched.find(name);
    if (!before || before->last.isSameAs(found))
        co_return;
    const bool receivedAll = co_await m_sources.catchUp(m_tasks.stopToken());
    if (WatchedLock* after = m_watched.find(name); after && !receivedAll)
        after->lastSentAt = SteadyTime::min();  // older than any subscription: a message may be missing
}

void Observer::onLockRead(const LockName& name, SteadyTime sentAt, Result<LockReading> reading) {
    ReadSchedule::Lock* lock = m_watched.entry(name);
    if (!lock)
        return;
    WatchedLock* const watched = &lock->second;
    watched->request = WatchedLock::Request::None;
    if (!reading) {
        qCDebug(logMonitor) << "could not read" << boundedName(name) << reading.error().text;
        return requestAfter(*lock, reading.error());
    }
    LockSnapshot found;
    if (LockSnapshot* read = std::get_if<LockSnapshot>(&reading.value())) {
        found = std::move(*read);
    } else if (std::get<NotALock>(*reading).isUnreadable) {
        forget(name);
        Q_EMIT lostSightOf(name);
        return;
    } else {
        // The name is used for something else now: the lock is gone.
        found.name = name;
        found.seenAt = m_clock.now();
        found.seenAtWall = m_clock.wallNow();
    }
    watched->last.shareHoldersWith(found);
    // On a separate connection, messages may arrive before the answer of a read that the server made before they were
    // published. Then they belong to the next read.
    const bool showsThem = !m_sources.isApart() || !watched->last.isSameAs(found);
    const int early = showsThem ? 0 : watched->messagesInFlight;
    watched->messages -= early;
    // The read that confirmed the lock may already have shown these releases.
    const int before = std::exchange(watched->messagesBefore, 0);
    watched->messages -= found.isHeld() && watched->last.hasHoldersOf(found) ? before : 0;
    const bool publishesKeyEvents = m_mode == ObservationMode::KeyspaceEvents;
    const BetweenReads between =
        watched->between(found, {reception(name, *watched), publishesKeyEvents, m_serverRole, m_master});
    m_watched.noteReading(*lock, found, between.messages);
    watched->endRead(found, sentAt, m_mode == ObservationMode::Tracking, early);
    m_watched.requestAtLeaseEnd(*lock);
    noteRead(name, watched->last);
    // A push that comes before the answer is about a change that the answer shows, unless the read is made of several
    // commands.
    const bool touched = std::exchange(watched->touchedInFlight, false);
    const bool asked = std::exchange(watched->askedInFlight, false);
    if ((touched && !m_reader.isAtomic()) || asked || early > 0)
        m_watched.request(*lock);
    Q_EMIT lockRead(found, between);
}

// The lock may change unseen, because its keys may be on another node now.
void Observer::requestAfter(ReadSchedule::Lock& lock, const Error& error) {
    if (!redis::isRefusedByNode(error))
        return m_watched.requestAt(lock, m_clock.now() + retryAfterError);
    WatchedLock& watched = lock.second;
    watched.loseSight(unwatched(m_connection.lastHeard(), std::make_shared<const Error>(error)));
    m_watched.requestAt(lock, m_clock.now() + firstPause * (1 << watched.redirections));
    watched.redirections = std::min<quint8>(watched.redirections + 1, mostDoublings);
}

// A tracked lock has not changed before the first report of it, so no earlier message is missing.
Reception Observer::reception(const LockName& name, const WatchedLock& watched) const {
    const SteadyTime unchangedUntil = watched.tracked ? std::min(watched.touchedAt, m_clock.now()) : watched.lastSentAt;
    const std::optional<SteadyTime> since = m_sources.receivesSince(name, watched.last);
    return since && *since <= unchangedUntil ? Reception::Complete : Reception::Incomplete;
}

}  // namespace lockkeeper::monitor

#include "moc_observer.cpp"
