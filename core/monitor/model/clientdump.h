// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/ids.h"

#include <QString>

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

namespace lockkeeper::monitor {

// The words of the JVM. Unknown: the form of dump does not have it.
enum class ThreadState { Unknown, New, Runnable, Blocked, Waiting, TimedWaiting, Terminated };

struct Frame {
    QString method;  // "com.example.Jobs.report", without module and class loader
    QString place;   // "Jobs.java:7", "Native Method"; may be empty

    friend bool operator==(const Frame&, const Frame&) = default;
};

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

// What is kept of one thread of a dump.
struct DumpedThread {
    qint64 id = 0;
    QString name;
    ThreadState state = ThreadState::Unknown;
    ThreadActivity activity;
    std::vector<Frame> frames;  // the innermost first; only of threads that the server named, and of waiting ones
    quint64 stack = 0;  // equal for equal stacks, also where no frames are kept; 0: the dump has no frames of it
    // The time of the earliest of the dumps, one after another, in which the thread stood like this; nothing: this dump
    // is the first one.
    std::optional<WallTime> stillSince;

    friend bool operator==(const DumpedThread&, const DumpedThread&) = default;
};

// Whether a dump is of the JVM of a client. A dump does not name the client, so the numbers of its threads decide.
enum class Fit {
    Given,       // the user has said that the dump is of this client
    Strong,      // several numbers fit, their threads run code of the application, and the dump is recent
    Weak,        // nothing speaks against it, and little for it: low numbers are threads of every JVM
    Contradicts  // some number cannot be of this JVM
};

// When a dump was taken, by the clock of this machine.
struct DumpTime {
    std::optional<WallTime> earliest;  // nothing: not known
    std::optional<WallTime> latest;

    friend bool operator==(const DumpTime&, const DumpTime&) = default;
};

// What is kept of a thread dump of one client's JVM: which threads it has, and what those did that matter for locks.
struct ClientDump {
    static constexpr size_t mostIds = 50'000;
    static constexpr size_t mostThreads = 2'000;
    static constexpr size_t mostWithFrames = 200;
    static constexpr size_t mostFrames = 24;         // of one thread
    static constexpr qsizetype longestMethod = 300;  // longer ones keep their end

    ClientId client;
    Fit fit = Fit::Weak;           // never Contradicts
    std::optional<WallTime> at{};  // as the dump says, by the clock of the JVM's machine
    DumpTime taken{};
    bool hasOthers = false;               // the form has all threads of the platform, and its end was seen
    bool hasAll = false;                  // and all virtual threads
    std::vector<qint64> ids{};            // of all threads, sorted
    std::vector<DumpedThread> threads{};  // sorted by id

    // Nothing: not in the dump, or not kept.
    [[nodiscard]] const DumpedThread* thread(qint64 id) const {
        const auto found = std::ranges::lower_bound(threads, id, {}, &DumpedThread::id);
        return found != threads.end() && found->id == id ? &*found : nullptr;
    }
    [[nodiscard]] bool has(qint64 id) const { return std::ranges::binary_search(ids, id); }
    // Later threads have higher numbers, because a JVM never uses a number twice. 0: there is none.
    [[nodiscard]] qint64 newestId() const { return ids.empty() ? 0 : ids.back(); }
    friend bool operator==(const ClientDump&, const ClientDump&) = default;
};

// Shared by all rows that it says something about: nobody may change it.
using SharedDump = std::shared_ptr<const ClientDump>;

}  // namespace lockkeeper::monitor
