// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clocktimer.h"
#include "lockkeeper_monitor_export.h"
#include "monitor/observe/read/bulkreader.h"
#include "monitor/observe/vainreads.h"

#include <QObject>
#include <QSet>

#include <deque>

namespace lockkeeper::monitor {

// Reads names that may be locks, because something happened under the name, or because it was a lock before. Each name
// is read at most once a second; the next read shows what happened meanwhile. Nothing is kept of a name that was read a
// second ago. Thread: the clock's. Reader, budget and clock must outlive it.
class LOCKKEEPER_MONITOR_EXPORT NameReads : public QObject {
    Q_OBJECT
public:
    // What makes callers of request() read a name. MayBeNothing: if too few of the names are locks, most are left out,
    // see VainReads.
    enum class Reports { OfChanges, MayBeNothing };

    NameReads(LockReader& reader, ReadBudget& budget, Clock& clock, Reports reports = Reports::OfChanges);
    ~NameReads() override;

    // Reads the name soon, unless it already waits for its read. A name that is left out, here or later, is left to the
    // sweeps, waiters and messages.
    void request(const LockName& name);
    // Reads each name once, as fast as the budget allows; ended() follows, unless the connection is lost before.
    void readAll(const QList<LockName>& names);
    void stop();

    // How many names are kept: those that wait for their read, and those that were read during the last second.
    [[nodiscard]] qsizetype keptNames() const { return m_toCome.size() + std::ssize(m_rests); }

Q_SIGNALS:
    // The name is a lock, and it is held.
    void confirmed(const lockkeeper::monitor::LockSnapshot& lock);
    void ended();

private:
    struct Rest {
        SteadyTime end{};
        LockName name;
    };

    void beginReads();
    [[nodiscard]] bool mayRead();
    Task<void> readInTurn(LockName name);
    void noteEnd(const Result<LockReading>& reading);
    void removeToCome(const LockName& name);
    void rest(const LockName& name);
    void endRests();
    Task<void> readEach(QList<LockName> names);
    void judge(const LockReading& reading);

    LockReader& m_reader;
    ReadBudget& m_budget;
    Clock& m_clock;
    BulkReader m_bulk;
    const Reports m_reports;
    VainReads m_vain;              // for MayBeNothing
    QSet<LockName> m_toCome;       // requested, and not yet sent
    qsizetype m_weightToCome = 0;  // see weightOf()
    std::deque<LockName> m_queue;  // of m_toCome: those that do not rest, and have not begun
    int m_inFlight = 0;            // reads that have begun
    bool m_isBeginning = false;
    std::deque<Rest> m_rests;  // names that are not read again before this time; the earliest first
    QSet<LockName> m_resting;  // the same names
    ClockTimer m_restTimer{m_clock, [this] { endRests(); }};
    TaskScope m_tasks;  // last: its tasks end before what they use
};

}  // namespace lockkeeper::monitor
