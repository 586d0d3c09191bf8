// SPDX-License-Identifier: Apache-2.0
#include "monitor/observe/rightswatch.h"
#include "support/lockreplies.h"
#include "support/playedconnection.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_rightswatch {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

// What the server has refused is asked for again, so that a restored right is noticed.
class TestRightsWatch : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_denials.clear();
        m_played = std::make_unique<PlayedConnection>();
        m_watch = std::make_unique<RightsWatch>(m_played->connection, m_denials);
        m_restored = 0;
        connect(m_watch.get(), &RightsWatch::restored, this, [this] { ++m_restored; });
        m_played->open();
        m_watch->start();
    }
    void cleanup() {
        m_watch.reset();
        m_played.reset();
    }

    void withoutDenialsNothingIsAsked() {
        QCOMPARE(askedWithin(10 * RightsWatch::interval), QList<QByteArrayList>());
        QCOMPARE(m_restored, 0);
    }

    void eachDenialHasAQuestion_data() {
        QTest::addColumn<QString>("denied");
        for (const char* denied : {"EVAL_RO",
                                   "MULTI",
                                   "HGETALL",
                                   "HGET",
                                   "HLEN",
                                   "HKEYS",
                                   "HSTRLEN",
                                   "HSCAN",
                                   "PTTL",
                                   "EXISTS",
                                   "OBJECT",
                                   "LRANGE",
                                   "LLEN",
                                   "ZRANGE",
                                   "ZCARD",
                                   "GET",
                                   "GETRANGE",
                                   "INFO",
                                   "DBSIZE",
                                   "SCAN",
                                   "PUBSUB",
                                   "PUBSUB SHARDCHANNELS",
                                   "CONFIG GET",
                                   "CONFIG GET client-output-buffer-limit",
                                   "CLIENT LIST",
                                   "CLIENT NO-EVICT",
                                   "CLIENT NO-TOUCH",
                                   "CLIENT TRACKING",
                                   "CLIENT TRACKING BCAST",
                                   "SSUBSCRIBE",
                                   "PSUBSCRIBE redisson_lock__channel:*",
                                   "PSUBSCRIBE __keyspace@0__:redisson_lock_queue:*",
                                   "SUBSCRIBE __keyspace@0__:*"})
            QTest::newRow(denied) << QString::fromLatin1(denied);
    }
    void eachDenialHasAQuestion() {
        QFETCH(const QString, denied);
        m_denials.note(denied, Consequence::LocksUnreadable);
        QCOMPARE(askedWithin(RightsWatch::interval - 1s).size(), 0);
        const QList<QByteArrayList> questions = askedWithin(1s);
        QVERIFY(!questions.isEmpty());
        const QString command = denied.section(u' ', 0, 0);
        QVERIFY2(questions.first().join(' ').contains(command.toLatin1()), questions.first().join(' '));
        for (qsizetype i = 0; i < questions.size(); ++i)
            m_played->link().reply(noPermission("any"));
        QCOMPARE(m_restored, 0);
    }

    void onlyAnAllowedCommandIsARestoredRight_data() {
        QTest::addColumn<QByteArray>("answer");
        QTest::addColumn<bool>("isRestored");
        QTest::newRow("answered") << QByteArray("*0\r\n") << true;
        QTest::newRow("the command is refused") << noPermission("hgetall") << false;
        QTest::newRow("only the key is refused") << QByteArray("-NOPERM No permissions to access a key\r\n") << true;
        QTest::newRow("the server does not have it") << QByteArray("-ERR unknown command 'HGETALL'\r\n") << false;
        QTest::newRow("it is another node's key") << QByteArray("-MOVED 77 10.0.0.7:7000\r\n") << true;
        QTest::newRow("another type of key") << QByteArray("-WRONGTYPE Operation against a key\r\n") << true;
        QTest::newRow("any other error") << QByteArray("-ERR not here\r\n") << false;
    }
    void onlyAnAllowedCommandIsARestoredRight() {
        QFETCH(const QByteArray, answer);
        QFETCH(const bool, isRestored);
        m_denials.note(QStringLiteral("HGETALL"), Consequence::LocksUnreadable);
        ask({"HGETALL", "lockkeeper"}, answer);
        QCOMPARE(m_restored, isRestored ? 1 : 0);
    }

    void aKeyIsAskedForItself_data() {
        QTest::addColumn<bool>("isAllowed");
        QTest::newRow("allowed") << true;
        QTest::newRow("refused") << false;
    }
    void aKeyIsAskedForItself() {
        QFETCH(const bool, isAllowed);
        m_denials.note(Denied::Keys, Consequence::SomeKeysUnreadable, "theirs:L");
        ask({"PTTL", "theirs:L"}, isAllowed ? ":-2\r\n" : "-NOPERM No permissions to access a key\r\n");
        QCOMPARE(m_restored, isAllowed ? 1 : 0);
    }

    void everyQuestionOfADenialMustBeAllowed() {
        m_denials.note(QStringLiteral("PUBSUB"), Consequence::WaitersUnknown);
        QCOMPARE(askedWithin(RightsWatch::interval).size(), 2);
        m_played->link().reply("*0\r\n" + noPermission("pubsub|numsub"));
        QCOMPARE(m_restored, 0);
    }

    void theFirstRestoredRightIsEnough() {
        m_denials.note(QStringLiteral("DBSIZE"), Consequence::ProgressUnknown);
        m_denials.note(QStringLiteral("HGETALL"), Consequence::LocksUnreadable);
        ask({"DBSIZE"}, ":0\r\n");
        QCOMPARE(m_restored, 1);
        QCOMPARE(m_played->link().takeCommands().size(), 0);
    }

    // The question does not find everything: perhaps only another key is refused.
    void whatIsRefusedAllTheSameIsTriedMoreSeldom() {
        m_denials.note(QStringLiteral("DBSIZE"), Consequence::ProgressUnknown);
        QList<int> times;
        for (int round = 1; round <= 64; ++round) {
            if (!askedWithin(RightsWatch::interval).isEmpty())
                m_played->link().reply(":0\r\n");
            if (m_restored > times.size())
                times += round;
        }
        QCOMPARE(times, QList<int>({1, 3, 7, 15, 31, 63}));
    }

    void boundsAreTakenBackByWhoCounts() {
        m_denials.note(Denied::Rows, Consequence::LocksLeftOut);
        QCOMPARE(askedWithin(RightsWatch::interval), QList<QByteArrayList>());
        m_denials.takeBack(Denied::Rows);
        QCOMPARE(m_denials.list().size(), 0);
    }

private:
    // The commands within this time, but for the connection's PING, which is answered.
    QList<QByteArrayList> askedWithin(Milliseconds time) {
        QList<QByteArrayList> asked;
        for (Milliseconds passed{0}; passed < time; passed += 1s) {
            m_played->clock.advance(1s);
            for (const QByteArrayList& command : m_played->link().takeCommands()) {
                if (command == QByteArrayList{"PING"})
                    m_played->link().reply("+PONG\r\n");
                else
                    asked += command;
            }
        }
        return asked;
    }
    void ask(const QByteArrayList& question, const QByteArray& answer) {
        QCOMPARE(askedWithin(RightsWatch::interval), QList<QByteArrayList>{question});
        m_played->link().reply(answer);
    }

    Denials m_denials;
    std::unique_ptr<PlayedConnection> m_played;
    std::unique_ptr<RightsWatch> m_watch;
    int m_restored = 0;
};

LOCKKEEPER_TEST(TestRightsWatch, Guiless)

}  // namespace tst_rightswatch

#include "tst_rightswatch.moc"
