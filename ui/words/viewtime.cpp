// SPDX-License-Identifier: Apache-2.0
#include "ui/words/viewtime.h"

#include <algorithm>

using namespace std::chrono_literals;

namespace lockkeeper::ui {

void ViewTime::follow(const ConnectionStatus& status) {
    const bool live = lockkeeper::isLive(status);
    const bool knowsBetter = status.lastHeard != WallTime{};
    if (!live && (m_live || knowsBetter))
        standStill(knowsBetter ? status.lastHeard : m_clock.wallNow());
    if (status.phase == ConnectionPhase::Connecting)
        m_lostNodes.clear();
    m_live = live;
    m_recording = status.isRecording;
}

bool ViewTime::follow(const QList<monitor::NodeStatus>& nodes) {
    LostNodes lost;
    for (const monitor::NodeStatus& node : nodes) {
        if (monitor::isLost(node.phase) && node.lastHeard != WallTime{})
            lost.insert(node.shard, lostNode(node));
    }
    std::swap(m_lostNodes, lost);
    return m_lostNodes != lost;
}

// Each attempt to connect measures the time of the last answer again.
std::shared_ptr<const ViewTime> ViewTime::lostNode(const monitor::NodeStatus& node) const {
    const std::shared_ptr<const ViewTime> known = m_lostNodes.value(node.shard);
    if (known && std::chrono::abs(node.lastHeard - known->m_lastHeard) < 1s)
        return known;
    const auto lost = std::make_shared<ViewTime>(m_clock);
    lost->standStill(node.lastHeard);
    return lost;
}

void ViewTime::standStill(WallTime lastHeard) {
    const WallTime wallNow = m_clock.wallNow();
    m_lastHeard = std::min(lastHeard, wallNow);
    m_lastHeardSteady = m_clock.now() - std::chrono::duration_cast<SteadyTime::duration>(wallNow - m_lastHeard);
}

const ViewTime& ViewTime::of(const monitor::LockSnapshot& lock) const {
    if (!lock.node || m_lostNodes.isEmpty())
        return *this;
    const auto lost = m_lostNodes.constFind(lock.node->shard);
    return lost == m_lostNodes.cend() ? *this : **lost;
}

}  // namespace lockkeeper::ui
