// SPDX-License-Identifier: Apache-2.0
#include "support/serverobserver.h"

#include "redis/sockettransport.h"
#include "support/taskwait.h"

#include <algorithm>

namespace lockkeeper::test {

using namespace std::chrono_literals;

namespace {

redis::ConnectionOptions optionsFor(const RedisServer& server) {
    redis::ConnectionOptions options = server.options();
    options.clientName = QByteArrayLiteral("observer");
    options.firstRetry = 2ms;
    options.lastRetry = 10ms;
    return options;
}

Task<Result<redis::RespValue>> ask(redis::Connection* connection, redis::Command command) {
    const Result<Done> ready = co_await connection->whenReady().wait(Deadline::in(connection->clock(), 10s));
    if (!ready)
        co_return ready.error();
    const Completion<redis::RespValue> reply = connection->send(command);
    co_return co_await reply.wait(Deadline::in(connection->clock(), 10s));
}

bool wasLost(const Error& error) {
    return error.code == ErrorCode::ConnectionLost || error.code == ErrorCode::OutcomeUnknown;
}

}  // namespace

bool KeyRecord::isFairlyShared() const {
    QByteArrayList holders = fields.keys();
    const bool reading = fields.value(QByteArrayLiteral("mode")) == "read";
    holders.removeAll("mode");
    const auto writes = [](const QByteArray& field) { return field.endsWith(":write"); };
    if (reading)
        return std::ranges::none_of(holders, writes);
    if (holders.size() <= 1)
        return true;
    std::ranges::sort(holders);
    return holders.size() == 2 && holders[1] == holders[0] + ":write";
}

ServerObserver::ServerObserver(const RedisServer& server, Clock& clock)
    : m_connection(
          optionsFor(server), [endpoint = server.options().endpoint] { return redis::makeSocketTransport(endpoint); },
          clock) {
    m_connection.open();
}

redis::RespValue ServerObserver::reply(const redis::Command& command) {
    for (;;) {
        Result<redis::RespValue> answer = test::waitFor(ask(&m_connection, command));
        if (answer)
            return std::move(answer).value();
        if (!wasLost(answer.error()))
            qFatal("%s: %s", command.name().constData(), qPrintable(answer.error().text));
    }
}

QHash<QByteArray, KeyRecord> ServerObserver::record() {
    static const QByteArray script(
        "local r = {} for i, k in ipairs(redis.call('keys', '*')) do "
        "local hash = redis.call('type', k).ok == 'hash' "
        "r[i] = {k, redis.call('pttl', k), hash and redis.call('hgetall', k) or {}} end return r");
    QHash<QByteArray, KeyRecord> keys;
    for (const redis::RespValue& row : reply(redis::Command("EVAL", {script, "0"})).items) {
        KeyRecord key;
        key.pttl = row.items[1].integer;
        const std::vector<redis::RespValue>& fields = row.items[2].items;
        for (size_t i = 0; i + 1 < fields.size(); i += 2)
            key.fields.insert(fields[i].bytes, fields[i + 1].bytes);
        keys.insert(row.items[0].bytes, key);
    }
    return keys;
}

QByteArrayList ServerObserver::connectionIds(const QByteArray& name) {
    QByteArrayList ids;
    for (const QByteArray& line : reply(redis::Command("CLIENT", {"LIST"})).bytes.split('\n')) {
        if (line.contains(" name=" + name))
            ids += line.mid(3, line.indexOf(' ') - 3);
    }
    return ids;
}

}  // namespace lockkeeper::test
