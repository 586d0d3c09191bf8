// SPDX-License-Identifier: Apache-2.0
#include "lab/servers/laboratoryserver.h"

#include "redis/sockettransport.h"

namespace lockkeeper::lab {

namespace {

using namespace std::chrono_literals;

constexpr Milliseconds answerPatience = 10s;

}  // namespace

LaboratoryServer::LaboratoryServer(const ServerSetup& setup, QByteArray password, Clock& clock, std::stop_token life)
    : m_password(std::move(password)),
      m_clock(clock),
      m_life(std::move(life)),
      m_process(std::make_unique<PrivateServer>(setup)) {
    redis::ConnectionOptions own = options();
    own.clientName = "laboratory";
    own.firstRetry = 20ms;
    own.lastRetry = 200ms;
    m_hand = std::make_unique<redis::Connection>(
        own, [path = own.endpoint] { return redis::makeSocketTransport(path); }, m_clock);
}

redis::ConnectionOptions LaboratoryServer::options() const {
    redis::ConnectionOptions options = m_process->options();
    options.credentials.password = m_password;
    return options;
}

Task<Result<Done>> LaboratoryServer::start() {
    if (isAlive())
        co_return Done();
    const Completion<Done> up;
    const QObject context;
    QObject::connect(m_process.get(), &PrivateServer::started, &context, [up] { up.complete(Done()); });
    QObject::connect(m_process.get(), &PrivateServer::failed, &context,
                     [up](const Error& error) { up.complete(error); });
    if (!m_process->isRunning())
        m_process->start();
    const Result<Done> started = co_await up.wait(Deadline::in(m_clock, answerPatience), m_life);
    if (!started)
        co_return started;
    m_hand->open();
    m_hand->retryNow();
    const Result<Done> connected = co_await connect();
    co_return connected;
}

Task<Result<Done>> LaboratoryServer::connect() {
    const Completion<Done> ready = m_hand->whenReady();
    const Result<Done> connected = co_await ready.wait(Deadline::in(m_clock, answerPatience), m_life);
    co_return connected;
}

Task<Result<Done>> LaboratoryServer::kill() {
    const Completion<Done> ended = end();
    m_isFrozen = false;
    const Result<Done> killed = co_await ended.wait(Deadline::in(m_clock, answerPatience), m_life);
    co_return killed;
}

Completion<Done> LaboratoryServer::end() {
    if (!m_process->isRunning())
        return Completion<Done>::completed(Done());
    const Completion<Done> ended;
    QObject::connect(
        m_process.get(), &PrivateServer::stopped, m_process.get(), [ended] { ended.complete(Done()); },
        Qt::SingleShotConnection);
    m_process->kill();
    return ended;
}

bool LaboratoryServer::freeze() {
    m_isFrozen = m_process->freeze();
    return m_isFrozen;
}

bool LaboratoryServer::resume() {
    m_isFrozen = m_isFrozen && !m_process->resume();
    return !m_isFrozen;
}

// A Sentinel that promotes a server ends its connections; this connection is then open again soon.
Task<Result<redis::RespValue>> LaboratoryServer::ask(QByteArrayList command) {
    if (isAlive() && !m_isFrozen) {
        const Result<Done> connected = co_await connect();
        if (!connected)
            co_return connected.error();
    }
    redis::Command sent(command.takeFirst());
    for (const QByteArray& argument : std::as_const(command))
        sent.arg(argument);
    const Completion<redis::RespValue> answered = m_hand->send(sent);
    const Result<redis::RespValue> reply = co_await answered.wait(Deadline::in(m_clock, answerPatience), m_life);
    co_return reply;
}

Task<Result<Done>> LaboratoryServer::order(QByteArrayList command) {
    return withoutValue(ask(std::move(command)));
}

}  // namespace lockkeeper::lab
