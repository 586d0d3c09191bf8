// SPDX-License-Identifier: Apache-2.0
#include "enginewatch.h"

#include "measuring.h"

namespace lockkeeper::bench {

EngineWatch::EngineWatch(const monitor::MonitorOptions& options) : m_engine(options) {
    m_engine.onReport<BatchReady>(&m_engine, [this](SessionId, const BatchReady& ready) { take(*ready.batch); });
    m_engine.onReport<ConnectionStatus>(&m_engine, [this](SessionId, const ConnectionStatus& status) {
        m_connected = status.phase == ConnectionPhase::Connected;
    });
}

void EngineWatch::connectTo(const QString& server, const QList<LockName>& knownNames) {
    const Result<profile::ConnectionProfile> profile = profile::ConnectionProfile::fromUrl(server);
    if (!profile)
        giveUp(profile.error().text);
    m_session = m_engine.open(*profile, knownNames);
}

const monitor::LockRow* EngineWatch::row(const QByteArray& name) const {
    const auto found = m_rows.constFind(LockName(name));
    return found == m_rows.constEnd() ? nullptr : found->get();
}

void EngineWatch::take(const monitor::MonitorBatch& batch) {
    for (const monitor::SharedRow& row : batch.changed)
        m_rows.insert(row->lock.name, row);
    for (const LockName& name : batch.removed)
        m_rows.remove(name);
    for (const monitor::LockEvent& event : batch.events)
        m_sweeps += event.type == monitor::EventType::Swept ? 1 : 0;
}

}  // namespace lockkeeper::bench
