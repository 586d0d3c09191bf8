// SPDX-License-Identifier: Apache-2.0
#include "locks/heldtracking.h"
#include "locks/kinds/readwritelock.h"
#include "support/lockreplies.h"
#include "support/reentrantlocktest.h"
#include "support/testprogram.h"
#include "topology/shardconnections.h"

#include <QSignalSpy>
#include <QTest>

namespace tst_heldtracking {

using namespace lockkeeper;
using namespace lockkeeper::locks;
using namespace std::chrono_literals;
using test::FakeLink;

namespace {

const QByteArray ok = "+OK\r\n";
const QString caching = QStringLiteral("CLIENT CACHING YES");

// The answer of check_holds.lua for a plain lock.
QByteArray reading(qint64 pttl, bool held) {
    return "*3\r\n" + test::number(pttl) + test::bulk({}) + test::number(held ? 1 : 0);
}

}  // namespace

// When a held lock is tracked and read; tst_heldtracking_server uses the real server.
class TestHeldTracking : public test::ReentrantLockTest {
    Q_OBJECT

private Q_SLOTS:
    // The cost of an acquire delays the waiters of the lock; a later read does not.
    void aHoldIsReadWhenItIsSomewhatOld() {
        openTracked();
        QCOMPARE(m_client->lossDetection(), LossDetection::Tracking);
        const auto call = tryLock();
        QCOMPARE(sent(), QStringList{"acquire 30000 by 7"});
        commands().reply(taken);
        m_clock->advance(HeldTracking::firstRead - 1ms);
        QCOMPARE(sent(), QStringList());
        m_clock->advance(1ms);
        QCOMPARE(sent(), (QStringList{caching, check()}));
        commands().reply(ok + reading(29950, true));
        m_clock->advance(5s);
        QCOMPARE(sent(), QStringList());
    }

    void aLossBeforeThatIsFoundThen() {
        openTracked();
        const auto call = tryLock();
        QCOMPARE(sent().size(), 1);
        commands().reply(taken);
        m_clock->advance(HeldTracking::firstRead);
        QCOMPARE(sent().size(), 2);
        commands().reply(ok + reading(-2, false));
        QCOMPARE(lost(), QByteArrayList{"L"});
    }

    void whatIsReleasedBeforeIsNotRead() {
        openTracked();
        const auto call = tryLock();
        QCOMPARE(sent().size(), 1);
        commands().reply(taken);
        const auto release = unlock();
        QCOMPARE(sent(), QStringList{"release 0 30000 by 7"});
        commands().reply(test::number(1));
        m_clock->advance(1s);
        QCOMPARE(sent(), QStringList());
    }

    // Its reads would cost the server as much as its commands.
    void aLockThatIsTakenAgainAndAgainIsNotRead() {
        openTracked();
        for (int i = 0; i < 4; ++i) {
            const auto call = tryLock();
            QCOMPARE(sent(), QStringList{"acquire 30000 by 7"});
            commands().reply(taken);
            m_clock->advance(HeldTracking::firstRead - 1ms);
            const auto release = unlock();
            QCOMPARE(sent(), QStringList{"release 0 30000 by 7"});
            commands().reply(test::number(1));
        }
        const auto call = tryLock();
        QCOMPARE(sent().size(), 1);
        commands().reply(taken);
        m_clock->advance(HeldTracking::firstRead - 1ms);
        QCOMPARE(sent(), QStringList());
        m_clock->advance(1ms);
        QCOMPARE(sent(), (QStringList{caching, check()}));
    }

    void aReentryIsReadAgain() {
        openTracked();
        takeTracked();
        const auto reentry = tryLock();
        QCOMPARE(sent(), QStringList{"acquire 30000 by 7"});
        commands().reply(taken);
        m_clock->advance(HeldTracking::firstRead);
        QCOMPARE(sent(), (QStringList{caching, check()}));
    }

    void renewalsAndPartialReleasesAreTrackedThemselves() {
        openTracked();
        takeTracked();
        const auto reentry = tryLock();
        QCOMPARE(sent().size(), 1);
        commands().reply(taken);
        const auto partly = unlock();
        QCOMPARE(sent(), (QStringList{caching, "release 0 30000 by 7"}));
        commands().reply(ok + test::number(0));
        m_clock->advance(HeldTracking::firstRead);
        QCOMPARE(sent().size(), 2);
        commands().reply(ok + reading(29950, true));
        m_clock->advance(10s);
        QCOMPARE(sent().value(0), caching);
        commands().reply(ok + "*1\r\n:1\r\n");
        const auto last = unlock();
        QCOMPARE(sent(), QStringList{"release 0 30000 by 7"});
    }

    // The hold is older than the server's consent to track.
    void whatWasTakenBeforeItIsOnIsRead() {
        m_client->open();
        const auto call = lock();
        m_server->acceptAll({{"CLIENT TRACKING ON OPTIN NOLOOP", ""}});
        QCOMPARE(sent(), QStringList{"acquire 30000 by 7"});
        commands().reply(ok + taken);
        QCOMPARE(sent(), QStringList{caching});
        commands().reply(ok);
        QCOMPARE(sent(), (QStringList{caching, check()}));
    }

    void anUnknownScriptIsTrackedTwice() {
        openTracked();
        const auto call = tryLock();
        QCOMPARE(sent().size(), 1);
        commands().reply(taken);
        m_clock->advance(HeldTracking::firstRead);
        QCOMPARE(sent().size(), 2);
        commands().reply(ok + "-NOSCRIPT No matching script. Please use EVAL.\r\n");
        QCOMPARE(sent(), (QStringList{caching, "holds (EVAL) {L}: by 7 0"}));
    }

    // ---- only the read decides ----

    void manyChangesAreOneReadAtATime() {
        openTracked();
        takeTracked();
        change("L");
        change("L");
        QCOMPARE(sent(), (QStringList{caching, check()}));
        change("L");
        QCOMPARE(sent(), QStringList());
        commands().reply(ok + reading(29000, true));
        QCOMPARE(sent(), QStringList());
        m_clock->advance(10ms);
        QCOMPARE(sent(), (QStringList{caching, check()}));
        commands().reply(ok + reading(29000, true));
        m_clock->advance(10ms);
        QCOMPARE(sent(), QStringList());
        QCOMPARE(held(), 1);
        QCOMPARE(lost(), QByteArrayList());
    }

    void whatIsNotHeldIsNotRead() {
        openTracked();
        takeTracked();
        change("M");
        change("redisson_lock_queue:{L}");
        QCOMPARE(sent(), QStringList());
    }

    void aFlushReadsAll() {
        openTracked();
        takeTracked();
        commands().reply(">2\r\n" + test::bulk("invalidate") + "_\r\n");
        QCOMPARE(sent(), (QStringList{caching, check()}));
        commands().reply(ok + reading(-2, false));
        QCOMPARE(lost(), QByteArrayList{"L"});
        QCOMPARE(held(), 0);
    }

    void whatIsReleasedMeanwhileIsNotLost() {
        openTracked();
        takeTracked();
        change("L");
        const auto release = unlock();
        QCOMPARE(sent().size(), 3);
        commands().reply(ok + reading(29000, true) + test::number(1));
        QCOMPARE(wordOf(release), "done");
        change("L");
        QCOMPARE(lost(), QByteArrayList());
    }

    void anAnswerOfAnotherTypeDecidesNothing_data() {
        QTest::addColumn<QByteArray>("answer");
        QTest::newRow("an error") << QByteArray("-ERR what\r\n");
        QTest::newRow("no list") << ok;
        QTest::newRow("a shorter list") << QByteArray("*1\r\n:0\r\n");
    }
    void anAnswerOfAnotherTypeDecidesNothing() {
        QFETCH(QByteArray, answer);
        openTracked();
        takeTracked();
        change("L");
        commands().reply(ok + answer);
        QCOMPARE(held(), 1);
        QCOMPARE(lost(), QByteArrayList());
    }

    // Until then only the next renewal notices a loss.
    void aRefusedReadIsRepeatedAfterGrowingPauses() {
        openTracked();
        takeTracked(24h);
        change("L");
        QList<int> pauses;
        QCOMPARE(sent(), (QStringList{caching, check()}));
        for (int i = 0; i < 11; ++i) {
            commands().reply(ok + "-BUSY Redis is busy running a script\r\n");
            QCOMPARE(m_client->lossDetection(), LossDetection::RenewalOnly);
            pauses += 0;
            while (commands().takeCommands().isEmpty() && pauses.back() < 20000) {
                m_clock->advance(10ms);
                pauses.back() += 10;
            }
        }
        QCOMPARE(pauses, (QList<int>{50, 100, 200, 400, 800, 1600, 3200, 6400, 10000, 10000, 10000}));
    }

    void aLockThatCanBeReadAgainIsTracked() {
        openTracked();
        takeTracked();
        QSignalSpy changed(m_client.get(), &LockClient::lossDetectionChanged);
        change("L");
        commands().reply(ok + test::noPermission("evalsha"));
        QCOMPARE(changed.size(), 1);
        QCOMPARE(m_client->lossDetection(), LossDetection::RenewalOnly);
        QVERIFY(!sent().isEmpty());
        m_clock->advance(50ms);
        QCOMPARE(sent(), (QStringList{caching, check()}));
        commands().reply(ok + reading(-2, false));
        QCOMPARE(lost(), QByteArrayList{"L"});
        QCOMPARE(changed.size(), 2);
        QCOMPARE(m_client->lossDetection(), LossDetection::Tracking);
    }

    void aLockThatIsReleasedMeanwhileIsNotReadAgain() {
        openTracked();
        takeTracked();
        change("L");
        commands().reply(ok + test::noPermission("evalsha"));
        const auto release = unlock();
        QVERIFY(!sent().isEmpty());
        commands().reply(test::number(1));
        m_clock->advance(1s);
        QCOMPARE(sent(), QStringList());
        QCOMPARE(m_client->lossDetection(), LossDetection::Tracking);
    }

    // The TTL counts from before the read was sent.
    void aShorterTtlBringsTheRenewalForward() {
        openTracked();
        takeTracked();
        change("L");
        QCOMPARE(sent().size(), 2);
        const SteadyTime end = m_clock->now() + 900ms;
        m_clock->advance(1ms);
        commands().reply(ok + reading(900, true));
        QCOMPARE(m_client->hold(HoldKey(LockName("L"), HolderId(ClientId(uuid), owner))).deadline, end);
        m_clock->advance(300ms);
        QCOMPARE(sent().size(), 2);  // the renewal, tracked
    }

    // ---- a server that refuses ----

    void aRefusalIsReported_data() {
        QTest::addColumn<FakeLink::Answers>("answers");
        QTest::newRow("no right to CLIENT TRACKING")
            << FakeLink::Answers{{"CLIENT TRACKING ON OPTIN NOLOOP", test::noPermission("client|tracking")}};
        QTest::newRow("no right to CLIENT CACHING") << FakeLink::Answers{
            {"CLIENT TRACKING ON OPTIN NOLOOP", ok}, {"CLIENT CACHING YES", test::noPermission("client|caching")}};
        QTest::newRow("RESP2") << FakeLink::Answers{{"HELLO", "-ERR unknown command 'HELLO'\r\n"},
                                                    {"INFO", test::bulk("redis_version:5.0.14\r\n")},
                                                    {"CLIENT SETNAME lockkeeper", ok}};
    }
    void aRefusalIsReported() {
        QFETCH(FakeLink::Answers, answers);
        QSignalSpy changed(m_client.get(), &LockClient::lossDetectionChanged);
        m_client->open();
        m_server->acceptAll(answers);
        QCOMPARE(changed.size(), 1);
        QCOMPARE(m_client->lossDetection(), LossDetection::RenewalOnly);
        const auto call = tryLock();
        const QList<QByteArrayList> acquire = m_server->lastLink().takeCommands();
        QCOMPARE(acquire.size(), 1);
        QCOMPARE(acquire.first().first(), "EVALSHA");
    }

    // Nothing renews the lock.
    void aFixedLeaseIsReadAsOftenAsOthersAreRenewed() {
        open();
        QCOMPARE(m_client->lossDetection(), LossDetection::RenewalOnly);
        take(60s);
        m_clock->advance(10s);
        QCOMPARE(sent(), QStringList{check()});
        commands().reply(reading(50000, true));
        m_clock->advance(10s);
        QCOMPARE(sent(), QStringList{check()});
        commands().reply(reading(-2, false));
        QCOMPARE(lost(), QByteArrayList{"L"});
        m_clock->advance(30s);
        QCOMPARE(sent(), QStringList());
    }

    // After the machine has slept, all holds are read at once, without waiting for the next renewal.
    void whatIsHeldIsReadOnRequest() {
        open();
        take();
        const auto call = test::start(m_client->reentrantLock(LockName("M")).tryLock(owner, in(std::nullopt)));
        QCOMPARE(sent().size(), 1);
        commands().reply(taken);
        const int writes = commands().transport()->writes;
        for (const HoldKey& key : m_client->heldKeys())
            m_client->checkHolds(key.name);
        QStringList reads = sent();
        reads.sort();
        QCOMPARE(reads, (QStringList{check(), QStringLiteral("holds {M}: by 7 0")}));
        QCOMPARE(commands().transport()->writes, writes + 1);
        m_client->checkHolds(LockName("L"));
        commands().reply(reading(20000, true) + reading(20000, true));
        m_clock->advance(10ms);
        QCOMPARE(sent(), QStringList{check()});  // requested during the read
        commands().reply(reading(-2, false));
        QCOMPARE(lost(), QByteArrayList{"L"});
    }

    // Renewals of other readers shorten the TTL of the lock.
    void aReadLockWithAFixedLeaseIsReadEachSecond() {
        open();
        take(60s);
        const auto call = test::start(readLock().tryLock(owner, in(std::nullopt), 60s));
        QCOMPARE(sent().size(), 1);
        commands().reply(taken);
        QVERIFY((*call)->value().acquired());
        m_clock->advance(1s);
        QCOMPARE(sent(), QStringList{readCheck(59000)});
        commands().reply(reading(59000, true));
        m_clock->advance(1s);
        QCOMPARE(sent(), QStringList{readCheck(58000)});
        const auto release = test::start(readLock().unlock(owner));
        QCOMPARE(sent().size(), 1);
        commands().reply(reading(58000, true) + test::number(1));
        m_clock->advance(5s);
        QCOMPARE(sent(), QStringList());
    }
    void aRenewedReadLockIsNotReadEachSecond() {
        open();
        const auto call = test::start(readLock().tryLock(owner, in(std::nullopt)));
        QCOMPARE(sent().size(), 1);
        commands().reply(taken);
        QVERIFY((*call)->value().acquired());
        m_clock->advance(5s);
        QCOMPARE(sent(), QStringList());
    }

private:
    [[nodiscard]] Lock readLock() { return m_client->readWriteLock(LockName("M")).readLock(); }
    static QString readCheck(int left) { return QStringLiteral("holds {M}: by 7 1 %1").arg(left); }
    void openTracked() {
        m_client->open();
        m_server->acceptAll({{"CLIENT TRACKING ON OPTIN NOLOOP", ok}, {"CLIENT CACHING YES", ok}});
        QVERIFY(m_client->connections().isReady({}));
    }
    void takeTracked(Milliseconds lease = 30s) {
        const bool isRenewed = lease == 30s;
        const auto call = isRenewed ? tryLock() : tryLock(std::nullopt, lease);
        QCOMPARE(sent(), QStringList{QStringLiteral("acquire %1 by 7").arg(lease.count())});
        commands().reply(taken);
        QVERIFY((*call)->value().acquired());
        m_clock->advance(HeldTracking::firstRead);
        QCOMPARE(sent(), (QStringList{caching, check()}));
        commands().reply(ok + reading((lease - HeldTracking::firstRead).count(), true));
        m_clock->advance(10ms);  // until the lock may be read again
    }
    void change(const QByteArray& key) { commands().reply(test::invalidation(key)); }
    static QString check() { return QStringLiteral("holds {L}: by 7 0"); }
};

LOCKKEEPER_TEST(TestHeldTracking, Guiless)

}  // namespace tst_heldtracking

#include "tst_heldtracking.moc"
