// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/discover/candidatereader.h"
#include "monitor/discover/nonlockmemory.h"
#include "monitor/model/knownlocks.h"

#include <QObject>
#include <QSet>

namespace lockkeeper::monitor {

// Finds the locks among names that were just written, whatever their keys are: in rounds, at most twenty a second, by
// the cheap check that sweeps use. A name that is no lock is not read again for 2 to 4 s, and then only if fewer than ten
// such names a second are; after 30 to 60 s it is. So one that becomes a lock may be found so late, or by its next write,
// unless a sweep, a waiter or a message leads to it. Bounded in names waiting and remembered. Thread: the connection's.
// Connection, budget, denials, known locks and scope must outlive it.
class LOCKKEEPER_MONITOR_EXPORT WrittenNames : public QObject {
    Q_OBJECT
public:
    static constexpr Milliseconds betweenRounds{50};
    static constexpr qsizetype mostWaiting = 10'000;
    static constexpr qsizetype mostRemembered = 100'000;  // in each half of the time
    static constexpr Milliseconds halfMemory{30'000};
    static constexpr Milliseconds halfRest{2'000};
    static constexpr int mostReadAgain = 10;  // a second

    // connection: one without tracking.
    WrittenNames(redis::Connection& connection, ReadBudget& budget, Denials& denials, const KnownLocks& known,
                 TrackedReads& tracked, const NodeScope& scope = wholeServer());

    ~WrittenNames() override;

    // Reads the name soon. False if too many wait already: then it is not read.
    [[nodiscard]] bool request(const LockName& name);
    void stop();

Q_SIGNALS:
    // The name is a lock that is held or has a queue.
    void confirmed(const lockkeeper::monitor::LockSnapshot& lock, lockkeeper::monitor::Confirmation confirmation);

private:
    Task<void> run();
    Task<void> pause(SteadyTime until);
    QList<LockName> takeWaiting();
    void judge(const LockName& name, const LockReading& reading, Confirmation confirmation);
    struct Memory {
        NonLockMemory names{mostRemembered};
        Milliseconds half;
        SteadyTime halfEnds{};
    };
    static void forgetOld(Memory& memory, SteadyTime now);
    [[nodiscard]] bool mayReadAgain();

    Clock& m_clock;
    const KnownLocks& m_known;
    LockReader m_reader;
    CandidateReader m_candidates;
    Memory m_nonLocks{.half = halfMemory};
    Memory m_resting{.half = halfRest};  // those of them that were just read
    SteadyTime m_secondEnds{};
    int m_readAgain = 0;  // in this second
    QSet<LockName> m_waiting;
    qsizetype m_weight = 0;  // of those that wait, see weightOf()
    bool m_isRunning = false;
    TaskScope m_tasks;  // last: its tasks end before what they use
};

}  // namespace lockkeeper::monitor
