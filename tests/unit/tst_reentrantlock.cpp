// SPDX-License-Identifier: Apache-2.0
#include "support/reentrantlocktest.h"
#include "support/testprogram.h"

#include <QSignalSpy>
#include <QTest>

namespace tst_reentrantlock {

using namespace lockkeeper;
using namespace lockkeeper::locks;
using namespace std::chrono_literals;

// Taking, releasing and querying a plain lock; tst_lockwaiting tests waiting for one.
class TestReentrantLock : public test::ReentrantLockTest {
    Q_OBJECT

private Q_SLOTS:
    // ---- taking ----

    void takesAFreeLock() {
        open();
        const auto call = tryLock();
        QCOMPARE(sent(), QStringList{"acquire 30000 by 7"});
        commands().reply(taken);
        QVERIFY((*call)->value().acquired());
        QCOMPARE(held(), 1);
        QCOMPARE(m_server->linkCount(), size_t{1});
    }

    void aLeaseIsSentAndNotRenewed() {
        open();
        const auto call = tryLock(std::nullopt, 700ms);
        QCOMPARE(sent(), QStringList{"acquire 700 by 7"});
        commands().reply(taken);
        QVERIFY((*call)->value().acquired());
        m_clock->advance(699ms);
        QCOMPARE(sent(), QStringList());
        QCOMPARE(held(), 1);
        m_clock->advance(1ms);
        QCOMPARE(held(), 0);
        QCOMPARE(lost(), QByteArrayList{"L"});
    }

    void aLeaseThatMakesNoSenseIsRefused_data() {
        QTest::addColumn<qint64>("lease");
        QTest::addColumn<bool>("accepted");
        QTest::newRow("negative") << qint64{-1} << false;
        QTest::newRow("nothing") << qint64{0} << false;
        QTest::newRow("the shortest") << qint64{1} << true;
        QTest::newRow("100 years") << qint64{1000} * 3600 * 24 * 365 * 100 << true;
        QTest::newRow("longer") << qint64{1000} * 3600 * 24 * 365 * 100 + 1 << false;
        QTest::newRow("for ever") << std::numeric_limits<qint64>::max() << false;
    }
    void aLeaseThatMakesNoSenseIsRefused() {
        QFETCH(qint64, lease);
        QFETCH(bool, accepted);
        open();
        const auto call = tryLock(std::nullopt, Milliseconds(lease));
        QCOMPARE(wordOf(call), accepted ? "running" : "InvalidArgument");
        QCOMPARE(sent().size(), accepted ? 1 : 0);
    }

    void aHeldLockIsTriedOnceAndToldHowLong_data() {
        QTest::addColumn<int>("pttl");
        QTest::newRow("some time") << 1234;
        QTest::newRow("about to go") << 0;
        QTest::newRow("does not expire") << -1;
    }
    void aHeldLockIsTriedOnceAndToldHowLong() {
        QFETCH(int, pttl);
        open();
        const auto call = tryLock();
        QCOMPARE(sent().size(), 1);
        commands().reply(test::number(pttl));
        QCOMPARE((*call)->value().acquired(), false);
        QCOMPARE((*call)->value().remaining, pttl < 0 ? std::nullopt : std::optional(Milliseconds(pttl)));
        QCOMPARE(held(), 0);
        QCOMPARE(sent(), QStringList());
        QCOMPARE(m_server->linkCount(), size_t{1});
    }

    void reentersByCounting() {
        open();
        take();
        take();
        QCOMPARE(held(), 2);
    }

    // Between the end of a lease and its timer: the earlier hold may have expired on the server, and no longer counts.
    void aHoldWhoseLeaseIsOverIsNotReentered() {
        open();
        take(50ms);
        const auto call = tryLock(std::nullopt, 300ms);
        QCOMPARE(sent().size(), 1);
        m_clock->passUnnoticed(51ms);
        commands().reply(taken);
        QVERIFY((*call)->value().acquired());
        QCOMPARE(held(), 1);
        QCOMPARE(lost(), QByteArrayList{"L"});
    }

    // Reported after the new hold, the loss would look like a loss of the new hold.
    void theLossOfAnEarlierHoldIsReportedBeforeTheNewHold() {
        open();
        take(50ms);
        const auto call = tryLock(std::nullopt, 300ms);
        QCOMPARE(sent().size(), 1);
        m_clock->passUnnoticed(51ms);
        QString atLoss;
        connect(m_client.get(), &LockClient::lockLost, this, [&] { atLoss = wordOf(call); });
        commands().reply(taken);
        QCOMPARE(atLoss, "running");
        QCOMPARE(wordOf(call), "acquired");
    }

    void aCallThatIsCancelledAtThatLossGivesTheNewHoldBack() {
        open();
        take(50ms);
        const auto call = tryLock(std::nullopt, 300ms, m_stop.get_token());
        QCOMPARE(sent().size(), 1);
        m_clock->passUnnoticed(51ms);
        connect(m_client.get(), &LockClient::lockLost, this, [this] { m_stop.request_stop(); });
        commands().reply(taken);
        QCOMPARE(wordOf(call), "Cancelled");
        QCOMPARE(sent(), QStringList{"release 0 300 by 7"});
        commands().reply(test::number(1));
        QCOMPARE(held(), 0);
    }

    void changesOfOneTurnAreReportedOnce() {
        open();
        QSignalSpy changed(m_client.get(), &LockClient::heldChanged);
        const QList<Running> calls{lock(ThreadId(1)), lock(ThreadId(2)), lock(ThreadId(3))};
        QCOMPARE(sent().size(), 3);
        commands().reply(taken + taken + taken);
        QCOMPARE(changed.size(), 1);
        QCOMPARE(m_client->heldKeys().size(), size_t{3});
    }

    // The loss is found inside a task of the client.
    void aLossThatAReconnectFindsMayEndTheClient() {
        open();
        take(60s);
        take(60s);
        const auto call = unlock();
        QCOMPARE(sent().size(), 1);
        commands().lose();
        QCOMPARE(wordOf(call), "OutcomeUnknown");
        m_clock->advance(100ms);
        m_server->acceptAll();
        QCOMPARE(sent(), QStringList{"settle (EVAL) 0 by 7 1"});
        connect(m_client.get(), &LockClient::lockLost, this, [this] { m_client.reset(); });
        commands().reply(test::number(0));
        QCOMPARE(lost(), QByteArrayList{"L"});
        QVERIFY(!m_client);
        QVERIFY(!m_clock->hasTimers());
    }

    // The reentry had prolonged the hold.
    void anEarlierHoldThatWasNotOverIsSettledWithTheLater() {
        open();
        take(50ms);
        m_clock->advance(51ms);
        take(300ms);
        const auto call = unlock();
        QCOMPARE(sent(), QStringList{"release 0 300 by 7"});
        commands().reply(test::number(0));
        QVERIFY((*call)->ok());
        QCOMPARE(held(), 0);
        QCOMPARE(sent(), QStringList{"settle (EVAL) 0 by 7 0"});
        commands().reply(test::number(0));
    }

    void anUnknownScriptIsSentWhole() {
        open();
        const auto call = tryLock();
        QCOMPARE(sent(), QStringList{"acquire 30000 by 7"});
        commands().reply("-NOSCRIPT No matching script. Please use EVAL.\r\n");
        QCOMPARE(sent(), QStringList{"acquire (EVAL) 30000 by 7"});
        commands().reply(taken);
        QVERIFY((*call)->value().acquired());
    }

    // The renewal is executed first, however late it was sent, and the acquire then set a shorter lease.
    void anAcquireThatIsOvertakenByARenewalEndsTheBeliefInItsTime() {
        open();
        take();
        m_clock->advance(9990ms);
        const auto call = tryLock(std::nullopt, 50ms);
        const SteadyTime end = m_clock->now() + 50ms;
        const auto believedUntil = [this] {
            return m_client->hold(HoldKey(LockName("L"), HolderId(ClientId(uuid), owner))).deadline;
        };
        m_clock->advance(10ms);
        QCOMPARE(sent().size(), 2);
        commands().reply("-NOSCRIPT No matching script. Please use EVAL.\r\n");
        QCOMPARE(sent(), QStringList{"acquire (EVAL) 50 by 7"});
        commands().reply("*1\r\n:1\r\n");
        QCOMPARE(believedUntil(), end);
        commands().reply(taken);
        QVERIFY((*call)->value().acquired());
        QCOMPARE(believedUntil(), end);
    }

    void aRefusalIsTold_data() {
        QTest::addColumn<QByteArray>("reply");
        QTest::addColumn<QString>("code");
        QTest::newRow("another type of key")
            << QByteArray("-WRONGTYPE Operation against a key holding the wrong kind of value\r\n") << "ServerReply";
        QTest::newRow("not permitted") << QByteArray(
                                              "-NOPERM this user has no permissions to run the 'evalsha' command\r\n")
                                       << "NotPermitted";
        QTest::newRow("an answer of another type") << QByteArray("+what\r\n") << "Protocol";
    }
    void aRefusalIsTold() {
        QFETCH(QByteArray, reply);
        QFETCH(QString, code);
        open();
        const auto call = lock();
        QCOMPARE(sent().size(), 1);
        commands().reply(reply);
        QCOMPARE(wordOf(call), code);
        QCOMPARE(held(), 0);
    }

    void waitsForTheConnectionAsLongAsItMay() {
        m_client->open();
        const auto once = tryLock();
        const auto patient = tryLock(20s);
        const auto withoutEnd = lock();
        m_server->lastLink().lose(ErrorCode::ConnectionRefused);
        m_clock->advance(m_client->options().commandTimeout);
        QCOMPARE(wordOf(once), "ConnectionLost");
        QVERIFY((*once)->error().cause == Cause::NotConnected);
        QCOMPARE(wordOf(patient), "running");
        m_clock->advance(15s);
        QCOMPARE(wordOf(patient), "ConnectionLost");
        QCOMPARE(wordOf(withoutEnd), "running");
        m_server->acceptAll();
        QCOMPARE(sent(), QStringList{"acquire 30000 by 7"});
    }

    // ---- release ----

    void givesBack() {
        open();
        take();
        take();
        const auto first = unlock();
        QCOMPARE(sent(), QStringList{"release 0 30000 by 7"});
        commands().reply(test::number(0));
        QCOMPARE((*first)->value(), ReleaseOutcome::StillHeld);
        QCOMPARE(held(), 1);
        const auto second = unlock();
        QCOMPARE(sent(), QStringList{"release 0 30000 by 7"});
        commands().reply(test::number(1));
        QCOMPARE((*second)->value(), ReleaseOutcome::Free);
        QCOMPARE(held(), 0);
        QVERIFY(lost().isEmpty());
    }

    void givingBackOnceSetsTheLastLease() {
        open();
        take(10s);
        take(2s);
        const auto call = unlock();
        QCOMPARE(sent(), QStringList{"release 0 2000 by 7"});
        commands().reply(test::number(0));
        m_clock->advance(1999ms);
        QCOMPARE(held(), 1);
        m_clock->advance(1ms);
        QCOMPARE(held(), 0);
    }

    void whatIsNotHeldCannotBeGivenBack() {
        open();
        const auto call = unlock();
        QCOMPARE(sent(), QStringList{"release 0 30000 by 7"});
        commands().reply(taken);
        QCOMPARE((*call)->error(),
                 Error(ErrorCode::NotHeld, Cause::NotHolder, {QString::fromLatin1(uuid), QStringLiteral("7")}));
    }

    void aReleaseWithoutConnectionChangesNothing() {
        open();
        take();
        commands().lose();
        const auto call = unlock();
        QCOMPARE(wordOf(call), "ConnectionLost");
        QCOMPARE(held(), 1);
    }

    void aLostReleaseIsUnknownAndSettled_data() {
        QTest::addColumn<int>("holds");
        QTest::newRow("the only one") << 1;
        QTest::newRow("one of two") << 2;
    }
    void aLostReleaseIsUnknownAndSettled() {
        QFETCH(int, holds);
        open();
        for (int i = 0; i < holds; ++i)
            take(60s);
        const auto call = unlock();
        QCOMPARE(sent().size(), 1);
        commands().lose();
        QCOMPARE(wordOf(call), "OutcomeUnknown");
        QCOMPARE(held(), holds - 1);
        m_clock->advance(100ms);
        m_server->acceptAll();
        QCOMPARE(sent(), QStringList{QStringLiteral("settle (EVAL) 0 by 7 %1").arg(holds - 1)});
        commands().reply(test::number(holds - 1));
        QCOMPARE(held(), holds - 1);
        QVERIFY(lost().isEmpty());
    }

    void aLateReleaseIsUnknownAndSettledWhenItDidNotHappen_data() {
        QTest::addColumn<QByteArray>("late");
        QTest::addColumn<QStringList>("sentAfterwards");
        QTest::newRow("it did") << QByteArray(":1\r\n") << QStringList();
        QTest::newRow("it did not") << QByteArray("-OOM command not allowed\r\n")
                                    << QStringList{"settle (EVAL) 0 by 7 0"};
        QTest::newRow("it was not held") << taken << QStringList();
    }
    void aLateReleaseIsUnknownAndSettledWhenItDidNotHappen() {
        QFETCH(QByteArray, late);
        QFETCH(QStringList, sentAfterwards);
        open();
        take(60s);
        const auto call = unlock();
        QCOMPARE(sent().size(), 1);
        m_clock->advance(m_client->options().commandTimeout);
        QCOMPARE(wordOf(call), "OutcomeUnknown");
        QCOMPARE(held(), 0);
        QCOMPARE(sent(), QStringList());
        commands().reply(late);
        QCOMPARE(sent(), sentAfterwards);
    }

    // If the release was not executed, the lease still counts from the acquire.
    void anUnknownReleaseDoesNotLengthenTheBelief() {
        open();
        take(10s);
        take(10s);
        m_clock->advance(9s);
        const auto call = unlock();
        QCOMPARE(sent().size(), 1);
        commands().lose();
        m_clock->advance(999ms);
        QCOMPARE(held(), 1);
        m_clock->advance(1ms);
        QCOMPARE(held(), 0);
    }

    void aReleaseEndsWithItsClient() {
        open();
        take();
        const auto call = unlock();
        QCOMPARE(sent().size(), 1);
        m_client.reset();
        QCOMPARE(wordOf(call), "OutcomeUnknown");
    }

    void forces_data() {
        QTest::addColumn<QByteArray>("reply");
        QTest::addColumn<QString>("word");
        QTest::newRow("held") << QByteArray(":1\r\n") << "true";
        QTest::newRow("free") << QByteArray(":0\r\n") << "false";
        QTest::newRow("not permitted") << QByteArray("-NOPERM no\r\n") << "NotPermitted";
        QTest::newRow("nonsense") << QByteArray("+what\r\n") << "Protocol";
    }
    void forces() {
        QFETCH(QByteArray, reply);
        QFETCH(QString, word);
        open();
        const auto call = test::start(reentrantLock().forceUnlock());
        QCOMPARE(sent(), QStringList{"force 0"});
        commands().reply(reply);
        QCOMPARE((*call)->ok() ? QVariant((*call)->value()).toString() : wordFor((*call)->error().code), word);
    }

    void anUnansweredForceIsUnknown() {
        open();
        const auto call = test::start(reentrantLock().forceUnlock());
        test::turnEventLoop();
        m_clock->advance(m_client->options().commandTimeout);
        QCOMPARE((*call)->error().code, ErrorCode::OutcomeUnknown);
    }

    // ---- queries ----

    void asksTheServer() {
        open();
        const auto locked = test::start(reentrantLock().isLocked());
        const auto mine = test::start(reentrantLock().isHeldBy(reentrantLock().holder(owner)));
        const auto count = test::start(reentrantLock().holdCount(owner));
        const auto remaining = test::start(reentrantLock().remainingTime());
        QCOMPARE(sent(), (QStringList{"EXISTS L", "HEXISTS L " + uuid + ":7", "HGET L " + uuid + ":7", "PTTL L"}));
        commands().reply(":1\r\n:0\r\n$1\r\n3\r\n:1500\r\n");
        QCOMPARE((*locked)->value(), true);
        QCOMPARE((*mine)->value(), false);
        QCOMPARE((*count)->value(), 3);
        QCOMPARE((*remaining)->value(), RemainingTime::ofPttl(1500));
    }

    void tellsAFreeLockFromOneThatNeverExpires_data() {
        QTest::addColumn<int>("pttl");
        QTest::addColumn<RemainingTime::State>("state");
        QTest::addColumn<int>("left");
        QTest::newRow("free") << -2 << RemainingTime::State::Free << 0;
        QTest::newRow("never expires") << -1 << RemainingTime::State::NeverExpires << 0;
        QTest::newRow("is about to expire") << 0 << RemainingTime::State::Expires << 0;
        QTest::newRow("expires") << 1500 << RemainingTime::State::Expires << 1500;
    }
    void tellsAFreeLockFromOneThatNeverExpires() {
        QFETCH(int, pttl);
        QFETCH(RemainingTime::State, state);
        QFETCH(int, left);
        open();
        const auto remaining = test::start(reentrantLock().remainingTime());
        test::turnEventLoop();
        commands().reply(test::number(pttl));
        QCOMPARE((*remaining)->value().state, state);
        QCOMPARE((*remaining)->value().left, Milliseconds(left));
    }
};

LOCKKEEPER_TEST(TestReentrantLock, Guiless)

}  // namespace tst_reentrantlock

#include "tst_reentrantlock.moc"
