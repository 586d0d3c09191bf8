// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/completion.h"
#include "base/clocktimer.h"
#include "redis/command.h"
#include "redis/connectionoptions.h"
#include "redis/predecessor.h"
#include "redis/pushfilter.h"
#include "redis/respvalue.h"
#include "redis/serverinfo.h"
#include "redis/serverrole.h"
#include "redis/transport.h"

#include <QObject>
#include <QPointer>

#include <deque>
#include <memory>

namespace lockkeeper::redis {

class Handshake;
class RespParser;

// One connection to one server. It connects, does the handshake, pipelines commands, separates pushes from replies, and
// reconnects after a loss.
//
// Replies come in the order of the commands. A command sent while not Ready fails at once with ConnectionLost. When a
// connection ends, unanswered reads fail with ConnectionLost and unanswered writes with OutcomeUnknown; nothing is ever
// sent again. A caller that stops waiting does not remove its slot from the reply queue, so its late reply cannot be
// assigned to another command.
//
// A slot connected to its signals, or a receiver of answers, may delete the connection or call it, or run an event
// loop, as a dialog does. Commands sent before are written when that loop waits. Replies that arrived together with the
// present one are delivered after that loop.
//
// Thread: one. All signals and completions come from its event loop, except that send() completes at once when it
// refuses, and that open() and close() emit stateChanged() themselves.
class LOCKKEEPER_EXPORT Connection : public QObject {
    Q_OBJECT
public:
    enum class State {
        Closed,       // not opened, or closed by close()
        Opening,      // the transport is connecting
        Handshaking,  // HELLO or AUTH is sent and not yet answered
        Ready,
        Waiting  // the connection was lost or refused; it is retried after a back-off
    };
    Q_ENUM(State)

    // WantedRole::Known: between two readings of a replica's role, and at most between attempts while its master is
    // lost.
    static constexpr Milliseconds linkInterval{1000};

    Connection(ConnectionOptions options, TransportFactory makeTransport, Clock& clock, QObject* parent = nullptr);
    ~Connection() override;

    // Starts connecting and retries until close().
    void open();
    // In Waiting: tries again now. Call it when there is news of the server.
    void retryNow();
    // In Ready: ends the connection for this reason, as a loss does, and connects again.
    void reconnect(const Error& why);
    // Disconnects at once; unanswered commands fail as after a loss.
    void close();

    [[nodiscard]] State state() const noexcept { return m_state; }
    [[nodiscard]] bool isReady() const noexcept { return m_state == State::Ready; }
    // Why the last attempt or connection ended. Only meaningful in Waiting.
    [[nodiscard]] const Error& lastError() const noexcept { return m_lastError; }
    [[nodiscard]] const ServerInfo& server() const noexcept;
    // The server's last answer to ROLE or INFO replication, see WantedRole; nothing if there was none on this
    // connection.
    [[nodiscard]] const std::optional<ServerRole>& role() const noexcept;
    // Reads the role now, behind all commands sent before. Completes when the answer was used: a connection that must
    // end because of it has ended then. Fails if the server refuses to report its role, or has not answered.
    Completion<Done> confirmRole();
    [[nodiscard]] const ConnectionOptions& options() const noexcept { return m_options; }
    [[nodiscard]] Clock& clock() const noexcept { return m_clock; }

    // Queues the command. All commands of one turn of the event loop are sent in one write, at its end (LoopTurn). The
    // answer is the server's reply; an error reply is returned as an Error (Auth, NotPermitted or ServerReply) with the
    // reply's text.
    Completion<RespValue> send(const Command& command);

    // Completes when Ready: at once, or after the next successful handshake. Always wait with a deadline.
    Completion<Done> whenReady();

    // When the next attempt begins; nothing unless Waiting.
    [[nodiscard]] std::optional<SteadyTime> nextAttempt() const { return m_retryTimer.due(); }

    // When the last bytes arrived from the server, on this connection or the last one that was ready; of a replica that
    // has lost its master, when it was last known to have it. Later changes may be unknown here.
    [[nodiscard]] SteadyTime lastHeard() const noexcept { return m_lastHeard; }

    // When the oldest command without an answer was sent; nothing if all are answered.
    [[nodiscard]] std::optional<SteadyTime> unansweredSince() const {
        return m_pending.empty() ? std::nullopt : std::optional(m_pending.front().sentAt);
    }

    // Commands sent since construction, including handshakes and keepalive; for budgets and benches.
    [[nodiscard]] quint64 commandsSent() const noexcept { return m_commandsSent; }

Q_SIGNALS:
    void stateChanged(lockkeeper::redis::Connection::State state);
    // Pub/sub messages and RESP3 pushes ("invalidate"). Confirmations of subscriptions are replies, not pushes. After
    // MONITOR each of its lines is a push, too, as a simple string. A push ends a connection that has not asked for
    // any, with UnrequestedPush.
    void pushReceived(const lockkeeper::redis::RespValue& push);
    // role() was read again after the handshake.
    void roleRead();
    // The server does not allow this user a command, or does not have the command. Also emitted for commands of the
    // handshake. The command's answer follows.
    void denied(const lockkeeper::Error& why);

private:
    struct Pending {
        Completion<RespValue> completion;
        Effect effect;
        SteadyTime sentAt;
        QByteArray confirmation;  // see PushFilter::confirmationOf()
    };

    void startAttempt();
    void endLateAttempt();
    [[nodiscard]] Cause missingInTime() const;
    // A server that expects TLS closes the connection without an answer.
    [[nodiscard]] bool isClosedUnanswered(const Error& error) const;
    void shakeHands();
    void sendHandshake(const Command& command);
    void resumeHandshake(const Result<std::optional<Command>>& next);
    void becomeReady();

    void end(const Error& reason);
    void noteEnd();
    void giveUpPending(const Error& error);
    void failUnanswered();
    void failReadyWaiters();
    void scheduleRetry();
    void checkHealth();
    void scheduleHealthCheck();
    void scheduleRoleCheck();
    void checkRole();
    void noteRole(const Result<RespValue>& role, SteadyTime askedAt);
    [[nodiscard]] bool isOfReplica() const;
    void noteLostLink();

    Completion<RespValue> enqueue(const Command& command);
    void flushAtEndOfTurn();
    void flush();
    void onReadable();
    void dispatch(RespValue reply);
    void answerOldest(RespValue reply);
    void answerWithError(const Pending& answered, Error error);

    void setState(State state);
    void dropTransport();
    void stopTimers();

    const ConnectionOptions m_options;
    const TransportFactory m_makeTransport;
    Clock& m_clock;
    State m_state = State::Closed;
    Error m_lastError;
    std::unique_ptr<Handshake> m_handshake;
    std::unique_ptr<Transport> m_transport;
    std::unique_ptr<RespParser> m_parser;
    std::deque<Pending> m_pending;
    std::deque<Completion<Done>> m_readyWaiters;
    QByteArray m_outgoing;
    qsizetype m_unflushed = 0;  // commands at the end of m_pending whose bytes are still in m_outgoing
    bool m_isFlushQueued = false;
    PushFilter m_pushFilter;
    int m_failedAttempts = 0;  // in a row; a connection that ends soon counts as one
    quint64 m_commandsSent = 0;
    SteadyTime m_lastHeard{};
    SteadyTime m_readySince{};
    Predecessor m_predecessor;
    ClockTimer m_openTimer{m_clock, [this] { endLateAttempt(); }};
    ClockTimer m_retryTimer{m_clock, [this] { startAttempt(); }};
    ClockTimer m_healthTimer{m_clock, [this] { checkHealth(); }};
    ClockTimer m_roleTimer{m_clock, [this] { checkRole(); }};
    // Commands of a connection that has ended. They fail one by one, because the receiver of an answer, or of the
    // signal before, may delete this object; then the destructor fails the others.
    std::deque<std::pair<Completion<RespValue>, Error>> m_unanswered;
};

}  // namespace lockkeeper::redis
