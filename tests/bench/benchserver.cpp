// SPDX-License-Identifier: Apache-2.0
#include "benchserver.h"

#include "measuring.h"

#include "redis/sockettransport.h"

namespace lockkeeper::bench {

using redis::Command;
using redis::RespValue;

namespace {

constexpr int keysAtOnce = 10000;

redis::ConnectionOptions patient(redis::ConnectionOptions options) {
    options.commandTimeout = std::chrono::minutes(1);
    options.clientName = "bench";  // another than the monitor's, which does not count its own kind as waiters
    return options;
}

std::unique_ptr<test::RedisServer> started() {
    auto server = std::make_unique<test::RedisServer>();
    if (!server->start())
        giveUp(QStringLiteral("no server"));
    return server;
}

}  // namespace

BenchServer::BenchServer() : BenchServer(started()) {}

BenchServer::BenchServer(std::unique_ptr<test::RedisServer> own) : BenchServer(*own) {
    m_own = std::move(own);
}

BenchServer::BenchServer(test::RedisServer& running)
    : m_server(running),
      m_connection(
          patient(running.options()), [this] { return redis::makeSocketTransport(m_server.options().endpoint); },
          m_clock) {
    m_connection.open();
    if (!runUntil([this] { return m_connection.isReady(); }, std::chrono::seconds(10)))
        giveUp(QStringLiteral("the server does not answer"));
}

RespValue BenchServer::ask(const Command& command) {
    std::optional<Result<RespValue>> answer;
    m_connection.send(command).then([&answer](Result<RespValue> reply) { answer = std::move(reply); });
    if (!runUntil([&answer] { return answer.has_value(); }, std::chrono::minutes(2)) || !answer->ok())
        giveUp(QStringLiteral("the server refuses %1").arg(QString::fromLatin1(command.name())));
    return answer->value();
}

void BenchServer::makeInParts(const QByteArray& script, const QByteArray& prefix, int count, const QByteArray& last) {
    for (int first = 0; first < count; first += keysAtOnce) {
        const int end = std::min(first + keysAtOnce, count);
        ask(Command("EVAL", {"for i = ARGV[2], ARGV[3] - 1 do local key = ARGV[1] .. i " + script + " end", "0", prefix,
                             QByteArray::number(first), QByteArray::number(end), last}));
    }
}

void BenchServer::makeLock(const QByteArray& name, int number, std::chrono::milliseconds lease) {
    const QByteArray holder = QByteArray::number(number, 16).rightJustified(8, '0') + "-41d2-4a0e-9c76-0a4f3c1f6f10:33";
    send(Command("HSET", {name, holder, "1"}));
    send(Command("PEXPIRE", {name, QByteArray::number(static_cast<qint64>(lease.count()))}));
}

void BenchServer::makeLocks(const QByteArray& prefix, int count, std::chrono::milliseconds lease) {
    makeInParts(
        "redis.call('hset', key, string.format('%08x-41d2-4a0e-9c76-0a4f3c1f6f10:33', i), 1) "
        "redis.call('pexpire', key, ARGV[4])",
        prefix, count, QByteArray::number(static_cast<qint64>(lease.count())));
}

void BenchServer::makeHashes(const QByteArray& prefix, int count) {
    makeInParts("redis.call('hset', key, 'user', i)", prefix, count, QByteArray());
}

void BenchServer::makeOtherKeys(int count) {
    ask(Command("DEBUG", {"POPULATE", QByteArray::number(count), "other", "10"}));
}

void BenchServer::loadScript(const redis::Script& script) {
    ask(Command("SCRIPT", {"LOAD", script.source()}));
}

CommandCounts BenchServer::calls() {
    CommandCounts calls;
    for (const QByteArray& line : ask(Command("INFO", {"commandstats"})).bytes.split('\n')) {
        const QByteArray name = line.left(line.indexOf(':')).mid(qstrlen("cmdstat_"));
        const qsizetype at = line.indexOf("calls=");
        if (at > 0 && name != "info")
            calls.insert(QString::fromLatin1(name), line.mid(at + 6, line.indexOf(',') - at - 6).toLongLong());
    }
    return calls;
}

qint64 BenchServer::info(const QByteArray& section, const QByteArray& field) {
    for (const QByteArray& line : ask(Command("INFO", {section})).bytes.split('\n')) {
        if (line.startsWith(field + ':'))
            return line.mid(field.size() + 1).trimmed().toLongLong();
    }
    giveUp(QStringLiteral("INFO does not contain %1").arg(QString::fromLatin1(field)));
}

CommandCounts difference(const CommandCounts& after, const CommandCounts& before) {
    CommandCounts counts;
    for (auto it = after.begin(); it != after.end(); ++it) {
        if (it.value() != before.value(it.key()))
            counts.insert(it.key(), it.value() - before.value(it.key()));
    }
    return counts;
}

}  // namespace lockkeeper::bench
