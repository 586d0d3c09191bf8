// SPDX-License-Identifier: Apache-2.0
#include "locks/calls/refusedrelease.h"

#include "base/logging.h"
#include "base/safetext.h"
#include "locks/calls/clientwaits.h"
#include "redis/replyerrors.h"

namespace lockkeeper::locks {

RefusedRelease::RefusedRelease(LockClient* client, HoldKey key, std::optional<Milliseconds> stay)
    : m_client(client),
      m_key(std::move(key)),
      m_unsettled(client, m_key),
      m_stay(stay),
      m_end(Deadline::never(client->clock())) {}

Task<bool> RefusedRelease::pauseAfter(Error failure) {
    const bool isOver = redis::isWithoutReply(failure) || m_end.hasPassed();
    if (isOver || failure.reply == ReplyKind::WrongType)  // another type: the lock is not there any more
        co_return false;
    if (failure.reply != ReplyKind::None && !std::exchange(m_isRefused, true)) {
        qCWarning(logLocks) << "may be left:" << boundedName(m_key.name) << failure.text;
        report(failure);
        if (m_stay) {
            const Milliseconds stay = co_await stayOnServer(*m_stay);
            m_end = Deadline::in(m_client->clock(), stay);
        }
    }
    report(failure);
    const Deadline next = m_end.earlier(Deadline::in(m_client->clock(), m_backOff.next()));
    const std::stop_token stop = m_client->state().scope().stopToken();
    const Error paused = co_await ClientWaits::pauseWhileOpen(m_client, next, stop);
    co_return paused.code == ErrorCode::Timeout && !m_end.hasPassed();
}

Task<Milliseconds> RefusedRelease::stayOnServer(Milliseconds otherwise) {
    if (m_key.mode != HoldMode::Write)
        co_return otherwise;
    constexpr qint64 noSuchKey = -2;
    const Deadline deadline = Deadline::in(m_client->clock(), m_client->options().commandTimeout);
    const std::stop_token stop = m_client->state().scope().stopToken();
    const redis::Command pttl("PTTL", {m_key.name.bytes()});
    const Completion<redis::RespValue> reply = m_client->connections().send(m_key.name.bytes(), pttl);
    const Result<redis::RespValue> answer = co_await reply.wait(deadline, stop);
    if (answer && answer->integer == noSuchKey)
        co_return Milliseconds(0);
    const bool isKnown = answer && answer->isInteger() && answer->integer >= 0;
    co_return isKnown ? Milliseconds(answer->integer) : otherwise;
}

}  // namespace lockkeeper::locks
