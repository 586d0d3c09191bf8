// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/model/clientdump.h"
#include "monitor/model/diagnosis.h"

#include <QList>

namespace lockkeeper::monitor {

// What a dump shows of the thread that a holder or a waiter names.
enum class Fate {
    Lives,     // in the dump
    Ended,     // its number was given out before the dump, and the dump does not have it: nobody will release
    NoThread,  // the number is no thread of a JVM
    Later,     // begun after the dump, which shows nothing of it
    NotInDump  // the form leaves threads out, or the dump was cut
};

// Whether a dump shows anything about the present hold.
enum class TakenWhen {
    NotKnown,    // whether it was taken before the hold or during it
    DuringHold,  // taken while this hold lasted
    BeforeHold   // the hold has begun since: it shows what the thread did before
};

// What a dump shows of the thread of a holder, in short: for events, which are kept longer than dumps.
struct SeenThread {
    std::optional<WallTime> dumpAt{};  // as the dump says
    Fate fate = Fate::NotInDump;
    TakenWhen taken = TakenWhen::NotKnown;
    Certainty certainty = Certainty::Likely;
    QString name{};             // Fate::Lives
    ThreadActivity activity{};  // Fate::Lives, with a name

    friend bool operator==(const SeenThread&, const SeenThread&) = default;
};

// What the newest dump of a client says about one holder of a lock, one waiter in its queue, or a thread that may wait
// for it.
struct ThreadVerdict {
    enum class Role {
        Holds,
        Waits,    // in the queue of a fair lock
        MayWait,  // its frames show that it waits for a lock; this one is one of `mayWaitFor`
    };

    HolderId id;
    Role role = Role::Holds;
    Fate fate = Fate::NotInDump;
    TakenWhen taken = TakenWhen::NotKnown;
    Certainty certainty = Certainty::Likely;
    SharedDump dump;               // not null
    QList<LockName> mayWaitFor{};  // RedissonCall::Lock: the locks that the thread may wait for. One: that one

    // Fate::Lives, if its frames were kept; else null.
    [[nodiscard]] const DumpedThread* thread() const {
        return dump && fate == Fate::Lives ? dump->thread(static_cast<qint64>(id.thread())) : nullptr;
    }
    friend bool operator==(const ThreadVerdict&, const ThreadVerdict&) = default;
};

[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT SeenThread seenThread(const ThreadVerdict& verdict);

// Stable lower-case words, such as "reads_socket"; empty for a number that is no enumerator.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QString wordFor(Fate fate);
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QString wordFor(TakenWhen taken);
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QString wordFor(Activity activity);
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QString wordFor(RedissonCall call);
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QString wordFor(Fit fit);

}  // namespace lockkeeper::monitor
