#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/analyse/holdtimes.h"
#include "monitor/model/listeners.h"
#include "monitor/model/snapshotcompare.h"

namespace lockkeeper::monitor {

// What the looks before the last one, and the counts of listeners, tell about a lock; what diagnose() needs besides the
// last look. A value of bounded size. Begins anew after a gap: what was not watched is not known.
struct LOCKKEEPER_MONITOR_EXPORT LockHistory {
    enum class Start {
        Seen,    // nobody held it at the look before
        NotSeen  // held at the first look
    };

    // A hold by the same holders, whatever their counts.
    struct Hold {
        SteadyTime since{};
        Start start = Start::NotSeen;
        Milliseconds peakTtl{0};
        SteadyTime ends = SteadyTime::max();  // its lease, as it was last set
        quint64 renewals = 0;
        // Of them, those before which so much of the lease had run off as a watchdog lets run off. A quick reentry,
        // given back before anybody looks, lifts the TTL too.
        quint64 watchdogLike = 0;
        SteadyTime lastRenewal{};
        Milliseconds renewedTo{0};  // the TTL after the last renewal
        // A TTL went up while no release would have been heard: a renewal, or the same holder back again.
        bool unclearRenewals = false;
        int stepsUp = 0;  // of the reentry count
        bool steppedDown = false;
    };

    struct EndedHold {
        Hold hold;
        std::optional<Holder> holder;  // nothing when there were several
        EventType how = EventType::Gone;
        SteadyTime endedAt{};
    };

    // A client listens as a fair waiter does, and is neither queued nor the holder.
    struct StrayWaiter {
        HolderId id;
        SteadyTime since{};
    };

    // A reader whose field and timeout keys do not belong together.
    struct OddReader {
        enum class Odd { WithoutKeys, WithoutField };
        HolderId id;
        Odd odd = Odd::WithoutKeys;
        SteadyTime since{};
        bool seenWhole = false;  // WithoutKeys: they were there at the look before
    };

    // While the lock was held, the server was lost, and came back in another role. A demoted one takes over the other's
    // locks only then, or a lock has never got there: so another may hold it now, or soon, and the earlier holder knows
    // nothing.
    struct Failover {
        HolderId earlier;
        SteadyTime earlierEnds{};
        Milliseconds gap{0};
        QByteArray serverRole;
    };

    LockHistory() = default;
    explicit LockHistory(const LockSnapshot& first);

    // The next look, compared with the one before.
    void follow(const LockSnapshot& before, const LockSnapshot& after, const Comparison& comparison,
                const Between& between);
    // The server's count, begun at countBegan; about the lock as last looked at.
    void count(const Listeners& counted, SteadyTime countBegan, const LockSnapshot& lock);

    // Of a moment that was told of; the same however often it is asked for.
    [[nodiscard]] WallTime wallTime(SteadyTime when) const;

    Hold hold;              // the present one; meaningful while held
    bool everHeld = false;  // seen so in this database, whose channels are also those of all others
    std::optional<EndedHold> lastHold;
    HoldTimes holdTimes;               // of those seen from begin to end
    quint64 released = 0;              // holds that ended with a message
    quint64 silentEnds = 0;            // holds that ended without one and with time left, as a spin lock's do
    SteadyTime freeSince{};            // nobody has had it since; meaningful while free
    SteadyTime headSince{};            // the fair queue's head is the same since; meaningful while there is one
    std::optional<Failover> failover;  // until a release is heard

    std::optional<SteadyTime> countedAt;  // the last count of listeners; nothing: the server does not tell
    Listeners listeners;
    SteadyTime listenersSince{};  // counted each time since; meaningful while there are some
    std::optional<StrayWaiter> stray;
    QList<OddReader> oddReaders;  // at most one a reader; of a read/write lock

private:
    void followGap(const LockSnapshot& before, const LockSnapshot& after, const Between& between);
    void followHold(const LockSnapshot& before, const LockSnapshot& after, const Comparison& comparison,
                    const Between& between);
    void followCount(const Comparison& comparison);
    void endHold(const LockSnapshot& before, const LockSnapshot& after, const Comparison& comparison);
    void beginHold(const LockSnapshot& lock, Start start);
    void followFree(const LockSnapshot& before, const LockSnapshot& after, const Between& between);
    void followQueue(const LockSnapshot& before, const LockSnapshot& after);
    void followReaders(const LockSnapshot& before, const LockSnapshot& after);
    void followWallClock(const LockSnapshot& look);

    SteadyTime m_base{};  // told as m_baseWall
    WallTime m_baseWall{};
};

}  // namespace lockkeeper::monitor
