// SPDX-License-Identifier: Apache-2.0
#include "blocking/client.h"
#include "support/redisserver.h"
#include "support/serverhand.h"
#include "support/taskwait.h"
#include "support/testprogram.h"

#include <QTest>

#include <atomic>
#include <future>
#include <mutex>
#include <thread>

namespace tst_blockinglock {

using namespace lockkeeper;
using namespace std::chrono_literals;

namespace {

redis::ConnectionOptions nowhere() {
    redis::ConnectionOptions options;
    options.endpoint.unixPath = QStringLiteral("/nowhere/redis.sock");
    return options;
}

}  // namespace

// The locks of programs without an event loop. tests/plain/consumer/blocking.cpp is one that has no QCoreApplication,
// either.
class TestBlockingLock : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_server = std::make_unique<test::RedisServer>();
        QVERIFY(m_server->start());
    }
    void cleanup() { m_server.reset(); }

    void aGuardTakesAndReleases() {
        blocking::Client client(m_server->options());
        blocking::Lock lock = client.reentrantLock(LockName("L"));
        {
            const std::lock_guard guard(lock);
            QCOMPARE(m_server->cli({"HVALS", "L"}), "1");
            QVERIFY(lock.isHeld());
            const std::unique_lock again(lock, std::try_to_lock);  // the lock is reentrant
            QVERIFY(again.owns_lock());
            QCOMPARE(m_server->cli({"HVALS", "L"}), "2");
        }
        QVERIFY(!lock.isHeld());
        QCOMPARE(m_server->cli({"DBSIZE"}), "0");
    }

    void severalAreTakenTogether() {
        blocking::Client client(m_server->options());
        blocking::Lock first = client.fairLock(LockName("A"));
        blocking::Lock second = client.writeLock(LockName("B"));
        const std::scoped_lock guard(first, second);
        QCOMPARE(m_server->cli({"EXISTS", "A", "B"}), "2");
    }

    // A counter that only the lock protects: two clients with three threads each.
    void threadsOfSeveralClientsExcludeEachOther() {
        constexpr int rounds = 40;
        blocking::Client one(m_server->options());
        blocking::Client two(m_server->options());
        int inside = 0;
        std::atomic<int> clashes{0};
        std::atomic<int> done{0};
        std::vector<std::thread> threads;
        for (int i = 0; i < 6; ++i) {
            threads.emplace_back([&, client = i % 2 == 0 ? &one : &two] {
                blocking::Lock lock = client->reentrantLock(LockName("L"));
                for (int round = 0; round < rounds; ++round) {
                    const std::lock_guard guard(lock);
                    if (++inside != 1)
                        ++clashes;
                    std::this_thread::yield();
                    --inside;
                    ++done;
                }
            });
        }
        for (std::thread& thread : threads)
            thread.join();
        QCOMPARE(clashes.load(), 0);
        QCOMPARE(done.load(), 6 * rounds);
        QCOMPARE(m_server->cli({"DBSIZE"}), "0");
    }

    void eachThreadIsAHolderOfItsOwn() {
        blocking::Client client(m_server->options());
        blocking::Lock lock = client.reentrantLock(LockName("L"));
        const std::lock_guard guard(lock);
        bool isTaken = true;
        ErrorCode release = ErrorCode::Protocol;
        std::thread([&] {
            isTaken = lock.try_lock();
            release = lock.release().error().code;
        }).join();
        QVERIFY(!isTaken);
        QCOMPARE(release, ErrorCode::NotHeld);
        QCOMPARE(blocking::currentThread(), blocking::currentThread());
    }

    void waitsNoLongerThanAsked() {
        blocking::Client client(m_server->options());
        m_server->cli({"HSET", "L", "stranger", "1"});
        blocking::Lock lock = client.reentrantLock(LockName("L"));
        test::ServerHand hand(*m_server);
        QVERIFY(!lock.try_lock());
        QCOMPARE(hand.calls("subscribe"), 0);
        // Who waits subscribes to the release.
        QVERIFY(!lock.try_lock_for(200ms));
        QCOMPARE(hand.calls("subscribe"), 1);
        QVERIFY(!lock.try_lock_until(std::chrono::system_clock::now() + 100ms));
        QCOMPARE(hand.calls("subscribe"), 2);
        QCOMPARE(lock.remainingTime().value().state, locks::RemainingTime::State::NeverExpires);
    }

    void aWaitIsStoppedFromAnotherThread() {
        blocking::Client client(m_server->options());
        m_server->cli({"HSET", "L", "stranger", "1"});
        const blocking::Lock lock = client.reentrantLock(LockName("L"));
        std::stop_source stop;
        std::thread stopper([&] {
            while (m_server->cli({"PUBSUB", "CHANNELS"}).isEmpty())
                std::this_thread::yield();
            stop.request_stop();
        });
        const Result<locks::LockAttempt> tried = lock.tryLock(std::nullopt, stop.get_token());
        stopper.join();
        QCOMPARE(tried.error().code, ErrorCode::Cancelled);
        QCOMPARE(lock.tryLock(std::nullopt, stop.get_token()).error().code,
                 ErrorCode::Cancelled);  // cancelled in advance
    }

    void failuresAreThrownOrReturned() {
        blocking::Client client(m_server->options());
        m_server->cli({"SET", "L", "text"});
        blocking::Lock lock = client.reentrantLock(LockName("L"));
        QCOMPARE(lock.tryLock(0ms).error().reply, ReplyKind::WrongType);
        QVERIFY_THROWS_EXCEPTION(blocking::LockFailure, lock.lock());
        blocking::Lock once = client.nonReentrantLock(LockName("once"));
        const std::lock_guard guard(once);
        try {
            once.lock();
            QFAIL("taken twice");
        } catch (const blocking::LockFailure& failure) {
            QCOMPARE(failure.error().cause, Cause::AlreadyHeld);
            QVERIFY(QByteArray(failure.what()).contains("already held"));
        }
    }

    void tokensAndLeases() {
        blocking::Client client(m_server->options());
        const blocking::Lock lock = client.fencedLock(LockName("L")).withLease(20s);
        QCOMPARE(lock.tryLock(0ms).value().token, locks::FencingToken{1});
        QVERIFY(lock.remainingTime().value().left <= 20s);
        QCOMPARE(lock.release().value(), locks::ReleaseOutcome::Free);
        QVERIFY(lock.tryLock(Milliseconds::max()).value().acquired());  // no wait is too long
        QVERIFY(lock.release().ok());
    }

    void theWatchdogRenewsWhileTheProgramComputes() {
        locks::LockClientOptions options;
        options.watchdogTimeout = 300ms;
        blocking::Client client(m_server->options(), options);
        blocking::Lock lock = client.reentrantLock(LockName("L"));
        const std::lock_guard guard(lock);
        test::ServerHand hand(*m_server);
        const qint64 end = hand.leaseEnd("L");
        QVERIFY(
            test::becomesTrueWithoutLoop([&] { return hand.leaseEnd("L") > end + options.watchdogTimeout.count(); }));
        QVERIFY(lock.isHeld());
    }

    void aLossIsReported() {
        blocking::Client client(m_server->options());
        std::promise<locks::LossReason> lost;
        client.whenLost([&lost](const locks::HoldKey&, locks::LossReason why) { lost.set_value(why); });
        blocking::Lock lock = client.reentrantLock(LockName("L"));
        lock.lock();
        QVERIFY(client.connect(5s).ok());
        m_server->cli({"DEL", "L"});
        std::future<locks::LossReason> why = lost.get_future();
        QCOMPARE(why.wait_for(10s), std::future_status::ready);
        QCOMPARE(why.get(), locks::LossReason::Gone);
        QVERIFY(!lock.isHeld());
        lock.unlock();  // has nothing to release, and does not throw
    }

    void sayWhyThereIsNoConnection() {
        blocking::Client client(nowhere());
        QVERIFY(!client.connect(100ms).ok());
        QVERIFY(!client.reentrantLock(LockName("L")).tryLock(0ms).ok());
    }

    void clientsComeAndGo() {
        for (int i = 0; i < 5; ++i) {
            blocking::Client client(m_server->options());
            blocking::Lock lock = client.spinLock(LockName("L"));
            const std::lock_guard guard(lock);
        }
        QCOMPARE(m_server->cli({"DBSIZE"}), "0");
    }

private:
    std::unique_ptr<test::RedisServer> m_server;
};

LOCKKEEPER_TEST(TestBlockingLock, Guiless)

}  // namespace tst_blockinglock

#include "tst_blockinglock.moc"
