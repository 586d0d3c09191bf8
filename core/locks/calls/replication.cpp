// SPDX-License-Identifier: Apache-2.0
#include "locks/calls/replication.h"

#include "base/logging.h"
#include "redis/replyerrors.h"

#include <vector>

namespace lockkeeper::locks {

namespace {

using namespace std::chrono_literals;

// Replicas are added and removed without a notification to clients, so their number is asked for again after this time.
constexpr Milliseconds knownFor = 10s;

// The number of replicas in state "online". A replica that is still receiving its first copy acknowledges nothing.
int replicasInStep(const QByteArray& info) {
    return static_cast<int>(info.count("state=online"));
}

// The user may not run the command, or the server does not have it: then nothing is known about replicas.
bool isRefusal(const Error& error) {
    return error.code == ErrorCode::NotPermitted || error.code == ErrorCode::ServerReply;
}

}  // namespace

// Sends one WAIT after the other; each WAIT serves all callers that wait when it is sent.
class Replication::Rounds : public std::enable_shared_from_this<Rounds> {
public:
    Rounds(redis::Connection& connection, int wanted, Milliseconds timeout)
        : m_connection(connection),
          m_wanted(wanted),
          m_timeout(std::clamp(timeout, Milliseconds(1),
                               std::max(Milliseconds(1), connection.options().commandTimeout / 2))) {}

    void forget() { m_askedAt.reset(); }

    [[nodiscard]] bool isAlone() const { return !m_isUnderWay && isKnown() && asked() == 0; }

    [[nodiscard]] Completion<Done> join() {
        const Completion<Done> mine;
        m_waiting.push_back(mine);
        if (!m_isUnderWay)
            begin();
        return mine;
    }

private:
    void begin() {
        m_isUnderWay = true;
        if (isKnown())
            return wait();
        redis::Command info("INFO");
        info.arg("replication");
        m_connection.send(info).then([self = shared_from_this()](const Result<redis::RespValue>& answer) {
            if (!answer && !isRefusal(answer.error()))
                return self->end(self->takeWaiting(), answer.error());
            self->note(answer ? replicasInStep(answer->bytes) : 0);
            if (!answer)
                qCInfo(logLocks) << "no waiting for replicas:" << answer.error().text;
            self->wait();
        });
    }

    void wait() {
        if (asked() == 0)
            return end(takeWaiting(), Done());
        redis::Command command("WAIT");
        command.arg(asked()).arg(m_timeout.count());
        m_connection.send(command).then([self = shared_from_this(), asked = asked(),
                                         waiters = takeWaiting()](const Result<redis::RespValue>& answer) {
            self->end(waiters, self->verdict(asked, answer));
        });
    }

    [[nodiscard]] bool isKnown() const { return m_askedAt && m_connection.clock().now() - *m_askedAt < knownFor; }
    // How many replicas must acknowledge.
    [[nodiscard]] int asked() const { return std::min(m_replicas, m_wanted); }

    Result<Done> verdict(int asked, const Result<redis::RespValue>& answer) {
        if (!answer && isRefusal(answer.error())) {
            qCInfo(logLocks) << "no waiting for replicas:" << answer.error().text;
            note(0);
            return Done();
        }
        if (!answer)
            return answer.error();
        if (!answer->isInteger())
            return redis::unexpectedReply(redis::Command("WAIT"), *answer);
        if (answer->integer >= asked)
            return Done();
        forget();
        return Error(ErrorCode::Timeout, Cause::TooFewReplicas,
                     {QString::number(answer->integer), QString::number(asked)});
    }

    // A waiter may destroy the client. This object lives on, because its caller holds it.
    void end(const std::vector<Completion<Done>>& waiters, const Result<Done>& result) {
        const std::shared_ptr<Rounds> self = shared_from_this();
        m_isUnderWay = false;
        const bool goesOn = !m_waiting.empty();
        if (goesOn)
            begin();
        for (const Completion<Done>& waiter : waiters)
            waiter.complete(result);
    }

    [[nodiscard]] std::vector<Completion<Done>> takeWaiting() { return std::exchange(m_waiting, {}); }
    void note(int replicas) {
        m_replicas = replicas;
        m_askedAt = m_connection.clock().now();
    }

    redis::Connection& m_connection;
    const int m_wanted;
    const Milliseconds m_timeout;
    int m_replicas = 0;
    std::optional<SteadyTime> m_askedAt;
    std::vector<Completion<Done>> m_waiting;  // for the next WAIT
    bool m_isUnderWay = false;
};

Replication::Replication(redis::Connection& connection, int wanted, Milliseconds timeout)
    : m_rounds(std::make_shared<Rounds>(connection, wanted, timeout)) {}

Task<Result<Done>> Replication::acknowledged(Deadline deadline, std::stop_token stop) {
    const Completion<Done> answer = m_rounds->join();
    co_return co_await answer.wait(deadline, stop);
}

bool Replication::isAlone() const {
    return m_rounds->isAlone();
}

void Replication::forget() {
    m_rounds->forget();
}

}  // namespace lockkeeper::locks
