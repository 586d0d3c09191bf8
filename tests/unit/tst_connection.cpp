// SPDX-License-Identifier: Apache-2.0
#include "support/connectiontest.h"
#include "support/taskwait.h"
#include "support/testprogram.h"

#include <QEventLoop>
#include <QTest>
#include <QTimer>

namespace tst_connection {

using namespace lockkeeper;
using namespace lockkeeper::redis;
using namespace std::chrono_literals;
using State = Connection::State;
using test::FakeLink;
using test::keep;

namespace {

QByteArray subscribed(const QByteArray& channel, int count) {
    return ">3\r\n" + test::bulk("subscribe") + test::bulk(channel) + test::number(count);
}

const Command tracking("CLIENT", {"TRACKING", "ON"});

}  // namespace

// Commands, replies and pushes of a connection that is ready. tst_handshake tests what comes before, tst_connectionloss
// what comes after.
class TestConnection : public test::ConnectionTest {
    Q_OBJECT

private Q_SLOTS:
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

    // For example a message of a release, which arrives on a connection of its own: the command of its waiter needs
    // no further turn.
    void whatAReplyCausesOnAnotherConnectionLeavesAtTheEndOfTheTurn() {
        makeReady();
        FakeLink& first = link();
        Connection other(m_options, m_server->factory(), *m_clock);
        other.open();
        link().shakeHands();
        const int before = link().transport()->writes;
        m_connection->send(get).then([&](const Result<RespValue>&) {
            keep(other.send(set));
            keep(other.send(get));
            QCOMPARE(link().transport()->writes, before);
        });
        QCOMPARE(first.takeCommands().size(), 1);
        first.transport()->receive("+1\r\n");
        QCOMPARE(link().transport()->writes, before + 1);
        QCOMPARE(link().takeCommands().size(), 2);
    }

    // A dialog runs an event loop, and own locks must be renewed meanwhile.
    void anEventLoopInAHandlerDoesNotHoldCommandsBack_data() {
        QTest::addColumn<bool>("onAnother");
        QTest::newRow("on the same connection") << false;
        QTest::newRow("on another connection") << true;
    }
    void anEventLoopInAHandlerDoesNotHoldCommandsBack() {
        QFETCH(const bool, onAnother);
        makeReady();
        FakeLink& first = link();
        Connection other(m_options, m_server->factory(), *m_clock);
        other.open();
        link().shakeHands();
        Connection& connection = onAnother ? other : *m_connection;
        const FakeLink& used = onAnother ? link() : first;
        QList<int> writes;
        m_connection->send(get).then([&](const Result<RespValue>&) {
            const int before = used.transport()->writes;
            keep(connection.send(get));
            QEventLoop loop;
            QTimer::singleShot(0, &loop, [&] {
                writes += used.transport()->writes - before;
                keep(connection.send(set));
                QTimer::singleShot(0, &loop, [&] { loop.quit(); });
            });
            loop.exec();
            writes += used.transport()->writes - before;
        });
        QCOMPARE(first.takeCommands().size(), 1);
        first.transport()->receive("+1\r\n");
        QCOMPARE(writes, (QList<int>{1, 2}));
    }

    void repliesComeInOrder() {
        makeReady();
        const auto a = keep(m_connection->send(get));
        const auto b = keep(m_connection->send(set));
        const auto c = keep(m_connection->send(get));
        test::turnEventLoop();
        link().reply("+a\r\n-ERR b\r\n$1");
        QCOMPARE(a->text(), "a");
        QCOMPARE(b->result->error(), Error(ErrorCode::ServerReply, ReplyKind::Other, QStringLiteral("ERR b")));
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
                 Error(ErrorCode::Protocol, Cause::UnrequestedReply, {QStringLiteral("'surprise'")}));
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

    // A caller that stops waiting leaves its place in the reply queue, so the next caller gets its own answer.
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
        (void)m_connection->send(tracking);
        const auto answer = keep(m_connection->send(get));
        test::turnEventLoop();
        link().reply("+OK\r\n>2\r\n$10\r\ninvalidate\r\n*1\r\n$1\r\nL\r\n" + test::pushOf({"message", "c", "0"}) +
                     "+mine\r\n" + test::pushOf({"pmessage", "*", "c", "1"}));
        QCOMPARE(answer->text(), "mine");
        QCOMPARE(pushKinds(), (QByteArrayList{"invalidate", "message", "pmessage"}));
    }

    // A server that pushes without end what nobody asked for would otherwise keep its client busy for ever.
    void aPushThatNobodyAskedForEndsTheConnection_data() {
        QTest::addColumn<QByteArrayList>("sent");  // before the push; empty: nothing
        QTest::addColumn<bool>("isAskedFor");
        QTest::newRow("nothing was sent") << QByteArrayList() << false;
        QTest::newRow("a read") << QByteArrayList{"GET", "k"} << false;
        QTest::newRow("a script") << QByteArrayList{"EVAL", "return 1", "0"} << false;
        QTest::newRow("SUBSCRIBE") << QByteArrayList{"SUBSCRIBE", "c"} << true;
        QTest::newRow("PSUBSCRIBE") << QByteArrayList{"PSUBSCRIBE", "*"} << true;
        QTest::newRow("SSUBSCRIBE") << QByteArrayList{"SSUBSCRIBE", "c"} << true;
        QTest::newRow("CLIENT TRACKING") << QByteArrayList{"CLIENT", "TRACKING", "ON"} << true;
        QTest::newRow("MONITOR") << QByteArrayList{"MONITOR"} << true;
    }
    void aPushThatNobodyAskedForEndsTheConnection() {
        QFETCH(QByteArrayList, sent);
        QFETCH(bool, isAskedFor);
        makeReady();
        if (!sent.isEmpty()) {
            (void)m_connection->send(Command(sent.first(), sent.mid(1)));
            test::turnEventLoop();
        }
        link().reply(test::pushOf({"invalidate", "L"}));
        QCOMPARE(m_connection->isReady(), isAskedFor);
        QCOMPARE(pushKinds(), isAskedFor ? QByteArrayList{"invalidate"} : QByteArrayList());
        if (!isAskedFor)
            QCOMPARE(m_connection->lastError().cause, Cause::UnrequestedPush);
    }
    // The next connection has subscribed to nothing yet. The pauses grow, as for a server that breaks after each good
    // HELLO.
    void aServerThatPushesUnaskedIsTriedWithGrowingPauses() {
        makeReady();
        (void)m_connection->send(tracking);
        test::turnEventLoop();
        link().lose();
        Milliseconds last{0};
        for (int attempt = 0; attempt < 12; ++attempt) {
            last = advanceTo(State::Opening, m_options.lastRetry);
            link().shakeHands();
            QVERIFY(m_connection->isReady());
            link().reply(test::pushOf({"invalidate", "L"}));
            QCOMPARE(m_connection->state(), State::Waiting);
        }
        QVERIFY2(last >= m_options.lastRetry / 2, qPrintable(QString::number(last.count())));
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

    // A cluster ends the subscription to a sharded channel when its slot moves to another node.
    void aSubscriptionThatTheServerEndsIsAPush() {
        makeReady();
        (void)m_connection->send(Command("SSUBSCRIBE", {"c"}));
        test::turnEventLoop();
        link().reply(">3\r\n" + test::bulk("ssubscribe") + test::bulk("c") + test::number(1));
        QCOMPARE(pushKinds(), QByteArrayList());
        link().reply(">3\r\n$12\r\nsunsubscribe\r\n$1\r\nc\r\n:0\r\n");
        QCOMPARE(pushKinds(), QByteArrayList{"sunsubscribe"});
        QVERIFY(m_connection->isReady());
    }
    void itIsNotTheAnswerToAnotherSubscription() {
        makeReady();
        const auto subscription = keep(m_connection->send(Command("SSUBSCRIBE", {"d"})));
        const auto read = keep(m_connection->send(get));
        test::turnEventLoop();
        link().reply(">3\r\n$12\r\nsunsubscribe\r\n$1\r\nc\r\n:0\r\n-MOVED 1 other:1\r\n+mine\r\n");
        QCOMPARE(pushKinds(), QByteArrayList{"sunsubscribe"});
        QCOMPARE(subscription->error(), "ServerReply");
        QCOMPARE(read->text(), "mine");
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

private:
    static Task<Result<RespValue>> waitFor(Completion<RespValue> completion, Deadline deadline) {
        co_return co_await completion.wait(deadline);
    }
    [[nodiscard]] QByteArrayList pushKinds() const {
        QByteArrayList kinds;
        for (const RespValue& push : m_pushes)
            kinds += push.items.front().bytes;
        return kinds;
    }
};

LOCKKEEPER_TEST(TestConnection, Guiless)

}  // namespace tst_connection

#include "tst_connection.moc"
