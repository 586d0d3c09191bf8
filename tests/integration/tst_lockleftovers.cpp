// SPDX-License-Identifier: Apache-2.0
#include "base/systemclock.h"
#include "support/anylock.h"
#include "support/owner.h"
#include "support/redisserver.h"
#include "support/taskwait.h"
#include "support/testprogram.h"
#include "topology/shardconnections.h"

#include <QTest>

namespace tst_lockleftovers {

using namespace lockkeeper;
using namespace lockkeeper::locks;
using namespace std::chrono_literals;
using test::Kind;
using test::owner;

namespace {

const ThreadId other{34};
const QString dead = QStringLiteral("dead0000-0000-4000-8000-000000000001:7");

}  // namespace

// What a lock leaves on the server, how to remove it, and other questions about a lock.
class TestLockLeftovers : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        QVERIFY(m_server.start());
        m_client = std::make_unique<LockClient>(m_server.options(), m_clock);
        m_client->open();
        QTRY_VERIFY(m_client->connections().isReady({}));
    }
    void init() { m_server.cli({"FLUSHALL"}); }
    void cleanupTestCase() { m_client.reset(); }

    // ---- remove() ----

    void removesWhatAFreeLockLeavesBehind_data() {
        QTest::addColumn<Kind>("kind");
        QTest::addColumn<QList<QStringList>>("leftovers");
        QTest::newRow("fenced: its last token")
            << Kind::Fenced << QList<QStringList>{{"SET", "redisson_lock_token:{L}", "41"}};
        QTest::newRow("fair: a queue of dead waiters")
            << Kind::Fair
            << QList<QStringList>{{"RPUSH", "redisson_lock_queue:{L}", dead},
                                  {"ZADD", "redisson_lock_timeout:{L}", "9999999999999", dead}};
        QTest::newRow("not reentrant, fair")
            << Kind::NonReentrantFair << QList<QStringList>{{"RPUSH", "redisson_lock_queue:{L}", dead}};
    }
    void removesWhatAFreeLockLeavesBehind() {
        QFETCH(Kind, kind);
        QFETCH(QList<QStringList>, leftovers);
        for (const QStringList& leftover : leftovers)
            m_server.cli(leftover);
        m_server.cli({"SET", "redisson_lock_token:{M}", "7"});
        const Lock lock = lockOf(kind);
        QCOMPARE(test::waitFor(lock.remove()).value(), RemovalOutcome::Removed);
        QCOMPARE(m_server.cli({"KEYS", "*"}), "redisson_lock_token:{M}");
        QCOMPARE(test::waitFor(lock.remove()).value(), RemovalOutcome::NothingFound);
    }

    void refusesWhileItIsHeld_data() { kinds(); }
    void refusesWhileItIsHeld() {
        QFETCH(Kind, kind);
        const Lock lock = lockOf(kind);
        QVERIFY(test::waitFor(lock.lock(owner)).ok());
        const QString before = m_server.cli({"KEYS", "*"});
        QCOMPARE(test::waitFor(lock.remove()).value(), RemovalOutcome::Held);
        QCOMPARE(m_server.cli({"KEYS", "*"}), before);
        QVERIFY(test::waitFor(lock.unlock(owner)).ok());
    }

    void freesItFirstIfAsked_data() { kinds(); }
    void freesItFirstIfAsked() {
        QFETCH(Kind, kind);
        const Lock lock = lockOf(kind);
        QVERIFY(test::waitFor(lock.lock(owner)).ok());
        QCOMPARE(test::waitFor(lock.remove(Removal::FreeFirst)).value(), RemovalOutcome::Removed);
        QCOMPARE(m_server.cli({"DBSIZE"}), "0");
        QTRY_COMPARE(m_client->heldKeys().size(), size_t{0});
    }

    // The release wakes the waiter, which has the lock before anything more is removed.
    void aWaiterThatTakesItKeepsIt() {
        const Lock lock = lockOf(Kind::Fair);
        QVERIFY(test::waitFor(lock.lock(owner)).ok());
        LockClient waiter(m_server.options(), m_clock);
        waiter.open();
        const auto waiting = test::start(waiter.fairLock(LockName("L")).lock(other));
        QTRY_VERIFY(!m_server.cli({"PUBSUB", "CHANNELS"}).isEmpty());
        const RemovalOutcome outcome = test::waitFor(lock.remove(Removal::FreeFirst)).value();
        QTRY_VERIFY(waiting->has_value());
        QVERIFY((*waiting)->ok());
        QVERIFY(outcome == RemovalOutcome::Held || outcome == RemovalOutcome::Removed);
        QCOMPARE(m_server.cli({"HVALS", "L"}), "1");
    }

    // ---- questions ----

    void theLastTokenIsKnownToAll() {
        const FencedLock lock = m_client->fencedLock(LockName("L"));
        QCOMPARE(test::waitFor(lock.token()).value(), std::optional<FencingToken>());
        QCOMPARE(test::waitFor(lock.lockAndGetToken(owner)).value(), FencingToken{1});
        QCOMPARE(test::waitFor(lock.lockAndGetToken(owner)).value(), FencingToken{2});
        QCOMPARE(test::waitFor(lock.token()).value(), FencingToken{2});
        QVERIFY(test::waitFor(lock.forceUnlock()).value());
        LockClient reader(m_server.options(), m_clock);
        reader.open();
        QTRY_VERIFY(reader.connections().isReady({}));
        QCOMPARE(test::waitFor(reader.fencedLock(LockName("L")).token()).value(), FencingToken{2});
    }

    void aMultiLockIsHeldByWhoHoldsEachMember() {
        const MultiLock all({lockOf(Kind::Reentrant), m_client->readWriteLock(LockName("M")).writeLock()});
        QCOMPARE(test::waitFor(all.isHeldBy(owner)).value(), false);
        QVERIFY(test::waitFor(all.lock(owner)).ok());
        QCOMPARE(test::waitFor(all.isHeldBy(owner)).value(), true);
        QCOMPARE(test::waitFor(all.isHeldBy(other)).value(), false);
        m_server.cli({"DEL", "M"});
        QCOMPARE(test::waitFor(all.isHeldBy(owner)).value(), false);
    }

    void aServerThatWantsReplicasRefusesUntilItHasThem() {
        m_server.cli({"CONFIG", "SET", "min-replicas-to-write", "1"});
        const Lock lock = lockOf(Kind::Reentrant);
        const Result<LockAttempt> once = test::waitFor(lock.tryLock(owner, Deadline::in(m_clock, 0ms)));
        QCOMPARE(once.error().reply, ReplyKind::NoReplicas);
        int refusals = 0;
        connect(m_client.get(), &LockClient::acquirePostponed, this, [&refusals] { ++refusals; });
        const auto waiting = test::start(lock.lock(owner));
        QTRY_VERIFY(refusals >= 2);
        QVERIFY(!waiting->has_value());
        m_server.cli({"CONFIG", "SET", "min-replicas-to-write", "0"});
        QTRY_VERIFY(waiting->has_value());
        QVERIFY((*waiting)->ok());
        QVERIFY(test::waitFor(lock.unlock(owner)).ok());
    }

private:
    static void kinds() {
        test::addKinds({Kind::Reentrant, Kind::Fair, Kind::Fenced, Kind::Spin, Kind::Read, Kind::Write,
                        Kind::NonReentrant, Kind::NonReentrantFair});
    }
    [[nodiscard]] Lock lockOf(Kind kind) { return test::lockOf(*m_client, kind, LockName("L")); }

    test::RedisServer m_server;
    SystemClock m_clock;
    std::unique_ptr<LockClient> m_client;
};

LOCKKEEPER_TEST(TestLockLeftovers, Guiless)

}  // namespace tst_lockleftovers

#include "tst_lockleftovers.moc"
