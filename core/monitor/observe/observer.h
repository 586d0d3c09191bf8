#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/model/monitorbatch.h"
#include "monitor/model/namemap.h"
#include "monitor/observe/read/lockreader.h"
#include "monitor/observe/read/readbudget.h"
#include "monitor/observe/sources/changesources.h"
#include "monitor/observe/clientflags.h"
#include "monitor/observe/namelooks.h"
#include "monitor/observe/proof.h"
#include "monitor/observe/strangers.h"
#include "monitor/observe/watchedlock.h"

#include <deque>

namespace lockkeeper::monitor {

// Watches known locks: on a connection of its own the server tracks their keys and pushes when one changes, then the
// lock is looked at again. Where that is not to be had it listens to keyspace events if the server publishes them, and
// else polls. Idle locks cost no command: besides changes only the end of a lease is a reason to look. No lock is
// looked at more often than WatchedLock::maxReads a second; what comes faster is seen in the next look.
//
// Only keys that proved to be locks belong here: the server remembers each key that is looked at.
// Thread: the clock's. Signals come from the event loop. Budget, denials and clock must outlive it.
class LOCKKEEPER_MONITOR_EXPORT Observer : public QObject {
    Q_OBJECT
public:
    Observer(const redis::ConnectionOptions& options, const redis::TransportFactory& makeTransport, Clock& clock,
             ReadBudget& budget, Denials& denials, Milliseconds pollInterval);
    ~Observer() override;

    void open() { m_connection.open(); }
    // Ends all looks and connections, for good.
    void stop();

    // Begins to watch what a look has proved to be a lock: with a look of its own, unless that one was made here, by
    // trackedBulk() or knownNames(), and is handed over as its answer comes.
    void watch(const LockSnapshot& proved, Proof proof = Proof::Untracked);
    void forget(const LockName& name);
    // Looks once more, soon; for who knows that something has happened. Nothing happens when it is not watched.
    void lookAgain(const LockName& name);
    // Messages heard about a lock that is not watched, since it was first heard of.
    [[nodiscard]] int strangerMessages(const LockName& name) const { return m_strangers.messages(name); }
    // The stranger that was heard of is no lock, or could not be read: after a second a message about it counts as the
    // first again.
    void dismissStranger(const LockName& name) { m_strangers.dismiss(name, m_clock.now()); }

    // Looks at names of locks that are not watched, on the connection that tracks: from then on the server tells when
    // something happens under such a name, and it is looked at once more. So it is with locks that were forgotten.
    [[nodiscard]] NameLooks& knownNames() noexcept { return m_knownNames; }
    // Reads on the connection that tracks, for names that are most likely locks; null while nothing is tracked.
    [[nodiscard]] BulkReader* trackedBulk() noexcept {
        return m_mode == ObservationMode::Tracking ? &m_trackedBulk : nullptr;
    }

    [[nodiscard]] const redis::Connection& connection() const noexcept { return m_connection; }
    [[nodiscard]] ObservationMode mode() const noexcept { return m_mode; }
    // Why not the better mode; empty when it is the best.
    [[nodiscard]] QString reason() const { return m_sources.reason(); }
    // Who joins or leaves a fair lock's queue is noticed at once.
    [[nodiscard]] bool hearsFairQueues() const {
        return m_mode == ObservationMode::Tracking || m_sources.hearsFairQueues();
    }

Q_SIGNALS:
    void stateChanged(lockkeeper::redis::Connection::State state);
    // Every look in the server's order, with what is known about the time since the look before.
    void looked(const lockkeeper::monitor::LockSnapshot& lock, const lockkeeper::monitor::Between& between);
    // It can be looked into no more, and is not watched any longer; it may be held all the same.
    void lostSightOf(const lockkeeper::LockName& name);
    // The first message of a lock that is not watched.
    void strangerHeard(const lockkeeper::LockName& name);
    // Watching has begun, anew after a loss; mode() and reason() are set.
    void began();

private:
    void onStateChanged(redis::Connection::State state);
    void endSession();
    Task<void> startSession(quint64 session);
    void onKeyspaceEventsRefused();
    void followAll();
    void schedulePoll();

    void onInvalidated(const QByteArray& key);
    void onKeyEvent(const LockName& name);
    void onQueueEvent(const LockName& name);
    void onFlushed();
    void onMessage(const QList<LockName>& candidates);

    void lookSoon(const LockName& name);
    void requestAll();
    void request(const LockName& name);
    void requestAt(const LockName& name, WatchedLock& watched, SteadyTime when);
    void enqueue(const LockName& name, WatchedLock& watched);
    void pump();
    Task<void> look(LockName name, quint64 session);
    void hearOfItsEndFirst(const LockName& name, const WatchedLock& watched);
    Task<void> catchUpWithMessages(LockName name, LockSnapshot found);
    void onLooked(const LockName& name, SteadyTime sentAt, const Result<LockReading>& reading);
    Hearing hearing(const WatchedLock& watched) const;
    void scheduleLeaseEnd(const LockName& name, WatchedLock& watched);
    void cancelTimers(WatchedLock& watched);

    Clock& m_clock;
    ReadBudget& m_budget;
    Denials& m_denials;
    const Milliseconds m_pollInterval;

    redis::Connection m_connection;
    ClientFlags m_flags;
    ChangeSources m_sources;
    LockReader m_reader;
    BulkReader m_trackedBulk;
    NameLooks m_knownNames;

    ObservationMode m_mode = ObservationMode::None;
    QByteArray m_serverRole;  // of this session, or of the last one
    quint64 m_session = 0;    // counts handshakes; a look of an earlier session is not heard
    bool m_wasReady = false;
    Clock::TimerId m_pollTimer = Clock::TimerId::None;

    NameMap<WatchedLock> m_watched;
    Strangers m_strangers;
    std::deque<LockName> m_queue;
    int m_inFlight = 0;
    bool m_pumping = false;
    TaskScope m_tasks;  // last: its tasks end before what they use
};

}  // namespace lockkeeper::monitor
