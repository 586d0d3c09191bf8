// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"

#include <QByteArray>

namespace lockkeeper::lab {

// The master that a private Sentinel watches, at a port of 127.0.0.1.
struct WatchedMaster {
    QByteArray name;
    quint16 port = 0;
    int quorum = 1;                // how many Sentinels must agree that it is down
    Milliseconds downAfter{1000};  // how long it may be silent
    QByteArray password;           // of the servers, and of the Sentinel itself; empty: none
};

// The lines of sentinel.conf for this master.
[[nodiscard]] inline QByteArray sentinelLinesFor(const WatchedMaster& master) {
    const QByteArray& name = master.name;
    QByteArray lines = "sentinel monitor " + name + " 127.0.0.1 " + QByteArray::number(master.port) + ' ' +
                       QByteArray::number(master.quorum) + '\n' + "sentinel down-after-milliseconds " + name + ' ' +
                       QByteArray::number(qint64{master.downAfter.count()}) + '\n' + "sentinel failover-timeout " +
                       name + " 5000\n";
    if (!master.password.isEmpty())
        lines += "sentinel auth-pass " + name + ' ' + master.password + "\nrequirepass " + master.password + '\n';
    return lines;
}

}  // namespace lockkeeper::lab
