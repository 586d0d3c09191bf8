// SPDX-License-Identifier: Apache-2.0
#include "monitor/observe/read/clientpool.h"

namespace lockkeeper::monitor {

void ClientPool::shareIn(LockSnapshot& read) {
    for (Holder& holder : read.holders)
        holder.id = shared(holder.id);
    for (FairWaiter& waiter : read.fairQueue)
        waiter.id = shared(waiter.id);
}

HolderId ClientPool::shared(const HolderId& id) {
    const auto known = m_clients.constFind(id.client());
    if (known != m_clients.constEnd())
        return {*known, id.thread()};
    if (m_clients.size() >= mostClients)
        m_clients.clear();
    m_clients.insert(id.client());
    return id;
}

}  // namespace lockkeeper::monitor
