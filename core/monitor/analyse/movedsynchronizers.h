// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clocktimer.h"
#include "lockkeeper_monitor_export.h"
#include "monitor/model/synchronizer.h"
#include "topology/shards.h"

#include <QMap>
#include <QObject>

namespace lockkeeper::monitor {

// Remembers the semaphores and latches of a Cluster that clients waited for when their slot moved. Redisson loses its
// subscription then (recording cluster_latch_reshard), and without waiters no node shows them any more. Who left for
// another reason shortly before the move cannot be distinguished. Thread: the clock's. Shards and clock must outlive
// it.
class LOCKKEEPER_MONITOR_EXPORT MovedSynchronizers : public QObject {
    Q_OBJECT
public:
    // A client that is not deaf has subscribed again by then.
    static constexpr Milliseconds deafTime{10000};
    static constexpr Milliseconds shownFor{600'000};
    // Nobody waits any more: the slot may have moved, which may be known only later.
    static constexpr Milliseconds moveIsKnown{15000};

    MovedSynchronizers(topology::Shards& shards, Clock& clock);
    ~MovedSynchronizers() override;

    // Forgets all of them.
    void clear();
    // A node has found other ones than before.
    void follow(topology::ShardId node, const SynchronizerReading& before, const SynchronizerReading& now);
    // The reading of all nodes, and those whose clients are deaf by now.
    [[nodiscard]] SynchronizerReading addedTo(SynchronizerReading reading) const;

Q_SIGNALS:
    // addedTo() would add others.
    void changed();

private:
    struct Left {
        Synchronizer last;
        topology::ShardId node{};
        QByteArray address;
        SteadyTime at{};
        WallTime atWall{};
        QByteArray newAddress;  // empty: its slot has not moved

        [[nodiscard]] SteadyTime forgottenAt() const { return at + (newAddress.isEmpty() ? moveIsKnown : shownFor); }
    };

    void findMoves();
    void onTime();
    void schedule();

    topology::Shards& m_shards;
    Clock& m_clock;
    QMap<LockName, Left> m_left;
    ClockTimer m_timer{m_clock, [this] { onTime(); }};
};

}  // namespace lockkeeper::monitor
