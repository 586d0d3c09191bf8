// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "redis/command.h"
#include "support/locksnapshots.h"
#include "support/redisserver.h"

#include <QLocalSocket>

namespace lockkeeper::test {

// Changes a server as clients and operators do, by redis-cli.
class ServerHand {
public:
    explicit ServerHand(RedisServer& server) : m_server(server) {}

    void take(const QString& name, const HolderId& holder, int ttl = 30000) {
        m_server.cli({"EVAL", "redis.call('hincrby', KEYS[1], ARGV[1], 1) redis.call('pexpire', KEYS[1], ARGV[2])", "1",
                      name, holder.display(), QString::number(ttl)});
    }
    // Releases the last hold: deletes the key and publishes the message in one transaction.
    void release(const QString& name) { releaseOn(name, "redisson_lock__channel:{" + name + "}"); }
    void releaseOn(const QString& name, const QString& channel) {
        m_server.cli({"EVAL", "redis.call('del', KEYS[1]) redis.call('publish', KEYS[2], '0')", "2", name, channel});
    }
    // Replaces one holder by another, with or without the message of the release in between.
    void replace(const QString& name, const HolderId& next, bool message) {
        m_server.cli({"EVAL",
                      "redis.call('del', KEYS[1]) if ARGV[2] == '1' then redis.call('publish', KEYS[2], '0') end "
                      "redis.call('hset', KEYS[1], ARGV[1], 1) redis.call('pexpire', KEYS[1], 30000)",
                      "2", name, "redisson_lock__channel:{" + name + "}", next.display(), message ? "1" : "0"});
    }
    void queueUp(const QString& name, const HolderId& waiter) {
        m_server.cli({"EVAL",
                      "redis.call('rpush', KEYS[1], ARGV[1]) redis.call('zadd', KEYS[2], 1700000300123, ARGV[1])", "2",
                      "redisson_lock_queue:{" + name + "}", "redisson_lock_timeout:{" + name + "}", waiter.display()});
    }
    // Runs commands, one a line, in one transaction.
    void together(const QByteArray& commands) { m_server.cli({}, "MULTI\n" + commands + "\nEXEC\n"); }
    // Every key with its value, "KEY VALUE...", sorted; without TTLs.
    [[nodiscard]] QStringList state() {
        static const QHash<QString, QStringList> reads{{"string", {"GET"}},
                                                       {"hash", {"HGETALL"}},
                                                       {"list", {"LRANGE", "0", "-1"}},
                                                       {"zset", {"ZRANGE", "0", "-1", "WITHSCORES"}}};
        QStringList lines;
        for (const QString& key : m_server.cli({"KEYS", "*"}).split(u'\n', Qt::SkipEmptyParts)) {
            QStringList read = reads.value(m_server.cli({"TYPE", key}));
            if (read.isEmpty())
                continue;  // it has expired in between
            read.insert(1, key);
            lines += QString(key + u'\n' + m_server.cli(read)).replace(u'\n', u' ');
        }
        lines.sort();
        return lines;
    }
    // How many times the server has executed a command.
    [[nodiscard]] int calls(const QString& command) {
        const QString stats = m_server.cli({"INFO", "commandstats"});
        const QString key = "cmdstat_" + command + ":calls=";
        const qsizetype at = stats.indexOf(key);
        return at < 0 ? 0 : stats.mid(at + key.size()).section(',', 0, 0).toInt();
    }
    // Whether a client waits for messages of a lock here.
    [[nodiscard]] bool hasWaiters() {
        return !m_server.cli({"PUBSUB", "CHANNELS", "redisson_*"}).isEmpty() ||
               !m_server.cli({"PUBSUB", "SHARDCHANNELS", "redisson_*"}).isEmpty();
    }
    // When the key expires, in ms of the server's clock. -1: never; -2: there is no key.
    [[nodiscard]] qint64 leaseEnd(const QString& key) { return integer({"PEXPIRETIME", key.toUtf8()}); }
    // The answer to a command that answers a number. Blocks for less time than RedisServer::cli(), so that clients in
    // this thread can renew their locks although it is called again and again.
    [[nodiscard]] qint64 integer(const QByteArrayList& command) {
        QByteArray bytes;
        redis::Command(command.first(), command.sliced(1)).appendTo(bytes);
        QLocalSocket socket;
        socket.connectToServer(m_server.socketPath());
        socket.write(bytes);
        QByteArray answer;
        while (!answer.endsWith('\n') && socket.waitForReadyRead(10000))
            answer += socket.readAll();
        bool isInteger = false;
        const qint64 value = answer.mid(1).trimmed().toLongLong(&isInteger);
        if (!answer.startsWith(':') || !isInteger)
            qFatal("%s is answered by '%s'", command.first().constData(), answer.constData());
        return value;
    }
    // All connections, also those that ended at once, and the one of this call.
    [[nodiscard]] int connectionsReceived() {
        const QString stats = m_server.cli({"INFO", "stats"});
        const QString key = "total_connections_received:";
        return stats.mid(stats.indexOf(key) + key.size()).section('\r', 0, 0).toInt();
    }

private:
    RedisServer& m_server;
};

}  // namespace lockkeeper::test
