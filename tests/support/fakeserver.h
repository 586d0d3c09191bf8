// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "redis/respparser.h"
#include "support/faketransport.h"

#include <QByteArrayList>
#include <QHash>
#include <QPointer>

#include <functional>
#include <vector>

namespace lockkeeper::test {

// Runs the event loop until no posted event is left: everything queued in one turn has then been sent.
void turnEventLoop();

// The server's end of one connection to a FakeServer: reads the commands and gives the answers.
class FakeLink {
public:
    explicit FakeLink(FakeTransport* transport) : m_transport(transport) {}

    // The answers by command. A subcommand of CLIENT is named by both words.
    using Answers = QHash<QByteArray, QByteArray>;

    // Opens the connection and answers the handshake of a RESP3 server, and the first commands of a watching
    // connection.
    void shakeHands(const QByteArray& role = "master", const Answers& besides = {});
    // The answer to HELLO, for tests that play the handshake themselves.
    [[nodiscard]] static QByteArray helloReply(const QByteArray& role = "master");

    // The commands that arrived since the last call, each as its parts; runs the event loop first.
    [[nodiscard]] QList<QByteArrayList> takeCommands();
    // The only command that arrived; an empty list if there is none or more than one.
    [[nodiscard]] QByteArrayList takeCommand();
    // Sends these bytes and runs the event loop, so that the client handles them.
    void reply(const QByteArray& bytes);
    void lose(ErrorCode code = ErrorCode::ConnectionLost);

    // The name that the client sent in the handshake which shakeHands() answered.
    [[nodiscard]] const QByteArray& clientName() const { return m_clientName; }
    // False after the client has closed it.
    [[nodiscard]] bool isOpen() const { return m_transport && !m_transport->wasClosed; }
    [[nodiscard]] FakeTransport* transport() const { return m_transport; }

private:
    QPointer<FakeTransport> m_transport;
    redis::RespParser m_parser;
    QByteArray m_clientName;
    QList<QByteArrayList> m_untaken;  // arrived directly after the handshake
};

// The fake server that a Connection under test connects to. Every attempt adds one link. The factory refers to this
// object.
class FakeServer {
public:
    FakeServer() = default;
    FakeServer(const FakeServer&) = delete;
    FakeServer& operator=(const FakeServer&) = delete;

    [[nodiscard]] redis::TransportFactory factory();
    [[nodiscard]] size_t linkCount() const { return m_links.size(); }
    // Counted from 0; aborts the test program if there is no such link.
    [[nodiscard]] FakeLink& link(size_t index);
    [[nodiscard]] FakeLink& lastLink() { return link(m_links.size() - 1); }
    // Completes the handshake on every connection that is being opened.
    void acceptAll(const FakeLink::Answers& besides = {});
    // As acceptAll(), and answers every command that has arrived, also commands that a client sends because of an
    // answer.
    void serve(const std::function<void(FakeLink& link, const QByteArrayList& command)>& answer);
    // The newest link of the client with this name; aborts the test program if there is none.
    [[nodiscard]] FakeLink& linkOf(const QByteArray& clientName);

private:
    std::vector<std::unique_ptr<FakeLink>> m_links;
};

// Wire forms, so that answers in a test are easy to read.
[[nodiscard]] QByteArray bulk(const QByteArray& bytes);
[[nodiscard]] QByteArray number(qint64 value);
[[nodiscard]] QByteArray pushOf(const QByteArrayList& parts);

}  // namespace lockkeeper::test
