// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "redis/connection.h"
#include "support/clustersetup.h"

namespace lockkeeper::test {

// Moves many slots as redis-cli --cluster reshard does, without a process for each step: the event loop of the test
// runs meanwhile.
class SlotMover {
public:
    SlotMover(ClusterSetup& cluster, Clock& clock);

    // False if a connection does not open in time.
    [[nodiscard]] bool connect();
    // Moves the slots at the same time. keys: all keys that may be in them. True when every master that still exists
    // knows the new place.
    [[nodiscard]] bool move(const QList<topology::HashSlot>& slotNumbers, const QByteArrayList& keys, size_t from,
                            size_t to);

private:
    [[nodiscard]] bool assign(const QList<topology::HashSlot>& slotNumbers, const std::vector<size_t>& masters,
                              size_t to);
    // Sends the commands one after the other to this master; true if none is refused. A key that is gone need not be
    // moved, and a master that is gone need not know.
    [[nodiscard]] bool run(size_t master, const std::vector<redis::Command>& commands);

    ClusterSetup& m_cluster;
    std::vector<std::unique_ptr<redis::Connection>> m_connections;
};

}  // namespace lockkeeper::test
