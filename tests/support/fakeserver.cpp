// SPDX-License-Identifier: Apache-2.0
#include "support/fakeserver.h"

#include <QCoreApplication>

namespace lockkeeper::test {

void turnEventLoop() {
    QCoreApplication::sendPostedEvents();
    QCoreApplication::processEvents();
}

namespace {

// The words that distinguish a command from others of the handshake.
QByteArray answered(const QByteArrayList& command) {
    return command.first() == "CLIENT" ? command.join(' ') : command.first();
}

}  // namespace

void FakeLink::shakeHands(const QByteArray& role, const Answers& besides) {
    Answers answers{{"HELLO", helloReply(role)},
                    {"PING", "+PONG\r\n"},
                    {"SELECT", "+OK\r\n"},
                    {"CLIENT TRACKING ON OPTIN NOLOOP", "-ERR not here\r\n"},
                    {"CLIENT NO-EVICT ON", "+OK\r\n"},
                    {"CLIENT NO-TOUCH ON", "+OK\r\n"},
                    {"CLIENT LIST ID 7", "$0\r\n\r\n"}};  // after a loss: the connection before is gone
    answers.insert(besides);
    m_transport->becomeOpen();
    for (;;) {
        QList<QByteArrayList> commands = takeCommands();
        const QByteArray asked = commands.isEmpty() ? QByteArray() : answered(commands.first());
        if (!answers.contains(asked)) {
            m_untaken = std::move(commands);
            return;
        }
        const QByteArrayList command = commands.takeFirst();
        if (command.first() == "HELLO")
            m_clientName = command.value(command.indexOf("SETNAME") + 1);
        m_untaken = std::move(commands);
        reply(answers[asked]);
    }
}

QByteArray FakeLink::helloReply(const QByteArray& role) {
    return QByteArrayLiteral(
               "%6\r\n$6\r\nserver\r\n$5\r\nredis\r\n$7\r\nversion\r\n$6\r\n7.0.15\r\n$5\r\nproto\r\n:3\r\n$"
               "2\r\nid\r\n:7\r\n"
               "$4\r\nmode\r\n$10\r\nstandalone\r\n$4\r\nrole\r\n") +
           bulk(role);
}

QList<QByteArrayList> FakeLink::takeCommands() {
    turnEventLoop();
    QList<QByteArrayList> commands = std::exchange(m_untaken, {});
    if (!m_transport)
        return commands;
    m_parser.feed(m_transport->takeWritten());
    for (;;) {
        const Result<std::optional<redis::RespValue>> next = m_parser.take();
        if (!next)
            qFatal("the client sent what is no command: %s", qPrintable(next.error().text));
        if (!next.value())
            return commands;
        QByteArrayList& command = commands.emplace_back();
        for (const redis::RespValue& part : next.value()->items)
            command += part.bytes;
    }
}

QByteArrayList FakeLink::takeCommand() {
    const QList<QByteArrayList> commands = takeCommands();
    return commands.size() == 1 ? commands.first() : QByteArrayList();
}

void FakeLink::reply(const QByteArray& bytes) {
    if (!isOpen())
        qFatal("the client has closed this connection already");
    m_transport->receive(bytes);
    turnEventLoop();
}

void FakeLink::lose(ErrorCode code) {
    if (!isOpen())
        qFatal("the client has closed this connection already");
    m_transport->fail(code);
    turnEventLoop();
}

redis::TransportFactory FakeServer::factory() {
    return [this] {
        auto transport = std::make_unique<FakeTransport>();
        m_links.push_back(std::make_unique<FakeLink>(transport.get()));
        return transport;
    };
}

FakeLink& FakeServer::link(size_t index) {
    if (index >= m_links.size())
        qFatal("nobody has connected that often: %zu of %zu", index + 1, m_links.size());
    return *m_links[index];
}

void FakeServer::acceptAll(const FakeLink::Answers& besides) {
    turnEventLoop();                               // opens what a call needs
    for (size_t i = 0; i < m_links.size(); ++i) {  // by index: a client that gets ready may open one more connection
        if (m_links[i]->isOpen() && m_links[i]->clientName().isEmpty())
            m_links[i]->shakeHands("master", besides);
    }
}

void FakeServer::serve(const std::function<void(FakeLink&, const QByteArrayList&)>& answer) {
    acceptAll();
    for (size_t i = 0; i < m_links.size(); ++i) {
        FakeLink& served = *m_links[i];
        while (served.isOpen()) {
            const QList<QByteArrayList> commands = served.takeCommands();
            if (commands.isEmpty())
                break;
            for (const QByteArrayList& command : commands)
                answer(served, command);
        }
    }
}

FakeLink& FakeServer::linkOf(const QByteArray& clientName) {
    const auto found = std::find_if(m_links.rbegin(), m_links.rend(),
                                    [&](const auto& link) { return link->clientName() == clientName; });
    if (found == m_links.rend())
        qFatal("nobody called %s has connected", clientName.constData());
    return **found;
}

QByteArray bulk(const QByteArray& bytes) {
    return '$' + QByteArray::number(bytes.size()) + "\r\n" + bytes + "\r\n";
}

QByteArray number(qint64 value) {
    return ':' + QByteArray::number(value) + "\r\n";
}

QByteArray pushOf(const QByteArrayList& parts) {
    QByteArray push = '>' + QByteArray::number(parts.size()) + "\r\n";
    for (const QByteArray& part : parts)
        push += bulk(part);
    return push;
}

}  // namespace lockkeeper::test
