// SPDX-License-Identifier: Apache-2.0
#include "base/systemclock.h"
#include "lab/servers/reservedport.h"
#include "redis/connection.h"
#include "redis/sockettransport.h"
#include "support/ask.h"
#include "support/badserver.h"
#include "support/fakeserver.h"
#include "support/redisserver.h"
#include "support/taskwait.h"
#include "support/testprogram.h"

#include <QTcpServer>
#include <QTcpSocket>
#include <QTest>

namespace tst_connection_server {

using namespace lockkeeper;
using namespace lockkeeper::redis;
using namespace std::chrono_literals;
using test::ask;
using State = Connection::State;

namespace {

Task<Result<Done>> getReady(Connection* connection) {
    co_return co_await connection->whenReady().wait(Deadline::in(connection->clock(), 10s));
}

// A server that pushes without end, once a client is connected, or once it has subscribed. As fast as the socket
// takes it.
class EndlessServer {
public:
    enum class Begins { WhenConnected, WhenSubscribed };

    explicit EndlessServer(Begins begins) : m_begins(begins) {
        QObject::connect(&m_server, &QTcpServer::newConnection, &m_server, [this] {
            while (QTcpSocket* peer = m_server.nextPendingConnection())
                accept(peer);
        });
        if (!m_server.listen(QHostAddress::LocalHost))
            qFatal("cannot listen on any port of 127.0.0.1: %s", qPrintable(m_server.errorString()));
    }
    [[nodiscard]] ConnectionOptions options() const {
        ConnectionOptions options;
        options.endpoint.port = m_server.serverPort();
        return options;
    }
    [[nodiscard]] int connections() const { return m_connections; }

private:
    void accept(QTcpSocket* peer) {
        ++m_connections;
        QObject::connect(peer, &QTcpSocket::disconnected, peer, &QObject::deleteLater);
        QObject::connect(peer, &QTcpSocket::readyRead, peer, [this, peer] { answer(peer, peer->readAll()); });
    }
    void answer(QTcpSocket* peer, const QByteArray& commands) {
        if (commands.contains("HELLO"))
            peer->write(test::FakeLink::helloReply());
        if (commands.contains("SUBSCRIBE"))
            peer->write(">3\r\n" + test::bulk("subscribe") + test::bulk("c") + test::number(1));
        if (commands.contains("PING"))
            peer->write("+PONG\r\n");
        if (!commands.contains(m_begins == Begins::WhenConnected ? "PING" : "SUBSCRIBE"))
            return;
        push(peer);
        QObject::connect(peer, &QTcpSocket::bytesWritten, peer, [peer] { push(peer); });
    }
    static void push(QTcpSocket* peer) {
        static const QByteArray message = test::pushOf({"message", "c", "hi"});
        constexpr qint64 fullBuffer = 1024 * 1024;
        if (peer->bytesToWrite() < fullBuffer)
            peer->write(message.repeated(10000));
    }

    const Begins m_begins;
    QTcpServer m_server;
    int m_connections = 0;
};

}  // namespace

// One connection over real sockets, to real servers and to peers that are not Redis servers.
class TestConnectionServer : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { m_connection.reset(); }

    void connectsOverEverySocket_data() {
        QTest::addColumn<bool>("unixSocket");
        QTest::newRow("TCP") << false;
        QTest::newRow("Unix") << true;
    }
    void connectsOverEverySocket() {
        QFETCH(bool, unixSocket);
        test::RedisServer server;
        QVERIFY(server.start());
        connectTo(unixSocket ? server.options() : server.tcpOptions());
        QVERIFY(ready());
        QCOMPARE(m_connection->server().protocol, 3);
        QCOMPARE(m_connection->server().mode, "standalone");
        QCOMPARE(m_connection->server().role, "master");
        QVERIFY(m_connection->server().version.contains('.'));
        QCOMPARE(reply(Command("CLIENT", {"ID"})).integer, m_connection->server().connectionId);
        QCOMPARE(reply(Command("CLIENT", {"GETNAME"})).bytes, "lockkeeper");
    }

    void endlessPushesThatNobodyAskedForEndTheConnection() {
        const EndlessServer server(EndlessServer::Begins::WhenConnected);
        connectTo(server.options());
        QTRY_COMPARE(m_connection->lastError().cause, Cause::UnrequestedPush);
        QTRY_VERIFY(server.connections() > 1);
    }

    // The client has asked for the messages, so the connection stays. What a turn of the event loop reads is bounded,
    // so that other connections go on.
    void endlessPushesDoNotHoldUpOtherConnections() {
        const EndlessServer endless(EndlessServer::Begins::WhenSubscribed);
        Connection busy(
            endless.options(), [e = endless.options().endpoint] { return makeSocketTransport(e); }, m_clock);
        qint64 pushes = 0;
        connect(&busy, &Connection::pushReceived, &busy, [&pushes] { ++pushes; });
        busy.open();
        QVERIFY(test::waitFor(getReady(&busy)).ok());
        QVERIFY(test::waitFor(ask(&busy, Command("SUBSCRIBE", {"c"}))).ok());
        test::RedisServer server;
        QVERIFY(server.start());
        connectTo(server.options());
        QVERIFY(ready());
        for (int i = 0; i < 100; ++i)
            QCOMPARE(reply(Command("PING")).bytes, "PONG");
        QVERIFY2(pushes > 1000, qPrintable(QString::number(pushes)));
        QVERIFY(busy.isReady());
    }

    void carriesAnyBytes_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("empty") << QByteArray("");
        QTest::newRow("CR LF") << QByteArray("a\r\nb\r\n");
        QTest::newRow("zeros") << QByteArray(5, '\0');
        QTest::newRow("10 MB") << QByteArray(10'000'000, 'x');
    }
    void carriesAnyBytes() {
        QFETCH(QByteArray, bytes);
        test::RedisServer server;
        QVERIFY(server.start());
        connectTo(server.tcpOptions());
        QVERIFY(ready());
        QCOMPARE(reply(Command("ECHO", {bytes})).bytes, bytes);
    }

    void speaksResp2ToAServerWithoutHello() {
        test::RedisServer server({"--rename-command", "HELLO", ""});
        QVERIFY(server.start());
        ConnectionOptions options = server.options();
        options.database = 3;
        connectTo(options);
        QVERIFY(ready());
        ServerInfo known;
        known.version = m_connection->server().version;  // as INFO reports it
        QVERIFY(known.version.contains('.'));
        QCOMPARE(m_connection->server(), known);
        QCOMPARE(reply(Command("CLIENT", {"GETNAME"})).bytes, "lockkeeper");
        QVERIFY(reply(Command("CLIENT", {"LIST"})).bytes.contains(" db=3 "));
    }

    void logsIn_data() {
        QTest::addColumn<QByteArray>("user");
        QTest::addColumn<QByteArray>("password");
        QTest::addColumn<bool>("hello");
        QTest::addColumn<QString>("failure");
        for (const bool hello : {true, false}) {
            const QByteArray how = hello ? "" : ", RESP2";
            QTest::newRow("the default user" + how) << QByteArray() << QByteArray("secret") << hello << "";
            QTest::newRow("a user" + how) << QByteArray("operator") << QByteArray("p w") << hello << "";
            QTest::newRow("no password" + how) << QByteArray() << QByteArray() << hello << "Auth";
            QTest::newRow("a wrong password" + how) << QByteArray() << QByteArray("wrong") << hello << "Auth";
            QTest::newRow("an unknown user" + how) << QByteArray("nobody") << QByteArray("secret") << hello << "Auth";
        }
    }
    void logsIn() {
        QFETCH(QByteArray, user);
        QFETCH(QByteArray, password);
        QFETCH(bool, hello);
        QFETCH(QString, failure);
        QStringList lines{"--requirepass", "secret", "--user", "operator", "on", ">p w", "~*", "&*", "+@all"};
        if (!hello)
            lines += {"--rename-command", "HELLO", ""};
        test::RedisServer server(lines);
        QVERIFY(server.start());
        ConnectionOptions options = server.options();
        options.credentials = Credentials{user, password};
        connectTo(options);
        QTRY_COMPARE(m_connection->state(), failure.isEmpty() ? State::Ready : State::Waiting);
        if (failure.isEmpty())
            QCOMPARE(reply(Command("PING")).bytes, "PONG");
        else
            QCOMPARE(wordFor(m_connection->lastError().code), failure);
        QVERIFY(!m_connection->lastError().text.contains(QString::fromUtf8(password)) || password.isEmpty());
    }

    void aUserWithoutTheRightToHelloOrPingIsConnected() {
        test::RedisServer server({"--user", "weak", "on", "nopass", "~*", "&*", "+auth", "+get"});
        QVERIFY(server.start());
        ConnectionOptions options = server.options();
        options.credentials = Credentials{"weak", "any"};
        connectTo(options);
        QVERIFY(ready());
        QVERIFY(reply(Command("GET", {"k"})).isNull());
        QCOMPARE(test::waitFor(ask(m_connection.get(), Command("SET", {"k", "v"}))).error().code,
                 ErrorCode::NotPermitted);
    }

    void comesBackAfterARestart() {
        test::RedisServer server;
        QVERIFY(server.start());
        connectTo(server.tcpOptions());
        QVERIFY(ready());
        server.stop();
        QTRY_COMPARE(m_connection->state(), State::Waiting);
        QVERIFY(server.start());
        QTRY_VERIFY(m_connection->isReady());
        QCOMPARE(reply(Command("PING")).bytes, "PONG");
    }

    void comesBackAfterItWasKilled() {
        test::RedisServer server;
        QVERIFY(server.start());
        connectTo(server.options());
        QVERIFY(ready());
        const qint64 id = m_connection->server().connectionId;
        QCOMPARE(server.cli({"CLIENT", "KILL", "ID", QString::number(id)}), "1");
        QTRY_VERIFY(m_connection->isReady() && m_connection->server().connectionId > id);
    }

    void waitsUntilTheServerHasLoaded() {
        test::RedisServer server({"--appendonly", "yes", "--appendfsync", "no", "--key-load-delay", "300",
                                  "--loading-process-events-interval-bytes", "1024"});
        QVERIFY(server.start());
        QCOMPARE(server.cli({"EVAL", "for i = 1, 5000 do redis.call('set', 'k' .. i, string.rep('x', 100)) end", "0"}),
                 "");
        server.stop();
        QVERIFY(server.startWithoutWaiting());
        ConnectionOptions options = server.tcpOptions();
        options.firstRetry = 10ms;
        options.lastRetry = 50ms;
        QStringList reasons;
        connectTo(options, [&reasons](const Connection& connection) {
            if (connection.state() == State::Waiting)
                reasons += connection.lastError().text;
        });
        QVERIFY(ready());
        QCOMPARE(reply(Command("DBSIZE")).integer, 5000);
        QVERIFY2(!reasons.filter(QStringLiteral("LOADING")).isEmpty(), qPrintable(reasons.join(u'\n')));
    }

    void aServerThatHangsIsLeft() {
        test::RedisServer server;
        QVERIFY(server.start());
        ConnectionOptions options = server.options();
        options.commandTimeout = 200ms;
        connectTo(options);
        QVERIFY(ready());
        const auto read = test::start(ask(m_connection.get(), Command("GET", {"k"})));
        const auto sleep = test::start(ask(m_connection.get(), Command("DEBUG", {"SLEEP", "1"})));
        const auto write = test::start(ask(m_connection.get(), Command("SET", {"k", "v"})));
        QTRY_COMPARE(m_connection->state(), State::Waiting);
        QCOMPARE(m_connection->lastError().code, ErrorCode::Timeout);
        QCOMPARE((*read)->error().code,
                 ErrorCode::ConnectionLost);  // a server answers only after it has read everything
        QCOMPARE((*sleep)->error().code, ErrorCode::OutcomeUnknown);
        QCOMPARE((*write)->error().code, ErrorCode::OutcomeUnknown);
        QTRY_VERIFY(m_connection->isReady());
    }

    void nothingWrittenLeavesAReadOnlyConnection() {
        test::RedisServer server;
        QVERIFY(server.start());
        ConnectionOptions options = server.options();
        options.access = AccessMode::ReadOnly;
        connectTo(options);
        QVERIFY(ready());
        QCOMPARE(test::waitFor(ask(m_connection.get(), Command("SET", {"k", "v"}))).error().code,
                 ErrorCode::NotPermitted);
        QCOMPARE(
            test::waitFor(ask(m_connection.get(), Command("EVAL", {"redis.call('set', 'k', 'v')", "0"}))).error().code,
            ErrorCode::NotPermitted);
        QVERIFY(!test::waitFor(ask(m_connection.get(), Command("EVAL_RO", {"return redis.call('set', 'k', 'v')", "0"})))
                     .ok());
        QCOMPARE(reply(Command("EXISTS", {"k"})).integer, 0);
    }

    void subscribes_data() {
        QTest::addColumn<bool>("resp2");
        QTest::newRow("RESP3") << false;
        QTest::newRow("RESP2") << true;
    }
    void subscribes() {
        QFETCH(bool, resp2);
        test::RedisServer server(resp2 ? QStringList{"--rename-command", "HELLO", ""} : QStringList());
        QVERIFY(server.start());
        connectTo(server.options());
        QVERIFY(ready());
        QList<RespValue> pushes;
        connect(m_connection.get(), &Connection::pushReceived, this,
                [&pushes](const RespValue& push) { pushes += push; });
        reply(Command("SUBSCRIBE", {"c"}));
        QCOMPARE(server.cli({"PUBLISH", "c", "hello"}), "1");
        QTRY_COMPARE(pushes.size(), 1);
        QCOMPARE(pushes.first().items.back().bytes, "hello");
        reply(Command("UNSUBSCRIBE", {"c"}));
        QCOMPARE(reply(Command("ECHO", {"message"})).bytes, "message");
    }

    void tellsOfChangedKeys() {
        test::RedisServer server;
        QVERIFY(server.start());
        connectTo(server.options());
        QVERIFY(ready());
        QList<RespValue> pushes;
        connect(m_connection.get(), &Connection::pushReceived, this,
                [&pushes](const RespValue& push) { pushes += push; });
        reply(Command("CLIENT", {"TRACKING", "ON"}));
        reply(Command("GET", {"k"}));
        server.cli({"SET", "k", "v"});
        QTRY_COMPARE(pushes.size(), 1);
        QCOMPARE(pushes.first().items.front().bytes, "invalidate");
    }

    // ---- peers that are not Redis servers ----

    void aPlaceWithoutServerIsNamed_data() {
        QTest::addColumn<QString>("place");
        QTest::addColumn<QString>("code");
        QTest::newRow("a port without a server") << "port"
                                                 << "ConnectionRefused";
        QTest::newRow("a socket that is not there") << "socket"
                                                    << "ConnectionRefused";
        QTest::newRow("a file that is no socket") << "file"
                                                  << "ConnectionRefused";
        QTest::newRow("a host that does not exist") << "host"
                                                    << "HostNotFound";
    }
    void aPlaceWithoutServerIsNamed() {
        QFETCH(QString, place);
        QFETCH(QString, code);
        ConnectionOptions options;
        const lab::ReservedPort closed;
        if (place == u"port") {
            options.endpoint.port = closed.number();
        } else if (place == u"socket") {
            options.endpoint.unixPath = QStringLiteral("/nowhere/redis.sock");
        } else if (place == u"file") {
            options.endpoint.unixPath = QCoreApplication::applicationFilePath();
        } else {
            options.endpoint.host = QStringLiteral("no-such-host.invalid");
        }
        connectTo(options);
        QTRY_COMPARE(m_connection->state(), State::Waiting);
        QCOMPARE(wordFor(m_connection->lastError().code), code);
        QVERIFY(!m_connection->lastError().text.isEmpty());
    }

    void whatIsNoRedisServerIsNamedInTime_data() {
        QTest::addColumn<QByteArray>("greeting");
        QTest::addColumn<QByteArray>("answer");
        QTest::addColumn<bool>("closes");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("words");
        const QByteArray nothing;
        const QByteArray http = "HTTP/1.1 400 Bad Request\r\nContent-Type: text/html\r\n\r\n<html>";
        QTest::newRow("HTTP") << nothing << http << true << "Protocol"
                              << "not a Redis server: it says 'HTTP/1.1 400 Bad Request";
        QTest::newRow("SSH") << QByteArray("SSH-2.0-OpenSSH_9.2p1 Debian\r\n") << nothing << false << "Protocol"
                             << "it says 'SSH-2.0-OpenSSH";
        QTest::newRow("SMTP") << QByteArray("220 mail.example ESMTP\r\n") << nothing << false << "Protocol"
                              << "it says '220 mail.example";
        QTest::newRow("MySQL") << QByteArray(
                                      "\x4a\x00\x00\x00\x0a"
                                      "8.0.36",
                                      10)
                               << nothing << false << "Protocol"
                               << "not a Redis server";
        QTest::newRow("POP3") << QByteArray("+OK POP3 ready\r\n") << nothing << false << "Protocol"
                              << "OK POP3 ready";
        QTest::newRow("silence") << nothing << nothing << false << "Timeout"
                                 << "no answer to the handshake within 0.3 s";
        QTest::newRow("closes at once") << nothing << nothing << true << "ConnectionLost"
                                        << "";
        QTest::newRow("2 GB announced") << nothing << QByteArray("$2147483648\r\n") << false << "Protocol"
                                        << "2147483648 bytes was announced";
        QTest::newRow("4 billion items announced") << nothing << QByteArray("%4294967295\r\n") << false << "Protocol"
                                                   << "4294967295 entries was announced";
        QTest::newRow("nested without end") << nothing << QByteArray("*1\r\n").repeated(1000) << false << "Protocol"
                                            << "nested deeper";
        QTest::newRow("half a reply, silence")
            << nothing << QByteArray("%7\r\n$6\r\nserver\r\n$5\r\nre") << false << "Timeout"
            << "handshake";
        QTest::newRow("half a reply, closed")
            << nothing << QByteArray("%7\r\n$6\r\nserver\r\n$5\r\nre") << true << "ConnectionLost"
            << "";
        QTest::newRow("an endless line") << nothing << '+' + QByteArray(200000, 'a') << false << "Protocol"
                                         << "line of more than";
        QTest::newRow("garbage") << nothing << QByteArray::fromHex("00ff17030300") << false << "Protocol"
                                 << "not a Redis server";
        QTest::newRow("a broken reply") << nothing << QByteArray("$3\r\nabcdef\r\n") << false << "Protocol"
                                        << "does not end";
        QTest::newRow("too many clients")
            << QByteArray("-ERR max number of clients reached\r\n") << nothing << false << "ServerReply"
            << "max number of clients";
    }
    void whatIsNoRedisServerIsNamedInTime() {
        QFETCH(QByteArray, greeting);
        QFETCH(QByteArray, answer);
        QFETCH(bool, closes);
        QFETCH(QString, code);
        QFETCH(QString, words);
        const test::BadServer server(
            {greeting, answer, closes ? test::BadServer::Afterwards::Close : test::BadServer::Afterwards::KeepSilent});
        ConnectionOptions options = server.options();
        options.openTimeout = 300ms;
        options.firstRetry = 1h;
        options.lastRetry = 1h;
        connectTo(options);
        QTRY_COMPARE_WITH_TIMEOUT(m_connection->state(), State::Waiting, 2000);
        QCOMPARE(wordFor(m_connection->lastError().code), code);
        QVERIFY2(m_connection->lastError().text.contains(words), qPrintable(m_connection->lastError().text));
        QCOMPARE(server.connections(), 1);
    }

private:
    void connectTo(const ConnectionOptions& options, const std::function<void(const Connection&)>& watch = {}) {
        m_connection = std::make_unique<Connection>(
            options, [endpoint = options.endpoint] { return makeSocketTransport(endpoint); }, m_clock);
        if (watch)
            connect(m_connection.get(), &Connection::stateChanged, this, [this, watch] { watch(*m_connection); });
        m_connection->open();
    }
    [[nodiscard]] bool ready() {
        const Result<Done> ready = test::waitFor(getReady(m_connection.get()));
        if (!ready)
            qWarning("not ready: %s; %s", qPrintable(ready.error().text), qPrintable(m_connection->lastError().text));
        return ready.ok();
    }
    RespValue reply(const Command& command) {
        Result<RespValue> answer = test::waitFor(ask(m_connection.get(), command));
        if (!answer)
            qFatal("%s: %s", command.name().constData(), qPrintable(answer.error().text));
        return std::move(answer).value();
    }

    SystemClock m_clock;
    std::unique_ptr<Connection> m_connection;
};

LOCKKEEPER_TEST(TestConnectionServer, Guiless)

}  // namespace tst_connection_server

#include "tst_connection_server.moc"
