// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/sessionlink.h"

#include <QHash>

#include <algorithm>
#include <vector>

namespace lockkeeper::test {

using namespace std::chrono_literals;

// Receives what a page would know of its session.
class SessionProbe : public QObject {
public:
    explicit SessionProbe(Engine& engine) : link(engine) {
        link.onReport<ConnectionStatus>(this, [this](const ConnectionStatus& now) { status = now; });
        link.onReport<Arming>(this, [this](const Arming& now) { arming = now; });
        link.onReport<BatchReady>(this, [this](const BatchReady& ready) {
            const monitor::MonitorBatch& batch = *ready.batch;
            if (batch.reset)
                rows.clear();
            for (const monitor::SharedRow& row : batch.changed)
                rows.insert(row->lock.name, *row);
            events.insert(events.end(), batch.events.begin(), batch.events.end());
            if (batch.stats)
                stats = *batch.stats;
        });
        link.onReport<OperationFinished>(
            this, [this](const OperationFinished& one) { results.insert(one.operation, one.result); });
        link.onReport<OwnLocksChanged>(this, [this](const OwnLocksChanged& now) { own = now.locks; });
        link.onReport<OwnLockLost>(this, [this](const OwnLockLost& loss) { lost += loss.name; });
        link.onReport<SessionClosed>(this, [this](SessionClosed) { ++closed; });
    }
    void connectTo(const QString& url) { link.connectTo(profile::ConnectionProfile::fromUrl(url).value(), {}); }
    [[nodiscard]] bool isConnected() const { return status.phase == ConnectionPhase::Connected; }
    [[nodiscard]] bool holds(const char* name) const { return rows.value(LockName(name)).lock.isHeld(); }
    [[nodiscard]] qsizetype count(monitor::EventType type, const char* name) const {
        return std::count_if(events.begin(), events.end(), [&](const monitor::LockEvent& event) {
            return event.type == type && event.lock.name == LockName(name);
        });
    }
    // Arms the session first.
    void acquire(const char* name) {
        link.request(ArmFor{10min});
        control::AcquireRequest request;
        request.name = LockName(name);
        link.request(request);
    }

    SessionLink link;
    ConnectionStatus status;
    Arming arming;
    QHash<LockName, monitor::LockRow> rows;
    std::vector<monitor::LockEvent> events;
    monitor::MonitorStats stats;
    QHash<OperationId, control::OperationResult> results;
    QList<control::OwnLock> own;
    QList<LockName> lost;
    int closed = 0;
};

}  // namespace lockkeeper::test
