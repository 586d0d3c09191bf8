#pragma once

#include "async/completion.h"
#include "redis/command.h"
#include "redis/connectionoptions.h"
#include "redis/handshake.h"
#include "redis/replyerrors.h"
#include "redis/respparser.h"
#include "redis/transport.h"

#include <QObject>
#include <QPointer>

#include <deque>

namespace lockkeeper::redis {

// One connection to one server: connects, shakes hands, pipelines, tells pushes from replies, and comes back after a
// loss.
//
// Replies come in the order of the commands. A command sent while not Ready fails at once with ConnectionLost; when a
// connection ends, unanswered reads fail with ConnectionLost and unanswered writes with OutcomeUnknown, and nothing is
// ever sent again. A slot in the reply queue is never taken away: whoever stops waiting leaves, and the late answer
// still finds its place. Slots of its signals, and whoever is told of an answer, must not run an event loop of their own:
// nothing is sent until they return. Thread: one; all signals and completions come from its event loop, except that send() answers
// at once when it refuses.
class LOCKKEEPER_EXPORT Connection : public QObject {
    Q_OBJECT
public:
    enum class State {
        Closed,       // not opened, or closed by close()
        Opening,      // the transport is connecting
        Handshaking,  // HELLO or AUTH is under way
        Ready,
        Waiting  // lost or refused; tries again by itself after a back-off
    };
    Q_ENUM(State)

    Connection(ConnectionOptions options, TransportFactory makeTransport, Clock& clock, QObject* parent = nullptr);
    ~Connection() override;

    // Starts connecting and keeps at it until close().
    void open();
    // Ends at once; unanswered commands fail as with a loss.
    void close();

    [[nodiscard]] State state() const noexcept { return m_state; }
    [[nodiscard]] bool isReady() const noexcept { return m_state == State::Ready; }
    // Why the last attempt or connection ended; only meaningful in Waiting.
    [[nodiscard]] const Error& lastError() const noexcept { return m_lastError; }
    [[nodiscard]] const ServerInfo& server() const noexcept { return m_handshake.server(); }
    [[nodiscard]] const ConnectionOptions& options() const noexcept { return m_options; }
    [[nodiscard]] Clock& clock() const noexcept { return m_clock; }

    // Queues the command; all commands of one event-loop turn leave in one write. The answer is the server's reply; an
    // error reply comes as an Error (Auth, NotPermitted or ServerReply, the reply's text kept).
    Completion<RespValue> send(const Command& command);

    // Ends when Ready: at once, or after the next successful handshake. Await with a deadline.
    Completion<Done> whenReady();

    // When the server was last heard on this or the connection before; what happened there since then may not be known here.
    [[nodiscard]] SteadyTime lastHeard() const noexcept { return m_lastHeard; }

    // Commands sent since construction, handshakes and keepalive included: for budgets and benches.
    [[nodiscard]] quint64 commandsSent() const noexcept { return m_commandsSent; }

Q_SIGNALS:
    void stateChanged(lockkeeper::redis::Connection::State state);
    // Pub/sub messages and RESP3 pushes ("invalidate"); confirmations of subscriptions are replies, not pushes. After
    // MONITOR each of its lines too, as the simple string it is.
    void pushReceived(const lockkeeper::redis::RespValue& push);

private:
    struct Pending {
        Completion<RespValue> completion;
        Effect effect;
        SteadyTime sentAt;
    };

    void startAttempt();
    void shakeHands();
    void say(const Command& command);
    void goOn(const Result<std::optional<Command>>& next);
    void becomeReady();

    void end(const Error& error);
    static void failPending(const std::deque<Pending>& pending, qsizetype unflushed, const Error& error);
    void scheduleRetry();
    void checkHealth();
    void scheduleHealthCheck();

    Completion<RespValue> enqueue(const Command& command);
    void scheduleFlush();
    void flush();
    void onReadable();
    void dispatch(RespValue reply);
    bool isPush(const RespValue& reply) const;
    void answerOldest(RespValue reply);

    void setState(State state);
    void dropTransport();
    void cancelTimers();

    const ConnectionOptions m_options;
    const TransportFactory m_makeTransport;
    Clock& m_clock;
    State m_state = State::Closed;
    Error m_lastError;
    Handshake m_handshake;
    std::unique_ptr<Transport> m_transport;
    RespParser m_parser;
    std::deque<Pending> m_pending;
    std::deque<Completion<Done>> m_readyWaiters;
    QByteArray m_outgoing;
    qsizetype m_unflushed = 0;  // commands at the end of m_pending whose bytes are still in m_outgoing
    bool m_flushScheduled = false;
    bool m_dispatching = false;  // replies are being handed out: what they cause to be sent leaves together afterwards
    bool m_subscribed = false;   // RESP2 only: arrays that look like messages are messages
    bool m_monitoring = false;   // simple strings that look like lines of MONITOR are such lines
    int m_failedAttempts = 0;
    quint64 m_commandsSent = 0;
    SteadyTime m_lastHeard{};
    Clock::TimerId m_openTimer = Clock::TimerId::None;
    Clock::TimerId m_retryTimer = Clock::TimerId::None;
    Clock::TimerId m_healthTimer = Clock::TimerId::None;
};

}  // namespace lockkeeper::redis
