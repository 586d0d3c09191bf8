#include "redis/connection.h"
#include "support/fakeserver.h"
#include "support/manualclock.h"
#include "support/taskwait.h"

#include <QMetaEnum>
#include <QSet>
#include <QTest>

using namespace lockkeeper;
using namespace lockkeeper::redis;
using namespace std::chrono_literals;
using State = Connection::State;

namespace {

// What became of one command.
struct Answer {
    std::optional<Result<RespValue>> result;

    [[nodiscard]] bool has() const { return result.has_value(); }
    [[nodiscard]] QByteArray text() const {
        return has() && result->ok() ? result->value().bytes : QByteArray("(none)");
    }
    // The error's word; empty when there is no error.
    [[nodiscard]] QString error() const { return has() && !result->ok() ? wordFor(result->error().code) : QString(); }
};
using AnswerPtr = std::shared_ptr<Answer>;

AnswerPtr keep(const Completion<RespValue>& completion) {
    auto answer = std::make_shared<Answer>();
    completion.then([answer](Result<RespValue> result) { answer->result.emplace(std::move(result)); });
    return answer;
}

const Command get("GET", {"k"});
const Command set("SET", {"k", "v"});

QByteArray subscribed(const QByteArray& channel, int count) {
    return ">3\r\n" + test::bulk("subscribe") + test::bulk(channel) + test::number(count);
}

}  // namespace

class TestConnection : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_clock = std::make_unique<test::ManualClock>();
        m_server = std::make_unique<test::FakeServer>();
        m_options = ConnectionOptions();
        m_states.clear();
    }
    void cleanup() {
        m_connection.reset();
        test::turnEventLoop();
    }

    // ---- opening ----

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
        QCOMPARE(m_connection->server(), (ServerInfo{3, "7.0.15", "standalone", "master", 7}));
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
        QTest::newRow("RESP3, another database")
            << QByteArray() << 5
            << Play{"HELLO 3 SETNAME lockkeeper", hello, "PING", "+PONG\r\n", "SELECT 5", "+OK\r\n"};
        QTest::newRow("PING is not permitted")
            << QByteArray() << 0
            << Play{"HELLO 3 SETNAME lockkeeper", hello, "PING", "-NOPERM this user has no permissions\r\n"};
        QTest::newRow("older than 6.0") << QByteArray() << 0
                                        << Play{"HELLO 3 SETNAME lockkeeper", noHello,  "PING", "+PONG\r\n",
                                                "CLIENT SETNAME lockkeeper",  "+OK\r\n"};
        QTest::newRow("older than 6.0, password, database")
            << QByteArray("pw") << 2 << Play{"HELLO 3 AUTH default pw SETNAME lockkeeper",
                                             noHello,
                                             "AUTH pw",
                                             "+OK\r\n",
                                             "PING",
                                             "+PONG\r\n",
                                             "CLIENT SETNAME lockkeeper",
                                             "+OK\r\n",
                                             "SELECT 2",
                                             "+OK\r\n"};
        QTest::newRow("no RESP3") << QByteArray() << 0
                                  << Play{"HELLO 3 SETNAME lockkeeper",
                                          "-NOPROTO unsupported protocol version\r\n",
                                          "PING",
                                          "+PONG\r\n",
                                          "CLIENT SETNAME lockkeeper",
                                          "+OK\r\n"};
        QTest::newRow("HELLO is not permitted")
            << QByteArray() << 0
            << Play{"HELLO 3 SETNAME lockkeeper",
                    "-NOPERM this user has no permissions to run the 'hello' command\r\n",
                    "PING",
                    "+PONG\r\n",
                    "CLIENT SETNAME lockkeeper",
                    "+OK\r\n"};
        QTest::newRow("the name is refused")
            << QByteArray() << 0
            << Play{"HELLO 3 SETNAME lockkeeper", noHello, "PING", "+PONG\r\n", "CLIENT SETNAME lockkeeper",
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

    void aPasswordIsNamedAsTheFaultWithoutHelloToo() {
        m_options.credentials.password = "pw";
        make();
        m_connection->open();
        link().transport()->becomeOpen();
        QVERIFY(!link().takeCommand().isEmpty());
        link().reply("-ERR unknown command 'HELLO'\r\n");
        QCOMPARE(link().takeCommand(), (QByteArrayList{"AUTH", "pw"}));
        link().reply("-ERR invalid password\r\n");
        QCOMPARE(m_connection->lastError(), Error(ErrorCode::Auth, QStringLiteral("ERR invalid password")));
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
                 Error(ErrorCode::ServerReply, QStringLiteral("ERR DB index is out of range")));
    }

    // The dataset of a server that restarts may take a while to load; HELLO is answered meanwhile.
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
        QCOMPARE(m_connection->lastError(),
                 Error(ErrorCode::ServerReply, QStringLiteral("ERR max number of clients reached")));
    }

    void givesUpOpeningInTime_data() {
        QTest::addColumn<bool>("opens");
        QTest::addColumn<QString>("words");
        QTest::newRow("cannot be reached") << false << "no connection within 5 s";
        QTest::newRow("silent") << true << "no answer to the handshake within 5 s";
    }
    void givesUpOpeningInTime() {
        QFETCH(bool, opens);
        QFETCH(QString, words);
        make();
        m_connection->open();
        if (opens)
            link().transport()->becomeOpen();
        m_clock->advance(4999ms);
        QCOMPARE(m_connection->state(), opens ? State::Handshaking : State::Opening);
        m_clock->advance(1ms);
        QCOMPARE(m_connection->state(), State::Waiting);
        QCOMPARE(m_connection->lastError(), Error(ErrorCode::Timeout, words));
    }

    void theOpenTimeOutEndsWithTheHandshake() {
        makeReady();
        m_clock->advance(m_options.openTimeout + 1ms);
        QVERIFY(m_connection->isReady());
    }

    // ---- commands and replies ----

    void oneTurnIsOneWrite() {
        makeReady();
        const int before = link().transport()->writes;
        const auto a = keep(m_connection->send(get));
        const auto b = keep(m_connection->send(set));
        const auto c = keep(m_connection->send(get));
        QCOMPARE(link().transport()->writes, before);
        QCOMPARE(link().takeCommands().size(), 3);
        QCOMPARE(link().transport()->writes, before + 1);
    }

    void whatRepliesCauseLeavesInOneWrite() {
        makeReady();
        for (int i = 0; i < 3; ++i)
            m_connection->send(get).then([this](const Result<RespValue>&) { keep(m_connection->send(set)); });
        QCOMPARE(link().takeCommands().size(), 3);
        const int before = link().transport()->writes;
        link().reply("+1\r\n+2\r\n+3\r\n");
        QCOMPARE(link().takeCommands().size(), 3);
        QCOMPARE(link().transport()->writes, before + 1);
    }

    void repliesComeInOrder() {
        makeReady();
        const auto a = keep(m_connection->send(get));
        const auto b = keep(m_connection->send(set));
        const auto c = keep(m_connection->send(get));
        test::turnEventLoop();
        link().reply("+a\r\n-ERR b\r\n$1");
        QCOMPARE(a->text(), "a");
        QCOMPARE(b->result->error(), Error(ErrorCode::ServerReply, QStringLiteral("ERR b")));
        QVERIFY(!c->has());
        link().reply("\r\nc\r\n");
        QCOMPARE(c->text(), "c");
    }

    void errorRepliesAreTold_data() {
        QTest::addColumn<QByteArray>("reply");
        QTest::addColumn<QString>("code");
        QTest::newRow("plain") << QByteArray("ERR no") << "ServerReply";
        QTest::newRow("wrong type") << QByteArray("WRONGTYPE Operation against a key holding the wrong kind of value")
                                    << "ServerReply";
        QTest::newRow("not permitted") << QByteArray("NOPERM this user has no permissions to run the 'evalsha' command")
                                       << "NotPermitted";
        QTest::newRow("protected mode") << QByteArray("DENIED Redis is running in protected mode") << "NotPermitted";
        QTest::newRow("not permitted inside a script, 7.2")
            << QByteArray(
                   "ERR ACL failure in script: No permissions to run the "
                   "'hincrby' command script: 0123, on @user_script:7.")
            << "NotPermitted";
        QTest::newRow("not permitted inside a script, 7.0")
            << QByteArray(
                   "ERR The user executing the script can't run this command or subcommand script: 0123, on "
                   "@user_script:6.")
            << "NotPermitted";
        QTest::newRow("no password") << QByteArray("NOAUTH Authentication required.") << "Auth";
        QTest::newRow("replica") << QByteArray("READONLY You can't write against a read only replica.")
                                 << "ServerReply";
    }
    void errorRepliesAreTold() {
        QFETCH(QByteArray, reply);
        QFETCH(QString, code);
        makeReady();
        const auto answer = keep(m_connection->send(get));
        test::turnEventLoop();
        link().reply('-' + reply + "\r\n");
        QCOMPARE(answer->error(), code);
        QCOMPARE(answer->result->error().text, QString::fromLatin1(reply));
        QVERIFY(m_connection->isReady());
    }

    void aCommandWhileNotReadyIsRefusedAtOnce() {
        make();
        QCOMPARE(keep(m_connection->send(get))->error(), "ConnectionLost");
        m_connection->open();
        QCOMPARE(keep(m_connection->send(get))->error(), "ConnectionLost");
        link().transport()->becomeOpen();
        QCOMPARE(keep(m_connection->send(set))->error(), "ConnectionLost");
        QCOMPARE(link().takeCommand().value(0), "HELLO");
    }

    void aReplyNobodyAskedForEndsTheConnection_data() {
        QTest::addColumn<bool>("queued");
        QTest::newRow("nothing was sent") << false;
        QTest::newRow("a command waits, but has not left") << true;
    }
    void aReplyNobodyAskedForEndsTheConnection() {
        QFETCH(bool, queued);
        makeReady();
        const auto answer = queued ? keep(m_connection->send(set)) : nullptr;
        link().transport()->receive("+surprise\r\n");
        QCOMPARE(m_connection->state(), State::Waiting);
        QCOMPARE(m_connection->lastError(),
                 Error(ErrorCode::Protocol, QStringLiteral("an answer that nobody asked for: 'surprise'")));
        if (answer)
            QCOMPARE(answer->error(), "ConnectionLost");
    }

    void garbageInTheMiddleEndsTheConnection() {
        makeReady();
        const auto answer = keep(m_connection->send(get));
        test::turnEventLoop();
        link().reply("$3\r\nabcdef\r\n");
        QCOMPARE(m_connection->state(), State::Waiting);
        QCOMPARE(m_connection->lastError().code, ErrorCode::Protocol);
        QCOMPARE(answer->error(), "ConnectionLost");
    }

    // Whoever stops waiting leaves a place in the queue, and the next one gets his own answer.
    void aLateReplyKeepsItsPlace() {
        makeReady();
        const Completion<RespValue> impatient = m_connection->send(set);
        QList<QByteArray> late;
        impatient.whenAbandoned([&late](const Result<RespValue>& reply) { late += reply.value().bytes; });
        const auto result = test::start(waitFor(impatient, Deadline::in(*m_clock, 100ms)));
        const auto patient = keep(m_connection->send(get));
        test::turnEventLoop();
        m_clock->advance(100ms);
        QCOMPARE((*result)->error().code, ErrorCode::Timeout);
        link().reply("+first\r\n+second\r\n");
        QCOMPARE(late, QList<QByteArray>{"first"});
        QCOMPARE(patient->text(), "second");
    }

    void refusesMoreThanItKeeps() {
        m_options.maxPending = 2;
        makeReady();
        const auto a = keep(m_connection->send(get));
        const auto b = keep(m_connection->send(get));
        QCOMPARE(keep(m_connection->send(get))->error(), "Overloaded");
        QCOMPARE(link().takeCommands().size(), 2);
        link().reply("+1\r\n");
        const auto c = keep(m_connection->send(get));
        QVERIFY(!c->has());
    }

    void countsWhatItSent() {
        makeReady();
        const quint64 handshake = m_connection->commandsSent();
        QCOMPARE(handshake, quint64{2});
        keep(m_connection->send(get));
        QCOMPARE(m_connection->commandsSent(), handshake + 1);
    }

    // ---- read-only ----

    void readOnlySendsNoWrite_data() {
        QTest::addColumn<QByteArrayList>("parts");
        QTest::addColumn<bool>("passes");
        using Parts = QByteArrayList;
        QTest::newRow("GET") << Parts{"GET", "k"} << true;
        QTest::newRow("EVAL_RO") << Parts{"EVAL_RO", "return 1", "0"} << true;
        QTest::newRow("SUBSCRIBE") << Parts{"SUBSCRIBE", "c"} << true;
        QTest::newRow("client tracking") << Parts{"client", "tracking", "on"} << true;
        QTest::newRow("SET") << Parts{"SET", "k", "v"} << false;
        QTest::newRow("set") << Parts{"set", "k", "v"} << false;
        QTest::newRow("DEL") << Parts{"DEL", "k"} << false;
        QTest::newRow("EVAL") << Parts{"EVAL", "return 1", "0"} << false;
        QTest::newRow("EVALSHA") << Parts{"EVALSHA", "0", "0"} << false;
        QTest::newRow("PUBLISH") << Parts{"PUBLISH", "c", "0"} << false;
        QTest::newRow("CONFIG SET") << Parts{"CONFIG", "SET", "a", "b"} << false;
        QTest::newRow("CLIENT KILL") << Parts{"CLIENT", "KILL", "ID", "1"} << false;
        QTest::newRow("unheard of") << Parts{"FROBNICATE"} << false;
    }
    void readOnlySendsNoWrite() {
        QFETCH(QByteArrayList, parts);
        QFETCH(bool, passes);
        m_options.access = AccessMode::ReadOnly;
        makeReady();
        const quint64 before = m_connection->commandsSent();
        const auto answer = keep(m_connection->send(Command(parts.first(), parts.mid(1))));
        test::turnEventLoop();
        QCOMPARE(answer->error(), passes ? QString() : QStringLiteral("NotPermitted"));
        QCOMPARE(!link().transport()->written.isEmpty(), passes);
        QCOMPARE(m_connection->commandsSent(), before + (passes ? 1 : 0));
    }

    // ---- pushes ----

    void resp3PushesAreNoReplies() {
        makeReady();
        const auto answer = keep(m_connection->send(get));
        test::turnEventLoop();
        link().reply(">2\r\n$10\r\ninvalidate\r\n*1\r\n$1\r\nL\r\n" + test::pushOf({"message", "c", "0"}) +
                     "+mine\r\n" + test::pushOf({"pmessage", "*", "c", "1"}));
        QCOMPARE(answer->text(), "mine");
        QCOMPARE(pushKinds(), (QByteArrayList{"invalidate", "message", "pmessage"}));
    }

    void aSubscriptionIsConfirmedToTheOneWhoAsked() {
        makeReady();
        const auto subscription = keep(m_connection->send(Command("SUBSCRIBE", {"c"})));
        const auto read = keep(m_connection->send(get));
        test::turnEventLoop();
        link().reply(subscribed("c", 1) + test::pushOf({"message", "c", "hi"}) + "+read\r\n");
        QVERIFY(subscription->has() && subscription->result->ok());
        QCOMPARE(read->text(), "read");
        QCOMPARE(pushKinds(), QByteArrayList{"message"});
    }

    void aRefusedSubscriptionIsAnError() {
        makeReady();
        const auto subscription = keep(m_connection->send(Command("SUBSCRIBE", {"c"})));
        test::turnEventLoop();
        link().reply("-NOPERM this user has no permissions to access one of the channels used as arguments\r\n");
        QCOMPARE(subscription->error(), "NotPermitted");
    }

    // A cluster ends the subscription to a channel whose slot moves away.
    void aSubscriptionThatTheServerEndsIsAPush() {
        makeReady();
        link().reply(">3\r\n$12\r\nsunsubscribe\r\n$1\r\nc\r\n:0\r\n");
        QCOMPARE(pushKinds(), QByteArrayList{"sunsubscribe"});
        QVERIFY(m_connection->isReady());
    }

    void linesOfMonitorAreToldFromReplies_data() {
        QTest::addColumn<bool>("resp3");
        QTest::newRow("RESP2") << false;
        QTest::newRow("RESP3") << true;
    }
    void linesOfMonitorAreToldFromReplies() {
        QFETCH(bool, resp3);
        resp3 ? makeReady() : makeReadyResp2();
        const auto monitor = keep(m_connection->send(Command("MONITOR")));
        const auto ping = keep(m_connection->send(Command("PING")));
        test::turnEventLoop();
        const QByteArray line = "1700000000.123456 [0 127.0.0.1:53422] \"GET\" \"k\"";
        link().reply("+OK\r\n+" + line + "\r\n+PONG\r\n+" + line + "\r\n");
        QCOMPARE(monitor->text(), "OK");
        QCOMPARE(ping->text(), "PONG");
        QCOMPARE(m_pushes, (QList<RespValue>{RespValue::simple(line), RespValue::simple(line)}));
        QVERIFY(m_connection->isReady());
    }

    void linesOfMonitorAreNoPushesWhereItIsRefusedOrOver_data() {
        QTest::addColumn<QByteArray>("answer");
        QTest::newRow("refused") << QByteArray("-NOPERM no\r\n");
        QTest::newRow("of the connection before") << QByteArray("+OK\r\n");
    }
    void linesOfMonitorAreNoPushesWhereItIsRefusedOrOver() {
        QFETCH(QByteArray, answer);
        makeReady();
        const auto monitor = keep(m_connection->send(Command("MONITOR")));
        test::turnEventLoop();
        link().reply(answer);
        if (!answer.startsWith('-')) {
            link().lose();
            reconnect();
        }
        link().reply("+1700000000.123456 [0 127.0.0.1:53422] \"GET\" \"k\"\r\n");
        QVERIFY(m_pushes.isEmpty());
        QCOMPARE(m_connection->state(), State::Waiting);
    }

    void resp2MessagesAreToldFromReplies() {
        makeReadyResp2();
        const auto subscription = keep(m_connection->send(Command("SUBSCRIBE", {"c"})));
        const auto ping = keep(m_connection->send(Command("PING")));
        test::turnEventLoop();
        const QByteArray message = "*3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$1\r\n0\r\n";
        link().reply("*3\r\n$9\r\nsubscribe\r\n$1\r\nc\r\n:1\r\n" + message + "*2\r\n$4\r\npong\r\n$0\r\n\r\n" +
                     message);
        QVERIFY(subscription->has() && subscription->result->ok());
        QVERIFY(ping->has() && ping->result->ok());
        QCOMPARE(pushKinds(), (QByteArrayList{"message", "message"}));
    }

    void resp2ArraysThatLookLikeMessagesAreRepliesWhereNothingIsSubscribed_data() {
        QTest::addColumn<bool>("subscribedBefore");
        QTest::newRow("never subscribed") << false;
        QTest::newRow("not any more") << true;
    }
    void resp2ArraysThatLookLikeMessagesAreRepliesWhereNothingIsSubscribed() {
        QFETCH(bool, subscribedBefore);
        makeReadyResp2();
        if (subscribedBefore) {
            keep(m_connection->send(Command("SUBSCRIBE", {"c"})));
            keep(m_connection->send(Command("UNSUBSCRIBE", {"c"})));
            test::turnEventLoop();
            link().reply("*3\r\n$9\r\nsubscribe\r\n$1\r\nc\r\n:1\r\n*3\r\n$11\r\nunsubscribe\r\n$1\r\nc\r\n:0\r\n");
        }
        const auto answer = keep(m_connection->send(Command("LRANGE", {"l", "0", "-1"})));
        test::turnEventLoop();
        link().reply("*3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$1\r\n0\r\n");
        QVERIFY(answer->has() && answer->result->ok());
        QVERIFY(m_pushes.isEmpty());
    }

    // ---- loss ----

    void whatALossMeansToEachCommand() {
        makeReady();
        const auto read = keep(m_connection->send(get));
        const auto write = keep(m_connection->send(set));
        const auto subscription = keep(m_connection->send(Command("SUBSCRIBE", {"c"})));
        test::turnEventLoop();
        const auto unsentRead = keep(m_connection->send(get));
        const auto unsentWrite = keep(m_connection->send(set));
        link().lose();
        QCOMPARE(read->error(), "ConnectionLost");
        QCOMPARE(write->error(), "OutcomeUnknown");
        QCOMPARE(subscription->error(), "ConnectionLost");
        QCOMPARE(unsentRead->error(), "ConnectionLost");
        QCOMPARE(unsentWrite->error(), "ConnectionLost");
        QCOMPARE(m_connection->state(), State::Waiting);
    }

    void anAnsweredCommandIsNotLost() {
        makeReady();
        const auto first = keep(m_connection->send(set));
        const auto second = keep(m_connection->send(set));
        test::turnEventLoop();
        link().reply("+OK\r\n");
        link().lose();
        QCOMPARE(first->text(), "OK");
        QCOMPARE(second->error(), "OutcomeUnknown");
    }

    void nothingIsSentAgain() {
        makeReady();
        keep(m_connection->send(set));
        test::turnEventLoop();
        keep(m_connection->send(get));
        link().lose();
        reconnect();
        QVERIFY(link().takeCommands().isEmpty());
    }

    void aPartialReplyDoesNotReachTheNextConnection() {
        makeReady();
        keep(m_connection->send(get));
        test::turnEventLoop();
        link().reply("$10\r\nabc");
        link().lose();
        reconnect();
        const auto answer = keep(m_connection->send(get));
        test::turnEventLoop();
        link().reply("+new\r\n");
        QCOMPARE(answer->text(), "new");
    }

    void closingFailsWhatIsUnanswered() {
        makeReady();
        const auto read = keep(m_connection->send(get));
        const auto write = keep(m_connection->send(set));
        test::turnEventLoop();
        const auto unsent = keep(m_connection->send(set));
        m_connection->close();
        QCOMPARE(read->error(), "ConnectionLost");
        QCOMPARE(write->error(), "OutcomeUnknown");
        QCOMPARE(unsent->error(), "ConnectionLost");
        QCOMPARE(m_connection->state(), State::Closed);
        QVERIFY2(!m_clock->hasTimers(), "a closed connection has nothing to wait for");
        m_connection->open();
        link().shakeHands();
        QVERIFY(m_connection->isReady());
    }

    void destructionFailsWhatIsUnanswered() {
        makeReady();
        const auto write = keep(m_connection->send(set));
        test::turnEventLoop();
        m_connection.reset();
        QCOMPARE(write->error(), "OutcomeUnknown");
        QVERIFY(!m_clock->hasTimers());
    }

    // ---- health ----

    void asksASilentServerWhetherItIsThere() {
        makeReady();
        m_clock->advance(m_options.keepaliveInterval - 1ms);
        QVERIFY(link().takeCommands().isEmpty());
        m_clock->advance(1ms);
        QCOMPARE(link().takeCommands(), QList<QByteArrayList>{{"PING"}});
        link().reply("+PONG\r\n");
        QVERIFY(m_connection->isReady());
    }

    void doesNotAskOneThatTalks() {
        makeReady();
        for (int i = 0; i < 10; ++i) {
            m_clock->advance(m_options.keepaliveInterval / 2);
            link().reply(test::pushOf({"message", "c", "0"}));
        }
        QVERIFY(link().takeCommands().isEmpty());
    }

    void findsADeadServer() {
        makeReady();
        const auto answer = keep(m_connection->send(set));
        test::turnEventLoop();
        m_clock->advance(m_options.commandTimeout - 1ms);
        QVERIFY(m_connection->isReady());
        advanceTo(State::Waiting, m_options.commandTimeout / 2 + 1ms);
        QCOMPARE(m_connection->lastError(),
                 Error(ErrorCode::Timeout, QStringLiteral("the server has not answered for 10 s")));
        QCOMPARE(answer->error(), "OutcomeUnknown");
    }

    void findsADeadServerThatNobodyAsks() {
        makeReady();
        m_clock->advance(m_options.keepaliveInterval);
        QCOMPARE(link().takeCommands(), QList<QByteArrayList>{{"PING"}});
        advanceTo(State::Waiting, m_options.commandTimeout * 3 / 2);
    }

    // ---- coming back ----

    void comesBackWithGrowingPauses() {
        make();
        m_connection->open();
        Milliseconds full = m_options.firstRetry;
        for (int attempt = 1; attempt <= 12; ++attempt) {
            const size_t links = m_server->linkCount();
            link().lose(ErrorCode::ConnectionRefused);
            QCOMPARE(m_connection->lastError().code, ErrorCode::ConnectionRefused);
            m_clock->advance(full / 2 - 1ms);
            QVERIFY2(m_server->linkCount() == links, "too early");
            m_clock->advance(full / 2 + 1ms);
            QVERIFY2(m_server->linkCount() == links + 1, "too late");
            full = std::min(full * 2, m_options.lastRetry);
        }
    }

    void pausesDiffer() {
        QSet<qint64> pauses;
        for (int i = 0; i < 20; ++i) {
            init();
            make();
            m_connection->open();
            link().lose();
            pauses += advanceTo(State::Opening, m_options.firstRetry).count();
            cleanup();
        }
        QVERIFY2(pauses.size() > 3, "clients that lost the same server would all come back in the same moment");
    }

    void successResetsThePause() {
        make();
        m_connection->open();
        for (int i = 0; i < 8; ++i) {
            link().lose();
            advanceTo(State::Opening, m_options.lastRetry);
        }
        link().shakeHands();
        QVERIFY(m_connection->isReady());
        const size_t links = m_server->linkCount();
        link().lose();
        m_clock->advance(m_options.firstRetry);
        QCOMPARE(m_server->linkCount(), links + 1);
    }

    void readyIsAwaited() {
        make();
        QCOMPARE(wordOf(m_connection->whenReady()), "ConnectionLost");
        m_connection->open();
        const Completion<Done> ready = m_connection->whenReady();
        link().lose();
        advanceTo(State::Opening, m_options.lastRetry);
        QVERIFY2(!ready.isCompleted(), "one failed attempt is no reason to give up");
        link().shakeHands();
        QCOMPARE(wordOf(ready), "ready");
        QCOMPARE(wordOf(m_connection->whenReady()), "ready");
    }

    void closingEndsWaitingForReady() {
        make();
        m_connection->open();
        const Completion<Done> ready = m_connection->whenReady();
        m_connection->close();
        QCOMPARE(wordOf(ready), "ConnectionLost");
    }

    // ---- whoever is told may close or delete the connection ----

    void closedOrDeletedInAReply_data() { closeOrDelete(); }
    void closedOrDeletedInAReply() {
        QFETCH(bool, deletes);
        makeReady();
        m_connection->send(get).then([this, deletes](const Result<RespValue>&) { leave(deletes); });
        const auto behind = keep(m_connection->send(set));
        test::turnEventLoop();
        link().reply("+1\r\n+2\r\n");
        QCOMPARE(behind->error(), "OutcomeUnknown");
        QCOMPARE(m_connection != nullptr, !deletes);
        QVERIFY(!m_clock->hasTimers());
    }

    void closedOrDeletedInAPush_data() { closeOrDelete(); }
    void closedOrDeletedInAPush() {
        QFETCH(bool, deletes);
        makeReady();
        connect(m_connection.get(), &Connection::pushReceived, this, [this, deletes] { leave(deletes); });
        link().transport()->receive(test::pushOf({"message", "c", "0"}) + test::pushOf({"message", "c", "0"}));
        QCOMPARE(m_connection != nullptr, !deletes);
        QVERIFY(!m_clock->hasTimers());
    }

    void closedOrDeletedInAStateChange_data() {
        QTest::addColumn<bool>("deletes");
        QTest::addColumn<State>("state");
        const QMetaEnum states = QMetaEnum::fromType<State>();
        for (const State state : {State::Opening, State::Handshaking, State::Ready, State::Waiting, State::Closed}) {
            for (const bool deletes : {false, true})
                QTest::addRow("%s in %s", deletes ? "deleted" : "closed", states.valueToKey(static_cast<int>(state)))
                    << deletes << state;
        }
    }
    void closedOrDeletedInAStateChange() {
        QFETCH(bool, deletes);
        QFETCH(State, state);
        make();
        connect(m_connection.get(), &Connection::stateChanged, this, [this, deletes, state](State now) {
            if (now == state)
                leave(deletes);
        });
        AnswerPtr answer;
        m_connection->open();
        QPointer<test::FakeTransport> transport = link().transport();
        const auto ready = m_connection ? m_connection->whenReady() : Completion<Done>();
        if (m_connection && m_connection->state() != State::Closed)
            link().shakeHands();
        if (m_connection && m_connection->isReady()) {
            answer = keep(m_connection->send(set));
            test::turnEventLoop();
            if (state == State::Waiting)
                link().lose();
            else
                m_connection->close();
        }
        QCOMPARE(m_connection != nullptr, !deletes);
        if (answer)
            QCOMPARE(answer->error(), "OutcomeUnknown");
        if (state == State::Handshaking || state == State::Ready)
            QCOMPARE(wordOf(ready), "ConnectionLost");
        QVERIFY(!m_clock->hasTimers());
        QVERIFY(!transport || transport->wasClosed);
    }

    void reopenedInAStateChange() {
        make();
        m_connection->open();
        bool reopened = false;
        connect(m_connection.get(), &Connection::stateChanged, this, [this, &reopened](State now) {
            if (now == State::Waiting && !std::exchange(reopened, true)) {
                m_connection->close();
                m_connection->open();
            }
        });
        link().lose();
        QCOMPARE(m_server->linkCount(), size_t{2});
        link().shakeHands();
        m_clock->advance(m_options.lastRetry);
        QCOMPARE(m_server->linkCount(), size_t{2});
        QVERIFY(m_connection->isReady());
    }

    void aWaiterForReadyMayCloseIt() {
        make();
        m_connection->open();
        m_connection->whenReady().then([this](const Result<Done>&) { m_connection->close(); });
        const Completion<Done> second = m_connection->whenReady();
        link().shakeHands();
        QCOMPARE(wordOf(second), "ConnectionLost");
    }

private:
    static void closeOrDelete() {
        QTest::addColumn<bool>("deletes");
        QTest::newRow("closed") << false;
        QTest::newRow("deleted") << true;
    }

    static Task<Result<RespValue>> waitFor(Completion<RespValue> completion, Deadline deadline) {
        co_return co_await completion.wait(deadline);
    }

    static QString wordOf(const Completion<Done>& completion) {
        QString word = QStringLiteral("pending");
        completion.then([&word](const Result<Done>& result) {
            word = result ? QStringLiteral("ready") : wordFor(result.error().code);
        });
        completion.then([](const Result<Done>&) {});  // `word` ends here
        return word;
    }

    void make() {
        m_connection = std::make_unique<Connection>(m_options, m_server->factory(), *m_clock);
        m_pushes.clear();
        connect(m_connection.get(), &Connection::stateChanged, this, [this](State state) { m_states += state; });
        connect(m_connection.get(), &Connection::pushReceived, this,
                [this](const RespValue& push) { m_pushes += push; });
    }
    void makeReady() {
        make();
        m_connection->open();
        link().shakeHands();
        QVERIFY(m_connection->isReady());
    }
    void makeReadyResp2() {
        m_options.clientName.clear();
        make();
        m_connection->open();
        link().transport()->becomeOpen();
        QVERIFY(!link().takeCommands().isEmpty());
        link().reply("-ERR unknown command 'HELLO'\r\n");
        QCOMPARE(link().takeCommand(), QByteArrayList{"PING"});
        link().reply("+PONG\r\n");
        QVERIFY(m_connection->isReady());
    }
    // Moves the clock until the state is reached, which must be within this time; says how long it took.
    Milliseconds advanceTo(State state, Milliseconds atMost) {
        Milliseconds passed{0};
        while (m_connection->state() != state && passed < atMost) {
            m_clock->advance(1ms);
            passed += 1ms;
        }
        [&] { QCOMPARE(m_connection->state(), state); }();
        return passed;
    }
    void reconnect() {
        advanceTo(State::Opening, m_options.lastRetry);
        link().shakeHands();
        QVERIFY(m_connection->isReady());
    }
    void leave(bool deletes) {
        if (deletes)
            m_connection.reset();
        else
            m_connection->close();
    }
    [[nodiscard]] test::FakeLink& link() { return m_server->lastLink(); }
    [[nodiscard]] QByteArrayList pushKinds() const {
        QByteArrayList kinds;
        for (const RespValue& push : m_pushes)
            kinds += push.items.front().bytes;
        return kinds;
    }

    std::unique_ptr<test::ManualClock> m_clock;
    std::unique_ptr<test::FakeServer> m_server;
    ConnectionOptions m_options;
    std::unique_ptr<Connection> m_connection;
    QList<State> m_states;
    QList<RespValue> m_pushes;
};

QTEST_GUILESS_MAIN(TestConnection)
#include "tst_connection.moc"
