// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/observe/read/bulkreader.h"

#include <QHash>
#include <QObject>
#include <QSet>

namespace lockkeeper::monitor {

// Reads names that may be locks, because something happened under the name, or because it was a lock before. Each name
// is read at most once a second; the next read shows what happened meanwhile. Thread: the clock's. Reader, budget and
// clock must outlive it.
class LOCKKEEPER_MONITOR_EXPORT NameReads : public QObject {
    Q_OBJECT
public:
    NameReads(LockReader& reader, ReadBudget& budget, Clock& clock);
    ~NameReads() override;

    // Reads the name soon, unless it already waits for its read.
    void request(const LockName& name);
    // isPassedOver: names for which it returns true are not read when something happens under them.
    void passOver(std::function<bool(const LockName& name)> isPassedOver) { m_isPassedOver = std::move(isPassedOver); }
    // Reads each name once, as fast as the budget allows; ended() follows, unless the connection is lost before.
    void readAll(const QList<LockName>& names);
    void stop() { m_tasks.stop(); }

Q_SIGNALS:
    // The name is a lock, and it is held.
    void confirmed(const lockkeeper::monitor::LockSnapshot& lock);
    void ended();

private:
    Task<void> readInTurn(LockName name);
    Task<void> readEach(QList<LockName> names);
    void judge(const LockReading& reading);

    LockReader& m_reader;
    ReadBudget& m_budget;
    Clock& m_clock;
    BulkReader m_bulk;
    std::function<bool(const LockName&)> m_isPassedOver;
    QSet<LockName> m_toCome;                // waiting for their read
    qsizetype m_weightToCome = 0;           // see weightOf()
    QHash<LockName, SteadyTime> m_resting;  // not read again before this time
    TaskScope m_tasks;                      // last: its tasks end before what they use
};

}  // namespace lockkeeper::monitor
