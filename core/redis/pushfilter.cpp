// SPDX-License-Identifier: Apache-2.0
#include "redis/pushfilter.h"

namespace lockkeeper::redis {

namespace {

bool isSubscriptionReply(const QByteArray& kind) {
    return kind == "subscribe" || kind == "psubscribe" || kind == "ssubscribe" || kind == "unsubscribe" ||
           kind == "punsubscribe" || kind == "sunsubscribe";
}

bool isOfShard(const QByteArray& kind) {
    return kind == "ssubscribe" || kind == "sunsubscribe";
}

bool isMessage(const QByteArray& kind) {
    return kind == "message" || kind == "pmessage" || kind == "smessage";
}

// A line of MONITOR begins with the time. No status reply of a server begins with a digit.
bool isMonitorLine(const RespValue& reply) {
    return reply.type == RespValue::Type::SimpleString && !reply.bytes.isEmpty() && reply.bytes.front() >= '0' &&
           reply.bytes.front() <= '9';
}

QByteArray pushKind(const RespValue& reply) {
    return reply.isAggregate() && !reply.items.empty() && reply.items.front().isString() ? reply.items.front().bytes
                                                                                         : QByteArray();
}

QByteArray confirmationIn(const RespValue& reply) {
    return reply.items.size() < 2 ? QByteArray() : reply.items[0].bytes + ' ' + reply.items[1].bytes;
}

// The last item of a confirmation is the number of subscriptions of its kind that the connection has now.
bool leavesSubscriptions(const RespValue& confirmation) {
    return !confirmation.items.empty() && confirmation.items.back().integer > 0;
}

}  // namespace

QByteArray PushFilter::confirmationOf(const Command& command, Effect effect) {
    return effect == Effect::Subscribe ? command.name().toLower() + ' ' + command.channel() : QByteArray();
}

void PushFilter::noteSent(const Command& command, Effect effect) {
    if (m_expectsPushes || effect == Effect::Write)
        return;
    m_expectsPushes = effect == Effect::Subscribe || effect == Effect::Monitor || command.name() == "CLIENT TRACKING";
}

void PushFilter::noteAnswered(Effect effect, const RespValue& reply, int protocol) {
    if (effect == Effect::Monitor)
        m_monitoring = true;
    if (effect != Effect::Subscribe || protocol >= 3)
        return;
    bool& hasSubscriptions = isOfShard(pushKind(reply)) ? m_hasShardSubscriptions : m_hasSubscriptions;
    hasSubscriptions = leavesSubscriptions(reply);
}

bool PushFilter::isPush(const RespValue& message, const QByteArray& awaited) const {
    if (m_monitoring && isMonitorLine(message))
        return true;
    const bool isMarked = message.type == RespValue::Type::Push;
    const bool mayBeMessage = (m_hasSubscriptions || m_hasShardSubscriptions) && message.type == RespValue::Type::Array;
    if (!isMarked && !mayBeMessage)
        return false;
    const QByteArray kind = pushKind(message);
    // Each subscription command names one channel, so one confirmation answers it. A server may also end a subscription
    // without a command, as when a slot moves to another node.
    if (isSubscriptionReply(kind))
        return awaited.isEmpty() || awaited != confirmationIn(message);
    return isMarked || isMessage(kind);
}

}  // namespace lockkeeper::redis
