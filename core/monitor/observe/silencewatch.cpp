// SPDX-License-Identifier: Apache-2.0
#include "monitor/observe/silencewatch.h"

#include <QPointer>

namespace lockkeeper::monitor {

using redis::Connection;

SilenceWatch::SilenceWatch(Connection& connection)
    : m_connection(connection), m_timer(connection.clock(), [this] { check(); }) {
    connect(&connection, &Connection::stateChanged, this, [this] {
        m_waitingSince.reset();
        setSilence(Milliseconds(0));
    });
}

void SilenceWatch::check() {
    m_timer.start(interval);
    if (!m_connection.isReady())
        return;
    const SteadyTime now = m_connection.clock().now();
    const std::optional<SteadyTime> since = m_connection.unansweredSince();
    const bool isSame = since && m_waitingSince == since;
    m_waitingSince = since;
    if (!isSame && m_silence > Milliseconds(0))
        return setSilence(Milliseconds(0));
    if (isSame)
        return setSilence(std::chrono::floor<std::chrono::seconds>(now - *since));
    if (!since && now - m_connection.lastHeard() >= 2 * interval)
        (void)m_connection.send(redis::Command("PING"));
}

// The end of a silence is reported at once: the next answer shows it.
void SilenceWatch::setSilence(Milliseconds silence) {
    if (m_silence == silence)
        return;
    const bool isBegin = m_silence == Milliseconds(0);
    m_silence = silence;
    if (isBegin)
        askAgain();
    Q_EMIT changed();
}

// Answered after all commands before it.
void SilenceWatch::askAgain() {
    m_connection.send(redis::Command("PING")).then([this, alive = QPointer(this)](const auto& pong) {
        if (!alive || !pong)
            return;
        m_waitingSince.reset();
        setSilence(Milliseconds(0));
    });
}

}  // namespace lockkeeper::monitor

#include "moc_silencewatch.cpp"
