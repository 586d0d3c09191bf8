// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "monitor/model/clientdump.h"

#include <QString>

#include <algorithm>
#include <optional>
#include <vector>

namespace lockkeeper::jvm {

using monitor::Frame;
using monitor::ThreadState;

struct JavaThread {
    std::optional<qint64> id;  // Java's number, the second half of a Redisson holder; nothing: the JVM's own thread
    QString name;
    bool isVirtual = false;
    ThreadState state = ThreadState::Unknown;
    std::vector<Frame> frames;        // the innermost first
    bool areFramesCut = false;        // there were more
    std::optional<Milliseconds> age;  // since the thread has begun
};

// Where a dump comes from. In brackets: what it leaves out.
enum class DumpForm {
    HotSpot,     // jstack, jcmd Thread.print, kill -3 [virtual threads, if the JVM has any]
    DumpToFile,  // jcmd Thread.dump_to_file, text or JSON
    Actuator,    // Spring Boot's /threaddump, text or JSON [virtual threads, if the JVM has any]
    ThreadInfo,  // Arthas's `thread`, and other tools that print java.lang.management.ThreadInfo [other threads]
    Javacore     // OpenJ9
};

// All threads of one JVM at one time, as far as the form has them.
struct ThreadDump {
    DumpForm form = DumpForm::HotSpot;
    std::optional<WallTime> at;  // by the clock of the JVM's machine
    bool isZoneGiven = false;    // false: `at` was taken in the zone that the caller has named
    QString jvm;                 // as the dump names it; may be empty
    std::optional<int> javaVersion;
    std::optional<qint64> processId;
    bool isWhole = false;             // its end was seen: it was not cut
    std::vector<JavaThread> threads;  // sorted by their numbers; the JVM's own ones come first

    // Nothing: not in the dump.
    [[nodiscard]] const JavaThread* thread(qint64 id) const {
        const auto found = std::ranges::lower_bound(threads, std::optional(id), {}, &JavaThread::id);
        return found != threads.end() && found->id == id ? &*found : nullptr;
    }
    // The highest number of a thread. Later threads have higher ones, because a JVM never uses a number twice.
    [[nodiscard]] std::optional<qint64> newestId() const { return threads.empty() ? std::nullopt : threads.back().id; }
    // Whether every thread that has begun and not ended is in it. Virtual threads are new in Java 19.
    [[nodiscard]] bool hasAllThreads() const {
        constexpr int lastWithoutVirtualThreads = 18;
        const bool hasVirtual =
            form == DumpForm::DumpToFile || (javaVersion && *javaVersion <= lastWithoutVirtualThreads);
        return isWhole && hasVirtual && form != DumpForm::ThreadInfo;
    }
};

}  // namespace lockkeeper::jvm
