// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/threadedengine.h"

#include <QHash>

namespace lockkeeper::bench {

// The real engine on a real server, and everything it has reported so far.
class EngineWatch {
public:
    explicit EngineWatch(const monitor::MonitorOptions& options = {});

    // server: a URL with its discovery settings. knownNames: read before any sweep.
    void connectTo(const QString& server, const QList<LockName>& knownNames = {});
    void setDiscovery(monitor::DiscoveryState state) { m_engine.request(m_session, SetDiscovery{state}); }

    [[nodiscard]] bool isConnected() const noexcept { return m_connected; }
    [[nodiscard]] quint64 sweeps() const noexcept { return m_sweeps; }
    [[nodiscard]] qsizetype rows() const { return m_rows.size(); }
    // Null if unknown; valid until the event loop runs again.
    [[nodiscard]] const monitor::LockRow* row(const QByteArray& name) const;

private:
    void take(const monitor::MonitorBatch& batch);

    ThreadedEngine m_engine;
    SessionId m_session = SessionId::None;
    QHash<LockName, monitor::SharedRow> m_rows;
    quint64 m_sweeps = 0;
    bool m_connected = false;
};

}  // namespace lockkeeper::bench
