#pragma once

#include "redis/connection.h"
#include "support/fakeserver.h"
#include "support/manualclock.h"

namespace lockkeeper::test {

// What became of one command.
struct Answer {
    std::optional<Result<redis::RespValue>> result;

    [[nodiscard]] bool has() const { return result.has_value(); }
    [[nodiscard]] QByteArray text() const {
        return has() && result->ok() ? result->value().bytes : QByteArray("(none)");
    }
    // The error's word; empty when there is no error.
    [[nodiscard]] QString error() const { return has() && !result->ok() ? wordFor(result->error().code) : QString(); }
};
using AnswerPtr = std::shared_ptr<Answer>;

AnswerPtr keep(const Completion<redis::RespValue>& completion);
// "ready", the error's word, or "pending".
[[nodiscard]] QString wordOf(const Completion<Done>& completion);

// One connection to a server that the test plays by hand, on a clock that it moves by hand.
class ConnectionTest : public QObject {
    Q_OBJECT

protected:
    using State = redis::Connection::State;

    inline static const redis::Command get{"GET", {"k"}};
    inline static const redis::Command set{"SET", {"k", "v"}};

    void make();
    void makeReady();
    void makeReadyResp2();
    // Moves the clock until the state is reached, which must be within this time; says how long it took.
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
