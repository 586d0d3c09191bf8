// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/model/hold.h"
#include "monitor/model/locksnapshot.h"
#include "monitor/model/threadverdict.h"

#include <QHash>
#include <QSet>

#include <deque>
#include <utility>

namespace lockkeeper::monitor {

// A thread number above is no thread of a JVM: lockAsync(number), reactive calls and coroutines make numbers up.
constexpr qint64 highestThread = qint64{1} << 32;

// What reads have shown about the hold of one holder.
struct HoldSeen {
    std::optional<WallTime> since;  // held since then, or longer; nothing: not known
    HoldBegin begin = HoldBegin::NotSeen;
    std::optional<WallTime> threadSince;  // its thread has existed since then, or longer
};

// lock: of the hold. With several holders it is not known which of them began it.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT HoldSeen seenOf(const LockSnapshot& lock, const Hold& hold);

// What the dump says about a holder, or about a waiter, of which nothing is seen. Pure. A thread that is missing has
// ended, if it had begun: a number is given out once, in ascending order, when the thread is made. That is certain only
// for a dump that must have it, because it was taken while the thread held the lock.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT ThreadVerdict verdictOf(const SharedDump& dump, const HolderId& id,
                                                                ThreadVerdict::Role role, const HoldSeen& seen);

// The diagnosis of the first holder whose thread has ended; nothing: none has.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT std::optional<Diagnosis> endedThread(const QList<ThreadVerdict>& verdicts);

// The newest dumps of the JVMs of clients, and what they say about the locks. It needs the reads of all locks, but
// only once a dump is known: see isEmpty(). Uses no clock. Thread: one.
class LOCKKEEPER_MONITOR_EXPORT ThreadDumps {
public:
    static constexpr size_t perClient = 2;
    static constexpr qsizetype clients = 20;  // the oldest dumps make room
    // Of more locks that are waited for, none is named as the one that a thread may wait for.
    static constexpr qsizetype mostContended = 200;
    static constexpr qsizetype mostWaiting = 200;  // of more threads that wait, nothing is said either

    [[nodiscard]] bool isEmpty() const { return m_dumps.empty(); }
    // A dump, newer than those that are known of this client. Returns it as it is kept: with what has not moved since
    // the one before.
    SharedDump note(const SharedDump& dump);
    // All of them, in the order in which they were noted.
    [[nodiscard]] const std::deque<SharedDump>& all() const noexcept { return m_dumps; }
    // The newest one of this client; null: none is known.
    [[nodiscard]] SharedDump newest(const ClientId& client) const;

    // The last read of a lock. seen: of its hold.
    void follow(const LockSnapshot& lock, const HoldSeen& seen);
    void forget(const LockName& name);
    // Locks whose verdicts other locks have changed since the last call: threads may wait for more, or for fewer. To be
    // judged again together, because each change of a contended lock makes all of them stale.
    [[nodiscard]] bool hasStale() const { return !m_stale.isEmpty(); }
    [[nodiscard]] QSet<LockName> takeStale() { return std::exchange(m_stale, {}); }

    [[nodiscard]] QList<ThreadVerdict> verdicts(const LockSnapshot& lock, const HoldSeen& seen) const;
    // A cycle of threads that wait for each other's locks, by their frames. All of them have held their locks since the
    // dump, and for each there is one lock only that it can wait for.
    [[nodiscard]] std::optional<Deadlock> deadlock(const LockName& name) const;

private:
    // A held lock that others wait for.
    struct Contended {
        std::optional<HolderId> holder;  // nothing for several
        bool isPlain = true;             // only its channel shows that it is waited for
        bool isHeldSinceDump = false;    // by the only holder, since the newest dump of its client or longer

        friend bool operator==(const Contended&, const Contended&) = default;
    };

    [[nodiscard]] Contended contendedBy(const LockSnapshot& lock, const HoldSeen& seen) const;
    [[nodiscard]] QList<LockName> mayWaitFor(const HolderId& id) const;
    [[nodiscard]] std::optional<LockName> onlyWaitFor(const HolderId& id) const;
    void addVerdict(QList<ThreadVerdict>& found, const HolderId& id, ThreadVerdict::Role role,
                    const HoldSeen& seen) const;
    void addThreadsThatMayWait(QList<ThreadVerdict>& found, const LockSnapshot& lock) const;
    void markStale();
    void listWaiting();
    void drop(const ClientId& client, size_t keep);

    std::deque<SharedDump> m_dumps;  // the newest last
    QList<HolderId> m_waiting;       // threads of the newest dumps that wait for a lock
    QHash<LockName, Contended> m_contended;
    QHash<LockName, QList<HolderId>> m_heldBy;  // only by threads of m_waiting
    QHash<LockName, QList<HolderId>> m_queues;  // only threads of m_waiting
    QSet<LockName> m_stale;
};

}  // namespace lockkeeper::monitor
