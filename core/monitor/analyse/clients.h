// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/analyse/lockhistory.h"
#include "monitor/analyse/watchdogleases.h"
#include "monitor/model/clientrow.h"

#include <QHash>
#include <QMap>
#include <QSet>

#include <deque>
#include <set>
#include <vector>

namespace lockkeeper::monitor {

// What one lock adds to what is known of its only holder's client; kept with the lock.
struct WatchdogShare {
    enum class State : quint8 {
        None,      // no renewal by a watchdog is proven
        Renewing,  // renewed, and the next renewal is not overdue
        Stopped    // diagnosed as WatchdogStopped
    };
    // Whether the events say that the watchdog of this lock has stopped.
    enum class Telling : quint8 {
        Told,
        HeldBack,  // until it is known whether all locks of the client are concerned
        Covered    // a diagnosis of the client has said it
    };

    State state = State::None;
    Telling telling = Telling::Told;
    quint32 counted = 0;  // renewals of the present hold that the client has been given
};

// The clients behind the locks, and what is wrong with each as a whole: whether it has stopped to renew all of its
// locks. Follows the reads of all locks and their diagnoses. It uses no clock: times come with the reads, and a verdict
// that depends on time is decided by a further read. Thread: one.
class LOCKKEEPER_MONITOR_EXPORT Clients {
public:
    // A client's diagnosis has begun or ended.
    struct Change {
        Diagnosis diagnosis;
        DiagnosisPhase phase = DiagnosisPhase::Begun;
        LockName lock;  // whose read has decided that it begins: begin and end are about the same lock
    };
    struct WantedRead {
        LockName lock;
        SteadyTime when{};
    };
    // What the store has to do after a read. Names are in no order.
    struct News {
        std::vector<Change> changes;
        QList<LockName> covered;         // held back so far; `changes` says it for them
        QList<LockName> toTell;          // held back or covered so far; each is to be said by itself
        std::vector<WantedRead> wanted;  // these reads decide
    };

    // Of more than `most` clients only these are known; idle ones make room. An idle client is forgotten after
    // keepIdle.
    // watchdogs: the timeouts of all clients, as learned so far; outlives it.
    Clients(qsizetype most, Milliseconds keepIdle, const WatchdogLeases& watchdogs)
        : m_most(most), m_keepIdle(keepIdle), m_watchdogs(watchdogs) {}

    // The first read of a lock.
    void add(const LockSnapshot& first);
    // The next read of a known lock. share: of the lock. To be called before followWatchdog().
    void follow(const LockSnapshot& before, const LockSnapshot& after, const Comparison& comparison,
                const BetweenReads& between, WatchdogShare& share);
    // The diagnoses of the lock's last read.
    void followWatchdog(const LockSnapshot& lock, const LockHistory& history, const QList<Diagnosis>& found,
                        WatchdogShare& share);
    void followDeadWaiters(const QList<FairWaiter>& before, const QList<FairWaiter>& now);
    // The newest thread dump of a client's JVM. Does nothing if the client is not known.
    void setDump(const SharedDump& dump);
    // The lock is forgotten.
    void remove(const LockSnapshot& last, const WatchdogShare& share);

    // Whether the event that this lock's watchdog has stopped waits for the verdict on its client. To be called when
    // the diagnosis has begun.
    [[nodiscard]] bool holdsBack(const LockSnapshot& lock);
    [[nodiscard]] bool hasNews() const noexcept { return m_hasNews; }
    [[nodiscard]] News takeNews();

    // Forgets clients that have been idle for long enough.
    void forgetIdle(SteadyTime now);
    [[nodiscard]] std::optional<SteadyTime> nextForget() const;

    [[nodiscard]] std::optional<ClientRow> row(const ClientId& client) const;
    [[nodiscard]] qsizetype count() const { return m_clients.size(); }
    [[nodiscard]] bool hasChanges() const { return !m_changed.isEmpty() || !m_removed.isEmpty(); }
    // Since the last call.
    [[nodiscard]] std::vector<SharedClient> takeChanged();
    [[nodiscard]] std::vector<ClientId> takeRemoved();

private:
    // When something happened: after the one moment, and before the read at the other one.
    struct Seen {
        SteadyTime after = SteadyTime::min();
        SteadyTime at = SteadyTime::min();
    };
    struct Act {
        LastSign sign;
        Seen seen;
    };
    // All its renewals are overdue.
    struct Overdue {
        SteadyTime due{};                    // when the last of them was overdue
        std::optional<SteadyTime> othersAt;  // the first renewal by another client since then
        WallTime othersWall{};
        std::optional<Act> act;  // the first own act that certainly came after that
    };
    struct Client {
        ClientRow row;
        int renewing = 0;                  // locks with a share that is not None
        QMap<LockName, WallTime> stopped;  // those whose share is Stopped, with the end of their leases
        std::multiset<WallTime> ends;      // of `stopped`
        QSet<LockName> heldBack;
        SteadyTime heldBackSince{};  // valid while some are held back
        SteadyTime lastRenewal = SteadyTime::min();
        WallTime lastRenewalWall{};
        SteadyTime gapAt = SteadyTime::min();
        SteadyTime readAt = SteadyTime::min();  // the latest read of its locks
        std::optional<Act> lastAct;             // no renewal, and seen as it happened
        std::optional<Overdue> overdue;
        bool isTold = false;  // events have said its diagnosis
        LockName toldOf;      // if so, of this lock
        std::optional<SteadyTime> windowBegan;
        quint32 windowRenewals = 0;
        SteadyTime idleSince{};  // valid while idle
        bool isListed = false;   // in m_idle
    };
    struct Renewal {
        ClientId client;
        Seen seen;
        WallTime wall{};
    };
    struct IdleEntry {
        SteadyTime since{};
        ClientId client;
    };

    Client* find(const ClientId& client);
    Client* made(const ClientId& client, const LockSnapshot& read);
    [[nodiscard]] bool makeRoom();
    void forget(const ClientId& client);
    void list(Client& client);
    void count(const LockSnapshot* before, const LockSnapshot& after);
    void change(const ClientId& client, qsizetype ClientRow::*number, int by, const LockSnapshot& read);
    void noteSigns(const LockSnapshot& before, const LockSnapshot& after, const Comparison& comparison);
    void noteAct(Client& client, const Act& act);
    void noteQueued(const LockSnapshot& before, const LockSnapshot& after);
    void noteSign(const ClientId& client, SignOfLife what, const LockSnapshot& lock, SteadyTime after);
    void noteLosses(const LockSnapshot& before, const LockSnapshot& after);
    void noteRenewals(Client& client, const LockSnapshot& lock, const LockHistory& history, quint32 more);
    void confirmOthers(const Renewal& renewal);
    [[nodiscard]] const Renewal& newestOther(const ClientId& client) const;
    void endShare(const ClientId& client, const LockSnapshot& lock);
    void judge(Client& client, const LockSnapshot& read);
    void judgeOverdue(Client& client, const LockSnapshot& read);
    void judgeHeldBack(Client& client);
    [[nodiscard]] static SteadyTime endOfHolding(const Client& client);
    [[nodiscard]] Overdue overdueSince(const Client& client, SteadyTime due);
    [[nodiscard]] static StoppedLocks stoppedOf(const Client& client);
    static void noteStopped(Client& client, const LockName& lock, const std::optional<WallTime>& ends);
    void settle(Client& client, const std::optional<Diagnosis>& found, const LockName& decidedBy);
    void releaseHeldBack(Client& client);
    void want(const Client& client, SteadyTime when);
    void touch(const Client& client) { m_changed.insert(client.row.id); }

    const qsizetype m_most;
    const Milliseconds m_keepIdle;
    const WatchdogLeases& m_watchdogs;
    QHash<ClientId, Client> m_clients;
    std::deque<IdleEntry> m_idle;   // clients that were idle, at most one entry each; about the oldest first
    QSet<ClientId> m_unconfirmed;   // overdue, and no other client has certainly renewed since
    SteadyTime m_unchangedUntil{};  // of the lock that follow() had last: until when it certainly was as before
    Renewal m_newest;               // by any client
    Renewal m_newestOfAnother;      // by another one than that of m_newest
    QSet<ClientId> m_changed;
    QSet<ClientId> m_removed;
    News m_news;
    bool m_hasNews = false;
};

}  // namespace lockkeeper::monitor
