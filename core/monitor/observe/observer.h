// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clocktimer.h"
#include "lockkeeper_monitor_export.h"
#include "monitor/model/monitorbatch.h"
#include "monitor/model/nodescope.h"
#include "monitor/observe/clientflags.h"
#include "monitor/observe/namereads.h"
#include "monitor/observe/read/lockreader.h"
#include "monitor/observe/read/readbudget.h"
#include "monitor/observe/read/trackedreads.h"
#include "monitor/observe/readschedule.h"
#include "monitor/observe/sources/changesources.h"
#include "monitor/observe/unknownnames.h"

#include <QSet>

#include <functional>

namespace lockkeeper::monitor {

// Watches known locks. On its own connection the server tracks their keys and pushes a message when a key changes; then
// the lock is read again. Without tracking it uses keyspace events if the server publishes them; otherwise it polls. An
// idle lock costs no command: it is read only after a change and at the end of its lease. No lock is read more often
// than WatchedLock::maxReads a second; the next read shows faster changes.
//
// Watch only keys that proved to be locks: the server remembers each key that is read.
// Thread: the clock's. Signals come from the event loop. Budget, denials, scope and clock must outlive it.
class LOCKKEEPER_MONITOR_EXPORT Observer : public QObject, public TrackedReads {
    Q_OBJECT
public:
    Observer(const redis::ConnectionOptions& options, const redis::TransportFactory& makeTransport, Clock& clock,
             ReadBudget& budget, Denials& denials, Milliseconds pollInterval, const NodeScope& scope = wholeServer());
    ~Observer() override;

    void open() { m_connection.open(); }
    void retryNow() { m_connection.retryNow(); }
    // Begins again on a new connection, as after a loss.
    void reconnect(const Error& why) { m_connection.reconnect(why); }
    // Ends the connection, as a loss does, until open().
    void interrupt();
    // Ends all reads and connections permanently.
    void stop();

    // Starts to watch a confirmed lock, with a first read. Tracked: no first read is needed; the snapshot must come
    // from trackedBulk() or knownNames() and be passed on as soon as it is received.
    void watch(const LockSnapshot& confirmed, Confirmation confirmation = Confirmation::Untracked);
    void forget(const LockName& name);
    // Ends watching the lock here, so that the observer of another node can continue; nothing if the lock is not
    // watched.
    [[nodiscard]] std::optional<WatchedLock> handOver(const LockName& name);
    // Completes with whether the server's clock has kept pace with this program's from `since` until after `ended`.
    using ClockCheck = std::function<Completion<bool>(SteadyTime since, SteadyTime ended)>;
    // Call before open(). Without it, the server's clock counts as one that keeps pace.
    void checkClockBy(ClockCheck check) { m_checkClock = std::move(check); }
    // Continues to watch a lock that was handed over: reads it as after a gap.
    void takeOver(const LockName& name, WatchedLock watched);
    [[nodiscard]] QList<LockName> watchedNames() const { return m_watched.names(); }
    [[nodiscard]] qsizetype watchedCount() const { return m_watched.size(); }
    // All locks that clients wait for now, known or not. Subscriptions for their messages come first.
    void noteWaitedFor(const QSet<LockName>& names);
    // Whether the server counts this observer among the subscribers of a sharded channel.
    [[nodiscard]] ShardedMessages::Counted isCounted(const QByteArray& channel) const {
        return m_sources.isCounted(channel);
    }
    // Reads the lock once more, soon; for callers that know of a change. Does nothing if the lock is not watched.
    void readAgain(const LockName& name);
    // The number of messages about a lock that is not watched, since the first of them.
    [[nodiscard]] int unknownNameMessages(const LockName& name) const { return m_unknownNames.messages(name); }
    // The unknown name is not a lock, or could not be read. After a second a message about it counts as the first one
    // again.
    void dismissUnknownName(const LockName& name) { m_unknownNames.dismiss(name, m_clock.now()); }

    // Reads names that are not watched, such as forgotten locks, on the tracking connection. From then on the server
    // reports the next change under such a name, see unknownNameInvalidated().
    [[nodiscard]] NameReads& knownNames() noexcept { return m_knownNames; }
    [[nodiscard]] BulkReader* trackedBulk() noexcept override {
        return m_mode == ObservationMode::Tracking ? &m_trackedBulk : nullptr;
    }

    // All keys may have changed without any message.
    void readEverything();

    [[nodiscard]] const redis::Connection& connection() const noexcept { return m_connection; }
    [[nodiscard]] ObservationMode mode() const noexcept { return m_mode; }
    // Why no better mode is used; empty if the mode is the best one.
    [[nodiscard]] const ObservationLimit& limit() const { return m_sources.limit(); }
    // Whether the server has shown in the last minute that its table of tracked keys has no room for the watched locks:
    // their changes are noticed late.
    [[nodiscard]] bool isTableTooSmall() const { return m_watched.areReportsDelayed(); }
    // Whether changes of a fair lock's queue are noticed at once.
    [[nodiscard]] bool noticesFairQueues() const {
        return m_mode == ObservationMode::Tracking || m_sources.noticesFairQueues();
    }

Q_SIGNALS:
    void stateChanged(lockkeeper::redis::Connection::State state);
    // Every read, in the server's order, with what is known about the time since the read before.
    void lockRead(const lockkeeper::monitor::LockSnapshot& lock, const lockkeeper::monitor::BetweenReads& between);
    // The lock cannot be read any more and is no longer watched; it may still be held.
    void lostSightOf(const lockkeeper::LockName& name);
    // The first message about a lock that is not watched was received.
    void unknownNameReported(const lockkeeper::LockName& name);
    // A name was read while the server tracked keys, is not watched, and the server reports a change of its key. The
    // key may be unchanged: if the table of tracked keys is full, the server removes a key from it and reports the key
    // as changed. Read such a name without tracking: a tracked read would remove further keys, which are reported, too.
    void unknownNameInvalidated(const lockkeeper::LockName& name);
    // After a reconnect, and before any lock is read again: the database has no key.
    void cameBackEmpty();
    // Watching has begun, for the first time or after a reconnect; mode() and limit() are valid.
    void began();

private:
    void onStateChanged(redis::Connection::State state);
    void endSession();
    Task<void> startSession(quint64 session);
    void onKeyspaceEventsRefused();
    void askWhetherEmpty();
    void followAll();
    void schedulePoll();
    void poll();

    void onInvalidated(const QByteArray& key);
    void onKeyEvent(const LockName& name);
    void onQueueEvent(const LockName& name);
    void onMessage(const QList<LockName>& candidates);
    void onMovedAway(const QList<LockName>& candidates);

    void noteRead(const LockName& name, const LastRead& lock);
    void readSoon(const LockName& name);
    void readSoon(ReadSchedule::Lock& lock);
    void requestAfter(ReadSchedule::Lock& lock, const Error& error);
    Task<void> read(LockName name, quint64 session);
    void triggerExpiry(const LockName& name, const WatchedLock& watched);
    Task<void> catchUpAfter(const LockName& name, const LockReading& reading);
    Task<void> catchUpWithMessages(LockName name, LockSnapshot found);
    [[nodiscard]] bool needsConfirmation(const LockName& name, SteadyTime sentAt, const Result<LockReading>& reading);
    Task<void> readConfirmed(LockName name, quint64 session);
    enum class EndOfLease { Proven, Doubtful, NotYet };
    Task<EndOfLease> proveEnd(const LockName& name);
    Task<EndOfLease> proveAtReplica(LockName name);
    Task<EndOfLease> proveByClock(LockName name);
    void onLockRead(const LockName& name, SteadyTime sentAt, Result<LockReading> reading);
    Reception reception(const LockName& name, const WatchedLock& watched) const;
    [[nodiscard]] bool isOfReplica() const { return m_connection.server().role == "replica"; }
    // To be given to a lock that is not watched any more. why: null if it is not known.
    [[nodiscard]] WatchedLock::Unwatched unwatched(SteadyTime since, std::shared_ptr<const Error> why = {}) const;

    Clock& m_clock;
    ReadBudget& m_budget;
    Denials& m_denials;
    const Milliseconds m_pollInterval;
    const NodeScope& m_scope;

    redis::Connection m_connection;
    ClientFlags m_flags;
    ChangeSources m_sources;
    LockReader m_reader;
    BulkReader m_trackedBulk;
    NameReads m_knownNames;

    ObservationMode m_mode = ObservationMode::None;
    QByteArray m_serverRole;  // of this session, or of the last one
    QString m_master;         // of this session, or of the last one; empty where it is always the same server
    quint64 m_session = 0;    // number of handshakes; reads of earlier sessions are ignored
    bool m_wasReady = false;
    ClockTimer m_pollTimer{m_clock, [this] { poll(); }};

    ReadSchedule m_watched{m_clock, [this](const LockName& name) { m_tasks.spawn(read(name, m_session)); }};
    ClockCheck m_checkClock;
    QSet<LockName> m_waitedFor;
    UnknownNames m_unknownNames;
    TaskScope m_tasks;  // last: its tasks end before what they use
};

}  // namespace lockkeeper::monitor
