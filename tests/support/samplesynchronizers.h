// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "monitor/model/monitorbatch.h"

namespace lockkeeper::test {

// A semaphore that was read just now, with this number of free permits.
inline monitor::Synchronizer semaphore(const Clock& clock, const QByteArray& name, qint64 free, int clients = 1) {
    monitor::Synchronizer made;
    made.name = LockName(name);
    made.kind = monitor::SynchronizerKind::Semaphore;
    made.state = monitor::CounterState::Read;
    made.count = free;
    made.leased = 0;
    made.clients = clients;
    made.seenAt = clock.now();
    made.seenAtWall = clock.wallNow();
    return made;
}

inline monitor::Synchronizer latch(const Clock& clock, const QByteArray& name, qint64 count, int clients = 1) {
    monitor::Synchronizer made = semaphore(clock, name, count, clients);
    made.kind = monitor::SynchronizerKind::CountDownLatch;
    made.leased.reset();
    return made;
}

// Adds this number of leased permits. The first expires after this time, and each other one a second after the one
// before.
inline monitor::Synchronizer leased(const Clock& clock, monitor::Synchronizer synchronizer, int permits,
                                    Milliseconds firstEnd) {
    synchronizer.leased = permits;
    for (int i = 0; i < permits && synchronizer.leases.size() < monitor::Synchronizer::mostLeases; ++i)
        synchronizer.leases.push_back(
            {QByteArray(16, static_cast<char>('a' + i % 26)), clock.wallNow() + firstEnd + std::chrono::seconds(i)});
    return synchronizer;
}

// The result of one read, by name; beyond: the number of further names that have waiters.
inline monitor::MonitorBatch batchOf(std::vector<monitor::Synchronizer> seen, int beyond = 0) {
    monitor::MonitorBatch batch;
    batch.synchronizers = monitor::SynchronizerReading();
    batch.synchronizers->inAll = static_cast<int>(seen.size()) + beyond;
    batch.synchronizers->seen = std::move(seen);
    return batch;
}

}  // namespace lockkeeper::test
