// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/analyse/busylocks.h"
#include "monitor/analyse/clients.h"
#include "monitor/analyse/clienttimeouts.h"
#include "monitor/analyse/deadlocksearch.h"
#include "monitor/analyse/lockhistory.h"
#include "monitor/analyse/queuemapping.h"
#include "monitor/analyse/rememberedholds.h"
#include "monitor/analyse/threaddumps.h"
#include "monitor/analyse/twinnames.h"
#include "monitor/analyse/unreadnames.h"
#include "monitor/analyse/waitingcounts.h"
#include "monitor/analyse/watchdogleases.h"
#include "monitor/model/knownlocks.h"
#include "monitor/model/monitorbatch.h"
#include "monitor/model/namemap.h"
#include "monitor/model/nameschedule.h"
#include "monitor/model/nodefigures.h"
#include "monitor/model/snapshotcompare.h"
#include "monitor/store/presentinputs.h"
#include "monitor/store/storedlock.h"
#include "monitor/store/storeinput.h"
#include "monitor/store/storelimits.h"

#include <QHash>
#include <QSet>

#include <deque>
#include <unordered_set>

namespace lockkeeper::monitor {

struct DiagnosisChanges;

// Events that wait to be taken, in their order. Bounded by weight, see weightOf(): the oldest are dropped and counted.
class UndeliveredEvents {
public:
    explicit UndeliveredEvents(size_t limit) : m_limit(static_cast<qsizetype>(limit)) {}

    void add(LockEvent event);
    [[nodiscard]] std::vector<LockEvent> take();
    [[nodiscard]] bool isEmpty() const noexcept { return m_events.empty(); }
    [[nodiscard]] quint64 dropped() const noexcept { return m_dropped; }

private:
    qsizetype m_limit;
    std::deque<LockEvent> m_events;
    qsizetype m_weight = 0;
    quint64 m_dropped = 0;
};

enum class Stored { Yes, NoRoom };

// All known locks by name. It applies reads in order, learns what a single read does not contain (held since, renewals,
// kind), and collects changes until the next take(). It uses neither a server nor a clock: times come with the reads.
// Thread: one.
class LOCKKEEPER_MONITOR_EXPORT LockStore final : public KnownLocks {
public:
    explicit LockStore(StoreLimits limits = {}, const ClientTimeouts& timeouts = {})
        : m_limits(limits),
          m_timeouts(timeouts),
          m_watchdogs(timeouts.watchdog),
          m_clients(limits.clients, limits.keepIdleClient, m_watchdogs) {}

    [[nodiscard]] bool knows(const LockName& name) const override { return m_known.contains(name); }
    // Nothing if the lock is not known.
    [[nodiscard]] std::optional<LockRow> row(const LockName& name) const;
    [[nodiscard]] QList<LockName> names() const { return m_known.names(); }
    // Nothing if the client is not known.
    [[nodiscard]] std::optional<ClientRow> client(const ClientId& id) const { return m_clients.row(id); }

    // feed() calls the function below that the input stands for. forgotten: for FreeTimePassed, the names that are not
    // known any more.
    struct Fed {
        Stored stored = Stored::Yes;
        QList<LockName> forgotten;
    };
    Fed feed(StoreInput input);
    // Inputs that lead a new store to the rows of this one. What earlier reads showed is not part of them, as for a
    // session that begins now.
    [[nodiscard]] PresentInputs presentInputs();

    // Applies a read of one lock; call it in the order in which the server answered. between: about the time since the
    // read before.
    Stored apply(LockSnapshot read, const BetweenReads& between);
    // The complete list of the waiters for the locks of one shard, requested at countBegan. A lock of the shard that is
    // not in the list has no waiters.
    void setWaiting(const WaitingCounts::Waiting& waiting, SteadyTime countBegan, WallTime wall,
                    topology::ShardId shard = {}, Coverage coverage = Coverage::SomeServers);
    // Waiters of fair queues that are in no count, with their lock. They may be subscribed on other servers; otherwise
    // they are dead.
    [[nodiscard]] QHash<HolderId, LockName> unheardWaiters() const;
    // Whether this waiter was in the lock's own queue at its last read.
    [[nodiscard]] bool isQueued(const LockName& name, const HolderId& waiter) const;
    // Whether this waiter of the lock's own queue is proven dead by now.
    [[nodiscard]] bool provesDead(const LockName& name, const HolderId& waiter) const;
    // The replicas of a shard's master have changed.
    void setReplicas(topology::ShardId shard, const Replicas& replicas, WallTime wall);
    // The command rate of a shard's master; diagnoses use it with the next count of waiters.
    void setCommandRate(topology::ShardId shard, std::optional<qint64> perSecond) {
        m_figures[shard].commandsPerSecond = perSecond;
    }
    // What earlier sessions have seen of holds that are found at the first sweep. Not an input: without it, a replay
    // shows less.
    void remember(RememberedHolds holds) { m_remembered = std::move(holds); }
    // Held locks whose begin was not seen; at most so many.
    [[nodiscard]] QList<LockName> holdsToRecall(qsizetype most) const;
    // As remember(), for locks that have been read already.
    void recall(RememberedHolds holds);
    // From now on nothing is guessed about the leases of this client.
    void noteOwnClient(const ClientId& client) { m_ownClients.insert(client); }
    // A thread dump of a client's JVM was read: the locks of the client get verdicts from it.
    void noteDump(const SharedDump& dump, WallTime at);
    // A whole sweep of this shard has ended. Before the end of the first sweep a new lock is Found, later it is
    // Acquired.
    void endSweepOf(topology::ShardId shard) { m_swept.insert(shard); }
    // A node has refused to read this name because its slot is moving, or has moved.
    void noteUnread(const LockName& name);
    // Names whose last read was refused because of a moving slot, sorted. The number of unknown names is bounded, and
    // these are kept only while sweeps find them.
    [[nodiscard]] QList<LockName> unread() const { return m_unread.names(); }
    // The server of this shard has come back without any key: one event with the number of held locks that ended by
    // it. The events of the locks follow when they are read.
    void noteEmptied(topology::ShardId shard, WallTime at);
    // All shards have been swept.
    void endSweep(quint64 keys, WallTime at);
    // Forgets a lock that cannot be read any more, because its changes cannot be seen.
    void loseSightOf(const LockName& name, SteadyTime now);
    // Forgets locks that have been free for long enough. Returns their names, and the names of locks that were evicted
    // earlier to make room. nextForget(): when to call it again; nothing while no lock is free.
    QList<LockName> forgetFree(SteadyTime now);
    [[nodiscard]] std::optional<SteadyTime> nextForget() const;

    // Removes the throughput of locks that are not busy any more. nextCooling(): when to call it again, which may be
    // too early for any lock; nothing while no lock is busy.
    void coolDown(SteadyTime now);
    [[nodiscard]] std::optional<SteadyTime> nextCooling() const { return m_busy.nextIdle(); }

    // Locks whose diagnoses may change by now, if the locks are read again. nextRead(): when to call it again; nothing
    // if no diagnosis depends on time.
    [[nodiscard]] QList<LockName> takeDueReads(SteadyTime now) { return m_dueReads.takeDue(now); }
    [[nodiscard]] std::optional<SteadyTime> nextRead() const { return m_dueReads.earliest(); }

    [[nodiscard]] qsizetype known() const { return m_known.size(); }
    [[nodiscard]] qsizetype held() const noexcept { return m_held; }
    // The number of locks with a diagnosis that is more than information.
    [[nodiscard]] qsizetype faulty() const noexcept { return m_faulty; }
    [[nodiscard]] quint64 eventsDropped() const noexcept { return m_events.dropped(); }
    [[nodiscard]] quint64 sweepsDone() const noexcept { return m_sweeps; }
    // Adds the figures that the store knows.
    void addTo(MonitorStats& stats) const;

    [[nodiscard]] bool hasChanges() const;
    // All changes since the last take(): each changed row once, every event in order. The first batch has `reset` set.
    [[nodiscard]] MonitorBatch take();

private:
    // Adds to the row what only the store knows.
    void complete(const StoredLock& known, LockRow& row) const;

    struct FreeEntry {
        SteadyTime since{};
        LockName name;
    };

    Stored applyFirst(LockSnapshot read, const BetweenReads& between);
    void addFirstEvents(const StoredLock& known, const BetweenReads& between);
    void applyNext(StoredLock& known, LockSnapshot read, const BetweenReads& between);
    void measure(StoredLock& known, const LockSnapshot& read, Comparison& comparison, const BetweenReads& between);
    // A count of waiters, as it is about one lock.
    struct Count {
        SteadyTime began;
        SteadyTime noneAt;  // see LockHistory::count()
        WallTime wall;
        Coverage coverage;
    };
    void refreshWaiting(StoredLock& known, const Listeners& counted, const Count& count);
    void learnWatchdog(const LockSnapshot& renewed, const BetweenReads& between);
    QueueListening queueListening(const LockSnapshot& lock, Coverage coverage);
    // Waiters of the lock's queue that are in no count.
    QList<HolderId> notListening(const LockSnapshot& lock);
    bool isHeldByOtherName(const LockSnapshot& queue) const;
    void noteUnheard(const StoredLock& known);
    void diagnose(StoredLock& known, WallTime at);
    void diagnoseRead(StoredLock& known, const LockSnapshot* before);
    void searchDeadlocks(const LockSnapshot& read);
    std::optional<Diagnosis> twoNames(const StoredLock& known) const;
    void diagnoseTwin(const LockName& name, WallTime at);
    void judgeThreads(StoredLock& known, QList<Diagnosis>& diagnoses);
    void diagnoseStale();
    void addThreadEvents(const StoredLock& known, const SharedDump& dump, WallTime at);
    void showWaits(StoredLock& known);
    // before: how many waits were measured earlier.
    void noteEndedWaits(const StoredLock& known, quint64 before);
    void followWaits(StoredLock& known, const LockSnapshot& read, Comparison& comparison, const BetweenReads& between);
    // When the count before this one began, if the lock has been watched since then without a gap.
    [[nodiscard]] std::optional<SteadyTime> earlierCountOf(const StoredLock& known) const;
    void countWaits(StoredLock& known, const Listeners& counted, SteadyTime countBegan);
    void setDeadWaiters(StoredLock& known, QList<FairWaiter> found);
    void setDiagnoses(StoredLock& known, QList<Diagnosis> found, WallTime at);
    void addDiagnosisEvents(StoredLock& known, const DiagnosisChanges& changes, WallTime at);
    void tellOfClients(const LockSnapshot& read, WallTime at);
    [[nodiscard]] LockSnapshot lastOf(const LockName& name, const LockSnapshot& read) const;
    void tellHeldBack(const LockName& name, WallTime at);
    void addEarlierKnowledge(LockSnapshot& read, const LockSnapshot& before);
    void followQueue(const LockSnapshot& read);
    void setWaiters(StoredLock& known, SteadyTime now, WallTime wall);
    // Forgets free locks until there is room for this weight.
    [[nodiscard]] bool makeRoom(qsizetype weight, SteadyTime now);
    bool mayForget(const FreeEntry& entry) const;
    void forget(const LockName& name, SteadyTime now);
    static WallTime wallTimeAt(const LockSnapshot& lock, SteadyTime now);
    void noteFree(StoredLock& known, SteadyTime since);

    StoreLimits m_limits;
    ClientTimeouts m_timeouts;
    NameMap<StoredLock> m_known;
    WaitingCounts m_counts;
    QHash<topology::ShardId, SteadyTime> m_countedAt;  // when the last count of each shard began
    QHash<topology::ShardId, NodeFigures> m_figures;
    QSet<ClientId> m_ownClients;  // one for each time that the session was armed
    QSet<topology::ShardId> m_swept;
    UnreadNames m_unread{*this};
    QSet<LockName> m_awaitingCount;  // locks whose diagnoses the next count may change, even if it shows no waiters
    QSet<LockName> m_unheard;        // locks with waiters of unheardWaiters()
    QSet<LockName> m_fixedLeases;    // locks with that diagnosis: what is learned of their client may refute it
    WatchdogLeases m_watchdogs;
    NameSchedule m_dueReads;
    BusyLocks m_busy;
    QueueMapping m_queueMapping;
    DeadlockSearch m_deadlocks;
    TwinNames m_twins{*this};
    ThreadDumps m_dumps;
    WallTime m_diagnosedAt{};  // the last time of a diagnosis
    Clients m_clients;
    std::deque<FreeEntry> m_free;  // oldest first; entries of locks that were taken since are skipped
    RememberedHolds m_remembered;  // until the first whole sweep has ended
    QSet<LockName> m_evicted;      // evicted to make room, and not yet returned by forgetFree()
    qsizetype m_weight = 0;        // weight of all known locks, see weightOf()
    qsizetype m_held = 0;
    qsizetype m_faulty = 0;
    quint64 m_sweeps = 0;

    bool m_reset = true;
    std::unordered_set<LockName, LockNameHash> m_changed;  // a QSet with one name is slow to walk through
    QSet<LockName> m_removed;
    UndeliveredEvents m_events{m_limits.undelivered};
    std::vector<EndedWait> m_endedWaits;  // at most as many as events
};

}  // namespace lockkeeper::monitor
