// SPDX-License-Identifier: Apache-2.0
#include "topology/redirectedcall.h"

#include "redis/replyerrors.h"

namespace lockkeeper::topology {

namespace {

using namespace std::chrono_literals;
using redis::Command;
using redis::Connection;
using redis::RespValue;

constexpr Milliseconds firstRetryPause = 20ms;
constexpr Milliseconds longestRetryPause = 1s;
// Nodes with different knowledge may name each other for a while.
constexpr int redirectsWithoutPause = 3;

}  // namespace

Completion<RespValue> RedirectedCall::start(ShardConnections& connections, QByteArrayView key, redis::ScriptCall call,
                                            Deadline patience, redis::BeforeSendingAgain beforeAgain) {
    const std::shared_ptr<RedirectedCall> started(
        new RedirectedCall(connections, key, std::move(call), patience, std::move(beforeAgain)));
    started->sendToOwner();
    return started->m_answer;
}

RedirectedCall::RedirectedCall(ShardConnections& connections, QByteArrayView key, redis::ScriptCall call,
                               Deadline patience, redis::BeforeSendingAgain beforeAgain)
    : m_connections(&connections),
      m_key(key.toByteArray()),
      m_call(std::move(call)),
      m_patience(patience),
      m_beforeAgain(std::move(beforeAgain)),
      m_pause(firstRetryPause) {}

void RedirectedCall::sendToOwner() {
    if (Connection* owner = m_connections->of(m_key))
        sendTo(*owner, Asking::No);
    else
        m_answer.complete(m_connections->lastError(m_key));
}

void RedirectedCall::sendTo(Connection& connection, Asking asking) {
    const redis::ScriptCall call = m_connections->formFor(connection, m_call, asking);
    const Command permission("ASKING");
    if (asking == Asking::Yes)
        (void)connection.send(permission);
    redis::sendScript(connection, call, m_form == Form::BySha ? call.evalSha() : call.eval())
        .then([self = shared_from_this(), at = QPointer(&connection)](const Result<RespValue>& reply) {
            if (!reply && self->m_connections)
                ShardConnections::noteRedirect(self->m_connections->shards(), reply.error());
            self->onAnswer(at, reply);
        });
}

void RedirectedCall::onAnswer(const QPointer<Connection>& connection, const Result<RespValue>& answer) {
    if (answer || !m_connections || m_answer.isAbandoned()) {
        m_answer.complete(answer);
        return;
    }
    const Error& refusal = answer.error();
    if (refusal.reply == ReplyKind::NoScript) {
        m_form = Form::Whole;
        sendAgain(connection, Asking::No, refusal);
    } else if (refusal.reply == ReplyKind::Moved) {
        onMoved(refusal);
    } else if (refusal.reply == ReplyKind::Ask) {
        m_form = Form::Whole;  // ASKING counts for one command only
        sendAgain(m_connections->at(refusal.arguments.value(1)), Asking::Yes, refusal);
    } else if (redis::isForLater(refusal)) {
        sendAgainLater(refusal);
    } else {
        m_answer.complete(answer);
    }
}

void RedirectedCall::onMoved(const Error& moved) {
    if (m_redirects++ < redirectsWithoutPause)
        sendAgain(m_connections->at(moved.arguments.value(1)), Asking::No, moved);
    else
        sendAgainLater(moved);
}

bool RedirectedCall::mayBeSentAgain() {
    const std::optional<Error> refusal = m_beforeAgain ? m_beforeAgain() : std::nullopt;
    if (refusal)
        m_answer.complete(*refusal);
    return !refusal;
}

// If the named node is not known yet, the refresh that the redirect has caused finds it.
void RedirectedCall::sendAgain(Connection* connection, Asking asking, const Error& refusal) {
    if (!connection || !connection->isReady())
        return sendAgainLater(refusal);
    if (mayBeSentAgain())
        sendTo(*connection, asking);
}

void RedirectedCall::sendAgainLater(const Error& refusal) {
    Clock& clock = m_connections->clock();
    const SteadyTime next = clock.now() + m_pause;
    if (next >= m_patience.time())
        return m_answer.complete(refusal);
    m_redirects = 0;
    m_connections->m_paused.insert(shared_from_this());
    (void)clock.schedule(next, [self = shared_from_this()] { self->resume(); });
    m_pause = std::min(m_pause * 2, longestRetryPause);
}

void RedirectedCall::resume() {
    const bool isPaused = m_connections && m_connections->m_paused.erase(shared_from_this()) > 0;
    if (!isPaused)
        return;
    if (m_answer.isAbandoned())
        return end();
    if (mayBeSentAgain())
        sendToOwner();
}

void RedirectedCall::end() {
    m_answer.complete(Error(ErrorCode::ConnectionLost, Cause::ConnectionClosed));
}

}  // namespace lockkeeper::topology
