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
        connect(&link, &SessionLink::connectionChanged, this, [this](const ConnectionStatus& now) { status = now; });
        connect(&link, &SessionLink::armingChanged, this, [this](const Arming& now) { arming = now; });
        connect(&link, &SessionLink::batchReady, this, [this](const monitor::MonitorBatch& batch) {
            if (batch.reset)
                rows.clear();
            for (const monitor::SharedRow& row : batch.changed)
                rows.insert(row->lock.name, *row);
            events.insert(events.end(), batch.events.begin(), batch.events.end());
            if (batch.stats)
                stats = *batch.stats;
        });
        connect(&link, &SessionLink::operationFinished, this,
                [this](OperationId id, const control::OperationResult& result) { results.insert(id, result); });
        connect(&link, &SessionLink::ownLocksChanged, this,
                [this](const QList<control::OwnLock>& locks) { own = locks; });
        connect(&link, &SessionLink::ownLockLost, this, [this](const LockName& name) { lost += name; });
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
        link.arm(10min);
        control::AcquireRequest request;
        request.name = LockName(name);
        link.acquire(request);
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
};

}  // namespace lockkeeper::test
