// SPDX-License-Identifier: Apache-2.0
#include "topology/sentinelsource.h"

#include "base/logging.h"
#include "redis/replyerrors.h"

namespace lockkeeper::topology {

namespace {

using namespace std::chrono_literals;
using redis::Command;
using redis::RespValue;

// A little less than a connection may take to open, so that its error says why.
constexpr Milliseconds findTime = 4500ms;
// After this time without an answer, the next Sentinel is tried.
constexpr Milliseconds sentinelTime = 1500ms;

redis::ConnectionOptions sentinelOptions(const redis::Credentials& credentials) {
    redis::ConnectionOptions options;
    options.credentials = credentials;
    options.access = redis::AccessMode::ReadOnly;
    options.openTimeout = sentinelTime;
    options.commandTimeout = 3s;
    options.keepaliveInterval = 3s;  // a silent Sentinel would report no failover
    options.lastRetry = 1s;          // each attempt is to another Sentinel
    return options;
}

std::optional<Address> addressOf(const QByteArray& host, const QByteArray& port) {
    bool ok = false;
    const quint16 number = port.toUShort(&ok);
    return ok && number != 0 && !host.isEmpty() ? std::optional(Address{QString::fromUtf8(host), number})
                                                : std::nullopt;
}

}  // namespace

SentinelSource::SentinelSource(SentinelGroup group, redis::Endpoint server, Dialer dialer, Clock& clock,
                               redis::Credentials ofServers)
    : m_group(std::move(group)),
      m_server(std::move(server)),
      m_dialer(std::move(dialer)),
      m_clock(clock),
      m_ofServers(std::move(ofServers)) {
    connectAs(Login::Own);
}

// Waiters for the former connection resume when it ends, and then find the new one.
void SentinelSource::connectAs(Login login) {
    m_login = login;
    const redis::Credentials& credentials = login == Login::Own ? m_group.credentials : m_ofServers;
    const std::unique_ptr<redis::Connection> former =
        std::exchange(m_connection, std::make_unique<redis::Connection>(
                                        sentinelOptions(credentials), [this] { return dialNext(); }, m_clock));
    connect(m_connection.get(), &redis::Connection::stateChanged, this, &SentinelSource::onState);
    connect(m_connection.get(), &redis::Connection::pushReceived, this, &SentinelSource::onPush);
    if (!former)
        return;
    former->disconnect(this);
    m_connection->open();
}

SentinelSource::~SentinelSource() {
    blockSignals(true);
}

std::unique_ptr<redis::Transport> SentinelSource::dialNext() {
    const Address sentinel = m_group.sentinels[m_next];
    m_next = (m_next + 1) % m_group.sentinels.size();
    return m_dialer.dial(sentinelAt(sentinel));
}

// ---- asking ----

Completion<redis::Endpoint> SentinelSource::find() {
    m_connection->open();
    Completion<redis::Endpoint> asked;
    m_asked.push_back(asked);
    if (m_asked.size() == 1)
        m_tasks.spawn(answerAll());
    return asked;
}

void SentinelSource::doubt(const redis::Endpoint& master) {
    m_doubted = master;
}

// The answer of one Sentinel is not final, because another one may know more. In the first search two must agree,
// because there is no earlier answer to compare with.
Task<void> SentinelSource::answerAll() {
    const Deadline deadline = Deadline::in(m_clock, findTime);
    Result<Answer> best = Error(ErrorCode::Timeout, Cause::NoSentinel);
    std::vector<Answer> answers;
    for (qsizetype tried = 0; tried < m_group.sentinels.size() && !deadline.hasPassed(); ++tried) {
        const Result<Answer> answer = co_await ask(deadline);
        const bool isConfirmed = answer && std::ranges::find(answers, *answer) != answers.end();
        if (!best || (answer && (isConfirmed || isBetter(*answer, *best))))
            best = answer;
        const bool isCancelled = !answer && answer.error().code == ErrorCode::Cancelled;
        if (isCancelled || (answer && (m_master || isConfirmed) && isLastWord(*answer)))
            break;
        if (answer)
            answers.push_back(*answer);
        const bool isLast = tried + 1 == m_group.sentinels.size();
        if (!isLast || !best)
            tryNextSentinel();
    }
    m_doubted.reset();
    if (best)
        noteAnswer(*best);
    const Result<redis::Endpoint> master = best ? Result<redis::Endpoint>(best->master) : best.error();
    for (const Completion<redis::Endpoint>& asked : std::exchange(m_asked, {}))
        asked.complete(master);
}

bool SentinelSource::isLastWord(const Answer& answer) const {
    return answer.epoch >= m_epoch && answer.master != m_doubted;
}

bool SentinelSource::isBetter(const Answer& answer, const Answer& other) const {
    if (answer.epoch != other.epoch)
        return answer.epoch > other.epoch;
    return other.master == m_doubted && answer.master != m_doubted;
}

Task<Result<SentinelSource::Answer>> SentinelSource::ask(Deadline deadline) {
    const Login login = m_login;
    const Completion<Done> reached = m_connection->whenReady();
    const Result<Done> ready = co_await reached.wait(deadline, m_tasks.stopToken());
    if (!ready && login != m_login && !m_tasks.stopToken().stop_requested())
        co_return co_await ask(deadline);
    if (!ready && ready.error().code == ErrorCode::Timeout)
        co_return m_failure.value_or(Error(ErrorCode::Timeout, Cause::NoSentinel));
    if (!ready)
        co_return ready.error();
    Command command("SENTINEL");
    command.arg("GET-MASTER-ADDR-BY-NAME").arg(m_group.masterName);
    const Deadline limit = deadline.earlier(Deadline::in(m_clock, sentinelTime));
    const Completion<RespValue> named = m_connection->send(command);
    Command details("SENTINEL");
    details.arg("MASTER").arg(m_group.masterName);
    // With a single Sentinel there is no other answer to compare with.
    const bool isOneOfMany = m_group.sentinels.size() > 1;
    const Completion<RespValue> described =
        isOneOfMany ? m_connection->send(details) : Completion<RespValue>::completed(RespValue());
    const Result<RespValue> reply = co_await named.wait(limit, m_tasks.stopToken());
    if (!reply)
        co_return reply.error();
    if (reply->isNull())
        co_return Error(ErrorCode::InvalidArgument, Cause::MasterNotKnown, {QString::fromUtf8(m_group.masterName)});
    const std::optional<Address> address =
        reply->items.size() == 2 ? addressOf(reply->items[0].bytes, reply->items[1].bytes) : std::nullopt;
    if (!address)
        co_return redis::unexpectedReply(command, *reply);
    const Result<RespValue> description = co_await described.wait(limit, m_tasks.stopToken());
    Answer answer;
    answer.master = serverAt(*address);
    const RespValue* epoch = description ? description->valueOf("config-epoch") : nullptr;
    answer.epoch = epoch ? epoch->bytes.toULongLong() : 0;
    co_return answer;
}

void SentinelSource::tryNextSentinel() {
    if (m_group.sentinels.size() == 1 || m_connection->state() != redis::Connection::State::Ready)
        return;
    m_connection->close();
    m_connection->open();
}

redis::Endpoint SentinelSource::serverAt(const Address& address) const {
    return endpointAt(address, m_server);
}

redis::Endpoint SentinelSource::sentinelAt(const Address& address) const {
    redis::Endpoint settings = m_group.tls.value_or(m_server);
    settings.keyPassphrase = m_server.keyPassphrase;
    return endpointAt(address, settings);
}

// ---- following ----

void SentinelSource::onState(redis::Connection::State state) {
    if (state == redis::Connection::State::Waiting) {
        m_failure = m_connection->lastError();
        const bool mayTryOthers = m_login == Login::Own && m_group.credentials.isEmpty() && !m_ofServers.isEmpty();
        // Queued, because the connection is in the middle of a call.
        if (mayTryOthers && m_failure->reply == ReplyKind::NoAuth)
            QMetaObject::invokeMethod(this, &SentinelSource::logInAsServers, Qt::QueuedConnection);
    }
    if (state != redis::Connection::State::Ready)
        return;
    m_failure.reset();
    m_tasks.spawn(follow());
}

// Tries the same Sentinel first.
void SentinelSource::logInAsServers() {
    if (m_login == Login::OfServers)
        return;
    m_next = (m_next + m_group.sentinels.size() - 1) % m_group.sentinels.size();
    connectAs(Login::OfServers);
    m_connection->open();
}

// Subscribes before it asks, so that no change in between is missed.
Task<void> SentinelSource::follow() {
    const Deadline deadline = Deadline::in(m_clock, findTime);
    const Command subscribe("SUBSCRIBE", {"+switch-master"});
    const Result<RespValue> subscribed = co_await m_connection->send(subscribe).wait(deadline, m_tasks.stopToken());
    if (!subscribed) {
        qCWarning(logRedis) << "a Sentinel does not report changes of the master:" << subscribed.error().text;
        co_return;
    }
    const Result<Answer> answer = co_await ask(deadline);
    if (!answer || !m_master)
        co_return;  // while no master is known, find() is already asking
    if (answer->epoch >= m_epoch)
        noteAnswer(*answer);
    else
        (void)find();  // find() also asks the other Sentinels
}

// "NAME OLD-HOST OLD-PORT NEW-HOST NEW-PORT", for every master that this Sentinel watches.
void SentinelSource::onPush(const RespValue& push) {
    if (push.items.size() != 3 || push.items[0].bytes != "message")
        return;
    const QByteArrayList words = push.items[2].bytes.split(' ');
    if (words.size() != 5 || words[0] != m_group.masterName)
        return;
    const std::optional<Address> address = addressOf(words[3], words[4]);
    if (!address)
        return;
    // Each failover has a newer epoch, which the message does not name.
    const redis::Endpoint master = serverAt(*address);
    noteAnswer({master, m_epoch > 0 && m_master != master ? m_epoch + 1 : m_epoch});
}

void SentinelSource::noteAnswer(const Answer& answer) {
    m_epoch = answer.epoch;
    if (m_master == answer.master)
        return;
    m_master = answer.master;
    m_masterChanged.post();
}

}  // namespace lockkeeper::topology

#include "moc_sentinelsource.cpp"
