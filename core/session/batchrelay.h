// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/model/monitorbatch.h"

#include <functional>

namespace lockkeeper {

// Passes batches on one at a time: a receiver that is busy finds one merged batch, and not a queue of them. A batch
// that need not wait is passed on as it is, without a copy. Thread: one.
class LOCKKEEPER_MONITOR_EXPORT BatchRelay {
public:
    using Send = std::function<void(const monitor::SharedBatch&)>;

    explicit BatchRelay(Send send) : m_send(std::move(send)) {}

    void pass(const monitor::SharedBatch& batch);
    // The receiver has taken the last batch: the next may come.
    void taken();

private:
    void send(const monitor::SharedBatch& batch);
    void sendWaiting();

    const Send m_send;
    bool m_underWay = false;          // on its way to the receiver, which has not taken it yet
    monitor::MonitorBatch m_waiting;  // what came meanwhile, merged
    quint64 m_eventsDropped = 0;      // because the receiver was busy for too long
};

}  // namespace lockkeeper
