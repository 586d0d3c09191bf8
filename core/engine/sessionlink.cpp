// SPDX-License-Identifier: Apache-2.0
#include "engine/sessionlink.h"

namespace lockkeeper {

SessionLink::SessionLink(Engine& engine, QObject* parent) : QObject(parent), m_engine(engine) {
    const auto forward = [this](auto from, auto to) {
        connect(&m_engine, from, this, [this, to](SessionId session, const auto&... values) {
            if (session == m_session)
                Q_EMIT(this->*to)(values...);
        });
    };
    forward(&Engine::connectionChanged, &SessionLink::connectionChanged);
    forward(&Engine::armingChanged, &SessionLink::armingChanged);
    forward(&Engine::historyLoaded, &SessionLink::historyLoaded);
    forward(&Engine::operationFinished, &SessionLink::operationFinished);
    forward(&Engine::holderIdentified, &SessionLink::holderIdentified);
    forward(&Engine::ownLocksChanged, &SessionLink::ownLocksChanged);
    forward(&Engine::ownLockLost, &SessionLink::ownLockLost);
    forward(&Engine::releaseRefused, &SessionLink::releaseRefused);
    forward(&Engine::recordingChanged, &SessionLink::recordingChanged);
    connect(&m_engine, &Engine::batchReady, this, [this](SessionId session, const monitor::SharedBatch& batch) {
        if (session == m_session)
            Q_EMIT batchReady(*batch);
    });
    connect(&m_engine, &Engine::sessionClosed, this, [this](SessionId session) {
        if (session != m_session)
            return;
        m_session = SessionId::None;
        Q_EMIT closed();
    });
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

void SessionLink::closePresent() {
    if (const SessionId session = std::exchange(m_session, SessionId::None); session != SessionId::None)
        m_engine.close(session, control::OwnLocksAtExit::Release);
}

// The receiver still shows the state of the previous session.
void SessionLink::forgetState() {
    Q_EMIT armingChanged({});
    Q_EMIT ownLocksChanged({});
    Q_EMIT recordingChanged({});
    monitor::MonitorBatch nothing;
    nothing.reset = true;
    Q_EMIT batchReady(nothing);
}

void SessionLink::setLabel(const profile::ProfileLabel& label) {
    m_engine.setLabel(m_session, label);
}

void SessionLink::arm(std::chrono::minutes time) {
    m_engine.arm(m_session, time);
}

void SessionLink::disarm() {
    m_engine.disarm(m_session);
}

void SessionLink::setDiscovery(monitor::DiscoveryState state) {
    m_engine.setDiscovery(m_session, state);
}

void SessionLink::retryNow() {
    m_engine.retryNow(m_session);
}

void SessionLink::record(const recording::RecordingRequest& request) {
    m_engine.record(m_session, request);
}

void SessionLink::stopRecording() {
    m_engine.stopRecording(m_session);
}

OperationId SessionLink::acquire(const control::AcquireRequest& request) {
    return m_engine.acquire(m_session, request);
}

OperationId SessionLink::release(const control::ReleaseRequest& request) {
    return m_engine.release(m_session, request);
}

OperationId SessionLink::forceRelease(const control::ForceReleaseRequest& request) {
    return m_engine.forceRelease(m_session, request);
}

OperationId SessionLink::identify(const monitor::HolderSearch& search) {
    return m_engine.identify(m_session, search);
}

void SessionLink::cancel(OperationId operation) {
    m_engine.cancel(m_session, operation);
}

}  // namespace lockkeeper

#include "moc_sessionlink.cpp"
