#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/model/diagnosis.h"
#include "monitor/analyse/lockhistory.h"

namespace lockkeeper::monitor {

struct Findings {
    QList<Diagnosis> diagnoses;  // the gravest first, each kind once
    // A look then may find what only time brings about; nothing that depends on time is said but from such a look.
    std::optional<SteadyTime> nextLook;
    bool awaitsCount = false;  // the next count of listeners may find more
};

// What the last look and what came before it prove about a lock, as of that look. Pure; every finding ends by itself
// when a later look no longer bears it out.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT Findings diagnose(const LockSnapshot& lock, const LockHistory& history);

// A watchdog renews when a third of the lease is over. One that is later than this is not merely slow.
[[nodiscard]] constexpr Milliseconds overdueAfter(Milliseconds lease) {
    return lease / 3 + lease / 10;
}

// Settings of diagnose(); each is on the side of saying nothing.
constexpr Milliseconds wakeTime{5000};         // a waiter that is awake takes a free lock sooner
constexpr Milliseconds strayTime{10000};       // a fair waiter that comes or goes listens unqueued for less
constexpr Milliseconds zombieTime{5000};       // a leased reader that is a little late has given back by then
constexpr Milliseconds aftermath{600'000};     // what happened is shown for so long, unless the next hold ended before
constexpr Milliseconds fairWait{300'000};      // Redisson's fairLockWaitTimeout
constexpr Milliseconds unknownSleep{600'000};  // the lease that waiters were told was not seen
constexpr Milliseconds shortestOrphan{60'000};
constexpr int fewestHolds = 5;   // before anything is said to be usual
constexpr int deepReentry = 10;  // deeper than sound recursion goes
constexpr int boundlessReentry = 100;

}  // namespace lockkeeper::monitor
