// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/model/diagnosis.h"
#include "monitor/model/hold.h"
#include "monitor/model/locksnapshot.h"
#include "monitor/model/threadverdict.h"
#include "monitor/model/throughput.h"
#include "monitor/model/waits.h"

#include <QMetaType>

#include <memory>
#include <optional>

namespace lockkeeper::monitor {

// A fair lock's queue that is kept under another name, see QueueMapping.
struct UnmappedQueue {
    LockName name;
    QList<FairWaiter> waiters;
};

// What is known about a queue in addition to its keys. Most locks have nothing of this.
struct QueueFacts {
    std::shared_ptr<const UnmappedQueue> unmapped;  // a queue besides its own one
    std::optional<LockName> queueOf;                // the lock that its own queue belongs to, if it is another lock
    QList<FairWaiter> deadWaiters;  // waiters of its own queue that are proven dead, in the queue's order

    [[nodiscard]] bool isEmpty() const { return !unmapped && !queueOf && deadWaiters.isEmpty(); }
};

// A known lock as it is shown: its last snapshot and what earlier ones add. A value: safe to pass between threads.
struct LockRow {
    LockSnapshot lock;
    Hold hold;                     // the present one; valid while held
    quint64 releasesReceived = 0;  // release messages since the lock is known, even of holds that no
                                   // read saw
    QList<Diagnosis> diagnoses;    // the most severe first
    Rare<Throughput> throughput;   // only for a busy lock
    Rare<QueueFacts> queueFacts;
    Rare<Waits> waits;                   // of a lock that somebody waits for, or has waited for
    Rare<QList<ThreadVerdict>> threads;  // of a held lock, if a thread dump of a client is known
    bool isUnread = false;  // the slot of the lock is moving, and no node reads the lock now: shown as last read

    [[nodiscard]] QList<FairWaiter> deadWaiters() const { return queueFacts->deadWaiters; }
    void setQueueFacts(QueueFacts facts) { queueFacts = facts.isEmpty() ? Rare<QueueFacts>() : std::move(facts); }
    friend bool operator<(const LockRow& a, const LockRow& b) noexcept {
        return a.lock.name.bytes() < b.lock.name.bytes();
    }
};

// A row as it is passed on, also to other threads: all receivers share it, so nobody may change it. With 100,000 locks,
// copies would take most of the memory.
using SharedRow = std::shared_ptr<const LockRow>;

}  // namespace lockkeeper::monitor

Q_DECLARE_METATYPE(lockkeeper::monitor::LockRow)
