// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "measuring.h"

#include "locks/lockkeys.h"
#include "support/lockscripts.h"
#include "support/redisserver.h"

#include <hiredis/hiredis.h>

namespace lockkeeper::bench {

enum class Socket { Unix, Tcp };

// The two scripts with keys and arguments as this library sends them.
struct LockCommands {
    QByteArrayList acquire;
    QByteArrayList release;

    // publish: the file in locks/lua with the publish() of the release.
    LockCommands(const LockName& name, ThreadId thread, const QString& publish = QStringLiteral("publish")) {
        const locks::LockKeys keys(name);
        const QByteArray holder = HolderId(ClientId::random(), thread).bytes();
        const QByteArray take = test::lockScript(QStringLiteral("reentrant_acquire")).sha();
        const QByteArray giveBack = test::lockScript(QStringLiteral("reentrant_release"), publish).sha();
        acquire = {"EVALSHA", take, "1", name.bytes(), "30000", holder};
        release = {"EVALSHA", giveBack, "1", name.bytes(), keys.channel(), "0", "30000", holder};
    }
};

// The words of a command as hiredis takes them. Refers to the command.
class CommandParts {
public:
    explicit CommandParts(const QByteArrayList& command) {
        for (const QByteArray& part : command) {
            m_texts.push_back(part.constData());
            m_sizes.push_back(static_cast<size_t>(part.size()));
        }
    }

    [[nodiscard]] int count() const { return static_cast<int>(m_texts.size()); }
    [[nodiscard]] const char** texts() { return m_texts.data(); }
    [[nodiscard]] const size_t* sizes() const { return m_sizes.data(); }

private:
    std::vector<const char*> m_texts;
    std::vector<size_t> m_sizes;
};

// A synchronous hiredis connection, as a C program would use it: the reference for comparison.
class HiredisPeer {
public:
    HiredisPeer(const test::RedisServer& server, Socket socket)
        : m_context(socket == Socket::Unix ? redisConnectUnix(server.socketPath().toLocal8Bit().constData())
                                           : redisConnect("127.0.0.1", server.port())) {
        if (!m_context || m_context->err)
            giveUp(QStringLiteral("hiredis does not connect"));
    }
    HiredisPeer(const HiredisPeer&) = delete;
    HiredisPeer& operator=(const HiredisPeer&) = delete;
    ~HiredisPeer() { redisFree(m_context); }

    // expected: the REDIS_REPLY_ type of the answer.
    void send(const QByteArrayList& parts, int expected) {
        append(parts);
        take(expected);
    }
    // Sends all before it waits for the first answer.
    void sendAll(const std::vector<QByteArrayList>& commands, int expected) {
        for (const QByteArrayList& parts : commands)
            append(parts);
        for (size_t answer = 0; answer < commands.size(); ++answer)
            take(expected);
    }
    // Receives a message on a subscribed channel.
    void receive() { take(REDIS_REPLY_ARRAY); }

private:
    void append(const QByteArrayList& command) {
        CommandParts parts(command);
        redisAppendCommandArgv(m_context, parts.count(), parts.texts(), parts.sizes());
    }
    void take(int expected) {
        void* reply = nullptr;
        redisGetReply(m_context, &reply);
        take(static_cast<redisReply*>(reply), expected);
    }
    static void take(redisReply* reply, int expected) {
        if (!reply || reply->type != expected)
            giveUp(QStringLiteral("hiredis: another answer than expected: ") +
                   (reply && reply->str ? QString::fromUtf8(reply->str) : QStringLiteral("no text")));
        freeReplyObject(reply);
    }

    redisContext* m_context;
};

}  // namespace lockkeeper::bench
