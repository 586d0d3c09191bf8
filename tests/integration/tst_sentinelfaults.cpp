// SPDX-License-Identifier: Apache-2.0
#include "support/acceptcounter.h"
#include "support/auditedengine.h"
#include "support/countingproxy.h"
#include "support/sentinelsetup.h"
#include "support/serverhand.h"
#include "support/sessionprobe.h"
#include "support/steppedsession.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_sentinelfaults {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

namespace {

const QString holder = QStringLiteral("0ae6d8e3-41d2-4a0e-9c76-0a4f3c1f6f10:33");
constexpr Milliseconds measured = 4s;

// After the first attempts, a connection tries at most twice a second, by the session's clock.
int mostAttempts(int connections) {
    return connections * (5 + static_cast<int>(2 * measured.count() / 1000));
}

// Two connections that watch, one with commands, one that waits.
constexpr int connectionsOfASession = 4;

int accepted(const std::vector<std::unique_ptr<AcceptCounter>>& counters) {
    int all = 0;
    for (const auto& counter : counters)
        all += counter->accepted();
    return all;
}

}  // namespace

// Sentinels and masters that have failed, and Sentinels that are out of date.
class TestSentinelFaults : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void sentinelsThatAreGoneAreNotStormed_data() {
        QTest::addColumn<bool>("isMasterGone");
        QTest::newRow("the master serves on") << false;
        QTest::newRow("the master is gone, too") << true;
    }
    void sentinelsThatAreGoneAreNotStormed() {
        QFETCH(bool, isMasterGone);
        SentinelSetup setup(3);
        QVERIFY(setup.start());
        SteppedSession page(setup.url());
        connectAndLock(page);
        std::vector<std::unique_ptr<AcceptCounter>> gone;
        for (size_t i = 0; i < setup.sentinelCount(); ++i) {
            setup.sentinel(i).kill();
            gone.push_back(std::make_unique<AcceptCounter>(setup.sentinel(i).port()));
        }
        std::unique_ptr<AcceptCounter> master;
        if (isMasterGone) {
            setup.second().freeze();  // it would look for its master, too
            setup.first().kill();
            master = std::make_unique<AcceptCounter>(setup.first().port());
        }
        QVERIFY(page.runFor(measured));
        qInfo("attempts: %d at the Sentinels, %d at the master", accepted(gone), master ? master->accepted() : 0);
        QVERIFY(accepted(gone) > 0);
        QVERIFY(accepted(gone) <= mostAttempts(1));
        QVERIFY(!master || master->accepted() <= mostAttempts(connectionsOfASession));
        QCOMPARE(page.isConnected(), !isMasterGone);
    }

    // The session has an address of its own for the master: Sentinel and replica try to connect, too.
    void aMasterThatIsGoneIsNotStormed() {
        SentinelSetup setup(1, patient());
        QVERIFY(setup.start());
        auto proxy = std::make_unique<CountingProxy>(setup.first().port());
        const quint16 port = proxy->port();
        SteppedSession page(setup.url() +
                            QStringLiteral("?map=127.0.0.1:%1=127.0.0.1:%2").arg(setup.first().port()).arg(port));
        connectAndLock(page);
        QVERIFY(proxy->accepted() > 0);
        const int before = ServerHand(setup.sentinel(0)).connectionsReceived();
        setup.first().kill();
        proxy.reset();
        const AcceptCounter gone(port);
        QVERIFY(page.runFor(measured));
        const int atSentinel = ServerHand(setup.sentinel(0)).connectionsReceived() - before - 1;
        qInfo("attempts: %d at the master, %d at the Sentinel", gone.accepted(), atSentinel);
        QVERIFY(gone.accepted() > 0);
        QVERIFY(gone.accepted() <= mostAttempts(connectionsOfASession));
        QVERIFY(atSentinel <= 1);
    }

    void aSentinelThatNamesADeadMaster() {
        SentinelSetup setup(1, patient());
        QVERIFY(setup.start());
        setup.first().cli({"HSET", "L", holder, "1"});
        test::AuditedEngine engine;
        SessionProbe page(engine);
        connectAndLock(page, setup);
        QTRY_VERIFY(page.holds("L"));
        QTRY_COMPARE(setup.second().cli({"EXISTS", "L"}), "1");
        setup.first().kill();
        setup.second().cli({"REPLICAOF", "NO", "ONE"});
        const QString dead = QStringLiteral("127.0.0.1:%1").arg(setup.first().port());
        QTRY_COMPARE(page.status.phase, ConnectionPhase::Reconnecting);
        QCOMPARE(page.status.master, dead);
        SessionProbe late(engine);
        late.connectTo(setup.url());
        QTRY_COMPARE_WITH_TIMEOUT(late.status.phase, ConnectionPhase::Failed, 10000);
        QCOMPARE(late.status.error->code, ErrorCode::ConnectionRefused);
        QVERIFY2(late.status.error->text.contains(dead), qPrintable(late.status.error->text));
        learnTheSecond(setup);
        expectTheSecond(page, setup);
        QVERIFY(page.holds("L"));
        QCOMPARE(page.count(monitor::EventType::Acquired, "L"), 0);
        QCOMPARE(page.count(monitor::EventType::Released, "L"), 0);
    }

    // The former master has come back as a replica: it answers, but is not used.
    void aSentinelThatNamesAFormerMaster() {
        SentinelSetup setup(1, patient());
        QVERIFY(setup.start());
        setup.second().cli({"REPLICAOF", "NO", "ONE"});
        setup.first().cli({"REPLICAOF", "127.0.0.1", QString::number(setup.second().port())});
        test::AuditedEngine engine;
        SessionProbe page(engine);
        page.connectTo(setup.url());
        QTRY_COMPARE_WITH_TIMEOUT(page.status.phase, ConnectionPhase::Failed, 10000);
        QCOMPARE(page.status.error->cause, Cause::NotMaster);
        QCOMPARE(page.status.master, QStringLiteral("127.0.0.1:%1").arg(setup.first().port()));
        learnTheSecond(setup);
        page.connectTo(setup.url());
        expectTheSecond(page, setup);
    }

    // One Sentinel was cut off during a failover: it names the former master, which is dead.
    void aSentinelThatIsBehindIsPassedOver() {
        SentinelSetup setup(3);
        QVERIFY(setup.start());
        QVERIFY(setup.failOver());
        const QString second = QString::number(setup.second().port());
        for (size_t i = 1; i < setup.sentinelCount(); ++i)
            QTRY_VERIFY_WITH_TIMEOUT(
                setup.sentinel(i).cli({"SENTINEL", "GET-MASTER-ADDR-BY-NAME", "orders"}).contains(second), 15000);
        const RedisServer& dead = setup.first();
        setup.first().kill();
        // The other Sentinels send it the new master with PUBLISH, every two seconds.
        QCOMPARE(setup.sentinel(0).cli({"ACL", "SETUSER", "default", "-publish"}), "OK");
        setup.sentinel(0).cli({"SENTINEL", "REMOVE", "orders"});
        setup.sentinel(0).cli({"SENTINEL", "MONITOR", "orders", "127.0.0.1", QString::number(dead.port()), "99"});
        test::AuditedEngine engine;
        SessionProbe page(engine);
        page.connectTo(setup.url());
        expectTheSecond(page, setup);
        // The Sentinel in use is lost, and the next one that is asked may be the one that is behind.
        setup.sentinel(1).kill();
        setup.second().cli({"CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"});
        QTRY_VERIFY(!page.arming.isArmed());  // the lost connection has ended the arming
        setup.second().cli({"DEL", "on the second"});
        expectTheSecond(page, setup);
        QVERIFY(setup.sentinel(0)
                    .cli({"SENTINEL", "GET-MASTER-ADDR-BY-NAME", "orders"})
                    .contains(QString::number(dead.port())));
    }

private:
    // Sentinels that do not fail over by themselves within a test.
    static SentinelSetup::Options patient() {
        SentinelSetup::Options options;
        options.downAfter = 60s;
        return options;
    }
    static void connectAndLock(SessionProbe& page, const SentinelSetup& setup) {
        page.connectTo(setup.url());
        connectAndLock(page);
    }
    template <typename Page>
    static void connectAndLock(Page& page) {
        QTRY_VERIFY2_WITH_TIMEOUT(page.isConnected(), qPrintable(page.status.error.value_or(Error()).text), 10000);
        page.acquire("mine");
        QTRY_COMPARE(page.own.size(), 1);
    }
    static void learnTheSecond(SentinelSetup& setup) {
        setup.sentinel(0).cli({"SENTINEL", "REMOVE", "orders"});
        QCOMPARE(setup.sentinel(0).cli(
                     {"SENTINEL", "MONITOR", "orders", "127.0.0.1", QString::number(setup.second().port()), "1"}),
                 "OK");
    }
    static void expectTheSecond(SessionProbe& page, SentinelSetup& setup) {
        QTRY_VERIFY2_WITH_TIMEOUT(page.isConnected(), qPrintable(page.status.error.value_or(Error()).text), 10000);
        QCOMPARE(page.status.master, QStringLiteral("127.0.0.1:%1").arg(setup.second().port()));
        page.acquire("on the second");
        QTRY_COMPARE_WITH_TIMEOUT(setup.second().cli({"EXISTS", "on the second"}), "1", 10000);
        QTRY_VERIFY(page.holds("on the second"));
    }
};

LOCKKEEPER_TEST(TestSentinelFaults, Guiless)

}  // namespace tst_sentinelfaults

#include "tst_sentinelfaults.moc"
