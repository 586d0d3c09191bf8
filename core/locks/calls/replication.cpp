#include "locks/calls/replication.h"

#include "base/logging.h"

namespace lockkeeper::locks {

namespace {

using namespace std::chrono_literals;

// Replicas come and go without a word to the clients.
constexpr Milliseconds knownFor = 10s;

int connectedReplicas(const QByteArray& info) {
    const QByteArray mark = "connected_slaves:";
    const qsizetype at = info.indexOf(mark);
    if (at < 0)
        return 0;
    const QByteArrayView rest = QByteArrayView(info).sliced(at + mark.size());
    return rest.first(std::max(rest.indexOf('\r'), qsizetype{0})).toInt();
}

// A user who may not ask, or a server that has no such command: then nothing is known of replicas.
bool isRefusal(const Error& error) {
    return error.code == ErrorCode::NotPermitted || error.code == ErrorCode::ServerReply;
}

}  // namespace

Replication::Replication(redis::Connection& connection, int wanted, Milliseconds timeout)
    : m_connection(connection), m_wanted(wanted), m_timeout(timeout) {}

bool Replication::isKnown() const {
    return m_askedAt && m_connection.clock().now() - *m_askedAt < knownFor;
}

Task<Result<Done>> Replication::acknowledged(Deadline deadline, std::stop_token stop) {
    if (!isKnown()) {
        const Result<int> known = co_await replicas(deadline, stop);
        if (!known)
            co_return known.error();
    }
    const int wanted = std::min(m_replicas, m_wanted);
    if (wanted == 0)
        co_return Done();
    redis::Command wait("WAIT");
    wait.arg(wanted).arg(m_timeout.count());
    const Completion<redis::RespValue> reply = m_connection.send(wait);
    const Result<redis::RespValue> answer = co_await reply.wait(deadline, stop);
    if (!answer)
        co_return answer.error();
    if (!answer->isInteger())
        co_return redis::unexpectedReply(wait, *answer);
    if (answer->integer >= wanted)
        co_return Done();
    forget();
    co_return Error(ErrorCode::Timeout,
                    QStringLiteral("only %1 of %2 replicas have acknowledged the lock; it was given back")
                        .arg(answer->integer)
                        .arg(wanted));
}

Task<Result<int>> Replication::replicas(Deadline deadline, std::stop_token stop) {
    redis::Command info("INFO");
    info.arg("replication");
    const Completion<redis::RespValue> reply = m_connection.send(info);
    const Result<redis::RespValue> answer = co_await reply.wait(deadline, stop);
    if (!answer && !isRefusal(answer.error()))
        co_return answer.error();
    if (!answer)
        qCInfo(logLocks) << "no waiting for replicas:" << answer.error().text;
    m_replicas = answer ? connectedReplicas(answer->bytes) : 0;
    m_askedAt = m_connection.clock().now();
    co_return m_replicas;
}

}  // namespace lockkeeper::locks
