// SPDX-License-Identifier: Apache-2.0
#include "base/systemclock.h"
#include "support/anylock.h"
#include "support/owner.h"
#include "support/redisserver.h"
#include "support/taskwait.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_nonreentrantlock_server {

using namespace lockkeeper;
using namespace lockkeeper::locks;
using namespace std::chrono_literals;
using test::Kind;
using test::owner;

namespace {

const ThreadId other{34};

}  // namespace

// The locks that their holder may not take again, on a real server: what tst_replay does not show.
class TestNonReentrantLockServer : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        QVERIFY(m_server.start());
        m_client = std::make_unique<LockClient>(m_server.options(), m_clock);
        m_client->open();
    }
    void init() { m_server.cli({"FLUSHALL"}); }
    void cleanupTestCase() { m_client.reset(); }

    void theHoldStaysAsItIsWhenASecondOneIsRefused_data() { kinds(); }
    void theHoldStaysAsItIsWhenASecondOneIsRefused() {
        QFETCH(Kind, kind);
        const Lock lock = test::lockOf(*m_client, kind, LockName("L"));
        QVERIFY(test::waitFor(lock.lock(owner, 20s)).ok());
        const Result<Done> again = test::waitFor(lock.lock(owner, 90s));
        QCOMPARE(again.error().cause, Cause::AlreadyHeld);
        QCOMPARE(again.error().text, QStringLiteral("Lock 'L' is non-reentrant and is already held by thread 33"));
        QCOMPARE(m_server.cli({"HVALS", "L"}), "1");
        QVERIFY(m_server.cli({"PTTL", "L"}).toInt() <= 20000);
        QCOMPARE(m_server.cli({"DBSIZE"}), "1");  // nothing is left in a queue
        QCOMPARE(test::waitFor(lock.unlock(owner)).value(), ReleaseOutcome::Free);
        QVERIFY(test::waitFor(lock.lock(owner)).ok());
        QVERIFY(test::waitFor(lock.unlock(owner)).ok());
    }

    void anotherThreadWaitsForIt_data() { kinds(); }
    void anotherThreadWaitsForIt() {
        QFETCH(Kind, kind);
        const Lock lock = test::lockOf(*m_client, kind, LockName("L"));
        QVERIFY(test::waitFor(lock.lock(owner)).ok());
        const auto waiting = test::start(lock.lock(other));
        QTRY_VERIFY(!m_server.cli({"PUBSUB", "CHANNELS"}).isEmpty());
        QVERIFY(!waiting->has_value());
        QVERIFY(test::waitFor(lock.unlock(owner)).ok());
        QTRY_VERIFY(waiting->has_value());
        QVERIFY((*waiting)->ok());
        QVERIFY(test::waitFor(lock.unlock(other)).ok());
    }

    // The first call's acquire runs when the server goes on, although its caller has gone.
    void aCallAfterACancelledOneTakesIt_data() { kinds(); }
    void aCallAfterACancelledOneTakesIt() {
        QFETCH(Kind, kind);
        const Lock lock = test::lockOf(*m_client, kind, LockName("L"));
        QVERIFY(test::waitFor(lock.isLocked()).ok());
        m_server.freeze();
        std::stop_source stop;
        const auto cancelled = test::start(lock.lock(owner, std::nullopt, stop.get_token()));
        stop.request_stop();
        QCOMPARE((*cancelled)->error().code, ErrorCode::Cancelled);
        const auto second = test::start(lock.lock(owner));
        m_server.thaw();
        QTRY_VERIFY(second->has_value());
        QVERIFY2((*second)->ok(), (*second)->ok() ? "" : qPrintable((*second)->error().text));
        QCOMPARE(m_server.cli({"HVALS", "L"}), "1");
        QCOMPARE(test::waitFor(lock.unlock(owner)).value(), ReleaseOutcome::Free);
    }

private:
    static void kinds() { test::addKinds({Kind::NonReentrant, Kind::NonReentrantFair}); }

    test::RedisServer m_server;
    SystemClock m_clock;
    std::unique_ptr<LockClient> m_client;
};

LOCKKEEPER_TEST(TestNonReentrantLockServer, Guiless)

}  // namespace tst_nonreentrantlock_server

#include "tst_nonreentrantlock_server.moc"
