// SPDX-License-Identifier: Apache-2.0
#include "base/systemclock.h"
#include "locks/lockevents.h"
#include "support/anylock.h"
#include "support/manualclock.h"
#include "support/owner.h"
#include "support/redisserver.h"
#include "support/serverhand.h"
#include "support/taskwait.h"
#include "support/testprogram.h"
#include "topology/route.h"
#include "topology/shardconnections.h"

#include <QTest>

using namespace lockkeeper;
using namespace lockkeeper::locks;
using namespace std::chrono_literals;
using test::Kind;
using test::owner;

namespace {

const QString stranger = QStringLiteral("5f0a3c8e-0000-4000-8000-000000000001:7");
const QString other = QStringLiteral("5f0a3c8e-0000-4000-8000-000000000002:8");

}  // namespace

// A client that watches a lock gets signals when it is acquired and released.
class TestLockEvents : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_server = std::make_unique<test::RedisServer>(test::RedisServer::withMemory());
        QVERIFY(m_server->start());
        m_client = std::make_unique<LockClient>(m_server->options(), m_clock);
        m_client->open();
        QTRY_VERIFY(m_client->connections().isReady({}));
    }
    void cleanup() {
        m_events.reset();
        m_route.reset();
        m_client.reset();
        m_server.reset();
        m_seen.clear();
    }

    void seesEachKind_data() {
        test::addKinds({Kind::Reentrant, Kind::Fair, Kind::Fenced, Kind::Spin, Kind::Read, Kind::Write,
                        Kind::NonReentrant, Kind::NonReentrantFair});
    }
    void seesEachKind() {
        QFETCH(Kind, kind);
        watch();
        const Lock lock = test::lockOf(*m_client, kind, LockName("L"));
        const QString mine = QString::fromLatin1(lock.holdKey(owner).field());
        for (int i = 0; i < 2; ++i) {
            m_seen.clear();
            QVERIFY(test::waitFor(lock.lock(owner)).ok());
            QTRY_COMPARE(m_seen, QStringList{"acquired " + mine});
            QVERIFY(test::waitFor(lock.unlock(owner)).ok());
            QTRY_COMPARE(m_seen, (QStringList{"acquired " + mine, "released"}));
        }
    }

    void reportsALockThatIsHeldAtTheBeginning() {
        m_server->cli({"HSET", "L", stranger, "1"});
        watch();
        QTRY_COMPARE(m_seen, QStringList{"acquired " + stranger});
    }

    void seesHowItEnds_data() {
        QTest::addColumn<QList<QStringList>>("commands");
        QTest::newRow("DEL") << QList<QStringList>{{"DEL", "L"}};
        QTest::newRow("the lease ends") << QList<QStringList>{{"PEXPIRE", "L", "1"}};
        QTest::newRow("flushed") << QList<QStringList>{{"FLUSHALL"}};
        QTest::newRow("used for something else") << QList<QStringList>{{"SET", "L", "text"}};
    }
    void seesHowItEnds() {
        QFETCH(QList<QStringList>, commands);
        m_server->cli({"HSET", "L", stranger, "1"});
        watch();
        QTRY_COMPARE(m_seen.size(), 1);
        for (const QStringList& command : commands)
            m_server->cli(command);
        QTRY_COMPARE(m_seen, (QStringList{"acquired " + stranger, "released"}));
    }

    // Another client holds the lock at the next read.
    void aHandOverIsAReleaseAndAnAcquire() {
        m_server->cli({"HSET", "L", stranger, "1"});
        watch();
        QTRY_COMPARE(m_seen.size(), 1);
        m_server->cli({"EVAL", "redis.call('del', 'L') redis.call('hset', 'L', ARGV[1], 1)", "0", other});
        QTRY_COMPARE(m_seen, (QStringList{"acquired " + stranger, "released", "acquired " + other}));
    }

    void reentriesRenewalsAndFurtherReadersAreNoEvents() {
        m_server->cli({"HSET", "L", "mode", "read", stranger, "1"});
        watch();
        QTRY_COMPARE(m_seen.size(), 1);
        m_server->cli({"HINCRBY", "L", stranger, "1"});
        m_server->cli({"PEXPIRE", "L", "60000"});
        m_server->cli({"HSET", "L", other, "1"});
        m_server->cli({"HDEL", "L", stranger});
        m_server->cli({"DEL", "L"});
        QTRY_COMPARE(m_seen, (QStringList{"acquired " + stranger, "released"}));
    }

    void sendsNothingWhileNothingChanges() {
        m_server->cli({"HSET", "L", stranger, "1"});
        m_server->cli({"HSET", "M", other, "1"});
        watch(m_server->options(), m_manualClock);
        QTRY_VERIFY(m_events->isTracked(LockName("L")));
        QTRY_COMPARE(m_seen, QStringList{"acquired " + stranger});
        m_server->cli({"CONFIG", "RESETSTAT"});
        m_manualClock.advance(9s);
        m_events->watch(LockName("M"));  // on the same connection
        QTRY_COMPARE(m_seen.size(), 2);
        QCOMPARE(test::ServerHand(*m_server).calls("hgetall"), 1);
    }

    void readsEachSecondWhereChangesAreNotReported() {
        m_server->cli({"ACL", "SETUSER", "reader", "on", "nopass", "~*", "+@read", "+@connection", "-client|tracking"});
        redis::ConnectionOptions options = m_server->options();
        options.credentials.user = "reader";
        watch(options);
        m_server->cli({"HSET", "L", stranger, "1"});
        QTRY_COMPARE(m_seen, QStringList{"acquired " + stranger});
        m_server->cli({"DEL", "L"});
        QTRY_COMPARE(m_seen.size(), 2);
        QVERIFY(!m_events->isTracked(LockName("L")));
    }

    void goesOnAfterALostConnection() {
        watch();
        QTRY_VERIFY(m_events->isTracked(LockName("L")));
        m_server->cli({"CLIENT", "KILL", "TYPE", "normal"});
        m_server->cli({"HSET", "L", stranger, "1"});
        QTRY_COMPARE(m_seen, QStringList{"acquired " + stranger});
        QTRY_VERIFY(m_events->isTracked(LockName("L")));
        m_server->cli({"DEL", "L"});
        QTRY_COMPARE(m_seen.size(), 2);
    }

    void aNameThatIsNotWatchedAnyMoreIsSilent() {
        watch();
        m_events->watch(LockName("M"));
        m_events->unwatch(LockName("L"));
        m_server->cli({"HSET", "L", stranger, "1"});
        m_server->cli({"HSET", "M", stranger, "1"});
        QTRY_COMPARE(m_seen, QStringList{"acquired " + stranger});
        m_events->watch(LockName("L"));
        QTRY_COMPARE(m_seen.size(), 2);
    }

    // The slot destroys the object whose signal calls it.
    void mayBeDestroyedByItsSignal() {
        m_server->cli({"HSET", "L", stranger, "1"});
        watch();
        connect(m_events.get(), &LockEvents::released, this, [this] { m_events.reset(); });
        QTRY_COMPARE(m_seen.size(), 1);
        m_server->cli({"EVAL", "redis.call('del', 'L') redis.call('hset', 'L', ARGV[1], 1)", "0", other});
        QTRY_VERIFY(!m_events);
        QCOMPARE(m_seen, (QStringList{"acquired " + stranger, "released"}));
    }

private:
    void watch() { watch(m_server->options()); }
    void watch(const redis::ConnectionOptions& options) { watch(options, m_clock); }
    void watch(const redis::ConnectionOptions& options, Clock& clock) {
        m_route = std::make_unique<topology::Route>(topology::Deployment(), options, clock);
        m_events = std::make_unique<LockEvents>(options, m_route->shards(), clock);
        connect(m_events.get(), &LockEvents::acquired, this, [this](const LockName&, const QByteArrayList& holders) {
            m_seen += "acquired " + QString::fromLatin1(holders.join(' '));
        });
        connect(m_events.get(), &LockEvents::released, this, [this](const LockName&) { m_seen += "released"; });
        m_events->watch(LockName("L"));
    }

    std::unique_ptr<test::RedisServer> m_server;
    SystemClock m_clock;
    test::ManualClock m_manualClock;
    std::unique_ptr<LockClient> m_client;
    std::unique_ptr<topology::Route> m_route;
    std::unique_ptr<LockEvents> m_events;
    QStringList m_seen;
};

LOCKKEEPER_TEST(TestLockEvents, Guiless)
#include "tst_lockevents.moc"
