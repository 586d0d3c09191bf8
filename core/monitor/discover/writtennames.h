// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/discover/candidatereader.h"
#include "monitor/discover/nonlockmemory.h"
#include "monitor/model/knownlocks.h"

#include <QObject>
#include <QSet>

namespace lockkeeper::monitor {

// Finds the locks among names that were just written, whatever their keys are. It reads in rounds, at most twenty a
// second, and uses the cheap check of the sweeps. A name that is not a lock is not read again for 2 to 4 s. After that
// it is read only if fewer than ten such names a second are read; after 30 to 60 s it is read in any case. So a name
// that becomes a lock may be found that late, or with its next write, unless a sweep, a waiter or a message leads to
// it. The numbers of waiting and remembered names are bounded. Thread: the connection's. Connection, budget, denials,
// known locks and scope must outlive it.
class LOCKKEEPER_MONITOR_EXPORT WrittenNames : public QObject {
    Q_OBJECT
public:
    static constexpr Milliseconds betweenRounds{50};
    static constexpr qsizetype mostWaiting = 10'000;
    static constexpr qsizetype mostRemembered = 100'000;  // in each half of the memory
    static constexpr Milliseconds halfMemory{30'000};
    static constexpr Milliseconds halfRest{2'000};
    static constexpr int mostReadAgain = 10;  // a second

    // connection: the one without tracking.
    WrittenNames(redis::Connection& connection, ReadBudget& budget, Denials& denials, const KnownLocks& known,
                 TrackedReads& tracked, const NodeScope& scope = wholeServer());

    ~WrittenNames() override;

    // Reads the name soon. Returns false and does not read it if too many names wait already.
    [[nodiscard]] bool request(const LockName& name);
    void stop();

Q_SIGNALS:
    // The name is a lock that is held or has a queue.
    void confirmed(const lockkeeper::monitor::LockSnapshot& lock, lockkeeper::monitor::Confirmation confirmation);

private:
    Task<void> run();
    Task<bool> pause(SteadyTime until);
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
    Memory m_resting{.half = halfRest};  // names of m_nonLocks that were just read
    SteadyTime m_secondEnds{};
    int m_readAgain = 0;  // names read again in this second
    QSet<LockName> m_waiting;
    qsizetype m_weight = 0;  // weight of the waiting names, see weightOf()
    bool m_isRunning = false;
    TaskScope m_tasks;  // last: its tasks end before what they use
};

}  // namespace lockkeeper::monitor
