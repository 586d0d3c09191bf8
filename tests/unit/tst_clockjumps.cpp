// SPDX-License-Identifier: Apache-2.0
#include "locks/lockclient.h"
#include "support/anylock.h"
#include "support/fakeserver.h"
#include "support/manualclock.h"
#include "support/owner.h"
#include "support/taskwait.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_clockjumps {

using namespace lockkeeper;
using namespace lockkeeper::locks;
using namespace std::chrono_literals;
using test::AnyLock;
using test::Kind;
using test::owner;
using test::turnEventLoop;

namespace {

constexpr Milliseconds watchdogTimeout = 30s;

}  // namespace

// The wall clock jumps, as NTP or an operator may cause: locks of every kind depend only on the steady clock.
class TestClockJumps : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_clock = std::make_unique<test::ManualClock>();
        m_server = std::make_unique<test::FakeServer>();
        redis::ConnectionOptions connection;
        connection.commandTimeout = 24h;
        connection.keepaliveInterval = 48h;
        LockClientOptions options;
        options.replicasToWaitFor = 0;  // avoids an INFO command; tst_replication tests that
        options.watchdogTimeout = watchdogTimeout;
        m_client = std::make_unique<LockClient>(connection, m_server->factory(), *m_clock, options);
        m_client->open();
        m_server->acceptAll();
        m_lost = 0;
        connect(m_client.get(), &LockClient::lockLost, this, [this] { ++m_lost; });
    }
    void cleanup() {
        m_client.reset();
        test::turnEventLoop();
    }

    void aHeldLockIsRenewedInItsTimeAndEndsInItsTime_data() { kindsAndJumps(); }
    void aHeldLockIsRenewedInItsTimeAndEndsInItsTime() {
        QFETCH(Kind, kind);
        QFETCH(Milliseconds, jump);
        const AnyLock lock(kind, {m_client.get()}, LockName("L"));
        const auto taking = test::start(lock.tryLock(owner, Deadline::in(*m_clock, 0ms)));
        while (!taking->has_value())
            QVERIFY(answerScripts(kind == Kind::Fenced ? "*1\r\n:42\r\n" : "_\r\n") > 0);
        QVERIFY((*taking)->value().acquired());

        m_clock->jumpWall(jump);
        m_clock->advance(watchdogTimeout / 3 - 1ms);
        QVERIFY2(answerScripts("*0\r\n") == 0, "not renewed before its time");
        m_clock->advance(1ms);
        QCOMPARE(answerScripts(kind == Kind::Multi ? "*2\r\n:1\r\n:1\r\n" : "*1\r\n:1\r\n"), 1);

        m_clock->jumpWall(jump);
        m_clock->advance(watchdogTimeout - 1ms);
        turnEventLoop();  // a loss would be reported from there
        QCOMPARE(m_lost, 0);
        m_clock->advance(1ms);
        turnEventLoop();
        QCOMPARE(m_lost, static_cast<int>(lock.members().size()));
        QCOMPARE(m_client->heldKeys().size(), size_t{0});
    }

    void aWaiterWaitsItsTime_data() { kindsAndJumps(); }
    void aWaiterWaitsItsTime() {
        QFETCH(Kind, kind);
        QFETCH(Milliseconds, jump);
        const AnyLock lock(kind, {m_client.get()}, LockName("L"));
        const SteadyTime begin = m_clock->now();
        const auto waiting = test::start(lock.tryLock(owner, Deadline::in(*m_clock, 5s)));
        while (!waiting->has_value()) {
            m_clock->jumpWall(jump);
            m_clock->advance(10ms);
            answerScripts(test::number(20000));
        }
        QVERIFY((*waiting)->ok() && !(*waiting)->value().acquired());
        const SteadyTime end = m_clock->now();
        QVERIFY(end >= begin + 5s && end < begin + 5100ms);
    }

private:
    static void kindsAndJumps() {
        QTest::addColumn<Kind>("kind");
        QTest::addColumn<Milliseconds>("jump");
        for (const Kind kind : test::allKinds()) {
            QTest::newRow(test::wordFor(kind) + ", a day ahead") << kind << Milliseconds(24h);
            QTest::newRow(test::wordFor(kind) + ", a day back") << kind << Milliseconds(-24h);
        }
    }

    // Sends the same answer to each script, and confirms subscriptions; returns the number of scripts.
    int answerScripts(const QByteArray& answer) {
        int scripts = 0;
        m_server->acceptAll();
        for (size_t i = 0; i < m_server->linkCount(); ++i) {
            for (const QByteArrayList& command : m_server->link(i).takeCommands()) {
                const bool isScript = command.first().startsWith("EVAL");
                scripts += isScript ? 1 : 0;
                m_server->link(i).reply(isScript ? answer : confirmationOf(command));
            }
        }
        return scripts;
    }
    static QByteArray confirmationOf(const QByteArrayList& command) {
        return ">3\r\n" + test::bulk(command.first().toLower()) + test::bulk(command.value(1)) + test::number(1);
    }

    std::unique_ptr<test::ManualClock> m_clock;
    std::unique_ptr<test::FakeServer> m_server;
    std::unique_ptr<LockClient> m_client;
    int m_lost = 0;
};

LOCKKEEPER_TEST(TestClockJumps, Guiless)

}  // namespace tst_clockjumps

#include "tst_clockjumps.moc"
