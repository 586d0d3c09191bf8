// SPDX-License-Identifier: Apache-2.0
#include "support/reentrantlocktest.h"
#include "support/testprogram.h"

#include <QSignalSpy>
#include <QTest>

namespace tst_lockwaiting {

using namespace lockkeeper;
using namespace lockkeeper::locks;
using namespace std::chrono_literals;

// Waiting for a lock, in detail for the plain one: every event at every stage of a call.
class TestLockWaiting : public test::ReentrantLockTest {
    Q_OBJECT

private Q_SLOTS:
    // ---- waiting ----

    void subscribesBeforeTheSecondTry() {
        open();
        const auto call = lock();
        QCOMPARE(sent(), QStringList{"acquire 30000 by 7"});
        commands().reply(test::number(5000));
        m_server->acceptAll();
        QCOMPARE(sentForWaiting(), QStringList{"SUBSCRIBE " + channel});
        QCOMPARE(sent(), QStringList());
        confirm();
        QCOMPARE(sent(), QStringList{"acquire 30000 by 7"});
        commands().reply(taken);
        QCOMPARE(wordOf(call), "acquired");
        QCOMPARE(sentForWaiting(), QStringList{"UNSUBSCRIBE " + channel});
    }

    void aMessageWakes_data() {
        QTest::addColumn<QByteArray>("message");
        QTest::newRow("one") << QByteArray("0");
        QTest::newRow("all") << QByteArray("1");
    }
    void aMessageWakes() {
        QFETCH(QByteArray, message);
        const auto call = bring(Stage::Asleep);
        publish(message);
        QCOMPARE(sent(), QStringList{"acquire 30000 by 7"});
        commands().reply(taken);
        QCOMPARE(wordOf(call), "acquired");
    }

    void aMessageThatComesDuringATryIsNotLost() {
        const auto call = bring(Stage::SecondTry);
        publish("0");
        commands().reply(test::number(5000));
        QCOMPARE(sent(), QStringList{"acquire 30000 by 7"});
        commands().reply(taken);
        QCOMPARE(wordOf(call), "acquired");
    }

    void messagesOfOthersDoNotWake() {
        bring(Stage::Asleep);
        waiting().reply(test::pushOf({"message", "redisson_lock__channel:{M}", "0"}));
        waiting().reply(test::pushOf({"pmessage", "*", channel, "0"}));
        QCOMPARE(sent(), QStringList());
    }

    void theTtlWakes() {
        bring(Stage::Asleep);  // the answer was that 5000 ms are left
        m_clock->advance(4999ms);
        QCOMPARE(sent(), QStringList());
        m_clock->advance(1ms);
        QCOMPARE(sent(), QStringList{"acquire 30000 by 7"});
    }

    // Five minutes of waiting for a lock that is renewed every 10 s, so that each answer is 30 s: at most ten attempts.
    void doesNotPoll() {
        bring(Stage::Asleep, 30000);
        qsizetype tries = 0;
        for (int second = 0; second < 300; ++second) {
            m_clock->advance(1s);
            for (const QString& command : sent()) {
                tries += command.startsWith(u"acquire") ? 1 : 0;
                commands().reply(command == u"PING" ? QByteArray("+PONG\r\n") : test::number(30000));
            }
            if (sentForWaiting().contains(u"PING"_qs))
                waiting().reply("+PONG\r\n");
        }
        QCOMPARE(tries, 10);
    }

    void aLockWithoutExpiryIsOnlyWaitedForByMessage() {
        bring(Stage::Asleep, -1);
        for (int minute = 0; minute < 60 * 6; ++minute) {
            m_clock->advance(10s);
            for (const QString& command : sent()) {
                QCOMPARE(command, "PING");
                commands().reply("+PONG\r\n");
            }
            if (sentForWaiting().contains(u"PING"_qs))
                waiting().reply("+PONG\r\n");
        }
        publish("0");
        QCOMPARE(sent(), QStringList{"acquire 30000 by 7"});
    }

    void aTtlOfNothingIsNotAskedWithoutEnd() {
        bring(Stage::Asleep, 0);
        QCOMPARE(sent(), QStringList());
        m_clock->advance(1ms);
        QCOMPARE(sent(), QStringList{"acquire 30000 by 7"});
    }

    void aDeadlineEndsTheSleep() {
        const auto call = bring(Stage::Asleep, 5000, 2s);
        m_clock->advance(2s);
        QCOMPARE(wordOf(call), "held by other");
        QCOMPARE((*call)->value().remaining, 5000ms);
        QCOMPARE(sentForWaiting(), QStringList{"UNSUBSCRIBE " + channel});
        QCOMPARE(sent(), QStringList());
    }

    void aSubscriptionThatIsNotPermittedIsTold() {
        const auto call = bring(Stage::Subscribing);
        waiting().reply("-NOPERM this user has no permissions to access one of the channels used as arguments\r\n");
        QCOMPARE(wordOf(call), "NotPermitted");
    }

    void aSubscriptionThatWasLostIsAReasonToLookAgain() {
        bring(Stage::Asleep);
        waiting().lose();
        m_clock->advance(100ms);
        m_server->acceptAll();
        QCOMPARE(sentForWaiting(), QStringList{"SUBSCRIBE " + channel});
        QCOMPARE(sent(), QStringList());
        confirm();
        QCOMPARE(sent(), QStringList{"acquire 30000 by 7"});
    }

    void waitersOfOneClientShareASubscription() {
        bring(Stage::Asleep);
        const auto second = lock(ThreadId{8});
        QCOMPARE(sent(), QStringList{"acquire 30000 by 8"});
        commands().reply(test::number(5000));
        QCOMPARE(sent(), QStringList{"acquire 30000 by 8"});
        commands().reply(test::number(5000));
        QCOMPARE(sentForWaiting(), QStringList());
        publish("0");
        QCOMPARE(sent(), QStringList{"acquire 30000 by 7"});
        commands().reply(test::number(5000));
        publish("1");
        QCOMPARE(sent(), (QStringList{"acquire 30000 by 7", "acquire 30000 by 8"}));
    }

    void theWakeUpOfACancelledWaiterIsPassedOn_data() {
        QTest::addColumn<bool>("duringTheTry");
        QTest::newRow("before it tries") << false;
        QTest::newRow("while it tries") << true;
    }
    void theWakeUpOfACancelledWaiterIsPassedOn() {
        QFETCH(bool, duringTheTry);
        bring(duringTheTry ? Stage::Asleep : Stage::SecondTry);
        const auto second = lock(ThreadId{8});
        QCOMPARE(sent(), QStringList{"acquire 30000 by 8"});
        if (!duringTheTry)
            commands().reply(test::number(5000));  // the second attempt of the first caller
        commands().reply(test::number(5000));
        QCOMPARE(sent(), QStringList{"acquire 30000 by 8"});
        commands().reply(test::number(5000));
        publish("0");
        if (duringTheTry)
            QCOMPARE(sent(), QStringList{"acquire 30000 by 7"});
        m_stop.request_stop();
        QCOMPARE(sent().last(), "acquire 30000 by 8");
    }

    // ---- events at each stage ----

    void aCallEndsSoonAfterItIsCancelled_data() { stages(); }
    void aCallEndsSoonAfterItIsCancelled() {
        QFETCH(Stage, stage);
        const auto call = bring(stage);
        QCOMPARE(wordOf(call), "running");
        m_stop.request_stop();
        QCOMPARE(wordOf(call), "Cancelled");
        QCOMPARE(held(), 0);
    }

    void aCallEndsWithItsClient_data() { stages(); }
    void aCallEndsWithItsClient() {
        QFETCH(Stage, stage);
        const auto call = bring(stage);
        m_client.reset();
        const bool mayBeTaken =
            QList{Stage::FirstTry, Stage::SecondTry, Stage::Reconnecting, Stage::Settling, Stage::Late}.contains(stage);
        QCOMPARE(wordOf(call), mayBeTaken ? "OutcomeUnknown" : "ConnectionLost");
        QVERIFY2(!m_clock->hasTimers(), "a timer outlives the client");
    }

    void aCallEndsWhenItsTimeIsOver_data() {
        QTest::addColumn<Stage>("stage");
        QTest::addColumn<QString>("word");
        QTest::newRow("connecting") << Stage::Connecting << "ConnectionLost";
        QTest::newRow("first try") << Stage::FirstTry << "OutcomeUnknown";
        QTest::newRow("subscribing") << Stage::Subscribing << "held by other";
        QTest::newRow("second try") << Stage::SecondTry << "OutcomeUnknown";
        QTest::newRow("asleep") << Stage::Asleep << "held by other";
        QTest::newRow("reconnecting") << Stage::Reconnecting << "OutcomeUnknown";
        QTest::newRow("settling") << Stage::Settling << "OutcomeUnknown";
    }
    void aCallEndsWhenItsTimeIsOver() {
        QFETCH(Stage, stage);
        QFETCH(QString, word);
        const auto call = bring(stage, 60000, 1s);
        QCOMPARE(wordOf(call), "running");
        m_clock->advance(1s + m_client->options().commandTimeout);
        QCOMPARE(wordOf(call), word);
        QCOMPARE(held(), 0);
    }

    // The answer arrives after the caller has stopped waiting. If the lock was kept, it would block other clients for
    // a whole lease.
    void whatWasTakenTooLateIsGivenBack_data() {
        QTest::addColumn<Stage>("stage");
        QTest::addColumn<bool>("cancelled");
        QTest::newRow("first try, cancelled") << Stage::FirstTry << true;
        QTest::newRow("second try, cancelled") << Stage::SecondTry << true;
        QTest::newRow("first try, out of time") << Stage::FirstTry << false;
        QTest::newRow("second try, out of time") << Stage::SecondTry << false;
    }
    void whatWasTakenTooLateIsGivenBack() {
        QFETCH(Stage, stage);
        QFETCH(bool, cancelled);
        const auto call = bring(stage, 60000, 1s);
        if (cancelled)
            m_stop.request_stop();
        else
            m_clock->advance(m_client->options().commandTimeout);
        QCOMPARE(wordOf(call), cancelled ? "Cancelled" : "OutcomeUnknown");
        QCOMPARE(sent(), QStringList());
        commands().reply(taken);
        const QStringList after = sent();
        QVERIFY(!after.isEmpty());
        for (const QString& command : after)
            QCOMPARE(command, "settle (EVAL) 0 by 7 0");
        QCOMPARE(held(), 0);
    }

    void aLateRefusalChangesNothing() {
        bring(Stage::FirstTry);
        m_stop.request_stop();
        commands().reply(test::number(5000));
        QCOMPARE(sent(), QStringList());
    }

    void aCancelledTryWhoseAnswerIsLostIsSettled() {
        bring(Stage::FirstTry);
        m_stop.request_stop();
        commands().lose();
        m_clock->advance(100ms);
        m_server->acceptAll();
        QCOMPARE(sent(), QStringList{"settle (EVAL) 0 by 7 0"});
    }

    void aLostAnswerIsSettledAndThenTriedAnew() {
        const auto call = bring(Stage::Settling);
        commands().reply(test::number(0));
        QCOMPARE(sent(), QStringList{"acquire 30000 by 7"});
        commands().reply(taken);
        QCOMPARE(wordOf(call), "acquired");
        QCOMPARE(held(), 1);
    }

    // A caller that does not wait gets an unknown outcome; the attempt is still reconciled.
    void aLostAnswerIsUnknownToOneWhoDoesNotWait() {
        open();
        const auto call = tryLock();
        QCOMPARE(sent().size(), 1);
        commands().lose();
        QCOMPARE(wordOf(call), "OutcomeUnknown");
        m_clock->advance(100ms);
        m_server->acceptAll();
        QCOMPARE(sent(), QStringList{"settle (EVAL) 0 by 7 0"});
        commands().reply(test::number(0));
        QCOMPARE(sent(), QStringList());
    }

    void settlingIsRepeatedUntilItIsAnswered() {
        const auto call = bring(Stage::Settling);
        commands().lose();
        m_clock->advance(100ms);
        m_server->acceptAll();
        QCOMPARE(sent(), QStringList{"settle (EVAL) 0 by 7 0"});
        commands().reply(test::number(0));
        QCOMPARE(sent(), QStringList{"acquire 30000 by 7"});
    }

    void settlingKeepsWhatIsHeld() {
        open();
        take();
        const auto again = tryLock();
        QCOMPARE(sent().size(), 1);
        commands().lose();
        QCOMPARE(wordOf(again), "OutcomeUnknown");
        m_clock->advance(100ms);
        m_server->acceptAll();
        QVERIFY(sent().contains(u"settle (EVAL) 0 by 7 1"_qs));
        QCOMPARE(held(), 1);
    }

    // Otherwise it would treat the hold of an unanswered acquire as a leftover.
    void settlingWaitsForEveryAnswerOfThisHolder() {
        open();
        const auto abandoned = tryLock(std::nullopt, std::nullopt, m_stop.get_token());
        const auto other = tryLock();
        QCOMPARE(sent().size(), 2);
        m_stop.request_stop();
        commands().reply(taken);
        QCOMPARE(sent(), QStringList());
        commands().reply(taken);
        QCOMPARE(wordOf(other), "acquired");
        QCOMPARE(sent(), QStringList{"settle (EVAL) 0 by 7 1"});
    }

    void aLockFoundGoneBySettlingIsLost() {
        open();
        take();
        const auto again = tryLock();
        QCOMPARE(sent().size(), 1);
        commands().lose();
        m_clock->advance(100ms);
        m_server->acceptAll();
        for (const QString& command : sent())
            commands().reply(command.startsWith(u"renew") ? QByteArray("*1\r\n:1\r\n") : test::number(0));
        QCOMPARE(held(), 0);
        QCOMPARE(lost(), QByteArrayList{"L"});
    }

    // A reentry that may have been executed may have set its own, shorter lease.
    void anUnknownReentryShortensTheBelief_data() {
        QTest::addColumn<bool>("cancelled");
        QTest::newRow("cancelled") << true;
        QTest::newRow("lost") << false;
    }
    void anUnknownReentryShortensTheBelief() {
        QFETCH(bool, cancelled);
        open();
        take(10s);
        const auto again = tryLock(std::nullopt, 300ms, m_stop.get_token());
        QCOMPARE(sent().size(), 1);
        if (cancelled)
            m_stop.request_stop();
        else
            commands().lose();
        m_clock->advance(299ms);
        QCOMPARE(held(), 1);
        m_clock->advance(1ms);
        QCOMPARE(held(), 0);
    }
};

LOCKKEEPER_TEST(TestLockWaiting, Guiless)

}  // namespace tst_lockwaiting

#include "tst_lockwaiting.moc"
