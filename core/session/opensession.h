// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "session/sessionreport.h"

#include <QObject>

namespace lockkeeper {

// One session as the engine knows it: takes requests and reports, whatever it watches. Use once: open(), then close().
// Thread: the clock's.
class LOCKKEEPER_MONITOR_EXPORT OpenSession : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    virtual void open() = 0;
    // closed() follows within a bounded time, also while open() is still running.
    virtual void close(control::OwnLocksAtExit ownLocks) = 0;
    // id: names the request in the report that answers it.
    virtual void request(OperationId id, const SessionRequest& request) = 0;

    // Calls the slot with each later report of this type.
    template <typename Report, typename Receiver, typename Slot>
    void onReport(Receiver* receiver, Slot slot, Qt::ConnectionType type = Qt::AutoConnection) const {
        connect(
            this, &OpenSession::reported, receiver,
            [receiver, slot](const SessionReport& report) { passReport<Report>(report, receiver, slot); }, type);
    }

Q_SIGNALS:
    void reported(const lockkeeper::SessionReport& report);
    void closed();
};

}  // namespace lockkeeper
