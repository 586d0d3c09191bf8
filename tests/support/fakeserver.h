#pragma once

#include "redis/respparser.h"
#include "support/faketransport.h"

#include <QByteArrayList>
#include <QHash>
#include <QPointer>

#include <vector>

namespace lockkeeper::test {

// Turns the event loop until nothing is posted any more: what one turn queued has then left.
void turnEventLoop();

// The server's end of one connection to a FakeServer: sees the commands, gives the answers.
class FakeLink {
public:
    explicit FakeLink(FakeTransport* transport) : m_transport(transport) {}

    // By command: a subcommand of CLIENT has its words for a name.
    using Answers = QHash<QByteArray, QByteArray>;

    // Lets the connection open, and answers the handshake of a RESP3 server, with what a watching connection asks first.
    void shakeHands(const QByteArray& role = "master", const Answers& besides = {});
    // What the handshake is answered with, for tests that play it themselves.
    [[nodiscard]] static QByteArray helloReply(const QByteArray& role = "master");

    // The commands that have come since the last call, each as its parts; turns the event loop first.
    [[nodiscard]] QList<QByteArrayList> takeCommands();
    // The one command that has come; an empty list when there is none or more than one.
    [[nodiscard]] QByteArrayList takeCommand();
    // Sends these bytes, and lets the client do what follows from them.
    void reply(const QByteArray& bytes);
    void lose(ErrorCode code = ErrorCode::ConnectionLost);

    // As the client named itself in the handshake that shakeHands() answered.
    [[nodiscard]] const QByteArray& clientName() const { return m_clientName; }
    // False after the client has closed it.
    [[nodiscard]] bool isOpen() const { return m_transport && !m_transport->wasClosed; }
    [[nodiscard]] FakeTransport* transport() const { return m_transport; }

private:
    QPointer<FakeTransport> m_transport;
    redis::RespParser m_parser;
    QByteArray m_clientName;
    QList<QByteArrayList> m_untaken;  // came right behind the handshake
};

// Where a Connection under test connects to. Every attempt makes one more link. The factory refers to this object.
class FakeServer {
public:
    FakeServer() = default;
    FakeServer(const FakeServer&) = delete;
    FakeServer& operator=(const FakeServer&) = delete;

    [[nodiscard]] redis::TransportFactory factory();
    [[nodiscard]] size_t linkCount() const { return m_links.size(); }
    // Counted from 0; ends the test program when there is no such link.
    [[nodiscard]] FakeLink& link(size_t index);
    [[nodiscard]] FakeLink& lastLink() { return link(m_links.size() - 1); }
    // Shakes hands with everybody who is trying to connect.
    void acceptAll(const FakeLink::Answers& besides = {});
    // The newest link of the client of this name; ends the test program when there is none.
    [[nodiscard]] FakeLink& linkOf(const QByteArray& clientName);

private:
    std::vector<std::unique_ptr<FakeLink>> m_links;
};

// Wire forms, for answers that a test reads at a glance.
[[nodiscard]] QByteArray bulk(const QByteArray& bytes);
[[nodiscard]] QByteArray number(qint64 value);
[[nodiscard]] QByteArray pushOf(const QByteArrayList& parts);

}  // namespace lockkeeper::test
