// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hiredispeer.h"

#include <QEventLoop>
#include <QSocketNotifier>

#include <hiredis/async.h>

#include <array>
#include <optional>

namespace lockkeeper::bench {

// A connection of hiredis that waits in Qt's event loop, as in a program that also waits for other things. Unlike the
// adapter of hiredis it writes at once, which saves a turn of the loop.
class HiredisInLoop {
public:
    HiredisInLoop(const test::RedisServer& server, Socket socket)
        : m_context(socket == Socket::Unix ? redisAsyncConnectUnix(server.socketPath().toLocal8Bit().constData())
                                           : redisAsyncConnect("127.0.0.1", server.port())) {
        if (!m_context || m_context->err)
            giveUp(QStringLiteral("hiredis does not connect"));
        m_context->data = this;
        m_context->ev.data = this;
        m_context->ev.addRead = [](void* self) { of(self).m_readable->setEnabled(true); };
        m_context->ev.delRead = [](void* self) { of(self).m_readable->setEnabled(false); };
        m_context->ev.addWrite = [](void* self) { of(self).beginWrite(); };
        m_context->ev.delWrite = [](void* self) { of(self).m_writable->setEnabled(false); };
        m_readable.emplace(m_context->c.fd, QSocketNotifier::Read);
        m_writable.emplace(m_context->c.fd, QSocketNotifier::Write);
        QObject::connect(&*m_readable, &QSocketNotifier::activated, [this] { redisAsyncHandleRead(m_context); });
        QObject::connect(&*m_writable, &QSocketNotifier::activated, [this] { redisAsyncHandleWrite(m_context); });
        redisAsyncSetConnectCallback(m_context, &HiredisInLoop::onConnected);
        m_loop.exec();
        setListening(false);
    }
    HiredisInLoop(const HiredisInLoop&) = delete;
    HiredisInLoop& operator=(const HiredisInLoop&) = delete;
    ~HiredisInLoop() { redisAsyncFree(m_context); }

    using OnAnswer = std::function<void(const redisReply&)>;

    // Whether the loop waits for this connection; it costs a little in each turn.
    void setListening(bool listening) { m_readable->setEnabled(listening); }

    // onAnswer is called for the answer, and after SUBSCRIBE for each message, too; it must live until then.
    void send(const QByteArrayList& command, OnAnswer& onAnswer) {
        CommandParts parts(command);
        redisAsyncCommandArgv(m_context, &HiredisInLoop::takeAnswer, &onAnswer, parts.count(), parts.texts(),
                              parts.sizes());
    }

    // Sends the two commands in turn, each when the one before is answered, for this time. Returns the pairs.
    qint64 run(const std::array<QByteArrayList, 2>& pair, std::chrono::milliseconds time) {
        m_pair = &pair;
        m_answers = 0;
        m_until = std::chrono::steady_clock::now() + time;
        setListening(true);
        sendNext();
        m_loop.exec();
        setListening(false);  // the loop is for another client now
        return m_answers / 2;
    }

private:
    static HiredisInLoop& of(void* self) { return *static_cast<HiredisInLoop*>(self); }

    static void onConnected(const redisAsyncContext* context, int status) {
        if (status != REDIS_OK)
            giveUp(QStringLiteral("hiredis does not connect"));
        of(context->data).m_isConnected = true;
        of(context->data).m_loop.quit();
    }

    void beginWrite() {
        if (m_isConnected)
            redisAsyncHandleWrite(m_context);
        else
            m_writable->setEnabled(true);
    }

    void sendNext() {
        const bool isPairOver = m_answers % 2 == 0;
        if (isPairOver && std::chrono::steady_clock::now() >= m_until) {
            m_loop.quit();
            return;
        }
        send((*m_pair)[static_cast<size_t>(m_answers % 2)], m_onPairAnswer);
    }

    static void takeAnswer(redisAsyncContext* context, void* reply, void* onAnswer) {
        const auto* answer = static_cast<const redisReply*>(reply);
        if (!answer && (context->c.flags & REDIS_FREEING) != 0)
            return;  // of a subscription, at the end
        if (!answer || answer->type == REDIS_REPLY_ERROR)
            giveUp(QStringLiteral("hiredis: an error, or no answer"));
        (*static_cast<OnAnswer*>(onAnswer))(*answer);
    }

    redisAsyncContext* m_context;
    std::optional<QSocketNotifier> m_readable;
    std::optional<QSocketNotifier> m_writable;
    bool m_isConnected = false;
    const std::array<QByteArrayList, 2>* m_pair = nullptr;
    OnAnswer m_onPairAnswer = [this](const redisReply&) {
        ++m_answers;
        sendNext();
    };
    qint64 m_answers = 0;
    std::chrono::steady_clock::time_point m_until;
    QEventLoop m_loop;
};

}  // namespace lockkeeper::bench
