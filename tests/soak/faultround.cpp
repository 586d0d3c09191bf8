// SPDX-License-Identifier: Apache-2.0
#include "soak/faultround.h"

#include <QDir>
#include <QFileInfo>

namespace lockkeeper::soak {

using namespace std::chrono_literals;
using redis::Command;
using redis::RespValue;

namespace {

constexpr Milliseconds frozenFor = 3s;

}  // namespace

QString wordsFor(FaultRound::Kind kind) {
    switch (kind) {
        case FaultRound::Kind::Restart:
            return QStringLiteral("restart, the data stays");
        case FaultRound::Kind::Kill:
            return QStringLiteral("CLIENT KILL of the watch");
        case FaultRound::Kind::Freeze:
            return QStringLiteral("SIGSTOP for 3 s");
        case FaultRound::Kind::Flush:
            return QStringLiteral("FLUSHALL");
        case FaultRound::Kind::Crash:
            return QStringLiteral("SIGKILL and loss of the data");
    }
    return {};
}

FaultRound::FaultRound(lab::PrivateServer& server, LockLoad& load, SoakChecker& checker)
    : m_server(server), m_load(load), m_checker(checker) {
    QObject::connect(&server, &lab::PrivateServer::stopped, &server, [this] { onStopped(); });
}

void FaultRound::next() {
    const Kind kind = static_cast<Kind>(m_past.size() % kinds);
    m_past.push_back({kind, {now(), now()}, {}});
    const bool isLoss = kind == Kind::Restart || kind == Kind::Kill || kind == Kind::Crash;
    m_checker.noteDisturbance({isLoss ? Disturbance::Kind::Loss : Disturbance::Kind::Silence, m_past.back().when, {}});
    switch (kind) {
        case Kind::Restart:
            m_isDown = true;
            return m_server.stop();
        case Kind::Crash:
            m_isDown = true;
            return m_server.kill();
        case Kind::Kill:
            return kill();
        case Kind::Freeze:
            return freeze();
        case Kind::Flush:
            return flush();
    }
}

// A server that is down has lost what was in memory alone. After Kind::Crash its file is lost, too.
void FaultRound::onStopped() {
    if (m_past.empty() || !m_isDown)
        return;
    if (m_past.back().kind == Kind::Crash) {
        QDir(QFileInfo(m_server.socketPath()).path() + QStringLiteral("/appendonlydir")).removeRecursively();
        m_checker.noteRemovalOfAll({m_past.back().when.from, now()});
        m_load.noteAllGone();
    }
    m_isStarted = true;
    m_server.start();
}

void FaultRound::follow() {
    if (!m_isDown || !m_isStarted || !m_server.isReady() || !m_load.isReady())
        return;
    m_isDown = m_isStarted = false;
    noteBack();
}

void FaultRound::noteBack() {
    m_past.back().when.to = now();
    m_checker.noteServerBack(m_past.size() - 1, now());
}

void FaultRound::kill() {
    for (const char* type : {"normal", "pubsub"})
        m_load.send(Command("CLIENT", {}).arg("KILL").arg("TYPE").arg(type).arg("SKIPME").arg("yes"))
            .then([this](const Result<RespValue>&) { noteBack(); });
}

void FaultRound::freeze() {
    (void)m_server.freeze();
    QTimer::singleShot(frozenFor, &m_server, [this] {
        (void)m_server.resume();
        noteBack();
    });
}

void FaultRound::flush() {
    m_load.send(Command("FLUSHALL")).then([this](const Result<RespValue>&) {
        noteBack();
        m_checker.noteRemovalOfAll(m_past.back().when);
    });
    m_load.noteAllGone();
}

void FaultRound::noteSettled(size_t number, std::optional<WallTime> settled, WallTime end) {
    m_past[number].settled = settled;
    m_checker.noteSettled(number, settled.value_or(end));
}

}  // namespace lockkeeper::soak
