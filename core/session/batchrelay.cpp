// SPDX-License-Identifier: Apache-2.0
#include "session/batchrelay.h"

namespace lockkeeper {

void BatchRelay::pass(const monitor::SharedBatch& batch) {
    const bool addsDropped = batch->stats && m_eventsDropped > 0;
    if (!m_underWay && !addsDropped)
        return send(batch);
    m_eventsDropped += monitor::append(m_waiting, *batch);
    if (!m_underWay)
        sendWaiting();
}

void BatchRelay::taken() {
    m_underWay = false;
    if (!m_waiting.isEmpty())
        sendWaiting();
}

void BatchRelay::send(const monitor::SharedBatch& batch) {
    m_underWay = true;
    m_send(batch);
}

void BatchRelay::sendWaiting() {
    if (m_waiting.stats)
        m_waiting.stats->eventsDropped += m_eventsDropped;
    send(std::make_shared<const monitor::MonitorBatch>(std::exchange(m_waiting, {})));
}

}  // namespace lockkeeper
