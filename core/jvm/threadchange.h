// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "jvm/threaddump.h"
#include "lockkeeper_monitor_export.h"

#include <QStringList>

namespace lockkeeper::jvm {

// What two dumps of one JVM, one after the other, show of one thread. A dump has no history: that a thread has not
// moved only shows in equal stacks, and it may have moved in between and come back.
enum class ThreadChange {
    Unknown,    // one of the dumps does not have it, and may lack it; or has no frames of it
    SameStack,  // all frames are equal
    SameCode,   // it is still in the same line of the application, and has moved below it
    Moved,      // it is in another line of the application
    HasEnded,   // the later dump must have it, and does not
    HasBegun    // its number is above the newest one of the earlier dump
};

// application: see activityOf(). Pure.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT ThreadChange threadChange(const ThreadDump& before, const ThreadDump& after,
                                                                  qint64 thread, const QStringList& application = {});

// Equal for equal frames; 0: there are none. The same in each run of the program, because recordings have it.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT quint64 stackNumber(const JavaThread& thread);

}  // namespace lockkeeper::jvm
