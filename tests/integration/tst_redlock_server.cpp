// SPDX-License-Identifier: Apache-2.0
#include "base/systemclock.h"
#include "locks/kinds/multilock.h"
#include "locks/kinds/redlock.h"
#include "locks/kinds/reentrantlock.h"
#include "support/owner.h"
#include "support/redisserver.h"
#include "support/serverhand.h"
#include "support/taskwait.h"
#include "support/testprogram.h"
#include "topology/shardconnections.h"

#include <QTest>

#include <algorithm>

namespace tst_redlock_server {

using namespace lockkeeper;
using namespace lockkeeper::locks;
using namespace std::chrono_literals;
using test::owner;

namespace {

enum class Harm { None, Stopped, Frozen, Slow };

}  // namespace

// One lock on five servers, some of which fail.
class TestRedLockServer : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        for (int i = 0; i < 5; ++i) {
            m_servers.push_back(std::make_unique<test::RedisServer>());
            QVERIFY(m_servers.back()->start());
        }
        connectTo(m_mine);
        connectTo(m_others);
    }
    void cleanup() {
        m_mine.clear();
        m_others.clear();
        m_servers.clear();
    }

    void oneOfFiveMayFail_data() { harms(); }
    void oneOfFiveMayFail() {
        QFETCH(Harm, harm);
        const size_t servers = harm == Harm::None ? 5 : 4;
        harmServer(4, harm);
        const Result<RedLockAttempt> taken = test::waitFor(redLock(m_mine).tryLock(owner, in(2s), 10s));
        QVERIFY2(taken.ok(), taken.ok() ? "" : qPrintable(taken.error().text));
        QVERIFY(taken->acquired());
        QCOMPARE(taken->servers, servers);
        QVERIFY(taken->validUntil > m_clock.now() + 8s && taken->validUntil < m_clock.now() + 9900ms);

        const Result<RedLockAttempt> refused = test::waitFor(redLock(m_others).tryLock(owner, in(0ms), 10s));
        QVERIFY(refused.ok() && !refused->acquired());
        QCOMPARE(test::waitFor(redLock(m_mine).unlock(owner)).value(), ReleaseOutcome::Free);
        everyServerForgetsIt(harm);
        QTRY_VERIFY(test::waitFor(redLock(m_others).tryLock(owner, in(2s), 10s))->acquired());
    }

    // All others renew it meanwhile.
    void oneOfFiveMayFailWhileItIsHeld_data() { harms(); }
    void oneOfFiveMayFailWhileItIsHeld() {
        QFETCH(Harm, harm);
        QVERIFY(test::waitFor(redLock(m_mine).tryLock(owner, in(1s))).value().acquired());
        harmServer(4, harm);
        const std::vector<qint64> ends = leaseEnds(4);
        do {
            QVERIFY(!test::waitFor(redLock(m_others).tryLock(owner, in(0ms), 10s))->acquired());
            for (const size_t server : {0U, 1U, 2U, 3U})
                QCOMPARE(test::ServerHand(*m_servers[server]).integer({"HLEN", "R"}), 1);
        } while (!std::ranges::equal(leaseEnds(4), ends, std::greater()));
        QCOMPARE(test::waitFor(redLock(m_mine).unlock(owner)).value(), ReleaseOutcome::Free);
        everyServerForgetsIt(harm);
    }

    void withoutAQuorumNothingIsKept() {
        for (const size_t server : {0U, 1U, 2U})
            harmServer(server, Harm::Stopped);
        const Result<RedLockAttempt> taken = test::waitFor(redLock(m_mine).tryLock(owner, in(500ms), 10s));
        QCOMPARE(taken.error().code, ErrorCode::ConnectionLost);
        for (const size_t server : {3U, 4U})
            QTRY_COMPARE(m_servers[server]->cli({"EXISTS", "R"}), "0");
    }

    void whoeverHoldsMostServersKeepsTheOthersOut() {
        // A script unknown to the server would not be sent again as a whole after its caller has stopped waiting.
        for (const Lock& member : locksOf(m_mine)) {
            QVERIFY(test::waitFor(member.tryLock(owner, in(0ms)))->acquired());
            QVERIFY(test::waitFor(member.unlock(owner)).ok());
        }
        for (const size_t server : {3U, 4U})
            m_servers[server]->cli({"CONFIG", "RESETSTAT"});
        for (const size_t server : {0U, 1U, 2U})
            m_servers[server]->cli({"HSET", "R", "11111111-2222-3333-4444-555555555555:1", "1"});
        const Result<RedLockAttempt> taken = test::waitFor(redLock(m_mine).tryLock(owner, in(0ms), 10s));
        QVERIFY(taken.ok() && !taken->acquired());
        // The locks were taken there, perhaps only now, and released.
        for (const size_t server : {3U, 4U})
            QTRY_COMPARE(test::ServerHand(*m_servers[server]).calls("del"), 1);
        const Result<ReleaseOutcome> released = test::waitFor(redLock(m_mine).unlock(owner));
        QVERIFY(!released.ok());
        QCOMPARE(released.error().code, ErrorCode::NotHeld);
    }

    void theWatchdogKeepsItOnEveryServer() {
        QVERIFY(test::waitFor(redLock(m_mine).tryLock(owner, in(1s))).value().acquired());
        const std::vector<qint64> ends = leaseEnds(5);
        QTRY_VERIFY(std::ranges::equal(leaseEnds(5), ends, std::greater()));
        QCOMPARE(test::waitFor(redLock(m_mine).unlock(owner)).value(), ReleaseOutcome::Free);
    }

    void aCancelledCallLeavesNothing() {
        harmServer(4, Harm::Frozen);
        m_servers[3]->freeze();
        m_servers[2]->freeze();
        std::stop_source stop;
        const auto call = test::start(redLock(m_mine).tryLock(owner, in(10s), 10s, stop.get_token()));
        for (const size_t server : {0U, 1U})
            QTRY_COMPARE(m_servers[server]->cli({"EXISTS", "R"}), "1");
        stop.request_stop();
        QVERIFY(call->has_value());
        QCOMPARE((*call)->error().code, ErrorCode::Cancelled);
        for (const auto& server : m_servers) {
            server->thaw();
            QTRY_COMPARE_WITH_TIMEOUT(server->cli({"EXISTS", "R"}), "0", 8000);
        }
    }

    // ---- several locks as one, on several servers ----

    void aMultiLockTakesAllOrNone() {
        const MultiLock multi(locksOf(m_mine));
        QVERIFY(test::waitFor(multi.tryLock(owner, in(1s), 5s)).value().acquired());
        for (const auto& server : m_servers) {
            const int pttl = server->cli({"PTTL", "R"}).toInt();
            QVERIFY(pttl > 4000 && pttl <= 5000);
        }
        QCOMPARE(test::waitFor(multi.unlock(owner)).value(), ReleaseOutcome::Free);
        QVERIFY(test::waitFor(locksOf(m_others)[3].lock(owner)).ok());
        QVERIFY(!test::waitFor(multi.tryLock(owner, in(100ms))).value().acquired());
        for (const size_t server : {0U, 1U, 2U, 4U})
            QCOMPARE(m_servers[server]->cli({"EXISTS", "R"}), "0");
    }

    void aMultiLockWaitsForItsMembers() {
        const Lock blocked = locksOf(m_others)[1];
        QVERIFY(test::waitFor(blocked.lock(owner)).ok());
        const MultiLock multi(locksOf(m_mine));
        const auto waiting = test::start(multi.lock(owner));
        QTRY_COMPARE(m_servers[0]->cli({"EXISTS", "R"}), "1");
        QVERIFY(!waiting->has_value());
        QVERIFY(test::waitFor(blocked.unlock(owner)).ok());
        QTRY_VERIFY(waiting->has_value() && (*waiting)->ok());
        QCOMPARE(test::waitFor(multi.unlock(owner)).value(), ReleaseOutcome::Free);
    }

    // A hold that cannot be released for lack of a connection is not renewed any more.
    void aMultiLockThatCannotBeGivenBackEndsWithItsLease() {
        const MultiLock multi(locksOf(m_mine));
        QVERIFY(test::waitFor(multi.lock(owner)).ok());
        m_servers[2]->freeze();
        const auto unlocking = test::start(multi.unlock(owner));
        QTRY_VERIFY(unlocking->has_value());
        QCOMPARE((*unlocking)->error().code, ErrorCode::OutcomeUnknown);
        m_servers[2]->thaw();
        for (const auto& server : m_servers)
            QTRY_COMPARE(server->cli({"EXISTS", "R"}), "0");
    }

private:
    static void harms() {
        QTest::addColumn<Harm>("harm");
        QTest::newRow("none fails") << Harm::None;
        QTest::newRow("stopped") << Harm::Stopped;
        QTest::newRow("hung") << Harm::Frozen;
        QTest::newRow("slow") << Harm::Slow;
    }

    using Clients = std::vector<std::unique_ptr<LockClient>>;

    void connectTo(Clients& clients) {
        for (const auto& server : m_servers) {
            LockClientOptions options;
            options.watchdogTimeout = 1500ms;
            options.commandTimeout = 1s;
            redis::ConnectionOptions connection = server->options();
            connection.firstRetry = 10ms;
            connection.lastRetry = 100ms;
            clients.push_back(std::make_unique<LockClient>(connection, m_clock, options));
            clients.back()->open();
        }
        QTRY_VERIFY(std::ranges::all_of(clients, [](const auto& client) { return client->connections().isReady({}); }));
    }
    static std::vector<Lock> locksOf(const Clients& clients) {
        std::vector<Lock> locks;
        for (const auto& client : clients)
            locks.push_back(client->reentrantLock(LockName("R")));
        return locks;
    }
    static RedLock redLock(const Clients& clients) { return RedLock(locksOf(clients)); }
    // See ServerHand::leaseEnd(), on the first servers.
    std::vector<qint64> leaseEnds(size_t servers) {
        std::vector<qint64> ends;
        for (size_t server = 0; server < servers; ++server)
            ends.push_back(test::ServerHand(*m_servers[server]).leaseEnd("R"));
        return ends;
    }
    [[nodiscard]] Deadline in(Milliseconds time) { return Deadline::in(m_clock, time); }

    void harmServer(size_t server, Harm harm) {
        if (harm == Harm::Stopped)
            m_servers[server]->stop();
        else if (harm == Harm::Frozen)
            m_servers[server]->freeze();
        else if (harm == Harm::Slow)
            m_slow = test::start(sleep(m_mine[server]->connections().of({})));
    }
    // To be called after the failed server works again.
    void everyServerForgetsIt(Harm harm) {
        m_servers[4]->thaw();
        if (harm == Harm::Stopped)
            QVERIFY(m_servers[4]->start());
        for (const auto& server : m_servers)
            QTRY_COMPARE_WITH_TIMEOUT(server->cli({"EXISTS", "R"}), "0", 8000);
    }
    static Task<bool> sleep(redis::Connection* connection) {
        const redis::Command command("DEBUG", {"SLEEP", "1"});
        const Completion<redis::RespValue> reply = connection->send(command);
        const Result<redis::RespValue> answer = co_await reply.wait(Deadline::in(connection->clock(), 5s));
        co_return answer.ok();
    }

    SystemClock m_clock;
    std::vector<std::unique_ptr<test::RedisServer>> m_servers;
    Clients m_mine;
    Clients m_others;
    test::Running<bool> m_slow;
};

LOCKKEEPER_TEST(TestRedLockServer, Guiless)

}  // namespace tst_redlock_server

#include "tst_redlock_server.moc"
