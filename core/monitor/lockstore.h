#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/analyse/lockhistory.h"
#include "monitor/model/lookagenda.h"
#include "monitor/model/monitorbatch.h"
#include "monitor/model/namemap.h"
#include "monitor/model/snapshotcompare.h"
#include "monitor/analyse/busylocks.h"

#include <QHash>
#include <QSet>

#include <deque>

namespace lockkeeper::monitor {

// What the store may hold. All of it is settable so that tests need not wait or fill memory.
struct StoreLimits {
    Milliseconds keepFree{60000};  // a free lock that nobody waits for is forgotten after this
    qsizetype rows = 200'000;      // known locks, free ones included
    size_t undelivered = 20'000;   // events waiting to be taken; the oldest are dropped and counted
};

enum class Kept { Yes, NoRoom };

// All known locks by name: applies one look after the other, learns what a single look cannot tell (held since,
// renewals, kind), and collects what changed until the next take(). Knows no server and no clock: times come with the
// looks. Thread: one.
class LOCKKEEPER_MONITOR_EXPORT LockStore {
public:
    explicit LockStore(StoreLimits limits = {}) : m_limits(limits) {}

    [[nodiscard]] bool knows(const LockName& name) const { return m_rows.contains(name); }
    // Null when not known; valid until the next change.
    [[nodiscard]] const LockRow* row(const LockName& name) const;
    [[nodiscard]] QList<LockName> names() const { return m_rows.names(); }

    // A look at one lock, in the order in which the server answered. `between` is about the time since the look before.
    Kept apply(LockSnapshot look, const Between& between);
    // The server's whole answer about who waits, asked for at countBegan; for a lock that is not in it nobody waits.
    void setWaiting(QHash<LockName, Listeners> waiting, SteadyTime countBegan, WallTime wall);
    // A whole sweep has ended. Up to the end of the first one a lock is Found, later ones are Acquired.
    void endSweep(quint64 keys, WallTime at);
    // A lock that can be looked into no more: nobody knows what becomes of it, so it is forgotten.
    void loseSightOf(const LockName& name, SteadyTime now);
    // Forgets what has been free for long enough, and answers which, with those that had to make room before their
    // time. nextForget() is when to ask again; nothing while none is free.
    QList<LockName> forgetFree(SteadyTime now);
    [[nodiscard]] std::optional<SteadyTime> nextForget() const;

    // Takes back the throughput of locks that are busy no more. nextCooling() is when to ask again; nothing while none
    // is busy.
    void coolDown(SteadyTime now);
    [[nodiscard]] std::optional<SteadyTime> nextCooling() const { return m_busy.nextIdle(); }

    // Locks whose diagnoses a look may change by now, and when to ask again; nothing while time changes none.
    [[nodiscard]] QList<LockName> takeDueLooks(SteadyTime now) { return m_agenda.takeDue(now); }
    [[nodiscard]] std::optional<SteadyTime> nextLook() const { return m_agenda.earliest(); }

    [[nodiscard]] qsizetype known() const { return m_rows.size(); }
    [[nodiscard]] qsizetype held() const noexcept { return m_held; }
    // Those with a diagnosis that is more than information.
    [[nodiscard]] qsizetype faulty() const noexcept { return m_faulty; }
    [[nodiscard]] quint64 eventsDropped() const noexcept { return m_dropped; }
    [[nodiscard]] quint64 sweepsDone() const noexcept { return m_sweeps; }

    [[nodiscard]] bool hasChanges() const;
    // Everything since the last take(): each changed row once, every event in order. The first one asks to reset.
    [[nodiscard]] MonitorBatch take();

private:
    struct Known {
        LockRow row;
        LockHistory history;
    };

    struct FreeEntry {
        SteadyTime since{};
        LockName name;
    };

    Kept applyFirst(LockSnapshot look, const Between& between);
    void applyFirstHeld(LockRow& row);
    void applyFirstFree(LockRow& row, const Between& between);
    void applyNext(Known& known, LockSnapshot look, const Between& between);
    void measure(Known& known, const LockSnapshot& look, Comparison& comparison, const Between& between);
    void refreshWaiting(Known& known, SteadyTime countBegan, WallTime wall);
    void diagnose(Known& known, WallTime at);
    void setDiagnoses(LockRow& row, QList<Diagnosis> found, WallTime at);
    void addEarlierKnowledge(LockSnapshot& look, const LockSnapshot& before);
    std::optional<int> waitersOf(const LockSnapshot& lock) const;
    void setWaiters(LockRow& row, std::optional<int> waiters, SteadyTime now, WallTime wall);
    [[nodiscard]] bool makeRoom(SteadyTime now);
    bool mayForget(const FreeEntry& entry) const;
    void forget(const LockName& name, SteadyTime now);
    static WallTime wallTimeAt(const LockRow& row, SteadyTime now);
    void noteFree(LockRow& row, SteadyTime since);
    void addEvent(LockEvent event);

    StoreLimits m_limits;
    NameMap<Known> m_rows;
    std::optional<QHash<LockName, Listeners>> m_waiting;
    QSet<LockName> m_awaitingCount;  // what the next count may change, though nobody listens
    LookAgenda m_agenda;
    BusyLocks m_busy;
    std::deque<FreeEntry> m_free;  // oldest first; entries of locks that were taken since are passed over
    QSet<LockName> m_evicted;      // made room, and not yet answered by forgetFree()
    qsizetype m_held = 0;
    qsizetype m_faulty = 0;
    quint64 m_sweeps = 0;
    quint64 m_dropped = 0;

    bool m_reset = true;
    QSet<LockName> m_changed;
    QSet<LockName> m_removed;
    std::deque<LockEvent> m_events;
};

}  // namespace lockkeeper::monitor
