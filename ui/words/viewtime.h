// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/engine.h"

#include <QHash>

#include <memory>

namespace lockkeeper::ui {

// The moment that the screen speaks of: now while connected, and the last word of the server once it is not. Everything
// that shows a time left or an age asks here, so that no part of the window counts on while another stands still.
// Thread: the GUI's.
class ViewTime {
public:
    explicit ViewTime(const Clock& clock) : m_clock(clock) {}

    void follow(const ConnectionStatus& status);
    // True if the locks of some node became old by it, or live again.
    bool follow(const QList<monitor::NodeStatus>& nodes);
    // The moment for what is shown of this lock: the last word of its node, if that node of a Cluster is not reached.
    [[nodiscard]] const ViewTime& of(const monitor::LockSnapshot& lock) const;

    // In a recording: whether it was live at the time that is shown.
    [[nodiscard]] bool isLive() const noexcept { return m_live; }
    [[nodiscard]] bool isRecording() const noexcept { return m_recording; }
    [[nodiscard]] SteadyTime moment() const { return m_live ? m_clock.now() : m_lastHeardSteady; }
    [[nodiscard]] WallTime wallMoment() const { return m_live ? m_clock.wallNow() : m_lastHeard; }
    // The wall clock itself, whether live or not: "today" for formatting.
    [[nodiscard]] WallTime wallNow() const { return m_clock.wallNow(); }

private:
    // By shard, those that were watched before.
    using LostNodes = QHash<topology::ShardId, std::shared_ptr<const ViewTime>>;

    [[nodiscard]] std::shared_ptr<const ViewTime> lostNode(const monitor::NodeStatus& node) const;
    void standStill(WallTime lastHeard);

    const Clock& m_clock;
    bool m_live = false;
    bool m_recording = false;
    WallTime m_lastHeard{};
    SteadyTime m_lastHeardSteady{};
    LostNodes m_lostNodes;
};

}  // namespace lockkeeper::ui
