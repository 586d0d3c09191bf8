// SPDX-License-Identifier: Apache-2.0
#include "engine/sessionlink.h"

namespace lockkeeper {

SessionLink::SessionLink(Engine& engine, QObject* parent) : QObject(parent), m_engine(engine) {
    connect(&m_engine, &Engine::reported, this, &SessionLink::pass);
}

SessionLink::~SessionLink() {
    blockSignals(true);
    closePresent();
}

void SessionLink::connectTo(const profile::ConnectionProfile& profile, const QList<LockName>& knownNames,
                            const profile::ProfileLabel& label) {
    closePresent();
    m_session = m_engine.open(profile, knownNames, label);
    forgetState();
}

void SessionLink::connectToDemo(redis::AccessMode access) {
    closePresent();
    m_session = m_engine.openDemo(access);
    forgetState();
}

void SessionLink::disconnectFromServer(control::OwnLocksAtExit ownLocks) {
    if (isOpen())
        m_engine.close(m_session, ownLocks);
}

void SessionLink::pass(SessionId session, const SessionReport& report) {
    if (session != m_session)
        return;
    if (std::holds_alternative<SessionClosed>(report))
        m_session = SessionId::None;
    Q_EMIT reported(report);
}

void SessionLink::closePresent() {
    if (const SessionId session = std::exchange(m_session, SessionId::None); session != SessionId::None)
        m_engine.close(session, control::OwnLocksAtExit::Release);
}

// The receiver still shows the state of the previous session.
void SessionLink::forgetState() {
    Q_EMIT reported(Arming());
    Q_EMIT reported(OwnLocksChanged());
    Q_EMIT reported(recording::RecordingStatus());
    const auto nothing = std::make_shared<monitor::MonitorBatch>();
    nothing->reset = true;
    Q_EMIT reported(BatchReady{nothing, nullptr});
}

}  // namespace lockkeeper

#include "moc_sessionlink.cpp"
