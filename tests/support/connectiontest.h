// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "redis/connection.h"
#include "support/fakeserver.h"
#include "support/manualclock.h"

namespace lockkeeper::test {

// The outcome of one command.
struct Answer {
    std::optional<Result<redis::RespValue>> result;

    [[nodiscard]] bool has() const { return result.has_value(); }
    [[nodiscard]] QByteArray text() const {
        return has() && result->ok() ? result->value().bytes : QByteArray("(none)");
    }
    // The error's word; empty if there is no error.
    [[nodiscard]] QString error() const { return has() && !result->ok() ? wordFor(result->error().code) : QString(); }
};
using AnswerPtr = std::shared_ptr<Answer>;

AnswerPtr keep(const Completion<redis::RespValue>& completion);
// "ready", the error's word, or "pending".
[[nodiscard]] QString wordOf(const Completion<Done>& completion);

// One connection to a fake server, with a manual clock.
class ConnectionTest : public QObject {
    Q_OBJECT

protected:
    using State = redis::Connection::State;

    inline static const redis::Command get{"GET", {"k"}};
    inline static const redis::Command set{"SET", {"k", "v"}};

    void make();
    void makeReady();
    void makeReadyResp2();
    // Advances the clock until the state is reached, which must be within this time; returns how long it took.
    Milliseconds advanceTo(State state, Milliseconds atMost);
    void reconnect();
    [[nodiscard]] FakeLink& link() { return m_server->lastLink(); }

    std::unique_ptr<ManualClock> m_clock;
    std::unique_ptr<FakeServer> m_server;
    redis::ConnectionOptions m_options;
    std::unique_ptr<redis::Connection> m_connection;
    QList<State> m_states;
    QList<redis::RespValue> m_pushes;

protected Q_SLOTS:
    void init();
    void cleanup();
};

}  // namespace lockkeeper::test
