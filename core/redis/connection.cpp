// SPDX-License-Identifier: Apache-2.0
#include "redis/connection.h"

#include "base/logging.h"
#include "base/loopturn.h"
#include "redis/handshake.h"
#include "redis/replyerrors.h"
#include "redis/respparser.h"

#include <QRandomGenerator>
#include <QScopedValueRollback>
#include <QThread>

namespace lockkeeper::redis {

namespace {

// Bytes. Commands that are caused by replies are collected until the end of the turn, but at this size they are written
// at once, so that the server can begin with them.
constexpr qsizetype fullPacket = 1400;

// An error reply that answers no command. It is the last message before the server closes: too many clients, protected
// mode.
Error unaskedFor(const RespValue& reply) {
    if (reply.isError())
        return errorOf(reply);
    return Error(ErrorCode::Protocol, Cause::UnrequestedReply, {reply.describe()});
}

}  // namespace

Connection::Connection(ConnectionOptions options, TransportFactory makeTransport, Clock& clock, QObject* parent)
    : QObject(parent),
      m_options(std::move(options)),
      m_makeTransport(std::move(makeTransport)),
      m_clock(clock),
      m_handshake(std::make_unique<Handshake>(m_options)),
      m_parser(std::make_unique<RespParser>(m_options.limits)) {}

Connection::~Connection() {
    blockSignals(true);
    close();
}

const ServerInfo& Connection::server() const noexcept {
    return m_handshake->server();
}

void Connection::open() {
    Q_ASSERT(thread() == QThread::currentThread());
    if (m_state == State::Closed)
        startAttempt();
}

void Connection::reconnect(const Error& why) {
    if (m_state == State::Ready)
        end(why);
}

void Connection::close() {
    const QPointer<Connection> alive(this);
    if (m_state != State::Closed) {
        stopTimers();
        dropTransport();
        m_failedAttempts = 0;
        giveUpPending(Error(ErrorCode::ConnectionLost, Cause::ConnectionClosed));
        setState(State::Closed);
    }
    // Also if a slot closes it again: no command is open when close() returns.
    if (alive)
        failUnanswered();
    if (alive && m_state == State::Closed)
        failReadyWaiters();
}

const std::optional<ServerRole>& Connection::role() const noexcept {
    return m_handshake->role();
}

// ---- one attempt: transport, handshake, ready ----

void Connection::startAttempt() {
    *m_parser = RespParser(m_options.limits);
    *m_handshake = Handshake(m_options, m_predecessor);
    m_outgoing.clear();
    m_pushFilter = PushFilter();
    m_transport = m_makeTransport();
    Transport* transport = m_transport.get();
    connect(transport, &Transport::opened, this, &Connection::shakeHands);
    connect(transport, &Transport::readyRead, this, &Connection::onReadable);
    connect(transport, &Transport::failed, this, &Connection::end);
    m_openTimer.start(m_options.openTimeout);
    const QPointer<Connection> alive(this);
    setState(State::Opening);
    if (alive && m_transport.get() == transport)
        transport->open();
}

void Connection::endLateAttempt() {
    const QString seconds = QString::number(static_cast<double>(m_options.openTimeout.count()) / 1000);
    end(Error(ErrorCode::Timeout, missingInTime(), {seconds}));
}

Cause Connection::missingInTime() const {
    if (m_state != State::Opening)
        return Cause::NoHandshakeInTime;
    const Cause cause = m_transport->waitingFor();
    return cause == Cause::None ? Cause::NoConnectionInTime : cause;
}

void Connection::shakeHands() {
    const QPointer<Connection> alive(this);
    const Transport* transport = m_transport.get();
    setState(State::Handshaking);
    if (alive && m_transport.get() == transport)
        sendHandshake(m_handshake->hello());
}

void Connection::sendHandshake(const Command& command) {
    enqueue(command).then([this, alive = QPointer(this)](const Result<RespValue>& answer) {
        // The failure of an attempt that has ended is already reported.
        if (alive && m_state == State::Handshaking)
            resumeHandshake(m_handshake->next(answer));
    });
}

void Connection::resumeHandshake(const Result<std::optional<Command>>& next) {
    if (!next)
        end(next.error());
    else if (*next)
        sendHandshake(**next);
    else
        becomeReady();
}

void Connection::becomeReady() {
    m_openTimer.stop();
    m_predecessor = {};
    m_readySince = m_lastHeard = m_clock.now();
    scheduleHealthCheck();
    scheduleRoleCheck();
    const QPointer<Connection> alive(this);
    setState(State::Ready);
    // A waiter may close or delete this connection.
    while (alive && m_state == State::Ready && !m_readyWaiters.empty()) {
        const Completion<Done> waiter = m_readyWaiters.front();
        m_readyWaiters.pop_front();
        waiter.complete(Done());
    }
}

// ---- the end of an attempt or a connection ----

bool Connection::isClosedUnanswered(const Error& error) const {
    const bool isByPeer =
        error.code == ErrorCode::ConnectionLost && (error.cause == Cause::None || error.cause == Cause::ClosedByServer);
    const bool isPlainTcp = m_options.endpoint.security == Security::Plain && m_options.endpoint.unixPath.isEmpty();
    return isByPeer && isPlainTcp && m_state == State::Handshaking && !m_handshake->isAnswered() &&
           m_parser->buffered() == 0;
}

// Records what an ending connection leaves behind. Call while m_state still has the state before the end.
void Connection::noteEnd() {
    if (m_state != State::Ready)
        return;
    const auto flushed = m_pending.end() - m_unflushed;
    const bool hasWrites =
        std::any_of(m_pending.begin(), flushed, [](const Pending& command) { return command.effect == Effect::Write; });
    const auto age = std::chrono::floor<Milliseconds>(m_lastHeard - m_readySince);
    m_predecessor = hasWrites ? Predecessor{server().connectionId, age} : Predecessor();
    // A server that accepts and then breaks the connection is retried with growing pauses, as one that refuses.
    if (m_clock.now() - m_readySince >= m_options.lastRetry)
        m_failedAttempts = 0;
}

void Connection::end(const Error& reason) {
    noteEnd();
    const Error error = isClosedUnanswered(reason) ? Error(ErrorCode::ConnectionLost, Cause::ClosedUnanswered) : reason;
    qCDebug(logRedis) << m_options.endpoint.display() << "ended:" << error.text;
    stopTimers();
    dropTransport();
    m_lastError = error;
    giveUpPending(error);
    scheduleRetry();  // before a slot may close the connection, or open it again
    const QPointer<Connection> alive(this);
    setState(State::Waiting);
    if (alive)
        failUnanswered();
}

void Connection::giveUpPending(const Error& error) {
    const qsizetype flushed = static_cast<qsizetype>(m_pending.size()) - std::exchange(m_unflushed, 0);
    Error lost = error;
    lost.code = ErrorCode::ConnectionLost;
    Error unknown(ErrorCode::OutcomeUnknown, Cause::EndedBeforeAnswer);
    unknown.text += QLatin1String(": ") + error.text;  // why it ended, for the log
    qsizetype place = 0;
    for (const Pending& command : std::exchange(m_pending, {})) {
        const bool mayHaveHappened = command.effect == Effect::Write && place < flushed;
        m_unanswered.emplace_back(command.completion, mayHaveHappened ? unknown : lost);
        ++place;
    }
}

void Connection::failUnanswered() {
    const QPointer<Connection> alive(this);
    while (alive && !m_unanswered.empty()) {
        const auto [completion, error] = std::move(m_unanswered.front());
        m_unanswered.pop_front();
        completion.complete(error);
    }
}

// A waiter may open the connection again, and wait for that: it is no waiter of this end. It may also delete the
// connection; the others still get their answer.
void Connection::failReadyWaiters() {
    const std::deque<Completion<Done>> waiters = std::exchange(m_readyWaiters, {});
    for (const Completion<Done>& waiter : waiters)
        waiter.complete(Error(ErrorCode::ConnectionLost, Cause::ConnectionClosed));
}

void Connection::scheduleRetry() {
    constexpr int mostDoublings = 16;
    const bool answers = m_lastError.cause == Cause::MasterLinkLost;  // and costs little
    const Milliseconds longest = answers ? std::min(linkInterval, m_options.lastRetry) : m_options.lastRetry;
    const Milliseconds full =
        std::min(m_options.firstRetry * (1 << std::min(m_failedAttempts++, mostDoublings)), longest);
    // Half of the delay is random: clients that lost the same server must not all reconnect in the same moment.
    const qint64 half = full.count() / 2;
    m_retryTimer.start(Milliseconds(half + QRandomGenerator::global()->bounded(half + 1)));
}

void Connection::retryNow() {
    if (m_retryTimer.isRunning())
        m_retryTimer.start(m_clock.now());
}

void Connection::scheduleHealthCheck() {
    m_healthTimer.start(std::max(Milliseconds(1), std::min(m_options.commandTimeout / 2, m_options.keepaliveInterval)));
}

void Connection::checkHealth() {
    const SteadyTime now = m_clock.now();
    if (!m_pending.empty() && now - m_pending.front().sentAt >= m_options.commandTimeout) {
        const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(m_options.commandTimeout).count();
        return end(Error(ErrorCode::Timeout, Cause::ServerSilent, {QString::number(seconds)}));
    }
    scheduleHealthCheck();
    if (m_pending.empty() && now - m_lastHeard >= m_options.keepaliveInterval)
        enqueue(Command("PING"));
}

void Connection::scheduleRoleCheck() {
    if (m_options.role != WantedRole::Any && m_handshake->roleQuestion())
        m_roleTimer.start(isOfReplica() ? linkInterval : m_options.roleInterval);
}

bool Connection::isOfReplica() const {
    return m_options.role == WantedRole::Known && server().role == "replica";
}

void Connection::checkRole() {
    confirmRole().then([this, alive = QPointer(this)](const Result<Done>&) {
        if (alive && m_state == State::Ready)
            scheduleRoleCheck();
    });
}

Completion<Done> Connection::confirmRole() {
    const std::optional<Command> question = m_handshake->roleQuestion();
    if (m_state != State::Ready)
        return Completion<Done>::completed(Error(ErrorCode::ConnectionLost, Cause::NotConnected));
    if (!question)
        return Completion<Done>::completed(Error(ErrorCode::NotPermitted, QString()));
    const Completion<Done> confirmed;
    enqueue(*question).then(
        [this, alive = QPointer(this), askedAt = m_clock.now(), confirmed](const Result<RespValue>& role) {
            if (alive && m_state == State::Ready)
                noteRole(role, askedAt);
            confirmed.complete(role ? Result<Done>(Done()) : Result<Done>(role.error()));
        });
    return confirmed;
}

void Connection::noteRole(const Result<RespValue>& role, SteadyTime askedAt) {
    if (const std::optional<Error> wrong = m_handshake->noteRole(role, askedAt)) {
        if (wrong->cause == Cause::MasterLinkLost)
            noteLostLink();
        return end(*wrong);
    }
    if (role)
        Q_EMIT roleRead();
}

// What the replica has sent since its link was known to be up may be old.
void Connection::noteLostLink() {
    m_lastHeard = std::min(m_lastHeard, std::max(m_readySince, m_handshake->roleSeenAt()));
}

// ---- commands and replies ----

Completion<RespValue> Connection::send(const Command& command) {
    Q_ASSERT(thread() == QThread::currentThread());
    if (m_state != State::Ready)
        return Completion<RespValue>::completed(Error(ErrorCode::ConnectionLost, Cause::NotConnected));
    return enqueue(command);
}

Completion<RespValue> Connection::enqueue(const Command& command) {
    const Effect effect = command.effect();
    if (effect == Effect::Write && m_options.access == AccessMode::ReadOnly)
        return Completion<RespValue>::completed(
            Error(ErrorCode::NotPermitted, Cause::WriteOnReadOnly, {QString::fromLatin1(command.name())}));
    if (m_pending.size() >= static_cast<size_t>(m_options.maxPending))
        return Completion<RespValue>::completed(
            Error(ErrorCode::Overloaded, Cause::TooManyCommands, {QString::number(m_pending.size())}));
    Completion<RespValue> completion;
    m_pending.push_back(Pending{completion, effect, m_clock.now(), PushFilter::confirmationOf(command, effect)});
    m_pushFilter.noteSent(command, effect);
    command.appendTo(m_outgoing);
    ++m_unflushed;
    ++m_commandsSent;
    flushAtEndOfTurn();
    return completion;
}

// Outside of a turn, the commands are written when the caller returns to the event loop.
void Connection::flushAtEndOfTurn() {
    if (LoopTurn::atEnd(this, [this] { flush(); }) || m_isFlushQueued)
        return;
    m_isFlushQueued = true;
    QMetaObject::invokeMethod(
        this,
        [this] {
            m_isFlushQueued = false;
            flush();
        },
        Qt::QueuedConnection);
}

void Connection::flush() {
    if (!m_transport || m_outgoing.isEmpty())
        return;
    m_unflushed = 0;
    m_transport->write(std::exchange(m_outgoing, {}));
}

Completion<Done> Connection::whenReady() {
    if (m_state == State::Ready)
        return Completion<Done>::completed(Done());
    if (m_state == State::Closed)
        return Completion<Done>::completed(Error(ErrorCode::ConnectionLost, Cause::ConnectionClosed));
    // While a server is unreachable, many callers may start and stop waiting. Remove those that stopped.
    if (m_readyWaiters.size() >= static_cast<size_t>(m_options.maxPending))
        std::erase_if(m_readyWaiters, [](const Completion<Done>& waiter) { return waiter.isAbandoned(); });
    if (m_readyWaiters.size() >= static_cast<size_t>(m_options.maxPending))
        return Completion<Done>::completed(Error(ErrorCode::Overloaded, Cause::TooManyWaiters));
    return m_readyWaiters.emplace_back();
}

void Connection::onReadable() {
    const QPointer<Connection> alive(this);
    const Transport* transport = m_transport.get();
    if (m_state == State::Ready)
        m_lastHeard = m_clock.now();
    m_parser->feed(m_transport->readAll());
    const LoopTurn turn;
    // The receiver of a reply may close or delete this connection.
    while (alive && m_transport.get() == transport) {
        Result<std::optional<RespValue>> next = m_parser->take();
        if (!next) {
            end(next.error());
            break;
        }
        if (!next.value())
            break;
        dispatch(std::move(*next.value()));
        if (alive && m_outgoing.size() >= fullPacket)
            flush();
    }
}

void Connection::dispatch(RespValue reply) {
    const QByteArray awaited = m_pending.empty() ? QByteArray() : m_pending.front().confirmation;
    const bool isExpected = m_pushFilter.expectsPushes();
    if (isExpected && m_pushFilter.isPush(reply, awaited))
        Q_EMIT pushReceived(reply);
    else if (reply.type == RespValue::Type::Push && !isExpected)
        end(Error(ErrorCode::Protocol, Cause::UnrequestedPush, {reply.describe()}));
    else if (m_pending.empty() || m_pending.size() == static_cast<size_t>(m_unflushed))
        end(unaskedFor(reply));
    else
        answerOldest(std::move(reply));
}

void Connection::answerOldest(RespValue reply) {
    const Pending answered = std::move(m_pending.front());
    m_pending.pop_front();
    if (!reply.isError())
        m_pushFilter.noteAnswered(answered.effect, reply, server().protocol);
    if (reply.isError())
        answerWithError(answered, errorOf(reply));
    else
        answered.completion.complete(std::move(reply));
}

// A demoted master keeps its connections. A client that wants the master, or knows the server as one, cannot use them.
void Connection::answerWithError(const Pending& answered, Error error) {
    const QPointer<Connection> alive(this);
    const bool isReplica = error.reply == ReplyKind::ReadOnly;
    const bool wasMaster =
        m_options.role == WantedRole::Master || (m_options.role == WantedRole::Known && server().role == "master");
    const bool isWithoutMaster =
        error.reply == ReplyKind::MasterDown && m_options.role == WantedRole::Known && m_state == State::Ready;
    if (isReplica && !server().master.isEmpty())
        error.arguments = QStringList{server().master};
    if (isRefusal(error))
        Q_EMIT denied(error);
    if (isWithoutMaster)
        noteLostLink();
    answered.completion.complete(error);
    if (!alive || m_state != State::Ready)
        return;
    if (isReplica && wasMaster)
        end(Error(ErrorCode::ConnectionLost, Cause::NotMaster, {QStringLiteral("slave")}));
    else if (isWithoutMaster)
        end(masterLinkLost(server().master));
}

// ---- housekeeping ----

void Connection::setState(State state) {
    if (m_state == state)
        return;
    m_state = state;
    Q_EMIT stateChanged(state);
}

void Connection::dropTransport() {
    if (!m_transport)
        return;
    m_transport->disconnect(this);
    m_transport->close();
    // This may run inside one of the transport's signals, so it must not be deleted here.
    m_transport.release()->deleteLater();
    m_outgoing.clear();
}

void Connection::stopTimers() {
    for (ClockTimer* timer : {&m_openTimer, &m_retryTimer, &m_healthTimer, &m_roleTimer})
        timer->stop();
}

}  // namespace lockkeeper::redis

#include "moc_connection.cpp"
