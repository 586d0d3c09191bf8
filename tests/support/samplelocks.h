// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/engine.h"
#include "support/manualclock.h"

namespace lockkeeper::test {

inline const QByteArray clientA = QByteArrayLiteral("8f14e45f-ceea-467f-a5d1-09c4ed2b1c33");
inline const QByteArray clientB = QByteArrayLiteral("c9f0f895-fb98-4b91-99f5-1fd02c7a1d0e");

inline LockName lockName(const char* bytes) {
    return LockName(QByteArray(bytes));
}

inline monitor::Holder holder(const QByteArray& client, qint64 thread, qint64 count = 1,
                              monitor::HoldMode mode = monitor::HoldMode::Exclusive) {
    return monitor::Holder{HolderId(ClientId(client), ThreadId(thread)), mode, count};
}

// A lock that was read just now, with this remaining lease.
inline monitor::LockRow heldRow(const Clock& clock, const LockName& name, Milliseconds ttl,
                                const monitor::Holder& by = holder(clientA, 33)) {
    monitor::LockRow row;
    row.lock.name = name;
    row.lock.kind = monitor::LockKind::Reentrant;
    row.lock.holders = {by};
    row.lock.ttl = ttl;
    row.lock.expiry = monitor::Expiry{clock.now() + ttl, clock.now() + ttl + Milliseconds(1)};
    row.lock.waiters = 0;
    row.lock.seenAt = clock.now();
    row.lock.seenAtWall = clock.wallNow();
    row.hold.sinceWall = clock.wallNow();
    row.hold.since = clock.now();
    row.hold.peakTtl = ttl;
    return row;
}

// A lock of a client that renews it; four clients wait.
inline monitor::LockRow renewedRow(const Clock& clock, const LockName& name) {
    monitor::LockRow row = heldRow(clock, name, Milliseconds(12000), holder(clientA, 33, 2));
    row.hold.peakTtl = Milliseconds(30000);
    row.hold.renewals = 5;
    row.hold.lastRenewal = clock.now() - Milliseconds(3000);
    row.lock.waiters = 4;
    return row;
}

inline monitor::LockRow neverExpiringRow(const Clock& clock, const LockName& name) {
    monitor::LockRow row = heldRow(clock, name, Milliseconds(0));
    row.lock.ttl.reset();
    row.lock.expiry.reset();
    return row;
}

inline monitor::LockRow freeRow(const Clock& clock, const LockName& name) {
    monitor::LockRow row;
    row.lock.name = name;
    row.lock.kind = monitor::LockKind::Reentrant;
    row.lock.waiters = 0;
    row.lock.seenAt = clock.now();
    row.lock.seenAtWall = clock.wallNow();
    return row;
}

inline monitor::Diagnosis watchdogStopped(const Clock& clock) {
    const WallTime now = clock.wallNow();
    return {monitor::Certainty::Likely, monitor::WatchdogStopped{holder(clientA, 33).id, 7, now - Milliseconds(13000),
                                                                 Milliseconds(30000), now + Milliseconds(17000)}};
}

inline monitor::Diagnosis fixedLease(const Clock& clock) {
    const WallTime now = clock.wallNow();
    return {monitor::Certainty::Likely, monitor::FixedLease{holder(clientA, 33).id, Milliseconds(30000),
                                                            now - Milliseconds(14000), now + Milliseconds(16000)}};
}

inline monitor::LockRow diagnosedRow(const Clock& clock, const LockName& name, QList<monitor::Diagnosis> diagnoses) {
    monitor::LockRow row = heldRow(clock, name, Milliseconds(12000));
    row.diagnoses = std::move(diagnoses);
    return row;
}

inline monitor::QueueFacts deadOf(QList<monitor::FairWaiter> waiters) {
    return {nullptr, std::nullopt, std::move(waiters)};
}

inline monitor::SharedRow sharedRow(monitor::LockRow row) {
    return std::make_shared<const monitor::LockRow>(std::move(row));
}

inline monitor::MonitorBatch batchOf(std::vector<monitor::LockRow> changed) {
    monitor::MonitorBatch batch;
    for (monitor::LockRow& row : changed)
        batch.changed.push_back(sharedRow(std::move(row)));
    return batch;
}

inline monitor::MonitorBatch removalOf(std::vector<LockName> removed) {
    monitor::MonitorBatch batch;
    batch.removed = std::move(removed);
    return batch;
}

inline monitor::LockEvent eventOf(const Clock& clock, monitor::EventType type, const monitor::LockRow& row) {
    monitor::LockEvent event;
    event.at = clock.wallNow();
    event.type = type;
    event.lock = row.lock;
    if (row.lock.isHeld())
        event.holder = row.lock.holders.front();
    return event;
}

inline ConnectionStatus connected() {
    ConnectionStatus status;
    status.phase = ConnectionPhase::Connected;
    status.server = QStringLiteral("redis.example.com:6379/0");
    status.profile = profile::ProfileId(QStringLiteral("@redis.example.com:6379/0"));
    status.serverVersion = QStringLiteral("7.0.15");
    return status;
}

inline ConnectionStatus connecting() {
    ConnectionStatus status = connected();
    status.phase = ConnectionPhase::Connecting;
    status.serverVersion.clear();
    return status;
}

inline ConnectionStatus reconnecting(WallTime lastHeard) {
    ConnectionStatus status = connected();
    status.phase = ConnectionPhase::Reconnecting;
    status.lastHeard = lastHeard;
    status.error = Error(ErrorCode::ConnectionLost, Cause::ClosedByServer);
    return status;
}

}  // namespace lockkeeper::test
