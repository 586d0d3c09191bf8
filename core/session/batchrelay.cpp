// SPDX-License-Identifier: Apache-2.0
#include "session/batchrelay.h"

namespace lockkeeper {

void BatchRelay::pass(const monitor::SharedBatch& batch) {
    const bool addsDropped = batch->stats && m_eventsDropped > 0;
    if (m_waiting.isEmpty() && !addsDropped && m_receipt->isTaken())
        return send(batch);
    m_eventsDropped += monitor::append(m_waiting, *batch);
    if (m_receipt->isTaken() || !m_receipt->await())
        sendWaiting();
}

void BatchRelay::sendWaiting() {
    // The receiver's call comes late if a later batch has already included the waiting changes.
    if (m_waiting.isEmpty() || !m_receipt->isTaken())
        return;
    if (m_waiting.stats)
        m_waiting.stats->eventsDropped += m_eventsDropped;
    send(std::make_shared<const monitor::MonitorBatch>(std::exchange(m_waiting, {})));
}

void BatchRelay::send(const monitor::SharedBatch& batch) {
    m_receipt->send();
    m_send(batch, m_receipt);
}

}  // namespace lockkeeper
