// SPDX-License-Identifier: Apache-2.0
#include "monitor/observe/sources/subscribers.h"

#include "async/pause.h"

namespace lockkeeper::monitor {

using redis::Command;
using redis::RespValue;

namespace {

// Short questions with pauses, because clients and this program's reads of locks wait behind each.
constexpr qsizetype channelsPerQuestion = 100;
constexpr Milliseconds betweenQuestions{5};

}  // namespace

Task<Result<QByteArrayList>> subscribedChannels(redis::Connection* connection, QByteArrayList patterns,
                                                std::stop_token stop, ChannelKind kind) {
    const QByteArray subcommand = kind == ChannelKind::Sharded ? "SHARDCHANNELS" : "CHANNELS";
    QByteArrayList channels;
    for (const QByteArray& pattern : std::as_const(patterns)) {
        const Completion<RespValue> answer = connection->send(Command("PUBSUB", {subcommand, pattern}));
        const Result<RespValue> reply = co_await answer.wait(Deadline::never(connection->clock()), stop);
        if (!reply)
            co_return reply.error();
        for (const RespValue& channel : reply->items)
            channels.append(channel.bytes);
    }
    co_return channels;
}

Task<Result<QHash<QByteArray, int>>> countSubscribers(redis::Connection* connection, QByteArrayList channels,
                                                      std::stop_token stop, ChannelKind kind) {
    const QByteArray subcommand = kind == ChannelKind::Sharded ? "SHARDNUMSUB" : "NUMSUB";
    QHash<QByteArray, int> subscribers;
    for (qsizetype first = 0; first < channels.size(); first += channelsPerQuestion) {
        if (first > 0)
            (void)co_await pauseUntil(Deadline::in(connection->clock(), betweenQuestions), stop);
        const QByteArrayList some = channels.mid(first, channelsPerQuestion);
        const Completion<RespValue> answer = connection->send(Command("PUBSUB", QByteArrayList{subcommand} + some));
        const Result<RespValue> reply = co_await answer.wait(Deadline::never(connection->clock()), stop);
        if (!reply)
            co_return reply.error();
        for (size_t i = 0; i + 1 < reply->items.size(); i += 2)
            subscribers.insert(reply->items[i].bytes, static_cast<int>(reply->items[i + 1].integer));
    }
    co_return subscribers;
}

}  // namespace lockkeeper::monitor
