// SPDX-License-Identifier: Apache-2.0
#include "base/systemclock.h"
#include "locks/kinds/fairlock.h"
#include "locks/kinds/nonreentrantlock.h"
#include "locks/kinds/readwritelock.h"
#include "locks/kinds/reentrantlock.h"
#include "support/lossyline.h"
#include "support/owner.h"
#include "support/redisserver.h"
#include "support/serverhand.h"
#include "support/taskwait.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_settling {

using namespace lockkeeper;
using namespace lockkeeper::locks;
using namespace std::chrono_literals;
using test::LossyLine;
using test::owner;

// An answer was lost, so the client releases what it may have taken, and the server refuses the release.
// tst_lostanswers tests a server that does not refuse it.
class TestSettling : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        QVERIFY(m_server.start());
        m_line = std::make_unique<LossyLine>(m_server.options().endpoint);
        redis::ConnectionOptions options = m_server.options();
        options.role = redis::WantedRole::Known;
        m_client = std::make_unique<LockClient>(options, m_line->factory(), m_clock);
        m_client->open();
        const Lock lock = m_client->nonReentrantLock(LockName("other"));  // loads the scripts
        QVERIFY(test::waitFor(lock.lock(owner)).ok());
        QVERIFY(test::waitFor(lock.unlock(owner)).ok());
        QVERIFY(test::waitFor(m_client->reentrantLock(LockName("other")).lock(owner)).ok());
        QVERIFY(test::waitFor(m_client->reentrantLock(LockName("other")).unlock(owner)).ok());
    }
    void cleanup() {
        m_client.reset();
        m_server.stop();
    }

    // Reconciliation uses EVAL. The right to EVAL is taken away while the client reconnects.
    void aRefusalIsReportedAndTheReleaseTriedAgain() {
        const Lock lock = m_client->reentrantLock(LockName("L"));
        loseTheAnswerAndThen({"ACL", "SETUSER", "default", "-eval"});
        const Result<LockAttempt> taken = test::waitFor(lock.tryLock(owner, Deadline::in(m_clock, 10s), 1h));
        QCOMPARE(taken.error().code, ErrorCode::OutcomeUnknown);
        QCOMPARE(settled(lock).error().code, ErrorCode::NotPermitted);
        QCOMPARE(settled(lock).error().code, ErrorCode::NotPermitted);  // also for a later caller
        QCOMPARE(m_server.cli({"EXISTS", "L"}), "1");
        QCOMPARE(m_server.cli({"ACL", "SETUSER", "default", "+eval"}), "OK");
        QTRY_COMPARE(m_server.cli({"EXISTS", "L"}), "0");
        QTRY_VERIFY(settled(lock).ok());
    }

    // The waiter is not resumed inside the task that it waited for: the end of the client ends that task.
    void aWaiterMayDestroyTheClient_data() {
        QTest::addColumn<bool>("refused");
        QTest::newRow("when nothing is open any more") << false;
        QTest::newRow("when the server refuses") << true;
    }
    void aWaiterMayDestroyTheClient() {
        QFETCH(bool, refused);
        const Lock lock = m_client->reentrantLock(LockName("L"));
        loseTheAnswerAndThen(refused ? QStringList{"ACL", "SETUSER", "default", "-eval"} : QStringList{"PING"});
        const Result<LockAttempt> taken = test::waitFor(lock.tryLock(owner, Deadline::in(m_clock, 0ms), 1h));
        QCOMPARE(taken.error().code, ErrorCode::OutcomeUnknown);
        std::optional<Result<Done>> first;
        std::optional<Result<Done>> second;
        m_client->whenSettled(lock.holdKey(owner)).then([&](const Result<Done>& settled) {
            first = settled;
            m_client.reset();
        });
        m_client->whenSettled(lock.holdKey(owner)).then([&](const Result<Done>& settled) { second = settled; });
        QTRY_VERIFY(first);
        QCOMPARE(first->ok(), !refused);
        QVERIFY(second && !second->ok());
        QCOMPARE(second->error().cause, Cause::LockClientClosed);
    }

    void aRefusedReleaseIsReported() {
        const Lock lock = m_client->reentrantLock(LockName("L"));
        QVERIFY(test::waitFor(lock.lock(owner, 1h)).ok());
        m_line->lose(LossyLine::Loss::Command);
        m_line->whenLost = [this] { m_server.cli({"ACL", "SETUSER", "default", "-eval"}); };
        QCOMPARE(test::waitFor(lock.unlock(owner)).error().code, ErrorCode::OutcomeUnknown);
        QCOMPARE(settled(lock).error().code, ErrorCode::NotPermitted);
        QCOMPARE(m_server.cli({"EXISTS", "L"}), "1");
    }

    // The lock's TTL is the sum of the leases, so the release is tried for longer than the lease of the call.
    void aWritersReentryMayStayForTheWholeTtl() {
        const Lock lock = m_client->readWriteLock(LockName("L")).writeLock();
        QVERIFY(test::waitFor(lock.tryLock(owner, Deadline::in(m_clock, 0ms), 1h)).value().acquired());
        m_server.cli({"CONFIG", "RESETSTAT"});
        loseTheAnswerAndThen({"ACL", "SETUSER", "default", "-eval"});
        const Result<LockAttempt> again = test::waitFor(lock.tryLock(owner, Deadline::in(m_clock, 0ms), 200ms));
        QCOMPARE(again.error().code, ErrorCode::OutcomeUnknown);
        QTRY_VERIFY(m_server.cli({"INFO", "errorstats"}).contains("errorstat_NOPERM:count=2"));
        QCOMPARE(settled(lock).error().code, ErrorCode::NotPermitted);
        m_server.cli({"ACL", "SETUSER", "default", "+eval"});
        QTRY_COMPARE(m_server.cli({"HGET", "L", QString::fromLatin1(lock.holdKey(owner).field())}), "1");
        QTRY_VERIFY(settled(lock).ok());
    }

    // The place would hold up the waiters behind it.
    void aPlaceInTheQueueThatCannotBeLeftIsReported() {
        const Lock lock = m_client->fairLock(LockName("L"));
        m_server.cli({"HSET", "L", "somebody:1", "1"});
        const auto waiting = test::start(lock.tryLock(owner, Deadline::in(m_clock, 600ms), 1h));
        QTRY_COMPARE(m_server.cli({"LLEN", "redisson_lock_queue:{L}"}), "1");
        m_server.cli({"ACL", "SETUSER", "default", "-eval"});
        QTRY_VERIFY(waiting->has_value());
        QVERIFY((*waiting)->ok() && !(*waiting)->value().acquired());
        QCOMPARE(settled(lock).error().code, ErrorCode::NotPermitted);
        QCOMPARE(m_server.cli({"LLEN", "redisson_lock_queue:{L}"}), "1");
    }

    // The client tries for as long as the call was to wait.
    void aPlaceInTheQueueIsLeftWhenTheServerAllowsIt() {
        const Lock lock = m_client->fairLock(LockName("L"));
        m_server.cli({"HSET", "L", "somebody:1", "1"});
        std::stop_source stop;
        const auto waiting = test::start(lock.tryLock(owner, Deadline::in(m_clock, 1h), 1h, stop.get_token()));
        QTRY_COMPARE(m_server.cli({"LLEN", "redisson_lock_queue:{L}"}), "1");
        m_server.cli({"ACL", "SETUSER", "default", "-eval"});
        stop.request_stop();
        QCOMPARE(settled(lock).error().code, ErrorCode::NotPermitted);
        m_server.cli({"ACL", "SETUSER", "default", "+eval"});
        QTRY_VERIFY(settled(lock).ok());
        QCOMPARE(m_server.cli({"LLEN", "redisson_lock_queue:{L}"}), "0");
    }

    // A call without a limit waits until the server cannot keep any longer what the first one may have taken.
    void theLockIsTakenAgainWhenItsLeaseHasPassed() {
        const Lock lock = m_client->nonReentrantLock(LockName("L"));
        loseTheAnswerAndThen({"ACL", "SETUSER", "default", "-eval"});
        const Result<LockAttempt> taken = test::waitFor(lock.tryLock(owner, Deadline::in(m_clock, 10s), 1500ms));
        QCOMPARE(taken.error().code, ErrorCode::OutcomeUnknown);
        QCOMPARE(m_server.cli({"EXISTS", "L"}), "1");
        const Result<LockAttempt> again = test::waitFor(lock.tryLock(owner, Deadline::never(m_clock), 1h));
        QVERIFY2(again.ok(), again.ok() ? "" : qPrintable(again.error().text));
        QVERIFY(again->acquired());
        QVERIFY(settled(lock).ok());
        QCOMPARE(test::waitFor(lock.unlock(owner)).value(), ReleaseOutcome::Free);
    }

    // The demoted master becomes the master again, in place of a new master. The first call waits meanwhile. The
    // second one does not, and what it has taken is released in the background.
    void aDemotedMasterIsNotTheEnd_data() {
        QTest::addColumn<Milliseconds>("wait");
        QTest::newRow("the caller waits") << Milliseconds(20s);
        QTest::newRow("the caller does not wait") << Milliseconds(0);
    }
    void aDemotedMasterIsNotTheEnd() {
        QFETCH(Milliseconds, wait);
        const Lock lock = m_client->reentrantLock(LockName("L"));
        // The master that it gets does not exist, so it keeps its data.
        loseTheAnswerAndThen({"REPLICAOF", "127.0.0.1", QString::number(m_noServer.number())});
        m_server.cli({"CONFIG", "RESETSTAT"});
        const auto taking = test::start(lock.tryLock(owner, Deadline::in(m_clock, wait), 1h));
        // A replica without its master is asked for its role again and again, and is not used.
        QTRY_VERIFY_WITH_TIMEOUT(test::ServerHand(m_server).calls("role") >= 2, 20000);
        QCOMPARE(m_server.cli({"EXISTS", "L"}), "1");
        QCOMPARE(m_server.cli({"REPLICAOF", "NO", "ONE"}), "OK");
        QTRY_VERIFY(taking->has_value());
        QVERIFY(settled(lock).ok());
        const bool isWaiting = wait > 0ms;
        QCOMPARE((*taking)->ok(), isWaiting);
        QCOMPARE(m_server.cli({"EXISTS", "L"}), isWaiting ? "1" : "0");
        QCOMPARE(m_client->hold(lock.holdKey(owner)).count, isWaiting ? 1 : 0);
    }

private:
    void loseTheAnswerAndThen(const QStringList& fault) {
        m_line->lose(LossyLine::Loss::Answer);
        m_line->whenLost = [this, fault] { m_server.cli(fault); };
    }
    static Task<Result<Done>> wait(Completion<Done> completion, Deadline deadline) {
        co_return co_await completion.wait(deadline);
    }
    Result<Done> settled(const Lock& lock) {
        return test::waitFor(wait(m_client->whenSettled(lock.holdKey(owner)), Deadline::in(m_clock, 10s)));
    }

    SystemClock m_clock;
    test::RedisServer m_server;
    lab::ReservedPort m_noServer;
    std::unique_ptr<LossyLine> m_line;
    std::unique_ptr<LockClient> m_client;
};

LOCKKEEPER_TEST(TestSettling, Guiless)

}  // namespace tst_settling

#include "tst_settling.moc"
