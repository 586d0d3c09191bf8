// SPDX-License-Identifier: Apache-2.0
#include "session/armedconsole.h"

#include "control/consolecause.h"

namespace lockkeeper {

ArmedConsole::ArmedConsole(MakeConsole make, LockName sample, Clock& clock)
    : m_make(std::move(make)), m_sample(std::move(sample)), m_clock(clock) {}

// The console answers the running operations while its signals are still connected.
ArmedConsole::~ArmedConsole() {
    m_timer.stop();
    m_console.reset();
}

// ---- armed or not ----

void ArmedConsole::arm(std::optional<Milliseconds> time) {
    if (!m_make)
        return;
    Arming armed;
    armed.state = ArmingState::Armed;
    m_timer.stop();
    if (time) {
        armed.until = m_clock.now() + *time;
        m_timer.start(*armed.until);
    }
    if (!m_console)
        makeConsole();
    m_console->setWriting(control::Writing::Allowed);
    armed.denied = m_console->denied();
    armed.rightsInAdvance = m_console->rightsInAdvance();
    set(armed);
    m_console->askRights(m_sample);
}

void ArmedConsole::setPlace(const control::AuditPlace& place) {
    if (m_console)
        m_console->setPlace(place);
}

void ArmedConsole::makeConsole() {
    using control::Console;
    m_console = m_make();
    const Console* console = m_console.get();
    connect(console, &Console::operationFinished, this, &ArmedConsole::operationFinished);
    connect(console, &Console::forceReleased, this, &ArmedConsole::forceReleased);
    connect(console, &Console::ownLocksChanged, this, &ArmedConsole::ownLocksChanged);
    connect(console, &Console::ownLockLost, this, &ArmedConsole::ownLockLost);
    connect(console, &Console::releaseRefused, this, &ArmedConsole::releaseRefused);
    connect(console, &Console::connectionLost, this, [this](const Error& why) {
        if (m_arming.isArmed())
            endArming(ArmingEnd::ConnectionLost, why);
    });
    connect(console, &Console::deniedChanged, this, [this] {
        Arming arming = m_arming;
        arming.denied = m_console->denied();
        arming.rightsInAdvance = m_console->rightsInAdvance();
        set(arming);
    });
    // Queued, because the console is in one of its coroutines at that time.
    connect(console, &Console::becameIdle, this, &ArmedConsole::closeIfIdle, Qt::QueuedConnection);
    if (m_replicaOf)
        m_console->refuseOnReplica(*m_replicaOf);
    else
        m_console->open();
}

void ArmedConsole::disarm() {
    if (m_arming.isArmed())
        endArming(ArmingEnd::ByHand);
}

void ArmedConsole::endArming(ArmingEnd why, const std::optional<Error>& error) {
    m_timer.stop();
    m_arming.until.reset();
    m_arming.state = ArmingState::Draining;
    m_arming.ended = why;
    m_arming.error = error;
    m_console->setWriting(control::Writing::Refused);
    // Queued, because the lost connection may be the caller.
    QMetaObject::invokeMethod(this, &ArmedConsole::closeIfIdle, Qt::QueuedConnection);
    Q_EMIT armingChanged(m_arming);
}

void ArmedConsole::closeIfIdle() {
    if (m_arming.state != ArmingState::Draining || !m_console->isIdle())
        return;
    m_console.reset();
    Arming readOnly = m_arming;
    readOnly.state = ArmingState::ReadOnly;
    set(readOnly);
}

void ArmedConsole::set(const Arming& arming) {
    if (arming == m_arming)
        return;
    m_arming = arming;
    Q_EMIT armingChanged(m_arming);
}

void ArmedConsole::refuseOnReplica(const QString& master) {
    m_replicaOf = master;
    if (m_console)
        m_console->refuseOnReplica(master);
}

void ArmedConsole::allowWrites() {
    m_replicaOf.reset();
    if (m_console)
        m_console->open();
}

// ---- operations ----

void ArmedConsole::execute(OperationId id, const control::Operation& operation) {
    if (m_console)
        return m_console->execute(id, operation);
    const control::ConsoleCause cause = m_make ? control::ConsoleCause::NotArmed : control::ConsoleCause::NeverArmed;
    Q_EMIT operationFinished(id, control::failure(control::lockOf(operation), Error(ErrorCode::NotArmed, cause)));
}

void ArmedConsole::cancel(OperationId id) {
    if (m_console)
        m_console->cancel(id);
}

void ArmedConsole::checkOwnLocks() {
    if (m_console)
        m_console->checkOwnLocks();
}

Task<void> ArmedConsole::releaseAll(Deadline deadline) {
    if (m_console)
        co_await m_console->releaseAll(deadline);
}

}  // namespace lockkeeper

#include "moc_armedconsole.cpp"
