#include "support/fakeserver.h"

#include <QCoreApplication>

namespace lockkeeper::test {

void turnEventLoop() {
    QCoreApplication::sendPostedEvents();
    QCoreApplication::processEvents();
}

void FakeLink::shakeHands() {
    m_transport->becomeOpen();
    while (isOpen()) {
        const QByteArrayList command = takeCommand();
        if (command.isEmpty())
            return;
        const bool hello = command.first() == "HELLO";
        reply(hello                       ? helloReply()
              : command.first() == "PING" ? QByteArrayLiteral("+PONG\r\n")
                                          : QByteArrayLiteral("+OK\r\n"));
    }
}

QByteArray FakeLink::helloReply() {
    return QByteArrayLiteral(
        "%5\r\n$6\r\nserver\r\n$5\r\nredis\r\n$7\r\nversion\r\n$6\r\n7.0.15\r\n$5\r\nproto\r\n:3\r\n$2\r\nid\r\n:7\r\n"
        "$4\r\nmode\r\n$10\r\nstandalone\r\n");
}

QList<QByteArrayList> FakeLink::takeCommands() {
    turnEventLoop();
    QList<QByteArrayList> commands;
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
