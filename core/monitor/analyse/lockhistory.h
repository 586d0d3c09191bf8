// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/analyse/presenthold.h"
#include "monitor/model/listeners.h"
#include "monitor/model/rare.h"
#include "monitor/model/snapshotcompare.h"

#include <array>

namespace lockkeeper::monitor {

// The durations of the last few holds of a lock.
class LOCKKEEPER_MONITOR_EXPORT HoldTimes {
public:
    static constexpr int capacity = 8;

    void add(Milliseconds hold);
    [[nodiscard]] int count() const noexcept { return m_count; }
    // Zero if there are no holds.
    [[nodiscard]] Milliseconds median() const;
    [[nodiscard]] Milliseconds longest() const;

private:
    std::array<Milliseconds, capacity> m_holds{};
    int m_count = 0;
    int m_next = 0;
};

// What earlier reads and counts of subscribers show about a lock: the input of diagnose() besides the last read. A
// value of bounded size. It starts empty again after a gap, because a gap in observation proves nothing; only the hold
// that is shown may continue.
struct LOCKKEEPER_MONITOR_EXPORT LockHistory {
    struct EndedHold {
        Hold hold;                     // its unbroken part
        std::optional<Holder> holder;  // nothing if there were several
        EventType how = EventType::Gone;
        SteadyTime endedAt{};
    };

    // A client that is subscribed like a fair waiter, but is neither in the queue nor the holder.
    struct StrayWaiter {
        HolderId id;
        SteadyTime since{};
    };

    // A reader whose field and timeout keys do not match.
    struct OddReader {
        enum class Odd { WithoutKeys, WithoutField };
        HolderId id;
        Odd odd = Odd::WithoutKeys;
        SteadyTime since{};
        bool seenWhole = false;  // WithoutKeys: the keys existed at the read before
    };

    // While the lock was held, the connection was lost. Then the server came back in another role, or another server
    // became the master. A demoted master takes over the new master's locks only when it becomes its replica, and a
    // lock may never have been replicated. So another client may hold the lock now, or soon, without the knowledge of
    // the earlier holder.
    struct Failover {
        HolderId earlier;
        SteadyTime earlierEnds{};
        Milliseconds gap{0};
        QByteArray serverRole;
        std::optional<QByteArray> newMaster;  // nothing: the server is the same one
    };

    // The last count on sharded channels that found waiters. A moving slot ends their subscriptions before the move is
    // known here.
    struct ShardedWait {
        int clients = 0;  // without those that may have acquired the lock since
        SteadyTime countedAt{};
    };

    // The slot has moved while clients were subscribed. Since then no subscriber has been seen on the new node.
    struct Unheard {
        int clients = 0;  // as in ShardedWait
        QByteArray earlierNode;
        SteadyTime since{};
        bool isUnclear = false;  // the hold of that time has ended, or the last count before the move found no waiters
    };

    // Several holds of about a second each; the same holder released and acquired the lock again each time.
    struct TakenBack {
        HolderId holder;
        int times = 0;
        SteadyTime first{};  // when the first of these holds was released
        SteadyTime last{};
    };

    // A time before all others: no subscribers have been counted, or the server does not report them.
    static constexpr SteadyTime notCounted = SteadyTime::min();

    LockHistory() = default;
    explicit LockHistory(const LockSnapshot& first);

    // Adds the next read, compared with the one before.
    void follow(const LockSnapshot& before, const LockSnapshot& after, const Comparison& comparison,
                const BetweenReads& between);
    // Adds the server's count of subscribers, which began at countBegan. lock: its last read.
    void count(const Listeners& counted, SteadyTime countBegan, const LockSnapshot& lock,
               const QueueListening& listening = {});

    // Whether this waiter of the fair queue is dead. A live waiter joins the queue before it subscribes, and restores a
    // lost subscription within 80 ms. So a single count without the waiter proves nothing, and two counts that are far
    // apart prove it.
    [[nodiscard]] bool isDead(const HolderId& queued) const;
    // As isDead() for the head of the queue, but only by the servers that were asked. If these were not all servers,
    // the head may be alive.
    [[nodiscard]] bool isHeadUnheard() const;

    // Waiters of the fair queue that were missing in a count that began after they had joined the queue. They may be
    // subscribed on another server.
    [[nodiscard]] QList<HolderId> unheardWaiters() const;

    // Converts a steady time to wall time, always with the same result unless the wall clock was set.
    [[nodiscard]] WallTime wallTime(SteadyTime when) const;

    struct Past {
        std::optional<EndedHold> lastHold;
        HoldTimes holdTimes;     // of holds whose begin and end were seen
        quint64 released = 0;    // holds that ended with a message
        quint64 silentEnds = 0;  // holds that ended without a message and with TTL left, as those of a spin lock do
        std::optional<Failover> failover;  // until a release message is received
        std::optional<StrayWaiter> stray;
        std::optional<ShardedWait> shardedWait;
        std::optional<Unheard> unheard;
        std::optional<TakenBack> takenBack;
        QList<OddReader> oddReaders;  // of a read/write lock; at most one for each reader
    };
    [[nodiscard]] const Past& past() const { return *m_past; }

    // A waiter of the fair queue that was subscribed on no server that the count has asked.
    struct SilentWaiter {
        HolderId id;
        SteadyTime queuedAt{};            // a read at which it was in the queue
        std::optional<SteadyTime> since;  // each count since then has asked all servers, and found it on none of them
    };

    // What is known about the lock's waiters: the fair queue and the subscribed clients.
    struct Waiting {
        SteadyTime headSince{};        // since when the fair queue has the same head; valid while it has one
        bool isHeadListening = false;  // at the last count, see QueueListening
        std::optional<SteadyTime> headWithoutDeadlineSince;  // each read since then found the present head without one
        QList<SilentWaiter> silent;                          // at the last count
        std::optional<SteadyTime> headUnheardSince;  // each count since then has found the present head on no server
                                                     // that was asked
        Listeners listeners;                         // at the last count
        SteadyTime listenersSince{};                 // each count since then found some; valid while there are some
    };
    [[nodiscard]] const Waiting& waiting() const { return *m_waiting; }

    PresentHold hold;        // valid while held
    bool everHeld = false;   // a hold was seen in this database; its channels are shared with all other databases
    SteadyTime freeSince{};  // valid while free

    SteadyTime countedAt = notCounted;  // time of the last count of subscribers

private:
    void followGap(const LockSnapshot& before, const LockSnapshot& after, const Comparison& comparison,
                   const BetweenReads& between);
    void endHold(const LockSnapshot& before, const LockSnapshot& after, const Comparison& comparison);
    void followMove(const LockSnapshot& before, const LockSnapshot& after, const LockHistory& earlier);
    void noteAcquired();
    void followTakenBack(const LockSnapshot& after);
    void countListeners(const Listeners& counted, SteadyTime countBegan);
    void countHead(bool isListening, SteadyTime countBegan, const LockSnapshot& lock);
    void countSilent(const QueueListening& listening, SteadyTime countBegan, SteadyTime lastRead);
    void countSharded(const Listeners& counted, SteadyTime countBegan);
    void followFree(const LockSnapshot& before, const LockSnapshot& after, const BetweenReads& between);
    void followQueue(const LockSnapshot& before, const LockSnapshot& after);
    void followDeadline(const LockSnapshot& read);
    void forgetSilent(const LockSnapshot& after);
    void followReaders(const LockSnapshot& before, const LockSnapshot& after);
    void followWallClock(const LockSnapshot& read);

    void setOddReaders(const QList<OddReader>& odd);

    // Rare, because most of 100,000 locks have neither a past nor waiters.
    Rare<Past> m_past;
    Rare<Waiting> m_waiting;
    SteadyTime::duration m_wallOffset{};  // offset of the wall clock to steady time
};

}  // namespace lockkeeper::monitor
