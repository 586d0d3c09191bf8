// SPDX-License-Identifier: Apache-2.0
#include "base/systemclock.h"
#include "locks/heldtracking.h"
#include "locks/kinds/fairlock.h"
#include "locks/kinds/readwritelock.h"
#include "locks/kinds/reentrantlock.h"
#include "support/anylock.h"
#include "support/manualclock.h"
#include "support/owner.h"
#include "support/redisserver.h"
#include "support/sleepingcall.h"
#include "support/testprogram.h"
#include "topology/shardconnections.h"

#include <QTest>

#include <sys/resource.h>

namespace tst_lockcrowds {

using namespace lockkeeper;
using namespace lockkeeper::locks;
using namespace std::chrono_literals;
using test::AnyLock;
using test::Kind;
using test::owner;

namespace {

// Kinds that use one server and have one holder at a time.
const std::vector<Kind> exclusiveKinds{Kind::Reentrant, Kind::Fair, Kind::Fenced, Kind::Spin, Kind::Write, Kind::Multi};

// Who held the lock, in order, and how many at once.
struct Turns {
    QByteArrayList order;
    int inside = 0;
    int mostInside = 0;
    int failures = 0;
};

Task<void> takeTurn(AnyLock lock, ThreadId thread, Deadline waitUntil, std::shared_ptr<Turns> turns) {
    const Result<LockAttempt> taken = co_await lock.tryLock(thread, waitUntil);
    if (!taken || !taken->acquired()) {
        ++turns->failures;
        co_return;
    }
    turns->order += lock.members().front().holder(thread).bytes();
    turns->mostInside = std::max(turns->mostInside, ++turns->inside);
    const Completion<Done> work;
    const Result<Done> worked = co_await work.wait(Deadline::in(waitUntil.clock(), 2ms));
    Q_UNUSED(worked)
    --turns->inside;
    const Result<ReleaseOutcome> released = co_await lock.unlock(thread);
    turns->failures += released ? 0 : 1;
}

}  // namespace

// Many clients on one lock, and one client with many locks.
class TestLockCrowds : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        rlimit files{};
        QCOMPARE(getrlimit(RLIMIT_NOFILE, &files), 0);
        files.rlim_cur = files.rlim_max;
        QCOMPARE(setrlimit(RLIMIT_NOFILE, &files), 0);
        QVERIFY2(files.rlim_max >= 4000, "a thousand clients need more open files than this system allows");
    }
    void init() { QVERIFY(m_server.start()); }
    void cleanup() {
        m_clients.clear();
        m_server.stop();
    }

    // All kinds in turn with the same clients: connecting them takes longer than the locks do.
    void ofAThousandClientsExactlyOneGetsIt() {
        connectClients(1000);
        for (const Kind kind : exclusiveKinds) {
            const QByteArray name = test::wordFor(kind);
            std::vector<test::Running<Result<LockAttempt>>> calls;
            for (const auto& client : m_clients)
                calls.push_back(test::start(AnyLock(kind, {client.get()}, LockName(name)).tryLock(owner, in(0ms))));
            QVERIFY(test::becomesTrue(
                [&] { return std::ranges::all_of(calls, [](const auto& call) { return call->has_value(); }); }, 20000));
            const auto taken = [](const auto& call) { return (*call)->ok() && (*call)->value().acquired(); };
            const auto refused = [](const auto& call) { return (*call)->ok() && !(*call)->value().acquired(); };
            QCOMPARE(std::ranges::count_if(calls, taken), 1);
            QCOMPARE(std::ranges::count_if(calls, refused), 999);
            const bool hasMode = kind == Kind::Write;
            QCOMPARE(m_server.cli({"HLEN", QString::fromLatin1(name)}), hasMode ? "2" : "1");
        }
    }

    // A hundred clients, which wait up to a minute each.
    void aHundredGetItInTurn_data() { test::addKinds(exclusiveKinds); }
    void aHundredGetItInTurn() {
        QFETCH(Kind, kind);
        connectClients(100);
        const auto turns = std::make_shared<Turns>();
        for (const auto& client : m_clients)
            takeTurn(AnyLock(kind, {client.get()}, LockName("L")), owner, in(60s), turns);
        QVERIFY(test::becomesTrue([&] { return turns->order.size() + turns->failures == 100; }, 70000));
        QCOMPARE(turns->failures, 0);
        QCOMPARE(turns->mostInside, 1);
        m_server.cli({"DEL", "redisson_lock_token:{L}"});  // stays by design
        QTRY_COMPARE(m_server.cli({"DBSIZE"}), "0");
    }

    void twoHundredGetAFairLockInTheOrderTheyCame() {
        connectClients(20);
        const Lock first = m_clients.front()->fairLock(LockName("F"));
        QVERIFY(test::waitFor(first.lock(ThreadId{999})).ok());
        const auto turns = std::make_shared<Turns>();
        for (int thread = 0; thread < 10; ++thread) {
            for (const auto& client : m_clients)
                takeTurn(AnyLock(Kind::Fair, {client.get()}, LockName("F")), ThreadId{thread}, in(60s), turns);
        }
        QTRY_COMPARE(m_server.cli({"LLEN", "redisson_lock_queue:{F}"}), "200");
        const QStringList queue = m_server.cli({"LRANGE", "redisson_lock_queue:{F}", "0", "-1"}).split(u'\n');
        QVERIFY(test::waitFor(first.unlock(ThreadId{999})).ok());
        QTRY_COMPARE_WITH_TIMEOUT(turns->order.size(), qsizetype{200}, 60000);
        QCOMPARE(QString::fromLatin1(turns->order.join(' ')), queue.join(u' '));
        QTRY_COMPARE(m_server.cli({"DBSIZE"}), "0");
        QCOMPARE(turns->failures, 0);
    }

    // In each third of the timeout there are 250 scripts, each for twenty locks and after a CLIENT CACHING.
    void aWatchdogKeepsFiveThousandLocks() {
        test::ManualClock clock;
        redis::ConnectionOptions connection = m_server.options();
        connection.keepaliveInterval = 1h;
        LockClient client(connection, clock);
        client.open();
        QTRY_VERIFY(client.connections().isReady({}));
        for (int first = 0; first < 5000; first += 250)
            takeAll(client, first, first + 250);
        bool lostOne = false;
        connect(&client, &LockClient::lockLost, this, [&lostOne] { lostOne = true; });
        const auto passOneThird = [&] {
            clock.advance(client.options().watchdogTimeout / 3);
            return test::isAnswered(client);
        };
        clock.advance(HeldTracking::firstRead);  // each hold is read once
        QVERIFY(test::isAnswered(client));
        QVERIFY(passOneThird());  // the script becomes known
        const quint64 before = client.connections().of({})->commandsSent();
        for (int third = 0; third < 3; ++third)
            QVERIFY(passOneThird());
        const quint64 sent = client.connections().of({})->commandsSent() - before;
        QCOMPARE(sent, quint64{3 * (500 + 1)});  // and the PING of each third
        QVERIFY(!lostOne);
        QCOMPARE(m_server.cli({"DBSIZE"}), "7500");  // each reader has a timeout key too
    }

private:
    // Plain locks and reading ones in turn.
    static void takeAll(LockClient& client, int first, int end) {
        std::vector<test::Running<Result<Done>>> calls;
        for (int i = first; i < end; ++i) {
            const LockName name("lock:" + QByteArray::number(i));
            const Lock lock =
                i % 2 == 0 ? Lock(client.reentrantLock(name)) : Lock(client.readWriteLock(name).readLock());
            calls.push_back(test::start(lock.lock(ThreadId{1})));
        }
        QTRY_VERIFY(std::ranges::all_of(calls, [](const auto& call) { return call->has_value(); }));
        for (const auto& call : calls) {
            if (!(*call)->ok())
                QFAIL(qPrintable((*call)->error().text));
        }
    }
    void connectClients(int count) {
        for (int i = 0; i < count; ++i) {
            m_clients.push_back(std::make_unique<LockClient>(m_server.options(), m_clock));
            m_clients.back()->open();
        }
        const auto isReady = [](const auto& client) { return client->connections().isReady({}); };
        QVERIFY(test::becomesTrue([&] { return std::ranges::all_of(m_clients, isReady); }, 20000));
    }
    [[nodiscard]] Deadline in(Milliseconds time) { return Deadline::in(m_clock, time); }

    SystemClock m_clock;
    test::RedisServer m_server;
    std::vector<std::unique_ptr<LockClient>> m_clients;
};

LOCKKEEPER_TEST(TestLockCrowds, Guiless)

}  // namespace tst_lockcrowds

#include "tst_lockcrowds.moc"
