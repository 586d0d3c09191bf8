// SPDX-License-Identifier: Apache-2.0
#include "support/connectiontest.h"
#include "support/taskwait.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_handshake {

using namespace lockkeeper;
using namespace lockkeeper::redis;
using namespace std::chrono_literals;
using State = Connection::State;
using test::keep;

// From open() to ready, with all kinds of servers and refusals.
class TestHandshake : public test::ConnectionTest {
    Q_OBJECT

private Q_SLOTS:
    void opensAndShakesHands() {
        make();
        QCOMPARE(m_connection->state(), State::Closed);
        m_connection->open();
        QCOMPARE(m_connection->state(), State::Opening);
        QVERIFY(link().transport()->wasOpened);
        link().transport()->becomeOpen();
        QCOMPARE(m_connection->state(), State::Handshaking);
        QCOMPARE(link().takeCommand(), (QByteArrayList{"HELLO", "3", "SETNAME", "lockkeeper"}));
        link().reply(test::FakeLink::helloReply());
        QCOMPARE(link().takeCommand(), (QByteArrayList{"PING"}));
        QVERIFY(!m_connection->isReady());
        link().reply("+PONG\r\n");
        QVERIFY(m_connection->isReady());
        QCOMPARE(m_connection->server(), (ServerInfo{3, "7.0.15", "standalone", "master", {}, 7}));
        QCOMPARE(m_states, (QList<State>{State::Opening, State::Handshaking, State::Ready}));
    }

    void openingTwiceIsOpeningOnce() {
        make();
        m_connection->open();
        m_connection->open();
        QCOMPARE(m_server->linkCount(), size_t{1});
    }

    void helloCarriesWhatItCan_data() {
        QTest::addColumn<QByteArray>("user");
        QTest::addColumn<QByteArray>("password");
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArrayList>("hello");
        using Parts = QByteArrayList;
        QTest::newRow("nothing") << QByteArray() << QByteArray() << QByteArray() << Parts{"HELLO", "3"};
        QTest::newRow("password") << QByteArray() << QByteArray("pw") << QByteArray()
                                  << Parts{"HELLO", "3", "AUTH", "default", "pw"};
        QTest::newRow("user") << QByteArray("u") << QByteArray("p w") << QByteArray("n")
                              << Parts{"HELLO", "3", "AUTH", "u", "p w", "SETNAME", "n"};
    }
    void helloCarriesWhatItCan() {
        QFETCH(QByteArray, user);
        QFETCH(QByteArray, password);
        QFETCH(QByteArray, name);
        QFETCH(QByteArrayList, hello);
        m_options.credentials = Credentials{user, password};
        m_options.clientName = name;
        make();
        m_connection->open();
        link().transport()->becomeOpen();
        QCOMPARE(link().takeCommand(), hello);
    }

    void shakesHandsWithAnyServer_data() {
        QTest::addColumn<QByteArray>("password");
        QTest::addColumn<int>("database");
        QTest::addColumn<QList<QByteArray>>(
            "play");  // expected command line, answer, expected command line, answer, ...
        using Play = QList<QByteArray>;
        const QByteArray hello = test::FakeLink::helloReply();
        const QByteArray noHello = "-ERR unknown command `HELLO`, with args beginning with: `3`, \r\n";
        const QByteArray info = test::bulk("# Server\r\nredis_version:5.0.14\r\nredis_git_sha1:00000000\r\n");
        QTest::newRow("RESP3, another database")
            << QByteArray() << 5
            << Play{"HELLO 3 SETNAME lockkeeper", hello, "PING", "+PONG\r\n", "SELECT 5", "+OK\r\n"};
        QTest::newRow("PING is not permitted")
            << QByteArray() << 0
            << Play{"HELLO 3 SETNAME lockkeeper", hello, "PING", "-NOPERM this user has no permissions\r\n"};
        QTest::newRow("older than 6.0")
            << QByteArray() << 0
            << Play{"HELLO 3 SETNAME lockkeeper", noHello,  "PING", "+PONG\r\n", "INFO server", info,
                    "CLIENT SETNAME lockkeeper",  "+OK\r\n"};
        QTest::newRow("older than 6.0, password, database") << QByteArray("pw") << 2
                                                            << Play{"HELLO 3 AUTH default pw SETNAME lockkeeper",
                                                                    noHello,
                                                                    "AUTH pw",
                                                                    "+OK\r\n",
                                                                    "PING",
                                                                    "+PONG\r\n",
                                                                    "INFO server",
                                                                    info,
                                                                    "CLIENT SETNAME lockkeeper",
                                                                    "+OK\r\n",
                                                                    "SELECT 2",
                                                                    "+OK\r\n"};
        QTest::newRow("no RESP3") << QByteArray() << 0
                                  << Play{"HELLO 3 SETNAME lockkeeper",
                                          "-NOPROTO unsupported protocol version\r\n",
                                          "PING",
                                          "+PONG\r\n",
                                          "INFO server",
                                          info,
                                          "CLIENT SETNAME lockkeeper",
                                          "+OK\r\n"};
        QTest::newRow("HELLO is not permitted")
            << QByteArray() << 0
            << Play{"HELLO 3 SETNAME lockkeeper",
                    "-NOPERM this user has no permissions to run the 'hello' command\r\n",
                    "PING",
                    "+PONG\r\n",
                    "INFO server",
                    "-NOPERM this user has no permissions to run the 'info' command\r\n",
                    "CLIENT SETNAME lockkeeper",
                    "+OK\r\n"};
        QTest::newRow("the name is refused") << QByteArray() << 0 << Play{"HELLO 3 SETNAME lockkeeper",
                                                                          noHello,
                                                                          "PING",
                                                                          "+PONG\r\n",
                                                                          "INFO server",
                                                                          info,
                                                                          "CLIENT SETNAME lockkeeper",
                                                                          "-ERR no names here\r\n"};
    }
    void shakesHandsWithAnyServer() {
        QFETCH(QByteArray, password);
        QFETCH(int, database);
        QFETCH(QList<QByteArray>, play);
        m_options.credentials.password = password;
        m_options.database = database;
        make();
        m_connection->open();
        link().transport()->becomeOpen();
        for (qsizetype step = 0; step + 1 < play.size(); step += 2) {
            QByteArrayList lines;
            for (const QByteArrayList& command : link().takeCommands())
                lines += command.join(' ');
            QCOMPARE(lines.join('+'), play[step]);
            link().reply(play[step + 1]);
        }
        QCOMPARE(m_connection->state(), State::Ready);
        QCOMPARE(m_connection->server().protocol, play[1].startsWith('%') ? 3 : 2);
    }

    void refusedHandshakesSayWhy_data() {
        QTest::addColumn<QByteArray>("answer");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("words");
        QTest::newRow("no password given")
            << QByteArray("-NOAUTH HELLO must be called with the client already authenticated\r\n") << "Auth"
            << "HELLO must be called";
        QTest::newRow("wrong password") << QByteArray(
                                               "-WRONGPASS invalid username-password pair or user is disabled.\r\n")
                                        << "Auth"
                                        << "invalid username-password";
        QTest::newRow("still loading") << QByteArray("-LOADING Redis is loading the dataset in memory\r\n")
                                       << "ServerReply"
                                       << "LOADING";
        QTest::newRow("not an answer to HELLO") << QByteArray("+OK\r\n") << "Protocol"
                                                << "unexpected answer to HELLO: 'OK'";
        QTest::newRow("TLS") << QByteArray("\x15\x03\x01\x00\x02\x02\x46", 7) << "Protocol"
                             << "the server speaks TLS";
        QTest::newRow("HTTP") << QByteArray("HTTP/1.1 400 Bad Request\r\n") << "Protocol"
                              << "not a Redis server: it says 'HTTP/1.1 400 Bad Request";
        QTest::newRow("SSH") << QByteArray("SSH-2.0-OpenSSH_9.2p1\r\n") << "Protocol"
                             << "not a Redis server: it says 'SSH-2.0-OpenSSH_9.2p1";
        QTest::newRow("a very long string") << QByteArray("$2147483648\r\n") << "Protocol"
                                            << "2147483648 bytes was announced";
    }
    void refusedHandshakesSayWhy() {
        QFETCH(QByteArray, answer);
        QFETCH(QString, code);
        QFETCH(QString, words);
        make();
        m_connection->open();
        link().transport()->becomeOpen();
        QVERIFY(!link().takeCommand().isEmpty());
        link().reply(answer);
        QCOMPARE(m_connection->state(), State::Waiting);
        QCOMPARE(wordFor(m_connection->lastError().code), code);
        QVERIFY2(m_connection->lastError().text.contains(words), qPrintable(m_connection->lastError().text));
        QVERIFY(!link().isOpen());
    }

    // Scripts that read the clock and then write would be refused there with the server's own message.
    void aServerThatIsTooOldIsRefused_data() {
        QTest::addColumn<QByteArray>("version");
        QTest::addColumn<bool>("refused");
        QTest::newRow("2.8") << QByteArray("2.8.24") << true;
        QTest::newRow("the last one that is too old") << QByteArray("3.0.7") << true;
        QTest::newRow("the first one that will do") << QByteArray("3.2.0") << false;
        QTest::newRow("10") << QByteArray("10.0.0") << false;
        QTest::newRow("it does not say") << QByteArray() << false;
    }
    void aServerThatIsTooOldIsRefused() {
        QFETCH(QByteArray, version);
        QFETCH(bool, refused);
        m_options.clientName.clear();
        make();
        m_connection->open();
        link().transport()->becomeOpen();
        QVERIFY(!link().takeCommand().isEmpty());
        link().reply("-ERR unknown command 'HELLO'\r\n");
        QCOMPARE(link().takeCommand(), QByteArrayList{"PING"});
        link().reply("+PONG\r\n");
        QCOMPARE(link().takeCommand(), (QByteArrayList{"INFO", "server"}));
        link().reply(test::bulk(version.isEmpty() ? QByteArray("# Server\r\n") : "redis_version:" + version + "\r\n"));
        QCOMPARE(m_connection->isReady(), !refused);
        if (!refused) {
            QCOMPARE(m_connection->server().version, version);
            return;
        }
        QCOMPARE(m_connection->lastError(), Error(ErrorCode::Protocol, Cause::ServerTooOld,
                                                  {QString::fromLatin1(version), QStringLiteral("3.2")}));
        QCOMPARE(m_connection->lastError().text,
                 "the server is Redis " + QString::fromLatin1(version) + "; Redis 3.2 or newer is needed");
    }

    void aPasswordIsNamedAsTheFaultWithoutHelloToo() {
        m_options.credentials.password = "pw";
        make();
        m_connection->open();
        link().transport()->becomeOpen();
        QVERIFY(!link().takeCommand().isEmpty());
        link().reply("-ERR unknown command 'HELLO'\r\n");
        QCOMPARE(link().takeCommand(), (QByteArrayList{"AUTH", "pw"}));
        link().reply("-ERR invalid password\r\n");
        QCOMPARE(m_connection->lastError(),
                 Error(ErrorCode::Auth, ReplyKind::WrongPass, QStringLiteral("ERR invalid password")));
    }

    void aDatabaseThatDoesNotExistIsNamed() {
        m_options.database = 99;
        make();
        m_connection->open();
        link().transport()->becomeOpen();
        QVERIFY(!link().takeCommand().isEmpty());
        link().reply(test::FakeLink::helloReply());
        QCOMPARE(link().takeCommand(), QByteArrayList{"PING"});
        link().reply("+PONG\r\n");
        QCOMPARE(link().takeCommand(), (QByteArrayList{"SELECT", "99"}));
        link().reply("-ERR DB index is out of range\r\n");
        QCOMPARE(m_connection->lastError(),
                 Error(ErrorCode::ServerReply, ReplyKind::Other, QStringLiteral("ERR DB index is out of range")));
    }

    // A server that restarts may load its dataset for a while; it answers HELLO during that time.
    void aLoadingServerIsTriedAgainUntilItHasLoaded() {
        make();
        m_connection->open();
        for (int attempt = 0; attempt < 3; ++attempt) {
            link().transport()->becomeOpen();
            QVERIFY(!link().takeCommand().isEmpty());
            link().reply(test::FakeLink::helloReply());
            QCOMPARE(link().takeCommand(), QByteArrayList{"PING"});
            link().reply("-LOADING Redis is loading the dataset in memory\r\n");
            QCOMPARE(m_connection->state(), State::Waiting);
            advanceTo(State::Opening, m_options.lastRetry);
        }
        link().shakeHands();
        QVERIFY(m_connection->isReady());
        QVERIFY2(m_states.count(State::Ready) == 1, "was ready while it loaded");
    }

    void whatAServerSaysUnaskedIsTheReason() {
        make();
        m_connection->open();
        link().transport()->becomeOpen();
        link().transport()->receive("-ERR max number of clients reached\r\n");
        QCOMPARE(m_connection->lastError(), Error(ErrorCode::ServerReply, ReplyKind::MaxClients,
                                                  QStringLiteral("ERR max number of clients reached")));
    }

    void givesUpOpeningInTime_data() {
        QTest::addColumn<bool>("opens");
        QTest::addColumn<Cause>("cause");
        QTest::newRow("cannot be reached") << false << Cause::NoConnectionInTime;
        QTest::newRow("silent") << true << Cause::NoHandshakeInTime;
    }
    void givesUpOpeningInTime() {
        QFETCH(bool, opens);
        QFETCH(Cause, cause);
        make();
        m_connection->open();
        if (opens)
            link().transport()->becomeOpen();
        m_clock->advance(4999ms);
        QCOMPARE(m_connection->state(), opens ? State::Handshaking : State::Opening);
        m_clock->advance(1ms);
        QCOMPARE(m_connection->state(), State::Waiting);
        QCOMPARE(m_connection->lastError(), Error(ErrorCode::Timeout, cause, {QStringLiteral("5")}));
    }

    // No command that causes pushes was sent yet.
    void aPushEndsTheHandshake() {
        make();
        m_connection->open();
        link().transport()->becomeOpen();
        link().transport()->receive(">2\r\n$10\r\ninvalidate\r\n*1\r\n$1\r\nL\r\n");
        QCOMPARE(m_connection->state(), State::Waiting);
        QCOMPARE(m_connection->lastError().cause, Cause::UnrequestedPush);
    }

    void theOpenTimeOutEndsWithTheHandshake() {
        makeReady();
        m_clock->advance(m_options.openTimeout + 1ms);
        QVERIFY(m_connection->isReady());
    }
};

LOCKKEEPER_TEST(TestHandshake, Guiless)

}  // namespace tst_handshake

#include "tst_handshake.moc"
