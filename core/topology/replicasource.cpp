// SPDX-License-Identifier: Apache-2.0
#include "topology/replicasource.h"

#include "redis/replyerrors.h"

namespace lockkeeper::topology {

namespace {

using namespace std::chrono_literals;
using redis::Command;
using redis::RespValue;

// Less than a connection may take to open, so that its error says why.
constexpr Milliseconds searchTime = 3s;
// Limits the search: more servers than those of the user are asked only if they name each other.
constexpr qsizetype mostAsked = 32;

redis::ConnectionOptions questionOptions(redis::ConnectionOptions options) {
    options.access = redis::AccessMode::ReadOnly;
    options.role = redis::WantedRole::Any;
    options.database = 0;
    options.openTimeout = searchTime;
    return options;
}

}  // namespace

ReplicaSource::ReplicaSource(QList<Address> servers, redis::ConnectionOptions options, Dialer dialer, Clock& clock)
    : m_servers(std::move(servers)),
      m_options(questionOptions(std::move(options))),
      m_dialer(std::move(dialer)),
      m_clock(clock) {}

ReplicaSource::~ReplicaSource() {
    blockSignals(true);
    m_search.request_stop();
    m_tasks.stop();
}

Completion<redis::Endpoint> ReplicaSource::find() {
    Completion<redis::Endpoint> wanted;
    m_waiting.push_back(wanted);
    if (m_waiting.size() == 1)
        m_tasks.spawn(answerAll());
    return wanted;
}

Task<void> ReplicaSource::answerAll() {
    m_search = std::stop_source();
    m_found = Completion<redis::Endpoint>();
    m_asked.clear();
    m_unanswered = 0;
    m_failure = Error(ErrorCode::Timeout, Cause::NoAnswerInTime);
    const Completion<redis::Endpoint> found = m_found;
    for (const Address& server : m_servers)
        ask(server);
    Result<redis::Endpoint> master = co_await found.wait(Deadline::in(m_clock, searchTime), m_tasks.stopToken());
    if (!master && master.error().code == ErrorCode::Timeout)
        master = m_failure;
    m_search.request_stop();
    if (master && m_master != *master) {
        m_master = *master;
        m_masterChanged.post();
    }
    for (const Completion<redis::Endpoint>& waiting : std::exchange(m_waiting, {}))
        waiting.complete(master);
}

void ReplicaSource::ask(const Address& server) {
    if (m_asked.contains(server) || m_asked.size() >= mostAsked)
        return;
    m_asked += server;
    ++m_unanswered;
    m_tasks.spawn(askForRole(server));
}

// Opens a separate connection, which retries until the search is over.
Task<void> ReplicaSource::askForRole(Address server) {
    const std::stop_token over = m_search.get_token();
    redis::ConnectionOptions options = m_options;
    options.endpoint = endpointAt(server, m_options.endpoint);
    const auto dial = [dialer = m_dialer, endpoint = options.endpoint] { return dialer.dial(endpoint); };
    redis::Connection connection(options, dial, m_clock);
    connect(&connection, &redis::Connection::stateChanged, this, [this, &connection](redis::Connection::State state) {
        if (state == redis::Connection::State::Waiting)
            m_failure = connection.lastError();
    });
    connection.open();
    const Deadline deadline = Deadline::in(m_clock, searchTime);
    const Result<Done> ready = co_await connection.whenReady().wait(deadline, over);
    if (!ready || over.stop_requested())
        co_return;
    const Command question("ROLE");
    const Result<RespValue> role = co_await connection.send(question).wait(deadline, over);
    if (over.stop_requested())
        co_return;
    --m_unanswered;
    if (role)
        noteRole(server, redis::ServerRole::of(*role));
    else
        m_failure = role.error();
    if (m_unanswered == 0 && !over.stop_requested())
        m_found.complete(m_failure);
}

void ReplicaSource::noteRole(const Address& server, const redis::ServerRole& role) {
    if (role.isMaster()) {
        m_found.complete(endpointAt(server, m_options.endpoint));
        return;
    }
    m_failure = redis::notMaster(role);
    if (!role.master().isEmpty())
        ask({role.masterHost, role.masterPort});
}

}  // namespace lockkeeper::topology

#include "moc_replicasource.cpp"
