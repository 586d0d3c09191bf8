// SPDX-License-Identifier: Apache-2.0
#include "monitor/sweptshards.h"

#include "monitor/monitorednodes.h"

#include <algorithm>

namespace lockkeeper::monitor {

namespace {

bool cannotBeSwept(const NodeWatch& node) {
    return node.phase() == NodePhase::Reconnecting || node.outage() ||
           node.discovery().state() == DiscoveryState::Refused;
}

}  // namespace

// A node that cannot be swept does not delay the others.
std::optional<quint64> SweptShards::takeWhole() {
    const bool isWhole = std::ranges::all_of(
        m_nodes.all(), [this](const auto& node) { return m_swept.contains(node->shard()) || cannotBeSwept(*node); });
    if (!isWhole || m_swept.isEmpty())
        return std::nullopt;
    quint64 keys = 0;
    for (const auto& node : m_nodes.all())
        keys += m_swept.contains(node->shard()) ? node->keysInLastSweep() : 0;
    m_swept.clear();
    return keys;
}

}  // namespace lockkeeper::monitor
