// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clocktimer.h"
#include "lockkeeper_monitor_export.h"
#include "monitor/model/synchronizer.h"
#include "topology/shards.h"

#include <QMap>
#include <QObject>

namespace lockkeeper::monitor {

// Remembers the semaphores and latches of a Cluster that clients waited for when their slot moved. Redisson then loses
// its subscription (recording cluster_latch_reshard), and without waiters no node shows these objects any more. Clients
// that left shortly before the move for another reason cannot be distinguished. Thread: the clock's. Shards and clock
// must outlive it.
class LOCKKEEPER_MONITOR_EXPORT MovedSynchronizers : public QObject {
    Q_OBJECT
public:
    // After this time a client that is not deaf has subscribed again.
    static constexpr Milliseconds deafTime{10000};
    static constexpr Milliseconds shownFor{600'000};
    // How long a semaphore or latch without waiters is remembered until the move of its slot is known.
    static constexpr Milliseconds moveIsKnown{15000};

    MovedSynchronizers(topology::Shards& shards, Clock& clock);
    ~MovedSynchronizers() override;

    // Forgets all semaphores and latches.
    void clear();
    // The node has found other semaphores or latches than before.
    void follow(topology::ShardId node, const SynchronizerReading& before, const SynchronizerReading& now);
    // The reading of all nodes, extended by the semaphores and latches whose clients are deaf by now.
    [[nodiscard]] SynchronizerReading addedTo(SynchronizerReading reading) const;

Q_SIGNALS:
    // addedTo() would add other entries than before.
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
