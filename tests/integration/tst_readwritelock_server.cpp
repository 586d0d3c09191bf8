// SPDX-License-Identifier: Apache-2.0
#include "async/whendone.h"
#include "base/systemclock.h"
#include "locks/kinds/readwritelock.h"
#include "locks/kinds/reentrantlock.h"
#include "support/lossyline.h"
#include "support/owner.h"
#include "support/redisserver.h"
#include "support/taskwait.h"
#include "support/testprogram.h"
#include "topology/shardconnections.h"

#include <QSignalSpy>
#include <QTest>

namespace tst_readwritelock_server {

using namespace lockkeeper;
using namespace lockkeeper::locks;
using namespace std::chrono_literals;
using test::LossyLine;
using test::owner;

namespace {

constexpr Milliseconds watchdogTimeout{1500};

}  // namespace

// The read/write lock on a real server, as far as it differs from the other kinds.
class TestReadWriteLockServer : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_server = std::make_unique<test::RedisServer>();
        QVERIFY(m_server->start());
        redis::ConnectionOptions mine = m_server->options();
        mine.firstRetry = 5ms;
        mine.lastRetry = 20ms;
        m_line = std::make_unique<LossyLine>(mine.endpoint);
        LockClientOptions options;
        options.watchdogTimeout = watchdogTimeout;
        m_a = std::make_unique<LockClient>(mine, m_line->factory(), m_clock, options);
        options.id = ClientId::random();
        m_b = std::make_unique<LockClient>(m_server->options(), m_clock, options);
        m_a->open();
        m_b->open();
        QTRY_VERIFY(m_a->connections().isReady({}) && m_b->connections().isReady({}));
    }
    void cleanup() {
        m_a.reset();
        m_b.reset();
        m_server.reset();
    }

    // ---- a lock that is gone ----

    // DEL publishes nothing, so the waiter would sleep for the minute that it has read.
    void theReleaseOfADeletedLockWakesWaiters_data() {
        QTest::addColumn<HoldMode>("held");
        QTest::addColumn<HoldMode>("wanted");
        QTest::newRow("a writer behind a reader") << HoldMode::Read << HoldMode::Write;
        QTest::newRow("a writer behind a writer") << HoldMode::Write << HoldMode::Write;
        QTest::newRow("a reader behind a writer") << HoldMode::Write << HoldMode::Read;
    }
    void theReleaseOfADeletedLockWakesWaiters() {
        QFETCH(HoldMode, held);
        QFETCH(HoldMode, wanted);
        const Lock lock = lockOf(*m_a, held);
        take(lock, 60s);
        waitForFirstRead();
        m_server->cli({"CONFIG", "RESETSTAT"});
        const auto waiting = test::start(lockOf(*m_b, wanted).lock(owner));
        QTRY_VERIFY(stats().contains(u"cmdstat_pttl:calls=2,"));  // before and after the subscription
        m_server->cli({"DEL", "W"});
        QCOMPARE(test::waitFor(lock.unlock(owner)).error().code, ErrorCode::NotHeld);
        QTRY_VERIFY(waiting->has_value());
        QVERIFY((*waiting)->ok());
    }

    // ---- the TTL of a writer that has reentered ----

    // As in the recording write_reentry_crash: each reentry adds to the TTL, and the next renewal sets the plain
    // timeout.
    void aWriterThatDiesBlocksOthersForOneTimeout() {
        const Lock lock = lockOf(*m_a, HoldMode::Write);
        for (int hold = 0; hold < 20; ++hold)
            take(lock);
        QVERIFY(pttl() > 18 * watchdogTimeout);
        QTRY_VERIFY(pttl() <= watchdogTimeout);
        m_a.reset();
        const Result<LockAttempt> taken =
            test::waitFor(lockOf(*m_b, HoldMode::Write).tryLock(owner, Deadline::in(m_clock, watchdogTimeout + 500ms)));
        QVERIFY(taken.ok() && taken->acquired());
    }

    // The server has executed the renewal, so that another client gets the lock after one timeout, and not after the
    // lease of 20 s. The loss is reported before that client gets it: two never believe to hold it.
    void theHolderKnowsOfAShorterTtlAlthoughTheAnswerIsLost() {
        const Lock lock = lockOf(*m_a, HoldMode::Write);
        take(lock, 20s);
        take(lock);
        waitForFirstRead();
        QSignalSpy lost(m_a.get(), &LockClient::lockLost);
        m_line->lose(LossyLine::Loss::Answer);
        for (int command = 0; command < 1000; ++command)  // every reconnection ends with its first renewal
            m_line->lose(LossyLine::Loss::Command);
        QTRY_VERIFY(pttl() <= watchdogTimeout);
        const Milliseconds left = pttl();
        const Hold hold = m_a->hold(lock.holdKey(owner));
        QVERIFY2(hold.count == 0 || hold.deadline <= m_clock.now() + left + 1ms, "believed for longer than it is held");
        std::optional<qsizetype> lossesBefore;
        const auto onTaken = [&](const Result<LockAttempt>& taken) {
            QVERIFY(taken.ok() && taken->acquired());
            lossesBefore = lost.count();
        };
        whenDone(lockOf(*m_b, HoldMode::Write).tryLock(owner, Deadline::in(m_clock, 5s)), this, onTaken);
        QTRY_VERIFY(lossesBefore);
        QCOMPARE(*lossesBefore, 1);
        QCOMPARE(lost.front().at(1).value<LossReason>(), LossReason::LeaseExpired);
    }

    // The same hash holds the writer's own reads, each with its own lease.
    void aWritersRenewalDoesNotShortenItsReads() {
        take(lockOf(*m_a, HoldMode::Write));
        take(lockOf(*m_a, HoldMode::Read), 60s);
        m_server->cli({"CONFIG", "RESETSTAT"});
        QTRY_VERIFY(stats().contains(u"cmdstat_hlen:"));
        QVERIFY(pttl() > 50s);
    }

    // One script renews both. Redisson's renewal is a PEXPIRE, which needs no memory.
    void aServerOutOfMemoryRenewsReadsAndWhatIsBesideThem_data() {
        QTest::addColumn<bool>("hasExpired");
        QTest::newRow("the reader's timeout key is prolonged") << false;
        QTest::newRow("it has expired, and may be refused") << true;
    }
    void aServerOutOfMemoryRenewsReadsAndWhatIsBesideThem() {
        QFETCH(bool, hasExpired);
        take(lockOf(*m_a, HoldMode::Read));
        take(m_a->reentrantLock(LockName("P")));
        if (hasExpired)
            m_server->cli({"DEL", m_server->cli({"KEYS", "{W}:*"})});
        m_server->cli({"CONFIG", "SET", "maxmemory", "1"});
        const QSignalSpy lost(m_a.get(), &LockClient::lockLost);
        for (int renewals = 0; renewals < 4; ++renewals) {  // longer than the timeout
            m_server->cli({"CONFIG", "RESETSTAT"});
            QTRY_VERIFY(stats().contains(u"cmdstat_pexpire:"));
        }
        QCOMPARE(lost.size(), 0);
        QCOMPARE(m_server->cli({"EXISTS", "P", "W"}), "2");
    }

private:
    static Lock lockOf(LockClient& client, HoldMode mode) {
        const ReadWriteLock lock = client.readWriteLock(LockName("W"));
        if (mode == HoldMode::Read)
            return lock.readLock();
        return lock.writeLock();
    }
    void take(const Lock& lock, std::optional<Milliseconds> lease = std::nullopt) {
        const Result<LockAttempt> taken = test::waitFor(lock.tryLock(owner, Deadline::in(m_clock, 0ms), lease));
        QVERIFY2(taken.ok() && taken->acquired(), taken ? "held by another" : qPrintable(taken.error().text));
    }
    Milliseconds pttl() { return Milliseconds(m_server->cli({"PTTL", "W"}).toInt()); }
    // Waits until the client has read its own hold. The first acquire and this read send their scripts whole.
    void waitForFirstRead() { QTRY_VERIFY(stats().contains(u"cmdstat_eval:calls=2,")); }
    QString stats() { return m_server->cli({"INFO", "commandstats"}); }

    SystemClock m_clock;
    std::unique_ptr<test::RedisServer> m_server;
    std::unique_ptr<LossyLine> m_line;
    std::unique_ptr<LockClient> m_a;
    std::unique_ptr<LockClient> m_b;
};

LOCKKEEPER_TEST(TestReadWriteLockServer, Guiless)

}  // namespace tst_readwritelock_server

#include "tst_readwritelock_server.moc"
