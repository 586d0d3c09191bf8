// SPDX-License-Identifier: Apache-2.0
#include "control/consolecause.h"
#include "redis/script.h"
#include "support/fakeserver.h"
#include "support/manualclock.h"
#include "support/taskwait.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_script {

using namespace lockkeeper;
using namespace lockkeeper::redis;
using namespace std::chrono_literals;

class TestScript : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void isNamedByItsSha() {
        const Script script("return 1");
        QCOMPARE(script.source(), "return 1");
        QCOMPARE(script.sha(), "e0e1f9fabfc9d4800c877a703b823ac0578ff8db");
    }

    void isPartOfTheProgram() {
        QVERIFY(Script::embedded(QStringLiteral("locks/lua/reentrant_acquire.lua")).source().contains("KEYS[1]"));
    }

    void isSentWithKeysAndArguments_data() {
        QTest::addColumn<QByteArrayList>("keys");
        QTest::addColumn<QByteArrayList>("arguments");
        QTest::addColumn<QByteArrayList>("rest");
        using Parts = QByteArrayList;
        QTest::newRow("both") << Parts{"a", "b"} << Parts{"1"} << Parts{"2", "a", "b", "1"};
        QTest::newRow("no keys") << Parts{} << Parts{"1", "2"} << Parts{"0", "1", "2"};
        QTest::newRow("nothing") << Parts{} << Parts{} << Parts{"0"};
    }
    void isSentWithKeysAndArguments() {
        QFETCH(QByteArrayList, keys);
        QFETCH(QByteArrayList, arguments);
        QFETCH(QByteArrayList, rest);
        const Script script("return 1");
        compare(ScriptCall(script, keys, arguments).evalSha(), QByteArrayList{"EVALSHA", script.sha()} + rest,
                Effect::Write);
        compare(ScriptCall(script, keys, arguments).eval(), QByteArrayList{"EVAL", "return 1"} + rest, Effect::Write);
        compare(ScriptCall(script, keys, arguments).evalReadOnly(), QByteArrayList{"EVAL_RO", "return 1"} + rest,
                Effect::Read);
    }

    void runsByShaAndWholeWhereItIsUnknown_data() {
        QTest::addColumn<QByteArray>("first");
        QTest::addColumn<QByteArrayList>("second");  // the command that is sent then
        QTest::addColumn<QString>("error");
        QTest::newRow("known") << QByteArray(":5\r\n") << QByteArrayList() << "";
        QTest::newRow("unknown") << QByteArray("-NOSCRIPT No matching script.\r\n")
                                 << QByteArrayList{"EVAL", "return 5", "1", "k", "a"} << "";
        QTest::newRow("another error") << QByteArray("-ERR no\r\n") << QByteArrayList() << "ServerReply";
    }
    void runsByShaAndWholeWhereItIsUnknown() {
        QFETCH(QByteArray, first);
        QFETCH(QByteArrayList, second);
        QFETCH(QString, error);
        test::ManualClock clock;
        test::FakeServer server;
        Connection connection(ConnectionOptions(), server.factory(), clock);
        connection.open();
        server.lastLink().shakeHands();
        const Script script("return 5");
        std::optional<Result<RespValue>> answer;
        int sentAgain = 0;
        runScript(connection, ScriptCall(script, {"k"}, {"a"}), [&sentAgain] {
            ++sentAgain;
            return std::nullopt;
        }).then([&answer](const Result<RespValue>& result) { answer = result; });
        QCOMPARE(server.lastLink().takeCommand(), (QByteArrayList{"EVALSHA", script.sha(), "1", "k", "a"}));
        server.lastLink().reply(first);
        QCOMPARE(server.lastLink().takeCommand(), second);
        QCOMPARE(sentAgain, second.isEmpty() ? 0 : 1);
        if (!second.isEmpty())
            server.lastLink().reply(":5\r\n");
        QVERIFY(answer);
        QCOMPARE(answer->ok() ? QString() : wordFor(answer->error().code), error);
        if (answer->ok())
            QCOMPARE((*answer)->integer, 5);
    }

    void isNotSentAgainWhereNobodyWaits() {
        test::ManualClock clock;
        test::FakeServer server;
        Connection connection(ConnectionOptions(), server.factory(), clock);
        connection.open();
        server.lastLink().shakeHands();
        bool sentAgain = false;
        const Completion<RespValue> answer =
            runScript(connection, ScriptCall(Script("return 5"), {"k"}, {"a"}), [&sentAgain] {
                sentAgain = true;
                return std::nullopt;
            });
        std::optional<Result<RespValue>> late;
        answer.whenAbandoned([&late](const Result<RespValue>& result) { late = result; });
        const auto waiter = test::start(waitUntil(answer, Deadline::in(clock, 10ms)));
        QCOMPARE(server.lastLink().takeCommand().first(), "EVALSHA");
        clock.advance(10ms);
        QCOMPARE((*waiter)->error().code, ErrorCode::Timeout);

        server.lastLink().reply("-NOSCRIPT No matching script.\r\n");
        QCOMPARE(server.lastLink().takeCommand(), QByteArrayList());
        QVERIFY(!sentAgain);
        QCOMPARE(late->error().code, ErrorCode::ServerReply);
    }

    void isNotSentAgainWhereItMayNotBe() {
        test::ManualClock clock;
        test::FakeServer server;
        Connection connection(ConnectionOptions(), server.factory(), clock);
        connection.open();
        server.lastLink().shakeHands();
        std::optional<Result<RespValue>> answer;
        runScript(connection, ScriptCall(Script("return 5"), {"k"}, {"a"}), [] {
            return Error(ErrorCode::NotArmed, control::ConsoleCause::NotArmed);
        }).then([&answer](const Result<RespValue>& result) { answer = result; });
        QCOMPARE(server.lastLink().takeCommand().first(), "EVALSHA");
        server.lastLink().reply("-NOSCRIPT No matching script.\r\n");
        QCOMPARE(server.lastLink().takeCommand(), QByteArrayList());
        QCOMPARE(answer->error().code, ErrorCode::NotArmed);
    }

    void endsWithItsConnection_data() {
        QTest::addColumn<bool>("afterNoScript");
        QTest::newRow("before the first answer") << false;
        QTest::newRow("before the second answer") << true;
    }
    void endsWithItsConnection() {
        QFETCH(bool, afterNoScript);
        test::ManualClock clock;
        test::FakeServer server;
        auto connection = std::make_unique<Connection>(ConnectionOptions(), server.factory(), clock);
        connection->open();
        server.lastLink().shakeHands();
        std::optional<Result<RespValue>> answer;
        runScript(*connection, ScriptCall(Script("return 5"), {}, {})).then([&answer](const Result<RespValue>& result) {
            answer = result;
        });
        test::turnEventLoop();
        if (afterNoScript)
            server.lastLink().reply("-NOSCRIPT No matching script.\r\n");
        connection.reset();
        QVERIFY(answer);
        QCOMPARE(answer->error().code, ErrorCode::OutcomeUnknown);
    }

private:
    static Task<Result<RespValue>> waitUntil(Completion<RespValue> answer, Deadline deadline) {
        co_return co_await answer.wait(deadline);
    }
    static void compare(const Command& command, const QByteArrayList& parts, Effect effect) {
        QByteArray expected;
        Command(parts.first(), parts.mid(1)).appendTo(expected);
        QByteArray actual;
        command.appendTo(actual);
        QCOMPARE(actual, expected);
        QCOMPARE(command.effect(), effect);
    }
};

LOCKKEEPER_TEST(TestScript, Guiless)

}  // namespace tst_script

#include "tst_script.moc"
