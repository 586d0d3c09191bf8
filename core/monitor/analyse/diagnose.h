// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/analyse/clienttimeouts.h"
#include "monitor/analyse/lockhistory.h"
#include "monitor/analyse/watchdogleases.h"
#include "monitor/model/diagnosis.h"
#include "monitor/model/nodefigures.h"

#include <QSet>

namespace lockkeeper::monitor {

struct Findings {
    QList<Diagnosis> diagnoses;  // the most severe first, each kind once
    // When to read the lock again, for a diagnosis that depends on time. Only such a read decides the diagnosis.
    std::optional<SteadyTime> nextRead;
    bool awaitsCount = false;       // the next count of subscribers may find more
    QList<FairWaiter> deadWaiters;  // see LockRow
};

// What the last read and everything before it prove about a lock, as of that read. node: the node that keeps the lock.
// watchdogs: what the locks of all clients have shown. own: clients of this program, about whose leases nothing needs
// to be guessed. timeouts: what the clients have set. Pure. A diagnosis ends when a later read no longer confirms it.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT Findings diagnose(const LockSnapshot& lock, const LockHistory& history,
                                                          const NodeFigures& node = {},
                                                          const WatchdogLeases& watchdogs = {},
                                                          const QSet<ClientId>& own = {},
                                                          const ClientTimeouts& timeouts = {});

// The diagnoses that have begun and ended between two lists of diagnoses of one lock.
struct DiagnosisChanges {
    QList<Diagnosis> ended;
    // Includes a diagnosis that has become certain, because its certainty decides what a user may do about it.
    QList<Diagnosis> begun;
};

[[nodiscard]] DiagnosisChanges changesBetween(const QList<Diagnosis>& before, const QList<Diagnosis>& now);

// Inserts the diagnosis at the place for its gravity.
void addByGravity(QList<Diagnosis>& diagnoses, const Diagnosis& added);

// A watchdog renews after a third of the lease. If a renewal is later than this, the watchdog is not merely slow.
[[nodiscard]] constexpr Milliseconds overdueAfter(Milliseconds lease) {
    return lease / 3 + lease / 10;
}

// Settings of diagnose(); each is chosen so that a doubtful case gives no diagnosis.
constexpr Milliseconds wakeTime{5000};      // a waiter that is awake takes a free lock sooner
constexpr Milliseconds strayTime{10000};    // a fair waiter that joins or leaves the queue is subscribed but not
                                            // queued for less
constexpr Milliseconds deafTime{10000};     // Redisson asks for the slots every 5 s, and subscribes within 3 s of a
                                            // failover; a client of Lockkeeper at once
constexpr Milliseconds zombieTime{5000};    // a reader that is only a little late has released by then
constexpr Milliseconds shortestCut{1000};   // leases that are set by several commands end some time apart
constexpr Milliseconds aftermath{600'000};  // how long a past event is shown, unless the next hold ends first
constexpr Milliseconds shortestOrphan{60'000};
constexpr Milliseconds cutTolerance{1000};   // between the TTL that a lease was cut to, and the one that is renewed
constexpr Milliseconds expiryFollows{1000};  // a client that is not atomic sets the TTL within this
constexpr qint64 stormRate = 1000;  // commands a second; one waiter was seen to cause far more (fair_deadlines)
constexpr int fewestHolds = 5;      // needed to know what is usual
constexpr int deepReentry = 10;     // deeper than normal recursion
constexpr int boundlessReentry = 100;

}  // namespace lockkeeper::monitor
