// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/model/rare.h"
#include "monitor/model/snapshotcompare.h"
#include "monitor/model/waits.h"

#include <functional>
#include <vector>

namespace lockkeeper::monitor {

// Follows who waits for one lock: a fair lock's waiters by their place in its queue, others by the counts of
// subscribers. Measures how long it took from wanting the lock to having it. Bounded: some KiB, and only for a lock
// that somebody has waited for. A value.
class LOCKKEEPER_MONITOR_EXPORT WaitMeter {
public:
    static constexpr int mostKept = 128;        // waits that were measured
    static constexpr int fewestForMedian = 10;  // waits
    static constexpr int fewestForNinetyNinth = 100;
    static constexpr qsizetype mostGroups = 16;  // of clients that began at different times

    WaitMeter() = default;
    explicit WaitMeter(const LockSnapshot& first);

    enum class Change { None, Some };
    // Adds the next read, compared with the one before.
    Change follow(const LockSnapshot& before, const LockSnapshot& after, const Comparison& comparison,
                  const BetweenReads& between);
    // Adds a count of the clients that are subscribed, which began at countBegan. earlierCount: the begin of the count
    // before, if there was one since the lock is watched without a gap. lock: its last read.
    Change count(int clients, SteadyTime countBegan, std::optional<SteadyTime> earlierCount, const LockSnapshot& lock);

    // All that is known. wall: converts a time as the lock's history does.
    [[nodiscard]] Waits shown(const std::function<WallTime(SteadyTime)>& wall) const;
    // The number of waits that were measured so far.
    [[nodiscard]] quint64 measured() const { return m_state->measured; }
    // The lengths of the last `count` of them, or of as many as are kept.
    [[nodiscard]] std::vector<WaitTimes::Length> lastMeasured(quint64 count) const;

private:
    // When a client began to wait, as in WaitingSince.
    struct Begin {
        std::optional<SteadyTime> earliest;
        SteadyTime latest{};
        SteadyTime::duration freeThen{};  // State::free at `latest`, or more

        friend bool operator==(const Begin&, const Begin&) = default;
    };
    struct Group {
        int clients = 0;
        Begin begin;
    };
    struct Queued {
        HolderId id;
        Begin begin;
    };
    // The lock got a new holder between these two times.
    struct Acquired {
        SteadyTime earliest{};
        SteadyTime latest{};
        SteadyTime::duration free{};  // State::free at that time
    };
    struct Wait {
        quint32 atLeast = 0;  // milliseconds, as the others
        quint32 atMost = 0;
        quint32 free = 0;
    };
    struct State {
        QList<Group> groups;          // by the counts; the longest first
        QList<Queued> queue;          // in the queue's order
        QList<Acquired> acquired;     // since the last count
        int unclear = 0;              // acquisitions since the last count that no read has seen
        SteadyTime::duration free{};  // how long the lock was certainly free, while it was waited for
        QList<Wait> waits;            // a ring
        int next = 0;
        quint64 measured = 0;
    };
    struct Part {
        Begin begin;
        int clients = 0;
    };

    void startOver(const LockSnapshot& read);
    bool followQueue(const LockSnapshot& before, const LockSnapshot& after, const BetweenReads& between);
    void measureQueued(const LockSnapshot& before, const LockSnapshot& after, const BetweenReads& between);
    void noteAcquired(const LockSnapshot& before, const LockSnapshot& after, const Comparison& comparison,
                      const BetweenReads& between);
    void measureLeft(int left, int acquired);
    void regroup(int clients, int mayHaveLeft, const Begin& joined);
    void add(const Begin& begin, const Acquired& end, const Begin& last);
    void forgetIfUnused();
    [[nodiscard]] WaitTimes times() const;

    Rare<State> m_state;
};

}  // namespace lockkeeper::monitor
