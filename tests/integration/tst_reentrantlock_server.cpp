#include "base/systemclock.h"
#include "locks/lockclient.h"
#include "locks/reentrantlock.h"
#include "support/redisserver.h"
#include "support/taskwait.h"

#include <QTest>

using namespace lockkeeper;
using namespace lockkeeper::locks;
using namespace std::chrono_literals;

// The reentrant lock against a real server.
class TestReentrantLockServer : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QVERIFY(m_server.start()); }
    void cleanup() { m_server.stop(); }

    void takesReentersAndGivesBack() {
        SystemClock clock;
        LockClient client(m_server.options(), clock);
        client.open();
        const ReentrantLock lock = client.reentrantLock(LockName("orders/{42}"));
        const ThreadId thread{33};

        const Result<Done> taken = test::waitFor(lock.lock(thread));
        QVERIFY2(taken.ok(), taken.ok() ? "" : qPrintable(taken.error().text));
        QCOMPARE(m_server.cli({"HGETALL", "orders/{42}"}), QString::fromLatin1(lock.holder(thread).bytes()) + "\n1");
        QVERIFY(test::waitFor(lock.lock(thread)).ok());
        QCOMPARE(test::waitFor(lock.holdCount(thread)).value(), 2);
        QCOMPARE(test::waitFor(lock.unlock(thread)).value(), ReleaseOutcome::StillHeld);
        QCOMPARE(test::waitFor(lock.unlock(thread)).value(), ReleaseOutcome::Free);
        QCOMPARE(m_server.cli({"EXISTS", "orders/{42}"}), "0");
        QCOMPARE(test::waitFor(lock.unlock(thread)).error().code, ErrorCode::NotHeld);
        QCOMPARE(client.held().size(), 0);
    }

    void aWaiterIsWokenByTheRelease() {
        SystemClock clock;
        LockClient a(m_server.options(), clock);
        LockClient b(m_server.options(), clock);
        a.open();
        b.open();
        QVERIFY(test::waitFor(a.reentrantLock(LockName("L")).lock(ThreadId{1})).ok());
        const auto waiting = test::start(b.reentrantLock(LockName("L")).lock(ThreadId{2}));
        QTRY_COMPARE(m_server.cli({"PUBSUB", "CHANNELS"}), "redisson_lock__channel:{L}");
        QVERIFY(!waiting->has_value());
        QVERIFY(test::waitFor(a.reentrantLock(LockName("L")).unlock(ThreadId{1})).ok());
        QTRY_VERIFY(waiting->has_value());
        QVERIFY((*waiting)->ok());
        QTRY_COMPARE(m_server.cli({"PUBSUB", "CHANNELS"}), "");
    }

private:
    test::RedisServer m_server;
};

QTEST_GUILESS_MAIN(TestReentrantLockServer)
#include "tst_reentrantlock_server.moc"
