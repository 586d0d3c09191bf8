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
    if (isOver || failure.reply == ReplyKind::WrongType)  // nothing of the lock is left there
        co_return false;
    if (failure.reply != ReplyKind::None && !std::exchange(m_isRefused, true)) {
        qCWarning(logLocks) << "may be left:" << boundedName(m_key.name) << failure.text;
        if (m_stay)
            m_end = Deadline::in(m_client->clock(), *m_stay);
    }
    report(failure);
    const Deadline next = m_end.earlier(Deadline::in(m_client->clock(), m_backOff.next()));
    const std::stop_token stop = m_client->state().scope().stopToken();
    const Error paused = co_await ClientWaits::pauseUntil(m_client, next, stop);
    co_return paused.code == ErrorCode::Timeout && !m_end.hasPassed();
}

}  // namespace lockkeeper::locks
