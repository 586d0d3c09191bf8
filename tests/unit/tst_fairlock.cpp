// SPDX-License-Identifier: Apache-2.0
#include "support/lockkindtest.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_fairlock {

using namespace lockkeeper;
using namespace lockkeeper::locks;
using namespace std::chrono_literals;
using test::Stage;

namespace {

const QString leave = QStringLiteral("fair_leave");
const test::LockShape fair{"fair",
                           test::Kind::Fair,
                           u"fair_acquire"_qs,
                           u"fair_release"_qs,
                           u"fair_settle"_qs,
                           u"fair_force"_qs,
                           "_\r\n",
                           "redisson_lock__channel:{L}:5f0a3c8e-0000-4000-8000-000000000001:7",
                           HoldMode::Exclusive};

// The script's answer if the lock is free and other waiters are before this holder; 0: it is not queued.
QByteArray freeBehind(int place) {
    return "*1\r\n" + test::number(place);
}

}  // namespace

// The fair lock: waiters stand in a queue, and one that gives up leaves it.
class TestFairLock : public test::LockKindTest {
    Q_OBJECT

public:
    TestFairLock() : LockKindTest({fair}) {}

private Q_SLOTS:
    void queuesOnlyThoseWhoWait_data() {
        QTest::addColumn<int>("wait");  // s; -1: no limit
        QTest::addColumn<QByteArray>("queueFor");
        QTest::newRow("does not wait") << 0 << QByteArray();
        QTest::newRow("waits a while") << 20 << QByteArray("20000");
        QTest::newRow("waits without end") << -1 << QByteArray("300000");
    }
    void queuesOnlyThoseWhoWait() {
        QFETCH(int, wait);
        QFETCH(QByteArray, queueFor);
        open();
        const Deadline deadline =
            wait < 0 ? Deadline::never(*m_clock) : Deadline::in(*m_clock, std::chrono::seconds(wait));
        const auto call = test::start(m_client->fairLock(LockName("L")).tryLock(owner, deadline));
        QCOMPARE(commands().takeCommand().last(), queueFor);
    }

    // The waiters before it may leave without a message.
    void asksByItsPlaceBesideAFreeLock_data() {
        QTest::addColumn<QByteArray>("answer");
        QTest::addColumn<Milliseconds>("pause");
        QTest::newRow("free, second in the queue") << freeBehind(2) << Milliseconds(1000);
        QTest::newRow("free, third") << freeBehind(3) << Milliseconds(2000);
        QTest::newRow("free, tenth") << freeBehind(10) << Milliseconds(9000);
        QTest::newRow("held for 12 s") << test::number(12000) << Milliseconds(12000);
    }
    void asksByItsPlaceBesideAFreeLock() {
        QFETCH(QByteArray, answer);
        QFETCH(Milliseconds, pause);
        bring(fair, Stage::SecondTry);
        for (int times = 0; times < 3; ++times) {
            commands().reply(answer);
            m_clock->advance(pause - 1ms);
            QVERIFY(!sent().contains(fair.acquire));
            m_clock->advance(1ms);
            QCOMPARE(sent(), QStringList{fair.acquire});
        }
    }

    // The head may have used up the message of the release, and left.
    void besideAHeldLockItAsksAgainAfter30Seconds() {
        bring(fair, Stage::SecondTry);
        commands().reply(test::number(300000));
        for (int second = 1; second < 30; ++second) {
            m_clock->advance(1s);
            for (const QString& command : sent()) {
                QCOMPARE(command, QStringLiteral("PING"));
                commands().reply("+PONG\r\n");
            }
            if (!waiting().takeCommands().isEmpty())
                waiting().reply("+PONG\r\n");
        }
        m_clock->advance(1s);
        QVERIFY(sent().contains(fair.acquire));
    }

    void aTryThatDoesNotWaitSaysThatOthersAreBefore() {
        open();
        const auto call = test::start(m_client->fairLock(LockName("L")).tryLock(owner, Deadline::in(*m_clock, 0ms)));
        QCOMPARE(sent(), QStringList{fair.acquire});
        commands().reply(freeBehind(0));
        QCOMPARE((*call)->value().outcome, LockAttempt::Outcome::BehindOthers);
        QCOMPARE((*call)->value().remaining, 1000ms);
    }

    void whoeverGivesUpLeavesTheQueue_data() { stages(); }
    void whoeverGivesUpLeavesTheQueue() {
        QFETCH(Stage, stage);
        bring(fair, stage);
        m_stop.request_stop();
        if (stage == Stage::Connecting) {
            m_server->acceptAll();
            QCOMPARE(sent(), QStringList());  // the caller was never in the queue
            return;
        }
        if (stage == Stage::Reconnecting)
            reconnect();
        QVERIFY(sent().contains(leave));
    }

    void whoseTimeIsOverLeavesTheQueue() {
        const auto call = bring(fair, Stage::Asleep, 60000, 1s);
        m_clock->advance(1s);
        QCOMPARE(sent(), QStringList{leave});
        QVERIFY(!call->has_value());  // until the waiter is removed from the queue
        commands().reply(test::number(1));
        QVERIFY(!(*call)->value().acquired());
    }

    void whoGetsItDoesNotLeaveTheQueueAsWell() {
        const auto call = bring(fair, Stage::SecondTry);
        commands().reply(fair.taken);
        QVERIFY((*call)->value().acquired());
        QCOMPARE(sent(), QStringList());
    }

    // A leftover place would block the waiters behind it for five minutes.
    void leavingIsRepeatedUntilItIsAnswered_data() {
        QTest::addColumn<bool>("cancelled");
        QTest::newRow("cancelled") << true;
        QTest::newRow("out of time") << false;
    }
    void leavingIsRepeatedUntilItIsAnswered() {
        QFETCH(bool, cancelled);
        const auto call = bring(fair, Stage::Asleep, 60000, 20s);
        if (cancelled)
            m_stop.request_stop();
        else
            m_clock->advance(20s);
        QVERIFY(sent().contains(leave));
        for (int times = 0; times < 3; ++times) {
            commands().lose();
            QVERIFY(call->has_value());
            reconnect();
            QCOMPARE(sent(), QStringList{leave});
        }
        commands().reply(test::number(1));
        QCOMPARE(sent(), QStringList());
    }

    void leavingThatIsNotAnsweredInTimeEndsTheCallAllTheSame() {
        const auto call = bring(fair, Stage::Asleep, 60000, 1s);
        m_clock->advance(1s);
        QCOMPARE(sent(), QStringList{leave});
        m_clock->advance(m_client->options().commandTimeout);
        QVERIFY(!(*call)->value().acquired());
        commands().reply(test::number(1));
        QCOMPARE(sent(), QStringList());
    }

    // The master was demoted: the next one has the queue, too.
    void leavingThatADemotedMasterRefusesIsRepeated_data() {
        QTest::addColumn<bool>("isLate");
        QTest::newRow("while the call waits") << false;
        QTest::newRow("when nobody waits any more") << true;
    }
    void leavingThatADemotedMasterRefusesIsRepeated() {
        QFETCH(bool, isLate);
        const auto call = bring(fair, Stage::Asleep, 60000, 1s);
        m_clock->advance(1s);
        QCOMPARE(sent(), QStringList{leave});
        if (isLate)
            m_clock->advance(m_client->options().commandTimeout);
        commands().reply("-READONLY You can't write against a read only replica.\r\n");
        QVERIFY(call->has_value());
        QCOMPARE(sent(), QStringList{leave});
        commands().reply(test::number(1));
        QCOMPARE(sent(), QStringList());
    }

    void aLateAnswerThatQueuedIsUndone() {
        bring(fair, Stage::FirstTry);
        m_stop.request_stop();
        sent();
        commands().reply(":5000\r\n:0\r\n");
        QVERIFY(sent().contains(leave));
    }

    void oneWhoGivesUpDoesNotTakeThePlaceOfAnother() {
        bring(fair, Stage::Asleep);
        const auto second = test::start(m_client->fairLock(LockName("L")).lock(owner));
        sent();
        m_stop.request_stop();
        QCOMPARE(sent(), QStringList());
    }
};

LOCKKEEPER_TEST(TestFairLock, Guiless)

}  // namespace tst_fairlock

#include "tst_fairlock.moc"
