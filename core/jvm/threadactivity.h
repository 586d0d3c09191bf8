// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "jvm/threaddump.h"
#include "lockkeeper_monitor_export.h"

#include <QStringList>

namespace lockkeeper::jvm {

enum class Activity {
    Runs,              // executes code
    Sleeps,            // Thread.sleep
    ReadsSocket,       // blocked until the other side answers
    WaitsForRedisson,  // in one of RedissonCall
    WaitsForMonitor,   // blocked at a synchronized block
    Waits,             // for something else: a queue, a future, a condition
    Idle               // its pool has given it nothing to do: the code that it ran before has returned
};

// What of Redisson a thread waits in.
enum class RedissonCall { Lock, SpinLock, MultiLock, Semaphore, Latch, Other };

struct ThreadActivity {
    Activity activity = Activity::Runs;
    std::optional<RedissonCall> call;  // Activity::WaitsForRedisson
    std::optional<Frame> code;         // the innermost frame of the application; nothing: there is none

    friend bool operator==(const ThreadActivity&, const ThreadActivity&) = default;
};

// What the thread does, by its frames and its state. application: prefixes of the packages that are the application's;
// empty: all but the well-known ones of the JDK, Redisson, Netty, Spring and the like. Pure.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT ThreadActivity activityOf(const JavaThread& thread,
                                                                  const QStringList& application = {});

// Whether the JVM or a library runs the thread: it is never a holder by itself.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT bool isOfTheJvm(const JavaThread& thread);

}  // namespace lockkeeper::jvm
