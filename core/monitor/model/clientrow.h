// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/model/clientdump.h"
#include "monitor/model/diagnosis.h"
#include "monitor/model/signoflife.h"

#include <QMetaType>

#include <memory>

namespace lockkeeper::monitor {

// One client as it is shown: what its locks and its events have shown since it is known. A value: safe to pass between
// threads.
struct ClientRow {
    ClientId id;
    WallTime firstSeen{};
    LastSign last;
    qsizetype held = 0;            // locks that it holds
    qsizetype waitsFor = 0;        // fair locks in whose queues it is; nothing names the waiters of other locks
    qsizetype deadPlaces = 0;      // places in queues whose waiters are proven dead
    quint64 renewals = 0;          // by its watchdog
    double renewalsPerSecond = 0;  // over the last 10 seconds or more in which it has renewed; 0: not known, or none
    Milliseconds watchdogTimeout{
        0};                      // as learned; until then the longest lease that it has renewed to; zero: not known
    quint64 losses = 0;          // locks that expired while it held them
    QList<Diagnosis> diagnoses;  // at most one: ClientRenewsNothing or RenewalBroken
    SharedDump dump;             // the newest thread dump of its JVM; null: none is known

    // Whether it neither holds a lock nor is in a queue: it has ended, or it does nothing with locks.
    [[nodiscard]] bool isIdle() const noexcept { return held == 0 && waitsFor == 0; }
    friend bool operator==(const ClientRow&, const ClientRow&) = default;
};

// As passed on to all receivers, which share it: nobody may change it.
using SharedClient = std::shared_ptr<const ClientRow>;

// Whether the id has the form that Redisson gives to its clients; the library of Lockkeeper uses it, too.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT bool isRedissonId(const ClientId& client);

}  // namespace lockkeeper::monitor

Q_DECLARE_METATYPE(lockkeeper::monitor::ClientRow)
