// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/taskscope.h"
#include "base/ids.h"
#include "lockkeeper_monitor_export.h"
#include "monitor/model/denials.h"
#include "redis/connection.h"

namespace lockkeeper::monitor {

// Makes the server report each change of a key whose name begins with one of the given prefixes, known or not (CLIENT
// TRACKING BCAST). It has its own connection, because one that broadcasts cannot track single keys. Without prefixes it
// does not connect. Thread: the clock's. Denials and clock must outlive it.
class LOCKKEEPER_MONITOR_EXPORT PrefixTracking : public QObject {
    Q_OBJECT
public:
    PrefixTracking(const redis::ConnectionOptions& options, const redis::TransportFactory& makeTransport, Clock& clock,
                   Denials& denials, const QByteArrayList& prefixes);

    void open();
    void stop();

Q_SIGNALS:
    // The lock of this name, one of its helper keys, or some other key with the prefix was changed.
    void touched(const lockkeeper::LockName& name);

private:
    void onStateChanged(redis::Connection::State state);
    void onPush(const redis::RespValue& push);
    Task<void> begin();

    Denials& m_denials;
    const QByteArrayList m_prefixes;
    redis::Connection m_connection;
    TaskScope m_tasks;  // last: its tasks end before what they use
};

}  // namespace lockkeeper::monitor
